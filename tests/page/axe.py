"""What axe finds wrong with a page, by the rules of WCAG 2.2 AA and its own best practices."""

from dataclasses import dataclass, field

from playwright.async_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN = """async ([within, values]) => {
  // An animation whose element goes is cancelled, which rejects its promise.
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  const options = { runOnly: values, resultTypes: ["violations"] };
  const { violations } = await axe.run(within ? { include: [within] } : document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}"""


@dataclass
class Audit:
    """Looks at a page, and keeps what is wrong by the name of what was looked at."""

    page: Page
    program: str
    found: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    async def look(self, name: str, within: str | None = None) -> None:
        """Look at what is shown; `within` selects a part: nothing behind a dialog can be reached."""
        if not await self.page.evaluate("() => 'axe' in window"):
            await self.page.evaluate(self.program)
        wrong = await self.page.evaluate(_RUN, [within, RULES])
        if wrong:  # what is still being drawn is whole at a second look
            wrong = await self.page.evaluate(_RUN, [within, RULES])
        if wrong:
            self.found[name] = wrong
