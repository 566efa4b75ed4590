"""Each guard of the product: the edit that removes it, and the kills that must then expose the gap.

A harness that stays green whatever is broken proves nothing. So each change is made to a copy of the product, the
copy is killed as the product is, and the checks have to fail, with words that fit.
"""

import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tests.forks.loaded_process import ROOT
from tests.torture import markers
from tests.torture.chain import Chain, Kill, Tally
from tests.torture.compacting import compact
from tests.torture.edits import Edit, append_transaction, commit, insert, replace, replace_line
from tests.torture.migrating import migrate
from tests.torture.pausing import pause
from tests.torture.places import Dialect
from tests.torture.points import BY_NAME
from tests.torture.server import Nursery, SlowModel
from tests.torture.storage import Storage
from tests.torture.switching import switch

_SECONDS = 2.0
# An inserted commit ends the transaction: in one that several writes share, it would only release a savepoint.
_UNSHARED = replace_line("commit.shared", "if False:")


@dataclass(frozen=True, slots=True)
class Guard:
    """`edits` remove it; kills at `points` expose the gap, and the checks report something like `says`."""

    name: str
    edits: tuple[Edit, ...]
    points: tuple[str, ...]
    says: str
    hit: int = 1


GUARDS: tuple[Guard, ...] = (
    Guard(
        "what a reader has seen is written",
        (
            insert(
                "journal.taken",
                "for running, new_events in group.items():\n    self._publish_events(running, new_events, gone=False)",
            ),
            replace("journal.publishing"),
            replace_line(
                "journal.numbering",
                "numbered = enumerate(new_events, running.tail.length + 1 - len(new_events))",
            ),
        ),
        ("journal.committing",) * 4,
        "seen was",
    ),
    Guard(
        "last event and final status are one transaction",
        (
            _UNSHARED,
            replace("journal.final"),
            append_transaction(
                "journal.committing",
                "for running, final in finals.items():\n"
                "    if final is not None and running.message_id in running_ids:\n"
                "        _update_messages(db.connection(), [running.message_id], final)",
            ),
        ),
        ("journal.updating",) * 2,
        "ends of",
    ),
    Guard(
        "question and answer are one transaction",
        (_UNSHARED, commit("turn.answer")),
        ("turn.committing",) * 2,
        "INTERNAL_SERVER_ERROR|messages for",
    ),
    Guard(
        "a question's key is kept",
        (replace_line("turn.key", "idempotency_key=None,"),),
        ("turn.started",) * 2,
        "made twice|messages for|messages are shown",
    ),
    Guard(
        "answers of dead processes are ended",
        (replace("start.answers", "answers = 0"),),
        ("journal.committed",) * 2,
        "has no end",
    ),
    Guard(
        "an answer that is ended has a log that ends",
        (replace("recover.last"),),
        ("journal.committing",) * 2,
        "has no end|do not tell|ends of the log",
    ),
    Guard(
        "documents of dead processes are put back",
        (replace("start.documents", "documents = 0"),),
        ("claim.committed", "embedded") * 2,
        "still wait",
    ),
    Guard(
        "a document and its original are one transaction",
        (insert("add.original", "db.commit()\nconnection = db.connection()"),),
        ("add.committing",) * 2,
        "is damaged",
    ),
    Guard(
        "old chunks go in the transaction in which new ones come",
        (
            insert(
                "store.wanted",
                "characters = self._library.delete_chunks(db, [item.document for item in items])\n"
                "count_index_change(db, items[0].document.project_id, -characters)\n"
                "db.commit()",
            ),
        ),
        ("store.forgotten",) * 4,
        "is found by",
    ),
    Guard(
        "only what is still wanted is stored",
        (replace("store.wanted", "wanted = list(items)"),),
        ("store.committed",) * 8,
        "stored with|is found by|documents are|still wait|finds",
        hit=12,
    ),
    Guard(
        "a document goes in the transaction in which its chunks go",
        (insert("delete.forgotten", "db.commit()"),),
        ("delete.forgotten",) * 3,
        "stored with|is found by",
    ),
    Guard(
        "chunks go in the transaction in which their document goes",
        (
            replace("delete.row"),
            replace(
                "delete.chunks",
                'rows = db.connection().execute(_SELECT_CHUNKS, {"ids": [document.id]}).all()\n'
                "ids, characters = [row[0] for row in rows], sum(row[1] for row in rows)\n"
                "project_id = document.project_id\n"
                "db.delete(document)",
            ),
            insert(
                "delete.forgotten",
                "db.commit()\n"
                "self._index.remove_chunks(db, project_id, self._spaces.list_space_keys(db, project_id), ids)",
            ),
        ),
        ("delete.forgotten",) * 3,
        "belong to no chunk",
    ),
    Guard(
        "an answer leaves its place when the next one is whole",
        (replace_line("again.whole", "if running.replaces:"),),
        ("again.going",) * 2,
        "shown are|messages are shown",
    ),
    Guard(
        "an alternative leaves its place in the transaction in which another takes it",
        (_UNSHARED, insert("branch.left", "db.commit()")),
        ("branch.left",),
        "do not show what is current|do not tell",
    ),
    Guard(
        "one branch is hidden in the transaction in which another is shown",
        (_UNSHARED, insert("branch.hidden", "db.commit()")),
        ("branch.hidden",) * 2,
        "do not show what is current",
    ),
    Guard(
        "there is room for a question in the transaction in which it comes",
        (_UNSHARED, insert("branch.room", "db.commit()")),
        ("branch.room",),
        "do not show what is current",
    ),
    Guard(
        "the events of a log go in the transaction in which its short form comes",
        (
            replace(
                "compact.short",
                'globals()["short"] = compacted',
            ),
            append_transaction("compact.committing", 'db.execute(insert(models.CompactLog), globals()["short"])'),
        ),
        ("compact.committing",),
        "logs were",
    ),
    Guard(
        "kept vectors are those of the same texts",
        (replace_line("resume.fingerprint", "if False:"),),
        ("pause.committed",),
        "vectors of other texts|embedded twice",
    ),
    Guard(
        "vectors come in the transaction that says how far a build is",
        (commit("reembed.vectors"),),
        ("reembed.committing",),
        "vectors are wrong|have no vector",
    ),
    Guard(
        "how far a build is goes into the transaction in which its vectors come",
        (
            replace_line("reembed.progress", "if not self._advance(db, space, problem=None):"),
            append_transaction("reembed.committing", "self._advance(db, space, built_to=batch.ids[-1])"),
        ),
        ("reembed.committing",),
        "ahead of what their space says",
    ),
    Guard(
        "a build of a dead process is taken over",
        (replace_line("reembed.owner", "is_free = row.owner in (None, self._owner.name)"),),
        ("reembed.claimed",),
        "does not end",
    ),
    Guard(
        "a space leaves its place in the transaction in which the next one takes it",
        (commit("switch.active"),),
        ("switch.committing",),
        "searched with 0 models",
    ),
    Guard(
        "vectors of a former space go in the transaction that says how many are left",
        (insert("retire.vectors", "space.built_to = ids[-1] - 1\ndb.flush()\ndb.commit()"),),
        ("retire.committing",),
        "vectors are wrong|belong to no chunk",
    ),
    Guard(
        "a backup is made before a migration",
        (replace("migrate.backup", "backup = None"),),
        ("migrate.between",),
        "no backup",
    ),
    Guard(
        "all migrations are one transaction",
        (insert("migrate.first", 'op.execute("COMMIT")\nop.execute("BEGIN")'),),
        ("migrate.stamping",),
        "did not start|half migrated",
    ),
)


