"""A pass over recorded transcripts: what is to be graded, grading it, and what it shows."""
