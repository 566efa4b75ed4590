"""Guards of the product, each with the change that takes it away and the kills after which that must be noticed.

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

from tests.torture.chain import Chain, Kill, Tally
from tests.torture.compacting import compact
from tests.torture.migrating import migrate
from tests.torture.pausing import pause
from tests.torture.points import BEGIN, BY_NAME
from tests.torture.server import ROOT, Nursery, SlowModel

# The first of two transactions, so that the point still names one line: the second's.
_FIRST = BEGIN.replace("as db:", "as db, self._database.read():")
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Guard:
    """`changes` of `file` take it away; kills at `points` show it, and the checks say something like `says`."""

    name: str
    file: str
    changes: tuple[tuple[str, str], ...]
    points: tuple[str, ...]
    says: str
    hit: int = 1

    def without(self, source: str) -> str:
        """The file without the guard. Raises LookupError unless each text is there once."""
        for old, new in self.changes:
            if source.count(old) != 1:
                raise LookupError(f"{self.name}: {old!r} stands {source.count(old)} times in {self.file}")
            source = source.replace(old, new)
        return source


GUARDS: tuple[Guard, ...] = (
    Guard(
        "what a reader has seen is written",
        "app/chat/journal.py",
        (
            (
                "            there = await self._write(group, finals)\n",
                "            for running, happened in group.items():\n"
                "                self._publish(running, happened, gone=False)\n"
                "            await self._write(group, finals)\n",
            ),
            (
                "        for running, happened in group.items():\n"
                "            gone = running.message_id not in there\n"
                "            self._publish(running, [] if gone else happened, gone=gone)\n",
                "",
            ),
            ("running.tail.length + 1)", "running.tail.length + 1 - len(happened))"),
        ),
        ("journal.committing",) * 4,
        "seen was",
    ),
    Guard(
        "last event and final status are one transaction",
        "app/chat/journal.py",
        (
            (
                "                    if final is not None:\n"
                "                        await self._update(db, [running.message_id], final)\n",
                "",
            ),
            (
                "                await db.execute(insert(models.AnswerEvent), rows)\n",
                "                await db.execute(insert(models.AnswerEvent), rows)\n"
                f"        {BEGIN}\n"
                "            for running in group:\n"
                "                final = finals[running]\n"
                "                if final is not None and running.message_id in there:\n"
                "                    await self._update(db, [running.message_id], final)\n",
            ),
        ),
        ("journal.updating",) * 2,
        "ends of",
    ),
    Guard(
        "question and answer are one transaction",
        "app/chat/starting.py",
        (
            (
                f"        {BEGIN}\n            session = await db.get(models.ChatSession, session_id)\n",
                f"        {_FIRST}\n            session = await db.get(models.ChatSession, session_id)\n",
            ),
            (
                "            return await self._begun(db, session, question, user_id)\n",
                f"        {BEGIN}\n            return await self._begun(db, session, question, user_id)\n",
            ),
        ),
        ("turn.committing",) * 2,
        "Something broke|messages for",
    ),
    Guard(
        "a question's key is kept",
        "app/chat/starting.py",
        (("idempotency_key=key,\n                overrides", "idempotency_key=None,\n                overrides"),),
        ("turn.started",) * 2,
        "made twice|messages for",
    ),
    Guard(
        "answers of dead processes are ended",
        "app/services/opening.py",
        (('await services.turns.recover() if role == "serve" else 0', "0"),),
        ("journal.committed",) * 2,
        "has no end",
    ),
    Guard(
        "an answer that is ended has a log that ends",
        "app/chat/ending.py",
        (("    await db.execute(insert(models.AnswerEvent)", "    0 and await db.execute(insert(models.AnswerEvent)"),),
        ("journal.committing",) * 2,
        "has no end|do not tell|ends of the log",
    ),
    Guard(
        "documents of dead processes are put back",
        "app/services/opening.py",
        (("documents = await services.ingestion.queue.recover()", "documents = 0"),),
        ("claim.committed", "embedded") * 2,
        "still wait",
    ),
    Guard(
        "a document and its original are one transaction",
        "app/knowledge/library.py",
        (
            (
                f"        {BEGIN}\n            if await db.get(models.Project, project_id) is None:",
                f"        {_FIRST}\n            if await db.get(models.Project, project_id) is None:",
            ),
            (
                "            await _forget_originals(db, document.id)\n            await originals.k",
                f"            await _forget_originals(db, document.id)\n        {BEGIN}\n            await originals.k",
            ),
        ),
        ("add.committing",) * 2,
        "is damaged",
    ),
    Guard(
        "old chunks go in the transaction in which new ones come",
        "app/knowledge/indexing.py",
        (
            (
                f"        {BEGIN}\n            kept =",
                f"        {BEGIN}\n"
                "            await self._documents.forget_chunks(db, [item.document for item in items])\n"
                f"        {BEGIN}\n            kept =",
            ),
        ),
        ("store.forgotten",) * 4,
        "is found by",
    ),
    Guard(
        "only what is still wanted is stored",
        "app/knowledge/indexing.py",
        (("kept = await _ours(db, items)", "kept = list(items)"),),
        ("store.committed",) * 8,
        "stored with|is found by|documents are|still wait|finds",
        hit=12,
    ),
    Guard(
        "a document goes in the transaction in which its chunks go",
        "app/knowledge/library.py",
        (
            (
                "            await self.forget_chunks(db, [document])\n",
                f"            await self.forget_chunks(db, [document])\n        {BEGIN}\n",
            ),
        ),
        ("delete.forgotten",) * 3,
        "stored with|is found by",
    ),
    Guard(
        "chunks go in the transaction in which their document goes",
        "app/knowledge/library.py",
        (
            (
                "            await self.forget_chunks(db, [document])\n"
                "            project = await db.get_one(models.Project, document.project_id)\n"
                "            project.index_version += 1\n"
                "            await db.delete(document)\n",
                "            of = models.Chunk.document_id == document.id\n"
                "            ids = (await db.scalars(select(models.Chunk.id).where(of))).all()\n"
                "            await db.delete(document)\n"
                f"        {BEGIN}\n"
                "            mine = document.project_id\n"
                "            await self._index.remove(db, mine, await self._spaces.all(db, mine), ids)\n"
                "            project = await db.get_one(models.Project, document.project_id)\n"
                "            project.index_version += 1\n",
            ),
        ),
        ("delete.forgotten",) * 3,
        "belong to no chunk",
    ),
    Guard(
        "an answer leaves its place when the next one is whole",
        "app/chat/journal.py",
        (('final is not None and final["status"] == "COMPLETED" and running.replaces', "running.replaces"),),
        ("again.going",) * 2,
        "no whole answer",
    ),
    Guard(
        "the events of a log go in the transaction in which its short form comes",
        "app/chat/compaction.py",
        (
            ("_TOGETHER = 20\n", "_TOGETHER = 20\n_SHORT: list[Any] = []\n"),
            ("    await db.execute(insert(models.CompactLog).values(", "    _SHORT.append(dict("),
            (f"            {BEGIN}\n                old", f"            {_FIRST}\n                old"),
            (
                "                    done += await _compact(db, message)\n",
                "                    done += await _compact(db, message)\n"
                f"            {BEGIN}\n"
                "                await db.execute(insert(models.CompactLog), _SHORT)\n",
            ),
        ),
        ("compact.committing",),
        "logs were",
    ),
    Guard(
        "kept vectors are those of the same texts",
        "app/knowledge/embedding.py",
        (("if row.fingerprint != _fingerprint(model, texts):", "if row.fingerprint != row.fingerprint:"),),
        ("pause.committed",),
        "vectors of other texts|embedded twice",
    ),
    Guard(
        "a backup is made before a migration",
        "app/database/upgrade.py",
        (
            ("    kept = await _back_up(database, newest) if before is not None else None\n", ""),
            (
                "    return Upgraded(before, newest, kept)\n",
                "    kept = await _back_up(database, newest) if before is not None else None\n"
                "    return Upgraded(before, newest, kept)\n",
            ),
        ),
        ("migrate.between",),
        "no backup",
    ),
    Guard(
        "all migrations are one transaction",
        "migrations/versions/0002_memories.py",
        (("    op.create_index(", '    op.execute("COMMIT")\n    op.execute("BEGIN")\n    op.create_index('),),
        ("migrate.stamping",),
        "did not start|half migrated",
    ),
)


@contextmanager
def without(guard: Guard, copy: Path) -> Generator[None]:
    """The copied product without the guard, for the time of the block."""
    file = copy / guard.file
    whole = file.read_text(encoding="utf-8")
    file.write_text(guard.without(whole), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(whole, encoding="utf-8")


def copied(folder: Path) -> Path:
    """The product's packages in a new folder of their own, which the guards are taken from."""
    for package in ("app", "migrations"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("static"))
    (folder / "app" / "static").symlink_to(ROOT / "app" / "static")
    return folder


async def noticed(guard: Guard, copy: Path, folder: Path, model: SlowModel, seed: int) -> str | None:
    """What the checks say without the guard; None when they say nothing."""
    kills = [Kill(BY_NAME[name], guard.hit) for name in guard.points]
    with without(guard, copy), Nursery(model, copy) as nursery:
        chain = Chain(folder, nursery, seed, Tally(), lambda _: None)
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
    """What an error says, or those of a group."""
    if not isinstance(error, ExceptionGroup):
        return [str(error)]
    inner = cast("ExceptionGroup[Exception]", error).exceptions
    return [message for one in inner for message in _messages(one)]
