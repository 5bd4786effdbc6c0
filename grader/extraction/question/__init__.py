"""What a question asks for, read once per question."""

from .question import Question, once, read_question, things_to_choose

__all__ = ["Question", "once", "read_question", "things_to_choose"]
