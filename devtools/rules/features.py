# SPDX-License-Identifier: BSD-3-Clause
"""The feature table of net_devx is correct as far as a program can tell (needs --build-dir or --default-ini).

Reads doc/nics/features/devx.ini, the table in DPDK's form, and doc/nics/features/tests.md, the tests of its rows:
  row     no row of DPDK, another value than Y and P, out of DPDK's order, a processor without a build
  test    a row without a test, a test without a row, a limit without P, P without a limit
  build   no such test, no such case of GoogleTest, a case that the filter of the test leaves out
  driver  an operation or an offload without its row, a row without its operations and offloads

With --default-ini, compares the names in this module with the default.ini of a release of DPDK.
"""
import fnmatch
import json
import os
import re

from rules.tree import find_line

NEEDS = ("build_dir", "default_ini")
TABLE = "doc/nics/features/devx.ini"
TESTS = "doc/nics/features/tests.md"
OPS = "drivers/net/devx/attach/devx_ethdev.c"
OFFLOADS = ("drivers/net/devx/port/devx_info.c", "drivers/net/devx/queue/devx_rxq_offloads.c",
            "drivers/net/devx/queue/devx_txq_offloads.c")

# Rows of DPDK's default.ini, releases 22.11 to 26.07, in its order.
NAMES = [name.strip() for name in """
Speed capabilities, Link speed configuration, Link status, Link status event, Removal event, Queue status event, Rx interrupt,
Lock-free Tx queue, Fast mbuf free, Free Tx mbuf on demand, Queue start/stop, Runtime Rx queue setup, Runtime Tx queue setup,
Shared Rx queue, Burst mode info, Power mgmt address monitor, MTU update, Buffer split on Rx, Selective Rx, Scattered Rx, LRO,
TSO, Promiscuous mode, Allmulticast mode, Unicast MAC filter, Multicast MAC filter, RSS hash, RSS key update, RSS reta update,
Inner RSS, VMDq, SR-IOV, DCB, VLAN filter, Flow control, Rate limitation, Congestion management, Traffic manager,
Inline crypto, Inline protocol, CRC offload, VLAN offload, QinQ offload, FEC, IP reassembly, L3 checksum offload,
L4 checksum offload, Timestamp offload, MACsec offload, Inner L3 checksum, Inner L4 checksum, Packet type parsing, Timesync,
Rx descriptor status, Tx descriptor status, Tx queue count, Basic stats, Extended stats, Stats per queue, FW version,
EEPROM dump, Module EEPROM dump, Registers dump, LED, Multiprocess aware, FreeBSD, Linux, Windows, ARMv7, ARMv8,
LoongArch64, Power8, rv64, x86-32, x86-64, Usage doc, Design doc, Perf doc""".replace("\n", " ").split(",")]
NO_BUILD = {"FreeBSD", "Windows", "ARMv7", "ARMv8", "LoongArch64", "Power8", "rv64", "x86-32"}

