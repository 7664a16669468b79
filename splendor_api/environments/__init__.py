"""Games as environments for learning agents: PettingZoo's interface, for whoever has installed it.

`pip install "splendor-api[pettingzoo]"` brings what this room needs beside the rules.
"""

try:
    import pettingzoo  # noqa: F401 - everything here stands on it
except ImportError as error:
    raise ImportError(
        'Environments need PettingZoo: pip install "splendor-api[pettingzoo]".'
    ) from error
