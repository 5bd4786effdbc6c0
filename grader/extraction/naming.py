"""The names that the words right before a number give it: a p-value, a standard error, a step
..."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

# Treatment effects by their acronyms; each is another quantity.
EFFECTS = frozenset({"ATE", "ATT", "ATET", "TOT", "ATC", "LATE", "CACE", "CATE", "ITT"})
# Names of a test statistic -> the statistic.
STATISTICS: dict[str, str] = {
    **dict.fromkeys(("t", "t-statistic", "t statistic", "t-stat", "t-value", "t value"), "t"),
    **dict.fromkeys(
        ("z", "z-statistic", "z statistic", "z-score", "z score", "z-value", "z value"), "z"
    ),
    **dict.fromkeys(("F", "f-statistic", "f statistic", "f-value", "f value"), "F"),
    **dict.fromkeys(
        ("chi2", "χ²", "χ2", "X²", "X2", "X^2", "\\chi^2", "\\chi^{2}", "chi-squared", "chi-square",
         "chi squared"),
        "chi-squared",
    ),
    **{letter: letter for letter in "UWHQ"},
}  # fmt: skip
# The last words before a number -> the topic they name (topics as in `topics.TOPICS`).
NAMES: dict[str, str] = {
    **dict.fromkeys(("p", "p-value", "p value", "p_value", "pvalue", "p-val", "pval"), "p_value"),
    **dict.fromkeys((*STATISTICS, "aic", "bic", "stat", "statistic"), "statistic"),
    **dict.fromkeys(
        ("r²", "r2", "r^2", "r^{2}", "r-squared", "r squared", "r_squared", "rs squared",
         "rsquared", "coefficient of determination", "variance explained", "explained variance"),
        "r_squared",
    ),
    **dict.fromkeys(("r", "rs", "r_s", "rho", "ρ", "τ", "tau", "correlations"), "correlation"),
    **dict.fromkeys(
        ("SE", "s.e.", "standard error", "standard errors", "std err", "std. err", "std error",
         "std. error"),
        "standard_error",
    ),
    **dict.fromkeys(
        ("margin of error", "half-width", "half width", "moe", "±", "+/-", "\\pm"), "margin"
    ),
    **dict.fromkeys(("sd", "s.d.", "standard deviation", "std"), "deviation"),
    **dict.fromkeys(("df", "dof", "d.f.", "degrees of freedom"), "freedom"),
    **dict.fromkeys(("median", "medians"), "median"),
    **dict.fromkeys(("mean", "average", "averages", "averaged"), "mean"),
    **dict.fromkeys(("OR", "odds ratio"), "odds"),
    **dict.fromkeys(
        ("RR", "relative risk", "risk ratio", "rate ratio", "HR", "hazard ratio"), "risk"
    ),
    **dict.fromkeys(("min", "minimum", "trough", "a low"), "minimum"),
    **dict.fromkeys(("max", "maximum", "peak", "a high"), "maximum"),
    **dict.fromkeys((*EFFECTS, "treatment effect", "an effect"), "effect"),
    **dict.fromkeys(("coefficient", "coef", "coef.", "slope", "β", "beta"), "coefficient"),
    **dict.fromkeys(("IQR", "interquartile range", "inter-quartile range"), "iqr"),
    **dict.fromkeys(
        ("SSE", "SSR", "SST", "RSS", "sum of squares", "residual sum of squares"), "squares"
    ),
    "ratio": "ratio",
    "estimate": "estimate",
    **dict.fromkeys(
        ("rmse", "root mse", "root mean squared error", "root mean square error",
         "root mean square"), "rmse"
    ),
    **dict.fromkeys(("mse", "mean squared error", "mean square error"), "mse"),
    **dict.fromkeys(("mae", "mean absolute error"), "mae"),
    **dict.fromkeys(("auc", "roc auc", "roc-auc", "auroc", "roc_auc"), "auc"),
    "accuracy": "accuracy",
    "precision": "precision",
    **dict.fromkeys(("recall", "sensitivity"), "recall"),
    "specificity": "specificity",
    **dict.fromkeys(("f1", "f1 score", "f1-score", "f1_score"), "f1"),
    "mape": "mape",
    **dict.fromkeys(("brier", "brier score"), "brier"),
    "intercept": "intercept",
    "variance": "variance",
    "skewness": "skewness",
    "kurtosis": "kurtosis",
    "correlation coefficient": "correlation",
    **dict.fromkeys(("marginal effect", "marginal effects"), "marginal"),
    **dict.fromkeys(
        ("adjusted", "unadjusted", "adj_r2", "adj_r²", "adj.r²", "adj_r_squared", "adj_rsquared",
         "r2_adj", "rsquared_adj", "adjusted_r2", "adjusted_r_squared"),
        "adjusted",
    ),
    **dict.fromkeys(
        ("η²", "η2", "eta²", "eta2", "eta^2", "\\eta^2", "eta squared", "eta-squared",
         "eta_squared", "omega squared", "omega-squared", "omega2", "ω²", "ω2", "epsilon squared",
         *(f"{cohen} {sign}" for cohen in ("cohen's", "cohen’s", "cohens")
           for sign in ("d", "f", "f²", "f2", "f^2", "h", "w")),
         "hedges' g", "hedges g",
         "cramér's v", "cramer's v", "cramér’s v", "cramers v", "rank-biserial"), "effect_size"
    ),
    "critical value": "critical",
    **dict.fromkeys(
        ("dispersion", "overdispersion", "condition number", "deviance",
         "durbin-watson", "log-likelihood", "vif"),
        "diagnostic",
    ),
}  # fmt: skip
RATIOS = frozenset({"odds", "risk"})
_NAME_ENDS = frozenset(name.rpartition(" ")[2].lower() for name in NAMES)
_APART = re.compile(r"[a-z]+|[^\x00-\x7f\s]|\+/-")  # the words and signs that names are made of
# How the last words of names begin, up to what is no letter: "f" of F1.
_STARTS = frozenset([_APART.findall(end)[0] for end in _NAME_ENDS])
LABELS = frozenset(
    "step steps figure fig fig. table section chapter eq eq. equation line lines part note phase"
    " iteration iterations attempt attempts row rows column columns fold cluster lag model case"
    " turn question task page version python option top first last next previous type seed"
    " random_state ddof cell observation obs chunk item scenario hypothesis method approach round"
    " trial stage code exitcode returncode status".split()
)
_FILLERS = frozenset(
    "is of was about approximately roughly around = to at rises falls increases drops reaches"
    " equals comes came works turns out stands amounts be only just".split()
)
_CONNECTORS = " \t\n*_`|$(=≈~:->"
_MARKUP = " \t*_`$("
_EQUATING = frozenset(":=≈")
_TO_LAST_SAYING = re.compile(r".*[.;:=≈\n|0-9]", re.DOTALL)
_TO_LAST_CLAUSE = re.compile(r".*[.;\n|]", re.DOTALL)
_TO_LAST_COMMA = re.compile(r".*[.;\n|,]", re.DOTALL)
_IN_BRACKETS = re.compile(r"(?<!\bP)\([^()]*\)")  # but P(A) is a probability, no p-value
_MOST_WORDS = 4  # of a name
_ABBREVIATED = re.compile(r"\s\((\w{2,6})\)$")
_NUMPY = re.compile(r"\bnp\.\w+\($")
_ARGUMENTS = re.compile(r"(?<!\bP)\s?\([^()]*\)$")
# `= \frac{O - E}{E}` in `X^2 = \frac{O - E}{E} = 6.02`
_DERIVATION = re.compile(
    r"=[^=$\n,;]*\\(?:[dt]?frac|sum|sqrt|times|cdot)\b[^=$\n,;]*(?:=|\\approx)\s*$"
)
# `= 3.253 / 14.248 =` in `SE = 3.253 / 14.248 = 0.228`: the result has the name before them. A
# derivation may stand before it, so that one equals sign stays.
_CALCULATION = re.compile(
    r"(?:=|\b(?:is|was)\s(?=[√(]))"
    r"(?:[0-9\s.,/*×÷+\-−–()√%$·^{}]|\\(?:[dt]?frac|times|cdot|left|right|sqrt|exp|ln|log)|e\^)+"
    r"(?:[=≈]|\\approx)\s*$"
)
_DRESSED = re.compile(r"\\(?:widehat|hat|text|mathrm|mathbf|operatorname)\{([^{}]*)\}")
_SUBSCRIPT = re.compile(r"\b([A-Z]{2,5})_(?:\{[A-Za-z]+\}|[A-Za-z]+)(?=[\s=:≈$]*$)")  # OR_{MH} =
_P_VALUE_BEFORE = re.compile(r"\bp[\s_-]?value[^.;,\n\d]{0,30}$", re.IGNORECASE)
_AVERAGED = frozenset(  # over folds
    {"r_squared", "rmse", "mse", "mae", "auc", "accuracy", "precision", "recall", "f1"}
)
_ADJUSTED = ("adjusted", "adj", "adj.")
_ADJUSTED_BEHIND = re.compile(r"\(adj(?:usted|\.)?\)[\s*_:=≈|]{0,5}(?:(?:is|was)\s)?$")  # R² (adj.)
_NUMBERED = frozenset({"", "no", "number"})


def last_words(before: str) -> tuple[str, ...]:
    """Up to four words that end at a number, without the signs, brackets, calculations and
    filler words ("is", "=", "about") in between; letter case as written."""
    if "\\" in before:
        before = _DRESSED.sub(r"\1", before)
    if "_" in before:
        before = _SUBSCRIPT.sub(r"\1", before)
    if before.count("=") > 1 or "\\approx" in before or "√" in before:
        before = _CALCULATION.sub("=", before)
        if "\\" in before:
            before = _DERIVATION.sub("", before)
    if before.endswith("(") and (call := _NUMPY.search(before, max(0, len(before) - 14))):
        before = before[: call.start()]
    lead = before.rstrip(_CONNECTORS)
    if lead.endswith((") is", ") was")):
        lead = lead.rpartition(" ")[0]
    if lead.endswith(")"):
        named = _ABBREVIATED.search(lead)  # the prediction error (RMSE) is
        lead = lead[:-1] if named and named[1].lower() in NAMES else _ARGUMENTS.sub("", lead)
    words = lead.rsplit(None, 5)[-5:]
    while words and words[-1].lower() in _FILLERS:
        words.pop()
    return tuple([word.strip("*_`|$(,;:") for word in words[-_MOST_WORDS:]])


def may_name(text: str) -> bool:
    """False only for a text whose words give no number a topic by name; far quicker than looking at
    each of many numbers."""
    said = text.lower()
    return "\\" in said or "value" in said or not _STARTS.isdisjoint(_APART.findall(said))


def named_topic(before: str, words: tuple[str, ...]) -> str | None:
    """The topic a number is given by name, or None. `words` are its `last_words`."""
    may_have_object = " of " in before or " for " in before or " with " in before
    if may_have_object and (topic := _full_name(words) or _topic_of_head(before)):
        return topic
    if topic := _topic_at_end(words):
        if topic == "p_value" and any("hat" in word or "pool" in word for word in words):
            return None  # an estimated proportion
        adjusted = _ADJUSTED_BEHIND.search(before) is not None or any(
            word.lower().endswith(_ADJUSTED) for word in _since_number(words)
        )
        return "adjusted" if adjusted else topic
    if "value" in before and _P_VALUE_BEFORE.search(before):
        return "p_value"
    bare = before.rstrip(_MARKUP)
    if bare[-1:] in _EQUATING:
        return _topic_of_clause(bare, _TO_LAST_CLAUSE)
    return _topic_of_clause(bare, _TO_LAST_COMMA) if bare.endswith((" is", " was")) else None


def _since_number(words: Sequence[str]) -> Sequence[str]:
    """The words behind the last number among them."""
    numbers = [place for place, word in enumerate(words) if word[:1].isdigit()]
    return words[numbers[-1] + 1 :] if numbers else words


def _full_name(words: Sequence[str]) -> str | None:
    """The topic of a name with an "of" in it: "degrees of freedom"."""
    return _adjusted_r_squared(NAMES.get(" ".join(words[-3:]).lower()), words)


def _adjusted_r_squared(topic: str | None, words: Sequence[str]) -> str | None:
    """A topic, or that of an adjusted value if words call R² so."""
    if topic != "r_squared" or not any(word.lower().endswith(_ADJUSTED) for word in words):
        return topic
    return "adjusted"


def _topic_at_end(words: Sequence[str]) -> str | None:
    """The topic that one to four last words name."""
    if not words or words[-1].lower() not in _NAME_ENDS:
        return None
    if words[-1].lower() == "averages" and (topic := _topic_at_end(words[:-1])) in _AVERAGED:
        return topic  # the R² averages 0.3
    for count in range(len(words), 0, -1):
        name = " ".join(words[-count:])
        # What is listed in capitals counts in capitals only: OR, not "or".
        if topic := NAMES.get(name) or NAMES.get(name.lower()):
            is_log = topic in RATIOS and words[-count - 1 : -count] in (["log"], ("log",))
            return "log" if is_log else topic
    return None


def topic_named(name: str) -> str | None:
    """The topic that a name alone, such as a column's heading, names."""
    return _topic_at_end(name.strip(" *_`").split()[-_MOST_WORDS:])


