"""What people read has one kind of quotation marks and one separator of headings."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.modules import APP, for_every_module, modules, tree

# Keys of caches, and SQL.
UNREAD = ("graphql/loaders.py", "knowledge/index/")
# What models read, and the vectors of texts are computed with.
FOR_MODELS = {"knowledge/parsed_documents.py", "knowledge/index/terms.py"}


def name(path: Path) -> str:
    return path.relative_to(APP).as_posix()


def quoted_values(module: ast.Module) -> Iterator[str]:
    """Formatted strings with a value in straight quotation marks: as Python writes it, or as SQL does."""
    for node in ast.walk(module):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for at, part in enumerate(parts):
            around = [getattr(each, "value", "") for each in (*parts[max(0, at - 1) : at], *parts[at + 1 : at + 2])]
            is_quoted = len(around) == 2 and str(around[0]).endswith("'") and str(around[1]).startswith("'")
            if isinstance(part, ast.FormattedValue) and (is_quoted or part.conversion == ord("r")):
                yield ast.unparse(node)


@for_every_module
def test_messages_quote_with_curly_marks(path: Path) -> None:
    """`safe_text.quote` does."""
    if name(path).startswith(UNREAD):
        return
    assert list(quoted_values(tree(path))) == []


def test_only_models_read_another_separator_of_headings() -> None:
    found = {
        name(path)
        for path in modules()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and node.value == " > "
    }
    assert found == FOR_MODELS
