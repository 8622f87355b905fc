#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench pktgen measures devx-pktgen and testpmd, and a packet costs devx-pktgen few instructions.

Usage: bench-pktgen.py DEVX-BENCH DEVX-PKTGEN judge|print

No cycles are judged, because other programs use the machine: they must be there, and those of a ratio must fit it.
The instructions of the send loop have a budget. "print" prints their number without a verdict: other compilers
make other code.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

BENCH, PKTGEN, JUDGE = sys.argv[1], sys.argv[2], sys.argv[3] == 'judge'
# Instructions of the send loop per packet of 60 bytes on net_null: 124 with gcc 12 and -O2.
BUDGET = 131
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


def read_values(rows, case, driver, which='median', **keys):
    """Return the medians, or the lowest or highest samples, of the only row with these keys."""
    found = [r for r in rows if (r['case'], r['driver']) == (case, driver) and
             all(r['keys'][k] == v for k, v in keys.items())]
    expect(len(found) == 1, f'{len(found)} rows of {case}, {driver}, {keys}')
    expect(not found[0]['missing'], f"{case}, {driver}: not measured: {found[0]['missing']}")
    return {name: value[which] for name, value in found[0]['values'].items()}


def check_loops(rows):
    """Both loops have cycles, of which the ratio and the parts are possible."""
    for case, mode in ('pktgen/send', 'txonly'), ('pktgen/receive', 'rxonly'):
        low, high = (read_values(rows, case, 'devx-pktgen', which, traffic='one_flow', cores='1') for which in ('low', 'high'))
        rival_low, rival_high = (read_values(rows, case, 'testpmd ' + mode, which, traffic='one_flow', cores='1')
                                 for which in ('low', 'high'))
        expect(min(*low.values(), *rival_low.values()) > 0, f'{case}: {low}, {rival_low}')
        least = low['cycles_per_packet'] / rival_high['cycles_per_packet']
        most = high['cycles_per_packet'] / rival_low['cycles_per_packet']
        expect(0.99 * least < high['ratio_to_testpmd'] and low['ratio_to_testpmd'] < 1.01 * most,
               f'{case}: the ratio is {low["ratio_to_testpmd"]} to {high["ratio_to_testpmd"]}, from {least} to {most}')
    low, high = (read_values(rows, 'pktgen/send', 'devx-pktgen', which) for which in ('low', 'high'))
    expect(low['make_cycles_per_packet'] + low['send_cycles_per_packet'] < 1.01 * high['cycles_per_packet'],
           f'make and send take more than the loop: {low}, {high}')


def count_instructions(n):
    """Return the instructions of the send loop for n packets."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out')
        subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=' + out, '--toggle-collect=tx_poll',
                        PKTGEN, 'run', '--port', 'net_null0', '--send-only', '--no-huge', '--count', str(n)],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
        with open(out, encoding='ascii', errors='replace') as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith('totals:'))


def check_instructions():
    """The send loop keeps its budget. The start and the end of a run cost the same with more packets."""
    if not shutil.which('valgrind'):
        print('instructions: not counted, because valgrind is missing; install valgrind')
        return
    cost = (count_instructions(20000) - count_instructions(10000)) / 10000
    print(f'{cost:.1f} instructions per packet in the send loop (budget: {BUDGET})')
    expect(cost < BUDGET or not JUDGE, f'the send loop needs {cost:.1f} instructions per packet (valid: at most {BUDGET})')


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


def check_tmpdir():
    """The files of a run are in TMPDIR."""
    status, text, why = run('--short', '--quiet', '--json', '-', '--time-limit', '1us', '--filter', 'pktgen/pace',
                            env={**os.environ, 'TMPDIR': '/nowhere'})
    missing = [row['missing'] for row in json.loads(text)['rows']]
    expect(missing and all('/nowhere/devx-bench.' in m for m in missing), f'without TMPDIR: {status}, {missing}, {why}')


if not shutil.which('dpdk-testpmd'):
    print('SKIP: no dpdk-testpmd; install dpdk-dev')
    sys.exit(77)
with tempfile.NamedTemporaryFile(suffix='.json') as out, concurrent.futures.ThreadPoolExecutor() as pool:
    others = [pool.submit(check) for check in (check_instructions, check_missing, check_refusal, check_tmpdir)]
    code, table, why = run('--short', '--quiet', '--time-limit', '1us', '--json', out.name)
    expect(code == 0, f'exit status {code}: {why}')
    all_rows = json.load(out)['rows']
    for other in others:
        other.result()
expect('pktgen/send' in table and 'testpmd txonly' in table, f'the table lacks rows: {table}')
check_loops(all_rows)
check_pace(all_rows)
check_memory(all_rows)
