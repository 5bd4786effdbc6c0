"""Adapters that run the cascade inside other frameworks. Each module needs its framework installed.

    dsgym_metric      a DSGym metric named `grading_cascade`
    inspect_scorer    an inspect_ai scorer named `grader/cascade`
(The DSGym agent around the two-loop wrapper is `wrappers.dsgym_agent`.)
"""
