#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# inside.sh VERSION: installs the packages of /mnt/debs, uses every part of them from its installed
# path, and removes them. overlay.sh runs it.
set -u
version=$1
. /mnt/package/check.bash
cd /tmp || exit 1
names=$(for deb in /mnt/debs/*.deb; do dpkg-deb -f "$deb" Package; done)
eal=(--no-huge -m 512 --no-pci --no-telemetry --file-prefix=package)
PATIENCE_S=120

# The configuration of a container may leave out man pages and documents.
install_packages() {
	dpkg --path-include='/usr/share/man/*' --path-include='/usr/share/doc/*' --install /mnt/debs/*.deb
	for name in $names; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$name")" = installed ] || { echo "$name: not installed"; return 1; }
	done
}

# shellcheck disable=SC2086
list_programs() { dpkg -L $names | sed -n 's|^/usr/bin/||p'; }

print_versions() {
	local program said

	for program in $(list_programs); do
		said=$("$program" --version)
		[ "$said" = "$program $version" ] || { echo "$program --version: $said"; return 1; }
		echo "$said"
	done
}

# No option -d names net_devx: EAL finds it in its folder of drivers. testpmd prints its counters each
# second, and ends when packets have returned.
run_testpmd() {
	local deadline=$((SECONDS + PATIENCE_S)) pid

	devx-emu -- dpdk-testpmd "${eal[@]}" --vdev net_devx0,ibdev=mlx5_0 -- --forward-mode=io --tx-first \
		--total-num-mbufs=8192 --stats-period 1 < /dev/null > testpmd.log 2>&1 &
	pid=$!
	echo "waits for a packet, up to $PATIENCE_S s"
	until grep -qE 'RX-packets: +[1-9]' testpmd.log || [ $SECONDS -ge $deadline ] || ! kill -0 $pid; do
		sleep 0.2
	done
	kill -TERM $pid || :
	wait $pid || :
	tail -n 30 testpmd.log
	grep -qE 'RX-packets: +[1-9]' testpmd.log || { echo "testpmd received no packet"; return 1; }
	grep -qx 'devx-emu: 0 protocol mistakes' testpmd.log || { echo "protocol mistakes, or none counted"; return 1; }
}

run_generator() {
	devx-emu --ports 2 --wire pair,pause=on -- devx-pktgen demo --count 100000 | tee generator.log
	grep -q '^OK: 100,000 sent, 100,000 received, 0 lost, 0 corrupted' generator.log
}

list_points() { [ "$(devx-bench list | wc -l)" -gt 10 ]; }

# A program that includes both headers of the packages, and an example of libdevxio-dev
compile_programs() {
	zcat -f /usr/share/doc/libdevxio-dev/examples/devx-loopback.c* > loopback.c
	# shellcheck disable=SC2046
	cc -std=c11 -Wall -Werror loopback.c -o loopback $(pkg-config --cflags --libs devxio)
	readelf -d loopback | grep 'NEEDED.*libdevxio\.so\.'
	devx-emu -- ./loopback | tee loopback.log
	grep -q '1000 of 1000 frames came back' loopback.log
	[ "$(pkg-config --modversion devxio)" = "$version" ]
	printf '%s\n' '#include <rte_pmd_devx.h>' 'int main(void) { return 0; }' > header.c
	# shellcheck disable=SC2046
	cc -Wall -Werror header.c -o header $(pkg-config --cflags libdpdk)
}

show_pages() {
	local page

	for page in $(list_programs) devx-emu-pci devx-pktgen-monitor; do
		man -w "$page"
		MANWIDTH=100 man "$page" 2> warnings | grep -q '^NAME' || { echo "man $page: no NAME"; return 1; }
		[ ! -s warnings ] || { cat warnings; return 1; }
	done
}

remove_packages() {
	# shellcheck disable=SC2086
	dpkg --purge $names
	! command -v devx-emu || { echo "devx-emu: still there"; return 1; }
}

check package_install install_packages
if [ $failed -eq 0 ]; then
	check package_versions print_versions
	check package_man_pages show_pages
	check package_testpmd run_testpmd
	check package_generator run_generator
	check package_bench list_points
	check package_development compile_programs
fi
check package_remove remove_packages
exit $failed
