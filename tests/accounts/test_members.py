"""Authorization: members and roles, data export and erasure, the audit trail."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event

from app import errors
from app.accounts.members import Role, may_see
from app.database import models, opening, upgrade
from tests import old_databases
from tests.accounts.account_services import PASSWORD, AccountServices, open_account_services
from tests.old_databases import OWNER


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncGenerator[AccountServices]:
    async with open_account_services(tmp_path) as opened:
        yield opened


def test_each_role_includes_the_lower_ones() -> None:
    reached = {role: {least for least in Role if role.is_at_least(least)} for role in Role}
    assert reached == {
        Role.VIEWER: {Role.VIEWER},
        Role.EDITOR: {Role.VIEWER, Role.EDITOR},
        Role.OWNER: {Role.VIEWER, Role.EDITOR, Role.OWNER},
    }


def test_a_chat_session_is_visible_to_its_maker_and_when_shared_to_members() -> None:
    own, shared, other = (
        models.ChatSession(created_by=maker, shared=shared)
        for maker, shared in (("kim", False), ("pat", True), ("pat", False))
    )
    assert [may_see(session, "kim", Role.VIEWER) for session in (own, shared, other)] == [True, True, False]
    assert not any(may_see(session, "kim", None) for session in (own, shared, other))
    assert not may_see(other, "kim", Role.OWNER)


async def test_roles_in_many_projects_are_one_query(accounts: AccountServices) -> None:
    user = await accounts.kim()
    projects = [await accounts.project(f"Project {n}") for n in range(10)]
    for project in projects[:7]:
        await accounts.members.set_member(project.id, user.id, Role.EDITOR, user.id)
    statements: list[str] = []

    def note(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if connection.engine.url.database == accounts.database.name:
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    roles = await accounts.members.roles_by_project(user.id, [project.id for project in projects])
    members = await accounts.members.members_by_project([project.id for project in projects])
    event.remove(Engine, "before_cursor_execute", note)
    assert roles == {project.id: Role.EDITOR for project in projects[:7]}
    assert [len(found) for found in members] == [1] * 7 + [0] * 3
    assert len([statement for statement in statements if statement.startswith("SELECT")]) == 2


async def test_a_project_keeps_its_last_owner(accounts: AccountServices) -> None:
    first, second = await accounts.kim("first@example.org"), await accounts.kim("second@example.org")
    project, other = await accounts.project(), await accounts.project("Other")
    await accounts.members.set_member(project.id, first.id, Role.OWNER, first.id)
    await accounts.members.set_member(other.id, second.id, Role.OWNER, second.id)
    await accounts.members.set_member(project.id, first.id, Role.OWNER, first.id)
    for change in (
        accounts.members.remove_member(project.id, first.id, first.id),
        accounts.members.set_member(project.id, first.id, Role.EDITOR, first.id),
    ):
        with pytest.raises(errors.Conflict, match="at least one owner"):
            await change
    await accounts.members.set_member(project.id, second.id, Role.OWNER, first.id, "192.0.2.7")
    # Both leave at once: one of them has to stay.
    left = await asyncio.gather(
        *(accounts.members.remove_member(project.id, user.id, user.id) for user in (first, second)),
        return_exceptions=True,
    )
    assert [type(one) for one in left if one is not None] == [errors.Conflict]
    (members,) = await accounts.members.members_by_project([project.id])
    assert [member.role for member in members] == [Role.OWNER]


async def test_members_are_listed_owners_first_and_their_changes_are_kept(accounts: AccountServices) -> None:
    owner, editor, viewer = [await accounts.kim(f"{name}@example.org") for name in ("owner", "editor", "viewer")]
    project = await accounts.project()
    await accounts.members.set_member(project.id, viewer.id, Role.VIEWER, owner.id)
    await accounts.members.set_member(project.id, editor.id, Role.VIEWER, owner.id)
    await accounts.members.set_member(project.id, owner.id, Role.OWNER, owner.id)
    await accounts.members.set_member(project.id, editor.id, Role.EDITOR, owner.id, "192.0.2.7")
    await accounts.members.set_member(project.id, editor.id, Role.EDITOR, owner.id)
    (members,) = await accounts.members.members_by_project([project.id])
    assert [(member.user.email, member.role) for member in members] == [
        ("owner@example.org", Role.OWNER),
        ("editor@example.org", Role.EDITOR),
        ("viewer@example.org", Role.VIEWER),
    ]
    await accounts.members.remove_member(project.id, viewer.id, owner.id)
    with pytest.raises(errors.NotFound):
        await accounts.members.remove_member(project.id, viewer.id, owner.id)
    newest = await accounts.audit.events_of_project(project.id, limit=2)
    assert [(row.kind, row.actor_id, row.subject_id, row.address, row.details) for row in newest] == [
        ("MEMBER_REMOVED", owner.id, viewer.id, None, {"before": "VIEWER"}),
        ("MEMBER_SET", owner.id, editor.id, "192.0.2.7", {"role": "EDITOR", "before": "VIEWER"}),
    ]


async def test_unknown_users_and_projects_have_no_members(accounts: AccountServices) -> None:
    user, project = await accounts.kim(), await accounts.project()
    for change in (
        accounts.members.set_member("none", user.id, Role.VIEWER, user.id),
        accounts.members.set_member(project.id, "none", Role.VIEWER, user.id),
        accounts.members.remove_member(project.id, user.id, user.id),
    ):
        with pytest.raises(errors.NotFound):
            await change


async def test_old_audit_entries_are_deleted(accounts: AccountServices) -> None:
    user = await accounts.kim()
    await accounts.audit.prune_events(models.now() - timedelta(days=1))
    assert await accounts.kinds(user.id) == ["USER_CREATED"]
    await accounts.audit.prune_events(models.now() + timedelta(seconds=1))
    assert await accounts.kinds(user.id) == []


async def test_users_from_before_roles_own_everything(tmp_path: Path) -> None:
    file = tmp_path / "footnote.db"
    await old_databases.make(file, "0004", OWNER, old_databases.project("a"), old_databases.project("b"))
    database = opening.open_database(f"sqlite:///{file}")
    assert (await upgrade.upgrade_database(database)).before == "0004"
    await database.close()
    async with open_account_services(tmp_path) as accounts:
        assert await accounts.members.roles_by_project("u", ["a", "b"]) == {"a": Role.OWNER, "b": Role.OWNER}
        (user,) = await accounts.users.by_ids(["u"])
        assert user is not None
        assert (user.disabled_at, user.sign_in_generation) == (None, 0)
        (members, _) = await accounts.members.members_by_project(["a", "b"])
        assert members[0].user.id == "u"


# ------------------------------------------------------------------ what is kept about a user


async def lived(accounts: AccountServices, email: str) -> tuple[models.User, models.Project]:
    """A user with rows in every table."""
    user = await accounts.kim(email)
    project = await accounts.project(f"Project of {email}")
    await accounts.members.set_member(project.id, user.id, Role.OWNER, user.id, "192.0.2.7")
    await accounts.access_tokens.create(user.id, f"token of {email}")
    await accounts.setup_tokens.create(user.id)
    await accounts.signing_in.sign_in(email, PASSWORD, "192.0.2.7")
    async with accounts.database.begin() as db:
        session = models.ChatSession(project_id=project.id, created_by=user.id, title=f"Session of {email}")
        db.add_all([session, models.Identity(issuer="https://id.example.org", subject=email, user_id=user.id)])
        db.add(models.Memory(project_id=project.id, user_id=user.id, content=f"Memory of {email}", importance=1.0))
        await db.flush()
        message = models.Message(
            project_id=project.id,
            session_id=session.id,
            role="USER",
            content=f"Question of {email}",
            status="COMPLETED",
        )
        db.add(message)
        await db.flush()
        db.add(models.AnswerEvent(message_id=message.id, sequence=1, payload={"text": f"Event of {email}"}))
        mine = {"message_id": message.id, "user_id": user.id, "project_id": project.id}
        db.add(models.AnswerRating(**mine, helpful=True, comment=f"Rating of {email}"))
        db.add(models.CitationOpening(**mine, citation_index=1, count=1))
        db.add(models.MessageTextUser(user_id=user.id))
    return user, project


async def test_a_users_export_has_all_of_their_data_and_nobody_elses(accounts: AccountServices) -> None:
    user, project = await lived(accounts, "kim@example.org")
    other, _ = await lived(accounts, "pat@example.org")
    await accounts.members.set_member(project.id, other.id, Role.VIEWER, user.id, "192.0.2.99")
    found = await accounts.personal.export_user(user.id)
    assert {table: len(rows) for table, rows in found.items()} == {
        "users": 1,
        "passwords": 1,
        "identities": 1,
        "access_tokens": 1,
        "setup_tokens": 1,
        "sign_ins": 1,
        "project_members": 1,
        "memories": 1,
        "chat_sessions": 1,
        "messages": 1,
        "answer_ratings": 1,
        "citation_openings": 1,
        "message_text_users": 1,
        "audit_events": 5,
        "token_calibrations": 0,
    }
    assert found["users"][0]["email"] == "kim@example.org"
    assert found["messages"][0]["content"] == "Question of kim@example.org"
    assert found["answer_ratings"][0]["comment"] == "Rating of kim@example.org"
    assert "pat@example.org" not in str(found)
    assert "argon2" not in str(found)
    assert not any("hash" in column for rows in found.values() for row in rows for column in row)
    assert (await accounts.kinds(user.id))[-1] == "DATA_EXPORTED"
    # Where the owner was when they made Pat a member is the owner's.
    assert "192.0.2.99" not in str(await accounts.personal.export_user(other.id))


async def test_erased_data_is_gone_from_the_file(tmp_path: Path) -> None:
    async with open_account_services(tmp_path) as accounts:
        kim, pat = [await lived(accounts, f"{name}@example.org") for name in ("kim", "pat")]
        async with accounts.database.begin() as db:
            for user, project in (kim, pat):
                # Long enough to lie in pages of its own.
                content = f"Long memory of {user.email}. " * 2000
                db.add(models.Memory(project_id=project.id, user_id=user.id, content=content, importance=1.0))
        await accounts.members.set_member(kim[1].id, pat[0].id, Role.OWNER, kim[0].id)
    kept = await asyncio.to_thread((tmp_path / "footnote.db").read_bytes)
    assert b"Long memory of kim" in kept
    async with open_account_services(tmp_path) as accounts:
        await accounts.personal.erase_user(kim[0].id)
    kept = await asyncio.to_thread((tmp_path / "footnote.db").read_bytes)
    for trace in (b"Long memory of ", b"Question of ", b"Session of ", b"Event of ", b"token of "):
        assert trace + b"pat@example.org" in kept
        assert trace + b"kim@example.org" not in kept
    # The project was called so, and stays; nothing else knows of Kim.
    assert kept.count(b"kim@example.org") == kept.count(b"Project of kim@example.org") > 0


async def test_erasing_a_user_leaves_only_anonymous_audit_entries(accounts: AccountServices) -> None:
    user, project = await lived(accounts, "kim@example.org")
    other, _ = await lived(accounts, "pat@example.org")
    token, _ = await accounts.access_tokens.create(user.id, "script")
    await accounts.authentication.authenticate(token)
    with pytest.raises(errors.Conflict, match=r"“Project of kim@example\.org”"):
        await accounts.personal.erase_user(user.id)
    assert (await accounts.authentication.authenticate(token)).user.id == user.id
    await accounts.members.set_member(project.id, other.id, Role.OWNER, user.id)
    await accounts.personal.erase_user(user.id)
    with pytest.raises(errors.Unauthenticated):
        await accounts.authentication.authenticate(token)
    for table in ("users", "passwords", "identities", "access_tokens", "setup_tokens", "sign_ins", "memories"):
        assert await accounts.count(table) == 1, table
    for table in ("chat_sessions", "messages", "answer_events"):
        assert await accounts.count(table) == 1, table
    trail = await accounts.audit.events_of_user(user.id)
    assert trail[0].kind == "USER_ERASED"
    assert {(row.address, str(row.details)) for row in trail} == {(None, "{}")}
    assert (await accounts.members.members_by_project([project.id]))[0][0].user.id == other.id
    assert await accounts.users.by_email("kim@example.org") is None
    again = await accounts.kim()
    assert again.id != user.id
