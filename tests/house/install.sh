#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# install.sh BUILD LIBRTE_EAL: `meson install` into an empty directory installs the programs, the preload and
# the driver. The driver goes to the directory where this EAL looks for plugins.
set -eu
build=$1 eal=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
bad=0

DESTDIR=$root meson install -C "$build" --no-rebuild --quiet

need() {
	[ -e "$root$1" ] && return
	bad=1
	echo "not installed: $1 ($2)"
}

# librte_eal.so contains the path of its plugin directory as a string.
plugins=$(tr '\0' '\n' < "$eal" | grep -a -o '^/[[:print:]]*/pmds-[0-9.]*$' | head -n 1)
[ -n "$plugins" ] || { echo "$eal: contains no path of a plugin directory"; exit 1; }
need "$plugins/librte_net_devx.so" "EAL opens the plugins in $plugins"

prefix=$(meson introspect "$build" --buildoptions |
	python3 -c 'import json, sys; print({o["name"]: o["value"] for o in json.load(sys.stdin)}["prefix"])')
need "$prefix/include/rte_pmd_devx.h" "functions of net_devx beyond ethdev"
need "$prefix/share/dpdk/telemetry-endpoints/net_devx.py" "endpoint for dpdk-telemetry-exporter.py"
need "$prefix/bin/devx-report" "bug report about net_devx"
"$root$prefix/bin/devx-report" --help > /dev/null || { echo "devx-report --help: exit status $?"; bad=1; }
for program in devx-emu devx-pktgen; do
	need "$prefix/bin/$program" program
done
if [ -e "$build/apps/bench/devx-bench" ]; then # libjansson was found
	need "$prefix/bin/devx-bench" program
	need "$prefix/share/net-devx/targets.json" "targets of devx-bench compare"
	"$root$prefix/bin/devx-bench" list > "$root/points" && [ -s "$root/points" ] || { bad=1; echo "devx-bench list: no points"; }
fi
if [ -e "$build/doc/man/devx-emu.1" ]; then # help2man was found
	for page in devx-emu-pci devx-pktgen-monitor; do
		need "$prefix/share/man/man1/$page.1" "man page of a subcommand"
	done
	for program in "$root$prefix/bin"/*; do
		need "$prefix/share/man/man1/$(basename "$program").1" "man page of a program"
	done
fi
[ -n "$(find "$root$prefix" -name libdevx-emu.so)" ] || { bad=1; echo "not installed: libdevx-emu.so"; }
"$root$prefix/bin/devx-emu" -- true || { echo "devx-emu -- true: exit status $?"; bad=1; }

# No installed file may look for libraries in the build directory.
for f in $(find "$root" -type f \( -perm -u+x -o -name '*.so*' \)); do
	if readelf -d "$f" 2> /dev/null | grep -E 'R(UN)?PATH' | grep -F "$build"; then
		bad=1
		echo "${f#"$root"} looks for libraries in the build directory"
	fi
done

find "$root" -type f -o -type l | sed "s|^$root||" | sort
exit $bad
