#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# bench-cli.sh KNOWN DEVX-BENCH DEVX-EMU
#
# KNOWN is devx-bench with cases of known results. Checks its outputs, the exit statuses, what it
# refuses in one line, how it ends after a signal, and that it starts itself under devx-emu.
set -u
known=$(realpath "$1") bench=$(realpath "$2") emu=$(realpath "$3")
. "$(dirname "$0")/lib.bash"
make_work
cd "$work" || exit 1
logs=(out err)
PATH=$(dirname "$emu"):$PATH # KNOWN is in no folder of the build tree where devx-bench looks for devx-emu
export PATH
# memory that EAL and libnl leave at exit is not the subject
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# one_line STATUS TEXT COMMAND...: as expect, and COMMAND prints one line
one_line() { expect "$@"; [ "$(wc -l < out)" -eq 1 ] || fail "not one line: ${*:3}"; }

echo "== help, version, list"
expect 0 "--compare=OLD.json" "$known" --help
expect 0 "devx-bench " "$known" --version
expect 0 "Exit status:" "$bench" --help
expect 0 "known/rx/burst=64" "$known" list
[ "$("$known" list --filter '*burst=64')" = known/rx/burst=64 ] || fail "list --filter"
[ "$("$known" list --filter place --filter known/rx/burst=1)" = "$(printf 'known/rx/burst=1\nplace/here')" ] ||
	fail "list with two filters"

echo "== what it refuses, in one line"
one_line 2 "no command (valid: list, compare, all, or a case)" "$known"
one_line 2 "no command (valid: " "$known" --short
one_line 2 "nonsense: unknown case (valid: list, compare, all, known, counts, stages, curves, place, wait, broken, own)" "$known" nonsense
one_line 2 "place: a second command after known" "$known" known place
one_line 2 "--width 0: must be a percentage" "$known" known --width 0
one_line 2 "--time-limit soon: must be a time" "$known" known --time-limit soon
one_line 2 "2 outputs go to stdout (valid: 1)" "$known" known --json - --csv -
one_line 2 "--targets x: known has no targets" "$known" known --targets x
one_line 2 "no point of known matches" "$known" known --filter place
one_line 2 "no point matches" "$known" list --filter nothing
one_line 2 "place --port net_null0: this case needs emu, because it looks for emu" "$known" place --port net_null0
one_line 2 "own: --port and options for EAL have no effect, because it has a port" "$known" own --port net_null0
one_line 2 "own: --port and options for EAL have no effect, because it has a port" "$known" own -- --no-huge
one_line 2 "--width 101: must be a percentage" "$known" known --width 101
one_line 2 "--width 5x: must be a percentage" "$known" known --width 5x
one_line 2 "--filter a33: too many (valid: at most 32)" "$known" known $(for i in $(seq 33); do echo "--filter a$i"; done)
one_line 2 "net_null8: too many (valid: at most 8)" "$known" known $(for i in $(seq 0 8); do echo "--port net_null$i"; done)
one_line 2 "3 outputs go to stdout (valid: 1)" "$known" known --json - --csv - --markdown -
one_line 3 "--csv /nowhere/f: cannot write it: No such file" "$known" known --csv /nowhere/f
one_line 3 "--markdown /nowhere/f: cannot write it: No such file" "$known" known --markdown /nowhere/f
one_line 2 "49 options for EAL after -- (valid: at most 48)" "$known" all -- $(seq 49)
one_line 3 "--json /nowhere/f: cannot write it: No such file" "$known" known --json /nowhere/f
mkdir shared && chmod 1777 shared && ln -s ../target shared/link
for option in --json --csv --markdown; do
	one_line 3 "$option shared/link: cannot write it: it is a link in a folder that others can write" "$known" known $option shared/link
done
one_line 3 "--plot shared: others can write this folder; name one of your own" "$known" known --plot shared
[ ! -e target ] || fail "followed a link in a folder that others can write"
one_line 3 "--compare missing.json: cannot open it" "$known" known --compare missing.json
echo '{"schema": "devx-bench", "version": 9, "rows": []}' > old.json
one_line 2 "--compare old.json: schema version 9 (valid: 1)" "$known" known --compare old.json
one_line 2 "targets old.json: not the targets of devx-bench" "$known" compare --targets old.json
one_line 3 "devx-emu: cannot run it (No such file or directory)" env PATH=/nowhere "$known" known

