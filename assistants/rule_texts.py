"""Rule sheets as resources and as one tool."""

from collections.abc import Iterable

from assistants.club_tools import Slug
from assistants.shapes.rules import (
    EventRules,
    HouseRules,
    HouseRulesList,
    HouseRulesVersion,
    Ruleset,
    RulesetList,
    Section,
)
from assistants.site_api import Site, path

MARKDOWN = "text/markdown"


class RuleTexts:
    """Rule sheets in Markdown."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def rulesets(self) -> str:
        """Published rulesets, a line each: name for `foothold://rulesets/<name>`, and title."""
        rows = await self._site.get(RulesetList, "rulesets/")
        return "\n".join(f"- {each.name}: {each.title}" for each in rows.rulesets)

    async def ruleset(self, name: str) -> str:
        """The rule sheet of a published ruleset."""
        return (await self._site.get(Ruleset, path("rulesets", name))).sheet

    async def house_rules(self, club: str, rules: str) -> str:
        """The newest version of a club’s house rules."""
        newest = (await self._site.get(HouseRules, path("clubs", club, "rules", rules))).newest
        version = await self._site.get(HouseRulesVersion, path("clubs", club, "rules", rules, "versions", newest))
        return _text(version.name, version.sheet)

    async def all_house_rules(self, club: str) -> str:
        """The house rules of a club, a line each."""
        rows = await self._site.get(HouseRulesList, path("clubs", club, "rules"))
        return "\n".join(f"- {each.slug}: {each.name}" for each in rows.rules)

    async def read_event_rules(self, event: Slug) -> str:
        """Read the rules of an event in words: rule sheet, format, scoring."""
        rules = await self._site.get(EventRules, path("events", event, "rules"))
        stages = [Section(title=stage.name, sentences=stage.sentences) for stage in rules.stages]
        return _text(rules.title, [*rules.sections, Section(title="Matches", sentences=rules.matches), *stages])


def _text(title: str, sections: Iterable[Section]) -> str:
    parts = [f"# {title}"]
    for section in sections:
        parts += [f"## {section.title}", "\n".join(f"- {sentence}" for sentence in section.sentences)]
    return "\n\n".join(parts)
