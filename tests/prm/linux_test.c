/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The referee of lib/prm: every row of layouts.def against Linux' mlx5_ifc.h. A row that
 * is one bit off, or whose name Linux does not know, fails (or does not compile) at its own
 * line of the layouts.
 */
#include "linux.h"

#include "ct.h"
#include "prm/prm.h"

#define SAME_TYPE(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))

#define COMPARE(L, ref_type)                                                                \
	TEST(linux_ifc, L)                                                                  \
	{                                                                                   \
		typedef ref_type ref;                                                       \
		typedef struct prm_##L our;                                                 \
		EXPECT_EQ(sizeof(ref), sizeof(our) * 8);
#define LAYOUT(L, bytes) COMPARE(L, struct mlx5_ifc_##L##_bits)
#define UNION(L, bytes) COMPARE(L, union mlx5_ifc_##L##_bits)
#define END(L) }

#define REF(name) ((ref *)0)->name
#define ROW(name, want_bits, our_bits)                                                      \
		{                                                                           \
			SCOPED_TRACE("%s", #name);                                          \
			EXPECT_EQ(offsetof(ref, name), prm_bit((our *)0, name));            \
			EXPECT_EQ(want_bits, our_bits);                                     \
		}
#define F(off, hi, lo, name) ROW(name, sizeof(REF(name)), prm_width((our *)0, name))
#define S(off, L2, name) ROW(name, sizeof(REF(name)), sizeof(struct prm_##L2) * 8)
#define SA(off, L2, count, name)                                                            \
	ROW(name, sizeof(REF(name)), (count) * sizeof(struct prm_##L2) * 8)                 \
	EXPECT_EQ(sizeof(REF(name)[0]), sizeof(struct prm_##L2) * 8);
#define T(off, L2, name) ROW(name, sizeof(REF(name)[0]), sizeof(struct prm_##L2) * 8)
#define TA(off, w, name) ROW(name, sizeof(REF(name)[0]), w)

/*
 * Linux has an array, or one field as wide as all of it, or the union of the capability
 * pages, whose members are layouts of their own here.
 */
#define A(off, w, count, name)                                                              \
	ROW(name, sizeof(REF(name)), (w) * (count))                                         \
	EXPECT_TRUE(SAME_TYPE(REF(name), u8[count][w]) ||                                   \
		    SAME_TYPE(REF(name), u8[(count) * (w)]) ||                              \
		    SAME_TYPE(REF(name), union mlx5_ifc_hca_cap_union_bits) ||                  \
		    SAME_TYPE(REF(name), union mlx5_ifc_eth_cntrs_grp_data_layout_auto_bits));

/* What Linux leaves unnamed must lie inside the hole, else Linux has named it since. */
#define XF(off, hi, lo, name, hole)                                                         \
		{                                                                           \
			SCOPED_TRACE("%s in %s", #name, #hole);                             \
			EXPECT_LE(offsetof(ref, hole), prm_bit((our *)0, name));            \
			EXPECT_LE(prm_bit((our *)0, name) + prm_width((our *)0, name),      \
				  offsetof(ref, hole) + sizeof(REF(hole)));                 \
		}
#define XQ(off, name, hole) XF(off, 31, -32, name, hole)

#include "prm/layouts.def"
