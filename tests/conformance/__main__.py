"""Write the kit again, and the table of counts: `python -m tests.conformance`."""

from tests.conformance.kit import HERE, PERFT, files
from tests.conformance.perft import table

PAGE = HERE.parent / "docs" / "perft.md"
BEGIN, END = "<!-- begin: counts -->\n", "<!-- end: counts -->\n"

made = files()
for name, content in made.items():
    (HERE / name).write_bytes(content)
before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
_, _, after = rest.partition(END)
PAGE.write_text(before + BEGIN + table(made[PERFT].splitlines()) + END + after, "utf-8")
