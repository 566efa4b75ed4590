"""Build Word documents, and archives from raw parts."""

import io
import zipfile
from collections.abc import Callable

import docx
import docx.document


def word(build: Callable[[docx.document.Document], object]) -> bytes:
    """A Word file by python-docx."""
    document = docx.Document()
    build(document)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def archive(parts: dict[str, bytes]) -> bytes:
    """A zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in parts.items():
            target.writestr(name, data)
    return file.getvalue()


_NAMESPACES = " ".join(
    f'xmlns:{name}="http://schemas.openxmlformats.org/{path}"'
    for name, path in (
        ("w", "wordprocessingml/2006/main"),
        ("m", "officeDocument/2006/math"),
        ("r", "officeDocument/2006/relationships"),
        ("mc", "markup-compatibility/2006"),
        ("c", "drawingml/2006/chart"),
        ("a", "drawingml/2006/main"),
    )
)
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def word_parts(body: str, **parts: str) -> bytes:
    """A Word file whose body is this XML, and its other parts by their kinds, such as `footnotes` or `chart`."""

    def relate(*relations: tuple[str, str]) -> bytes:
        listed = "".join(
            f'<Relationship Id="{kind}" Type="{_RELATION}/{kind}" Target="{target}"/>' for kind, target in relations
        )
        return f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'.encode()

    def root(name: str, inside: str) -> bytes:
        return f"<{name} {_NAMESPACES}>{inside}</{name}>".encode()

    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>'.encode(),
            "_rels/.rels": relate(("officeDocument", "word/document.xml")),
            "word/document.xml": root("w:document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": relate(*((kind, f"{kind}.xml") for kind in parts)),
            **{
                f"word/{kind}.xml": root("c:chartSpace" if kind == "chart" else f"w:{kind}", inside)
                for kind, inside in parts.items()
            },
        }
    )


def changed(file: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same file with one part changed; a missing part counts as empty."""
    with zipfile.ZipFile(io.BytesIO(file)) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    return archive({**parts, part: change(parts.get(part, b""))})
