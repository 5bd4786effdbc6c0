"""Coverage-guided fuzzing of reader -> extract -> grade with atheris. Run by hand:

    python -m venv fuzz-venv && fuzz-venv/bin/pip install atheris -e .
    fuzz-venv/bin/python -m tests.fuzz.fuzz_grade -max_total_time=1800 -timeout=10 work_folder

libFuzzer's options apply. New inputs go to `work_folder`; what is worth keeping is merged into
the corpus with `-merge=1 tests/fuzz/corpus work_folder`. A finding is written to `crash-*`:
make it a case in tests/fuzz/corpus, where the test suite replays it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["grader"]):
    from tests.fuzz.target import check_input

HERE = Path(__file__).parent


def main() -> None:
    """Fuzz, starting from the corpus."""
    if len(sys.argv) < 2 or "--help" in sys.argv:
        sys.exit(__doc__)  # libFuzzer would put new inputs among the kept ones
    dictionary = f"-dict={HERE / 'tokens.dict'}"
    atheris.Setup([*sys.argv, dictionary, str(HERE / "corpus")], check_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
