"""Human audit: sampling, snippets, labels, and the grading of the graders."""