here="--quiet --port net_null0" # no case below needs an adapter, so devx-emu need not start
echo "== huge pages"
pages=$(awk '/^HugePages_Free/ { free = $2 } /^Hugepagesize/ { print free * ($2 == 2048) }' /proc/meminfo)
if [ "${pages:-0}" -lt 64 ]; then
	"$known" all --port net_null0 --filter known --filter stages > out 2> err
	[ "$(grep -c 'WARNING: memory: less than 128 MiB of huge pages are free' err)" -eq 1 ] || fail "huge pages"
else
	expect 0 "64     net_devx           10" "$known" known --port net_null0
	! grep -q "huge pages" out || fail "a warning, although $pages huge pages are free"
fi

echo "== outputs"
expect 0 "64     net_devx           10" "$known" known $here
"$known" known $here --json a.json --csv a.csv --markdown a.md > table 2> err || fail "exit $?"
[ ! -s err ] || fail "stderr is not empty"
grep -q '^known/rx,net_mlx5,,64,core_cycles_per_packet,cycles/packet,20,20,20,1,0,$' a.csv || { fail a.csv; cat a.csv; }
grep -q '^| 64 | net_devx | 10 |$' a.md || { fail a.md; cat a.md; }
"$known" known $here --filter '*=64' --json - > b.json 2> /dev/null || fail "--json -"
python3 - << 'END' || fail "JSON"
import json
a, b = json.load(open("a.json")), json.load(open("b.json"))
assert (a["schema"], a["version"], a["interrupted"]) == ("devx-bench", 1, False), a
assert a["dpdk"].startswith("DPDK") and a["machine"]["kernel"].startswith("Linux"), a
assert len(a["rows"]) == 4 and len(b["rows"]) == 2
row = b["rows"][1]
assert row["case"] == "known/rx" and row["driver"] == "net_mlx5" and row["keys"] == {"burst": "64"}, row
assert row["values"]["core_cycles_per_packet"]["median"] == 20, row
END
[ "$("$known" known $here --csv - | wc -l)" -eq 5 ] || fail "--csv -"

echo "== comparison with an older run"
expect 0 "0 worse, 0 better, 0 other changes, 4 within the noise" "$known" known $here --compare a.json
expect 1 "WORSE   known/rx burst=64 net_devx: core_cycles_per_packet: 10 -> 11 cycles/packet (+10.0 %)" \
	env BENCH_KNOWN_CYCLES=11 "$known" known $here --compare a.json
expect 0 "2 better" env BENCH_KNOWN_CYCLES=9 "$known" known $here --compare a.json
expect 0 "2 rows of the old run were not measured" "$known" known $here --filter '*=64' --compare a.json

echo "== rows of another run beside this one"
sed -i 's/"dpdk": "[^"]*"/"dpdk": "DPDK 99.11"/' a.json
expect 0 "64     net_mlx5 (DPDK 99.11)           20" "$known" known $here --with a.json
grep -q '^64     net_mlx5                        20$' out || fail "--with hides the rows of this run"
! grep -q "side by side" out || fail "a merged table of rows without instructions"
"$known" counts $here --json counts.json > out || fail "exit $?"
sed -i 's/"dpdk": "[^"]*"/"dpdk": "DPDK 99.11"/' counts.json
expect 0 "both runs, side by side" "$known" counts $here --with counts.json --markdown merged.md
grep -Eq '^counts/rx/burst=32 +40 +100 +40 +100 +0.40 +1.00 +0.40$' out || fail "merged table"
grep -q '^| counts/rx/burst=32 | 40 | 100 | 40 | 100 | 0.40 | 1.00 | 0.40 |$' merged.md || fail "merged Markdown"
one_line 2 "--with old.json: schema version 9 (valid: 1)" "$known" known $here --with old.json

