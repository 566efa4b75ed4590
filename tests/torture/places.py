"""What lies before and after each kill point, and what its local variables must hold there."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

Local = Mapping[str, Any]
"""The local variables of the function at the point."""

Dialect = Literal["sqlite", "postgresql"]

During = Literal["work", "start", "migration", "compaction", "pause", "switch"]


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


# Name | just before the marked line runs, or leaving its `with` block | what lies before | what comes after.
TABLE = """
add.committing | before | a new document's row, key and original are written | they are committed
add.replacing | before | the original of a next version is written beside the former one | it is committed
add.committed | before | a document is queued | the workers are told, the client is answered
retry.committing | before | a failed document is queued again | that is committed
retry.committed | before | a failed document is queued again | the workers are told, the client is answered
claim.committing | before | documents are marked PROCESSING | that is committed
claim.committed | before | documents are PROCESSING | they are read
read | before | documents are parsed and split | they are embedded
failing | before | the row of a document that turned out to be broken says so | that is committed
embedded | before | the vectors are there | the transaction that stores them begins
store.committed | before | a document is READY | those who follow it are told
store.forgotten | before | chunks, full text and vectors of the former version are removed | the new ones are inserted
store.inserted | before | the chunks' rows are inserted | full text and vectors are
store.indexed | before | full text and vectors are inserted | the document is READY
store.committing | before | all of a document's next state is written | it is committed
delete.forgotten | before | chunks, full text and vectors are removed | the document is
delete.committing | before | all of a document is removed | that is committed
delete.committed | before | a document is gone | the client is answered
project.marking | before | a project is marked as deleted | that is committed
project.marked | before | nobody sees a project any more | its content is deleted
project.shrinking | before | some chunks of a deleted project are removed | that is committed
project.forgotten | before | what was added to a deleted project since is removed | the project is
project.committing | before | all of a project is removed | that is committed
lock.taken | before | a transaction holds a lock that others wait for | it begins its work
space.committing | before | a project's first embedding space and its vector table are made | they are committed
turn.committing | before | question and PENDING answer are written | they are committed
again.committing | before | a further PENDING answer to a question is written | it is committed
turn.committed | before | question and PENDING answer are there | the task that answers begins
turn.started | before | the task that answers is made | the client is answered
journal.taken | before | events have happened | their transaction begins
journal.committed | before | events are in the database | readers are told
journal.ended | before | an answer is final | readers are told
again.going | before | some of an answer that is given again is in the database | it is whole
journal.inserting | before | the messages' rows are updated | their events are inserted
journal.committing | before | events are inserted | they are committed
journal.ending | before | an answer's last event and final status are written | they are committed
again.final | before | the final status of an answer that was given again is written | the one before leaves its place
branch.left | before | an answer has left its place | the next one takes it
branch.hidden | before | what one branch shows is hidden | that of another is shown
branch.room | before | an answer or question has left its place for a new one | what followed it is hidden
select.committing | before | another branch is shown | that is committed
again.replacing | before | a whole answer has taken the place of the one before | that is committed
journal.updating | before | an answer's last event has happened | its final status and text are written
recover.answers | before | the answers of a dead process are found | the first of them is ended
recover.answer | before | the transaction that ends an answer of a dead process has begun | its log is ended
recover.committing | before | the last event and the final status of such an answer are written | they are committed
recover.next | before | one answer of a dead process is ended | the next one is
recover.event | before | an answer's last event is inserted | its final status and text are written
recover.documents | before | the documents of a dead process are found | they are put back into the queue
recover.queue | leaving | the documents of a dead process are back in the queue | that is committed
compact.inserted | before | the short form of a log is inserted | its events are deleted
compact.committing | before | logs are short | that is committed
compact.next | before | some logs are short | the next ones are
pause.committing | leaving | a model has failed, and the vectors that it made are written | they are committed
pause.committed | before | the vectors that a model made before it failed are kept | anybody is told
resume.taken | before | kept vectors are taken up | the model is asked for the rest
pause.waiting | before | vectors are kept, and the project is left alone | its documents are back in the queue
resume.forgotten | before | kept vectors are removed | what they belong to is inserted
resume.ready | before | a document that had to wait is READY | that is committed
switch.requested | before | a space that is to be built is committed | anybody is told
reembed.claimed | before | a space belongs to the process that builds it | its first chunks are embedded
reembed.embedded | before | vectors of a batch are made | they are stored
reembed.committing | before | a batch of vectors is written, and how far they go | that is committed
reembed.committed | before | a batch of vectors is stored | the next one is made
switch.committing | before | a space takes the place of another | that is committed
switch.committed | before | a project is searched with another model | anybody is told
retire.committing | before | some vectors of a former space are removed | that is committed
migrate.copying | before | a copy of the database is made | it has its name
migrate.copied | before | a backup is there | the first migration begins
migrate.between | before | one migration is done and stamped | the next one begins
migrate.doubled | before | all projects are copied to a new table | the old one is dropped
migrate.dropped | before | the table of the projects is dropped | the new one gets its name
migrate.renamed | before | the projects are in a new table | the next table is changed
migrate.members | before | all tables are there | every user becomes an owner of every project
migrate.based | before | the tables of a new database are made | their version is stamped
migrate.later | before | one of the later migrations is done and stamped | the next one begins
migrate.stamping | before | a migration has run | its version is stamped
migrate.done | leaving | all migrations are done and stamped | the check of all references begins
migrate.committing | leaving | the references are checked | all of it is committed
migrate.committed | before | the database is at the newest version | anything else is done
"""

OUTSIDE: Mapping[str, tuple[str, str, str]] = {
    "migrate.doubled": ("alembic/operations/batch.py", "_create", "op_impl.drop_table(self.table)"),
    "migrate.dropped": ("alembic/operations/batch.py", "_create", "op_impl.rename_table("),
    "migrate.stamping": ("alembic/runtime/migration.py", "run_migrations", "head_maintainer.update_to_step(step)"),
}
"""Points in a library, where no marker can stand: the file, the function, and a piece of the line."""

ONLY_ON: Mapping[str, Dialect] = {
    **dict.fromkeys(("migrate.copying", "migrate.copied", "migrate.between", "migrate.doubled"), "sqlite"),
    **dict.fromkeys(("migrate.dropped", "migrate.renamed", "migrate.members", "migrate.committing"), "sqlite"),
    "lock.taken": "postgresql",
}
"""Points in what one kind of database needs. One on a server begins with later migrations."""

WHEN: Mapping[str, Callable[[Local], bool]] = {
    "add.committing": lambda local: any(document.version == 1 for document in local["started"]),
    "add.replacing": lambda local: any(document.version > 1 for document in local["started"]),
    "claim.committing": lambda local: bool(local["ids"]),
    "claim.committed": lambda local: bool(local["documents"]),
    "store.forgotten": lambda local: any(item.document.version > 1 for item in local["items"]),
    "store.committing": lambda local: bool(local["wanted"]),
    "delete.forgotten": lambda local: local["document"].status == "READY",
    "project.shrinking": lambda local: bool(local["ids"]),
    "lock.taken": lambda local: local["locks"] != (),
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
    "recover.answers": lambda local: bool(local["abandoned"]),
    "recover.next": lambda local: local["message_id"] != local["abandoned"][0],
    "recover.documents": lambda local: bool(local["left"]),
    "compact.committing": lambda local: bool(local["compacted"]),
    "compact.next": lambda local: local["done"] > 0,
    "resume.taken": lambda local: any(job.done for job in local["jobs"]),
}

DURING: Mapping[str, During] = {
    "recover": "start",
    "migrate": "migration",
    "compact": "compaction",
    "pause": "pause",
    "resume": "pause",
    "switch": "switch",
    "reembed": "switch",
    "retire": "switch",
}

# What is passed all the time is not always left at once; what is rare is not waited for. Else four times.
OFTEN = {
    **dict.fromkeys(("journal.taken", "journal.inserting", "journal.committing", "journal.committed"), 25),
    **dict.fromkeys(("again.going", "compact.inserted"), 8),
    **dict.fromkeys(("again.committing", "again.final", "again.replacing", "branch.left", "branch.hidden"), 2),
    **dict.fromkeys(("branch.room", "select.committing"), 2),
    **dict.fromkeys(("delete.forgotten", "delete.committing", "delete.committed", "store.forgotten"), 2),
    **dict.fromkeys(("retry.committing", "retry.committed", "failing", "project.marking", "project.marked"), 1),
    **dict.fromkeys(("project.shrinking", "project.forgotten", "project.committing"), 1),
    "migrate.stamping": 4,
}
