/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_BODY_H
#define EMU_PCI_BODY_H

#include <stdbool.h>
#include <stddef.h>

struct emu_pci;
struct vfu_message;

/**
 * pci_body_copy - copy the first part of the body of a message
 * @name: of the message, for the report
 * @to: receives @bytes
 * @more: bytes that must follow in the body
 *
 * Return: false after a report: the body has another length than @bytes + @more
 */
bool pci_body_copy(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		   size_t bytes, size_t more);
/**
 * pci_body_copy_argsz - copy a body whose first field is argsz, the client's room for the answer
 *
 * Return: false after a report: wrong length, or argsz is smaller than @bytes
 */
bool pci_body_copy_argsz(struct emu_pci *pci, const struct vfu_message *m, const char *name,
			 void *to, size_t bytes);

#endif
