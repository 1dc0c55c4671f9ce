"""One module a library for peers.py: `measure(quick)` yields a `Row` for each thing measured.

Each runs in a process of its own. `HOW` says in words how the library does the work.
"""
