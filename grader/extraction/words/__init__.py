"""Answers in words: names, and several values at once."""
