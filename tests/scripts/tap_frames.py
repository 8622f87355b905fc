# SPDX-License-Identifier: BSD-3-Clause
"""tap_frames.py FROM TO GROUPS N PAUSE_MS

Sends GROUPS times N UDP frames into the netdev FROM, with a pause after each group. Expects each of
them once at the netdev TO. The frames have 250 sources, which RSS spreads over the queues. Their
destination is 2.1.1.1, which l3fwd-power forwards to its second port. Prints how long the first frame of a group took, as median of the groups.
"""
import socket
import struct
import sys
import time


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


def receive(s, seen, n, seconds):
    """Takes frames until n are seen. Returns the time of the first one, or None."""
    end = time.monotonic() + seconds
    first = None
    while len(seen) < n and time.monotonic() < end:
        s.settimeout(max(0.001, end - time.monotonic()))
        try:
            frame, address = s.recvfrom(2048)
        except TimeoutError:
            break
        at = frame.find(b"net-devx")
        if address[2] == socket.PACKET_OUTGOING or at < 0:
            continue
        first = first or time.monotonic()
        number = struct.unpack(">I", frame[at + 8:at + 12])[0]
        if number in seen:
            sys.exit("frame %d came twice" % number)
        seen.add(number)
    return first


def main():
    groups, n, pause = (int(a) for a in sys.argv[3:6])
    source, sink = open_netdev(sys.argv[1]), open_netdev(sys.argv[2])
    destination = source.getsockname()[4]
    seen, took = set(), []
    for g in range(groups):
        begin = time.monotonic()
        for i in range(n):
            source.send(make_frame(destination, g * n + i))
        first = receive(sink, seen, (g + 1) * n, 5)
        if first:
            took.append((first - begin) * 1000)
        time.sleep(pause / 1000)
    print("%d of %d frames forwarded; the first of a group took %.1f ms (median)" %
          (len(seen), groups * n, sorted(took)[len(took) // 2] if took else -1))
    sys.exit(len(seen) != groups * n)


main()
