# SPDX-License-Identifier: BSD-3-Clause
"""tap_frames.py FROM TO GROUPS N

Sends GROUPS times N UDP frames into the netdev FROM, a group after the previous one arrived. Expects each of
them once at the netdev TO. The frames have 250 sources, which RSS spreads over the queues. Their
destination is 2.1.1.1, which l3fwd-power forwards to its second port.
"""
import socket
import struct
import sys
import time

WAIT_S = 120  # ten times what the longest wait takes on a quiet machine


def checksum(data):
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def make_frame(destination, number):
    payload = b"net-devx" + struct.pack(">I", number) + bytes(30)
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(payload), 0, 0, 64, 17, 0,
                         socket.inet_aton("1.1.1.%d" % (1 + number % 250)), socket.inet_aton("2.1.1.1"))
    header = header[:10] + struct.pack(">H", checksum(header)) + header[12:]
    udp = struct.pack(">HHHH", 1000, 2000, 8 + len(payload), 0)
    return destination + bytes.fromhex("020000000099") + b"\x08\x00" + header + udp + payload


def open_netdev(name):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    s.bind((name, 0))
    return s


def receive(s, seen, n):
    """Takes frames until n are seen."""
    end = time.monotonic() + WAIT_S
    while len(seen) < n and time.monotonic() < end:
        s.settimeout(max(0.001, end - time.monotonic()))
        try:
            frame, address = s.recvfrom(2048)
        except TimeoutError:
            break
        at = frame.find(b"net-devx")
        if address[2] == socket.PACKET_OUTGOING or at < 0:
            continue
        number = struct.unpack(">I", frame[at + 8:at + 12])[0]
        if number in seen:
            sys.exit("frame %d came twice" % number)
        seen.add(number)


def main():
    groups, n = (int(a) for a in sys.argv[3:5])
    source, sink = open_netdev(sys.argv[1]), open_netdev(sys.argv[2])
    destination = source.getsockname()[4]
    seen = set()
    for g in range(groups):
        for i in range(n):
            source.send(make_frame(destination, g * n + i))
        receive(sink, seen, (g + 1) * n)
        if len(seen) != (g + 1) * n:
            break
    print("%d of %d frames forwarded" % (len(seen), groups * n))
    sys.exit(len(seen) != groups * n)


main()
