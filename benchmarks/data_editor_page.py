"""The page that benchmarks.keystrokes compares with: the same tables in a plain st.data_editor beside the page."""

import json
import os
from pathlib import Path

import pandas as pd
import streamlit as st

folder = Path(os.environ["PROOFGRID_BENCHMARK"])
st.set_page_config(layout="wide")
tables = json.loads((folder / "tables.json").read_text())
at = st.session_state.setdefault("at", 0)
if at == len(tables):
    st.write("All tables are done.")
    st.stop()
name, columns, rows = tables[at]
left, right = st.columns([2, 5])
left.image(str(folder / f"{name}.png"))
with right:
    st.subheader(name)
    frame = st.data_editor(
        pd.DataFrame(rows, columns=columns, dtype=str),
        num_rows="dynamic",
        key=f"table {at}",
        height=540,
        column_config={column: st.column_config.TextColumn(width=90) for column in columns},
    )
    if st.button("Save and next"):
        (folder / f"{name}.gold.json").write_text(json.dumps(frame.fillna("").to_numpy().tolist()))
        st.session_state["at"] = at + 1
        st.rerun()
