"""Compare a game's core with the reference: `python -m tests.reference splendor 1000000`.

Games follow one another until so many actions have been judged by both. With a third argument, a
file, what is done is kept there after each game, and a later run goes on from it. Ends with status
1 if there is any difference, and says each.
"""

import sys
from collections import Counter
from pathlib import Path

from splendor_api.wire import json_text
from tests.reference.core import Core
from tests.reference.differential import Effort, Tally, play
from tests.reference.subjects import SUBJECTS

STEPS = 40  # of a series of games that follows from one seed
EFFORT = Effort(actions=48, damages=6)


def main(game: str, most: int, kept: Path | None) -> int:
    """Compare `most` actions; return how many differences there are."""
    series, differences, tally = _resumed(kept)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
    while tally.actions < most:
        series += 1
        found = play(
            SUBJECTS[game],
            f"{game} {series}",
            STEPS,
            Core(game),
            most=1_000,
            effort=EFFORT,
            tally=tally,
        )
        differences += len(found)
        sys.stdout.writelines(f"{difference}\n\n" for difference in found)
        if kept is not None:
            whole = {"series": series, "differences": differences, "compared": dict(tally.compared)}
            kept.write_bytes(json_text.write(whole))
    for what, count in sorted(tally.compared.items()):
        sys.stdout.write(f"{what:35} {count:>12,}\n")
    sys.stdout.write(f"{tally.actions:,} actions in {series:,} series: {differences} differences\n")
    return differences


def _resumed(kept: Path | None) -> tuple[int, int, Tally]:
    if kept is None or not kept.exists():
        return 0, 0, Tally()
    whole = json_text.read(kept.read_bytes())
    assert isinstance(whole, dict)
    return whole["series"], whole["differences"], Tally(Counter(whole["compared"]))


if __name__ == "__main__":
    name, wanted, *file = sys.argv[1:]
    sys.exit(1 if main(name, int(wanted), Path(file[0]) if file else None) else 0)
