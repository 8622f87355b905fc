# SPDX-License-Identifier: BSD-3-Clause
#
# For the scripts beside it: run long commands, never silent for over two seconds.

child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 130' INT
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 143' TERM

# step LABEL LOG COMMAND...: runs COMMAND with its output in LOG, and says every two seconds
# for how long and what it printed last. Prints the end of LOG if COMMAND fails, and returns
# its status.
step() {
	label=$1 log=$2
	shift 2
	mkdir -p "$(dirname "$log")"
	start=$(date +%s) said=0
	echo "== $label"
	"$@" > "$log" 2>&1 < /dev/null &
	child=$!
	while sleep 0.5; kill -0 $child 2> /dev/null; do
		s=$(($(date +%s) - start))
		[ $s -ge $((said + 2)) ] || continue
		said=$s
		printf '   %3d s  %s\n' $s "$(tail -c 400 "$log" | tr '\r' '\n' |
			sed -n 's/[^[:print:]]//g; s/^ *//; /./h; ${x;p;}' | cut -c 1-84)"
	done
	status=0
	wait $child || status=$?
	child=
	[ $status -eq 0 ] || {
		echo "== $label failed with status $status; the end of $log:"
		tail -n 40 "$log" | sed 's/^/   | /'
	}
	return $status
}

# configure DIR OPTIONS...: meson setup, with what is found on this machine.
configure() {
	dir=$1
	shift
	sdk=$("$top/devtools/dpdk-sdk")
	set -- -Ddriver=enabled -Dtests=enabled -Ddpdk_sdk="$sdk" -Dlinux_mlx5="$(linux_mlx5)" "$@"
	if [ -e "$dir/build.ninja" ]; then
		meson setup --reconfigure "$dir" "$top" "$@"
	else
		rm -rf "$dir"
		meson setup "$dir" "$top" "$@"
	fi
}

# linux_mlx5: the directory of mlx5_ifc.h in the newest of the installed kernel headers.
linux_mlx5() {
	found=$(ls -d /usr/src/linux-headers-*-common/include/linux/mlx5 2> /dev/null | sort -V | tail -n 1)
	[ -z "$found" ] || [ ! -e "$found/mlx5_ifc.h" ] || echo "$found"
}
