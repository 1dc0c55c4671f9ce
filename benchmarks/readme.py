"""Tables that benchmarks put into agents/README.md, between markers."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "agents" / "README.md"


def write(name: str, table: str, machine: str = "") -> None:
    """Replace what stands between `<!-- NAME -->` and the next `<!-- end -->`."""
    text = README.read_text()
    block = "\n\n".join(part for part in (f"<!-- {name} -->\n{table}", machine) if part) + "\n<!-- end -->"
    changed, count = re.subn(rf"<!-- {name} -->.*?<!-- end -->", lambda _: block, text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{README} has no place for {name}: expected one '<!-- {name} --> … <!-- end -->'")
    README.write_text(changed)
