"""What the service costs, as ratios measured side by side: `make bench`.

A machine is faster or slower from one minute to the next, so no figure here stands alone: what is
compared takes turns in short rounds of one run, each round gives one ratio, and what is reported is
the median of those with its quartiles. Only sizes are absolute.
"""
