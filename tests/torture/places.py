"""Where the points are: by function, what lies before and after, and the line; and what must be so there."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

Local = Mapping[str, Any]
"""The local variables of the function at the point."""

During = Literal["work", "start", "migration", "compaction", "pause"]


def _version(document: Any) -> int:
    return 0 if document is None else int(document.version)


def _ends(local: Local) -> bool:
    return any(final is not None for final in local["finals"].values())


def _goes_on(local: Local) -> bool:
    return not _ends(local) and any(local["group"].values())


def _replaces(local: Local) -> bool:
    return any(running.replaces and _whole(final) for running, final in local["finals"].items())


def _whole(values: Mapping[str, Any] | None) -> bool:
    return values is not None and values["status"] == "COMPLETED"


def _gives_again(local: Local) -> bool:
    return any(running.replaces and local["finals"][running] is None for running in local["group"])


# By function: name | what lies before | what comes after, and below it "before" or "leaving" which line.
TABLE = """
app/knowledge/library.py Library.add
  add.committing | a new document's row, key and original are written | they are committed
    leaving BEGIN
  add.replacing | the original of a next version is written beside the former one | it is committed
    leaving BEGIN
  add.committed | a document is queued | the workers are told, the client is answered
    before self._signal.ring(QUEUE_TOPIC)
app/knowledge/library.py Library.retry
  retry.committing | a failed document is queued again | that is committed
    leaving BEGIN
  retry.committed | a failed document is queued again | the workers are told, the client is answered
    before self._signal.ring(QUEUE_TOPIC)
app/knowledge/queue.py Queue._take
  claim.committing | documents are marked PROCESSING | that is committed
    leaving BEGIN
app/knowledge/ingestion.py Ingestion._step
  claim.committed | documents are PROCESSING | they are read
    before self._ring(documents)
app/knowledge/ingestion.py Ingestion._store_all
  read | documents are parsed and split | they are embedded
    before project_id = reads[0].document.project_id
app/knowledge/ingestion.py Ingestion._update
  failing | a document turned out to be broken | its row says so
    leaving BEGIN
