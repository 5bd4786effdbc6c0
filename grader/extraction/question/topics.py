"""Topics: the kinds of quantities that a question may ask for, and an answer may name."""

from __future__ import annotations

import re

# What a question may ask for: hints (one must occur) and the pattern that decides.
# A number labelled as one of these in an answer is a side remark unless the question names it.
TOPICS: dict[str, tuple[tuple[str, ...], str]] = {
    "p_value": (("value", "probab"), r"p[\s-]?values?|significance probability"),
    "standard_error": (("standard e", "se", "s.e"), r"standard errors?|\bse\b|\bs\.e\."),
    "deviation": (("deviation", "std", "sd"), r"standard deviations?|\bstd\b|\bsd\b"),
    "variance": (("variance",),
                 r"(?<!of the )(?<!of )variances?(?! explained| inflation|[- ]reduc)"),
    "skewness": (("skew",), r"skew"),
    "kurtosis": (("kurto",), r"kurto"),
    "margin": (("margin of", "half"), r"margin of error|half[- ]?width"),
    "interval": (("interval", "ci", "bound", "limit", "range", "quartile", "iqr"),
                 r"confidence intervals?|\bci\b|bounds?|limits?|interval|range|quartiles?|\biqr\b"),
    "iqr": (("interquartile", "inter-quartile", "iqr"),
            r"(?:inter-?quartile range|\biqr\b)(?! rule| method| criteri)"),
    "squares": (("sum of", "sums of", "sse", "ssr", "sst", "rss"),
                r"sums? of (?:the )?(?:\w+ )?square|\bss[ert]\b|\brss\b"),
    "level": (("level", "alpha"), r"confidence levels?|significance levels?|\balpha\b"),
    "sample_size": (("size", "how many", "number", "count", "total", "observation"),
                    r"sample size|(?<!by )how many(?! percent)|number of|count\b|total\b"
                    r"|observations"),
    "freedom": (("freedom", "df"), r"degrees? of freedom|\bdf\b"),
    "statistic": (("value", "score", "ratio", "statistic", "chi", "χ"),
                  r"\b[tzf][\s-]?(?:values?|scores?|ratio)|statistics?\b|chi[\s-]?squared?|χ²"),
    "r_squared": (("squared", "r²", "r2", "r^2", "explained", "determination", "of the varia"),
                  r"r[\s-]?squared|r²|r\^?2\b|determination|explained"
                  r"|(?:share|proportion|fraction|percentage|percent|much) of the varia"),
    "correlation": (("correlat", "pearson", "spearman", "kendall"),
                    r"correlat|pearson|spearman|kendall"),
    "year": (("year", "when"), r"\b(?:which|what)(?: is| was)?(?: the)?(?: \w+)? year\b"
             r"|(?:^|[.?!]\s+)(?:since )?when (?:did|do|does|was|were|is|are|has|have|had|will)\b"),
    "median": (("median",), r"\bmedian\b"),
    "mean": (("mean", "average"), r"\bmean\b|\baverage\b"),
    "minimum": (("min",), r"\bmin(?:imum)?\b"),
    "maximum": (("max",), r"\bmax(?:imum)?\b"),
    "rmse": (("rmse", "root"), r"\brmse\b|root[ -]mean[ -]squared?"),
    "mse": (("mse", "mean"), r"\bmse\b|(?<!root )(?<!root-)mean[ -]squared? error"),
    "mae": (("mae", "absolute"), r"\bmae\b|mean absolute error"),
    "auc": (("auc", "auroc", "roc"), r"\bauc\b|\bauroc\b|\broc\b"),
    "accuracy": (("accuracy",), r"\baccuracy\b"),
    "precision": (("precision",), r"\bprecision (?:of|for|on|at|score)\b"),
    "recall": (("recall", "sensitivity"), r"\brecall\b|\bsensitivity\b"),
    "specificity": (("specificity",), r"\bspecificity\b"),
    "f1": (("f1", "f-1", "f score"), r"\bf-?1\b|\bf score\b"),
    "mape": (("mape", "absolute percentage"), r"\bmape\b|absolute percentage error"),
    "brier": (("brier",), r"\bbrier\b"),
    "ratio": (("ratio",), r"(?<!odds )(?<!risk )(?<!rate )(?<!hazard )\bratio\b"),
    "estimate": (("estimate", "effect"), r"\bestimated?\b|(?:treatment|causal) effect"),
    "coefficient": (("coefficient", "slope"), r"coefficient|slope"),
    "intercept": (("intercept",), r"(?<!with )(?<!an )intercept"),
    "effect": (("effect", "ate", "att"),
               r"(?:treatment|causal|average) effect|\bate\b|\batt\b|\blate\b|\bcate\b"),
    "effect_size": (("eta", "η", "ω", "omega", "cohen", "hedge", "cram", "effect size", "biserial"),
                    r"\beta\b|η|ω²|omega|cohen|hedges|cram[eé]r|effect sizes?|biserial"),
    "marginal": (("marginal",), r"marginal"),
    "diagnostic": (("dispersion", "condition", "devian", "durbin", "likelihood",
                    "vif", "variance inflation"),
                   r"dispersion|condition number|devian|durbin|likelihood|\bvif"
                   r"|variance inflation"),
    "odds": (("odds",), r"\bodds\b"),
    "risk": (("relative risk", "ratio"), r"relative risk|(?:risk|rate|hazard) ratio"),
    "percent": (("percent", "%", "rate"), r"percent(?!ile)|%|\brate\b"),
    "proportion": (("proportion", "fraction", "share", "probab", "value", "squared", "sensitiv",
                    "specific", "prevalence", "accuracy", "recall", "auc"),
                   r"proportion(?!al)|fraction(?!al)|(?<!per )share\b(?! prices?\b)"
                   r"|(?<!inverse )(?<!inverse-)probabilit"
                   r"|p[\s-]?value|r[\s-]?squared|(?:sensitivity|specificity|recall) of"
                   r"|prevalence|accuracy|predictive value|\bauc\b"),
}  # fmt: skip
_TOPIC_HINTS = [(hint, name) for name, (hints, _) in TOPICS.items() for hint in hints]
_TOPIC_PATTERNS = {name: re.compile(text) for name, (_, text) in TOPICS.items()}
_STATISTICS = {
    "t": re.compile(r"\bt[\s-]?(?:stat|value|score|ratio|test)"),
    "z": re.compile(r"\bz[\s-]?(?:stat|value|score|test)"),
    "F": re.compile(r"\bf[\s-]?(?:stat|value|ratio|test)"),
    "chi-squared": re.compile(r"\bchi[\s-]?squared?|χ²"),
}
# Topics about an estimate; errors of predictions.
ABOUT_ESTIMATES = frozenset(
    {"p_value", "standard_error", "margin", "statistic", "r_squared", "freedom"}
)
ERRORS = frozenset({"rmse", "mse", "mae"})


def topics_of(asked: str) -> frozenset[str]:
    """The topics that a question, in lower case, names."""
    hinted = {name for hint, name in _TOPIC_HINTS if hint in asked}
    return frozenset([name for name in hinted if _TOPIC_PATTERNS[name].search(asked)])


def statistics_of(asked: str) -> frozenset[str]:
    """The test statistics that a question, in lower case, names."""
    return frozenset([name for name, pattern in _STATISTICS.items() if pattern.search(asked)])


def has_any(text: str, hints: tuple[str, ...]) -> bool:
    """Whether one of the hints occurs in a text."""
    for hint in hints:  # noqa: SIM110 (a generator would cost more than the tests)
        if hint in text:
            return True
    return False
