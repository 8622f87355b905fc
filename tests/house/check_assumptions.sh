#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_assumptions.sh CHECK: devtools/check-assumptions finds tags and rows that do not fit each other.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/lib" "$tree/tests/on_adapter"

cat > "$tree/lib/a.h" <<'EOT'
/*
 * PRM-MISSING: a first guess (no source says it).
 *
 * PRM-MISSING: a second guess, which has
 * a longer text.
 *
 * PRM-CONTRADICTION: a guess without a row.
 *
 * PRM-WRONG: a guess with two rows.
 *
 * PRM-MISSING: two guesses, one.
 *
 * PRM-MISSING: two guesses, two.
 */
EOT
cat > "$tree/tests/on_adapter/assumptions.def" <<'EOT'
/* A comment
 * of two lines. */
CHECK(first, "lib/a.h", "a first guess")
REASON("lib/a.h", "a second guess, which "
       "has a longer text", "no way")
CHECK(wrong, "lib/a.h", "a guess with two")
CHECK(again, "lib/a.h", "a guess with two rows")
CHECK(gone, "lib/a.h", "a guess that was removed")
CHECK(elsewhere, "lib/b.h", "a first guess")
CHECK(short, "lib/a.h", "two guesses")
EOT

sort > "$tree/expected" <<'EOT'
6 assumptions, 7 rows, 5 mistakes
lib/a.h: 'a guess without a row....' has no row in tests/on_adapter/assumptions.def; add CHECK or REASON
tests/on_adapter/assumptions.def: lines 6, 7 are for the same tag; remove one
tests/on_adapter/assumptions.def:10: lib/a.h: 2 tags begin with 'two guesses'; make the text longer
tests/on_adapter/assumptions.def:8: lib/a.h: no tag begins with 'a guess that was removed'; change or remove the row
tests/on_adapter/assumptions.def:9: lib/b.h: no tag begins with 'a first guess'; change or remove the row
EOT
mkdir "$tree/drivers" "$tree/apps"
status=0
"$check" --tree "$tree" > "$tree/out" || status=$?
cat "$tree/out"
[ $status -eq 1 ]
sort "$tree/out" | diff "$tree/expected" -
