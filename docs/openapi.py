"""Writes docs/openapi.json: python -m docs.openapi"""

import json
from pathlib import Path

from review_app.openapi import described
from review_app.rest import OPERATIONS

if __name__ == "__main__":
    Path(__file__).with_suffix(".json").write_text(json.dumps(described(OPERATIONS), indent=1) + "\n")
