"""How hard tests try: `--hypothesis-profile=ci` or `nightly` tries harder than `inner`.

The first two draw the same examples each time, so that a change is judged by what it changes.
"""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, settings

INNER: Final = "inner"

PATIENT: Final = (HealthCheck.too_slow, HealthCheck.data_too_large)
"""A state is drawn by playing up to it, which takes longer than to draw a number."""


def register() -> None:
    """Make the profiles known, and use the quick one."""
    settings.register_profile(
        INNER,
        max_examples=15,
        stateful_step_count=30,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=PATIENT,
    )
    settings.register_profile("ci", settings.get_profile(INNER), max_examples=100)
    settings.register_profile(
        "nightly",
        max_examples=2_000,
        stateful_step_count=60,
        deadline=None,
        print_blob=True,
        suppress_health_check=PATIENT,
    )
    settings.load_profile(INNER)


def tries(few: int, many: int) -> int:
    """Return how often a test tries that says so itself: `few` times in the inner loop."""
    return few if settings.get_current_profile_name() == INNER else many
