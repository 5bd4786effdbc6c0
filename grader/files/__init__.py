"""What is read from and written to disk, whatever it means: JSON lines, CSV, safe output."""
