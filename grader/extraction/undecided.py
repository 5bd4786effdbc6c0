"""Phrases of an agent that leaves open which of several values is the answer."""

from __future__ import annotations

import re

_UNDECIDED = re.compile(
    r"""
    # before reporting one value, it has to be decided which
    \b before[ ] (?: I[ ] | we[ ] )?
      (?: report | quot | giv | stat | choos | settl | pick | commit | nam ) (?: e | ing | ting )?
      [ ] (?: on[ ] | to[ ] )? (?: one | a[ ]single ) [ ] (?: of[ ] (?: these | those ) [ ] )?
      (?: value | number | figure | estimate | answer ) s? \b
    # I would want to know which group is meant before committing to a number
    | \b I (?: [ ]would | ['’]d )? [ ] (?: want | like | need ) [ ]to[ ]know[ ]which \b
      [^.\n]{0,100} \b before[ ] (?: committing[ ]to | settling[ ]on | giving | reporting ) [ ]
      (?: an? | one | any ) [ ] (?: single[ ] )?
      (?: value | number | figure | estimate | answer ) \b
    # which of these is right depends on the population
    | \b which[ ]of[ ] (?: these | them | those ) [^.\n]{0,40} \b depends[ ]on \b
    | \b depending[ ]on[ ]which \b [^.\n]{0,80} \b between \b
    # which ratio is appropriate has to be decided by those who know the cohort
    | \b which [ ] (?: \w+ [ ] ){0,2} (?: of[ ] (?: these | those | them ) | one | value | number
        | figure | estimate | effect | ratio | model | adjustment | specification ) s? \b
      [^.?\n]{0,40} \b (?: has | have | needs? ) [ ] (?: \w+ [ ] )? to[ ]be [ ]
      (?: decided | settled | clarified | determined | agreed ) \b
    # so no single classifier can be named
    | \b no[ ]single [ ] (?: \w+ [ ] ){1,2} can[ ]be [ ]
      (?: named | chosen | picked | selected | declared | singled[ ]out ) [.!*_]* (?: \s | \Z )
      (?! [a-z] )
    # I am not comfortable reporting one of these
    | \b not[ ]comfortable[ ] (?: with[ ] )?
      (?: report | quot | giv | stat | choos | settl | pick | committ | nam ) ing [ ]
      (?: on[ ] | to[ ] )? (?: one | any | either | a[ ]single ) \b
    | \b would[ ]rather[ ]not[ ]
      (?: commit | settle | give | state | name | choose | pick | report | quote ) \b
    | \b please[ ] (?: tell | clarify | specify | upload ) \b
    # which of the periods would you like me to use?
    | \b which [ ]
      (?: of \b [^.?\n]{0,30} | (?: [\w-]+ [ -] ){0,2}
        (?: one | period | window | value | number | figure | estimate | model | specification
          | adjustment | definition | sample | population | baseline ) ) [ ]
      would[ ]you[ ] (?: like | prefer | rather | want ) [ ]
      (?: me[ ] )? (?: to[ ] )? (?: use | report | take | quote ) \b
    # which one should I use?
    | \b which[ ] (?: one | of[ ] (?: these | those | them ) ) [ ] (?: should | shall ) [ ] I [ ]
      (?: use | report | take | quote | go[ ]with ) \?
    # could you tell me which one you have in mind?
    | \b (?: can | could ) [ ]you[ ] (?: please[ ] )?
      (?: tell | clarify | confirm | specify ) [ ] (?: me[ ] )?
      (?: which | what | whether | how | two | three | some | a[ ]few ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# You can pick the estimate that fits your assumptions.
_CHOICE_LEFT = re.compile(
    r"""
    \b you[ ] (?: can | could | may | should ) [ ] (?: then[ ] )? (?: select | choose | pick ) [ ]
    (?: the | whichever ) [ ] (?: value | number | figure | estimate | answer ) [ ]
    (?: (?: that | which ) [ ] (?: best[ ] )? (?: fits | suits | matches | corresponds | reflects )
      | whose | you ) \b
    # I cannot decide between the two without knowing what the variances are
    | \b I[ ] (?: can (?: not | ['’]t ) | am[ ]unable[ ]to ) [ ] decide [ ]
      (?: (?: between | among )[ ](?: the[ ](?: two | three ) | these | them ) | which[ ]of ) \b
    # I'd rather leave the size open
    | \b I (?: [ ]would | ['’]d ) [ ]rather[ ]leave[ ]the[ ]
      (?: size | magnitude | value | number | figure | estimate ) [ ]open \b
    # I would not want to commit to one figure
    | \b I[ ]would (?: [ ] (?: \w+ [ ] )? not | n['’]t ) [ ] (?: want[ ]to[ ] )? commit [ ]
      (?: myself[ ] )? to [ ] (?: one | a[ ]single | either ) [ ]
      (?: value | number | figure | estimate | answer | of[ ] (?: the[ ]two | these | those | them )
        ) \b (?! [ ] (?: of | for | about ) \b )
    # I would leave the choice of a number to the reader
    | \b leave[ ]the[ ]choice[ ]of[ ] (?: an? | the | one ) [ ] (?: headline | single | final )?
      [ ]? (?: number | figure | estimate ) [ ]to[ ] (?: the[ ]reader | you ) \b
    # if you let me know which group is the reference, I can commit to one of these
    | \b if[ ]you[ ] (?: let[ ]me[ ]know | tell[ ]me ) [ ]wh (?: ich | at | ether ) \b
      [^.\n]{0,160} \b I[ ] (?: can | will | could ) [ ] (?: then[ ] )?
      (?: commit[ ]to | settle[ ]on ) [ ]
      (?: one | an?[ ] (?: single[ ] )? (?: value | number | figure | estimate ) ) \b
    # please let me know whether I should average over the splits
    | \blet[ ]me[ ]know[ ] (?: whether | which [^.,\n]{0,30} ) [ ]I[ ]should[ ]
      (?: use | take | report | average | quote ) \b
    # the choice among these estimates depends on your assumptions
    | \b choice[ ] (?: among | between | of ) [ ] (?: \w+ [ ] ){0,2}
      (?: estimate | effect | value | number | figure | result | specification ) s?
      [ ] (?: \w+ [ ] ){0,2} depends[ ]on \b
    # I would want the parents' background before I commit to a number
    | \A \W{0,4} I (?: [ ]would | ['’]d ) [ ] (?: want | need | like ) [ ] [^.,\n]{1,100} [ ]
      before[ ] (?: I[ ]commit | committing | I[ ]settle | settling ) [ ] (?: to | on ) [ ]
      (?: an? | one | any ) [ ] (?: single[ ] )?
      (?: value | number | figure | estimate | answer ) [.!*_]* \s* \Z
    # before I report one, could you confirm two things?
    | \b before[ ]I[ ] (?: report | give | state | choose | pick | commit[ ]to | name ) [ ]one,
      [^.?\n]{0,80} \?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_undecided(text: str) -> bool:
    """True if a text says that it is still to be decided which value is the answer."""
    return _may_be_undecided(text.lower()) and _UNDECIDED.search(text) is not None


def leaves_choice(sentence: str) -> bool:
    """True if a sentence leaves it to the reader which value is the answer."""
    return _may_leave(sentence.lower()) and _CHOICE_LEFT.search(sentence) is not None


# Cheap looks ahead, as in `phrases.py`.


def _may_be_undecided(low: str) -> bool:
    return (
        "before " in low or "depend" in low or "rather not" in low or "please" in low
        or "you " in low or "comfortable" in low or "which " in low
        or "no single" in low
    )  # fmt: skip


def _may_leave(low: str) -> bool:
    return (
        "you " in low or "choice " in low or "before " in low or "rather leave" in low
        or "i should" in low or "commit" in low or "decide " in low
    )  # fmt: skip
