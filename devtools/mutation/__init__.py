# SPDX-License-Identifier: BSD-3-Clause
"""The parts of devtools/mutants.

  lists.py    the bugs of tests/mutants: reads and checks them
  bench.py    a copy of the tree with its build, and the stages of tests that the bugs of the lists meet
  rules.py    the changes that are possible on a line, from clang's syntax tree
  compile.py  runs the compiler on one file: does a change compile, and does it give other machine code?
  draw.py     draws random lines and changes
  switch.py   puts many changes into the copy, each behind a number that a process reads as it starts
  trial.py    runs the tests that reach a change, until one fails
  report.py   progress and result of random bugs
"""
