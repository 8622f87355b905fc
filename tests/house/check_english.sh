#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_english.sh CHECK: devtools/check-english finds each kind of breach, and nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/lib" "$tree/devtools" "$tree/doc"

cat > "$tree/lib/a.c" <<'EOF'
/* Returns the number of queues. What Linux calls them is the same. */
/* What a queue has is counted here. */
// So the queue is empty.
static const char *const texts[] = {
	"there is no queue %u", /* Whose queue this is */
	"no such queue %u",
	"the adapter has queues that there are none of",
	"/* What looks like a comment */",
};
/*
 * The first sentence has twenty-five words, because each word of this sentence is one more
 * that the test needs in order to show the limit. The second sentence has one
 * word more than that, and for this reason the check must print the line of its first
 * word to the user.
 *
 *     a picture of one two three four five six seven eight nine ten eleven twelve thirteen
 *     a picture of one two three four five six seven eight nine ten eleven twelve thirteen
 */
/** read_queue - Of one queue, read its state */
EOF
{
	printf '/* DOC: queues\n'
	for i in $(seq 15); do echo " * Line $i is a sentence."; done
	printf ' */\n'
} > "$tree/lib/long.h"
sed '2d' "$tree/lib/long.h" > "$tree/lib/short.h"

cat > "$tree/devtools/tool" <<'EOF'
#!/bin/sh
# tool: prints its arguments.

echo "$@" # Prints them.
# Nor does it exit.
say "there is no argument"
EOF
cat > "$tree/devtools/tool.py" <<'EOF'
"""tool: prints its arguments."""
def find_it():
    """Where the argument is"""
    return "no such argument"
EOF
cat > "$tree/doc/page.md" <<'EOF'
# What a page may have as its title

What a page says may begin so.

```
this is a block of code that has many more words than one sentence of a page may have, and is no sentence at all
```

This sentence of a page has more words than one sentence may have, because it goes on and on until the reader has forgotten its beginning.

- This item of a list has more words than one sentence may have, because it goes on and on until the reader has forgotten its beginning.
EOF

sort > "$tree/expected" <<'EOF'
devtools/tool:5: a comment opens with 'Nor'
devtools/tool.py:3: a comment opens with 'Where'
devtools/tool:6: a message says 'there is'
doc/page.md:9: a sentence of 26 words
lib/a.c:13: a sentence of 26 words
lib/a.c:19: a comment opens with 'Of'
lib/a.c:2: a comment opens with 'What'
lib/a.c:3: a comment opens with 'So'
lib/a.c:5: a comment opens with 'Whose'
lib/a.c:5: a message says 'there is'
lib/a.c:7: a message says 'there is'
lib/long.h:1: a header comment of 16 lines
EOF
status=0
"$check" --tree "$tree" > "$tree/out" || status=$?
cat "$tree/out"
[ $status -eq 1 ]
tail -n 1 "$tree/out" | grep -Eqx '[0-9]+ files: 12 places to rewrite'
sed -e '$d' -e 's/ (valid: .*//' -e 's/ (valid$//' "$tree/out" | sort | diff "$tree/expected" -

# A path limits the check.
status=0
"$check" --tree "$tree" lib/short.h || status=$?
[ $status -eq 0 ]
