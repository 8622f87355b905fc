/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Executes one input of the fuzzer. emu_pci_test executes the seeds and 2000 random inputs;
 * emu_pci_fuzz (devtools/fuzz) executes the inputs of clang's libFuzzer.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "emu/control.h"
#include "emu/pci/state.h"
#include "prm/prm.h"
#include "prm/seg.h"

/** struct input - the rest of an input; a read after its end gives 0 */
struct input {
	const uint8_t *at;
	size_t left;
};

static void take_bytes(struct input *in, void *to, size_t bytes)
{
	const size_t n = bytes < in->left ? bytes : in->left;

	memset(to, 0, bytes);
	memcpy(to, in->at, n);
	in->at += n;
	in->left -= n;
}

static uint8_t take_u8(struct input *in)
{
	uint8_t v;

	take_bytes(in, &v, sizeof(v));
	return v;
}

static uint16_t take_u16(struct input *in)
{
	uint16_t v;

	take_bytes(in, &v, sizeof(v));
	return v;
}

/** struct fuzz_rig - a function, the memory of its guest, and the client's end of the connection */
struct fuzz_rig {
	struct emu_pci *pci;
	uint8_t *mem;
	int mem_fd, event_fd, client; /* client: its socket, or -1: not connected */
	struct fuzz_result result;
};

/* ---- messages through a socket ------------------------------------------- */

static bool connect_client(struct fuzz_rig *rig)
{
	int pair[2];

	if (rig->client >= 0)
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair))
		return false;
	rig->client = pair[0];
	vfu_conn_init(&rig->pci->conn, pair[1]);
	return true;
}

static void end_client(struct fuzz_rig *rig)
{
	if (rig->client < 0)
		return;
	vfu_conn_close(&rig->pci->conn);
	close(rig->client);
	rig->client = -1;
}

static void send_message(struct fuzz_rig *rig, const void *bytes, size_t n, unsigned files)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(FUZZ_FILES * sizeof(int))] = { 0 };
	struct iovec iov = { (void *)(uintptr_t)bytes, n };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	const unsigned n_fds = files % FUZZ_FILES, kind = files / FUZZ_FILES;
	int fds[FUZZ_FILES];

	for (unsigned i = 0; i < n_fds; i++)
		fds[i] = (kind & 1) ^ (kind >> 1 & i & 1) ? rig->event_fd : rig->mem_fd;
	if (n_fds) {
		struct cmsghdr *h;

		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
		h = CMSG_FIRSTHDR(&msg);
		h->cmsg_len = CMSG_LEN(n_fds * sizeof(int));
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		memcpy(CMSG_DATA(h), fds, n_fds * sizeof(int));
	}
	sendmsg(rig->client, &msg, MSG_NOSIGNAL);
}

/* Handles all messages as the server does, but does not wait for the rest of a message. */
static void serve_client(struct fuzz_rig *rig)
{
	static uint8_t answers[VFU_MAX_BODY + sizeof(struct vfu_header)];
	struct vfu_conn *c = &rig->pci->conn;
	enum vfu_progress p;
	char why[128];

	while ((p = vfu_conn_read(c, why, sizeof(why))) == VFU_COMPLETE) {
		const int error = pci_handle_message(rig->pci, &c->m);

		vfu_conn_answer(c, error);
		rig->result.n_messages++;
		rig->result.n_answered += !error;
		vfu_close_fds(&c->m);
		while (recv(rig->client, answers, sizeof(answers), MSG_DONTWAIT) > 0)
			;
	}
	if (p == VFU_WAIT)
		pci_bar_flush(rig->pci);
	else
		end_client(rig);
}

