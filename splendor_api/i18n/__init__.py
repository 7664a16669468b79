"""Sentences for people: what a code means, in their language. Imports no other room."""
