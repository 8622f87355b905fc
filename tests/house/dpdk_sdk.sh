#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# dpdk_sdk.sh DPDK-SDK: devtools/dpdk-sdk takes the headers of the installed DPDK from an apt source, and
# says why it cannot. apt reads an archive that this test makes, and reaches no network.
set -eu
sdk=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" APT_CONFIG="$work/apt.conf" PKG_CONFIG_PATH="$work"
headers='bus_driver.h dev_driver.h ethdev_driver.h ethdev_pci.h ethdev_vdev.h
bus_auxiliary_driver.h bus_pci_driver.h bus_vdev_driver.h'

# The installed DPDK is release 99.11 from the source package dpdk, without driver headers.
cat > "$work/libdpdk.pc" <<-EOF
	includedir=$work/include
	debian_source=dpdk 99.11.1-1
	Name: DPDK
	Description: DPDK without driver headers
	Version: 99.11.1
EOF
mkdir -p "$work/etc/sources.list.d" "$work/etc/apt.conf.d" "$work/archive" "$work/dpdk/debian/source" "$work/dpdk/lib/ethdev"
cat > "$APT_CONFIG" <<-EOF
	Dir::Etc "$work/etc";
	Dir::State::status "/dev/null";
EOF
echo "deb [trusted=yes] file:$work/archive ./" > "$work/etc/sources.list"

# A source package, made as Debian makes one
cd "$work/dpdk"
for h in $headers; do echo "/* $h */" > "lib/ethdev/$h"; done
mkdir -p examples/l3fwd-power examples/other examples/multi_process/symmetric_mp examples/multi_process/other
echo "/* l3fwd-power */" > examples/l3fwd-power/main.c
echo "/* symmetric_mp */" > examples/multi_process/symmetric_mp/main.c
echo 99.11.1 > VERSION
echo 1.0 > debian/source/format
printf 'Source: dpdk\nMaintainer: Nobody <nobody@example.com>\n\nPackage: dpdk\nArchitecture: any\n' > debian/control
printf 'dpdk (99.11.1-1) unstable; urgency=low\n\n  * Test.\n\n -- Nobody <nobody@example.com>  Thu, 01 Jan 2026 00:00:00 +0000\n' \
	> debian/changelog
cd "$work/archive"
dpkg-source -b "$work/dpdk" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# list_source VERSION: the index of the archive lists the source package with this version
list_source() {
	{
		printf 'Package: dpdk\nFormat: 1.0\nBinary: dpdk\nArchitecture: any\nVersion: %s\nDirectory: .\n' "$1"
		for kind in md5:Files sha256:Checksums-Sha256; do
			echo "${kind#*:}:"
			for f in dpdk_*; do
				echo " $("${kind%:*}sum" "$f" | cut -d ' ' -f 1) $(stat -c %s "$f") $f"
			done
		done
	} > Sources
}

# expect STATUS TEXT ARGUMENT...: dpdk-sdk ends with STATUS, and its last line contains TEXT
expect() {
	wanted=$1 text=$2
	shift 2
	status=0
	"$sdk" "$@" > "$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ]
	tail -n 1 "$work/out" | grep -qF -- "$text"
}

list_source 98.11.1-1
expect 3 'does not list dpdk 99.11.1-1'

list_source 99.11.1-1
mkdir away
mv dpdk_* away
expect 3 'lists dpdk 99.11.1-1, but its download failed'
tail -n 1 "$work/out" | grep -q "file:$work/archive/.*dpdk_99.11.1-1"

mv away/* .
expect 0 "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1"
for h in $headers; do cmp "$work/dpdk/lib/ethdev/$h" "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/$h"; done
[ "$(cd "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/examples" && find . -type f | sort | tr '\n' ' ')" = \
	"./l3fwd-power/main.c ./multi_process/symmetric_mp/main.c " ]

# A folder that an older dpdk-sdk made gets the examples that it lacks. It is used without them if they
# cannot be downloaded.
rm -r "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/examples.list" "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/examples/multi_process"
mv dpdk_* away
expect 0 "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1"
grep -q 'which lacks some of the examples: their tests are skipped' "$work/out"
[ ! -e "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/examples/multi_process" ]
mv away/* .
expect 0 "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1"
[ -f "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/examples/l3fwd-power/main.c" ]
[ -f "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1/examples/multi_process/symmetric_mp/main.c" ]
[ "$(grep -c lacks "$work/out")" -eq 0 ]
rm "$work/archive"/dpdk_*
expect 0 "$XDG_CACHE_HOME/net-devx/dpdk-sdk-99.11.1-1" # nothing is downloaded again

# Headers from another place: an unpacked source tree, then a folder that lacks a header
expect 3 'cannot write' --copy "$work/dpdk" /dev/null/copy
"$sdk" --copy "$work/dpdk" "$work/copy"
for h in $headers VERSION examples/l3fwd-power/main.c; do [ -f "$work/copy/$h" ]; done
rm "$work/copy/ethdev_pci.h"
expect 2 'no ethdev_pci.h' --copy "$work/copy" "$work/second"

# A cache that this script cannot write
XDG_CACHE_HOME=/dev/null
expect 3 'cannot write /dev/null/net-devx; set XDG_CACHE_HOME'
