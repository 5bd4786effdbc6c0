"""Do the strict graders read an answer where the publisher of an output read one?

    python -m tests.bench.published SOURCE CHECKOUT [--every 1] [--differences 5]

SOURCE: one of `SOURCES`. CHECKOUT: a clone of its repository (their names are in `SOURCES`).
Each published output comes with what its publisher read as its answer, by a program of its own or
by a language model. The output is graded with that as the truth, so that a pass means agreement;
and, where the answer to the task is another one, with that as the truth, so that a pass means
disagreement. Neither reading is always right: `--differences` prints some. With `--unmarked`,
boxes and closing sentences of the form "The answer is 5" are taken away first, so that the answer
must be found in plain words.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from grader.make_task import make_task
from grader.numbers import parse_number
from grader.readers import from_native
from grader.reading import Reading
from grader.records import Step, Task, Transcript
from grader.settings import GradeSettings
from grader.strict import grade_reading
from grader.tolerance import matches

GRADERS = ("strict_keyword", "strict_blind")
SETTINGS = GradeSettings()
_BOX = re.compile(r"\$?\\boxed\{([^{}]*)\}\$?")
_CLOSING = re.compile(
    r"(?:(?<=[.!?])[ ]|\n)[^.\n]*\banswer\b[^\n]*\s*\Z"  # So the answer is 18.
    r"|\n(?:A:|\#{4})[^\n]*\s*\Z|\n[-0-9.,]+\s*\Z"
)


class Output(NamedTuple):
    """A published output. stated: what its publisher read as the answer; truth: the right one."""

    question: str
    text: str
    stated: str
    truth: str | None = None
    choices: tuple[str, ...] = ()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def zero_shot_logs(checkout: Path) -> Iterator[Output]:
    """Logs of GPT-3 on word problems and questions of yes or no, with and without reasoning."""
    record = re.compile(
        r"1_th_sampling\nQ: (.*?)\nA: (.*?)\npred_before : .*?\npred_after : (.*?)\npred_list.*?"
        r"\nGT : (.*?)\n",
        re.DOTALL,
    )
    for path in sorted((checkout / "log").glob("*_cot.log")):
        for question, text, stated, truth in record.findall(path.read_text(encoding="utf-8")):
            yield Output(question, text, stated, truth)


def word_problem_solutions(checkout: Path) -> Iterator[Output]:
    """Solutions of GSM8K by fine-tuned models, which end in a line "A: 18"."""
    path = checkout / "grade_school_math" / "data" / "example_model_solutions.jsonl"
    for row in _lines(path):
        truth = row["ground_truth"].rpartition("A: ")[2]
        for model in ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"):
            text = re.sub(r"<<.*?>>", "", row[model]["solution"])  # its calculator's notes
            yield Output(row["question"], text, text.rpartition("A: ")[2], truth)


def financial_tables(checkout: Path) -> Iterator[Output]:
    """Reasoning about the tables of TAT-QA."""
    for path in sorted((checkout / "outputs").glob("tatqa_cot_s0*.jsonl")):
        for row in _lines(path):
            stated, truth = row["pred_answer"], row["answer"]
            stated = stated[0] if isinstance(stated, list) and len(stated) == 1 else stated
            if not isinstance(stated, list):
                known = None if isinstance(truth, list) else str(truth)
                yield Output(row["question"], row["generated"][0], str(stated), known)


def programs(checkout: Path) -> Iterator[Output]:
    """Programs for GSM8K with their output and a sentence on it."""
    for path in sorted((checkout / "src" / "outputs").rglob("gsm8k/*.jsonl")):
        for row in _lines(path):
            yield Output(row["question"], row["code"][0], str(row["pred"][0]), str(row["gt"]))


def interpreter_sessions(checkout: Path) -> Iterator[Output]:
    """Sessions with a code interpreter, several cells each, whose answer was judged right."""
    fences = {"code": "```python\n{}\n```", "execution": "```output\n{}\n```", "text": "{}"}
    for path in sorted((checkout / "outs").rglob("*-correct.jsonl")):
        if path.parent.name in ("GSM8K", "SVAMP", "mathematics"):
            for row in _lines(path):
                truth = row["ground_truth"]
                truth = truth["answer"] if isinstance(truth, dict) else truth
                content = row["messages"][-1]["content"]
                question = content if isinstance(content, str) else content[0]["content"]
                said = [one for one in row["debug_result"] if one.get("role") in fences]
                text = "\n".join(fences[one["role"]].format(one["content"]) for one in said)
                if text:
                    yield Output(question, text, str(truth).rpartition("####")[2].strip())


def many_options(checkout: Path) -> Iterator[Output]:
    """Answers of many models to the questions of MMLU-Pro, with up to ten options."""
    for path in sorted((checkout / "eval_results").glob("*.zip")):
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json")]
            for name in names:
                rows = [] if "__MACOSX" in name else json.loads(archive.read(name))
                for row in rows.values() if isinstance(rows, dict) else rows:
                    if isinstance(row, dict) and row.get("pred") and len(row["options"]) > 1:
                        text = row.get("model_outputs") or row.get("generated_text")
                        options = tuple(row["options"])
                        yield Output(
                            row["question"], str(text), row["pred"], row["answer"], options
                        )


def hard_tasks(checkout: Path) -> Iterator[Output]:
    """Reasoning about BIG-Bench Hard: options, words, numbers, yes or no."""
    folder = checkout / "code-davinci-002-outputs" / "code-davinci-002-cot"
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")).get("outputs", []):
            question = row["input"].rpartition("Q: ")[2].partition("\nA: Let's")[0]
            text = row["prediction"].partition("\n\nQ:")[0].strip()
            if found := re.search(r"the answer is (.*?)\.?$", text):
                truth = row["target"].strip("()")
                yield Output(question, text, re.sub(r"^\((.)\)$", r"\1", found[1]), truth)


def lettered_problems(checkout: Path) -> Iterator[Output]:
    """GPT-4's solutions of AQuA, with five options."""
    for path in sorted((checkout / "outputs").glob("aqua_gpt4*.jsonl")):
        for row in _lines(path):
            letters = re.findall(r"\b[A-E]\b", str(row["generated_prediction"]))
            if letters:
                options = tuple(ast.literal_eval(str(row["options"])))
                text = row["rationale"]
                yield Output(row["question"], text, letters[-1], row["answer"], options)


