"""A generator of transcripts for benchmarks: any number, about 2 kB each, the same every time.

    python -m tests.bench.corpus 100000 corpus.jsonl          (.gz, .zst and .parquet too)

The outputs have the forms that the graders meet: prose with the answer in it, code and printed
results, HTML execution blocks, data-frame floods, tracebacks, suggestions; some end in a nudge,
some answer another number, some nothing. Every transcript depends on its number alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SIZE = 2000  # characters of a transcript's outputs, about
NOUNS = "income rate price weight score height effect slope age yield ratio share".split()
STATISTICS = "mean median correlation difference coefficient variance proportion".split()
FILLER = (
    "We first inspected the columns of the table and removed the rows with missing values.",
    "The distribution is skewed to the right, so the log of the variable was used.",
    "A linear model was fitted with the treatment as the only regressor.",
    "Standard errors were computed with the bootstrap over 1000 resamples.",
    "The confidence interval at the 95% level does not include zero (p = 0.003).",
    "There are 1,691 rows and 14 columns in the file.",
)


def records(count: int, start: int = 0) -> Iterator[dict[str, Any]]:
    """Native records number `start` to `start + count`."""
    for number in range(start, start + count):
        yield record(number)


def record(number: int) -> dict[str, Any]:
    """The native record of that number."""
    rng = random.Random(number)
    noun, statistic = rng.choice(NOUNS), rng.choice(STATISTICS)
    truth = round(rng.uniform(-5, 5), rng.choice((1, 2, 3)))
    given = truth if rng.random() < 0.6 else round(truth * rng.uniform(1.1, 3.0), 3)
    output = _output(rng, noun, statistic, given)
    steps = [{"instruction_type": "original_prompt", "raw_output": output}]
    if rng.random() < 0.2:
        steps.append({"instruction_type": "nudge_original", "raw_output": f"{given}"})
    return {
        "transcript_id": f"made-{number}",
        "task_id": f"task-{number % 500}",
        "question": f"What is the {statistic} of {noun} among the treated? Round as needed.",
        "ground_truth": f"{truth}",
        "steps": steps,
    }


def _output(rng: random.Random, noun: str, statistic: str, given: float) -> str:
    parts = [rng.choice(FILLER)]
    if rng.random() < 0.5:
        parts.append(_code(rng, noun, statistic, given, as_html=rng.random() < 0.5))
    length = sum(map(len, parts))
    while length < SIZE * rng.uniform(0.6, 1.3):
        parts.append(_flood(rng) if rng.random() < 0.15 else rng.choice(FILLER))
        length += len(parts[-1])
    ending = rng.random()
    if ending < 0.7:
        parts.append(f"Therefore, the {statistic} of {noun} is **{given}**.")
    elif ending < 0.8:
        parts.append(f"The {statistic} is {given} ({given * 100:.1f}%).")
    elif ending < 0.9:
        parts.append("Next, you can:\n1. Visualize the trend\n2. Test another model")
    else:
        parts.append("Traceback (most recent call last):\nKeyError: 'treated'")
    return "\n\n".join(parts)


def _code(rng: random.Random, noun: str, statistic: str, given: float, *, as_html: bool) -> str:
    code = f"```python\nresult = df['{noun}'].{statistic}()\nprint(round(result, 3))\n```"
    printed = f"np.float64({given})" if rng.random() < 0.3 else f"{given}"
    if as_html:
        return f"{code}\n<details><summary>Results</summary><pre>{printed}</pre></details>"
    return f"{code}\n```output\n{printed}\n```"


def _flood(rng: random.Random) -> str:
    rows = (f"{i}  {rng.random():.6f}  {rng.randint(0, 99999)}" for i in range(8))
    return "<pre>   x  y\n" + "\n".join(rows) + "</pre>"


def write(path: Path, count: int, start: int = 0) -> None:
    """Write a shard in the form its name says."""
    if path.suffix == ".parquet":
        _write_parquet(path, count, start)
        return
    lines = (json.dumps(one).encode() + b"\n" for one in records(count, start))
    if path.suffix == ".gz":
        with gzip.open(path, "wb", compresslevel=3) as file:
            file.writelines(lines)
    elif path.suffix == ".zst":
        import pyarrow as pa

        with pa.output_stream(str(path), compression="zstd") as stream:
            for line in lines:
                stream.write(line)
    else:
        with path.open("wb") as plain:
            plain.writelines(lines)


def _write_parquet(path: Path, count: int, start: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    step = pa.struct([("instruction_type", pa.string()), ("raw_output", pa.string())])
    names = ("transcript_id", "task_id", "question", "ground_truth")
    schema = pa.schema([*((name, pa.string()) for name in names), ("steps", pa.list_(step))])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in range(start, start + count, 1000):
            rows = list(records(min(1000, start + count - first), first))
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def main() -> None:
    """Write one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("path", type=Path)
    options = parser.parse_args()
    write(options.path, options.count)


if __name__ == "__main__":
    main()
