"""Evidence for and against each number of an output being the answer."""

from .weighing import CANDIDATE_KINDS, weigh_candidates

__all__ = ["CANDIDATE_KINDS", "weigh_candidates"]
