/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Executes a command after the doorbells that the driver rang before it, because PCI keeps writes
 * in order. Delays before and after the execution hold no lock: firmware runs beside the data path.
 */
#include <errno.h>
#include <time.h>

#include "emu/firmware/cmd.h"
#include "emu/queue/doorbell.h"

enum { NS_PER_S = 1000000000, GATE_STEP_NS = 100000 };

void emu_set_command_time(struct emu *emu, uint64_t ns)
{
	__atomic_store_n(&emu->command_ns, ns, __ATOMIC_RELAXED);
}

static void sleep_until(uint64_t ns)
{
	const struct timespec at = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

unsigned emu_hold_commands(struct emu *emu, int n)
{
	struct emu_gate *gate = &emu->gate;
	unsigned go;

	emu_lock(emu->adapter);
	__atomic_store_n(&gate->closed, n >= 0, __ATOMIC_RELAXED);
	go = n < 0 || (unsigned)n > gate->n_held ? gate->n_held : (unsigned)n;
	gate->n_held -= go;
	gate->n_granted += go;
	go = gate->n_held;
	emu_unlock(emu->adapter);
	return go;
}

static bool stop_at_gate(struct emu *emu)
{
	bool stop;

	emu_lock(emu->adapter);
	stop = emu->gate.closed;
	emu->gate.n_held += stop;
	emu_unlock(emu->adapter);
	return stop;
}

static bool leave_gate(struct emu *emu)
{
	bool go;

	emu_lock(emu->adapter);
	go = emu->gate.n_granted;
	emu->gate.n_granted -= go;
	emu_unlock(emu->adapter);
	return go;
}

static void wait_at_gate(struct emu *emu)
{
	if (!stop_at_gate(emu))
		return;
	while (!leave_gate(emu))
		nanosleep(&(struct timespec){ .tv_nsec = GATE_STEP_NS }, NULL);
}

static uint8_t run_locked(struct emu *emu, const void *in, size_t in_bytes, void *out,
			  size_t out_bytes)
{
	uint8_t status;

	emu_lock(emu->adapter);
	emu_take_doorbells(emu);
	status = emu_run_command(emu, in, in_bytes, out, out_bytes);
	emu_unlock(emu->adapter);
	return status;
}

uint8_t emu_exec(struct emu *emu, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	const uint64_t ns = __atomic_load_n(&emu->command_ns, __ATOMIC_RELAXED);
	const uint64_t began = ns ? emu_now_ns() : 0;
	uint8_t status;

	if (out_bytes < EMU_HEADER_BYTES)
		return PRM_STATUS_BAD_OUTP_LEN;
	if (__atomic_load_n(&emu->gate.closed, __ATOMIC_RELAXED))
		wait_at_gate(emu);
	if (!ns)
		return run_locked(emu, in, in_bytes, out, out_bytes);
	sleep_until(began + ns / 2);
	status = run_locked(emu, in, in_bytes, out, out_bytes);
	sleep_until(began + ns);
	return status;
}
