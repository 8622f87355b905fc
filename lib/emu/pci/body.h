/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_BODY_H
#define EMU_PCI_BODY_H

#include <stdbool.h>
#include <stddef.h>

struct emu_pci;
struct vfu_message;

/**
 * pci_body_copy - copy the fixed part of a body, behind which are @more bytes; or say what is
 * wrong
 */
bool pci_body_copy(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		   size_t bytes, size_t more);
/**
 * pci_body_copy_argsz - the same; the struct begins with the room that the client has for the
 * answer
 */
bool pci_body_copy_argsz(struct emu_pci *pci, const struct vfu_message *m, const char *name,
			 void *to, size_t bytes);

#endif
