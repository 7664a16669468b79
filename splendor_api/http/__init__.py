"""HTTP over Flask: bytes in, bytes out. Statuses, headers, problems; no rule, no state.

A view is a pure function of parsed values. Each module of views ends in its table of operations;
`table.OPERATIONS` joins them, and Flask's routes, batch and the tests of the contract read it.
"""
