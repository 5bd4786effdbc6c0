"""From one output, read for one question, to its answer: numbers or options by their evidence."""
