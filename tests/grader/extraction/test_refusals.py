"""What an agent cannot give: the answer, or something beside it."""

from __future__ import annotations

import pytest

from grader.extraction.refusals import declines

ASKED = frozenset({"effect"})


@pytest.mark.parametrize(
    ("said", "asked", "declined"),
    [
        ("I cannot provide an exact figure.", ASKED, True),
        ("I can't give a single number.", ASKED, True),
        ("I cannot provide statistics without the full data.", ASKED, True),
        ("I cannot provide an estimate of the effect.", ASKED, True),
        ("I cannot provide standard errors.", ASKED, False),
        ("I cannot provide standard errors.", frozenset({"standard_error"}), True),
        ("I was unable to run the robustness checks.", ASKED, False),
        ("I cannot provide a causal interpretation.", ASKED, False),
        ("Do you want robust or plain confidence limits?", ASKED, True),
        ("Would you like me to compute the confidence interval?", ASKED, False),
    ],
)
def test_what_is_declined(said: str, asked: frozenset[str], declined: bool) -> None:
    assert declines(said, asked) is declined
