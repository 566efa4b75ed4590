"""Comments that mark lines of the product: `# kill point: …` and `# crash guard: …`.

They are searched for, so that files and functions may move. A marker stands at the end of its line, or on a line of its
own above it. One comment may name several things.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_MARKER = re.compile(r"# (?:kill point|crash guard): ([\w.]+(?:, [\w.]+)*)$")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file."""

    file: Path
    line: int


def packages(*names: str) -> list[Path]:
    """The folders from which these packages are imported."""
    return [
        Path(found) for name in names for found in getattr(find_spec(name), "submodule_search_locations", None) or ()
    ]


def read(source: str) -> Iterator[tuple[str, int]]:
    """The markers in a source text with their line numbers."""
    lines = source.splitlines()
    for index, line in enumerate(lines):
        found = _MARKER.search(line)
        if found:
            marked = index
            while lines[marked].lstrip().startswith("#"):
                marked += 1
            for name in found[1].split(", "):
                yield name, marked + 1


def marked(folders: Sequence[Path]) -> Mapping[str, Sequence[Place]]:
    """The places of every marker in the Python files of these folders."""
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            for name, line in read(file.read_text(encoding="utf-8")):
                places[name].append(Place(file, line))
    return places


def only(name: str, places: Sequence[Place]) -> Place:
    """A marker's only place. Raises LookupError if there is none or more than one."""
    if len(places) != 1:
        raise LookupError(f"{name} is marked {len(places)} times: {[f'{place.file}:{place.line}' for place in places]}")
    return places[0]
