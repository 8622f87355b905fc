#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""devx-bench throughput: every driver moves packets, and they add up. No rate is judged.

Usage: bench-throughput.py DEVX-BENCH DEVX-EMU
"""
import json
import subprocess
import sys

DRIVERS = ['net_mlx5', 'net_devx', 'net_memif', 'net_null']
ONE_QUEUE = ['--filter', 'throughput/*/size=60/queues=1/cores=1']
BUSY = 'threads waited for a CPU in '
# reasons that a machine may have; the first two are of one driver
NO_LIBRARY = 'install its PMD'  # the DPDK 22.11 of the roots has fewer drivers
NO_NETDEV = ('no /dev/net/tun', 'this user may not create')
NO_CPU = 'no CPU is left for '


def run(command):
    """Run a command. Return its exit status, its rows, and its stderr."""
    done = subprocess.run(command + ['--quiet', '--json', '-', '--time-limit', '250ms'],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, json.loads(done.stdout or '{"rows": []}')['rows'], done.stderr


def check(condition, *text):
    """End the test if the condition is false."""
    if not condition:
        sys.exit('FAILED: ' + ' '.join(str(part) for part in text))


def check_rate(row):
    """A row has a rate, or an accepted reason why not."""
    missing, values = row['missing'], row['values']
    if missing:
        check(missing.startswith((BUSY, NO_CPU)) or row['driver'] == 'net_mlx5' and
              missing.startswith(NO_NETDEV) or row['driver'] in DRIVERS[2:] and
              NO_LIBRARY in missing, row)
        return
    check(values['mpps']['median'] > 0 and values['mpps']['unit'] == 'Mpps', row)
    check(values['lost']['median'] == 0, row)
    queues = [value['median'] for name, value in values.items() if name.startswith('queue')]
    check(len(queues) == (int(row['keys']['queues']) if row['keys']['queues'] != '1' else 0), row)
    check(all(rate > 0 for rate in queues), row)


def check_on_emu(bench):
    """Four drivers in three directions, and several queues."""
    several = ['--filter', 'throughput/receive/size=1514/queues=4/cores=1']
    status, rows, err = run([bench, 'throughput'] + ONE_QUEUE + several)
    check(status == 0, 'exit status', status, err)
    points = sorted({(row['case'], row['keys']['size'], row['keys']['queues']) for row in rows})
    check(points == [('throughput/forward', '60', '1'), ('throughput/receive', '1514', '4'),
                     ('throughput/receive', '60', '1'), ('throughput/send', '60', '1')], points)
    for point in points:
        found = [row['driver'] for row in rows
                 if (row['case'], row['keys']['size'], row['keys']['queues']) == point]
        check(found == DRIVERS, point, found)
    for row in rows:
        check(row['keys']['device'] == ('emu' if row['driver'] in DRIVERS[:2] else 'memory'), row)
        check_rate(row)


def check_port(bench, emu):
    """A device of --port, which emu plays: in a loop, without a peer, and on a wire that loses."""
    command = [emu, '--quiet', '--wire', 'loop', '--', bench, 'throughput',
               '--port', 'net_devx0,ibdev=mlx5_0']
    status, rows, err = run(command + ONE_QUEUE)
    check(status == 0, 'exit status', status, err)
    check([(row['driver'], row['keys']['device']) for row in rows] == [('net_devx', 'port')] * 3,
          rows)
    check_rate(rows[0])
    check_rate(rows[1])
    check('0 of 64 test frames arrived; this needs a peer that sends frames' in rows[2]['missing'],
          rows[2])
    status, rows, err = run([bench, 'throughput', '--port', 'net_nothing0'] + ONE_QUEUE)
    check(status == 0 and 'install its PMD, librte_net_nothing.so' in rows[0]['missing'], err, rows)
    command[command.index('loop')] = 'loop,drop=1/500,seed=8'
    status, rows, err = run(command + ['--filter', 'throughput/forward/size=60/queues=1/cores=1'])
    check(status == 1, 'exit status of a loss without a reason:', status, err)
    check('packets do not add up: bursts sent' in err, err)
    check('packets do not add up' in rows[0]['missing'] and not rows[0]['values'], rows[0])


def main():
    bench, emu = sys.argv[1:3]
    check_on_emu(bench)
    check_port(bench, emu)


main()
