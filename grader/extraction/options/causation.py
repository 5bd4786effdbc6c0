"""Options that say what causes what ("A. rain causes floods, B. floods cause rain, C. no causal
relationship"), where an output states a direction, or denies one, in words of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...text import Block
from ...text.sentences import sentences

_ARROW = r"(?: → | -+> | =+> | ⇒ | ⟶ )"
_DIRECTION = re.compile(
    rf"""
    (\S.*?) [ ]?
    (?: \b (?: causes? | leads?[ ]to | drives? | affects? | influences? | determines? ) \b
      | {_ARROW} )
    [ ]? (\S.*)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NEITHER = re.compile(r"\bno\b.*\b(?:caus|relation|link)|\bneither\b|unrelated|not causal", re.I)
_BOTH = re.compile(r"double.sided|bidirectional|both (?:directions|ways)|each other|mutual", re.I)
_NAME_WORD = re.compile(r"[^\W_]+")
_FEWEST_LETTERS = 3  # of a word of a name that is no unit or side (mm, L4)
_DISTINCT = 4  # letters of a word that may stand for a whole name
_LONGEST_OPTION = 200
_MOST_BLOCKS, _LONGEST = 3, 4000

# In the patterns, <1> is the cause, <2> its effect; between them, words that change nothing.
_LITTLE = r"""
    (?: [\s,"'*`(]+ (?: the | an? | is | are | was | were | be | been | being | more | most | much
          | likely | \w+ly | plausible | probable | itself | also | tends? | to | seems? | appears?
          | will | does | do | then | can | has | have | had | as | in | values?
          | levels? (?: \s of )?
          | changes? | higher | lower | variables? | scores? | main | direct | causal | that
          | which | not | (?: does | do | did | is | are | was | were ) n['’]t ) \b ){0,12}
    [\s"'*`()]+
"""
_VERB = r"""
    (?: caus (?: es? | ing ) | lead (?: s | ing )? \s to | driv (?: es? | ing )
      | influenc (?: es? | ing ) | affect (?: s | ing )? | determin (?: es? | ing )
      | result (?: s | ing )? \s in | brings? \s about | contribut (?: es? | ing ) \s to
      | produc (?: es? | ing ) | trigger (?: s | ing )? | induc (?: es? | ing )
      | giv (?: es? | ing ) \s rise \s to | regulat (?: es? | ing ) | modulat (?: es? | ing )
      | activat (?: es? | ing ) | (?: responsible \s for | upstream \s of )
      | (?: an? \s )? (?: \w+ \s ){0,2} (?: effect | influence | impact ) \s on )
"""
_CHANGE = r"""
    (?: makes? | raises? | lowers? | increases? | decreases? | reduces? | changes? | shifts?
      | moves? | slows? | brings? )
"""
_ASSERTED = rf"""
    <1> {_LITTLE} {_VERB} {_LITTLE} <2>                                  # rain leads to floods
  | <2> {_LITTLE}
    (?: (?: caused | driven | influenced | affected | determined | produced | triggered | induced
            | regulated | modulated | activated ) (?: \s \w+ly )? \s by
        | secondary \s to | downstream \s of
        | (?: results? | arises? | stems? ) \s from | depends? \s (?: up )? on | due \s to
        | (?: consequence | result | effect | outcome | symptom ) \s of ) {_LITTLE} <1>
  | <1> {_LITTLE} (?: cause | driver ) \s of {_LITTLE} <2>               # rain is the cause of
  | <1> \s (?: is | was ) \s (?: the | a | one ) \s (?: main \s )? reason \b [^.;,<>]{{0,30}} <2>
  | \b it (?: \s is | ['’]s ) \s [^.;,<>]{{0,30}} <1> [^.;,<>]{{0,30}}    # it is rain that makes
    \b (?: that | which | who ) \s (?: {_VERB} | {_CHANGE} ) [^.;,<>]{{0,40}} <2>
  | <1> [^.;<>]{{0,30}} \b and \s (?: it | its \s \w+ ) {_LITTLE} {_VERB} {_LITTLE} <2>
  | <1> {_LITTLE} cause \b [^.]{{0,40}}? <2> {_LITTLE} (?: effect | consequence | outcome )
  | <2> {_LITTLE} effect \b [^.;]{{0,30}}? <1> {_LITTLE} cause
  | (?: effect | influence | impact ) \s of {_LITTLE} <1> {_LITTLE} on {_LITTLE} <2>
  | (?: caus\w+ | direction | arrow | effect | runs | goes | points? | way ) \b [^.;]{{0,30}}
    \b from {_LITTLE} <1> {_LITTLE} to {_LITTLE} <2>
  | <1> {_LITTLE} cause \W* $                                             # so rain is the cause
  | <1> \W{{0,4}} {_ARROW} \W{{0,4}} <2>
  | <2> \W{{0,4}} (?: ← | <- ) \W{{0,4}} <1>
"""
_FLAGS = re.IGNORECASE | re.VERBOSE
_FORWARD = re.compile(_ASSERTED, _FLAGS)
_BACKWARD = re.compile(
    _ASSERTED.replace("<1>", "<0>").replace("<2>", "<1>").replace("<0>", "<2>"), _FLAGS
)
_NO_CAUSE = re.compile(
    r"""
    \b no \s (?: \w+ \s ){0,4}? (?: causal | cause-and-effect | causation | causality ) \b
  | \b (?: no | not \s an? ) \s (?: \w+ly \s )? (?: significant \s | clear \s | real \s )?
    (?: association | correlation | relationship | dependence | link ) \b
  | (?: \b not | n['’]t ) \s (?: \w+ly \s )?
    (?: (?: (?: see | find | detect ) \s )? (?: an? | any ) \s (?: \w+ \s )? causal \b
      | causal (?: ly )? \b
      | (?: support | suggest | indicate | show | seem | appear | point ) \b [^.;,]{0,40} \b caus )
  | \b (?: causally | completely | statistically ) \s unrelated \b | \b unrelated \b
  | \b neither \b [^.;]{0,60} \b (?: causes? | causing | drives? | affects? ) \b
  | \b unlikely \b [^.;]{0,20} \b either \b [^.;]{0,30} \b caus
  | \b causal \s (?: relationship | relation | link | connection | effect ) \b [^.;,]{0,60}
    \b (?: is | are | seems | appears ) \s (?: \w+ly \s )? (?: unlikely | implausible | absent )
  | \b neither \s direction \b | \b nothing \s to \s do \s with \s each \s other \b
  | \b (?: do \s not | don['’]t | nothing \b [^.;]{0,90} ) \s (?: \w+ly \s )?
    (?: cause | drive | influence | affect ) \s (?: each \s other | one \s another ) \b
  | \b no \b [^.;]{0,40} \b in \s either \s direction \b | \b (?: merely | only ) \s correlated \b
  | \b spurious \b | \b (?: are | be | seem | is ) \s (?: \w+ly \s )? independent \b
    """,
    _FLAGS,
)
_EACH_OTHER = re.compile(
    r"\bcaus\w+ each other|\bbidirectional|\bboth (?:directions|ways)|\bmutual"
    r"|\b(?:double|two)[ -](?:sided|way)\b|\bfeedback loop\b"
    r"|\beach\b[^.;]{0,30}\b(?:acts on|affects|influences|drives|causes) the other\b",
    re.IGNORECASE,
)
# What makes a statement none of the agent's own, in the clause before it and behind it.
_DENIED = re.compile(
    r"""
    (?: \b (?: not | never | cannot | unlikely | implausible | doubt\w* | false | wrong | neither
          | nor | than | instead | opposed | hardly | whether | if | hypothes\w* | assum\w*
          | suppos\w* | would | could | might | may | although | though | test (?: s | ed | ing )?
          | rul (?: e[sd]? | ing ) [ ] out | exclud\w* | no ) \b | n['’]t \b )
    [^,;:]* $
    """,
    _FLAGS,
)
_NOT = re.compile(r"\bnot\b(?! only)|n['’]t\b", re.IGNORECASE)
# Before and behind "no causal link" or "bidirectional", that this is not what the agent holds.
_NOT_HELD = re.compile(
    r"\b(?:initially|at first|assumed|expected|suggested|saying|claim\w*|not|if|unless|proves?)\b"
    r"|n['’]t\b|(?<!cannot )(?<!not )(?<!n['’]t )(?<!fail to )(?<!fails to )"
    r"(?<!failed to )\b(?:reject|dismiss|discard|discount)\w*\b"
    r"(?: option)?(?: [A-Z]\b)?\W{0,4}[^,;]{0,40}$",
    re.IGNORECASE,
)
_NOT_HELD_AFTER = re.compile(
    r"[^.,;]{0,30}(?:\b(?:can|could|may) be (?:ruled out|excluded)|\b(?:not|never)\b|n['’]t\b"
    r"|\b(?:is|looks|seems|appears) (?:\w+ly )?(?:unlikely|unsupported|implausible|doubtful"
    r"|dubious|questionable))"
    r"|[^.,;]{0,20},? or\b",
    re.IGNORECASE,
)
_LOOKED_FOR = re.compile(
    r"(?:\b(?:tests?|tested|regressions?|models?|run|related)|[0-9]) (?:in|for) $", re.IGNORECASE
)
_DENIED_AFTER = re.compile(
    r"[^,;.]{0,12}?\b(?:(?:is|are|seems|appears|was)\s(?:\w+ly\s)?"
    r"(?:unlikely|implausible|impossible|less|not|wrong|rejected|ruled out)"
    r"|makes?\s(?:no|little)\ssense)\b",
    re.IGNORECASE,
)
_OTHER_WAY = re.compile(
    r"\b(?:it is|it's|rather|but)\s(?:rather\s)?(?:the\s)?(?:other way|reverse|opposite)", re.I
)
# Both directions are then not denied: "if a causes b or b causes a".
_SUPPOSED = re.compile(
    r"\b(?:if|might|may|could|hypothes\w*|assum\w*|suppos\w*|tests?|tested|testing)\b",
    re.IGNORECASE,
)
_NOR_BACK = re.compile(r"\b(?:or|nor)\s(?:vice versa|the (?:reverse|opposite|other way))", re.I)
_UNDECIDED = re.compile(
    r"\?|\b(?:indirect|cannot (?:determine|tell|say|distinguish|decide)|unclear|whether"
    r"|would(?! (?:not|say|answer|conclude|choose|go|pick)\b))\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:so|thus|therefore|hence|conclu\w+|overall|likely|suggests?|indicates?|however|but"
    r"|answer|favou?rs?|neither|spurious|choose|pick|opt|go with|lean|stay with|option)\b",
    re.IGNORECASE,
)


