#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# overlay.sh WORK DEBS VERSION: runs inside.sh in a copy-on-write view of this machine, and then checks that
# the packages left nothing behind.
#
# packages.sh runs it as root, in a mount namespace of its own. WORK is an empty folder. Whatever changes
# in the view is in WORK/upper, which ends with the namespace.
set -u
work=$1 debs=$2 version=$3
here=$(dirname "$(realpath "$0")")
. "$here/check.bash"

view=$work/view
mount -t tmpfs -o mode=755 packages "$work" && mkdir "$work/upper" "$work/state" "$view" || exit 1
mount -t overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/state" overlay "$view" || {
	skip package_install "this machine's file system cannot be the lower layer of an overlay"
	exit 0
}
for d in proc sys dev; do mount --rbind /$d "$view/$d" || exit 1; done
for d in tmp run mnt; do mount -t tmpfs -o mode=1777 packages "$view/$d" || exit 1; done
mkdir "$view/mnt/debs" "$view/mnt/package"
mount --bind "$debs" "$view/mnt/debs" && mount --bind "$here" "$view/mnt/package" || exit 1

env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
	RESULTS=/mnt/debs/results chroot "$view" bash /mnt/package/inside.sh "$version" || failed=1

# Files that dpkg and its triggers write: its database, logs, the caches of the loader and of man.
ours='^/(var/lib/dpkg|var/log|var/cache|etc/ld\.so\.cache)(/|$)'

# A file of the upper layer is new or has changed. A folder of the upper layer is new if the machine lacks
# it. A character device marks a file that was removed in the view.
check_leftovers() {
	local path left=''

	while read -r path; do
		[ -d "$work/upper$path" ] && [ -d "$path" ] || left+=" $path"
	done < <(cd "$work/upper" && find . ! -type c ! -name . | sed 's/^\.//' | grep -vE "$ours")
	[ -z "$left" ] || { echo "left behind:$left"; return 1; }
}
check package_leaves_nothing check_leftovers
exit $failed
