#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# root.sh ROOT: devtools/root calls devtools/deps for programs that it lacks, and refuses wrong arguments
# in one line. The apt of this test has no sources, so it installs nothing.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

# A machine without mmdebstrap: a PATH without it, and a dpkg that has installed nothing
mkdir "$work/bin" "$work/dpkg"
for folder in /usr/sbin /usr/bin /sbin /bin; do
	ln -sf "$folder"/* "$work/bin/"
done
rm -f "$work/bin/mmdebstrap"
: > "$work/dpkg/status"
cat > "$work/apt.conf" <<-EOF
	Dir::Etc::sourcelist "/dev/null";
	Dir::Etc::sourceparts "-";
	Dir::State "$work/state";
	Dir::State::status "$work/dpkg/status";
	Dir::Cache "$work/apt-cache";
	Debug::NoLocking "true";
EOF
mkdir -p "$work/state/lists/partial" "$work/apt-cache/archives/partial"
status=0
APT_CONFIG=$work/apt.conf DPKG_ADMINDIR=$work/dpkg PATH=$work/bin "$root" bookworm > "$work/out" 2>&1 || status=$?
cat "$work/out"
[ $status -eq 3 ]
# As root, deps installs the packages; for another user, deps prints the command.
grep -Eq '^(deps: installing| +apt-get update && apt-get install) .*\bmmdebstrap\b' "$work/out"

# refuses TEXT ARGUMENT...: status 2, and one line that contains TEXT
refuses() {
	text=$1
	shift
	status=0
	"$root" "$@" > "$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ $status -eq 2 ] && [ "$(wc -l < "$work/out")" -eq 1 ] && grep -qF -- "$text" "$work/out"
}
refuses "'woody'" woody
refuses 'no such directory' forky --build "$work/missing" true
refuses 'valid: 22.11' forky --dpdk 19.05 true
refuses 'valid: 22.11' bookworm --dpdk 22.11 true
refuses 'COMMAND' forky --dpdk 22.11
refuses "'--wrong'" forky --wrong
