/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/body.h"

#include <string.h>

#include "emu/pci/state.h"
#include "emu/pci/vfu.h"

bool pci_body_copy(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		   size_t bytes, size_t more)
{
	if (m->bytes != bytes + more) {
		pci_say(pci, "%s: body of %zu bytes (valid: %zu)", name, m->bytes, bytes + more);
		return false;
	}
	memcpy(to, m->body, bytes);
	return true;
}

bool pci_body_copy_argsz(struct emu_pci *pci, const struct vfu_message *m, const char *name,
			 void *to, size_t bytes)
{
	uint32_t argsz;

	if (!pci_body_copy(pci, m, name, to, bytes, 0))
		return false;
	memcpy(&argsz, to, sizeof(argsz));
	if (argsz >= bytes)
		return true;
	pci_say(pci, "%s: argsz %u (valid: at least %zu)", name, argsz, bytes);
	return false;
}