# The row of each operation of struct eth_dev_ops, and of each offload RTE_ETH_RX_OFFLOAD_x and RTE_ETH_TX_OFFLOAD_x.
ROWS = {word: row.strip() for row, _, words in (entry.partition(":") for entry in """
Packet type parsing: dev_supported_ptypes_get; FW version: fw_version_get; Link status: link_update; MTU update: mtu_set;
Flow control: flow_ctrl_get flow_ctrl_set; Module EEPROM dump: get_module_info get_module_eeprom;
Unicast MAC filter: mac_addr_set mac_addr_add mac_addr_remove; Multicast MAC filter: set_mc_addr_list;
Promiscuous mode: promiscuous_enable promiscuous_disable; Allmulticast mode: allmulticast_enable allmulticast_disable;
RSS hash: RX_RSS_HASH; RSS key update: rss_hash_update rss_hash_conf_get; RSS reta update: reta_update reta_query;
Queue start/stop: rx_queue_start rx_queue_stop tx_queue_start tx_queue_stop;
Rx interrupt: rx_queue_intr_enable rx_queue_intr_disable; Burst mode info: rx_burst_mode_get tx_burst_mode_get;
Power mgmt address monitor: get_monitor_addr;
Free Tx mbuf on demand: tx_done_cleanup; Fast mbuf free: TX_MBUF_FAST_FREE; Rate limitation: set_queue_rate_limit;
Basic stats: stats_get stats_reset; Extended stats: xstats_get xstats_get_names xstats_reset;
VLAN offload: vlan_offload_set vlan_strip_queue_set RX_VLAN_STRIP TX_VLAN_INSERT; VLAN filter: vlan_filter_set RX_VLAN_FILTER;
Scattered Rx: RX_SCATTER; Timestamp offload: RX_TIMESTAMP; CRC offload: RX_KEEP_CRC; L3 checksum offload: TX_IPV4_CKSUM;
Inner L3 checksum: TX_OUTER_IPV4_CKSUM; L4 checksum offload: RX_CHECKSUM TX_UDP_CKSUM TX_TCP_CKSUM;
TSO: TX_TCP_TSO TX_VXLAN_TNL_TSO TX_GRE_TNL_TSO""".split(";")) for word in words.split()}
# DPDK has no row for these.
NO_ROW = """dev_configure dev_infos_get dev_start dev_stop dev_close is_removed read_clock dev_set_link_up dev_set_link_down
rx_queue_setup rx_queue_release rxq_info_get tx_queue_setup tx_queue_release txq_info_get vlan_tpid_set eth_dev_priv_dump
TX_MULTI_SEGS""".split()


def read_table(tree):
    """Returns ({row: (line, value)}, mistakes) of the section [Features]."""
    rows, found, section = {}, [], ""
    for n, line in enumerate(tree.read(TABLE).splitlines(), 1):
        row = re.fullmatch(r"(\S.*?) *=(.*)", line)
        if line.startswith(";") or not line.strip():
            continue
        if line.startswith("["):
            section = line
        elif not row or section != "[Features]":
            found.append((TABLE, n, "no row of the section [Features] (valid: NAME = Y, NAME = P)"))
        elif row[1] in rows:
            found.append((TABLE, n, f"a second row {row[1]}"))
        elif row[2].strip():
            rows[row[1]] = (n, row[2].strip())
    return rows, found


def read_tests(tree):
    """Returns {row: (line, test, cases, limit)} and mistakes."""
    rows, found = {}, []
    for n, line in enumerate(tree.read(TESTS).splitlines(), 1):
        columns = [c.strip() for c in line.split("|")[1:-1]]
        if len(columns) != 3 or columns[0] == "row" or set(columns[0]) == {"-"}:
            continue
        name, test, limit = columns
        words = re.findall(r"`([^`]*)`", test)
        if name in rows or not words:
            found.append((TESTS, n, f"{name}: {'a second line' if words else 'no test'} (valid: one line, `TEST: CASE, CASE`)"))
        else:
            rows[name] = (n, words[0], words[1:], limit)
    return rows, found


def check_rows(rows, tests):
    """Yields a mistake for each name or value that DPDK's form does not have, and for each row without a test."""
    last = -1
    for name, (n, value) in rows.items():
        place = NAMES.index(name) if name in NAMES else -1
        if place < 0:
            yield TABLE, n, f"{name}: DPDK's default.ini has no such row"
        elif place < last:
            yield TABLE, n, f"{name}: is out of DPDK's order"
        last = max(last, place)
        if value not in ("Y", "P"):
            yield TABLE, n, f"{name}: value {value} is invalid (valid: Y, P)"
        if name in NO_BUILD:
            yield TABLE, n, f"{name}: no build of the tree is for it; leave the row empty"
        if name not in tests:
            yield TABLE, n, f"{name}: {TESTS} names no test"
        elif (value == "P") != bool(tests[name][3]):
            yield TESTS, tests[name][0], f"{name}: value {value} and " + ("a limit (valid: P)" if tests[name][3] else "no limit (valid: Y)")
    for name in (name for name in tests if name not in rows):
        yield TESTS, tests[name][0], f"{name}: {TABLE} has no such row"


