/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares the numbers of values.def that this Linux names with its headers. A wrong number fails,
 * with its line in values/ as the place. devtools/check prm_values finds names that Linux lacks.
 */
#include "linux.h"

#include "device.h"
#include "qp.h"

#include "ct.h"
#include "prm/prm.h"

/* clang-format off */
#define VALUES(name) TEST(linux_values, name) {
#define V(name, number, linux_name) ALSO(name, linux_name)
#define XV(name, number, linux_name) ALSO(name, linux_name)
#define ALSO(name, linux_name)                                                              \
		{                                                                           \
			SCOPED_TRACE("%s", #name);                                          \
			EXPECT_EQ((uint64_t)(linux_name), (uint64_t)(name));                \
		}
#define END(name) }
#include "linux_values.def"
/* clang-format on */
