"""Extracting the answer of one output to one question: numbers or options, by their evidence."""