class _Relations(NamedTuple):
    """Options about two things. names: finds them, as groups 1 and 2; forward: the option that the
    first causes the second; the others likewise, None if not offered."""

    names: re.Pattern[str]
    forward: str | None
    backward: str | None
    neither: str | None
    both: str | None


def said_direction(
    blocks: Sequence[Block], known: Mapping[str, str]
) -> tuple[Block, int, int, str] | None:
    """The last sentence of the closing prose that says which of two things causes the other, or
    that neither does: block, start, end and the option that says so. None if the options are not
    about that, or if the sentences differ and the last draws no conclusion."""
    relations = _relations(tuple(known.items()))
    if relations is None:
        return None
    said: list[tuple[Block, int, int, str]] = []
    for block in _closing(blocks):
        for start, end in sentences(block.text, max(0, len(block.text) - _LONGEST)):
            if option := _option_of(block.text[start:end], relations):
                said.append((block, start, end, option))
    if not said:
        return None
    block, start, end, _ = said[-1]
    agree = len({option for *_, option in said}) == 1
    return said[-1] if agree or _CONCLUDES.search(block.text, start, end) else None


def _closing(blocks: Sequence[Block]) -> list[Block]:
    """The last blocks of prose behind all code."""
    found: list[Block] = []
    for block in reversed(blocks):
        if block.kind in ("prose", "answer"):
            found.append(block)
        elif block.kind in ("code", "execution", "error", "reasoning"):
            break
        if len(found) == _MOST_BLOCKS:
            break
    return found[::-1]


