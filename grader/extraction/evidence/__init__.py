"""Evidence for and against each number of an output being the answer."""

from .weighing import CANDIDATE_KINDS, weigh_candidates
from .weights import MINIMUM_IN_PRINT, MINIMUM_SCORE

__all__ = ["CANDIDATE_KINDS", "MINIMUM_IN_PRINT", "MINIMUM_SCORE", "weigh_candidates"]
