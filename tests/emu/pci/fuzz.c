/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a hostile client and a hostile guest can send, from bytes that a fuzzer chooses: messages,
 * writes to guest memory, entries of the command queue. Built into emu_pci_test, which runs some
 * thousand of its own, and with clang's libFuzzer into emu_pci_fuzz.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/pci/function.h"

enum { MEM_AT = 0x10000, MEM_BYTES = 0x8000, BOX_AT = 0x1000 };

/** struct input - the fuzzer's bytes; behind their end all are 0 */
struct input { const uint8_t *at; size_t left; };

static void take(struct input *in, void *to, size_t bytes)
{
	const size_t n = bytes < in->left ? bytes : in->left;

	memset(to, 0, bytes);
	memcpy(to, in->at, n);
	in->at += n;
	in->left -= n;
}

static uint16_t number(struct input *in, uint16_t below)
{
	uint16_t v;

	take(in, &v, sizeof(v));
	return v % below;
}

static void message(struct emu_pci *pci, struct input *in)
{
	static struct vfu_message m;

	m.header = (struct vfu_header){ .command = number(in, 16) };
	m.bytes = number(in, 96);
	m.n_fds = 0;
	take(in, m.body, m.bytes);
	pci_handle(pci, &m);
	if (m.bytes > sizeof(m.body))
		abort();
}

static void memory(struct input *in, uint8_t *mem)
{
	const uint16_t at = number(in, MEM_BYTES - 256), bytes = number(in, 256);

	take(in, mem + at, bytes);
}

/* An entry that is well enough formed to be looked at, and a chain of two mailboxes. */
static void command(struct emu_pci *pci, struct input *in, uint8_t *mem)
{
	struct prm_cmd_entry *e = (struct prm_cmd_entry *)mem + number(in, PRM_CMDQ_ENTRIES);
	struct prm_cmd_box *box = (struct prm_cmd_box *)(mem + BOX_AT);
	const uint16_t opcode = number(in, 0xb00);

	take(in, e->in, sizeof(e->in));
	e->in[0] = (uint8_t)(opcode >> 8);
	e->in[1] = (uint8_t)opcode;
	e->type = PRM_CMD_TYPE;
	e->token = 1;
	e->in_bytes = prm_be32_of(number(in, 0x480) & ~3u);
	e->out_bytes = prm_be32_of(number(in, 0x480) & ~3u);
	e->in_box = e->out_box = prm_be64_of(MEM_AT + BOX_AT);
	for (unsigned i = 0; i < 3; i++) {
		box[i].token = 1;
		box[i].block = prm_be32_of(i);
		box[i].next = prm_be64_of(MEM_AT + BOX_AT + (i + 1) * sizeof(*box));
	}
	take(in, box[0].bytes, 128);
	e->status_own = PRM_CMD_OWNED;
	pci->cmdq = MEM_AT;
	pci_cmdq_run(pci, 1u << (e - (struct prm_cmd_entry *)mem));
}

static struct emu_pci *function(void)
{
	static const struct emu_pci_config config = {
		.profile = "small", .wire = "loop", .mac = { 2, 0, 0, 0, 0, 1 }, .mtu = 1500,
	};
	char why[256];

	return emu_pci_create(&config, why, sizeof(why));
}

int fuzz_pci(const uint8_t *bytes, size_t n)
{
	const struct vfu_dma_map map = { sizeof(map),
					 VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE, 0,
					 MEM_AT, MEM_BYTES };
	struct input in = { bytes, n };
	struct emu_pci *pci = function();
	const int fd = memfd_create("guest", MFD_CLOEXEC);
	uint8_t *mem;

	if (!pci || fd < 0 || ftruncate(fd, MEM_BYTES))
		abort();
	mem = mmap(NULL, MEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pci_dma_map(pci, &map, fd);
	while (in.left) {
		switch (number(&in, 4)) {
		case 0: message(pci, &in); break;
		case 1: memory(&in, mem); break;
		case 2: command(pci, &in, mem); break;
		case 3: emu_poll(pci->emu, 8); break;
		}
	}
	pci_irq_drop_all(pci);
	pci_reset(pci, "the input ended");
	pci_dma_drop_all(pci);
	emu_pci_destroy(pci);
	munmap(mem, MEM_BYTES);
	close(fd);
	return 0;
}

#ifdef WITH_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	return fuzz_pci(bytes, n);
}
#endif
