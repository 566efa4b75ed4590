# Footnote's commands; `make help` lists them. Each one installs what it needs into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SHELL  := /bin/sh

.DEFAULT_GOAL := help
.PHONY: help run test check format bench bench-retrieval torture page lock clean

help: ## List these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

run: $(VENV)/.run $(if $(LOCAL),$(VENV)/.local) $(if $(MULTILINGUAL),$(VENV)/.multilingual) $(if $(SERVER),$(VENV)/.server) ## Serve Footnote on http://127.0.0.1:8000 (LOCAL=1: with llama.cpp; MULTILINGUAL=1: with embedded/multilingual; SERVER=1: for PostgreSQL, a broker and traces)
	$(BIN)/footnote serve

test: $(VENV)/.dev ## Run the tests
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

check: $(VENV)/.dev ## Check the format, lint, strict types and tests: all of it must pass
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

format: $(VENV)/.dev ## Format the code, and fix what the linter can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## Measure turns, search, ingestion, memory and more, and compare with peers in one table (ARGS=--quick)
	$(BIN)/python -m tests.bench $(ARGS)

bench-retrieval: $(VENV)/.dev ## Measure search on public questions, and compare with bm25s (DATA=../shared/data ARGS="--questions 60")
	$(BIN)/python -m tests.evaluation.retrieval $(or $(DATA),../shared/data) $(ARGS)

torture: $(VENV)/.dev ## Kill servers at every point between two writes, and check that nothing is lost (ARGS="--database postgresql")
	$(BIN)/python -m tests.torture $(ARGS)

page: ## Build the page into app/static/page (needs Node 20 or newer)
	cd app/static/page-source && npm ci --no-audit --no-fund && npm run build

lock: $(VENV)/.dev ## Renew the requirements*.lock files
	$(BIN)/pip install -q uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --group local -c requirements-dev.lock -o requirements-local.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --group multilingual -c requirements-dev.lock -o requirements-multilingual.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --group server -c requirements-dev.lock -o requirements-server.lock

clean: ## Remove the virtual environment and caches (your database stays)
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis
	find app migrations tests -name __pycache__ -type d -prune -exec rm -rf {} +

# pip comes last: an environment without it was cut short, and is made again.
$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit("Footnote needs Python 3.11 or newer; this is %d.%d. Try: make PYTHON=python3.12 $(MAKECMDGOALS)" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/pip requirements.lock pyproject.toml
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.local: $(VENV)/.run requirements-local.lock
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements-local.lock
	@touch $@

$(VENV)/.multilingual: $(VENV)/.run requirements-multilingual.lock
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements-multilingual.lock
	@touch $@

$(VENV)/.server: $(VENV)/.run requirements-server.lock
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements-server.lock
	@touch $@

# The lock is complete; without --no-deps, pip would add what it leaves out.
$(VENV)/.dev: $(VENV)/bin/pip requirements-dev.lock pyproject.toml
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	$(BIN)/pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@ $(VENV)/.run
