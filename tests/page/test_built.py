"""The page's files: built from the sources beside them, valid for the schema, complete in every language."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from graphql import build_schema, parse, validate

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "app" / "static" / "page-source"
BUILT = ROOT / "app" / "static" / "page"
SKIPPED = {"node_modules", "generated", "README.md", ".gitignore", ".npmrc"}
FIRST_VIEW_BYTES = 200_000
OPERATIONS = sorted((SOURCE / "src" / "lib" / "api" / "operations").glob("*.graphql"))
FORBIDDEN = re.compile(r"\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\sstyle=")


def files_in(folder: Path) -> dict[str, str]:
    """The hash of every file, by its path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in folder.rglob("*")
        if path.is_file() and not SKIPPED.intersection(path.relative_to(folder).parts)
    }


def test_the_built_files_are_what_the_sources_build_to() -> None:
    manifest = json.loads((BUILT / "MANIFEST.json").read_text())
    assert manifest["sources"] == files_in(SOURCE), "the sources have changed: run `make page`"
    built = files_in(BUILT)
    del built["MANIFEST.json"]
    assert built == manifest["built"]


def test_the_operations_are_valid_for_the_schema() -> None:
    schema = build_schema((ROOT / "schema.graphql").read_text())
    assert OPERATIONS
    document = parse("\n".join(path.read_text() for path in OPERATIONS))
    assert [error.message for error in validate(schema, document)] == []


def test_every_language_has_every_text() -> None:
    texts = {path.stem: json.loads(path.read_text()) for path in (SOURCE / "src" / "messages").glob("*.json")}
    assert set(texts) == {"en", "de"}
    english = texts.pop("en")
    for language, others in texts.items():
        assert set(others) == set(english), language
        for key, text in others.items():
            assert text.strip(), (language, key)
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), (language, key)


def test_every_text_is_used() -> None:
    code = "\n".join(path.read_text() for path in (SOURCE / "src").rglob("*") if path.suffix in {".ts", ".svelte"})
    english: dict[str, str] = json.loads((SOURCE / "src" / "messages" / "en.json").read_text())
    # Keys that are put together at run time are named by their beginning.
    beginnings = tuple(re.findall(r"`([\w.]+)\$\{", code))
    unused = [
        key
        for key in english
        if f'"{re.sub("_(one|other)$", "", key)}"' not in code and not key.startswith(beginnings or ("\0",))
    ]
    assert unused == []


def test_the_first_view_is_small() -> None:
    page = (BUILT / "index.html").read_text()
    loaded = re.findall(r'(?:src|href)="/static/page/([^"]+)"', page)
    assert len(loaded) > 2
    size = sum(len(gzip.compress((BUILT / name).read_bytes())) for name in loaded)
    assert size < FIRST_VIEW_BYTES


@pytest.mark.parametrize("suffix", [".svelte", ".ts"])
def test_no_html_is_made_of_strings(suffix: str) -> None:
    for path in (SOURCE / "src").rglob(f"*{suffix}"):
        assert not FORBIDDEN.search(path.read_text()), path


def test_licenses_are_listed_and_no_registry_is_named() -> None:
    licenses = (BUILT / "LICENSES.txt").read_text()
    for package in ("svelte", "@urql/core", "@urql/exchange-graphcache", "graphql-ws", "wonka", "@lucide/svelte"):
        assert f"\n{package} " in licenses, package
    assert '"resolved"' not in (SOURCE / "package-lock.json").read_text()
