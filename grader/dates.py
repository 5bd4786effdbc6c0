"""Published answers that are a date or a time, and the ways to write it: `2015-01-03` is January 3,
2015."""

from __future__ import annotations

import calendar
import re
from datetime import date
from functools import lru_cache

_MONTHS = {name.lower(): month for month, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): month for month, name in enumerate(calendar.month_abbr) if name}
_MONTHS["sept"] = 9
_MONTH = rf"(?a:(?P<name>{'|'.join(sorted(_MONTHS, key=len, reverse=True))}))\.?"
_YEAR, _DAY = r"(?P<year>[12][0-9]{3})", r"(?P<day>[0-3]?[0-9])"
_NUMBERED = r"(?P<month>[01]?[0-9])"
_OFFSET = r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"  # the time is that of the place
_MIDNIGHT = rf"(?:[T ]00:00(?::00(?:\.0+)?)?{_OFFSET})?"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}(?P<sign>[-/.]){_NUMBERED}(?P=sign){_DAY}{_MIDNIGHT}",  # 2015-01-03
        rf"{_MONTH} {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",  # January 3rd, 2015
        rf"{_DAY}(?:st|nd|rd|th)?\.? (?:of )?{_MONTH},? {_YEAR}",  # 3 January 2015
        rf"{_MONTH},? {_YEAR}",  # January 2015
    )
]
_MOMENT = re.compile(  # 2015-01-03 09:30:00; January 3, 2015 at 9:30 am
    r"(?P<day>[\w./-]+(?:,? [\w.]+){0,3}?)(?:(?<=[0-9])T|,? (?:at )?)"
    r"(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9])(?:\.0+)?)?"
    rf"(?: ?(?P<half>[ap])\.?m\.?)?{_OFFSET}",
    re.IGNORECASE,
)
_SEASON = re.compile(rf"{_YEAR}[-–/](?P<next>[0-9]{{2}}|[0-9]{{4}})")  # 1914-15
_YEAR_AND_MONTH = re.compile(rf"{_YEAR}[-/]{_NUMBERED}")  # 2015-01
_QUARTER = re.compile(
    rf"(?:{_YEAR}[- ]?Q(?P<q>[1-4])|Q([1-4])[ -]{_YEAR.replace('year', 'y')})", re.I
)
_OTHER = re.compile(
    r"""
    [0-9]{1,4} : [0-5][0-9] (?: : [0-5][0-9] )? (?: \.[0-9]+ )?      # 1:46.70
      (?: \s? [ap]\.?m\.? )?
    | [12][0-9]{2}0s                                                # 1990s
    | [0-3]?[0-9] (?P<sign>[-/.]) [0-3]?[0-9] (?P=sign) [12][0-9]{3}      # 03/01/2015
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST = 40
_JOINT = r"[*_]{0,3}(?:,?\s(?:or|and|to|through|until)\s(?:on\s)?|\s?[-–—]\s?)"
_ANY_MONTH = rf"(?:{'|'.join(_MONTHS)})\b"
_OTHER_FOLLOWS = re.compile(
    rf"""{_JOINT}[*_]{{0,3}}
    (?: {_ANY_MONTH} | Q[1-4]\b | [12][0-9]{{3}}(?![\w.]) | [12][0-9]{{3}}-[0-9]
      | [0-3]?[0-9](?:st|nd|rd|th)?(?=[ ](?:of[ ])?{_ANY_MONTH} | ,[ ][12][0-9]{{3}} | \.?\s*\Z) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_BEFORE = re.compile(rf"[0-9](?:st|nd|rd|th)?{_JOINT}[*_]{{0,3}}$", re.IGNORECASE)


def is_one_of_several(text: str, start: int, end: int) -> bool:
    """Whether the date text[start:end] is one of two that a text leaves open or ends a range with:
    `January 3 or 4, 2015`, `May 2015 to June 2015`."""
    before = text[max(0, start - _LONGEST) : start]
    return bool(_OTHER_FOLLOWS.match(text, end) or _OTHER_BEFORE.search(before))


@lru_cache(maxsize=4096)
def writings(text: str) -> tuple[str, ...]:
    """The ways to write the date or time that is all a text says; none for other texts.

    What could be either of two dates, `03/01/2015`, and a time of day stand for themselves.

    >>> writings("2015-03-01")[:3]
    ('2015-03-01', '2015/03/01', '2015-03-01 00:00:00')
    """
    bare = " ".join(text[: _LONGEST + 1].split())
    if len(bare) > _LONGEST:
        return ()
    for pattern in _DATES:
        if found := pattern.fullmatch(bare):
            return _of_date(bare, found)
    if moment := _MOMENT.fullmatch(bare):
        return _of_moment(bare, moment)
    if (season := _SEASON.fullmatch(bare)) and _follows(season["year"], season["next"]):
        return tuple(f"{season['year']}{sign}{season['next']}" for sign in "-–/")
    if month := _YEAR_AND_MONTH.fullmatch(bare):
        return _of_month(bare, int(month["year"]), int(month["month"]))
    if quarter := _QUARTER.fullmatch(bare):
        year, number = quarter["year"] or quarter["y"], quarter["q"] or quarter[3]
        return f"{year}Q{number}", f"{year} Q{number}", f"{year}-Q{number}", f"Q{number} {year}"
    return (bare,) if _OTHER.fullmatch(bare) else ()


def _of_date(text: str, found: re.Match[str]) -> tuple[str, ...]:
    parts = found.groupdict()
    year = int(parts["year"])
    month = _MONTHS[parts["name"].lower()] if "name" in parts else int(parts["month"])
    if "day" not in parts:
        return _of_month(text, year, month)
    try:
        day = date(year, month, int(parts["day"]))
    except ValueError:  # the 31st of February
        return ()
    written = [day.isoformat(), f"{day:%Y/%m/%d}", f"{day} 00:00:00", f"{day}T00:00:00"]
    written.append(f"{day.year}-{day.month}-{day.day}")
    for name in _names(month):
        for number in dict.fromkeys((str(day.day), f"{day:%d}", _ordinal(day.day))):
            written += [f"{name} {number}, {year}", f"{name} {number} {year}"]
            written += [f"{number} {name} {year}", f"{number} of {name} {year}"]
    return tuple(dict.fromkeys([*written, text]))


def day_of(text: str) -> str:
    """The day of a date with a time of day, as it is written; "" for other texts."""
    moment = _MOMENT.fullmatch(" ".join(text[: _LONGEST + 1].split()))
    return moment["day"] if moment and writings(text) else ""


def _of_moment(text: str, found: re.Match[str]) -> tuple[str, ...]:
    """The usual writings of a time of a day: with all of the day's they would be hundreds."""
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if half := (found["half"] or "").lower():
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        day = date.fromisoformat("".join(writings(found["day"])[:1]))
    except ValueError:  # no day, but a month or a season
        return ()
    name, short, _ = _names(day.month)
    year, number = day.year, day.day
    days = (day.isoformat(), f"{name} {number}, {year}", f"{short} {number}, {year}")
    times = [f"{hour:02}:{minute:02}:{second:02}"]
    if second == 0:
        times += [f"{hour:02}:{minute:02}", f"{hour}:{minute:02}"]
        times.append(f"{hour % 12 or 12}:{minute:02} {'pm' if hour >= 12 else 'am'}")
    written = [f"{day}T{at}" for at in times[:2]]
    for one in (*days, f"{number} {name} {year}"):
        written += [f"{one}{sign}{at}" for at in times for sign in (" ", " at ", ", ")]
    return tuple(dict.fromkeys([*written, text]))


def _of_month(text: str, year: int, month: int) -> tuple[str, ...]:
    if not 1 <= month <= 12:
        return ()
    names = _names(month)
    written = [f"{name}{sign} {year}" for name in names for sign in ("", ",")]
    written += [f"{year}-{month:02}", f"{year}/{month:02}"]
    return tuple(dict.fromkeys([*written, text]))


def _names(month: int) -> tuple[str, ...]:
    """The names of a month: `January`, `Jan`, `Jan.`."""
    short = calendar.month_abbr[month]
    return calendar.month_name[month], short, f"{short}."


def _ordinal(day: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th") if day not in (11, 12, 13) else "th"
    return f"{day}{ending}"


def _follows(year: str, following: str) -> bool:
    return f"{int(year) + 1}".endswith(following)
