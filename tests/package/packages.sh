#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# packages.sh DIR: the Debian packages can be built, installed, used and removed.
#
# Builds the packages in DIR with devtools/package. Writes a line for each check to DIR/results:
# `PASS name`, `FAIL name: why` or `SKIP name: why`. Exits with 1 if a check failed. overlay.sh installs
# the packages into a copy-on-write view of this machine, so the machine does not change.
set -u
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
mkdir -p "$1" && out=$(realpath "$1") || exit 1
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$top/meson.build")
export RESULTS=$out/results
: > "$RESULTS"
. "$here/check.bash"

# refuse_arguments: wrong arguments have status 2, and one line
refuse_arguments() {
	local arguments status said

	for arguments in --wrong --out directory; do
		status=0
		said=$("$top/devtools/package" $arguments 2>&1) || status=$?
		echo "$said"
		[ $status -eq 2 ] && [ "$(wc -l <<< "$said")" -eq 1 ] || { echo "$arguments: status $status"; return 1; }
	done
}

build_packages() { "$top/devtools/package" --out "$out"; }

# Each line has a package and a file that it must have.
list_expected() {
	cat <<-'FILES'
	devx-emu usr/bin/devx-emu
	devx-emu usr/lib/*/devx-emu/libdevx-emu.so
	devx-tools usr/bin/devx-bench
	devx-tools usr/bin/devx-pktgen
	devx-tools usr/bin/devx-report
	devx-tools usr/share/devx-pktgen/job.schema.json
	devx-tools usr/share/net-devx/targets.json
	libdevxio-dev usr/include/devxio/devx/dev.h
	libdevxio-dev usr/lib/*/libdevxio.a
	libdevxio-dev usr/lib/*/libdevxio.so
	libdevxio-dev usr/lib/*/pkgconfig/devxio.pc
	libdevxio[0-9]* usr/lib/*/libdevxio.so.[0-9]*
	librte-net-devx usr/lib/*/dpdk/pmds-*/librte_net_devx.so
	librte-net-devx usr/share/dpdk/telemetry-endpoints/net_devx.py
	librte-net-devx-dev usr/include/rte_pmd_devx.h
	FILES
}

# matches LIST PATTERN: a line of LIST matches the shell pattern
matches() {
	local line

	while read -r line; do
		# shellcheck disable=SC2053
		[[ $line == $2 ]] && return
	done <<< "$1"
	return 1
}

check_contents() {
	local deb name files all='' found=''

	for deb in "$out"/*.deb; do
		name=$(dpkg-deb -f "$deb" Package)
		[[ $(dpkg-deb -f "$deb" Version) = "$version"-* ]] || { echo "$deb: not version $version"; return 1; }
		[ -n "$(dpkg-deb -f "$deb" Description)" ]
		dpkg-deb --fsys-tarfile "$deb" | tar -tv > "$out/$name.files"
		! grep -v ' root/root ' "$out/$name.files" || { echo "$name: a file does not belong to root"; return 1; }
		files=$(sed 's/ -> .*//; s/.* \.\///' "$out/$name.files" | grep -v -e '/$' -e '^$' || :)
		all+=$files$'\n'
		found+=$(sed "s/^/$name /" <<< "$files")$'\n'
		grep -q "^usr/share/doc/$name/copyright" <<< "$files" || { echo "$name: no copyright"; return 1; }
		! grep -v '^usr/' <<< "$files" || { echo "$name: a file outside /usr"; return 1; }
	done
	while read -r line; do
		matches "$found" "$line" || { echo "no file $line"; return 1; }
	done < <(list_expected)
	for program in $(sed -n 's|^usr/bin/||p' <<< "$all"); do
		grep -qx "usr/share/man/man1/$program.1.gz" <<< "$all" || { echo "$program: no man page"; return 1; }
	done
	repeated=$(sort <<< "$all" | sed '/^$/d' | uniq -d)
	[ -z "$repeated" ] || { echo "two packages have the file" $repeated; return 1; }
	echo "$(wc -l <<< "$all") files"
}

check_lintian() { lintian --allow-root --fail-on error "$out"/*.deb; }

check package_arguments refuse_arguments
check package_build build_packages
[ $failed -eq 0 ] || exit 1
check package_contents check_contents
if command -v lintian > /dev/null; then
	check package_lintian check_lintian
else
	skip package_lintian "no lintian; devtools/deps package installs it"
fi

if [ "$(id -u)" != 0 ]; then
	skip package_install "only root can install packages, here into an overlay of this machine"
elif ! unshare --mount --net true; then
	skip package_install "this machine allows no namespaces for mounts and for the network"
else
	work=$(mktemp -d)
	unshare --mount --net --propagation private bash "$here/overlay.sh" "$work" "$out" "$version" || failed=1
	rmdir "$work"
	grep -qE '^(SKIP package_install|.* package_leaves_nothing)' "$RESULTS" || {
		failed=1
		print_result "FAIL package_overlay: overlay.sh ended before its last check"
	}
fi
exit $failed
