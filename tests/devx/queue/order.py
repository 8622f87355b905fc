#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""order.py SOURCE LIB_DIR OBJDUMP COMPILER...

Compiles tests/devx/queue/order.c and compares the machine code of each function with the order of lib/devx/include/devx/barrier.h: the stores that a
device sees, with their sizes, and the barriers between them. Exit status 77: no such compiler.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The instruction of each barrier; "": none, because the CPU keeps this order.
BARRIERS = {
    "x86-64": {"TO": "", "FROM": "", "RELEASE": "", "NC": "", "DOORBELL": "sfence", "FLUSH": "sfence"},
    "aarch64": {"TO": "dmb-oshst", "FROM": "dmb-oshld", "RELEASE": "dmb-osh", "NC": "dmb-oshst", "DOORBELL": "dsb-st", "FLUSH": "dsb-st"},
}

# S4 is a store of 4 bytes, L1 a load of 1 byte. A doorbell record has 4 bytes, a doorbell 8, and the state of a BlueFlame register 2. Where
# the code has two branches, one may stand behind the other, and both may share their end.
NON_CACHED, BLUEFLAME = "NC S8 S2?", "DOORBELL S8 FLUSH S2?"
RING = f"TO S4 (?:{NON_CACHED} {BLUEFLAME} | {BLUEFLAME} {NON_CACHED})"
ORDER = {
    "reg_ring_non_cached": "NC S8",
    "reg_ring_write_combining": "DOORBELL S8 FLUSH",
    "sq_ring": RING,
    "sq_ring_next": RING,
    "sq_ring_wqe": "TO S4 DOORBELL S8+ FLUSH S2? (?:S8+ (?:FLUSH S2?)?)?",
    "rq_post": "TO S4",
    "cq_release": "RELEASE S4",
    "cq_arm": "S4 DOORBELL S8 FLUSH",
}
# The same with loads: only the last load, of a field of the CQE, stands behind the barrier.
ANY_LOADS = "(?:L1|L2|L4|L8)*"
LOADS = {"cq_peek": f"{ANY_LOADS} L1 {ANY_LOADS} FROM L4"}
CLOBBER = {"to_device": "TO", "from_device": "FROM", "release": "RELEASE", "doorbell": "DOORBELL", "nc_doorbell": "NC", "wc_flush": "FLUSH"}


def disassemble(objdump, path):
    """Returns the instructions of each function: pairs of a mnemonic and its operands."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    functions, code = {}, []
    for line in text.split("\n"):
        head = re.match(r"[0-9a-f]+ <(\w+)>:", line)
        body = re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*([^#<]*)", line)
        if head:
            code = functions.setdefault(head.group(1), [])
        elif body:
            code.append((body.group(1), body.group(2).split("//")[0].strip()))
    return functions


def read_x86(name, operands):
    """Returns what an instruction of x86-64 does to memory outside the stack: "S8", "L4", a barrier; or None."""
    if name in ("sfence", "lfence", "mfence"):
        return name
    if not name.startswith("mov") or "(" not in operands or "(%rsp" in operands:
        return None
    register = re.search(r"(?:^|,)%(\w+)$|^%(\w+),", operands)
    register = (register.group(1) or register.group(2)) if register else ""
    is_store = operands.endswith(")")
    if name.startswith(("movz", "movs")) and len(name) == 6 and not is_store:
        size = {"b": 1, "w": 2, "l": 4}[name[4]]
    elif register.startswith("xmm"):
        size = 8 if name in ("movq", "movlps", "movhps") else 16
    elif register:
        size = 8 if re.fullmatch(r"r\w+[^dwb]", register) else 4 if register[0] == "e" or register.endswith("d") else \
            1 if register.endswith(("l", "b")) else 2
    else:
        size = {"b": 1, "w": 2, "l": 4, "q": 8}[name[-1]]
    return f"{'S' if is_store else 'L'}{size}"


def read_aarch64(name, operands):
    """The same for AArch64."""
    if name in ("dmb", "dsb", "isb"):
        return f"{name}-{operands}".rstrip("-")
    if not re.match(r"(ld|st)(u?r|p|ar|lr)", name) or "[sp" in operands:
        return None
    size = 1 if name.endswith("b") else 2 if name.endswith("h") else {"w": 4, "x": 8, "s": 4, "d": 8, "q": 16}[operands[0]]
    return f"{name[0].upper()}{size * (2 if name[2] == 'p' else 1)}"


def make_pattern(order, barriers):
    """Makes the pattern of the text that has ";" behind each access and each barrier."""

    def replace_word(match):
        word = barriers.get(match.group(), match.group())
        return f"(?:{word};)" if word else ""

    return re.sub(r"[A-Z]\w*", replace_word, order).replace(" ", "")


def check_order(functions, machine):
    """Returns the number of functions with another order."""
    read = read_x86 if machine == "x86-64" else read_aarch64
    wanted = {name: (order, "S") for name, order in ORDER.items()}
    wanted.update({name: (order, "SL") for name, order in LOADS.items()})
    for name, barrier in CLOBBER.items():
        wanted[f"clobber_{name}_barrier"] = (f"(?:L8|L4) S4 {barrier} (?:L8|L4) S4", "SL")
    wrong = 0
    for name, (order, kinds) in wanted.items():
        found = [read(*i) for i in functions[name]]
        found = "".join(f"{t};" for t in found if t and (t[0] in kinds or not re.fullmatch(r"[SL]\d+", t)))
        pattern = make_pattern(order, BARRIERS[machine])
        if not re.fullmatch(pattern, found):
            print(f"FAIL: {machine}: {name}: found '{found}' (valid: {order})")
            wrong += 1
    return wrong


def main():
    source, lib, objdump, *compiler = sys.argv[1:]
    if not shutil.which(compiler[0]) or not shutil.which(objdump):
        print(f"SKIP: no {compiler[0]} and {objdump} here; install gcc-aarch64-linux-gnu and libc6-dev-arm64-cross")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "order.o")
        # The headers of rdma-core stand beside those of this machine's libc.
        subprocess.run([*compiler, "-O2", "-I", lib, "-I", f"{lib}/devx/include", "-idirafter", "/usr/include", "-c", source, "-o", path], check=True)
        machine = subprocess.run([*compiler, "-dumpmachine"], check=True, capture_output=True, text=True).stdout
        machine = "aarch64" if machine.startswith("aarch64") else "x86-64"
        functions = disassemble(objdump, path)
    wrong = check_order(functions, machine)
    print(f"{machine}: {len(ORDER) + len(LOADS) + len(CLOBBER)} functions, {wrong} with another order")
    return 1 if wrong else 0


sys.exit(main())
