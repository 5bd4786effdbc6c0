"""Tables, figures and pages made from a run."""
