#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_words.sh CHECK: devtools/check-words finds functions of one word, and nothing else.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/lib" "$tree/tests"

cat > "$tree/lib/a.c" <<'EOF'
/* find() in a comment, and
static int search(void)
{ */
#define MACRO \
int build(void) { return 0; }
static int check(int a,
		 int b)
{
	if (a) { return b; }
	return 0;
}
static const struct name *
find(void)
{
	return "\
static int text(void) {";
}
__attribute__((format(printf, 1, 2))) static void say(const char *fmt, ...) { (void)fmt; }
static int poll(struct wire *w) { return 0; }
static int run(void) { return check(1, 2); }
static int read(void) { return 0; }
int open64(const char *path) { return 0; }
int declared(void);
int check_name(void) { return 0; }
static const struct ops ops = { .poll = poll, .start = run };
int main(void) { for (;;) { } }
EOF
printf 'static void setup(void)\n{\n}\n' > "$tree/tests/b.c"

cat > "$tree/expected" <<'EOF'
lib/a.c:6: check()
lib/a.c:13: find()
lib/a.c:18: say()
lib/a.c:21: read()
tests/b.c:1: setup()
2 files: 5 functions of one word
EOF
status=0
"$check" --tree "$tree" > "$tree/out" || status=$?
cat "$tree/out"
[ $status -eq 1 ]
sed 's/ is one word .*//' "$tree/out" | diff "$tree/expected" -
