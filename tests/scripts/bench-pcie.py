#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench pcie: the transfers of net_devx per packet, against numbers computed by hand.

Usage: bench-pcie.py DEVX-BENCH
"""
import json
import subprocess
import sys

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
    sys.exit(bad)


def get_value(row, name):
    """Return the median of a value of a row, or None."""
    value = row['values'].get(name)
    return value and value['median']


main()