def finance_problems(checkout: Path) -> Iterator[Output]:
    """Solutions of FinanceMath by 52 models; a language model read their answers."""
    folder = checkout / "outputs" / "validation" / "processed_cot_outputs"
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            stated = str(row["extracted_pred_answer"])
            if parse_number(stated) is not None:
                question = "\n\n".join([*row["tables"], row["question"]])
                yield Output(question, row["output"][0], stated, str(row["ground_truth"]))


def payment_questions(checkout: Path) -> Iterator[Output]:
    """An agent's answers to DABstep: numbers, names, names with numbers, lists of up to 460."""
    for path in sorted((checkout / "artifacts" / "runs").glob("*/results.jsonl")):
        for row in _lines(path):
            text, stated = row.get("dot_response_raw"), row.get("parsed_answer")
            if text and stated and not stated.startswith("fake_"):  # of a client without a model
                question = row["prompt"].rpartition("Question:")[2].partition("\n\n")[0].strip()
                truth = row["ground_truth"] or None
                yield Output(f"{question} {row['guidelines']}", text, stated, truth)


def causal_questions(checkout: Path) -> Iterator[Output]:
    """Sessions of an agent on QRData's causal questions: code, what it returned, further tries. The
    benchmark's harness took what the last code returned as the answer."""
    results = checkout / "results"
    asked = json.loads((checkout / "data" / "QRData_cleaned.json").read_text(encoding="utf-8"))
    for folder in sorted((results / "logs").iterdir()):
        rows = {row["idx"]: row for row in _lines(results / f"{folder.name}.jsonl") if "idx" in row}
        for path in sorted(folder.glob("*_log.jsonl")):
            row = rows[int(path.stem.rpartition("_Q")[2].removesuffix("_log"))]
            question = asked[row["idx"]]["question"]
            session = from_native({"question": question, "messages": list(_lines(path))})
            if parse_number(str(row["pred"])) is not None:
                text = session.steps[-1].raw_output
                yield Output(question, text, str(row["pred"]), row["answer"])


