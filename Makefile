PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
INSTALLED = $(VENV)/.installed
DEMO ?= demo

.PHONY: demo test lint types clean

demo: $(INSTALLED)
	rm -rf $(DEMO)
	$(BIN)/grader grade fixtures/transcripts.jsonl --run $(DEMO) --tasks fixtures/tasks.json \
	    --lenient replay:fixtures/judge_replies.jsonl

test: $(INSTALLED)
	$(BIN)/python -m pytest

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(INSTALLED)
	$(BIN)/mypy

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test,lint]'
	touch $@

clean:
	rm -rf $(VENV) $(DEMO) build *.egg-info
