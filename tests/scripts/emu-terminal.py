#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Signals of a terminal: devx-emu is the session leader, as under `ssh -t`.

Usage: emu-terminal.py DEVX-EMU
"""
import os
import pty
import signal
import sys
import tempfile
import time

WAIT_S = 60  # ten times what the longest wait takes on a quiet machine
emu = os.path.realpath(sys.argv[1])
failed = 0
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup, above this test, would let programs ignore it

# Writes one letter per signal to a file, until SIGUSR1 ends it.
COUNT_SIGNALS = """
import os, signal, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
for sig, letter in ((signal.SIGINT, b'I'), (signal.SIGHUP, b'H'), (signal.SIGTERM, b'T'), (signal.SIGUSR2, b'2')):
    signal.signal(sig, lambda number, frame, letter=letter: os.write(log, letter))
os.write(log, b'ready ')
while True:
    signal.pause()
"""


# Ends at SIGUSR2, which the launcher passes on after the SIGHUP of a closed terminal.
END_AT_USR2 = """
trap 'echo done > "$0"; exit' USR2
echo ready > "$0"
while :; do sleep 0.05; done
"""


def check(condition, text):
    global failed
    print(("ok: " if condition else "FAILED: ") + text)
    failed |= not condition


def wait_until(condition):
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def start(*program):
    """devx-emu -- PROGRAM as the leader of a session on a new terminal."""
    pid, terminal = pty.fork()
    if not pid:
        os.execv(emu, [emu, "--", *program])
    return pid, terminal


def read_file(path):
    try:
        with open(path) as f:
            return f.read()
    except FileNotFoundError:
        return ""


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def exit_status(pid):
    """Exit status of a launcher that must end within WAIT_S; None if it did not end."""
    status = []

    def reap():
        done, how = os.waitpid(pid, os.WNOHANG)
        status.append(os.waitstatus_to_exitcode(how)) if done else None
        return done

    if wait_until(reap):
        return status[0]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def start_counter(path):
    pid, terminal = start("python3", "-c", COUNT_SIGNALS, path)
    check(wait_until(lambda: read_file(path).startswith("ready ")), "the program runs")
    return pid, terminal


def test_closed_terminal(tmp):
    path = tmp + "/pid"
    pid, terminal = start("sh", "-c", f"echo $$ > {path}; exec sleep infinity")
    check(wait_until(lambda: read_file(path).endswith("\n")), "the program runs")
    program = int(read_file(path))
    os.close(terminal)
    check(wait_until(lambda: not is_running(program)), "a closed terminal ends the program")
    check(exit_status(pid) == 128 + signal.SIGHUP, "the launcher ends with the status of SIGHUP")


def test_ignored_hangup(tmp):
    path = tmp + "/nohup"
    pid, terminal = start("nohup", "sh", "-c", END_AT_USR2, path)
    check(wait_until(lambda: read_file(path) == "ready\n"), "the program runs under nohup")
    os.close(terminal)
    os.kill(pid, signal.SIGUSR2)
    check(wait_until(lambda: read_file(path) == "done\n"), "a program that ignores SIGHUP goes on")
    check(exit_status(pid) == 0, "the launcher waits for it")


def test_inherited_ignore(tmp):
    path = tmp + "/inherited"
    pid, terminal = pty.fork()
    if not pid:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.execv(emu, [emu, "--", "sh", "-c", END_AT_USR2, path])
    check(wait_until(lambda: read_file(path) == "ready\n"), "the program runs")
    os.close(terminal)
    os.kill(pid, signal.SIGUSR2)
    check(wait_until(lambda: read_file(path) == "done\n"), "nohup devx-emu: the program goes on")
    check(exit_status(pid) == 0, "nohup devx-emu: the launcher waits for it")


def test_once(tmp):
    path = tmp + "/once"
    pid, terminal = start_counter(path)
    os.write(terminal, b"\x03")
    wait_until(lambda: "I" in read_file(path))
    os.kill(pid, signal.SIGTERM)
    wait_until(lambda: "T" in read_file(path))
    os.close(terminal)
    wait_until(lambda: "H" in read_file(path))
    for n in 1, 2:  # what the launcher passes on twice comes before the second of them
        os.kill(pid, signal.SIGUSR2)
        wait_until(lambda n=n: read_file(path).count("2") == n)
    check(read_file(path) == "ready ITH22",
          f"Ctrl-C, SIGTERM and SIGHUP come once each: {read_file(path)}")
    os.kill(pid, signal.SIGUSR1)
    check(exit_status(pid) == 128 + signal.SIGUSR1, "the launcher ends with the program")


def test_other_group(tmp):
    path = tmp + "/group"
    pid, terminal = start("timeout", "600", "sh", "-c", f"echo $$ > {path}; exec sleep infinity")
    check(wait_until(lambda: read_file(path).endswith("\n")), "the program runs in a process group")
    program = int(read_file(path))
    os.write(terminal, b"\x03")
    check(wait_until(lambda: not is_running(program)),
          "Ctrl-C reaches a program that left the process group of devx-emu")
    check(exit_status(pid) is not None, "the launcher ends")
    os.close(terminal)


with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)  # nohup may write a file
    for test in (test_closed_terminal, test_ignored_hangup, test_inherited_ignore, test_once,
                 test_other_group):
        test(directory)
sys.exit(failed)
