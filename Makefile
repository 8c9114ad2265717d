PY ?= python3
VENV := .venv
# Editable installs warn about folders of the same name, which is the layout wanted here.
PIP := PYTHONWARNINGS=ignore $(VENV)/bin/python -m pip install --quiet

.PHONY: demo test test-chip lint wheel hardware clean

demo: $(VENV)/.installed
	$(VENV)/bin/lodeboard demo --game tau --seed 7 --engine micropython

test: $(VENV)/.installed-test
	$(VENV)/bin/python -m pytest -n 2 --dist loadfile

# The longer tests on the emulated chip; they need the MicroPython image (docs/flashing.md).
test-chip: $(VENV)/.installed-test
	$(VENV)/bin/python -m pytest -n 2 -m slow

lint: $(VENV)/.installed-test
	$(VENV)/bin/python -m pytest tests/test_style.py

wheel: $(VENV)/.installed-test
	$(VENV)/bin/python -m build --wheel

$(VENV)/bin/python:
	$(PY) -m venv $(VENV)
	$(PIP) --upgrade pip

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e .
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(PIP) -e '.[test]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .venv-hardware hardware/build build dist *.egg-info

hardware:
	@sh hardware/prepare.sh
	.venv-hardware/bin/python -m hardware.build