def topic_if_adjusted(topic: str | None) -> str | None:
    """The topic of a number where the adjusted R² is asked for: that is the R², and a plain one is
    another statistic."""
    return {"adjusted": "r_squared", "r_squared": "unadjusted"}.get(topic or "", topic)


def named_statistic(words: Sequence[str]) -> str | None:
    """Which test statistic one or two last words name: "F", "chi-squared" ..."""
    for name in (" ".join(words[-2:]), *words[-1:]):
        if found := STATISTICS.get(name) or STATISTICS.get(name.lower()):
            return found
    return None


def _topic_of_head(before: str) -> str | None:
    """The topic of a clause's head: the standard error in "the standard error of the mean is"."""
    said = _behind(_TO_LAST_SAYING, before.rstrip(_MARKUP + ":=≈"))
    for link in (" of ", " for ", " associated with ", " with "):
        head, found, _ = said.partition(link)
        words = head.rsplit(None, _MOST_WORDS)[-_MOST_WORDS:]
        if found and (topic := _topic_at_end(words)):
            return _adjusted_r_squared(topic, words)
    return None


def _topic_of_clause(bare: str, to_last: re.Pattern[str]) -> str | None:
    """The only topic in the clause before a number: "SE of the difference =". None if there are
    several. to_last: what precedes the clause."""
    plain = bare.rstrip(_MARKUP + ":=≈")
    if "(" in plain:
        plain = _IN_BRACKETS.sub("", plain)
    said = [word.strip("*_`,") for word in _behind(to_last, plain).split()]
    topics = {
        _topic_at_end(said[max(0, end - _MOST_WORDS) : end])
        for end, word in enumerate(said, 1)
        if word.lower() in _NAME_ENDS
    }
    topics -= {None, "adjusted"}  # an adjusted difference is one
    return _adjusted_r_squared(topics.pop(), said) if len(topics) == 1 else None


def _behind(to_last: re.Pattern[str], text: str) -> str:
    """What stands in a text behind all that a pattern matches from its beginning."""
    found = to_last.match(text)
    return text[found.end() :] if found else text


def label_name(words: tuple[str, ...], further: Set[str] = frozenset()) -> str | None:
    """The thing whose number a number is, in lower case: "step" of "Step 3", "#" of "# 2". None if
    it is no such number. further: things that have numbers, beside the usual ones."""
    if not words:
        return None
    word = words[-1].lower()
    if word in ("#", "no."):
        return word
    word = word.rstrip("#")
    if word in _NUMBERED and len(words) > 1:
        word = words[-2].lower()
    return word if word in LABELS or word in further else None
