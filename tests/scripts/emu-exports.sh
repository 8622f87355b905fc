#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# libdevx-emu.so exports only the libc names that it interposes and devx_emu_*. A program would use
# any other exported symbol instead of its own.
# Usage: emu-exports.sh LIBDEVX-EMU.SO
nm -D --defined-only "$1" | awk '
	{ name = $3 }
	name ~ /^devx_emu_/ { next }
	name ~ /^(__)?(open|openat)(64)?(_2)?$/ { next }
	name ~ /^(__x|__fx|l|f)?stat(64)?$/ { next }
	name ~ /^fstatat(64)?$/ { next }
	name ~ /^(sigaction|signal|ssignal|__sysv_signal|sysv_signal)$/ { next }
	name ~ /^(ioctl|mmap|mmap64|munmap|close|close_range|dup|dup2|dup3|fcntl|fcntl64)$/ { next }
	name ~ /^(read|readv|__read_chk|write|writev|sendto|sendmsg|socket)$/ { next }
	name ~ /^(_init|_fini|__asan_|__ubsan_|__odr_asan|_edata|_end|__bss_start)/ { next }
	{ print name ": must not be exported (valid: devx_emu_*, interposed libc names)"; bad = 1 }
	END { exit bad }'
