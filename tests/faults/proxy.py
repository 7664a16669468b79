"""A proxy before a Redis server that loses answers: what was asked is done, and nobody is told."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread

COMMIT = b":feed"  # is in every commit, and in nothing else that is asked


class LossyProxy:
    """Passes on what is asked and answered; loses the answer to a commit when told so."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._to_lose = 0
        self.marker = COMMIT
        self.lost = 0
        self._open: list[socket.socket] = [self._listener]
        self._threads = [Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """What the setting REDIS_URL is to be."""
        return f"redis://127.0.0.1:{self.port}"

    def lose(self, answers: int, marker: bytes = COMMIT) -> None:
        """Lose the next answers to requests that have the marker in them."""
        with self._lock:
            self._to_lose, self.marker = answers, marker

    def close(self) -> None:
        """End every connection."""
        for each in list(self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join()
        for each in list(self._open):
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._target))
                self._open += [client, server]
                link = _Link(self, client, server)
                threads = [Thread(target=link.ask), Thread(target=link.answer)]
                self._threads += threads
                for thread in threads:
                    thread.start()

    def loses(self) -> bool:
        """Return whether the answer that has come is to be lost."""
        with self._lock:
            if not self._to_lose:
                return False
            self._to_lose -= 1
            self.lost += 1
            return True


class _Link:
    """One connection through the proxy; a Redis client asks one thing at a time."""

    def __init__(self, proxy: LossyProxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy, self._client, self._server = proxy, client, server
        self._is_marked = False

    def ask(self) -> None:
        with suppress(OSError):
            while data := self._client.recv(65536):
                self._is_marked = self._proxy.marker in data
                self._server.sendall(data)
        self._end()

    def answer(self) -> None:
        with suppress(OSError):
            while data := self._server.recv(65536):
                if self._is_marked and self._proxy.loses():
                    break
                self._client.sendall(data)
        self._end()

    def _end(self) -> None:
        for each in (self._client, self._server):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def lossy_proxy(target: Path) -> Iterator[LossyProxy]:
    """Run a proxy before the server at a socket as long as the context lasts."""
    proxy = LossyProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
