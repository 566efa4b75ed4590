"""`footnote search`: a query in; the passages that a question would find, best first, out."""

from enum import StrEnum

from rich.text import Text

from app.chat.starting import check_question
from app.cli.running import Exit, err, opened, out, project_named
from app.knowledge.reranking import CANDIDATES
from app.knowledge.search import Query

_SNIPPET = 200


class ModeOption(StrEnum):
    """Search modes as the command line names them."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    VECTOR = "vector"


async def search(text: str, name: str, top: int, mode: ModeOption) -> Exit:
    """Show passages with their scores; those under the threshold are left out."""
    check_question(text)
    async with opened() as running:
        project = await project_named(running, name)
        query = Query(text, mode=mode.name, limit=max(top, CANDIDATES))
        found = await running.search.find(project.id, query)
        passing = [passage for passage in found.passages if passage.score >= found.threshold]
        ordered = await running.reranking.order(text, passing, local_only=project.local_providers_only)
    problems = {
        "Only words were searched": found.vectors_missing,
        "Only vectors were searched": found.words_missing,
        "The order is that of the search alone": ordered.problem,
    }
    for what, why in problems.items():
        if why is not None:
            err.print(f"{what}: {why}", style="yellow", markup=False)
    for rank, passage in enumerate(ordered.passages[:top], 1):
        page = f", page {passage.page}" if passage.page is not None else ""
        place = " > ".join((passage.document_title, *passage.heading)) + page
        out.print(Text.assemble(f"{rank:2}  ", (f"{passage.score:.2f}", "cyan"), "  ", (place, "bold")))
        snippet = " ".join(passage.text.split())
        out.print(Text(f"          {snippet[:_SNIPPET]}{'…' if len(snippet) > _SNIPPET else ''}", style="dim"))
    if not passing:
        out.print(f"Nothing relevant was found (threshold {found.threshold:.2f}).")
        return Exit.NO_ANSWER
    return Exit.OK
