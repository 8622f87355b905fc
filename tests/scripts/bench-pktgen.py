#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench pktgen measures devx-pktgen and testpmd, and its figures are plausible.

Usage: bench-pktgen.py DEVX-BENCH

The parts of the send loop add up to the loop. The send loop costs at most three times as much as
testpmd's, and the receive loop as well. The limit is wide, because other programs use the machine.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

BENCH = sys.argv[1]
MOST_RATIO = 3
# Plausible cycles of a packet: less would be no work, more would be another program.
RANGE = (3, 2000)
# Bytes: a flow has at least its frame and its account; 256 flows of 200 KiB would be 50 MiB.
FLOW_RANGE = (1000, 200 * 1024)


def run(*options, env=None):
    """Run the case. Return exit status, stdout and stderr."""
    done = subprocess.run([BENCH, 'pktgen', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, env=env)
    return done.returncode, done.stdout, done.stderr


def expect(condition, text):
    """End with a line unless the condition holds."""
    if not condition:
        sys.exit(f'FAIL: {text}')


def read_values(rows, case, driver, **keys):
    """Return the medians of the only row with these keys."""
    found = [r for r in rows if (r['case'], r['driver']) == (case, driver) and
             all(r['keys'][k] == v for k, v in keys.items())]
    expect(len(found) == 1, f'{len(found)} rows of {case}, {driver}, {keys}')
    expect(not found[0]['missing'], f"{case}, {driver}: not measured: {found[0]['missing']}")
    return {name: value['median'] for name, value in found[0]['values'].items()}


def check_loops(rows):
    """Check cycles and ratios of both loops."""
    for case, mode in ('pktgen/send', 'txonly'), ('pktgen/receive', 'rxonly'):
        ours = read_values(rows, case, 'devx-pktgen', traffic='one_flow', cores='1')
        theirs = read_values(rows, case, 'testpmd ' + mode, traffic='one_flow', cores='1')
        for values in ours, theirs:
            expect(RANGE[0] < values['cycles_per_packet'] < RANGE[1], f'{case}: {values}')
        expect(0.02 < ours['ratio_to_testpmd'] < MOST_RATIO,
               f"{case}: {ours['ratio_to_testpmd']:.2f} times the cycles of testpmd (valid: at most {MOST_RATIO})")
    sent = read_values(rows, 'pktgen/send', 'devx-pktgen')
    parts = sent['make_cycles_per_packet'] + sent['send_cycles_per_packet']
    expect(0.5 * sent['cycles_per_packet'] < parts < 1.1 * sent['cycles_per_packet'],
           f'make and send take {parts:.1f} cycles, the loop {sent["cycles_per_packet"]:.1f}')


def check_pace(rows):
    """A rate has an error, which no test judges, and gaps."""
    pace = read_values(rows, 'pktgen/pace', 'devx-pktgen', rate='1Mpps')
    expect(pace['rate_error'] >= 0 and pace['gap_p99'] > 0, f'{pace}')


def check_memory(rows):
    """More flows take more memory, and verifying takes more than sending."""
    each = {}
    for verify in 'no', 'yes':
        one = read_values(rows, 'pktgen/memory', 'devx-pktgen', flows='1', verify=verify)
        many = read_values(rows, 'pktgen/memory', 'devx-pktgen', flows='256', verify=verify)
        each[verify] = many['memory_per_flow']
        expect(FLOW_RANGE[0] < each[verify] < FLOW_RANGE[1], f'{each[verify]} bytes per flow')
        grown = (many['peak_memory'] - one['peak_memory']) * 1024 * 1024
        expect(abs(grown - 255 * each[verify]) < 0.01 * grown, f'{grown} bytes for 255 flows of {each[verify]} bytes')
    expect(each['yes'] > each['no'], f'bytes per flow: {each}')


def check_refusal():
    """A port is refused, and one line names the reason."""
    status, _, text = run('--port', 'net_null0')
    expect(status == 2 and text.count('\n') == 1 and 'net_null and net_ring' in text, f'--port: {status}, {text}')


def check_missing():
    """Without testpmd on PATH its row gives the reason, and devx-pktgen still has cycles."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(shutil.which('stdbuf'), os.path.join(folder, 'stdbuf'))
        status, text, why = run('--short', '--quiet', '--json', '-', '--time-limit', '1us', '--filter', 'pktgen/send',
                                env={**os.environ, 'PATH': folder})
    expect(status == 0, f'exit status {status} without testpmd: {why}')
    rows = json.loads(text)['rows']
    read_values(rows, 'pktgen/send', 'devx-pktgen')
    expect('dpdk-testpmd' in rows[1]['missing'] and not rows[1]['values'], f'without testpmd: {rows[1]}')


if not shutil.which('dpdk-testpmd'):
    print('SKIP: no dpdk-testpmd; install dpdk-dev')
    sys.exit(77)
check_refusal()
check_missing()
with tempfile.NamedTemporaryFile(suffix='.json') as out:
    code, table, why = run('--short', '--quiet', '--time-limit', '1us', '--json', out.name)
    expect(code == 0, f'exit status {code}: {why}')
    all_rows = json.load(out)['rows']
expect('pktgen/send' in table and 'testpmd txonly' in table, f'the table lacks rows: {table}')
check_loops(all_rows)
check_pace(all_rows)
check_memory(all_rows)
