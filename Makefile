PY ?= python3
VENV := .venv
STAMP := $(VENV)/.installed

.PHONY: demo test lint wheel hardware clean

demo: $(STAMP)
	$(VENV)/bin/lodeboard demo --game tau --seed 7 --engine micropython

test: $(STAMP)
	$(VENV)/bin/python -m pytest -n 2

lint: $(STAMP)
	$(VENV)/bin/ruff check .

wheel: $(STAMP)
	$(VENV)/bin/python -m build --wheel

$(STAMP): pyproject.toml
	$(PY) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	$(VENV)/bin/python -m pip install --quiet -e '.[test]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) .venv-hardware hardware/build build dist *.egg-info

hardware:
	@sh hardware/prepare.sh
	.venv-hardware/bin/python -m hardware.build
