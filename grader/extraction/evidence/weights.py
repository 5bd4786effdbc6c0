"""The weight of each piece of evidence for or against a number being the answer.

The marks of `rules.RULES` weigh their penalties. Both were set by hand while reading the
transcripts in `fixtures/`, then fitted to the labels there by `tests/bench/weights.py`: a
conditional logit model of which number is the answer, with a ridge that pulls towards the values
set by hand. Some keep a value set by hand, as too few labels speak of them: `boxed`,
`earlier_answer`, `sole_answer`, `last_computed`, `last_line`, `headline`, `heading_overlap`,
`beside`, `asked_for`, `beyond_limit`, `rival`, `earlier_step`, `last_word`, `holds_as_asked`,
`holds_otherwise`, `called_as_asked`, `called_in_full`, `more_as_asked`, `contrasted`,
`referred_to`, `derived`, `listed`, `corner`, `other_unit`, `all_said`,
`statistic_as_asked`, and those of worked solutions (`used_further`, `interim`, `last_sentence`),
set while reading outputs of `tests/bench/published.py`.
"""

from __future__ import annotations

# What a number needs to be an answer; what prose does not state needs less of it.
MINIMUM_SCORE, MINIMUM_IN_PRINT = 1.5, 0.5

WEIGHTS: dict[str, float] = {
    "answer_section": 3.9,  # inside <answer> or an equivalent
    "sole_answer": 3.0,  # the only number of the answer section
    "boxed": 7.0,
    "earlier_answer": -2.0,  # a bare answer section, or a box, that another follows
    "answer_phrase": 4.1,  # "final answer: 0.28"
    "bare": 4.1,  # the number is all the block says
    "sole_plain": 1.3,  # the only number of the block without a mark
    "all_said": 1.5,  # the output is one sentence
    "first_word": 1.6,  # the block begins with it
    "stated": 1.0,  # "is 0.28", "= 0.28", ": 0.28"
    "emphasised": 1.5,
    "only_in_bold": 1.9,  # and no other number is
    "concluding": 0.9,  # the sentence has "so", "thus", "rounded" ...
    "last_computed": 1.5,  # the value of the last calculation in a formula
    "derived": 1.5,  # "dividing the one by the other gives 0.36"
    "used_further": -1.5,  # a calculated value that a later calculation uses
    "overlap": 2.5,  # times the share of the question's content words in the sentence
    "focus": 1.6,  # the same of the words that name what is asked for
    "clause_overlap": 1.0,  # the same of the words between the last number and this one
    "qualified": 1.0,  # less for what holds for something else than another in its row
    "rival": 1.0,  # times the lead that one of two numbers gives up to the one asked for
    "listed": -1.5,  # one of three or more: "clusters of 27, 67 and 58"
    "contrasted": -0.4,  # behind "while": "the price elasticity is 3, while that of income is 2"
    "holds_as_asked": 1.5,  # "at most", "in 2022", "per decade", as the question has it
    "holds_otherwise": -1.5,
    "column_overlap": 1.0,  # the same of the heading of its column, in a table
    "corner": 2.0,  # the difference of differences, in a table of both
    "asked_for": 4.0,  # the sentence, or the next one, says "you asked for"
    "named_as_asked": 1.3,  # called what the question asks for ("p-value ... is")
    "statistic_as_asked": 0.8,  # and that is a test statistic
    "called_as_asked": 0.8,  # by a word for it right before the number ("a lift of")
    "more_as_asked": 0.8,  # "4 % more" where a difference is asked for
    "called_in_full": 0.6,  # with the word before it ("a relative lift of")
    "right_end": 1.6,
    "restated": 0.5,  # a number of the question stands in the same sentence
    "scale_as_asked": 1.3,  # "1.90 thousand dollars" where thousands are asked for
    "decimals_as_asked": 1.4,
    "finer_than_asked": -0.8,  # decimals where a whole number is asked for
    "percent_as_asked": 1.5,
    "unit_as_asked": 1.3,  # "153 s" where seconds are asked for
    "other_unit": -2.5,  # miles where kilometres are asked for
    "sign_as_asked": 0.8,
    "money_as_asked": 0.6,
    "difference_as_asked": 0.7,
    "count_as_asked": 0.8,
    "not_a_count": -1.0,
    "opening": 0.3,  # the first block of prose after all code, or of all
    "concluding_section": 1.3,  # under a heading like "Summary"
    "heading_overlap": 1.0,  # times the share of the question's content words in the heading
    "beside": -1.5,  # under a heading like "Robustness check"
    "beyond_limit": -3.0,  # under "pH ≥ 6.2" where a pH below 6.2 is asked for
    "headline": 1.0,  # in a heading above all code, which prints it
    "interim": -2.5,  # said before more code is run, whose results are told
    "closing": 0.5,  # the last block of prose
    "last_sentence": 0.5,  # the last sentence, where no code was run
    "leading": 0.5,  # the first sentence of its block
    "printed": 0.9,  # the executed code printed this value
    "repeated": 0.3,  # per other mention, at most two
    "earlier_step": 0.1,
    "printed_beside_prose": -1.7,  # in printed output, while the prose has numbers too
    "printed_without_prose": -0.3,
    "referred_to": 6.0,  # "the row `age` gives the estimate", which is not said otherwise
    "in_reasoning": -1.5,
    "sole_output": 2.5,  # the only number of the last printed output
    "last_line": 2.5,  # the last line of a printed paragraph, on its own
    "last_word": 4.3,  # and it comes after all prose
    "unfinished": -4.1,  # the output breaks off inside a section or a sentence
    "withheld": -7.3,  # `"final_answer": null`
    "declined": -2.6,  # "I cannot run code here", "please tell me which ..."
}