app/knowledge/ingestion.py Ingestion._store
  embedded | the vectors are there | the transaction that stores them begins
    before await self._indexing.store(
  store.committed | a document is READY | those who follow it are told
    before self._ring([read.document for read in reads])
app/knowledge/indexing.py Indexing._replace
  store.forgotten | chunks, full text and vectors of the former version are removed | the new ones are inserted
    before for item in items:
  store.inserted | the chunks' rows are inserted | full text and vectors are
    before entries = [
  store.indexed | full text and vectors are inserted | the document is READY
    before await db.execute(update(models.Document), [_ready(
app/knowledge/indexing.py Indexing.store
  store.committing | all of a document's next state is written | it is committed
    leaving BEGIN
app/knowledge/library.py Library.delete
  delete.forgotten | chunks, full text and vectors are removed | the document is
    before project = await db.get_one(
  delete.committing | all of a document is removed | that is committed
    leaving BEGIN
  delete.committed | a document is gone | the client is answered
    before self._ring(document)
app/knowledge/projects.py Projects.delete
  project.forgotten | full text and vectors of a whole project are removed | the project is
    before await db.delete(project)
  project.committing | all of a project is removed | that is committed
    leaving BEGIN
app/knowledge/spaces.py Spaces.ensure
  space.committing | a project's first embedding space and the table of its vectors are made | they are committed
    leaving BEGIN
app/chat/starting.py Starting.ask
  turn.committing | question and PENDING answer are written | they are committed
    leaving BEGIN
app/chat/starting.py Starting.again
  again.committing | a further PENDING answer to a question is written | it is committed
    leaving BEGIN
app/chat/turn.py Turns._work_on
  turn.committed | question and PENDING answer are there | the task that answers begins
    before running = self._journal.open(answer_id
  turn.started | the task that answers is made | the client is answered
    before await asyncio.sleep(0)
app/chat/journal.py Journal._flush
  journal.taken | events have happened | their transaction begins
    before there = await self._write(
  journal.committed | events are in the database | readers are told
    before self._publish(running, [] if gone else happened
  journal.ended | an answer is final | readers are told
    before self._publish(running, [] if gone else happened
  again.going | some of an answer that is given again is in the database | it is whole
    before self._publish(running, [] if gone else happened
app/chat/journal.py Journal._write
  journal.inserting | the messages' rows are updated | their events are inserted
    before await db.execute(insert(models.AnswerEvent), rows)
  journal.committing | events are inserted | they are committed
    leaving BEGIN
  journal.ending | an answer's last event and final status are written | they are committed
    leaving BEGIN
  again.final | the final status of an answer that was given again is written | the one before leaves its place
    before await self._update(db, running.replaces
  again.replacing | a whole answer has taken the place of the one before | that is committed
    leaving BEGIN
app/chat/journal.py Journal._update
  journal.updating | an answer's last event has happened | its final status and text are written
    before await db.execute(
app/chat/turn.py Turns.recover
  recover.answers | the answers of a dead process are found | the first of them is ended
    before for message_id in left:
  recover.answer | the transaction that ends an answer of a dead process has begun | its log is ended
    before await end(
  recover.committing | the last event and the final status of such an answer are written | they are committed
    leaving BEGIN
  recover.next | one answer of a dead process is ended | the next one is
    before BEGIN
app/chat/ending.py end
  recover.event | an answer's last event is inserted | its final status and text are written
    before final = draft.final(
app/knowledge/queue.py Queue.recover
  recover.documents | the documents of a dead process are found | they are put back into the queue
    before if left:
app/knowledge/queue.py Queue._put_back
  recover.queue | the documents of a dead process are back in the queue | that is committed
    leaving BEGIN
app/chat/compaction.py _compact
  compact.inserted | the short form of a log is inserted | its events are deleted
    before await db.execute(delete(models.AnswerEvent)
app/chat/compaction.py Compaction.run
  compact.committing | logs are short | that is committed
    leaving BEGIN
  compact.next | some logs are short | the next ones are
    before BEGIN
app/knowledge/embedding.py Embedding._keep
  pause.committing | a model has failed, and the vectors that it made are written | they are committed
    leaving BEGIN
app/knowledge/embedding.py Embedding.embed
  pause.committed | the vectors that a model made before it failed are kept | anybody is told
    before for work in works:
  resume.taken | kept vectors are taken up | the model is asked for the rest
    before await _embed(works, model, report)
app/knowledge/ingestion.py Ingestion._settle
  pause.waiting | vectors are kept, and the project is left alone | its documents are back in the queue
    before await self._update(document, status="QUEUED", stage="EMBEDDING"
app/knowledge/indexing.py Indexing._replace
  resume.forgotten | kept vectors are removed | what they belong to is inserted
    before chunk_ids = await _insert(
  resume.ready | a document that had to wait is READY | that is committed
    before update(models.Project)
app/database/backup.py _copy
  migrate.copying | a copy of the database is made | it has its name
    before _check(module, partial)
app/database/upgrade.py upgrade
  migrate.copied | a backup is there | the first migration begins
    before await connection.run_sync(_migrate, config)
migrations/versions/0003_token_calibrations.py upgrade
  migrate.between | one migration is done and stamped | the next one begins
    before op.create_table(
alembic/operations/batch.py ApplyBatchImpl._create
  migrate.doubled | all projects are copied to a new table | the old one is dropped
    before op_impl.drop_table(self.table)
  migrate.dropped | the table of the projects is dropped | the new one gets its name
    before op_impl.rename_table(
migrations/versions/0005_accounts.py upgrade
  migrate.renamed | the projects are in a new table | the next table is changed
    before op.create_index(op.f("ix_projects_name")
  migrate.members | all tables are there | every user becomes an owner of every project
    before op.execute(
alembic/runtime/migration.py MigrationContext.run_migrations
  migrate.stamping | a migration has run | its version is stamped
    before head_maintainer.update_to_step(step)
migrations/env.py _run
  migrate.done | all migrations are done and stamped | the check of all references begins
    leaving with context.begin_transaction():
app/database/upgrade.py upgrade
  migrate.committing | the references are checked | all of it is committed
    leaving async with engine.foreign_keys_off(
  migrate.committed | the database is at the newest version | anything else is done
    before return Upgraded(before, newest, kept)
"""

WHEN: Mapping[str, Callable[[Local], bool]] = {
    "add.committing": lambda local: _version(local.get("document")) == 1,
    "add.replacing": lambda local: _version(local.get("document")) > 1,
    "claim.committing": lambda local: bool(local.get("documents")),
    "claim.committed": lambda local: bool(local["documents"]),
    "read": lambda local: bool(local["by_project"]),
    "store.forgotten": lambda local: any(item.document.version > 1 for item in local["items"]),
    "store.committing": lambda local: bool(local["kept"]),
    "delete.forgotten": lambda local: local["document"].status == "READY",
    "turn.committing": lambda local: "question" in local,
    "again.committing": lambda local: "session" in local,
    "again.going": _gives_again,
    "again.replacing": _replaces,
    "journal.taken": lambda local: any(local["group"].values()),
    "journal.committing": _goes_on,
    "journal.committed": _goes_on,
    "journal.updating": lambda local: local["values"].get("status", "STREAMING") != "STREAMING",
    "journal.ending": _ends,
    "journal.ended": _ends,
    "recover.answers": lambda local: bool(local["left"]),
    "recover.next": lambda local: local["message_id"] != local["left"][0],
    "recover.documents": lambda local: bool(local["left"]),
    "compact.committing": lambda local: local["done"] > 0,
    "compact.next": lambda local: local["done"] > 0,
    "resume.taken": lambda local: any(work.done for work in local["works"]),
}

DURING: Mapping[str, During] = {
    "recover": "start",
    "migrate": "migration",
    "compact": "compaction",
    "pause": "pause",
    "resume": "pause",
}

# What is passed all the time is not always left at once; what is rare is not waited for. Else four times.
OFTEN = {
    **dict.fromkeys(("journal.taken", "journal.inserting", "journal.committing", "journal.committed"), 25),
    **dict.fromkeys(("again.going", "compact.inserted"), 8),
    **dict.fromkeys(("again.committing", "again.final", "again.replacing"), 2),
    **dict.fromkeys(("delete.forgotten", "delete.committing", "delete.committed", "store.forgotten"), 2),
    **dict.fromkeys(("retry.committing", "retry.committed", "failing", "project.forgotten", "project.committing"), 1),
    "migrate.stamping": 4,
}
