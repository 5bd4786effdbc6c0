"""A run whose transcripts attack the page that shows them."""

from __future__ import annotations

from pathlib import Path

from grader.cascade import combine, strict_grades
from grader.records import Grade, Step, Task, Transcript
from grader.run import RunDirectory
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from tests.graded import add_grades
from tests.hostile import ATTACKS


def write_hostile_run(path: Path) -> RunDirectory:
    """Every attack as question, id, covariate, instruction and output."""
    run = RunDirectory.create(path)
    settings = GradeSettings()
    grades: list[Grade] = []
    with run.append_transcripts() as transcripts:
        for number, attack in enumerate(ATTACKS):
            short = attack[:200]
            made = Transcript(
                transcript_id=f"{number} {short}",
                task=Task(
                    task_id=f"{number} {short}",
                    question=f"What is the answer? {short}",
                    context=short,
                    ground_truth="5",
                    covariates={short: short, "variable_type": ATTACKS[-1 - number % 6][:40]},
                ),
                steps=(Step(instruction_text=short, raw_output=f"{attack} the answer is 5"),),
                agent=short,
            )
            transcripts.add(made)
            found = strict_grades(made, STRICT_GRADERS, settings)
            grades += [*found, combine(found)]
    add_grades(run, grades)
    return run
