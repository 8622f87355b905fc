# SPDX-License-Identifier: BSD-3-Clause
#
# Open vSwitch, whose database, sockets and logs are in $work. To be sourced after lib.bash.

# vsctl ARG...: changes or reads the database
vsctl() { ovs-vsctl --timeout=$WAIT_S --db="$database" "$@" || fail "ovs-vsctl $* ended with $?"; }

# database_begin: starts a server with an empty database, $database, whose process is $database_server. $control is the socket for
# ovs-appctl.
database_begin() {
	export OVS_RUNDIR=$work OVS_LOGDIR=$work OVS_DBDIR=$work OVS_SYSCONFDIR=$work
	database=unix:$work/database.sock control=$work/control.sock
	rm -f "$work/database"
	ovsdb-tool create "$work/database" /usr/share/openvswitch/vswitch.ovsschema || blame_others "ovsdb-tool cannot make the database"
	ovsdb-server "$work/database" --remote="p$database" --unixctl="$work/server.sock" > "$work/server.log" 2>&1 &
	database_server=$!
	wait_until test -S "$work/database.sock" || blame_others "ovsdb-server does not start: $(tail -n 1 "$work/server.log")"
}

# vswitchd_begin: starts a database, and Open vSwitch without DPDK
vswitchd_begin() {
	database_begin
	vsctl --no-wait init
	ovs-vswitchd "$database" --unixctl="$control" > "$work/switch.log" 2>&1 &
	wait_until test -S "$control" || blame_others "ovs-vswitchd does not start: $(tail -n 1 "$work/switch.log")"
}
