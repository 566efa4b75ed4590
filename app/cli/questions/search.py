"""`footnote search`: a query in; the passages that a question would find, best first, out."""

from rich.text import Text

from app.answer_options import SearchMode
from app.chat.turn_store import check_question
from app.cli.opening import opened, project_named
from app.cli.running import Exit, err, out
from app.knowledge.search.hybrid import SearchQuery
from app.knowledge.search.reranking import MAX_CANDIDATES
from app.rag import retrieval

MODES: dict[str, SearchMode] = {"hybrid": "HYBRID", "lexical": "LEXICAL", "vector": "VECTOR"}
_SNIPPET = 200


async def search(text: str, name: str, top: int | None, mode: str | None) -> Exit:
    """Show passages with their scores, as an answer would find them; those under the threshold are left out."""
    check_question(text)
    async with opened() as running:
        project = await project_named(running, name)
        said = {"rag_top_k": top, "search_mode": MODES[mode] if mode else None}
        options = running.sessions.options(project, running.owner, said)
        query = SearchQuery(text, mode=options.search_mode, limit=max(options.rag_top_k, MAX_CANDIDATES))
        found = await running.search.search_project(project.id, query)
        threshold = found.threshold if options.rag_threshold is None else options.rag_threshold
        passing = [passage for passage in found.passages if passage.score >= threshold]
        ordered = await running.reranking.rerank_passages(text, passing, local_only=project.local_providers_only)
    for notice in retrieval.pending_notices(found.pending_documents):
        err.print(f"[{notice.code}] {notice.message}", style="yellow", markup=False)
    problems = {
        "Only words were searched": found.vector_problem,
        "Only vectors were searched": found.keyword_problem,
        "The order is that of the search alone": ordered.problem,
    }
    for what, why in problems.items():
        if why is not None:
            err.print(f"{what}: {why}", style="yellow", markup=False)
    for rank, passage in enumerate(ordered.passages[: options.rag_top_k], 1):
        page = f", page {passage.page}" if passage.page is not None else ""
        place = " > ".join((passage.document_title, *passage.heading)) + page
        out.print(Text.assemble(f"{rank:2}  ", (f"{passage.score:.2f}", "cyan"), "  ", (place, "bold")))
        snippet = " ".join(passage.text.split())
        out.print(Text(f"          {snippet[:_SNIPPET]}{'…' if len(snippet) > _SNIPPET else ''}", style="dim"))
    if not passing:
        out.print(f"Nothing relevant was found (threshold {threshold:.2f}).")
        return Exit.NO_ANSWER
    return Exit.OK
