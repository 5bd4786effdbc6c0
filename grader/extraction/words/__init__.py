"""Answers in words: names, decisions, and several values at once."""
