# All targets do the set-up they need: a virtual environment in .venv, from constraints.txt.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
PEERS := .venv-bench/.installed

.PHONY: demo test lint bench clean

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py

test: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist worksteal --durations=15 tests
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m modes tests
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m modes tests

lint: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

bench: $(INSTALLED) $(PEERS)
	.venv-bench/bin/python benchmarks/peers.py
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/c_kernel.py
	$(BIN)/python benchmarks/scaling.py

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=24"
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[dev]"
	touch $(INSTALLED)

# The libraries that we are measured beside live apart from ours.
$(PEERS): pyproject.toml constraints.txt benchmarks/requirements-peers.txt
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --upgrade "pip>=24"
	.venv-bench/bin/python -m pip install --quiet -c constraints.txt -r benchmarks/requirements-peers.txt -e .
	touch $(PEERS)

clean:
	rm -rf .venv .venv-bench runs
