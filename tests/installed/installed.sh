#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# installed.sh DIR DEVX-EMU PAGE: the installed library is whole, and programs outside the tree can use it.
#
# DIR has what stage.sh made, and PAGE is doc/devx.md. $CC and $CXX are the compilers.
set -u
dir=$1 emu=$(realpath "$2") page=$(realpath "$3") cc=${CC:-cc} cxx=${CXX:-c++}
. "$(dirname "$0")/../scripts/lib.bash"
make_work

include=$(find "$dir/root" -type d -name devxio)
lib=$(dirname "$(find "$dir/root" -name libdevxio.so)")
cd "$include" || exit 1
headers=$(find . -name '*.h' | sed 's|^\./||' | sort)
[ "$(echo "$headers" | wc -l)" -gt 20 ] || fail "$include has only these headers:" $headers

echo "== every header compiles alone, as C11 and as C++17"
for h in $headers; do
	echo "#include \"$h\"" > "$work/alone.c"
	echo 'int main(void) { return 0; }' >> "$work/alone.c"
	for language in "$cc -std=c11 -x c" "$cxx -std=c++17 -x c++"; do
		$language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. "$work/alone.c" || fail "$h: $language"
	done
done

echo "== layouts of commands and headers for internal use are not installed"
found=$(find "$dir/root" -name '*.def' -o -name prm.h -o -name seg.h -o -name fail.h -o -name wq.h)
[ -z "$found" ] || fail "installed:" $found

echo "== every enumeration of lib/prm that the headers name is installed"
for name in $(grep -rhoE 'enum prm_[a-z0-9_]+' . | sed 's/enum //' | sort -u); do
	grep -rqF "enum $name {" . || fail "enum $name: no installed header declares it"
done

echo "== the shared library exports the functions that the headers declare, and no others"
nm -D --defined-only "$lib/libdevxio.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort > "$work/exported"
for h in $headers; do echo "#include \"$h\""; done > "$work/all.c"
if $cc --version | grep -qi 'free software foundation'; then
	$cc -std=c11 -I. -fsyntax-only -aux-info "$work/declarations" "$work/all.c" || fail "gcc -aux-info"
	sed -n '/static/d; s|^/\* \./.* \*/ extern [^(]*[ *]\([a-z_0-9]*\) (.*|\1|p' "$work/declarations" | sort > "$work/declared"
	[ "$(wc -l < "$work/declared")" -gt 50 ] || fail "gcc found only these functions:" $(cat "$work/declared")
	diff "$work/declared" "$work/exported" || fail "< declared, > exported"
else
	echo "not gcc: skips the comparison with the compiler's list"
fi
! nm -D --defined-only "$lib/libdevxio.so" | grep -v ' T devx_' | grep -v ' A DEVXIO_' || fail "exports other names"

echo "== the name of the file begins with the soname"
soname=$(readelf -d "$lib/libdevxio.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
file=$(basename "$(readlink -f "$lib/libdevxio.so")")
case $file in "$soname".*) ;; *) fail "libdevxio.so is $file, but its soname is $soname" ;; esac
[ "$(readlink -f "$lib/$soname")" = "$lib/$file" ] || fail "$soname is not a link to $file"

echo "== the library and its pkg-config file need rdma-core and libnl, and no DPDK"
needed=$(readelf -d "$lib/libdevxio.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $needed in *rte_*) fail "the library needs $needed" ;; esac
export PKG_CONFIG_PATH="$lib/pkgconfig"
for name in $(pkg-config --print-requires --print-requires-private devxio | sed 's/ .*//'); do
	case $name in libibverbs | libmlx5 | libnl-3.0 | libnl-route-3.0) ;; *) fail "devxio.pc needs $name" ;; esac
done
version=$(sed -n 's/^#define DEVX_VERSION "\(.*\)"/\1/p' devx/version.h)
[ "$(pkg-config --modversion devxio)" = "$version" ] || fail "devxio.pc and devx/version.h have different versions"

echo "== the programs run on emu"
for kind in installed static; do
	expect 0 "1000 of 1000 frames came back" "$emu" -- "$dir/$kind-devx-loopback"
	expect 0 "" "$emu" -- "$dir/$kind-devx-monitor" mlx5_0 10 3
	grep -q '^3 readings' "$work/out" || fail "$kind-devx-monitor"
done
readelf -d "$dir/installed-devx-loopback" | grep -q 'NEEDED.*libdevxio' || fail "installed-devx-loopback: links no libdevxio"
! readelf -d "$dir/static-devx-loopback" | grep 'NEEDED.*libdevxio' || fail "static-devx-loopback needs the shared library"

echo "== the program of the page compiles with the command of the page, as C and as C++"
awk '/^## /{ on = /Using the library/ } on && /^```c$/ { c = 1; next } /^```$/ { c = 0 } c' "$page" > "$work/link.c"
export PKG_CONFIG_SYSROOT_DIR="$dir/root"
cd "$work" || exit 1
for compiler in "$cc -std=c11 -Wextra" "$cxx -std=c++17 -x c++"; do
	$compiler -Wall -Werror link.c -o link $(pkg-config --cflags --libs devxio) -Wl,-rpath,"$lib" &&
		"$emu" -- ./link | grep '^mlx5_0: link up, MTU 1500 bytes' || fail "$compiler: the program of $page"
done
pass
