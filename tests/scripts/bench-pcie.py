#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench pcie: the transfers of net_devx per packet, against numbers computed by hand.

Usage: bench-pcie.py DEVX-BENCH
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

# 64 packets a burst. Sending: 2 + 58 pointers are 15 WQEBBs, and 2 + 6 pointers are 2: 17 * 64 bytes.
EXPECTED = {
    ('pcie/tx', '60'): {'doorbells_per_packet': 1 / 64, 'uar_bytes_per_packet': 8 / 64,
                        'wqe_bytes_per_packet': 17, 'data_reads_per_packet': 1,
                        'data_read_bytes_per_packet': 60,
                        # 3 requests of 363 bytes for WQEs, 64 for frames; a completion has 20 bytes
                        'fetch_bytes_per_packet': 17 + 3 * 40 / 64 + 60 + 20},
    ('pcie/tx', '1514'): {'data_reads_per_packet': 3, 'data_read_bytes_per_packet': 1514},
    ('pcie/rx', '60'): {'doorbells_per_packet': 0, 'data_write_bytes_per_packet': 60,
                        'cqe_writes_per_packet': 1},
}


def measure():
    """Return the values of net_devx by case and size."""
    command = [sys.argv[1], 'pcie', '--quiet', '--json', '-', '--filter', 'pcie/[rt]x/*']
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode == 3:
        print('SKIP: devx-bench cannot count transfers here, as it says above')
        sys.exit(77)
    if done.returncode:
        sys.exit(f'devx-bench: exit status {done.returncode}')
    found = {}
    for row in json.loads(done.stdout)['rows']:
        if row['driver'] == 'net_devx' and row['case'] != 'pcie/limits':
            found[row['case'], str(row['keys']['size'])] = row
    return found


def main():
    found = measure()
    bad = 0
    for key, values in EXPECTED.items():
        row = found.get(key)
        if not row:
            sys.exit(f'{key}: devx-bench printed no row of net_devx')
        for name, value in values.items():
            got = get_value(row, name)
            if got is None or abs(got - value) > 1e-6:
                print(f'{key}: {name} is {got} (valid: {value})')
                bad = 1
    check_published()
    check_library()
    sys.exit(bad)


def check_library():
    """The driver in a folder of LD_LIBRARY_PATH goes before that of the build tree, and both are named."""
    def name_library(**environment):
        command = [sys.argv[1], 'pcie', '--quiet', '--json', '-', '--filter', 'pcie/rx/size=60']
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env={**os.environ, **environment})
        return json.loads(done.stdout)['net_devx']

    tree = name_library()
    path, _, build_id = tree.partition(' (build ID ')
    assert os.path.realpath(path) == path and os.path.basename(path).startswith('librte_net_devx.so'), tree
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, f'{folder}/librte_net_devx.so')
        assert name_library(LD_LIBRARY_PATH=f'{folder}/none:{folder}') == f'{os.path.realpath(copy)} (build ID {build_id}'
    shown = subprocess.run(['readelf', '-n', path], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert f'Build ID: {build_id.rstrip(")")}\n' in shown, (tree, shown)


def check_published():
    """Rates of adapters, beside those of the model: of the limit that the row names."""
    command = [sys.argv[1], 'pcie', '--quiet', '--json', '-', '--filter', 'pcie/published']
    rows = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)['rows']
    if len(rows) != 11 or len({row['function'] for row in rows}) != 11 or {row['driver'] for row in rows} != {'adapter'}:
        sys.exit(f'other rows of published rates: {rows}')
    limits = {'packet engine': (137, 145.9), 'data reads': (68.9,), 'line': (200e3 / 84 / 8,)}
    for row in rows:
        model, limit = row['keys']['model'], row['keys']['limit']
        rate, published = get_value(row, f'{model}_mpps'), get_value(row, 'published_mpps')
        if not rate or abs(get_value(row, 'error_percent') - 100 * (rate / published - 1)) > 1e-6:
            sys.exit(f'error of {row}')
        if limit in limits and not any(abs(rate - r) < 1e-6 for r in limits[limit]):
            sys.exit(f'{limit}: {rate} (valid: {limits[limit]})')
        if limit not in limits and not limit.startswith('PCIe Gen'):
            sys.exit(f'unknown limit {limit}')
        if model == 'fitted' and abs(rate - published) > 1e-6:
            sys.exit(f'a fitted rate is not the published one: {row}')


def get_value(row, name):
    """Return the median of a value of a row, or None."""
    value = row['values'].get(name)
    return value and value['median']


main()
