#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench measures net_mlx5 of the DPDK that it was built with, with and without net_devx.

Usage: bench-mlx5.py DEVX-BENCH

Two short runs: the second one prints the first beside itself (--with). Counts of instructions must
repeat, and the merged table must have the columns of both runs.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

BENCH = sys.argv[1]
POINTS = {'instructions': 'instructions/[rt]x/burst=32',
          'cycles': 'cycles/[rt]x/burst=32/size=60/cache=hot'}
# The methods agree within 2 %; two runs of one method within 0.1 % (doc/bench.md).
METHODS_AGREE, RUNS_AGREE = 0.02, 0.001
# Plausible costs of a packet: less would be no burst function, more would be another program. Cycles depend on the load.
RANGE = {'instructions_per_packet': (20, 400), 'tsc_cycles_per_packet': (0, float('inf'))}


def run(case, *options, path=None):
    """Return the rows and the table of a case. PATH is @path, if given."""
    env = os.environ if path is None else {**os.environ, 'PATH': path}
    with tempfile.TemporaryDirectory() as work:
        file = os.path.join(work, 'rows.json')
        done = subprocess.run([BENCH, case, '--quiet', '--time-limit', '100ms', '--filter',
                               POINTS[case], '--json', file, *options],
                              stdout=subprocess.PIPE, text=True, check=False, env=env)
        if done.returncode == 3:
            print('SKIP: devx-bench cannot measure here, as it says above')
            sys.exit(77)
        if done.returncode:
            sys.exit(f'devx-bench {case}: exit status {done.returncode}')
        with open(file, encoding='utf-8') as rows:
            text = rows.read()
    return json.loads(text), text, done.stdout


def find_value(row):
    """Return metric and value of a measured row."""
    for metric in RANGE:
        if metric in row['values']:
            return metric, row['values'][metric]['median']
    sys.exit(f'{row}: no value')


def check_mlx5(rows):
    """Check the rows of net_mlx5. Return the counts by case and method."""
    found = {}
    for row in rows:
        if row['driver'] != 'net_mlx5':
            continue
        what = f"{row['case']}, {row['keys']}, {row['function']}"
        if row['missing']:
            if '/dev/net/tun' in row['missing'] or 'namespaces' in row['missing']:
                print(f"SKIP: {row['missing']}")
                sys.exit(77)
            sys.exit(f"{what}: not measured: {row['missing']}")
        metric, value = find_value(row)
        low, high = RANGE[metric]
        print(f'{what}: {value:.2f} {metric}')
        if not low < value < high:
            sys.exit(f'{what}: {value} {metric} (valid: {low} to {high})')
        if not re.search('Vector|Enhanced MPW', row['function']):
            sys.exit(f'{what}: no burst function of net_mlx5')
        found[row['case'], row['keys'].get('method')] = value
    return found


def check_devx(rows):
    """net_devx is measured, or its rows say that it could not be built."""
    for row in rows:
        if row['driver'] != 'net_devx' or not row['missing']:
            continue
        if 'net_devx is not loaded: ' not in row['missing'] or 'headers' not in row['missing']:
            sys.exit(f"net_devx: {row['missing']} (valid: a count, or why it is not loaded)")
        return False
    return True


def check_counts(counts, again):
    for case in 'instructions/rx', 'instructions/tx':
        step, callgrind = counts[case, 'step'], counts.get((case, 'callgrind'))
        if callgrind and abs(callgrind - step) > METHODS_AGREE * step:
            sys.exit(f'{case}: {step} by steps, {callgrind} by callgrind')
        if abs(again[case, 'step'] - step) > RUNS_AGREE * step:
            sys.exit(f'{case}: {step}, then {again[case, "step"]} instructions')


def check_merged(table, counts, has_devx):
    """The last table has net_mlx5 of both runs, and ratios of net_devx to it."""
    title = 'both runs, side by side (ratios of instructions only)\n'
    if title not in table:
        sys.exit('no merged table')
    lines = table.split(title)[1].splitlines()
    if lines[0].count('net_mlx5') != 2:
        sys.exit(f'merged table: {lines[0]}')
    for case in 'rx', 'tx':
        line = [words.split() for words in lines if words.startswith(f'instructions/{case}/')][0]
        numbers = [float(word) for word in line[1:]]
        columns = numbers[:4] if has_devx else numbers
        close = [n for n in columns if abs(n - counts[f'instructions/{case}', 'step']) < 0.5]
        if len(close) < 2:
            sys.exit(f'merged table: {line}: not net_mlx5 twice')
        if has_devx and abs(numbers[4] - numbers[0] / numbers[1]) > 0.02:
            sys.exit(f'merged table: {line}: the ratio is not net_devx / net_mlx5')


def main():
    first, text, _ = run('instructions')
    print(first['dpdk'])
    counts = check_mlx5(first['rows'])
    if len({case for case, _ in counts}) != 2:
        sys.exit(f'rows of net_mlx5: {counts} (valid: rx and tx)')
    has_devx = check_devx(first['rows'])
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        file.write(text)
        file.flush()
        # without valgrind, which takes most of the time, single steps count
        again, _, table = run('instructions', '--with', file.name, path='/nowhere')
    print(table.split('both runs')[-1])
    check_counts(counts, check_mlx5(again['rows']))
    check_merged(table, counts, has_devx)
    cycles, _, _ = run('cycles')
    if len(check_mlx5(cycles['rows'])) != 2:
        sys.exit('cycles: no rows of net_mlx5')
    check_devx(cycles['rows'])


main()
