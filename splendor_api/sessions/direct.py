"""The short way to one server of Redis, for the scripts that sessions live by.

What redis-py does around a command it does for all kinds of them, and of servers: it asks the
socket before each whether it is still good, counts what it does, looks for commands that need
another first. For a script that takes longer than the script. Here a script is written, sent and
answered, on a connection of redis-py's own and with its way of trying again; all other commands go
its way.
"""

from __future__ import annotations

import os
from time import monotonic
from typing import Any, Final

from redis import Connection, ConnectionPool, Redis
from redis.exceptions import DataError

READY_FOR: Final = 1.0  # seconds for which a connection that was good is taken to be so still


class Packer:
    """Writes commands for the server (RESP2), each in one piece.

    redis-py's own copies what it has so far for each argument, and asks more of each; an action in
    a session has thirty of them.
    """

    def pack(self, *args: Any) -> list[bytes]:
        """Return a command; its name may be of several words. Raises `DataError`."""
        name, *rest = args
        texts = [*_encoded(name).split(), *map(_encoded, rest)]
        parts = [b"$%d\r\n%b\r\n" % (len(text), text) for text in texts]
        return [b"*%d\r\n%b" % (len(texts), b"".join(parts))]


def _encoded(value: object) -> bytes:
    if type(value) is str:
        return value.encode()
    if type(value) is bytes:
        return value
    if type(value) in (int, float):
        return repr(value).encode()
    raise DataError(f"an argument of a command is no {type(value).__name__}")


PACKER: Final = Packer()


class ReadyPool(ConnectionPool):
    """Connections that are used again at once, the last one first, without a look at them.

    One that has been idle for longer is looked at, as the library does with each: its server may
    have closed it.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._ready: list[tuple[Connection, float]] = []
        super().__init__(*arguments, **named)

    def reset(self) -> None:
        """Begin anew, as a process does after a fork."""
        self._ready = []
        super().reset()

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """Return a connection for nobody else to use; raise what redis-py raises."""
        if self.pid == os.getpid():
            try:
                connection, since = self._ready.pop()
            except IndexError:
                pass
            else:
                if monotonic() - since < READY_FOR:
                    return connection
                super().release(connection)
        return super().get_connection()

    def release(self, connection: Any) -> None:
        """Take a connection back."""
        if self.pid == os.getpid() == connection.pid:
            self._ready.append((connection, monotonic()))
        else:
            super().release(connection)


class DirectClient(Redis):
    """A client whose scripts go the short way."""

    def evalsha(self, sha: str, numkeys: int, *keys_and_args: Any) -> Any:
        """Run a script that the server knows; raise what redis-py raises."""
        if self.connection is not None:  # its own, which others may use beside this
            return super().evalsha(sha, numkeys, *keys_and_args)
        command = PACKER.pack("EVALSHA", sha, numkeys, *keys_and_args)
        pool: Any = self.connection_pool  # of whose connections the types are not told
        connection = pool.get_connection()

        def answered() -> Any:
            connection.send_packed_command(command, check_health=False)
            return connection.read_response()

        try:
            return connection.retry.call_with_retry(answered, lambda _: connection.disconnect())
        finally:
            pool.release(connection)
