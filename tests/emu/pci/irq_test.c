/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "emu/pci/state.h"
#include "pci_rig.h"

FIXTURE(irq)
{
	struct pci_rig rig;
};
FIXTURE_SETUP(irq)
{
	pci_rig_open(&self->rig);
}
FIXTURE_TEARDOWN(irq)
{
	pci_rig_close(&self->rig);
}

static int set_irqs(struct pci_rig *rig, uint32_t what, uint32_t start, uint32_t count,
		    const int *fds, unsigned n_fds)
{
	const struct vfu_irq_set set = { sizeof(set), what | VFIO_IRQ_SET_ACTION_TRIGGER,
					 VFIO_PCI_MSIX_IRQ_INDEX, start, count };

	return pci_rig_ask(rig, VFU_SET_IRQS, &set, sizeof(set), fds, n_fds);
}

static uint64_t read_count(int fd)
{
	uint64_t n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

static void raise_vector(struct pci_rig *rig, uint16_t vector)
{
	emu_lock(rig->pci->adapter);
	pci_irq_raise(rig->pci, vector);
	emu_unlock(rig->pci->adapter);
}

TEST_F(irq, an_interrupt_between_two_installations_is_not_lost)
{
	int fd = eventfd(0, EFD_NONBLOCK);

	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 3, 1, &fd, 1));
	raise_vector(&self->rig, 3);
	EXPECT_EQ(1, read_count(fd));
	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_NONE, 0, 0, NULL, 0));
	raise_vector(&self->rig, 3);
	EXPECT_EQ(0, read_count(fd));
	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 3, 1, &fd, 1));
	EXPECT_EQ(1, read_count(fd));
	EXPECT_EQ(0, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 3, 1, &fd, 1));
	EXPECT_EQ(0, read_count(fd));
	raise_vector(&self->rig, PCI_N_VECTORS); /* a vector that does not exist */
	close(fd);
}

TEST_F(irq, wrong_vectors_and_file_counts_are_refused)
{
	const int fd = eventfd(0, EFD_NONBLOCK), fds[3] = { fd, fd, fd };

	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 0, 2, fds, 3));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, 15, 2, fds, 2));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_EVENTFD, UINT32_MAX, 2, fds, 2));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_NONE, 0, 17, NULL, 0));
	EXPECT_EQ(EINVAL, set_irqs(&self->rig, VFIO_IRQ_SET_DATA_BOOL, 0, 1, NULL, 0));
	close(fd);
	pci_rig_expect_alive(&self->rig);
}

TEST_F(irq, files_other_than_eventfds_are_refused)
{
	const struct vfu_irq_set set = { sizeof(set),
					 VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
					 VFIO_PCI_MSIX_IRQ_INDEX, 0, 2 };
	int fds[2] = { eventfd(0, EFD_NONBLOCK), self->rig.mem_fd };

	EXPECT_EQ(EINVAL, pci_rig_ask(&self->rig, VFU_SET_IRQS, &set, sizeof(set), fds, 2));
	EXPECT_EQ(-1, self->rig.pci->vector[0].fd);
	close(fds[0]);
	pci_rig_hang_up(&self->rig);
	EXPECT_SUBSTR("SET_IRQS: file descriptor 2 of 2 is /memfd:guest", self->rig.said);
}
