"""Hidden information with nothing stored: what it opens is what it sealed, or nothing."""
