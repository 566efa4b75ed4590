"""Serve the handbook's pages as Markdown, and the list of them. The web page at /handbook shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

VIEW_PATHS: Sequence[str] = ("/handbook", "/handbook/{name}")
"""The addresses of the views of the web page that show it."""
PAGE_PATH, LIST_PATH = "/handbook/{name}.md", "/handbook/pages.json"

_FOLDER = Path(__file__).parent.parent / "handbook"
_HEADERS = {"cache-control": "no-cache", "x-content-type-options": "nosniff"}
_TITLE, _SECTION, _FENCE = "# ", "## ", "```"


@dataclass(frozen=True, slots=True)
class _Page:
    """A page of the handbook: the name of its file without `.md`, its title, and the headings of its sections."""

    name: str
    title: str
    sections: list[str]

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "title": self.title, "sections": self.sections}


async def respond_page(request: Request) -> Response:
    """One page, as Markdown."""
    name = f"{request.path_params['name']}.md"
    if name not in {file.name for file in await anyio.to_thread.run_sync(_list_files)}:
        raise HTTPException(404)
    return FileResponse(_FOLDER / name, media_type="text/markdown; charset=utf-8", headers=_HEADERS)


async def respond_list(_: Request) -> Response:
    """All pages in order, each with its name, its title and its sections."""
    pages = await anyio.to_thread.run_sync(_read_pages)
    return JSONResponse([page.to_json() for page in pages], headers=_HEADERS)


def _list_files() -> list[Path]:
    return sorted(_FOLDER.glob("*.md"))


def _read_pages() -> list[_Page]:
    return [_read_page(file) for file in _list_files()]


def _read_page(file: Path) -> _Page:
    title, sections, in_code = "", list[str](), False
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(_FENCE):
            in_code = not in_code
        elif not in_code and line.startswith(_SECTION):
            sections.append(line.removeprefix(_SECTION))
        elif not in_code and line.startswith(_TITLE):
            title = line.removeprefix(_TITLE)
    return _Page(file.stem, title, sections)
