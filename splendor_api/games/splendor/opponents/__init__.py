"""Opponents for Splendor: what a seat may want, ways to play, and the reasons they give."""
