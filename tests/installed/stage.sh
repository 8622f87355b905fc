#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# stage.sh BUILD OUT SOURCE...: installs the library of BUILD into OUT/root, and builds each SOURCE with
# the installed files alone: OUT/installed-NAME with the shared library, OUT/static-NAME with the static one.
#
# Copies the shared library to OUT, where the programs look for it. $CC is the compiler.
set -eu
build=$1 out=$2 cc=${CC:-cc}
shift 2
rm -rf "$out/root"
meson install -C "$build" --no-rebuild --quiet --destdir "$out/root" --tags devxio,devel > "$out/install.log" ||
	{ cat "$out/install.log"; exit 1; }
lib=$(dirname "$(find "$out/root" -name libdevxio.a)")

# pkg-config puts the directory of the installation in front of the paths of this package.
export PKG_CONFIG_SYSROOT_DIR="$out/root" PKG_CONFIG_PATH="$lib/pkgconfig"
cflags=$(pkg-config --cflags devxio)
libs=$(pkg-config --libs devxio)
private=$(pkg-config --static --libs devxio)

warnings='-std=c11 -O1 -Wall -Wextra -Wpedantic -Werror'
cp "$@" "$out" # a copy finds no header of the tree by chance
cd "$out"
for source; do
	name=$(basename "$source" .c)
	# shellcheck disable=SC2086
	$cc $warnings $cflags "$name.c" -o "installed-$name" $libs -Wl,-rpath,'$ORIGIN'
	# shellcheck disable=SC2086
	$cc $warnings $cflags "$name.c" -o "static-$name" -Wl,--as-needed "-L$lib" -Wl,-Bstatic -ldevxio \
		-Wl,-Bdynamic $private
done
cp "$lib/$(readelf -d "$lib/libdevxio.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" .
