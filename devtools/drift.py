# SPDX-License-Identifier: BSD-3-Clause
"""drift.py: tells failures because of a new DPDK or rdma-core in Debian from failures because of this tree.

Tests of DPDK's own driver, and of rdma-core's header, depend on releases that Debian replaces. They have passed
with those of RECORDED. If one fails with another release, the test's expectation may be outdated. It counts as
skipped, with a line `new with DPDK 26.03.0: ...`. Other tests count as failed with every release, and so does a
test whose output shows a fault of our own programs.

After the tests pass with a new release, or are corrected, add the release to RECORDED.
"""
import json
import re

RECORDED = {"DPDK": ("22.11.11", "24.11.8", "25.11.4"), "rdma-core": ("44.0", "56.1", "65.0")}
THEIRS = re.compile(r"mlx5|rdma_core")
# Signs of our own faults: reports of sanitizers, signals, protocol mistakes, accounts that do not add up.
OURS = re.compile(r"\b[1-9]\d* protocol mistake|ERROR: \w+Sanitizer|runtime error:|core dumped|Segmentation fault"
                  r"|\b[1-9][\d,]* (lost|corrupted|unexpected)\b")
ENDED = re.compile(r"^TIMEOUT|, status -|, status 1[2-5]\d\b", re.M)  # by the time limit, by a signal


def find_new(build):
    """Returns the releases in a build directory that RECORDED lacks, such as "DPDK 26.03.0"; often an empty string."""
    path = build / "meson-info" / "intro-dependencies.json"
    if not path.exists():
        return ""
    versions = {d["name"]: d["version"] for d in json.loads(path.read_text(encoding="utf-8"))}
    # The version of libibverbs is that of its ABI and that of rdma-core: 1.18.65.0.
    found = {"DPDK": versions.get("libdpdk"), "rdma-core": ".".join(versions.get("libibverbs", "").split(".")[2:])}
    return ", ".join(f"{what} {version}" for what, version in found.items() if version and version not in RECORDED[what])


def excuse(case, new):
    """Returns `case` of devtools/tally, as skipped if it failed because of the releases `new`."""
    if not new or case.result != "failed" or not THEIRS.search(case.name.split(":")[0]) \
            or OURS.search(case.text) or ENDED.search(case.text):
        return case
    last = ([""] + case.text.strip().splitlines())[-1].strip()
    return case._replace(result="skipped", text=f"new with {new}: {last}; RECORDED in devtools/drift.py lacks this release")
