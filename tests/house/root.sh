#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# root.sh ROOT: devtools/root calls devtools/deps for programs that it lacks, says which packages the mirror lacks, and
# refuses wrong arguments in one line. The apt of this test has no sources, so it installs nothing.
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

# A mirror that lacks a package is status 4, and the last line names the package. Any other failure of mmdebstrap is
# status 3. Here mmdebstrap and apt-get are scripts.
mkdir "$work/fakes"
echo 'echo Debian http://127.0.0.1/debian' > "$work/fakes/apt-get"
: > "$work/fakes/newuidmap"
# ends STATUS LAST LINE...: mmdebstrap prints the LINEs; then the root ends with STATUS and a last line with LAST
ends() {
	wanted=$1 last=$2
	shift 2
	{ printf 'echo "%s" >&2\n' "$@"; echo 'exit 25'; } > "$work/fakes/mmdebstrap"
	chmod +x "$work/fakes"/*
	status=0
	PATH=$work/fakes:$PATH "$root" qemu > "$work/out" 2>&1 || status=$?
	cat "$work/out"
	[ $status -eq "$wanted" ] && tail -n 1 "$work/out" | grep -q -- "$last\( (see above)\)\{0,1\}\$"
}
ends 4 'lacks packages of the root qemu now: foo' 'E: Unable to locate package foo' 'E: mmdebstrap failed to run'
ends 4 'now: foo' "E: Package 'foo' has no installation candidate"
ends 4 'now: bar' ' foo : Depends: bar (>= 2) but it is not installable'
ends 4 'now: http://127.0.0.1/f.deb' 'E: Failed to fetch http://127.0.0.1/f.deb  404  Not Found [IP: 10.0.0.1 80]'
ends 3 'mmdebstrap failed' 'E: Failed to fetch http://127.0.0.1/InRelease  Could not connect to m:80 (10.0.0.1).'
ends 3 'mmdebstrap failed' 'E: Unable to locate package foo' 'write error: No space left on device'
[ -z "$(ls -A "$work/cache/net-devx")" ]

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
