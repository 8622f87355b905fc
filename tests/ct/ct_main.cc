// SPDX-License-Identifier: BSD-3-Clause
//
// Registers the C tests of ct.h as GoogleTest tests. This is the only C++ file.
#include "ct.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

struct ct_case *ct_cases; // zero-initialised before any constructor runs

namespace {

// A fixture may contain structs that are aligned to cache lines.
void *AllocateFixture(size_t bytes)
{
	const size_t line = 64, size = (bytes + line) / line * line;
	void *self = std::aligned_alloc(line, size);

	if (!self)
		std::abort();
	return std::memset(self, 0, size);
}

class CTest : public testing::Test {
public:
	CTest(const ct_case *c, const void *row)
	    : c_(c), row_(row), self_(AllocateFixture(c->self_bytes)) {}
	~CTest() override { std::free(self_); }
	void SetUp() override { if (c_->setup) c_->setup(self_); }
	void TearDown() override { if (c_->teardown) c_->teardown(self_); }
	void TestBody() override { c_->body(self_, row_); }

private:
	const ct_case *c_;
	const void *row_;
	void *self_;
};

void Register(const ct_case *c, const void *row)
{
	std::string name = c->name;
	if (row)
		name = name + "/" + *static_cast<const char *const *>(row);
	testing::RegisterTest(c->suite, name.c_str(), nullptr, nullptr, c->file, c->line,
			      [=]() -> CTest * { return new CTest(c, row); });
}

std::string Format(const char *fmt, va_list ap)
{
	char buf[1024];
	vsnprintf(buf, sizeof(buf), fmt, ap);
	return buf;
}

std::string Show(const ct_val &v)
{
	char buf[64] = "";
	switch (v.kind) {
	case ct_val::CT_INT:
		snprintf(buf, sizeof(buf), "%" PRId64 " (0x%" PRIx64 ")", v.i, v.u);
		break;
	case ct_val::CT_UINT:
		snprintf(buf, sizeof(buf), "%" PRIu64 " (0x%" PRIx64 ")", v.u, v.u);
		break;
	case ct_val::CT_FLOAT:
		snprintf(buf, sizeof(buf), "%.17g", v.f);
		break;
	case ct_val::CT_PTR:
		snprintf(buf, sizeof(buf), "%p", v.p);
		break;
	case ct_val::CT_STR:
		return v.s ? '"' + std::string(v.s) + '"' : "NULL";
	}
	return buf;
}

double Float(const ct_val &v)
{
	if (v.kind == ct_val::CT_FLOAT)
		return v.f;
	return v.kind == ct_val::CT_INT ? double(v.i) : double(v.u);
}

// Compares two values as mathematical numbers, so that -1 is less than 0u.
int Order(const ct_val &a, const ct_val &b)
{
	if (a.kind == ct_val::CT_STR && a.s && b.s)
		return std::strcmp(a.s, b.s);
	if (a.kind == ct_val::CT_FLOAT || b.kind == ct_val::CT_FLOAT)
		return Float(a) < Float(b) ? -1 : Float(a) > Float(b);
	const bool a_neg = a.kind == ct_val::CT_INT && a.i < 0;
	const bool b_neg = b.kind == ct_val::CT_INT && b.i < 0;
	if (a_neg != b_neg)
		return a_neg ? -1 : 1;
	return a.u < b.u ? -1 : a.u > b.u;
}

bool Holds(const std::string &op, int order)
{
	if (op == "==")
		return order == 0;
	if (op == "!=")
		return order != 0;
	if (op == "<")
		return order < 0;
	if (op == "<=")
		return order <= 0;
	return op == ">" ? order > 0 : order >= 0;
}

// Uses a lambda, because GTEST_FAIL_AT returns from the function that contains it.
void Report(const ct_at &at, const std::string &what)
{
	if (at.fatal)
		[&] { GTEST_FAIL_AT(at.file, at.line) << what; }();
	else
		ADD_FAILURE_AT(at.file, at.line) << what;
}

thread_local std::vector<std::unique_ptr<testing::ScopedTrace>> traces;

} // namespace

bool ct_cmp(ct_at at, const char *op, const char *a_text, const char *b_text, ct_val a, ct_val b)
{
	const bool held = Holds(op, Order(a, b));
	if (!held)
		Report(at, std::string(a_text) + " " + op + " " + b_text + "\n  left:  " + Show(a) +
				   "\n  right: " + Show(b));
	return held;
}

bool ct_mem(ct_at at, const char *a_text, const char *b_text, const void *want, const void *got,
	    size_t bytes)
{
	const auto *w = static_cast<const uint8_t *>(want), *g = static_cast<const uint8_t *>(got);
	size_t i = 0;
	while (i < bytes && w[i] == g[i])
		i++;
	if (i == bytes)
		return true;
	char buf[96];
	snprintf(buf, sizeof(buf), "byte 0x%zx of 0x%zx: left %02x, right %02x", i, bytes, w[i],
		 g[i]);
	Report(at, std::string(a_text) + " has the bytes of " + b_text + "\n  " + buf);
	return false;
}

bool ct_has_failed(void)
{
	return testing::Test::HasFailure();
}

bool ct_substr(ct_at at, const char *want, const char *got)
{
	if (want && got && std::strstr(got, want))
		return true;
	Report(at, "wanted:  \"" + std::string(want ? want : "NULL") + "\"\n  within: \"" +
			   (got ? got : "NULL") + '"');
	return false;
}

void ct_fail(ct_at at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	Report(at, Format(fmt, ap));
	va_end(ap);
}

void ct_skip(ct_at at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const std::string why = Format(fmt, ap);
	va_end(ap);
	[&] { GTEST_SKIP() << why << " (" << at.file << ":" << at.line << ")"; }();
}

int ct_trace(ct_at at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	traces.push_back(std::make_unique<testing::ScopedTrace>(at.file, at.line, Format(fmt, ap)));
	va_end(ap);
	return 0;
}

void ct_untrace(int *) { traces.pop_back(); }

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);

	std::vector<const ct_case *> cases;
	for (const ct_case *c = ct_cases; c; c = c->next)
		cases.insert(cases.begin(), c); // the list has the last constructor's test first
	for (const ct_case *c : cases) {
		if (!c->rows)
			Register(c, nullptr);
		for (size_t i = 0; i < c->n_rows; i++)
			Register(c, static_cast<const char *>(c->rows) + i * c->row_bytes);
	}
	return RUN_ALL_TESTS();
}
