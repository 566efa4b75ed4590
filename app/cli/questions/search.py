"""`footnote search`: show the passages that a question would find, best first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from app import global_ids, services
from app.answer_options import OptionLayer
from app.chat.turn_limits import check_question
from app.cli.lookup import find_project
from app.cli.opening import open_footnote
from app.cli.printing import print_json, print_notice, shorten_line
from app.cli.running import ExitCode, out
from app.database import models
from app.knowledge import parsed_documents
from app.knowledge.search.passages import Passage
from app.knowledge.search.reranking import RankedPassages
from app.rag import context_builder, retrieval
from app.rag.events import AnswerNotice

_SNIPPET = 200


@dataclass(frozen=True, slots=True)
class _Results:
    """Passages, best first, and the parts of the search that failed."""

    passages: Sequence[Passage]
    threshold: float
    notices: Sequence[AnswerNotice]


async def search(text: str, name: str | None, layer: OptionLayer, *, as_json: bool) -> ExitCode:
    """Show the passages that an answer would find, with their scores. Those below the threshold are left out."""
    check_question(text)
    async with open_footnote() as footnote:
        project = await find_project(footnote, name)
        results = await _find_passages(footnote, project, text, layer)
    if as_json:
        print_json(_as_json(results))
    else:
        _print_results(results)
    return ExitCode.OK if results.passages else ExitCode.NO_ANSWER


async def _find_passages(
    footnote: services.Services, project: models.Project, text: str, layer: OptionLayer
) -> _Results:
    operator = footnote.operator()
    options = operator.chats.resolve_options(project, operator.user, layer)

    async def rerank(passages: Sequence[Passage]) -> RankedPassages:
        return await operator.projects.rerank(project, text, passages)

    found = await operator.projects.search(project.id, retrieval.build_query(options, text))
    selected = await context_builder.select_passages(found, options, rerank)
    notices = [*retrieval.search_notices(found), *selected.notices]
    return _Results(selected.selection.candidates, selected.threshold, notices)


def _print_results(results: _Results) -> None:
    for notice in results.notices:
        print_notice(notice.code, notice.message)
    for rank, passage in enumerate(results.passages, 1):
        place = parsed_documents.name_place(passage.document_title, passage.heading)
        place += parsed_documents.page_suffix(passage.page)
        out.print(Text.assemble(f"{rank:2}  ", (f"{passage.score:.2f}", "cyan"), "  ", (place, "bold")))
        out.print(Text(f"          {shorten_line(passage.text, _SNIPPET)}", style="dim"))
    if not results.passages:
        out.print(f"Nothing relevant was found (threshold {results.threshold:.2f}).")


def _as_json(results: _Results) -> dict[str, Any]:
    return {
        "threshold": results.threshold,
        "results": [
            {
                "rank": rank,
                "score": round(passage.score, 4),
                "vectorScore": passage.vector_score,
                "lexicalScore": passage.lexical_score,
                "rerankScore": passage.rerank_score,
                "document": {
                    "id": global_ids.encode("Document", passage.document_id),
                    "title": passage.document_title,
                    "source": passage.source,
                    "url": passage.url,
                },
                "heading": list(passage.heading),
                "page": passage.page,
                "text": passage.text,
            }
            for rank, passage in enumerate(results.passages, 1)
        ],
        "notices": [{"code": notice.code, "message": notice.message} for notice in results.notices],
    }
