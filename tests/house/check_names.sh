#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_names.sh CHECK: devtools/check-names finds each kind of stale name, and nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/doc" "$tree/lib/a" "$tree/devtools"

cat > "$tree/lib/a/a.h" <<'EOF'
/*
 * a.h, lib/a/a.h, a/a.h, a.[ch], lib/a, devtools/tool, tool() and fs_cmd.c of Linux exist, as does
 * open(2) of the C library. gone.h does not, nor does gone/a.h.
 */
/** tool - what it does */
int tool(void);
/** old_tool - what it does. see gone_function(), doc/page.md, "A
 * section" and doc/page.md, "No section" */
int new_tool(void); /* in lib/gone and devtools/gone */
static const char *text = "gone.c, gone()";
EOF
touch "$tree/lib/a/a.c"
printf '%s\n' '#!/bin/sh' '# runs missing.sh, and tool()' "echo gone.sh # missing" | sed 's/missing$/&()/' > "$tree/devtools/tool"
cat > "$tree/doc/page.md" <<'EOF'
# Page
## A section
[here](page.md#a-section), [there](page.md#no-section), [file](gone.md), see *A section*,
see *Nothing*: `tool()`, `a.c`, `old.c`, `lib/*/a.h`, `lib/*/b.h`.
EOF

sort > "$tree/expected" <<'EOF'
14 names do not exist
devtools/tool:2: missing.sh: the tree has no such file
devtools/tool:3: missing(): no code of the tree calls or declares it
doc/page.md:3: doc/page.md has no section #no-section (valid: #a-section, #page)
doc/page.md:3: gone.md: the tree has no such file
doc/page.md:4: doc/page.md has no section Nothing (valid: A section, Page)
doc/page.md:4: lib/*/b.h: the tree has no such file
doc/page.md:4: old.c: the tree has no such file
lib/a/a.h:3: gone.h: the tree has no such file
lib/a/a.h:3: gone/a.h: the tree has no such file
lib/a/a.h:7: gone_function(): no code of the tree calls or declares it
lib/a/a.h:7: old_tool: this file declares no such thing
lib/a/a.h:8: doc/page.md has no section No section (valid: A section, Page)
lib/a/a.h:9: devtools/gone: the tree has no such file
lib/a/a.h:9: lib/gone: the tree has no such file
EOF
status=0
"$check" --tree "$tree" > "$tree/out" || status=$?
cat "$tree/out"
[ $status -eq 1 ]
sed 's/.* files: \(.*\)/\1/' "$tree/out" | sort | diff "$tree/expected" -
