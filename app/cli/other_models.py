"""Tell which projects are not searched with EMBEDDING_MODEL: a setting does not switch those that there are."""

from app import services


async def describe_other_models(footnote: services.Services, program: str = "footnote") -> str | None:
    """A sentence with the command that switches them; None if there are none, or nobody has set EMBEDDING_MODEL."""
    settings = footnote.settings
    if "embedding_model" not in settings.model_fields_set:
        return None
    found, count = await footnote.operator().projects_on_other_models(1)
    if not found:
        return None
    [(name, model)] = found
    left = f"“{name}” uses {model}" if count == 1 else f"{count:,} projects, such as “{name}”, use other models"
    switch = f"{program} reembed --project NAME"
    return f"EMBEDDING_MODEL={settings.embedding_model} applies to new projects; {left}. To switch a project: {switch}"
