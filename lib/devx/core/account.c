/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdio.h>
#include <time.h>

#include "devx/core/fail.h"
#include "prm/prm.h"

/* Returns the entry of @opcode, or NULL if other opcodes occupy all entries. */
static struct devx_account_opcode *find_opcode(struct devx_account *account, uint16_t opcode)
{
	struct devx_account_opcode *entry = account->opcodes;

	for (; entry < account->opcodes + account->n_opcodes; entry++)
		if (entry->opcode == opcode)
			return entry;
	if (account->n_opcodes == DEVX_ACCOUNT_OPCODES)
		return NULL;
	account->n_opcodes++;
	entry->opcode = opcode;
	return entry;
}

static uint64_t get_time_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void devx_account_add(struct devx_account *account, const struct devx_account_record *record)
{
	struct devx_account_record *copy;
	struct devx_account_opcode *entry;

	if (!account)
		return;
	copy = &account->records[account->n_commands++ % DEVX_ACCOUNT_RECORDS];
	*copy = *record;
	copy->time_ns = get_time_ns();
	entry = find_opcode(account, record->opcode);
	if (entry)
		entry->n++;
	else
		account->n_other++;
	if (!record->rc)
		return;
	if (entry)
		entry->n_failed++;
	account->n_failed++;
	account->last_failure = *copy;
}

const char *devx_opcode_name(uint16_t opcode, char *buf, size_t bytes)
{
	const struct prm_command *cmd = prm_command_of(opcode);

	if (cmd)
		snprintf(buf, bytes, "%s", cmd->name);
	else
		snprintf(buf, bytes, "0x%x", opcode);
	for (char *c = buf; cmd && *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return buf;
}

const char *devx_status_name(uint8_t status)
{
	return prm_status_name(status);
}
