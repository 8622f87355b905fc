/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/host.h"
#include "emu/pci/state.h"

enum { MAX_LINES = 20, PERIOD_S = 60, NS_PER_S = 1000000000 };

static void report_left_out(struct emu_pci *pci)
{
	char line[128];

	if (!pci->log.left_out)
		return;
	snprintf(line, sizeof(line), "%u more lines were left out (at most %d a minute)",
		 pci->log.left_out, MAX_LINES);
	pci->log.left_out = 0;
	if (pci->say)
		pci->say(pci->arg, line);
}

void pci_say(struct emu_pci *pci, const char *fmt, ...)
{
	struct pci_log *log = &pci->log;
	const uint64_t now = emu_now_ns() / NS_PER_S;
	char line[600];
	va_list ap;

	if (now >= log->since + PERIOD_S) {
		report_left_out(pci);
		log->since = now;
		log->n_lines = 0;
	}
	if (log->n_lines == MAX_LINES) {
		log->left_out++;
		return;
	}
	log->n_lines++;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (pci->say)
		pci->say(pci->arg, line);
}

struct emu_pci *emu_pci_create(const struct emu_pci_config *cfg, char *why, size_t why_bytes)
{
	static const struct emu_host_ops ops = { .map = pci_dma_translate,
						 .irq = pci_irq_raise,
						 .owns = pci_dma_owns,
						 .lost = pci_dma_lose };
	struct emu_pci *pci = calloc(1, sizeof(*pci));
	struct emu_config adapter = { .profile = cfg->profile,
				      .n_ports = 1,
				      .trace = cfg->trace,
				      .trace_arg = cfg->arg,
				      .mistakes = cfg->mistakes };

	if (!pci || pipe2(pci->stop, O_CLOEXEC | O_NONBLOCK)) {
		snprintf(why, why_bytes, "%s", strerror(errno));
		free(pci);
		return NULL;
	}
	emu_fault_catch(sigaction);
	pci->say = cfg->say;
	pci->arg = cfg->arg;
	pci->no_write_combining = cfg->no_write_combining;
	adapter.port[0] = (struct emu_port_config){
		.ops = &ops,
		.host = pci,
		.traffic = cfg->traffic,
		.wire = cfg->wire,
		.mtu = cfg->mtu,
		.first_uar = PCI_FIRST_UAR, /* the number of a UAR is its page number in BAR0 */
	};
	memcpy(adapter.port[0].mac, cfg->mac, sizeof(cfg->mac));
	pci->adapter = emu_adapter_create(&adapter, why, why_bytes);
	if (!pci->adapter)
		goto fail;
	pci->emu = emu_port(pci->adapter, 0);
	pci_irq_init(pci);
	pci_config_init(pci);
	return pci;

fail:
	emu_pci_destroy(pci);
	return NULL;
}

void emu_pci_destroy(struct emu_pci *pci)
{
	if (!pci)
		return;
	report_left_out(pci);
	emu_adapter_destroy(pci->adapter);
	close(pci->stop[0]);
	close(pci->stop[1]);
	free(pci);
}

unsigned emu_pci_list_objects(struct emu_pci *pci, char *line, size_t bytes)
{
	unsigned n_users;

	return emu_list_objects(pci->emu, line, bytes, &n_users);
}

/* Reports the objects that the driver did not destroy, but does not count a driver mistake. */
void pci_reset(struct emu_pci *pci, const char *why)
{
	unsigned n, n_users;
	char left[400];

	n = emu_list_objects(pci->emu, left, sizeof(left), &n_users);
	if (n)
		pci_say(pci,
			"%s while its driver was running: freed %u objects of the kernel and %u "
			"of programs: %s",
			why, n - n_users, n_users, left);
	emu_power_on(pci->emu);
	emu_lock(pci->adapter);
	for (unsigned i = 0; i < PCI_N_VECTORS; i++)
		pci->vector[i].pending = false;
	emu_unlock(pci->adapter);
	pci->cmdq = 0;
	pci->cmdq_high = 0;
	pci->combine = (struct pci_combine){ .bytes = 0 };
	pci_config_init(pci);
}
