"""Rates, agreement, tests and estimates: pure functions of counts and labels."""
