"""What axe finds wrong with a page, by the rules of WCAG 2.2 AA and its own best practices."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from playwright.async_api import Page

ALL_RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# What colours, the width of the window, and fingers decide about. All else is the same in every look.
LOOK_RULES = {
    "type": "rule",
    "values": [
        "aria-hidden-focus",
        "color-contrast",
        "css-orientation-lock",
        "link-in-text-block",
        "meta-viewport",
        "meta-viewport-large",
        "page-has-heading-one",
        "region",
        "scrollable-region-focusable",
        "skip-link",
        "target-size",
    ],
}
_RUN = """async ([within, runOnly]) => {
  // An animation whose element goes is cancelled, which rejects its promise.
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  // What the results would say of where elements are, nobody reads.
  const places = { selectors: false, ancestry: false, elementRef: false };
  const options = { runOnly, resultTypes: ["violations"], iframes: false, ...places };
  const { violations } = await axe.run(within ? { include: [within] } : document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}"""


@dataclass
class Audit:
    """Looks at a page, and keeps what is wrong by the name of what was looked at."""

    page: Page
    program: str
    rules: Mapping[str, object] = field(default_factory=lambda: ALL_RULES)
    found: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    async def look(self, name: str, within: str | None = None) -> None:
        """Look at what is shown; `within` selects a part: nothing behind a dialog can be reached."""
        if not await self.page.evaluate("() => 'axe' in window"):
            await self.page.evaluate(self.program)
        wrong = await self.page.evaluate(_RUN, [within, self.rules])
        if wrong:  # what is still being drawn is whole at a second look
            wrong = await self.page.evaluate(_RUN, [within, self.rules])
        if wrong:
            self.found[name] = wrong
