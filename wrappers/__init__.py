"""Run agents on tasks: the two-loop wrapper, nudges, code execution, agent adapters."""