@contextmanager
def without(guard: Guard, copy: Path) -> Generator[None]:
    """The copied product without the guard, while the block lasts. Raises LookupError if a marker is missing."""
    marked = markers.marked([copy])
    whole: dict[Path, str] = {}
    try:
        for edit in guard.edits:
            file = markers.only(edit.marker, marked.get(edit.marker, ())).file
            source = file.read_text(encoding="utf-8")
            whole.setdefault(file, source)
            file.write_text(edit.apply(source), encoding="utf-8")
        yield
    finally:
        for file, source in whole.items():
            file.write_text(source, encoding="utf-8")


def copied(folder: Path) -> Path:
    """Copy the product's packages to a new folder, where guards can be removed."""
    for package in ("app", "migrations"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("static"))
    (folder / "app" / "static").symlink_to(ROOT / "app" / "static")
    return folder


def guards_on(dialect: Dialect) -> list[Guard]:
    """Those that such a database needs. No copy of one on a server is made, whose migrations are one transaction."""
    return [guard for guard in GUARDS if dialect == "sqlite" or not guard.points[0].startswith("migrate")]


async def noticed(
    guard: Guard, copy: Path, folder: Path, model: SlowModel, seed: int, storage: Storage | None = None
) -> str | None:
    """What the checks report without the guard; None if they report nothing."""
    kills = [Kill(BY_NAME[name], guard.hit) for name in guard.points]
    with without(guard, copy), Nursery(model, copy) as nursery:
        chain = Chain(folder, nursery, seed, Tally(), lambda _: None, storage)
        try:
            during = BY_NAME[guard.points[0]].during
            chain.ledger.again = during != "migration"
            if during == "migration":
                await migrate(chain, kills)
            elif during == "compaction":
                await chain.kill([Kill(None, seconds=_SECONDS)])
                await compact(chain, kills)
            elif during == "pause":
                await pause(chain, kills)
            elif during == "switch":
                await switch(chain, kills)
            else:
                await chain.kill(kills)
                await chain.rest()
        except (AssertionError, ExceptionGroup) as error:
            said = " ".join(_messages(error))
            assert re.search(guard.says, said), f"without “{guard.name}” the checks say something else: {said[:2000]}"
            return said
        finally:
            chain.end()
    return None


def _messages(error: Exception) -> list[str]:
    """The message of an error, or those of a group."""
    if not isinstance(error, ExceptionGroup):
        return [str(error)]
    inner = cast("ExceptionGroup[Exception]", error).exceptions
    return [message for one in inner for message in _messages(one)]