echo "== targets"
cat > targets.json << 'END'
{ "schema": "devx-bench-targets", "version": 1, "targets": [
  { "path": "Rx", "select": "known/rx/burst=64", "case": "known/rx", "keys": { "burst": "64" },
    "metric": "core_cycles_per_packet", "rival": "net_mlx5", "ship": 0.55, "stretch": 0.42 },
  { "path": "Rx, striding", "ship": 0.6, "unavailable": "emu has no striding RQs yet" } ] }
END
expect 0 "0.50  <= 0.55x   met" "$known" compare $here --targets targets.json
grep -q "not available: emu has no striding RQs yet" out || fail "no reason"
! grep -q "^known/rx" out || fail "compare prints tables"
"$known" compare $here --targets targets.json --json compare.json > out
[ "$(grep -c '"case"' compare.json)" -eq 2 ] || fail "compare measured a point that no target selects"
expect 1 "0.60  <= 0.55x   MISSED" env BENCH_KNOWN_CYCLES=12 "$known" compare $here --targets targets.json
expect 0 "met (stretch)" env BENCH_KNOWN_CYCLES=8 "$known" compare $here --targets targets.json

echo "== several cases, each in a process of its own"
expect 0 "place/here" "$known" all --quiet --filter known --filter place --json all.json
[ "$(grep -c '^place/here' out)" -eq 1 ] || fail "all prints a table more than once"
[ "$(grep -c '"case"' all.json)" -eq 5 ] || fail "all: $(grep -c '"case"' all.json) rows, not 5"
TMPDIR=$PWD/none expect 3 "$PWD/none/devx-bench." "$known" all --quiet --filter known --filter place
expect 3 "port net_devx0: cannot open it" "$known" all --quiet --filter known --filter broken
grep -q "64     net_devx" out || fail "a case that fails hides the rows of another"
expect 0 "WARNING: place: left out: this case needs emu" "$known" all --quiet --port net_null0 --filter known --filter place

most=$(for i in $(seq 31); do printf -- '--filter none%s ' "$i"; done)
expect 0 "place/here,none,,eal_options,,48,48,48," "$known" all --quiet $most --filter place --csv - -- $(seq 48)

echo "== a case gets the options of the run: alone, and as a process of all"
for command in place "all --filter place"; do
	# the values of eal_options, ports, time_limit, width, short, no_huge and verbose, each a row of the case place
	for row in "0,0,2,0.02,0,0,0" "0,0,0.007,0.02,0,0,0 --time-limit 7ms" "0,0,2,0.03,0,0,0 --width 3" "0,0,2,0.02,1,0,0 --short" \
		"0,0,2,0.02,0,1,0 --no-huge" "0,0,2,0.02,0,0,1 --verbose" "2,0,2,0.02,0,0,0 -- -a b"; do
		set -- $row
		"$known" $command --quiet --csv options.csv "${@:2}" > out 2> err || fail "exit $?: $command ${*:2}"
		got=$(awk -F, '$1 == "place/here" && $4 ~ /^(eal_options|ports|time_limit|width|short|no_huge|verbose)$/ { print $6 }' options.csv | paste -sd,)
		[ "$got" = "$1" ] || fail "$command ${*:2}: $got (valid: $1)"
	done
done
expect 0 "WARNING: own: left out with --port and options for EAL: it has a port" "$known" all --quiet --port net_null0 --filter known --filter own
expect 0 "own/port" "$known" all --quiet --filter own

echo "== where a case runs"
if unshare -Urn true 2> /dev/null && [ -w /dev/net/tun ]; then
	expect 0 "place/here,none,,netdevs,,4,4,4," "$known" place --quiet --csv -
else
	expect 0 "place/here,none,,netdevs,,0,0,0," "$known" place --quiet --csv -
fi
expect 0 "place/here,none,,on_emu,,1,1,1," "$known" place --quiet --csv -
expect 0 "place/here,none,,on_emu,,1,1,1," "$emu" --quiet -- "$known" place --quiet --csv -
expect 0 "known/rx,net_devx" "$known" known --quiet --port net_null0 --csv -

