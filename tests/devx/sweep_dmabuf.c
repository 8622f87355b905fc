/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ct.h"
#include "needs_emu.h"
#include "sweep_dmabuf.h"

int sweep_create_dmabuf(struct devx_mr *mr, struct devx_dev *dev)
{
	enum { BYTES = 4096 };
	const int fd = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC);
	const struct devx_dmabuf part = { .fd = fd, .bytes = BYTES, .access = DEVX_DMABUF_WRITE };
	int rc;

	EXPECT_EQ(0, ftruncate(fd, BYTES));
	rc = devx_mr_create_dmabuf(mr, dev, &part);
	close(fd);
	return rc;
}

int sweep_create_dmabuf_umem(struct devx_mr *mr, struct devx_dev *dev)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	const bool ours = emu->fail_pending(DEVX_EMU_FAIL_IOCTL) < 0;
	int rc;

	if (ours)
		emu->fail(DEVX_EMU_FAIL_IOCTL, 0, EOPNOTSUPP);
	rc = sweep_create_dmabuf(mr, dev);
	if (ours)
		emu->fail(DEVX_EMU_FAIL_IOCTL, -1, 0);
	return rc;
}
