"""The functional core: games as pure functions over immutable states."""
