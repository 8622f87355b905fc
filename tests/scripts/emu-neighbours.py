#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Other processes on the socket of an adapter cannot use up the descriptors of its owner. The owner refuses processes of other users.

Usage: emu-neighbours.py LAUNCHER OWNER

LAUNCHER is devx-emu. OWNER opens the device and runs a program: this script again, which talks to the socket itself. It knows
the messages of lib/emu/uverbs/remote/rpc.h.
"""
import array
import errno
import os
import pathlib
import resource
import socket
import struct
import sys
import time

OPEN, HOLD, ANSWER = 0, 3, 8
HEADER = struct.Struct("=IIIi4Q") # kind, bytes, n_fds, rc, arg
LIMIT, N_TRIES = 400, 600         # descriptors of the owner, tries of a process that wants more
WAIT_S = 120


def expect(want, found, subject):
    if want != found:
        sys.exit(f"FAIL: {subject}: {found!r} (expected: {want!r})")


class Peer:
    """A connection to the owner."""

    def __init__(self):
        self.sock, self.fds = socket.socket(socket.AF_UNIX), []
        self.sock.connect(os.path.dirname(os.environ["DEVX_EMU"]) + "/adapter") # waits for room in the queue of the listener
        self.sock.settimeout(WAIT_S)

    def ask(self, kind, args, fds=()):
        """Sends a request. Returns the errno of the answer, and keeps its descriptors."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        self.sock.sendmsg([HEADER.pack(kind, 0, len(fds), 0, *args)], rights)
        data, control, _, _ = self.sock.recvmsg(HEADER.size, socket.CMSG_SPACE(256))
        for _, _, numbers in control:
            self.fds += array.array("i", numbers)
        answer = HEADER.unpack(data)
        expect((ANSWER, 0), answer[:2], "kind and bytes of an answer")
        return -answer[3]

    def open(self):
        return self.ask(OPEN, (0, os.O_RDWR, 0, 0))

    def close(self):
        for fd in self.fds:
            os.close(fd)
        self.sock.close()


def count_fds():
    return len(os.listdir(f"/proc/{os.getppid()}/fd"))


def wait_for_fds(want, subject):
    """Waits until the owner has as many descriptors as before: its threads close them a moment after the connections."""
    deadline = time.monotonic() + WAIT_S
    while count_fds() != want and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(want, count_fds(), subject)


def check_foreign_files(before):
    peer = Peer()
    for i in range(N_TRIES):
        fd = os.memfd_create(f"junk{i}")
        expect(0, peer.ask(HOLD, (0, 0, 0, 0), [fd]), "answer to a file that is not of the adapter")
        os.close(fd)
    expect(before + 1, count_fds(), "descriptors of the owner after foreign files")
    peer.close()


def check_opens(before):
    peer, answers = Peer(), []
    while len(answers) < N_TRIES and errno.EMFILE not in answers:
        answers.append(peer.open())
    expect(LIMIT // 4, answers.count(0), "files that one process opens")
    expect(errno.EMFILE, answers[-1], "answer to one more")
    expect(before + 1 + LIMIT // 4, count_fds(), "descriptors of the owner")
    other = Peer()
    expect(0, other.open(), "a file of another process")
    other.close()
    peer.close()


def check_total(before):
    peers = [Peer() for _ in range(3)]
    answers = [peer.open() for peer in peers for _ in range(LIMIT // 4)]
    expect((LIMIT // 2, LIMIT // 4), (answers.count(0), answers.count(errno.EMFILE)), "files that three processes open")
    expect(before + 3 + LIMIT // 2, count_fds(), "descriptors of the owner")
    for peer in peers:
        peer.close()


def check_connections(before):
    peers = [Peer() for _ in range(LIMIT // 4)]
    for peer in peers:
        expect(0, peer.ask(HOLD, (0, 0, 0, 0), [0]), "answer on a connection")
    for _ in range(3):
        refused = Peer()
        expect(errno.EMFILE, refused.open(), "answer on a connection too many")
        refused.close()
    wait_for_fds(before + LIMIT // 4, "descriptors of the owner with all connections")
    for peer in peers:
        peer.close()


def check_user():
    """A process of another user is refused, even if it may write to the socket."""
    folder = pathlib.Path(os.environ["DEVX_EMU"]).parent
    folder.chmod(0o711)
    (folder / "adapter").chmod(0o666)
    pid = os.fork()
    if not pid:
        answer = 1
        try:
            os.setresuid(65534, 65534, 65534)
            answer = 100 + Peer().open()
        except PermissionError:  # of a folder above the socket
            answer = 0
        finally:
            os._exit(answer)
    answer = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if answer:
        expect(100 + errno.EPERM, answer, "100 + answer to another user")
    else:
        print("not tried: another user, which cannot reach the socket here")


def run_inside():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    before = count_fds()
    for check in (check_foreign_files, check_opens, check_total, check_connections):
        check(before)
        wait_for_fds(before, f"{check.__name__}: descriptors of the owner in the end")
    if os.getuid() == 0:
        check_user()
    else:
        print("not tried: another user, which only root can become")
    peer = Peer()
    expect(0, peer.open(), "a file after all that")
    print("PASS")


def main():
    if len(sys.argv) == 1:
        run_inside()
        return
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, hard))
    os.execv(sys.argv[1], [sys.argv[1], "--", sys.argv[2], sys.executable, os.path.realpath(__file__)])


if __name__ == "__main__":
    main()