def _option_of(sentence: str, relations: _Relations) -> str | None:
    """The option that a sentence states, or None."""
    if _UNDECIDED.search(sentence):
        return None
    plain = relations.names.sub(lambda name: "<1>" if name[1] else "<2>", sentence)
    said = {"stated": set[str | None](), "denied": set[str | None]()}
    directions = (_FORWARD, relations.forward), (_BACKWARD, relations.backward)
    for pattern, option in directions:
        for match in pattern.finditer(plain):
            said["denied" if _is_denied(plain, match) else "stated"].add(option)
    if said["stated"]:
        return said["stated"].pop() if len(said["stated"]) == 1 else None
    if len(said["denied"]) == 2 or (said["denied"] and _NOR_BACK.search(plain)):
        return None if _SUPPOSED.search(plain) else relations.neither
    if len(said["denied"]) == 1 and _OTHER_WAY.search(plain):
        return next(option for _, option in directions if option not in said["denied"])
    for pattern, option in (_NO_CAUSE, relations.neither), (_EACH_OTHER, relations.both):
        if held := pattern.search(plain):
            before = plain[: held.start()]
            is_open = _NOT_HELD.search(before) or _LOOKED_FOR.search(before)
            return None if is_open or _NOT_HELD_AFTER.match(plain, held.end()) else option
    return None


