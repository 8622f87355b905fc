#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Other processes on the socket of an adapter cannot use up the descriptors and the mappings of its owner. The owner refuses
processes of other users.

Usage: emu-neighbours.py LAUNCHER OWNER

LAUNCHER is devx-emu. OWNER opens the device and runs a program: this script again, which talks to the socket itself. It knows
the messages of lib/emu/uverbs/remote/rpc.h and marshal.h. In the end, this script is the owner, and forks.
"""
import array
import errno
import fcntl
import os
import pathlib
import resource
import socket
import struct
import subprocess
import sys
import time

OPEN, IOCTL, MAP, HOLD, ANSWER, REFUSAL = 0, 1, 2, 3, 8, 9
HEADER = struct.Struct("=IIIi4Q") # kind, bytes, n_fds, rc, arg
LIMIT, N_TRIES = 400, 600         # descriptors of the owner, tries of a process that wants more
DEVICE = "/dev/infiniband/uverbs0"
MAPPINGS = 8192                   # lib/emu/uverbs/base/mapping.c
CLOCK_PAGE = (5 << 8) * 4096      # an offset of the uverbs file
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

    def ask(self, kind, args, fds=(), body=b""):
        """Sends a request. Returns the errno of the answer, and keeps its descriptors."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        try:
            self.sock.sendmsg([HEADER.pack(kind, len(body), len(fds), 0, *args), body], rights)
        except BrokenPipeError: # the owner has refused this process already
            pass
        return self.receive(len(body))

    def receive(self, n_bytes=0):
        data, control, _, _ = self.sock.recvmsg(HEADER.size, socket.CMSG_SPACE(256))
        for _, _, numbers in control:
            self.fds += array.array("i", numbers)
        answer = HEADER.unpack(data)
        expect(True, answer[0] in (ANSWER, REFUSAL) and answer[1] in (0, n_bytes), f"kind and bytes of an answer, {answer[:2]}")
        if answer[1]:
            self.sock.recv(answer[1], socket.MSG_WAITALL)
        return -answer[3]

    def open(self):
        return self.ask(OPEN, (0, os.O_RDWR, 0, 0))

    def make_context(self):
        """Opens a file, and makes its context by method GET_CONTEXT. Returns the errno."""
        rc = self.open()
        if rc:
            return rc
        request = struct.pack("=4IBBHIQ", 1, 0, 0, 0, 0, 0, 0, 0, 3) # of a library that allocates UARs of 4 KiB as objects
        attr = struct.pack("=4HQ2I", 0x1000, len(request), 1, 0, 0, 1, 48)
        header = struct.pack("=4HQ2I", 40, 0, 3, 1, 0, 1, 0)
        return self.ask(IOCTL, (0, 0, 0, 0), self.fds[-1:], header + attr + request)

    def map(self):
        return self.ask(MAP, (CLOCK_PAGE, 4096, 1, 1), self.fds[-1:])

    def close(self):
        for fd in self.fds:
            os.close(fd)
        self.sock.close()


def try_open():
    """Opens the device as a program does. Returns 0, or the errno."""
    try:
        os.open(DEVICE, os.O_RDWR)
    except OSError as e:
        return e.errno
    return 0


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


