"""`footnote search`: a query in; the passages that a question would find, best first, out."""

from enum import StrEnum

from rich.text import Text

from app.cli.running import Exit, err, opened, out, project_named
from app.knowledge.search import Query

_SNIPPET = 200


class ModeOption(StrEnum):
    """Search modes as the command line names them."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    VECTOR = "vector"


async def search(text: str, name: str, top: int, mode: ModeOption) -> Exit:
    """Show passages with their scores; those under the threshold are left out."""
    async with opened() as running:
        project = await project_named(running, name)
        query = Query(text, mode=mode.name, limit=top)
        found = await running.search.find(project.id, query)
    if found.vectors_missing:
        err.print(f"Only words were searched: {found.vectors_missing}", style="yellow", markup=False)
    passing = [passage for passage in found.passages if passage.score >= found.threshold]
    for rank, passage in enumerate(passing, 1):
        page = f", page {passage.page}" if passage.page is not None else ""
        place = " > ".join((passage.document_title, *passage.heading)) + page
        out.print(Text.assemble(f"{rank:2}  ", (f"{passage.score:.2f}", "cyan"), "  ", (place, "bold")))
        snippet = " ".join(passage.text.split())
        out.print(Text(f"          {snippet[:_SNIPPET]}{'…' if len(snippet) > _SNIPPET else ''}", style="dim"))
    if not passing:
        out.print(f"Nothing relevant was found (threshold {found.threshold:.2f}).")
        return Exit.NO_ANSWER
    return Exit.OK
