"""Writes that tests begin, and what they wrote."""

from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import models

PATIENCE = 60.0


def add(name: str) -> Callable[[Session], models.Project]:
    def work(db: Session) -> models.Project:
        project = models.Project(name=name)
        db.add(project)
        return project

    return work


def names(db: Session) -> list[str]:
    return list(db.scalars(select(models.Project.name).order_by(models.Project.name)))