def picture_questions(checkout: Path) -> Iterator[Output]:
    """Answers of ten models to MathVista's questions about pictures; a language model read them.
    Options count only where it named one; of numbers, those it found."""
    for path in sorted((checkout / "results").glob("*/output_*.json")):
        if path.parent.name.startswith(("random", "leader")) or "_code" in path.name:
            continue
        for row in json.loads(path.read_text(encoding="utf-8")).values():
            choices = tuple(row["choices"] or ())
            stated = _read_option(row, choices) if choices else str(row.get("prediction") or "")
            if row["response"] and stated not in ("", "None"):
                yield Output(row["question"], row["response"], stated, str(row["answer"]), choices)


def _read_option(row: dict[str, Any], choices: tuple[str, ...]) -> str:
    """The option that a reading names by its words or its letter; "" if it names none."""
    read = str(row.get("extraction") or "").strip()
    letter = re.fullmatch(r"\(?([A-H])\)?", read)
    if letter and ord(letter[1]) - ord("A") < len(choices):
        return choices[ord(letter[1]) - ord("A")]
    return next((one for one in choices if one.lower() == read.lower()), "")


SOURCES: dict[str, tuple[str, Callable[[Path], Iterator[Output]]]] = {
    "zero_shot_logs": ("kojima-takeshi188/zero_shot_cot", zero_shot_logs),
    "word_problem_solutions": ("openai/grade-school-math", word_problem_solutions),
    "financial_tables": ("TIGER-AI-Lab/Program-of-Thoughts", financial_tables),
    "lettered_problems": ("TIGER-AI-Lab/Program-of-Thoughts", lettered_problems),
    "programs": ("microsoft/ToRA", programs),
    "interpreter_sessions": ("mathllm/MathCoder", interpreter_sessions),
    "many_options": ("TIGER-AI-Lab/MMLU-Pro", many_options),
    "finance_problems": ("yale-nlp/FinanceMath", finance_problems),
    "payment_questions": ("MinorLeopard/dot-dabstep-eval", payment_questions),
    "causal_questions": ("EndeavoringOrb/causal-lang-agent", causal_questions),
    "picture_questions": ("lupantech/MathVista", picture_questions),
    "hard_tasks": ("suzgunmirac/BIG-Bench-Hard", hard_tasks),
}


def unmarked(text: str) -> str:
    """A text without boxes around numbers, and without a closing line that states the answer."""
    return _CLOSING.sub("", _BOX.sub(r"\1", text))


def same(one: str, other: str) -> bool:
    """Whether two answers are the same words, or numbers within tolerance."""
    first, second = parse_number(one), parse_number(other)
    if first is None or second is None:
        return one.strip(" ()").lower() == other.strip(" ()").lower()
    return matches(first, second, SETTINGS)


def verdict(output: Output, truth: str, grader: str) -> str:
    """The verdict on an output with something as the truth."""
    task: Task = make_task("t", output.question, truth, choices=output.choices)
    step = Step(raw_output=output.text)
    transcript = Transcript(transcript_id="t", task=task, steps=(step,))
    return grade_reading(Reading(transcript), grader).verdict


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=SOURCES)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take one output of so many")
    parser.add_argument("--unmarked", action="store_true", help="take boxes and closings away")
    parser.add_argument("--differences", type=int, default=0, help="print so many of each grader")
    given = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    shown: Counter[str] = Counter()
    for place, output in enumerate(SOURCES[given.source][1](given.checkout)):
        if place % given.every or not output.stated.strip():
            continue
        if given.unmarked:
            output = output._replace(text=unmarked(output.text))
        truths = {"the publisher's reading": output.stated}
        if output.truth is not None and not same(output.truth, output.stated):
            truths["another answer"] = output.truth
        for name, truth in truths.items():
            for grader in GRADERS:
                found = verdict(output, truth, grader)
                counts[name, grader, found] += 1
                is_difference = (found == "correct") != (name != "another answer")
                if is_difference and found != "ungraded" and shown[grader] < given.differences:
                    shown[grader] += 1
                    _say(f"{grader}: {found}, truth {truth!r}\n{output.text[-600:]}\n{'-' * 40}")
    for (name, grader, found), count in sorted(counts.items()):
        _say(f"{name:24} {grader:15} {found:10} {count}")


if __name__ == "__main__":
    main()
