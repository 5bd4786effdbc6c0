"""Reading and writing files, whatever they mean: JSON lines, CSV, safe output."""
