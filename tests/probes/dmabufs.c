/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dma-bufs and other files as umems and MRs; the path of a Data Direct function.
 */
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probes.h"

enum { DMABUF_BYTES = 4 * PAGE };

/*
 * Makes a dma-buf over the pages of a memfd. Returns the memfd itself, whose name makes it the
 * stand-in for a dma-buf, where there is no /dev/udmabuf: emu accepts it, Linux does not.
 */
static int make_dmabuf(void)
{
	const int file = memfd_create("devx-emu-dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	const int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	struct udmabuf_create create = { .memfd = (uint32_t)file,
					 .flags = UDMABUF_FLAGS_CLOEXEC,
					 .size = DMABUF_BYTES };
	int fd;

	if (ftruncate(file, DMABUF_BYTES))
		abort();
	if (dev < 0)
		return file;
	fd = fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) ? -1 : ioctl(dev, UDMABUF_CREATE, &create);
	close(dev);
	close(file);
	return fd;
}

static void probe_umem(const struct world *w, const char *name, int64_t fd, uint64_t offset,
		       uint64_t bytes)
{
	uint32_t id;
	struct ask a = umem_of((void *)offset, bytes, &id);
	int error;

	ask_obj(&a, "dmabuf", MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD, fd);
	error = ask_send(&a, w->mine.fd);
	say_answer(error, SAY_NO_STATUS, "umem dmabuf %s", name);
	if (!error)
		ask_destroy(w->mine.fd, MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG,
			    MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, ask_handle(&a));
}

static void probe_mr(const struct world *w, const char *name, int fd, uint64_t offset,
		     uint64_t bytes)
{
	enum { IOVA = 0x100000 };
	uint32_t lkey, rkey;
	struct ask a = ask_of(UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR);
	int error;

	ask_new(&a, "handle", UVERBS_ATTR_REG_DMABUF_MR_HANDLE);
	ask_obj(&a, "pd", UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, w->mine.pd->handle);
	ask_num(&a, "offset", UVERBS_ATTR_REG_DMABUF_MR_OFFSET, offset);
	ask_num(&a, "len", UVERBS_ATTR_REG_DMABUF_MR_LENGTH, bytes);
	ask_num(&a, "iova", UVERBS_ATTR_REG_DMABUF_MR_IOVA, IOVA);
	ask_num32(&a, "fd", UVERBS_ATTR_REG_DMABUF_MR_FD, (uint32_t)fd);
	ask_num32(&a, "access", UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, IBV_ACCESS_LOCAL_WRITE);
	ask_out(&a, "lkey", UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, &lkey, sizeof(lkey));
	ask_out(&a, "rkey", UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, &rkey, sizeof(rkey));
	error = ask_send(&a, w->mine.fd);
	say_answer(error, SAY_NO_STATUS, "mr dmabuf %s", name);
	if (!error)
		ask_destroy(w->mine.fd, UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY,
			    UVERBS_ATTR_DESTROY_MR_HANDLE, ask_handle(&a));
}

static void probe_file(const struct world *w, const char *name, int fd)
{
	probe_umem(w, name, fd, 0, PAGE);
	probe_mr(w, name, fd, 0, PAGE);
	close(fd);
}

static void probe_part(const struct world *w, const char *name, int fd, uint64_t offset,
		       uint64_t bytes)
{
	probe_umem(w, name, fd, offset, bytes);
	probe_mr(w, name, fd, offset, bytes);
}

static int make_file(void)
{
	char path[] = "/tmp/devx-probes-XXXXXX";
	const int fd = mkstemp(path);

	unlink(path);
	return ftruncate(fd, PAGE) ? -1 : fd;
}

static int make_memfd(void)
{
	const int fd = memfd_create("of-another-name", MFD_CLOEXEC);

	return ftruncate(fd, PAGE) ? -1 : fd;
}

static void probe_files(const struct world *w)
{
	struct ask a = event_fd_of(0);
	int ends[2];

	probe_umem(w, "-1", -1, 0, PAGE);
	probe_umem(w, "closed", 1000, 0, PAGE);
	probe_umem(w, "too-wide", 1ll << 32, 0, PAGE);
	probe_mr(w, "-1", -1, 0, PAGE);
	probe_mr(w, "closed", 1000, 0, PAGE);
	probe_file(w, "of-another-kind", open("/dev/null", O_RDWR | O_CLOEXEC));
	probe_file(w, "of-zeroes", open("/dev/zero", O_RDWR | O_CLOEXEC));
	probe_file(w, "of-a-file", make_file());
	probe_file(w, "of-a-memfd", make_memfd());
	probe_file(w, "of-the-uverbs-file", dup(w->mine.fd));
	if (!ask_send(&a, w->mine.fd))
		probe_file(w, "of-an-event-channel", (int)ask_handle(&a));
	if (!pipe(ends)) {
		probe_file(w, "of-a-pipe", ends[0]);
		close(ends[1]);
	}
}

static void probe_parts(const struct world *w)
{
	const int fd = make_dmabuf();

	probe_part(w, "plain", fd, 0, DMABUF_BYTES);
	probe_part(w, "one-page", fd, PAGE, PAGE);
	probe_part(w, "last-page", fd, DMABUF_BYTES - PAGE, PAGE);
	probe_part(w, "too-long", fd, 0, DMABUF_BYTES + 1);
	probe_part(w, "behind-the-end", fd, DMABUF_BYTES, PAGE);
	probe_part(w, "around-the-end-of-offsets", fd, UINT64_MAX - PAGE + 1, 2 * PAGE);
	probe_part(w, "nothing", fd, 0, 0);
	probe_umem(w, "unaligned", fd, 64, PAGE);
	probe_umem(w, "part-of-a-page", fd, 64, 128);
	probe_mr(w, "with-another-offset", fd, 64, PAGE);
	close(fd);
}

/* The adapter has no Data Direct function. */
static void probe_data_direct(int fd, const char *name, size_t bytes)
{
	/* in the headers of rdma-core 55 and later */
	enum { METHOD = MLX5_IB_METHOD_QUERY_PORT + 1, ATTR = 1 << UVERBS_ID_NS_SHIFT };
	static char path[256];
	struct ask a = ask_of(UVERBS_OBJECT_DEVICE, METHOD);

	ask_out(&a, "path", ATTR, path, bytes);
	say_answer(ask_send(&a, fd), SAY_NO_STATUS, "data-direct path %s", name);
}

void probe_dmabufs(const struct world *w)
{
	probe_files(w);
	probe_parts(w);
	probe_data_direct(w->mine.fd, "plain", 256);
	probe_data_direct(w->mine.fd, "of-one-byte", 1);
	probe_data_direct(w->mine.fd, "of-nothing", 0);
	probe_data_direct(w->no_devx, "no-devx", 256);
	probe_data_direct(w->no_context, "no-context", 256);
}
