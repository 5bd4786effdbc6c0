"""Tests of tables, figures and pages."""
