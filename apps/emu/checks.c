/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks before the program starts: capabilities, wires, adapter, trace file.
 */
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "emu/control.h"
#include "report.h"

static void *refuse_map(void *host, uint64_t addr, size_t bytes, bool write)
{
	(void)host;
	(void)addr;
	(void)bytes;
	(void)write;
	return NULL;
}

static void ignore_irq(void *host, uint16_t vector)
{
	(void)host;
	(void)vector;
}

int launcher_check_wires(const struct launcher *l)
{
	struct emu_config cfg = { .n_ports = l->shared->n_ports };
	char why[512];

	for (unsigned i = 0; i < cfg.n_ports; i++)
		cfg.port[i].wire = l->shared->port[i].wire;
	if (emu_check_wires(&cfg, why, sizeof(why)))
		return launcher_fail(LAUNCHER_EXIT_USAGE, "%s", why);
	return 0;
}

/* Does not check for unknown names, which emu_adapter_create() refuses. */
static int check_profile(const char *name)
{
	const struct emu_model *model = emu_model_find(name);
	char names[256];

	if (model && model->roce)
		return launcher_fail(LAUNCHER_EXIT_USAGE,
				     "--profile %s: needs a real kernel; use it with devx-emu pci, "
				     "or choose one of %s",
				     name, emu_model_list(false, names, sizeof(names)));
	return 0;
}

/* A failure is a problem of the environment if a wire names a file or a netdev, else of usage. */
static bool names_file_or_netdev(const struct emu_shared *s)
{
	for (unsigned i = 0; i < s->n_ports; i++)
		if (strchr(s->port[i].wire, ':'))
			return true;
	return false;
}

/* Powers an adapter on and off, with the configuration of the program's adapter. */
int launcher_check_adapter(const struct launcher *l)
{
	static const struct emu_host_ops nothing = { .map = refuse_map, .irq = ignore_irq };
	struct emu_mistakes *mistakes = calloc(1, sizeof(*mistakes));
	struct emu_config cfg = { .profile = l->shared->profile,
				  .n_ports = l->shared->n_ports,
				  .mistakes = mistakes };
	struct emu_adapter *a;
	char why[512] = "";
	int rc = check_profile(cfg.profile);

	if (rc || !mistakes) {
		free(mistakes);
		return rc ? rc : launcher_fail(LAUNCHER_EXIT_ENVIRONMENT, "out of memory");
	}
	for (unsigned i = 0; i < cfg.n_ports; i++) {
		const struct emu_shared_port *p = &l->shared->port[i];

		cfg.port[i] =
			(struct emu_port_config){ .ops = &nothing, .wire = p->wire, .mtu = p->mtu };
		memcpy(cfg.port[i].mac, p->mac, sizeof(p->mac));
	}
	a = emu_adapter_create(&cfg, why, sizeof(why));
	if (a)
		emu_adapter_destroy(a);
	free(mistakes);
	if (a)
		return 0;
	return launcher_fail(names_file_or_netdev(l->shared) ? LAUNCHER_EXIT_ENVIRONMENT
							     : LAUNCHER_EXIT_USAGE,
			     "%s", why);
}

static bool is_capability(const char *word, size_t bytes)
{
	static const char *const names[] = { EMU_CAPABILITIES };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == bytes && !memcmp(names[i], word, bytes))
			return true;
	return false;
}

int launcher_check_capabilities(void)
{
	const char *word = getenv(EMU_CAPABILITIES_ENV);

	while (word && *word) {
		const size_t bytes = strcspn(word, ",");

		if (!is_capability(word, bytes))
			return launcher_fail(LAUNCHER_EXIT_USAGE,
					     EMU_CAPABILITIES_ENV
					     ": unknown capability \"%.*s\" (valid: net_raw, "
					     "sys_rawio and ipc_lock with commas between, or "
					     "\"\" for none)",
					     (int)bytes, word);
		word += bytes + (word[bytes] == ',');
	}
	return 0;
}

/* Opens only a regular file: the reader of a FIFO would see its end when the file is closed. */
static int find_trace_error(const char *path)
{
	struct stat st;
	int fd;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return EISDIR;
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return access(path, W_OK) ? errno : 0;
	fd = files_create(path, O_APPEND);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

int launcher_check_trace(const char *path)
{
	const int error = *path && strcmp(path, "-") ? find_trace_error(path) : 0;

	return error ? launcher_fail(LAUNCHER_EXIT_USAGE,
				     "--trace %s: %s; name a file that you may write, or - for "
				     "standard error",
				     path, files_explain(error))
		     : 0;
}
