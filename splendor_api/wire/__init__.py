"""Bytes to plain data and back, and every fault of a request named.

The room knows no game. `json_text` reads and writes JSON strictly (RFC 8259), `faults` says what
is wrong and where (RFC 6901), `readers` read values of every kind, and `fields` makes of them
strict marshmallow fields and schemas. `requests` says what may be asked, `game` what a game hands
over, and `bodies` makes of that the reader of every request. What the room hands on is typed and
bounded; what is wrong with a request comes out as `Malformed` or `InvalidRequest` and as nothing
else.
"""
