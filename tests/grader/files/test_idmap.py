"""The compact map is a dict of 64-bit numbers, however many there are."""

from __future__ import annotations

import random

from grader.files.idmap import IdMap, key_of

COUNT = 50_000  # makes the map grow many times


def test_it_holds_what_a_dict_holds_while_it_grows() -> None:
    rng = random.Random(0)
    keys = [key_of(f"t{number}") for number in range(COUNT)]
    ids, plain = IdMap(), dict[int, int]()
    for value, key in enumerate([*keys, *rng.sample(keys, 500)]):
        ids[key] = plain[key] = value
    assert len(ids) == len(plain)
    assert {key: ids.get(key) for key in keys} == plain
    assert sorted(ids.values()) == sorted(plain.values())
    others = [key_of(f"other{number}") for number in range(COUNT)]
    assert not any(key in ids for key in others)


def test_a_key_and_a_value_may_be_0() -> None:
    ids = IdMap()
    assert ids.get(0) is None
    ids[0] = 0
    assert 0 in ids and ids.get(0) == 0
