"""Every game that has a reference."""

from tests.reference.differential import Subject
from tests.reference.draw_set import SET
from tests.reference.draw_splendor import SPLENDOR

SUBJECTS: dict[str, Subject] = {"splendor": SPLENDOR, "set": SET}
