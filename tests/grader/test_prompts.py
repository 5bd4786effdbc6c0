"""Prompt files: packaged and replaced, identified by hash, and never leaking the truth."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from grader.errors import InputError, UserError
from grader.prompts import PROMPTS, load_prompts

OWN = """
name = "extract_number"
version = "mine"
system = "Read."
user = "$question costs $$5 $transcript $code $form"
form = "One number."
"""


def test_packaged_prompts_are_complete() -> None:
    prompts = load_prompts()
    assert set(prompts) == set(PROMPTS)
    assert {p.prompt_id for p in prompts.values()} == {f"{name}/1" for name in PROMPTS}
    assert len({p.sha256 for p in prompts.values()}) == len(PROMPTS)


def test_no_extraction_prompt_can_name_the_truth() -> None:
    assert [name for name, slot in PROMPTS.items() if "truth" in slot.placeholders] == ["judge"]


def test_own_prompt_replaces_the_packaged_one(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    for place in (path, tmp_path):
        prompt = load_prompts(place)["extract_number"]
        assert prompt.prompt_id == "extract_number/mine"
    messages = prompt.render(question="Q $form", transcript="T", code="C")
    assert messages == (("system", "Read."), ("user", "Q $form costs $5 T C One number."))
    again = prompt.render(restated=True, question="Q", transcript="T", code="C")
    assert again[1][1].endswith("One number.") and again != messages


def test_hash_is_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    prompt = load_prompts(path)["extract_number"]
    joined = "\x00".join(["extract_number", "mine", "Read.", prompt.user, "One number."]).encode()
    assert prompt.sha256 == hashlib.sha256(joined).hexdigest()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("$transcript", "$transcript $truth"), r"own.toml: \$truth is unknown here"),
        (("$transcript", ""), r"\$transcript is missing"),
        (("$$5", "$5"), r"a lone \$"),
        (('version = "mine"', ""), "version: Field required"),
        (('name = "extract_number"', 'name = "extract_nuber"'), "Did you mean 'extract_number'"),
        (("name =", "name"), "not valid TOML"),
    ],
)
def test_faulty_prompt_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(*change))
    with pytest.raises(UserError, match=message):
        load_prompts(path)


def test_missing_prompt_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read prompt"):
        load_prompts(tmp_path / "none.toml")
    with pytest.raises(InputError, match="holds no prompt"):
        load_prompts(tmp_path)
