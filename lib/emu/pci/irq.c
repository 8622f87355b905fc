/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Raises an interrupt by writing to the client's eventfd. Without an eventfd the interrupt stays
 * pending: whenever the guest enables one more vector, QEMU removes all eventfds and installs them
 * again, and no interrupt may be lost in between.
 */
static void fire_vector(struct pci_vector *v)
{
	const uint64_t one = 1;

	v->pending = v->fd < 0 || write(v->fd, &one, sizeof(one)) != sizeof(one);
}

void pci_irq_raise(void *host, uint16_t vector)
{
	struct emu_pci *pci = host;

	if (vector < PCI_N_VECTORS)
		fire_vector(&pci->vector[vector]);
}

void pci_irq_init(struct emu_pci *pci)
{
	for (unsigned i = 0; i < PCI_N_VECTORS; i++)
		pci->vector[i] = (struct pci_vector){ .fd = -1 };
}

static void install_eventfd(struct pci_vector *v, int fd)
{
	if (v->fd >= 0)
		close(v->fd);
	v->fd = fd;
	if (fd >= 0 && v->pending)
		fire_vector(v);
}

void pci_irq_drop_all(struct emu_pci *pci)
{
	emu_lock(pci->adapter);
	for (unsigned i = 0; i < PCI_N_VECTORS; i++) {
		install_eventfd(&pci->vector[i], -1);
		pci->vector[i].pending = false;
	}
	emu_unlock(pci->adapter);
}

static int refuse_irq_set(struct emu_pci *pci, const struct vfu_irq_set *set, unsigned n_fds)
{
	pci_say(pci,
		"SET_IRQS: %u vectors from %u of index %u, flags 0x%x, %u file descriptors (valid: "
		"index 2, vectors 0 to %d, one file descriptor per vector or none)",
		set->count, set->start, set->index, set->flags, n_fds, PCI_N_VECTORS - 1);
	return EINVAL;
}

/* Accepts eventfds only: writing to another file could block the server or kill it (SIGPIPE). */
static bool check_eventfds(struct emu_pci *pci, const struct vfu_message *m)
{
	static const char want[] = "anon_inode:[eventfd]";

	for (unsigned i = 0; i < m->n_fds; i++) {
		char path[32], is[64];
		ssize_t n;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", m->fd[i]);
		n = readlink(path, is, sizeof(is) - 1);
		is[n < 0 ? 0 : n] = '\0';
		if (!strcmp(is, want))
			continue;
		pci_say(pci, "SET_IRQS: file descriptor %u of %u is %s (valid: an eventfd)", i + 1,
			m->n_fds, n < 0 ? "unknown (no /proc?)" : is);
		return false;
	}
	return true;
}

/* Accepts VFIO's other interrupts (INTx, MSI, device error, unplug), which emu never raises. */
static int set_other_irq(struct emu_pci *pci, const struct vfu_irq_set *set, unsigned n_fds)
{
	if (set->index >= VFIO_PCI_NUM_IRQS || set->start || set->count > 1 || n_fds > 1)
		return refuse_irq_set(pci, set, n_fds);
	return 0;
}

int pci_irq_set(struct emu_pci *pci, const struct vfu_irq_set *set, struct vfu_message *m)
{
	const uint32_t what = set->flags & VFIO_IRQ_SET_DATA_TYPE_MASK;

	if (set->index != VFIO_PCI_MSIX_IRQ_INDEX)
		return set_other_irq(pci, set, m->n_fds);
	if ((set->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) != VFIO_IRQ_SET_ACTION_TRIGGER ||
	    set->start > PCI_N_VECTORS || set->count > PCI_N_VECTORS - set->start)
		return refuse_irq_set(pci, set, m->n_fds);
	if (!check_eventfds(pci, m))
		return EINVAL;
	if (what == VFIO_IRQ_SET_DATA_EVENTFD && (m->n_fds == 0 || m->n_fds == set->count)) {
		emu_lock(pci->adapter);
		for (unsigned i = 0; i < set->count; i++) {
			install_eventfd(&pci->vector[set->start + i], m->n_fds ? m->fd[i] : -1);
			m->fd[i] = -1;
		}
		emu_unlock(pci->adapter);
		return 0;
	}
	if (what != VFIO_IRQ_SET_DATA_NONE || m->n_fds)
		return refuse_irq_set(pci, set, m->n_fds);
	emu_lock(pci->adapter);
	for (unsigned i = 0; !set->count && i < PCI_N_VECTORS; i++)
		install_eventfd(&pci->vector[i], -1);
	for (unsigned i = 0; i < set->count; i++)
		fire_vector(&pci->vector[set->start + i]);
	emu_unlock(pci->adapter);
	return 0;
}