def check_hold(before):
    """A file that the owner cannot keep for a process is refused, whatever the request."""
    peers = [Peer() for _ in range(2)]
    for peer in peers:
        expect([0] * (LIMIT // 4), [peer.open() for _ in range(LIMIT // 4)], "answers to files that two processes open")
    late = Peer()
    for kind in HOLD, IOCTL, MAP:
        expect(errno.EMFILE, late.ask(kind, (0, 0, 0, 0), peers[0].fds[:1]), f"answer to request {kind} with a file too many")
    for kind in HOLD, MAP:
        expect({HOLD: 0, MAP: errno.EINVAL}[kind], peers[0].ask(kind, (0, 0, 0, 0), peers[0].fds[:1]), "answer to a file that is kept")
    expect(before + 3 + LIMIT // 2, count_fds(), "descriptors of the owner")
    for peer in (*peers, late):
        peer.close()


def check_mappings(_):
    peers = [Peer() for _ in range(3)]
    for peer in peers:
        expect(0, peer.make_context(), "answer to GET_CONTEXT")
    for peer in peers[:2]:
        expect([0] * (MAPPINGS // 4), [peer.map() for _ in range(MAPPINGS // 4)], "answers to pages that a process maps")
        expect(errno.ENOMEM, peer.map(), "answer to one page more")
    expect(errno.ENOMEM, peers[2].map(), "answer to a third process")
    peers[0].close()
    deadline = time.monotonic() + WAIT_S
    while peers[2].map() and time.monotonic() < deadline: # until the owner has seen the end of the first process
        time.sleep(0.01)
    expect(0, peers[2].map(), "answer to a third process after the first")
    for peer in peers[1:]:
        peer.close()


def check_connections(before):
    peers = [Peer() for _ in range(LIMIT // 4)]
    for peer in peers:
        expect(0, peer.ask(HOLD, (0, 0, 0, 0), [0]), "answer on a connection")
    for _ in range(3):
        refused = Peer()
        expect(errno.EMFILE, refused.open(), "answer on a connection too many")
        refused.close()
    silent = Peer() # the owner waits for no request of it, because others wait meanwhile
    expect(errno.EMFILE, silent.receive(), "answer on a connection too many, before the request")
    silent.close()
    pid = os.fork()
    if not pid: # a program: it tries to connect each time
        os._exit([try_open(), try_open()] != [errno.EMFILE] * 2)
    expect(0, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "status of a program on a connection too many")
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
    for check in (check_foreign_files, check_opens, check_total, check_hold, check_mappings, check_connections):
        check(before)
        wait_for_fds(before, f"{check.__name__}: descriptors of the owner in the end")
    if os.getuid() == 0:
        check_user()
    else:
        print("not tried: another user, which only root can become")
    peer = Peer()
    expect(0, peer.open(), "a file after all that")
    print("PASS")


def count_opens():
    """Opens the device as often as it can. Returns how often, and the errno."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    for n in range(N_TRIES):
        error = try_open()
        if error:
            return n, error
    return N_TRIES, 0


def count_living(files):
    """Returns how many of the files still have a device: they know that they have no such method."""
    errors = []
    for fd in files:
        try:
            fcntl.ioctl(fd, 0xC0181B01, struct.pack("=4HQ2I", 24, 99, 0, 0, 0, 1, 0))
        except OSError as e:
            errors.append(e.errno)
    return errors.count(errno.EPROTONOSUPPORT)


def run_owner():
    """A child of fork keeps the files that it inherits, and opens no more than other processes."""
    for n, want in (10, LIMIT // 4 - 10), (LIMIT // 4 + 10, 0):
        inherited = [os.open(DEVICE, os.O_RDWR) for _ in range(n)]
        ends = os.pipe()
        pid = os.fork()
        if not pid:
            os.read(ends[0], 1)
            expect(n, count_living(inherited), "inherited files after the parent process has closed them")
            expect((want, errno.EMFILE), count_opens(), f"files that a child opens, with {n} that it inherits")
            os._exit(0)
        for fd in inherited:
            os.close(fd)
        os.write(ends[1], b"x")
        expect(0, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "status of a child")
    print("PASS: children of fork")


def main():
    if len(sys.argv) == 1:
        run_inside()
        return
    if sys.argv[1] == "owner":
        run_owner()
        return
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, hard))
    again = [sys.executable, os.path.realpath(__file__)]
    for program in [sys.argv[2], *again], [*again, "owner"]:
        status = subprocess.run([sys.argv[1], "--", *program], check=False).returncode
        if status:
            sys.exit(status)


if __name__ == "__main__":
    main()
