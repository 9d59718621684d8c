"""Write docs/keys.md from the key map of the review and the key lines of other screens: ``python docs/keys.py``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KEYS = HERE.parent / "review_app" / "frontend" / "keys.js"
PART = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|\[[^\]]*\]|true)')
OTHERS = {"Queue": ("queue.js", "WORDS"), "Strip": ("strip.js", "KEYS"), "Quality": ("quality.js", "KEYS")}
NAMES = {"Mod": "Ctrl", "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}
HEAD = """# Keys

Those of the review are the defaults, as <kbd>?</kbd> shows them there; on a Mac read ⌘ for Ctrl and ⌥ for Alt. Each can
be changed in that help, but for those of the clipboard and of <kbd>F6</kbd>. What you change is kept in your browser.
This page is written by `python docs/keys.py`.
"""


def commands() -> list[dict[str, Any]]:
    """The entries of the key map, in order."""
    lines = re.findall(r"^  \{ (id: .*) \},$", KEYS.read_text(encoding="utf-8"), re.MULTILINE)
    return [{name: json.loads(value) for name, value in PART.findall(line)} for line in lines]


def page() -> str:
    """The text of docs/keys.md."""
    every = commands()
    text = HEAD
    for group in dict.fromkeys(one["group"] for one in every if "group" in one):
        text += f"\n## {group}\n\n| keys | what they do |\n|---|---|\n"
        for one in every:
            if one.get("group") == group:
                keys = [
                    key for other in every if one["id"] in (other["id"], other.get("like")) for key in other["keys"]
                ]
                text += f"| {' '.join(map(_shown, keys))} | {one['does']} |\n"
    for screen, (module, name) in OTHERS.items():
        (words,) = re.findall(
            rf'^const {name} = "(.*)";$', (KEYS.parent / module).read_text(encoding="utf-8"), re.MULTILINE
        )
        text += f"\n## {screen}\n\n{words}.\n"
    return text


def _shown(keys: str) -> str:
    return f"<kbd>{'+'.join(NAMES.get(part, part) for part in keys.split('+'))}</kbd>"


if __name__ == "__main__":
    (HERE / "keys.md").write_text(page(), encoding="utf-8")
