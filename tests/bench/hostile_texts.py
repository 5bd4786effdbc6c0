"""Families of texts that attack the strict path: each is a text of about a given length, built to
hurt one part of it."""

from __future__ import annotations

from collections.abc import Callable


def repeated(text: str) -> Callable[[int], str]:
    """A text of about a given length that says the same again and again."""
    return lambda size: text * (size // len(text))


def between(start: str, end: str) -> Callable[[int], str]:
    """Half of the length opens, half closes."""
    return lambda size: start * (size // 2 // len(start)) + end * (size // 2 // len(end))


def within(start: str, text: str, end: str = "") -> Callable[[int], str]:
    """The same again and again, between a start and an end."""
    return lambda size: start + text * (size // len(text)) + end


def numbered(size: int) -> str:
    return "".join(f"{i}. item {i}\n" for i in range(size // 14))


HOSTILE: dict[str, Callable[[int], str]] = {
    # numbers
    "digits": repeated("7"),
    "digits_and_commas": repeated("1,"),
    "thousands": repeated(",000"),
    "decimals": repeated("1."),
    "spaced_digits": repeated("1 "),
    "exponents": repeated("1e"),
    "huge_exponents": repeated("1e999999999 "),
    "percents": repeated("1%"),
    "fractions": repeated("1/2"),
    "powers": repeated("3×10^"),
    "list_of_numbers": repeated("1.5, "),
    "intervals": repeated("95% CI [0.1, 0.2] "),
    "calculations_in_words": repeated("dividing the two gives 1.5, "),
    "enumerations": repeated("1.5, 2.5 and "),
    "degrees_of_freedom": repeated("F(3, 66) = 1.5 "),
    "plus_minus": repeated("0.2 ± "),
    "times_of_day": repeated("10:30:00 "),
    "dates": repeated("2024-01-02 "),
    "all_digits": repeated("١२１൫𝟗Ⅷ½ "),
    "right_to_left": repeated("\u202e٠.٢٥ "),
    "numpy_calls": repeated("np.float64("),
    # markup
    "unclosed_tags": repeated("<div>"),
    "unclosed_pre": repeated("<pre>"),
    "closing_tags": repeated("</pre>"),
    "deep_nesting": between("<b>", "</b>"),
    "tables": repeated("<table><tr><td>1"),
    "line_breaks": repeated("1<br>"),
    "outputs": repeated("<pre>0.25</pre>"),
    "angles": repeated("<"),
    "half_tags": repeated("<a href='"),
    "comments": repeated("<!--"),
    "cdata": repeated("<![CDATA["),
    "entities": repeated("&#"),
    "named_entities": repeated("&nbsp;"),
    "scripts": repeated("<script>"),
    "textareas": repeated("<textarea>"),
    "reasoning": repeated("<think>"),
    "ends_of_reasoning": repeated("1 </think> "),
    "code_in_reasoning": repeated("```python\nx\n```\n1\n</think>\n"),
    "unclosed_code_in_reasoning": repeated("```python\n1\n</think>\n<pre>x</pre>"),
    "printed_words": repeated("<pre>x</pre>"),
    "rows_referred_to": within("<pre>a 1\nb 2</pre>\n", "see the row `a`, as asked, "),
    "file_positions": repeated("a.py:1: b:2 "),
    "answers": repeated("<answer>"),
    "suggestions": within("Next, you can:", "<b>x</b>", "<pre>1</pre>"),
    "suggestions_left": repeated("Next, you can:<pre>1</pre>"),
    "suggested_blank_lines": within("Next, you can:", "\n"),
    "answer_calls": within("```python\n", 'final_answer("x '),
    "answer_call_of_blanks": within("```python\nfinal_answer(1", " "),
    # structure
    "fences": repeated("```\n"),
    "backticks": repeated("`"),
    "boxes": repeated("\\boxed{"),
    "latex_fractions": repeated("\\frac{1}{"),
    "formulas": repeated("$$x = 2 + 3 = 5$$ "),
    "one_formula": within("$$x", " = 2 + 3 = 5", "$$"),
    "unclosed_formulas": repeated("\\[ x = 1 \\begin{aligned} $a = "),
    "environments": lambda size: (
        "= " + "".join(f"\\begin{{a{place}}} 1 " for place in range(size // 16))
    ),
    "labelled_lines": repeated("Action: a[b]\nObservation: 1\nThought: 2\n"),
    "calls": repeated("Action Input: finish[1 "),
    "farewells": repeated("The answer is:\nI hope this helps!\n"),
    "calculations": repeated("2 euros + 3 cats a b = 5, "),
    "escaped_dollars": within("$$x = ", "\\$$ 5 = "),
    "list_items": numbered,
    "tracebacks": repeated("Traceback (most recent call last):\n"),
    "markdown_rows": repeated("|1|2|\n"),
    "blocks": repeated("rate 0.3\n\n"),
    "one_line": repeated("the rate is 0.25 "),
    "fenced_blank_lines": within("```\n", "\n"),
    "console": within("In [1]: x\n", "5\n"),
    "escape_codes": repeated("\x1b[31m"),
    "surrogates": repeated("\ud800"),
    # repeats that regular expressions dislike
    "letters": repeated("a"),
    "blanks": repeated(" "),
    "newlines": repeated("\n"),
    "carriage_returns": repeated("\r"),
    "dots": repeated("."),
    "minus_signs": repeated("-"),
    "underscores": repeated("_"),
    "brackets": repeated("[("),
    "quotes": repeated("\"'"),
    "equals": repeated("= "),
    "dollars": repeated("$"),
    "answer_phrases": repeated("the answer is "),
    "answer_of_blanks": within("the answer", "\t", "z"),
    "answer_of_signs": within("answer", "*", "z"),
    "lines_of_signs": repeated("*\n"),
    "comparisons": repeated("x = 1 vs. "),
    "ranges": repeated("between 1 and "),
    "options": repeated("A. B) (C) "),
    "little_words": repeated("yes or no "),
    "yes_in_words": repeated("yes it is so "),
    "answered_yes": repeated("the answer is yes. "),
    "paragraphs_of_no": repeated("no\n\n"),
    "letters_as_answers": repeated("so A, "),
    "wide_table": lambda size: "|" + " 1 |" * (size // 8) + "\n|" + " 2 |" * (size // 8),
    "fields": repeated("@a_b[1] "),
    "labels": repeated("*Label 1.* "),
    "falls": repeated("lower by 1 (-1) "),
    "other_analyses": repeated("Without x it would have been 1. By comparison, "),
    "asked_for": repeated("It is 1. You asked for it. "),
    "numbers_in_brackets": repeated("it is (7) "),
    "denials": repeated("it is not really to be that "),
    "denied_options": repeated("we fail to say no "),
    "complements": repeated("1 - a b c "),
    "raised": repeated("2^2 "),
    "conclusions": repeated("it is 1 so "),
    "heads": repeated("the t with the F of the "),
    "counts_in_words": repeated("there are no two, found no "),
    "ticks": within("A \u2713\n", "B \u2717\n"),
    "labelled_options": repeated("Most probable: B (so) "),
    "supposed_options": repeated("if it were so one would say B "),
    "judged_statements": repeated("the statement is not really "),
    "values": repeated("Mean Mean SD 45.8 "),
    "values_in_part": repeated("Mean 45.8 Mean 45.8 SD "),
    "names": repeated("\n1. Chad, "),
    "glossed_names": repeated("is the Chad (a the "),
    "named_labels": repeated("Winner: red, Loser: "),
    "checked_answers": repeated("the answer is really correct "),
    "named_fields": repeated("@mean[45.8] @trend["),
    "nested_fields": repeated("@mean[[4, 5] "),
    "markdown_tables": repeated("| a | b |\n|---|---|\n| 1 | Chad |\n\n"),
    "table_rows": between("| a |\n|---|\n", "| 1 | 2 | Chad |\n"),
    "lists_of_names": repeated("Mali, Chad and "),
    "lists_of_numbers": repeated("They are 1, 2 and 7.\n"),
    "directions": repeated("rain \u2192 harvest is caused by "),
    "lone_options": repeated("No. B. "),
    "single_words": repeated("Chad, x, "),
    "small_changes": repeated("it decreased by 1.1 "),
    "preferred": repeated("I choose A over B, "),
    "conceded": repeated("A is so but B "),
    "paragraphs_with_crosses": within("A \u2713\n\n", "B \u2717\n\n"),
    "denied_causes": repeated("rain does not cause harvest and "),
    "said_qualities": repeated("the correlation is not clearly positive "),
    "groups_differ": repeated("the groups differ, so "),
    "nested_items": repeated("- a\n  - rate: 0.3\n"),
    "deeper_items": lambda size: "".join(
        f"{' ' * depth}- mean\n" for depth in range(int((2 * size) ** 0.5))
    ),
    "answers_of_one_number": repeated("<answer>0.3</answer>"),
    "refusals": repeated("I would rather not give a single rate (p = 0.3).\n\n"),
    "checks_of_robustness": repeated("It is 1.\n\nSensitivity:\n\n```python\nx\n```\n"),
    "columns_of_statistics": within("| rate | SE |\n|---|---|\n", "| 0.3 | 0.1 |\n"),
    "subtractions": repeated("3 a b c minus "),
    "shares_below": repeated("half took less than 3, nine out of ten at most "),
    "per_thing": repeated("3 points per study hour "),
    "just_over": repeated("is just over 2.3 "),
    "products": repeated("(3-1)\\times"),
    "lines_with_verdicts": repeated("A: the mean is low. Yes.\nB: it is high. No.\n"),
    "clefts": repeated("it is the rain that makes what the harvest "),
    "no_influence": repeated("nothing rain and harvest do not drive "),
    "levels": repeated("rain is upstream and its level of harvest "),
    "survivors": repeated("the hypothesis does not survive the "),
    "quartiles": repeated("25% of the first quartile 0.3 "),
}
