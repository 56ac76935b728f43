"""What is kept, and how long: every model has a rule or a reason, and every rule its words."""

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.utils import timezone
from django.utils.translation import override

from accounts import retention

RULES = retention.rules()


def test_every_model_has_a_rule_or_a_reason():
    declared = {rule.model for rule in RULES} | set(retention.reasons())
    models = {model for model in apps.get_models(include_auto_created=True) if not model._meta.proxy}
    assert models - declared == set(), "Say in the app’s retention.py how long its rows are kept, or why they stay"
    assert declared - models == set()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_words_of_a_rule_name_its_age(rule, language):
    with override(language):
        assert [int(days) for days in re.findall(r"\d+", rule.duration_words)] == [rule.age.days] * (rule.age.days > 1)


def test_the_docs_have_the_same_table():
    text = (Path(__file__).parents[2] / "docs" / "running.md").read_text()
    table = text.partition("| data | deleted after | reason |\n| --- | --- | --- |\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| {rule.title} | {rule.duration_words} | {rule.why} |" for rule in RULES]


@pytest.mark.django_db
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_finds_its_rows_by_one_query(rule, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert list(rule.past(timezone.now())) == []
