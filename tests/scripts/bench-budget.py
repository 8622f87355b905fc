#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per packet of the burst functions of net_devx, against a budget.

Usage: bench-budget.py DEVX-BENCH BUDGET judge|print

Each line of BUDGET is: case, burst, largest number of instructions per packet (or per call of an
empty poll). "print" prints the counts without a verdict: other compilers make other code.
"""
import json
import subprocess
import sys

# Below this part of its budget a function has become so cheap that the budget should follow.
CHEAP = 0.95

bench, budget_file, judge = sys.argv[1], sys.argv[2], sys.argv[3] == 'judge'


def read_budget():
    budget = {}
    with open(budget_file, encoding='ascii') as lines:
        for line in lines:
            words = line.split('#')[0].split()
            if words:
                budget[words[0], words[1]] = float(words[2])
    return budget


def measure():
    """Returns the rows of net_devx, and the rows of both drivers for the check of the methods."""
    command = [bench, 'instructions', '--short', '--quiet', '--json', '-']
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode == 3:
        print('SKIP: devx-bench cannot count instructions here, as it says above')
        sys.exit(77)
    if done.returncode:
        sys.exit(f'{" ".join(command)}: status {done.returncode}')
    return json.loads(done.stdout)['rows']


def judge_row(row, budget):
    """Returns whether the row is within its budget."""
    key = row['case'], row['keys']['burst']
    values = row['values']
    name = 'instructions_per_packet'
    if name not in values:
        name = 'instructions_per_call'
    n = values[name]['median']
    what = f'{key[0]}, bursts of {key[1]} ({row["function"]})'
    unit = name.replace('_', ' ')
    if key not in budget:
        print(f'{what}: {n:.2f} {unit}, and no budget; add a line to {budget_file}')
        return False
    if n > budget[key]:
        print(f'{what}: {n:.2f} {unit} (budget: {budget[key]:.2f}); make it cheaper, or raise the '
              f'budget in {budget_file} and give the reason in the commit')
        return False
    hint = '; lower the budget' if n < CHEAP * budget[key] else ''
    print(f'{what}: {n:.2f} {unit} (budget: {budget[key]:.2f}){hint}')
    return True


limits = read_budget()
counted = [r for r in measure() if r['driver'] == 'net_devx' and not r['missing']]
good = [judge_row(r, limits) for r in counted]
absent = set(limits) - {(r['case'], r['keys']['burst']) for r in counted}
for case, burst in sorted(absent):
    print(f'{case}, bursts of {burst}: has a budget, and was not counted')
if not judge:
    print('no verdict: the budget is for gcc 12 with -O2')
    sys.exit(0 if counted else 1)
sys.exit(0 if all(good) and counted and not absent else 1)
