"""What samples of formats share."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A file, the words that find a fact in it, the passage's headings, and words of the passage.

    `cited`: the headings of a citation, where they are not those of the passage or of its last row.
    """

    name: str
    data: bytes
    query: str
    heading: tuple[str, ...]
    says: str
    cited: tuple[str, ...] = ()


PRICES = (("Region", "Price"), ("North", "1,664"), ("South", "1,200"), ("Quarrington", "3,115"))
HARD = "Opened software cannot be returned to Quarrington."
RANGE = "rows 2\u20134"


def saved(document: Any) -> bytes:
    """The bytes of a document that saves itself."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in parts.items():
            target.writestr(name, data)
    return file.getvalue()