static void run_message(struct fuzz_rig *rig, struct input *in)
{
	struct {
		struct vfu_header header;
		uint8_t body[4096];
	} m;
	const uint8_t command = take_u8(in), flags = take_u8(in), files = take_u8(in);
	const int8_t lie = (int8_t)take_u8(in);
	const uint16_t n = take_u16(in) % sizeof(m.body);

	m.header = (struct vfu_header){ .command = command % 20,
					.flags = flags & 0x1f,
					.bytes = (uint32_t)((int)(sizeof(m.header) + n) + lie) };
	take_bytes(in, m.body, n);
	if (!connect_client(rig))
		return;
	send_message(rig, &m, sizeof(m.header) + n, files);
	serve_client(rig);
}

/* ---- memory, commands, doorbells --------------------------------------------------- */

static void run_memory(struct fuzz_rig *rig, struct input *in)
{
	uint32_t at;
	uint16_t n;

	take_bytes(in, &at, sizeof(at));
	n = take_u16(in);
	at %= FUZZ_MEM_BYTES;
	take_bytes(in, rig->mem + at, n < FUZZ_MEM_BYTES - at ? n : FUZZ_MEM_BYTES - at);
}

/* Writes @bytes of @from into mailboxes at offset @at. Returns the DMA address of the first. */
static uint64_t write_chain(struct fuzz_rig *rig, size_t at, const uint8_t *from, size_t bytes)
{
	struct prm_cmd_box *box = (struct prm_cmd_box *)(rig->mem + at);

	for (uint32_t i = 0; i * sizeof(box->bytes) < bytes; i++) {
		const size_t left = bytes - i * sizeof(box->bytes);

		box[i].token = 1;
		box[i].block = prm_be32_of(i);
		box[i].next = prm_be64_of(FUZZ_MEM_AT + at + (i + 1) * sizeof(*box));
		memcpy(box[i].bytes, from + i * sizeof(box->bytes),
		       left < sizeof(box->bytes) ? left : sizeof(box->bytes));
	}
	return FUZZ_MEM_AT + at;
}

static void run_command(struct fuzz_rig *rig, struct input *in)
{
	/* write_chain() starts behind the inline bytes and may read FUZZ_COMMAND_BYTES */
	static uint8_t bytes[FUZZ_COMMAND_BYTES + PRM_CMD_INLINE_BYTES];
	struct prm_cmd_entry *e = (struct prm_cmd_entry *)(rig->mem + FUZZ_QUEUE);
	const unsigned i = take_u8(in) % PRM_CMDQ_ENTRIES;
	const uint16_t n_in = take_u16(in) % FUZZ_COMMAND_BYTES,
		       n_out = take_u16(in) % FUZZ_COMMAND_BYTES;
	const uint8_t n = take_u8(in);

	memset(bytes, 0, sizeof(bytes));
	for (unsigned k = 0; k < n; k++) {
		const size_t dword = take_u16(in) % (FUZZ_COMMAND_BYTES / 4);

		take_bytes(in, bytes + dword * 4, 4);
	}
	e += i;
	*e = (struct prm_cmd_entry){ .type = PRM_CMD_TYPE,
				     .token = 1,
				     .status_own = PRM_CMD_OWNED };
	memcpy(e->in, bytes, sizeof(e->in));
	e->in_bytes = prm_be32_of(n_in & ~3u);
	e->out_bytes = prm_be32_of(n_out & ~3u);
	e->in_box = prm_be64_of(write_chain(rig, FUZZ_QUEUE + 0x1000, bytes + sizeof(e->in), n_in));
	e->out_box = prm_be64_of(write_chain(rig, FUZZ_QUEUE + 0x8000, bytes, n_out));
	rig->pci->cmdq = FUZZ_MEM_AT + FUZZ_QUEUE;
	pci_cmdq_run(rig->pci, 1u << i);
	rig->result.n_commands++;
	rig->result.n_ok += !(e->status_own & PRM_CMD_OWNED) && !e->status_own && !e->out[0];
}

static void run_doorbell(struct fuzz_rig *rig, struct input *in)
{
	uint8_t bytes[PRM_WQEBB_BYTES];
	const uint64_t uar = PCI_FIRST_UAR + take_u8(in) % 32;
	const uint16_t reg = take_u16(in) % PRM_UAR_BYTES;
	const uint8_t n = take_u8(in) % (sizeof(bytes) + 1);

	take_bytes(in, bytes, n);
	if (n + reg <= PRM_UAR_BYTES)
		pci_bar_write(rig->pci, uar * PRM_UAR_BYTES + reg, bytes, n);
	pci_bar_flush(rig->pci);
}

