"""Opponents at work: what thinks for long does so in processes of its own.

Advice is the games' own affair; here it gets time, and no more of the machine than is its due.
"""
