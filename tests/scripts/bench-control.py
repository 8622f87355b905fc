#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench control: the commands that it counts are those in the trace of emu.

Usage: bench-control.py DEVX-BENCH DEVX-EMU

net_mlx5 is measured where devx-bench can make netdevs: there its points must have values.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BENCH, EMU = sys.argv[1:]
STAGES = ['probe', 'configure', 'start', 'stop', 'close']
SHORT = ['control', '--quiet', '--json', '-', '--time-limit', '1us', '--filter', '*queues=1']


def find_rows(text, driver):
    """Return the rows of a driver by case."""
    return {row['case']: row for row in json.loads(text)['rows'] if row['driver'] == driver}


def run(command, environment=None):
    """Run a command, and return its stdout."""
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, env=environment)
    if done.returncode == 3:
        print('SKIP: devx-bench cannot start ports here, as it says above')
        sys.exit(77)
    if done.returncode:
        sys.exit(f'{command}: exit status {done.returncode}')
    return done.stdout


def count_commands(row):
    """Return the number of commands of a stage."""
    return row['values']['commands']['median']


def check_trace():
    """Each life ends with destroy_uctx: the trace has the commands of a life between two of them."""
    build = pathlib.Path(BENCH).resolve().parents[2]
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / 'drivers/net/devx') + ':' +
                       os.environ.get('LD_LIBRARY_PATH', ''))
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / 'trace'
        rows = find_rows(run([EMU, '--quiet', '--ports', '2', '--trace', str(trace), '--', BENCH] + SHORT,
                             environment), 'net_devx')
        lines = [line for line in trace.read_text().splitlines() if ' port 1 ' in line]
    ends = [i for i, line in enumerate(lines) if ' destroy_uctx ' in line]
    expected = ends[-1] - ends[-2]
    found = sum(count_commands(rows['control/' + stage]) for stage in STAGES)
    if found != expected:
        sys.exit(f'the stages of net_devx have {found:.0f} commands, the trace has {expected}')
    queues = sum(' create_rq ' in line or ' create_sq ' in line for line in lines[ends[-2]:])
    if queues != 2:
        sys.exit(f'a life of one queue has {queues} RQs and SQs in the trace (valid: 2)')


def check_drivers():
    """Both drivers have counts of every stage, which repeat."""
    text, again = run([BENCH] + SHORT), run([BENCH] + SHORT)
    for driver in 'net_mlx5', 'net_devx':
        rows, more = find_rows(text, driver), find_rows(again, driver)
        for stage in STAGES:
            row = rows['control/' + stage]
            if row['missing']:
                print(f'{driver}: not measured: {row["missing"]}')
                break
            if row['values']['commands'] != more['control/' + stage]['values']['commands']:
                sys.exit(f'{driver}: {stage}: the number of commands differs from run to run')
    # The target is for DPDK 22.11, where net_mlx5 sends 97 commands. In 25.11 it sends 24.
    if subprocess.run(['pkg-config', '--max-version=22.11.99', 'libdpdk'], check=False).returncode == 0:
        check_start(find_rows(text, 'net_mlx5')['control/start'], find_rows(text, 'net_devx')['control/start'])
    else:
        print('the commands of a start are not compared: the target is for DPDK 22.11')


def check_start(mlx5, devx):
    """A start of net_devx sends at most half of the commands of net_mlx5, as targets.json has it."""
    if devx['missing']:
        sys.exit('net_devx was not measured')
    if not mlx5['missing'] and count_commands(devx) > 0.5 * count_commands(mlx5):
        sys.exit(f'a start of net_devx sends {count_commands(devx):.0f} commands, '
                 f'one of net_mlx5 {count_commands(mlx5):.0f} (valid: at most half of them)')


def check_memory():
    """Another chunk of registered memory costs one command. A queue of either driver takes memory of EAL, for its descriptors at least."""
    text = run([BENCH, 'control', '--quiet', '--json', '-', '--time-limit', '1us', '--filter', 'control/registration', '--filter', 'control/memory'])
    for driver in 'net_mlx5', 'net_devx':
        rows = find_rows(text, driver)
        if any(row['missing'] for row in rows.values()):
            print(f'{driver}: not measured: {rows}')
            continue
        chunk, queue = rows['control/registration'], rows['control/memory']
        costs = [chunk['values'][name]['median'] for name in ('commands', 'ioctls')]
        if chunk['keys'] != {'mib': '64'} or costs != [1, 1] or chunk['values'].keys() - {'time_per_gib'} != {'commands', 'ioctls'}:
            sys.exit(f'{driver}: a chunk of 64 MiB: {chunk}')
        bytes_of = [queue['values'][name]['median'] for name in ('rx_queue_bytes', 'tx_queue_bytes')]
        least = 256 * 16  # the smallest descriptor
        if queue['keys'] != {'descriptors': '256'} or not all(least < b < 1 << 20 for b in bytes_of) or bytes_of[0] >= bytes_of[1]:
            sys.exit(f'{driver}: memory of a queue: {queue}')


def check_port():
    """A port without emu has times, and one line says that it has no counts."""
    done = subprocess.run([BENCH, 'control', '--quiet', '--csv', '-', '--port', 'net_null0', '--time-limit', '100ms',
                           '--filter', 'control/start/queues=1'],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    lines = done.stdout.splitlines()[1:]
    if len(lines) != 1 or not lines[0].startswith('control/start,net_null,,1,time,us,'):
        sys.exit(f'net_null0 has other values than a time: {lines}')
    if done.stderr.count('\n') != 1 or 'only emu counts them' not in done.stderr:
        sys.exit(f'no line about counts, or more than one: {done.stderr}')


check_trace()
check_drivers()
check_memory()
check_port()