def find_gtest(command, sources, build):
    """Returns the sources of the program of GoogleTest that a test runs; an empty string for other programs."""
    for word in command:
        paths = sources.get(os.path.normpath(build / word), ())
        text = "\n".join(p.read_text(encoding="utf-8") for p in paths if p.suffix == ".c" and p.is_file())
        if re.search(r"^TEST\w*\(", text, flags=re.M):
            return text
    return ""


def runs_case(command, case):
    """Returns whether the --gtest_filter of a test runs a case; a case may have rows."""
    given = [w.split("=", 1)[1] for w in command if w.startswith("--gtest_filter=")]
    runs, _, leaves = (given[0] if given else "*").partition("-")
    names = (case, case + "/row")

    def matches(patterns):
        return any(fnmatch.fnmatchcase(name, p) for p in patterns.split(":") if p for name in names)
    return matches(runs or "*") and not matches(leaves)


def check_tests(tests, build):
    """Yields a mistake for each test or case that the build lacks."""
    def read_info(name):
        return json.loads((build / f"meson-info/{name}.json").read_text(encoding="utf-8"))

    commands = {test["name"]: test["cmd"] for test in read_info("intro-tests")}
    sources = {os.path.normpath(build / filename): [build / s for group in target["target_sources"] for s in group.get("sources", [])]
               for target in read_info("intro-targets") for filename in target["filename"]}
    for name, (n, test, cases, _) in tests.items():
        text = find_gtest(commands.get(test, ()), sources, build)
        if test not in commands:
            yield TESTS, n, f"{name}: the build has no test {test}"
        elif bool(cases) != bool(text):
            yield TESTS, n, f"{name}: test {test} " + ("needs a case (`SUITE.NAME`)" if text else "has no cases")
        for case in cases if text else ():
            suite, _, last = case.partition(".")
            if not re.search(rf"^TEST\w*\(\s*{re.escape(suite)},\s*{re.escape(last)}\b", text, flags=re.M):
                yield TESTS, n, f"{name}: test {test} has no case {case}"
            elif not runs_case(commands[test], case):
                yield TESTS, n, f"{name}: the filter of test {test} leaves case {case} out"


def check_driver(tree, rows):
    """Yields a mistake for each operation or offload without a row, and for each row without them."""
    found = {}  # operation or offload: (file, line)
    text = tree.read(OPS)
    start = text.find("struct eth_dev_ops devx_eth_ops = {")
    for m in re.compile(r"\.(\w+) =").finditer(text, start, text.find("\n};", start)):
        found[m[1]] = OPS, find_line(text, m.start())
    for path in OFFLOADS:
        text = tree.read(path)
        for m in re.finditer(r"\bRTE_ETH_([RT]X)_OFFLOAD_(\w+)", text):
            found[f"{m[1]}_{m[2]}"] = path, find_line(text, m.start())
    for name, where in found.items():
        if name not in ROWS and name not in NO_ROW:
            yield *where, f"{name}: no row is known for it; add it to ROWS or NO_ROW of devtools/rules/features.py"
        elif name in ROWS and ROWS[name] not in rows:
            yield *where, f"{name}: {TABLE} has no row {ROWS[name]}"
    for name, row in ROWS.items():
        if row in rows and name not in found:
            yield TABLE, rows[row][0], f"{row}: the driver lacks {name}"


def check_default(path):
    """Yields a mistake for each row of a default.ini that NAMES lacks."""
    section = path.read_text(encoding="utf-8").partition("[Features]")[2].partition("\n[")[0]
    for name in re.findall(r"^(\S.*?) *=", section, flags=re.M):
        if name not in NAMES:
            yield str(path), 0, f"{name}: NAMES of devtools/rules/features.py lacks it"


def check(tree, args):
    if args.default_ini:
        yield from check_default(args.default_ini)
    if args.build_dir:
        rows, found = read_table(tree)
        tests, more = read_tests(tree)
        yield from found + more
        yield from check_rows(rows, tests)
        yield from check_tests(tests, args.build_dir.resolve())
        yield from check_driver(tree, rows)
