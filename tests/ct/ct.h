/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GoogleTest for test bodies written in C.
 *
 *	TEST(prm, set_then_get) { ... EXPECT_EQ(want, got); }
 *
 *	FIXTURE(cq) { struct emu emu; struct devx_cq cq; };
 *	FIXTURE_SETUP(cq) { ... self->emu ... }
 *	FIXTURE_TEARDOWN(cq) { ... }
 *	TEST_F(cq, peek_of_an_empty_queue_is_null) { EXPECT_EQ(NULL, devx_cq_peek(&self->cq)); }
 *
 *	static const struct row { const char *name; int log2; } rows[] = { ... };
 *	TEST_EACH(cq, rejects, struct row, rows) { ... row->log2 ... }
 *	TEST(cq, rejects_all) { FOR_EACH_ROW(row, rows) { ... row->log2 ... } }
 *
 * Names and meaning are those of GoogleTest. EXPECT_* continues after a failure. ASSERT_* returns
 * from its (void) function, so cleanup attributes run. After a failed ASSERT_* or a SKIP in
 * FIXTURE_SETUP the body does not run; the teardown always runs. Numbers are compared as numbers:
 * -1 is less than 0u. Every test is a gtest test, so --gtest_filter, sharding and --gtest_output
 * work.
 */
#ifndef CT_H
#define CT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ct_case {
	const char *suite, *name, *file;
	int line;
	void (*body)(void *self, const void *row);
	void (*setup)(void *self);
	void (*teardown)(void *self);
	size_t self_bytes;
	const void *rows; /* each row starts with its name, a const char *; NULL: one run, no row */
	size_t n_rows, row_bytes;
	struct ct_case *next;
};

extern struct ct_case *ct_cases; /* all tests; the one registered last comes first */

struct ct_val {
	enum { CT_INT, CT_UINT, CT_FLOAT, CT_PTR, CT_STR } kind;
	union {
		int64_t i;
		uint64_t u;
		double f;
		const void *p;
		const char *s;
	};
};

/* Place of a check in the source; @fatal: GoogleTest counts a failure as fatal, as of ASSERT_*. */
struct ct_at {
	const char *file;
	int line;
	bool fatal;
};

/* ct_cmp, ct_mem and ct_substr report a failed check and return false. */
bool ct_cmp(struct ct_at at, const char *op, const char *a_text, const char *b_text,
	    struct ct_val a, struct ct_val b);
bool ct_mem(struct ct_at at, const char *a_text, const char *b_text, const void *want,
	    const void *got, size_t bytes);