echo "== Ctrl-C prints the rows so far"
# interrupt COMMAND...: sends SIGINT once a case waits for it
interrupt()
{
	rm -f out err # the shell empties them in the background, so `waits` of the command before could be read
	set -m
	"$@" > out 2> err &
	pid=$!
	set +m
	wait_until grep -q waits err || fail "no case waits: $*"
	kill -INT $pid
	wait $pid
	status=$?
	[ $status -eq 130 ] || fail "exit $status after SIGINT: $*"
	grep -q '1      net_devx' out || fail "no rows: $*"
}
interrupt "$known" wait --json c.json
grep -q '"interrupted": true' c.json || fail "JSON does not say that the run was interrupted"
interrupt "$known" all --filter wait --filter known

echo "== plots"
if command -v gnuplot > /dev/null; then
	expect 0 "1 pictures, as SVG and PNG" "$known" known --plot plots
	expect 0 "1 pictures, as SVG and PNG" "$known" stages --plot plots
	expect 0 "nothing drawn: no rows with different bursts" "$known" known --filter known/rx/burst=64 --plot plots
	for f in known-rx-by-burst stages-rx-by-stage; do
		grep -q '</svg>' plots/$f.svg || fail "plots/$f.svg is not a picture"
		head -c 8 plots/$f.png | grep -q PNG || fail "plots/$f.png is not a picture"
	done
	grep -q net_mlx5 plots/known-rx-by-burst.svg || fail "a curve has no name"
	grep -q 'core cycles per packet' plots/known-rx-by-burst.svg || fail "an axis has no label"
	grep -q 'cycles, in cycles/packet' plots/stages-rx-by-stage.svg || fail "an axis has no unit"
	# a picture for each value of the other keys, in its name and title; drivers without a colour take the next ones
	expect 0 "4 pictures, as SVG and PNG" "$known" curves --plot curves
	[ "$(cd curves && echo *.svg)" = "$(for x in burst-size=1514-cache=hot burst-size=60-cache=hot size-cache=hot-burst=1 size-cache=hot-burst=64; do
		echo "curves-rx-by-$x.svg"; done | paste -sd' ')" ] || fail "pictures: $(cd curves && echo *.svg)"
	grep -qx 'set title "curves/rx, frames of 60 bytes, cache hot" noenhanced' curves/curves-rx-by-burst-size=60-cache=hot.gnuplot || fail "title"
	grep -q 'set xlabel "burst: packets that a call asks for"' curves/curves-rx-by-burst-size=60-cache=hot.gnuplot || fail "label of bursts"
	grep -q 'set ylabel "TSC cycles per packet" noenhanced' curves/curves-rx-by-burst-size=60-cache=hot.gnuplot || fail "label of cycles"
	grep -qx 'set title "curves/rx, cache hot, bursts of 64" noenhanced' curves/curves-rx-by-size-cache=hot-burst=64.gnuplot || fail "title of sizes"
	grep -q 'set xlabel "frame size in bytes, without FCS"' curves/curves-rx-by-size-cache=hot-burst=64.gnuplot || fail "label of sizes"
	for style in '7 ps 1 lc rgb "#0072b2" title "net_devx"' '9 ps 1 lc rgb "#009e73" title "net_tap"' '11 ps 1 lc rgb "#cc79a7" title "net_ring"'; do
		grep -q "pt $style" curves/curves-rx-by-burst-size=60-cache=hot.gnuplot || fail "no style $style"
	done
	printf '# net_tap\n1 100 100 100\n64 103 103 103\n\n\n# net_devx\n1 101 101 101\n64 104 104 104\n\n\n# net_ring\n1 102 102 102\n64 105 105 105\n\n\n' |
		cmp - curves/curves-rx-by-burst-size=60-cache=hot.dat || fail "data of a picture"
	# the order of the rows does not decide the colour of a driver
	for f in known-rx-by-burst stages-rx-by-stage; do
		grep -q 'lc rgb "#0072b2" title "net_devx"' plots/$f.gnuplot || fail "$f: colour of net_devx"
		grep -q 'lc rgb "#d55e00" title "net_mlx5"' plots/$f.gnuplot || fail "$f: colour of net_mlx5"
	done
else
	expect 0 "nothing drawn: gnuplot was not found; install the package gnuplot-nox" "$known" known --plot plots
fi
pass
