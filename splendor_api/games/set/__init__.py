"""The rules of SET."""
