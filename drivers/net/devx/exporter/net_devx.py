# SPDX-License-Identifier: BSD-3-Clause
"""Endpoint of net_devx for DPDK's dpdk-telemetry-exporter.py: metrics of its ports."""

INFO = {
    "commands": ("Firmware commands of a port since probe, by command.", "counter"),
    "failed_commands": ("Firmware commands that failed, by command.", "counter"),
    "async_queries": ("Asynchronous queries of the queue counter.", "counter"),
    "objects": ("Objects that a port has on its device, by kind.", "gauge"),
    "queues": ("Queues of a started port, by side and state.", "gauge"),
    "wqe_errors": ("Error CQEs of queues, by side.", "counter"),
    "cq_errors": ("Completion queues that failed and were replaced, by side.", "counter"),
    "recoveries": ("Queues that the recovery timer restarted, by side.", "counter"),
    "lost_packets": ("Packets lost in a restart, a replacement or a stop of a queue, by side.", "counter"),
    "unknown_packets": ("Sent packets without a completion when the device was lost, by side (rx: 0).", "counter"),
    "waiting_queues": ("Queues that wait for their recovery, by side.", "gauge"),
    "started": ("1: the port is started.", "gauge"),
    "device_lost": ("1: the device failed or was removed.", "gauge"),
}


def info():
    """Returns {name: (description, type)} of all metrics."""
    return INFO


def read_port(sock, port):
    """Yields (name, value, labels) of a port of net_devx."""
    at = {"port": port}
    commands = sock.cmd("/net_devx/commands", port)
    if not commands or "error" in commands:
        return # another driver's port
    for command, n in commands["by_opcode"].items():
        yield "commands", n, {**at, "command": command}
        yield "failed_commands", commands["failed_by_opcode"].get(command, 0), {**at, "command": command}
    yield "async_queries", commands["async_queries"], at
    for kind, n in (sock.cmd("/net_devx/objects", port) or {}).items():
        if kind != "error":
            yield "objects", n, {**at, "kind": kind}

    queues = sock.cmd("/net_devx/queues", port) or {}
    recovery = sock.cmd("/net_devx/recovery", port) or {}
    for name in ("started", "device_lost"):
        if name in recovery:
            yield name, recovery[name], at
    for side in ("rx", "tx", "ring"):
        for state, n in queues.get(side, {}).items():
            yield "queues", n, {**at, "side": side, "state": state}
        for name, n in recovery.get(side, {}).items():
            if name != "failing":
                yield "waiting_queues" if name == "waiting" else name, n, {**at, "side": side}


def metrics(sock):
    """Returns [(name, value, labels)] of all ports of net_devx."""
    return [m for port in sock.cmd("/ethdev/list") or [] for m in read_port(sock, port)]
