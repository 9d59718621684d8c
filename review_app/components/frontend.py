"""The browser modules of the components: their hashed address, and how Streamlit loads them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).parent.parent / "frontend"
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css"}

# Streamlit finds packaged components only where the distribution is called like the import package.
# So a component is declared inline, and imports its modules from an address that changes with them.
LOADER = """
const mounts = new WeakMap();
export default function (component) {
  const root = component.parentElement;
  const mount = mounts.get(root) ?? {};
  mounts.set(root, mount);
  const api = new URL(document.baseURI).origin;
  const { token, session } = component.data;
  // In a team, page images are shown for a cookie that this gives; without a connection they wait for the next try.
  if (session !== undefined) {
    const headers = { Authorization: `Bearer ${token}` };
    mount.session ??= fetch(`${api}/api/session/${session}`, { method: "POST", headers }).catch(() => {});
  }
  Promise.all([import(api + component.data.module), mount.session]).then(([module]) => {
    if (mounts.get(root) !== mount) return;
    mount.cleanup = module.default({ ...component, data: { ...component.data, api } });
  });
  return () => { mounts.delete(root); mount.cleanup?.(); };
}
"""


@cache
def version() -> str:
    """A hash over all modules and styles: the same text gives the same address."""
    digest = sha256()
    for path in sorted(FOLDER.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def address(name: str) -> str:
    """The path of a module on this server; it may be cached for ever."""
    return f"/assets/{version()}/{name}"


def asset(asked: str, name: str) -> tuple[bytes, str] | None:
    """Bytes and media type of a module or style of the current version, or None."""
    path = FOLDER / name
    if asked != version() or path.parent != FOLDER or path.suffix not in MEDIA_TYPES or not path.is_file():
        return None
    return path.read_bytes(), MEDIA_TYPES[path.suffix]


@cache
def declared(name: str) -> Any:
    """A Streamlit component; mount it with ``data={"module": address(...), ...}``."""
    return st.components.v2.component(f"proofgrid_{name}", html="<div class='proofgrid'></div>", js=LOADER)
