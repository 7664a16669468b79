"""Write the playthroughs and the counts again: `python -m tests.playthroughs`."""

from tests.playthroughs.games import GAMES, HERE, counts_text, text_of

for name in GAMES:
    (HERE / f"{name}.txt").write_text(text_of(name), "utf-8")
(HERE / "counts.txt").write_text(counts_text(), "utf-8")