/* ---- the rig ----------------------------------------------------------------------- */

static void print_line(void *arg, const char *line)
{
	(void)arg;
	if (getenv("FUZZ_SAY"))
		fprintf(stderr, "%s\n", line);
}

/* @trace: also trace commands. That is slow, but tests the code that formats guest input. */
static void open_fuzz_rig(struct fuzz_rig *rig, bool trace)
{
	static struct emu_mistakes mistakes;
	const struct emu_pci_config config = { .profile = "roce",
					       .wire = "loop",
					       .mac = { 2, 0, 0, 0, 0, 1 },
					       .mtu = 1500,
					       .mistakes = &mistakes,
					       .say = print_line,
					       .trace = trace ? print_line : NULL };
	const struct vfu_dma_map map = { sizeof(map),
					 VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE, 0,
					 FUZZ_MEM_AT, FUZZ_MEM_BYTES };
	char why[256];

	*rig = (struct fuzz_rig){ .client = -1 };
	rig->pci = emu_pci_create(&config, why, sizeof(why));
	rig->mem_fd = memfd_create("guest", MFD_CLOEXEC);
	rig->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!rig->pci || rig->mem_fd < 0 || ftruncate(rig->mem_fd, FUZZ_MEM_BYTES))
		abort();
	rig->mem = mmap((void *)FUZZ_MEM_AT, FUZZ_MEM_BYTES, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, rig->mem_fd, 0);
	if (rig->mem != (void *)FUZZ_MEM_AT || pci_dma_map(rig->pci, &map, rig->mem_fd))
		abort();
}

static void close_fuzz_rig(struct fuzz_rig *rig)
{
	end_client(rig);
	pci_irq_drop_all(rig->pci);
	pci_reset(rig->pci, "the input ended");
	pci_dma_drop_all(rig->pci);
	emu_pci_destroy(rig->pci);
	munmap(rig->mem, FUZZ_MEM_BYTES);
	close(rig->mem_fd);
	close(rig->event_fd);
}

void fuzz_pci(const uint8_t *bytes, size_t n, struct fuzz_result *result)
{
	struct input in = { bytes, n };
	struct fuzz_rig rig;
	struct emu_counters counters;

	open_fuzz_rig(&rig, n % 4 == 0 || getenv("FUZZ_SAY"));
	while (in.left) {
		switch (take_u8(&in) % FUZZ_N_STEPS) {
		case FUZZ_MESSAGE:
			run_message(&rig, &in);
			break;
		case FUZZ_MEMORY:
			run_memory(&rig, &in);
			break;
		case FUZZ_COMMAND:
			run_command(&rig, &in);
			break;
		case FUZZ_DOORBELL:
			run_doorbell(&rig, &in);
			break;
		case FUZZ_POLL:
			emu_poll(rig.pci->emu, take_u8(&in));
			break;
		}
	}
	emu_read_counters(rig.pci->emu, 0, &counters);
	rig.result.n_packets = counters.vport.rx_uc_packets;
	if (result)
		*result = rig.result;
	close_fuzz_rig(&rig);
}

#ifdef WITH_LIBFUZZER
static uint64_t now_ns;

/*
 * The linker puts this in place of clock_gettime(). Time passes with each call, so that an input
 * does the same in every run.
 */
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	enum { NS_PER_CALL = 1000, NS_PER_S = 1000000000 };

	(void)id;
	now_ns += NS_PER_CALL;
	t->tv_sec = (time_t)(now_ns / NS_PER_S);
	t->tv_nsec = (long)(now_ns % NS_PER_S);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	now_ns = 0;
	fuzz_pci(bytes, n, NULL);
	return 0;
}
#endif
