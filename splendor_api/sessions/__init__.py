"""Games kept in Redis: one winner a version, nothing acknowledged is lost."""
