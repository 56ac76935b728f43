"""Limits of budgets, out of the way of benchmarks: all requests come from one address, as fast as they are answered."""


def lift_budgets() -> None:
    """Lift every budget for everyone, in the migrated database of a benchmark."""
    from accounts.budgets import BUDGETS, KINDS
    from accounts.models import BudgetLimit

    limits = [BudgetLimit(budget=budget.name, subject=kind) for budget in BUDGETS for kind in KINDS]
    BudgetLimit.objects.bulk_create(limits, ignore_conflicts=True)
