/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/mkey.h"

#include "emu/base/profile.h"
#include "emu/base/mkey_klm.h"

uint8_t *emu_mkey_walk(struct emu *emu, uint32_t lkey, uint32_t pd, uint64_t addr, uint64_t bytes,
		       bool write, uint64_t *run)
{
	for (unsigned depth = 0;; depth++) {
		const struct emu_mkey *k = emu_obj_at(&emu->table[EMU_MKEY], lkey >> 8);
		uint8_t *at;

		if (!k || !emu_mkey_allows(k, lkey, pd, write))
			return NULL;
		if (k->length64) {
			*run = bytes;
			return emu->ops->map(emu->host, addr, bytes, write);
		}
		addr -= k->start_addr; /* an address below the start wraps beyond the end */
		if (addr >= k->bytes || bytes > k->bytes - addr)
			return NULL;
		if (!k->klms) {
			at = emu_span_at(&k->span, addr, run);
			if (*run > bytes)
				*run = bytes;
			return at;
		}
		if (depth >= emu_cap(emu, max_indirection))
			return NULL;
		*run = emu_klm_find(k->klms, addr, &lkey, &addr);
		if (bytes > *run)
			bytes = *run;
	}
}
