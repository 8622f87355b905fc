#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# libdevx-emu.so exports only the libc names that it interposes and devx_emu_*. A program would use
# any other exported symbol instead of its own.
# Usage: emu-exports.sh LIBDEVX-EMU.SO LOOKS.DEF
looks=$(sed -nE 's/^LOOK\([^,]*, (\w+),.*/\1/p; s/^(SHOW|CHANGE|CHANGE_BOTH)\((\w+),.*/\2/p' "$2" | tr '\n' ' ')
nm -D --defined-only "$1" | awk -v looks="$looks" '
	BEGIN { n = split(looks, rows); for (i = 1; i <= n; i++) is_look[rows[i]] = 1 }
	{ name = $3 }
	name ~ /^devx_emu_/ { next }
	name ~ /^(__)?(open|openat)(64)?(_2)?$/ { next }
	name ~ /^(fstat|__fxstat)(64)?$/ || name == "statx" { next }
	name in is_look { delete is_look[name]; next }
	name ~ /^(creat|fopen|freopen|truncate|glob|n?ftw)(64)?$/ || name ~ /^fts(64)?_open$/ { next }
	name ~ /^(readlink|readlinkat|realpath|canonicalize_file_name)$/ { next }
	name ~ /^__(readlink|readlinkat|realpath|getcwd|getwd)_chk$/ || name ~ /^(getcwd|getwd|get_current_dir_name)$/ { next }
	name ~ /^(sigaction|signal|ssignal|__sysv_signal|sysv_signal)$/ { next }
	name ~ /^(ioctl|mmap|mmap64|munmap|close|close_range|dup|dup2|dup3|fcntl|fcntl64)$/ { next }
	name ~ /^(read|readv|__read_chk|write|writev|sendto|sendmsg|socket)$/ { next }
	name ~ /^(_init|_fini|__asan_|__ubsan_|__odr_asan|_edata|_end|__bss_start)/ { next }
	{ print name ": must not be exported (valid: devx_emu_*, interposed libc names)"; bad = 1 }
	END {
		for (name in is_look) { print name ": a row of looks.def that the library does not export"; bad = 1 }
		exit bad
	}'
