"""A rules service for Splendor and SET over HTTP."""

__version__ = "0.1.0"
