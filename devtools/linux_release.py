# SPDX-License-Identifier: BSD-3-Clause
"""linux_release.py: the newest release of Linux whose headers agree with lib/prm."""
import re

NEWEST = (7, 2)


def find_newer(path):
    """Returns "7.3" if `path` is in the headers of a release newer than NEWEST, else an empty string."""
    release = re.search(r"linux-headers-(\d+)\.(\d+)", str(path.resolve()))
    newer = release is not None and (int(release[1]), int(release[2])) > NEWEST
    return f"{release[1]}.{release[2]}" if newer else ""


def explain(wrong, newer):
    """Returns the reason to skip differences from headers of the release `newer`, which nobody has read yet."""
    return f"new with Linux {newer}: {len(wrong)} differences from lib/prm; when lib/prm has them, set NEWEST in devtools/linux_release.py"


def print_wrong(wrong, newer):
    """Prints the differences between lib/prm and the headers. Returns the exit status: 77 (skipped) for the release `newer`."""
    for line in wrong:
        print(f"new with Linux {newer}: {line}" if newer else line)
    if wrong and newer:
        print(f"SKIP: {explain(wrong, newer)}")
        return 77
    return 1 if wrong else 0
