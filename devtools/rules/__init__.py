# SPDX-License-Identifier: BSD-3-Clause
"""The rules of devtools/check, one module per rule.

The first line of a module's docstring is the rule. A module has:
  check(tree, args)    yields (file, line, problem) of each mistake; line 0 means no line
  fix or write(tree, args), or neither: what --fix or --write does before the check
  NEEDS                the options without which the rule cannot run: one of them
"""


class Skip(Exception):
    """The rule cannot run here. The text says why."""
