# SPDX-License-Identifier: BSD-3-Clause
"""tcp_transfer.py receive PORT N SEED
tcp_transfer.py send ADDRESS PORT N SEED

Sends N bytes over TCP, and compares the received ones with them: the bytes follow from SEED. The receiver prints
"listening" when the sender may start.
"""
import random
import socket
import sys

LIMIT_S = 120  # ten times what the longest wait takes on a quiet machine


def expected_bytes(n, seed):
    return random.Random(int(seed)).randbytes(int(n))


def receive_bytes(port, n, seed):
    with socket.create_server(("", int(port))) as server:
        server.settimeout(LIMIT_S)
        print("listening", flush=True)
        connection, _ = server.accept()
    connection.settimeout(LIMIT_S)
    received = bytearray()
    while part := connection.recv(65536):
        received += part
    wanted = expected_bytes(n, seed)
    if received != wanted:
        at = next((i for i, (a, b) in enumerate(zip(received, wanted)) if a != b), min(len(received), len(wanted)))
        sys.exit("received %d bytes, wanted %d; the first difference is at byte %d" % (len(received), len(wanted), at))


def send_bytes(address, port, n, seed):
    with socket.create_connection((address, int(port)), LIMIT_S) as connection:
        connection.settimeout(LIMIT_S)
        connection.sendall(expected_bytes(n, seed))


{"receive": receive_bytes, "send": send_bytes}[sys.argv[1]](*sys.argv[2:])