def _is_denied(text: str, direction: re.Match[str]) -> bool:
    before = text[: direction.start()]
    if _NOT.search(direction[0]):
        return True
    return bool(_DENIED.search(before) or _DENIED_AFTER.match(text, direction.end()))


@lru_cache(maxsize=1024)
def _relations(known: tuple[tuple[str, str], ...]) -> _Relations | None:
    """What options say of two things; None if they are about something else."""
    directions: dict[tuple[str, str], str] = {}
    neither = both = None
    for key, wording in known:
        if _BOTH.search(wording):
            both = key
        elif _NEITHER.search(wording):
            neither = key
        elif direction := _DIRECTION.fullmatch(" ".join(wording[:_LONGEST_OPTION].split())):
            directions[_name(direction[1]), _name(direction[2])] = key
        else:
            return None
    if not directions:
        return None
    one, other = next(iter(directions))
    forward, backward = directions.pop((one, other)), directions.pop((other, one), None)
    if directions or one == other:
        return None
    names = f"(?<!\\w)(?:({_name_pattern(one, other)})|({_name_pattern(other, one)}))(?!\\w)"
    return _Relations(re.compile(names, re.IGNORECASE), forward, backward, neither, both)


def _name(said: str) -> str:
    """What an option calls one of the two things, as at any place of a sentence."""
    return said.lower().removeprefix("the ").rstrip(".")


def _name_pattern(name: str, other: str) -> str:
    """A pattern for a name: all its words, those of more than one letter, those that are no units
    either, or a long one that the other name lacks; with any signs between them."""
    words, others = _NAME_WORD.findall(name.lower()), _NAME_WORD.findall(other.lower())
    core = [word for word in words if len(word) >= _FEWEST_LETTERS and word.isalpha()]
    forms = [words]
    for part in ([word for word in words if len(word) > 1], core):
        if part and not set(part) <= set(others):
            forms.append(part)
    forms += [[word] for word in core if len(word) >= _DISTINCT and word not in others]
    return "|".join(r"[\W_]{1,3}".join(map(re.escape, form)) + "s?" for form in forms)
