"""A run whose transcripts attack the page that shows them."""

from __future__ import annotations

from pathlib import Path

from grader.cascade import combine, strict_grades
from grader.records import Grade, Step, Task, Transcript
from grader.run import RunDirectory
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from tests.graded import add_grades

ATTACKS: tuple[str, ...] = (
    "<script>window.attacked = 1</script> the answer is 5",
    "</div></section><img src=x onerror='window.attacked = 1'> 5",
    "<svg onload=window.attacked=1> 5",
    "</script><script>window.attacked = 1</script> 5",
    "<iframe src='javascript:parent.attacked=1'></iframe> 5",
    "<pre></pre><style>*{display:none}</style> 5",
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css> 5",
    "<base href=http://127.0.0.1:9/> <meta http-equiv=refresh content=0;url=http://127.0.0.1:9/> 5",
    "{{ 7 * 7 }} {% raw %} {{ config }} 5",
    "\x00\x07\x1b[31m\u202e5\ud800 \u2028 lone surrogate",
    "x" * 300_000 + " 5",
    "<!-- ]]> --> <![CDATA[ 5",
    "$\\frac{1$ {0} %s ${ 5",
)


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
                steps=(Step(instruction_text=short, raw_output=attack),),
                agent=short,
            )
            transcripts.add(made)
            found = strict_grades(made, STRICT_GRADERS, settings)
            grades += [*found, combine(found)]
    add_grades(run, grades)
    return run
