#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# versions.sh TREE VERSION SOVERSION PROGRAM...: the version and the soname of meson.build are those of the
# packages, the changelogs and `PROGRAM --version`. devtools/deps installs what the packages build with.
set -u
tree=$1 version=$2 soversion=$3
shift 3
failed=0

# expect WHAT GOT WANTED
expect() {
	[ "$2" = "$3" ] && return
	echo "FAILED: $1 has '$2' (valid: '$3')"
	failed=1
}

expect CHANGELOG.md "$(sed -n 's/^## \([^ ]*\).*/\1/p' "$tree/CHANGELOG.md" | head -n 1)" "$version"
expect debian/changelog "$(sed -n '1s/.*(\(.*\)-[0-9.]*).*/\1/p' "$tree/debian/changelog")" "$version"
expect debian/control "$(sed -n 's/^Package: libdevxio\([0-9]*\)$/\1/p' "$tree/debian/control")" "$soversion"
expect "debian/*.install" "$(cd "$tree/debian" && echo libdevxio[0-9]*.install)" "libdevxio$soversion.install"
for program; do
	expect "$program --version" "$("$program" --version)" "$(basename "$program") $version"
done

# debhelper-compat is a part of debhelper.
ours=$("$tree/devtools/deps" --list package)
for package in $(sed -n '/^Build-Depends:/,/^[A-Z]/{s/^Build-Depends:/ /;/^ /p}' "$tree/debian/control" |
	sed 's/([^)]*)//g; s/:any//g; s/,//g; s/debhelper-compat/debhelper/'); do
	case " $ours " in
	*" $package "*) ;;
	*) expect "devtools/deps --list package" "no $package" "$package, as debian/control" ;;
	esac
done
[ $failed -ne 0 ] || echo "$version, libdevxio.so.$soversion, $# programs"
exit $failed
