#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A process of an adapter trusts no answer of the adapter's owner: numbers, lengths, addresses and descriptors of it.

Usage: emu-bad-owner.py LAUNCHER

LAUNCHER is devx-emu. This script plays the owner, and a child of it is the process. It knows the messages of
lib/emu/uverbs/remote/rpc.h and marshal.h.
"""
import array
import ctypes
import errno
import os
import pathlib
import socket
import stat
import struct
import sys

OPEN, IOCTL, READ, ANSWER = 0, 1, 5, 8
HEADER, ATTR = struct.Struct("=IIIi4Q"), struct.Struct("=4HQ2I") # kind, bytes, n_fds, rc, arg; id, len, flags, 0, data, place, at
DEVICE = "/dev/infiniband/uverbs0"
IOCTL_HEADER, ROOM, LENGTH, FLAGS, DATA, AT = 24, 40, 1, 2, 4, 6
QUERY_PORT, COMMAND_FILE, RDMA_VERBS_IOCTL = (0, 2), (0x1004, 0x1000), 0xC0181B01 # objects and methods of uverbs, its ioctl
PORT_NUM, PORT_RESP, HANDLE = 0, 1, 0x1000
ASYNC_QUEUE, COMMAND_QUEUE, DEVICE_FATAL = 0, 2, 8
WAIT_S = 120
SPACE = (ctypes.c_uint8 * 4096)()  # of the child: an output at 1024, and around it what nobody may write
LIBC = ctypes.CDLL(None, use_errno=True)


def expect(want, found, subject):
    if want != found:
        sys.exit(f"FAIL: {subject}: {found!r} (expected: {want!r})")


# ---- the owner ---------------------------------------------------------------------------------------

def make_file():
    """Returns a file like those of lib/emu/uverbs/files/cdev.c."""
    fd = os.memfd_create("uverbs")
    os.ftruncate(fd, 1 << 37)
    return fd


class Owner:
    def __init__(self):
        path = pathlib.Path(os.environ["DEVX_EMU"]).parent / "adapter"
        path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.settimeout(WAIT_S)
        self.listener.bind(str(path))
        self.listener.listen()
        self.sock = None

    def receive(self, kind):
        """Returns the body of a request of this kind."""
        if not self.sock:
            self.sock = self.listener.accept()[0]
            self.sock.settimeout(WAIT_S)
        data, control, _, _ = self.sock.recvmsg(HEADER.size, socket.CMSG_SPACE(256))
        for _, _, numbers in control:
            for fd in array.array("i", numbers):
                os.close(fd)
        expect(kind, HEADER.unpack(data)[0], "kind of a request")
        n = HEADER.unpack(data)[1]
        return bytearray(self.sock.recv(n, socket.MSG_WAITALL) if n else b"")

    def answer(self, body=b"", fds=(), rc=0, kind=ANSWER, arg=0):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        self.sock.sendmsg([HEADER.pack(kind, len(body), len(fds), rc, arg, 0, 0, 0), bytes(body)], rights)

    def answer_open(self):
        self.receive(OPEN)
        self.answer(fds=[make_file()])


def change(body, index, field, value):
    """Changes a field of an attribute of the message of an ioctl."""
    at = IOCTL_HEADER + index * ATTR.size
    attr = list(ATTR.unpack_from(body, at))
    attr[field] = value
    ATTR.pack_into(body, at, *attr)
    return body


def fill_output(body):
    """Answers QUERY_PORT: writes its output, which is attribute 1, and marks it as valid."""
    change(body, 1, FLAGS, 2)
    at = ATTR.unpack_from(body, IOCTL_HEADER + ATTR.size)[AT]
    body[at:at + ROOM] = b"\x5a" * ROOM
    return body


def own(changes=lambda body: body, **answer):
    """Returns the owner of a child that queries the port: it changes the message of the answer."""
    def run(owner):
        owner.answer_open()
        owner.answer(changes(fill_output(owner.receive(IOCTL))), **answer)
    return run


def own_open(**answer):
    def run(owner):
        owner.receive(OPEN)
        owner.answer(**answer)
    return run


def own_event_file(owner):
    ends = os.pipe()
    owner.answer_open()
    owner.answer(owner.receive(IOCTL), [ends[0]], arg=COMMAND_QUEUE)
    owner.receive(READ)
    owner.answer(b"\x5a" * 1000)


def own_and_end(owner):
    ends = os.pipe()
    owner.answer_open()
    owner.answer(owner.receive(IOCTL), [ends[0]], arg=ASYNC_QUEUE)
    owner.sock.close()
    owner.listener.close()


# ---- the process -------------------------------------------------------------------------------------

def send_ioctl(fd, method, *attrs):
    """Returns the errno, and the attributes."""
    call = bytearray(struct.pack("=4HQ2I", 24 + 16 * len(attrs), *method, len(attrs), 0, 1, 0) + b"".join(struct.pack("=4HQ", *a) for a in attrs))
    room = (ctypes.c_uint8 * len(call)).from_buffer(call)
    rc = LIBC.ioctl(fd, ctypes.c_ulong(RDMA_VERBS_IOCTL), room)
    return ctypes.get_errno() if rc else 0, [struct.unpack_from("=4HQ", call, 24 + 16 * i) for i in range(len(attrs))]


def query_port():
    fd = os.open(DEVICE, os.O_RDWR)
    rc, attrs = send_ioctl(fd, QUERY_PORT, (PORT_NUM, 1, 1, 0, 1), (PORT_RESP, ROOM, 1, 0, ctypes.addressof(SPACE) + 1024))
    return rc, attrs[1][2], bytes(SPACE[1024:1024 + ROOM]).count(0x5a)


def open_file():
    try:
        fd = os.open(DEVICE, os.O_RDWR)
    except OSError as e:
        return e.errno
    expect(True, stat.S_ISCHR(os.fstat(fd).st_mode), "an open file is the device")
    os.close(fd)
    return 0


def read_events(*lengths):
    """Makes an event file, and returns (result, errno) of each read of it."""
    fd = os.open(DEVICE, os.O_RDWR)
    rc, attrs = send_ioctl(fd, COMMAND_FILE, (HANDLE, 0, 1, 0, 0))
    expect(0, rc, "an ioctl that makes an event file")
    results = []
    for n in lengths:
        rc = LIBC.read(attrs[0][4], ctypes.byref(SPACE, 1024), n)
        results.append((rc, ctypes.get_errno() if rc < 0 else 0))
    return results


def read_event():
    return read_events(8)


def read_loss():
    """A lost device is in the asynchronous event file once, for a buffer that is long enough."""
    return read_events(15, 16, 16) + [SPACE[1032]]


GOOD, LOST = (0, 2, ROOM), (errno.EIO, 1, 0) # results of query_port()
CASES = [
    # name, process, owner, result of the process
    ("an answer", query_port, own(), GOOD),
    ("a longer output", query_port, own(lambda b: change(b, 1, LENGTH, 400)), GOOD),
    ("another address", query_port, own(lambda b: change(b, 1, DATA, ctypes.addressof(SPACE))), GOOD),
    ("an output behind the message", query_port, own(lambda b: change(b, 1, AT, 1 << 31)), GOOD),
    ("an input as output", query_port, own(lambda b: change(b, 0, 0, PORT_RESP)), GOOD),
    ("a short message", query_port, own(lambda b: b[:IOCTL_HEADER]), LOST),
    ("a long message", query_port, own(lambda b: b + b"\x5a" * 8), LOST),
    ("an error above 0", query_port, own(rc=5), LOST),
    ("an error that is none", query_port, own(rc=-4096), LOST),
    ("a request as answer", query_port, own(kind=READ), LOST),
    ("a file", open_file, own_open(fds=[make_file()]), 0),
    ("no file", open_file, own_open(), errno.EIO),
    ("two files", open_file, own_open(fds=[make_file(), make_file()]), errno.EIO),
    ("a file that is not a device", open_file, own_open(fds=[os.memfd_create("junk")]), errno.ENOMEM),
    # the process takes the owner for lost, and becomes the owner
    ("a descriptor that is none", open_file, own_open(rc=7), 0),
    ("a message longer than the buffer", read_event, own_event_file, [(-1, errno.EIO)]),
    ("the end of the owner", read_loss, own_and_end, [(-1, errno.EINVAL), (16, 0), (-1, errno.EIO), DEVICE_FATAL]),
]


def check(name, process, owner, want):
    place = Owner()
    pid = os.fork()
    if not pid:
        place.listener.close()
        before = len(os.listdir("/proc/self/fd"))
        expect(want, process(), name)
        expect(4096 - ROOM, bytes(SPACE[:1024] + SPACE[1024 + ROOM:]).count(0), f"{name}: bytes around the output that nobody wrote")
        if process == open_file and want: # else descriptors of the front stay: its connection and its adapter
            expect(before + 1, len(os.listdir("/proc/self/fd")), f"{name}: descriptors in the end, with the connection")
        sys.stdout.flush()
        os._exit(0)
    owner(place)
    expect(0, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), f"{name}: status of the process")
    place.sock.close()
    place.listener.close()


def main():
    if len(sys.argv) > 1:
        os.execv(sys.argv[1], [sys.argv[1], "--", sys.executable, os.path.realpath(__file__)])
    for case in CASES:
        check(*case)
    print(f"PASS: {len(CASES)} answers")


if __name__ == "__main__":
    main()