bool ct_substr(struct ct_at at, const char *want, const char *got);
void ct_fail(struct ct_at at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ct_skip(struct ct_at at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int ct_trace(struct ct_at at, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ct_untrace(int *trace);
bool ct_has_failed(void); /* whether a check of this test has failed */

#ifdef __cplusplus
}
#else

/* ---- declaring tests -------------------------------------------------------- */

#define CT_UNUSED __attribute__((unused))

#define CT_REGISTER(id, ...)                                                                       \
	__attribute__((constructor)) static void ct_register_##id(void)                            \
	{                                                                                          \
		static struct ct_case c = { .file = __FILE__, .line = __LINE__, __VA_ARGS__ };     \
		c.next = ct_cases;                                                                 \
		ct_cases = &c;                                                                     \
	}

#define TEST(suite_, name_)                                                                        \
	static void suite_##_##name_(void *, const void *);                                        \
	CT_REGISTER(suite_##_##name_, .suite = #suite_, .name = #name_, .body = suite_##_##name_)  \
	static void suite_##_##name_(CT_UNUSED void *ct_self, CT_UNUSED const void *ct_row)

#define FIXTURE(fix)                                                                               \
	struct ct_fix_##fix;                                                                       \
	static void ct_setup_##fix(void *);                                                        \
	static void ct_teardown_##fix(void *);                                                     \
	struct ct_fix_##fix

#define CT_FIXTURE_FN(fix, what)                                                                   \
	static void fix##_##what(struct ct_fix_##fix *self);                                       \
	static void ct_##what##_##fix(void *self)                                                  \
	{                                                                                          \
		fix##_##what(self);                                                                \
	}                                                                                          \
	static void fix##_##what(CT_UNUSED struct ct_fix_##fix *self)
#define FIXTURE_SETUP(fix) CT_FIXTURE_FN(fix, setup)
#define FIXTURE_TEARDOWN(fix) CT_FIXTURE_FN(fix, teardown)

#define TEST_F(fix, name_)                                                                         \
	static void fix##_##name_(struct ct_fix_##fix *self);                                      \
	static void ct_##fix##_##name_(void *self, CT_UNUSED const void *row)                      \
	{                                                                                          \
		fix##_##name_(self);                                                               \
	}                                                                                          \
	CT_REGISTER(fix##_##name_, .suite = #fix, .name = #name_, .body = ct_##fix##_##name_,      \
		    .setup = ct_setup_##fix, .teardown = ct_teardown_##fix,                        \
		    .self_bytes = sizeof(struct ct_fix_##fix))                                     \
	static void fix##_##name_(CT_UNUSED struct ct_fix_##fix *self)

/* A test that runs once per row of a table. The first member of a row is its name. */
#define TEST_EACH(suite_, name_, row_type, rows_)                                                  \
	static void suite_##_##name_(const row_type *row);                                         \
	static void ct_##suite_##_##name_(CT_UNUSED void *self, const void *row)                   \
	{                                                                                          \
		suite_##_##name_(row);                                                             \
	}                                                                                          \
	CT_REGISTER(suite_##_##name_, .suite = #suite_, .name = #name_,                            \
		    .body = ct_##suite_##_##name_, CT_ROWS(rows_))                                 \
	static void suite_##_##name_(CT_UNUSED const row_type *row)

/* A test with a fixture (self) that runs once per row of a table (row). */
#define TEST_F_EACH(fix, name_, row_type, rows_)                                                   \
	static void fix##_##name_(struct ct_fix_##fix *self, const row_type *row);                 \
	static void ct_##fix##_##name_(void *self, const void *row)                                \
	{                                                                                          \
		fix##_##name_(self, row);                                                          \
	}                                                                                          \
	CT_REGISTER(fix##_##name_, .suite = #fix, .name = #name_, .body = ct_##fix##_##name_,      \
		    .setup = ct_setup_##fix, .teardown = ct_teardown_##fix,                        \
		    .self_bytes = sizeof(struct ct_fix_##fix), CT_ROWS(rows_))                     \
	static void fix##_##name_(CT_UNUSED struct ct_fix_##fix *self,                             \
				  CT_UNUSED const row_type *row)

/*
 * A loop over a table inside one test, for rows that share an expensive setup or depend on each
 * other. Prefer TEST_EACH, which makes each row a test with its own fixture.
 *
 *	static const struct bad { const char *name; uint32_t value; } bads[] = { ... };
 *	FOR_EACH_ROW(bad, bads)
 *		expect_refused(self, bad->value);
 *
 * The macro declares @row_, a pointer to the current row. A failure in the body prints its member
 * `name`. A failed ASSERT_* returns from the function. Both `continue` and `break` in the body go
 * on with the next row.
 */
#define FOR_EACH_ROW(row_, rows_)                                                                  \
	for (__typeof__(&(rows_)[0]) row_ = (rows_);                                               \
	     row_ < (rows_) + sizeof(rows_) / sizeof((rows_)[0]); row_++)                          \
		for (CT_UNUSED int ct_once_##row_ = 1,                                             \
				   ct_trace_##row_ __attribute__((cleanup(ct_untrace))) =          \
					   ct_trace(CT_AT(false), "%s", row_->name);               \
		     ct_once_##row_; ct_once_##row_ = 0)

#define CT_ROWS(rows_)                                                                             \
	.rows = (rows_), .n_rows = sizeof(rows_) / sizeof((rows_)[0]),                             \
	.row_bytes = sizeof((rows_)[0])

/* ---- checks ----------------------------------------------------------------- */

static inline struct ct_val ct_int(int64_t i)
{
	return (struct ct_val){ CT_INT, .i = i };
}
static inline struct ct_val ct_uint(uint64_t u)
{
	return (struct ct_val){ CT_UINT, .u = u };
}
static inline struct ct_val ct_float(double f)
{
	return (struct ct_val){ CT_FLOAT, .f = f };
}
static inline struct ct_val ct_ptr(const void *p)
{
	return (struct ct_val){ CT_PTR, .p = p };
}
static inline struct ct_val ct_str(const char *s)
{
	return (struct ct_val){ CT_STR, .s = s };
}

#define CT_VAL(x)                                                                                  \
	_Generic((x), float                                                                        \
		 : ct_float, double                                                                \
		 : ct_float, char                                                                  \
		 : ct_int, signed char                                                             \
		 : ct_int, short                                                                   \
		 : ct_int, int                                                                     \
		 : ct_int, long                                                                    \
		 : ct_int, long long                                                               \
		 : ct_int, _Bool                                                                   \
		 : ct_uint, unsigned char                                                          \
		 : ct_uint, unsigned short                                                         \
		 : ct_uint, unsigned int                                                           \
		 : ct_uint, unsigned long                                                          \
		 : ct_uint, unsigned long long                                                     \
		 : ct_uint, default                                                                \
		 : ct_ptr)(x)

#define CT_AT(fatal) ((struct ct_at){ __FILE__, __LINE__, fatal })
#define CT_CMP(fatal, a, op, b) ct_cmp(CT_AT(fatal), #op, #a, #b, CT_VAL(a), CT_VAL(b))
#define CT_BOOL(fatal, x, want)                                                                    \
	ct_cmp(CT_AT(fatal), "==", #x, #want, ct_uint((bool)(x)), ct_uint(want))
#define CT_STRCMP(fatal, a, op, b) ct_cmp(CT_AT(fatal), #op, #a, #b, ct_str(a), ct_str(b))
#define CT_OR_RETURN(held)                                                                         \
	do {                                                                                       \
		if (!(held))                                                                       \
			return;                                                                    \
	} while (0)

#define EXPECT_EQ(want, got) ((void)CT_CMP(false, want, ==, got))
#define EXPECT_NE(a, b) ((void)CT_CMP(false, a, !=, b))
#define EXPECT_LT(a, b) ((void)CT_CMP(false, a, <, b))
#define EXPECT_LE(a, b) ((void)CT_CMP(false, a, <=, b))
#define EXPECT_GT(a, b) ((void)CT_CMP(false, a, >, b))
#define EXPECT_GE(a, b) ((void)CT_CMP(false, a, >=, b))
#define EXPECT_TRUE(x) ((void)CT_BOOL(false, x, true))
#define EXPECT_FALSE(x) ((void)CT_BOOL(false, x, false))
#define EXPECT_STREQ(want, got) ((void)CT_STRCMP(false, want, ==, got))
#define EXPECT_STRNE(a, b) ((void)CT_STRCMP(false, a, !=, b))
#define EXPECT_SUBSTR(want, got) ((void)ct_substr(CT_AT(false), want, got))
#define EXPECT_MEMEQ(want, got, bytes) ((void)ct_mem(CT_AT(false), #want, #got, want, got, bytes))

#define ASSERT_EQ(want, got) CT_OR_RETURN(CT_CMP(true, want, ==, got))
#define ASSERT_NE(a, b) CT_OR_RETURN(CT_CMP(true, a, !=, b))
#define ASSERT_LT(a, b) CT_OR_RETURN(CT_CMP(true, a, <, b))
#define ASSERT_LE(a, b) CT_OR_RETURN(CT_CMP(true, a, <=, b))
#define ASSERT_GT(a, b) CT_OR_RETURN(CT_CMP(true, a, >, b))
#define ASSERT_GE(a, b) CT_OR_RETURN(CT_CMP(true, a, >=, b))
#define ASSERT_TRUE(x) CT_OR_RETURN(CT_BOOL(true, x, true))
#define ASSERT_FALSE(x) CT_OR_RETURN(CT_BOOL(true, x, false))
#define ASSERT_STREQ(want, got) CT_OR_RETURN(CT_STRCMP(true, want, ==, got))
#define ASSERT_SUBSTR(want, got) CT_OR_RETURN(ct_substr(CT_AT(true), want, got))
#define ASSERT_MEMEQ(want, got, bytes)                                                             \
	CT_OR_RETURN(ct_mem(CT_AT(true), #want, #got, want, got, bytes))

/* ADD_FAILURE and FAIL report a failure with a line of text; FAIL also returns. */
#define ADD_FAILURE(...) ct_fail(CT_AT(false), __VA_ARGS__)
#define FAIL(...)                                                                                  \
	do {                                                                                       \
		ct_fail(CT_AT(true), __VA_ARGS__);                                                 \
		return;                                                                            \
	} while (0)

/* Marks the test as skipped, prints the reason, and returns from the function. */
#define SKIP(...)                                                                                  \
	do {                                                                                       \
		ct_skip(CT_AT(false), __VA_ARGS__);                                                \
		return;                                                                            \
	} while (0)

/* Adds a line to every failure until the end of the enclosing block. */
#define SCOPED_TRACE(...) CT_SCOPED_TRACE(__LINE__, __VA_ARGS__)
#define CT_SCOPED_TRACE(line, ...) CT_SCOPED_TRACE_(line, __VA_ARGS__)
#define CT_SCOPED_TRACE_(line, ...)                                                                \
	CT_UNUSED __attribute__((cleanup(ct_untrace))) int ct_trace_##line =                       \
		ct_trace(CT_AT(false), __VA_ARGS__)

#endif /* !__cplusplus */
#endif
