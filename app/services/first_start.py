"""The first start on a database: create the owner and a sample project."""

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.locks import Lock
from app.database.models import Project, User
from app.database.protocol import Database
from app.knowledge.projects import sample

OWNER_EMAIL = "owner@localhost"


async def find_or_create_owner(database: Database, *, sample_project: bool) -> User:
    """The user of a server without sign-in.

    If there is none, this is the first start, and the sample project is created in the same transaction. So an
    interrupted start leaves both or neither, only one of two processes creates them, and a deleted sample project does
    not come back.
    """
    by_email = select(User).where(User.email == OWNER_EMAIL)
    async with database.read() as db:
        owner = await db.scalar(by_email)
    if owner is None:
        async with database.begin(Lock.FIRST_START) as db:
            owner = await db.scalar(by_email)
            if owner is None:
                wanted = sample_project and await _is_empty(db)
                owner = User(email=OWNER_EMAIL, name="Owner")
                db.add(owner)
                await db.flush()
                if wanted:
                    await sample.create_project(db, owner.id)
    return owner


async def _is_empty(db: AsyncSession) -> bool:
    """Whether nobody has used the database yet."""
    return not await db.scalar(select(exists(select(Project.id)) | exists(select(User.id))))
