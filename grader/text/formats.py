"""How agents mark up their output: one table, a row per family of agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["prose", "code", "execution", "answer", "reasoning", "ui", "error"]


@dataclass(frozen=True)
class Format:
    """How one family of agents marks up its output.

    tags: element name, in any letter case -> kind of what it holds. openers: text after which
    output follows. banners: text that belongs to the interface, dropped up to the end of its
    line. endings: text from which on the interface offers further steps. calls: functions whose
    literal argument, in code, is the agent's answer. labels: words that begin a line, with a colon
    -> kind of what follows up to the next label.
    """

    name: str
    tags: dict[str, BlockKind]
    openers: tuple[str, ...] = ()
    banners: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    labels: dict[str, BlockKind] = field(default_factory=dict)


TRACEBACK = "Traceback (most recent call last)"  # how Python reports an execution error
# What LAMBDA writes when it repairs code that failed, and when its own program failed.
LAMBDA_REPAIR = "Execution error, try to repair the code"
LAMBDA_PROGRAM_ERROR = "Sorry, there is an error in the program, please try again."

FORMATS: tuple[Format, ...] = (
    Format(
        "lambda",
        tags={"pre": "execution", "summary": "ui", "button": "ui"},
        banners=(
            "🖥️ Execute code...",
            f"⭕ {LAMBDA_REPAIR}",
            "✅Click to view execution results",
            LAMBDA_PROGRAM_ERROR,
        ),
        endings=("Next, you can:",),
    ),
    Format(
        "react",
        tags={
            "reasoning": "reasoning",
            "think": "reasoning",
            "thought": "reasoning",
            "python": "code",
            "execute": "code",
            "execute_ipython": "code",
            "execute_bash": "code",
            "information": "execution",
            "observation": "execution",
            "interpreter": "execution",
            "stdout": "execution",
            "execution_output": "execution",
            "execution_result": "execution",
            "execution_results": "execution",
            "code_output": "execution",
            "answer": "answer",
            "final_answer": "answer",
            "final-answer": "answer",
            "solution": "answer",
            "finish": "answer",
        },
    ),
    Format(
        "tool_calls",
        tags={
            "tool_call": "code",
            "function_calls": "code",
            "tool_response": "execution",
            "tool_result": "execution",
            "function_results": "execution",
        },
    ),
    Format(
        "langchain",
        tags={},
        labels={
            "Thought": "prose",
            "Action Input": "code",
            "Action": "code",
            "Observation": "execution",
            "Final Answer": "answer",
        },
    ),
    Format("smolagents", tags={}, calls=("final_answer", "submit_answer")),
    Format(
        "chat",
        tags={"script": "ui", "style": "ui"},
        banners=("Would you like me to", "Let me know if"),
        openers=(
            "execution result",
            "execution output",
            "execution log",
            "code output",
            "execution logs",
            "last output from code snippet",
            "observation",
            "output",
            "console",
            "stdout",
            "result",
            "results",
            "error",
            "prints",
            "executor",
            "code executor",
            "code_executor",
            "computer_terminal",
            "tool",
            "tool output",
            "tool result",
        ),
        endings=(
            "Next steps:",
            "Suggested next steps:",
            "Possible next steps:",
            "You could also:",
            "Further steps:",
        ),
    ),
)
CODE_LANGUAGES = frozenset(
    "python py python3 ipython r rscript sql bash sh shell julia javascript js stata matlab".split()
)

# All rows of the table together.
TAG_NAME = r"[A-Za-z][A-Za-z0-9_.-]{0,40}"
TAGS: dict[str, BlockKind] = {tag.lower(): kind for f in FORMATS for tag, kind in f.tags.items()}
BANNERS = tuple(banner for f in FORMATS for banner in f.banners)
ENDINGS = tuple(ending for f in FORMATS for ending in f.endings)
OPENERS = tuple(opener for f in FORMATS for opener in f.openers)
ANSWER_CALLS = tuple(call for f in FORMATS for call in f.calls)
LABELS: dict[str, BlockKind] = {label: kind for f in FORMATS for label, kind in f.labels.items()}
