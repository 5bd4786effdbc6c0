"""A grading pass over recorded transcripts: planning it, grading, and the summary it shows."""
