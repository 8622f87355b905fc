# SPDX-License-Identifier: BSD-3-Clause
"""rx_frames.py NETDEV KIND

Sends frames into NETDEV. The program at the other end sends them back: expects every frame of KIND
`sizes` to come back with the same bytes. Frames of KIND `vlan` have a C-tag, an S-tag, and a C-tag
before another one; only their number is checked here.
"""
import socket
import sys
import time

SIZES = [60, 1800, 1916, 1917, 1918, 1919, 1920, 1921, 1922, 3960, 3967, 3968, 3969, 6000, 9004]
TAGS = ["81000123", "88a80456", "8100078988a80001"]
WAIT_S = 120  # ten times what the longest wait takes on a quiet machine
MARK = b"\x88\xb5net-devx"  # EtherType for local experiments


def make_frame(number, size, tags=""):
    head = bytes.fromhex("020000000007" + "020000000099" + tags) + MARK + bytes([number])
    return head + bytes((i * 7 + i // 256 + number) % 256 for i in range(size - len(head)))


def main():
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    s.bind((sys.argv[1], 0))
    if sys.argv[2] == "vlan":
        for number, tags in enumerate(TAGS):
            s.send(make_frame(number, 100, tags))
        return
    want = [make_frame(number, size) for number, size in enumerate(SIZES)]
    for frame in want:
        s.send(frame)
    end = time.monotonic() + WAIT_S
    while want and time.monotonic() < end:
        s.settimeout(max(0.001, end - time.monotonic()))
        try:
            frame, address = s.recvfrom(16384)
        except TimeoutError:
            break
        if address[2] == socket.PACKET_OUTGOING or MARK not in frame:
            continue
        if frame not in want:
            sys.exit("frame of %d bytes came back changed" % len(frame))
        want.remove(frame)
    if want:
        sys.exit("frames of %s bytes did not come back" % [len(f) for f in want])


main()
