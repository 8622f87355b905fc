# SPDX-License-Identifier: BSD-3-Clause
"""linux_release.py: the newest release of Linux with whose headers lib/prm agrees."""
import re

NEWEST = (7, 2)


def find_newer(path):
    """Returns "7.3" if `path` is in the headers of a release newer than NEWEST, else an empty string."""
    release = re.search(r"linux-headers-(\d+)\.(\d+)", str(path.resolve()))
    newer = release is not None and (int(release[1]), int(release[2])) > NEWEST
    return f"{release[1]}.{release[2]}" if newer else ""


def print_wrong(wrong, newer):
    """Prints the differences between lib/prm and the headers.

    Returns the exit status: 77 (skipped) for headers of the release `newer`, because nobody has read them yet.
    """
    for line in wrong:
        print(f"new with Linux {newer}: {line}" if newer else line)
    if wrong and newer:
        print(f"SKIP: new with Linux {newer}: {len(wrong)} differences from lib/prm; when lib/prm has them, "
              f"set NEWEST in devtools/linux_release.py")
        return 77
    return 1 if wrong else 0
