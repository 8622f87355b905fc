/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_malloc.h>

#include "port_rig.h"

/* Places of rings in their umem (devx_ring_memory.h). */

enum { N_TXQ_MAX = 3, PAGE = 4096, N_PLACES = 8 };

FIXTURE(ring_place)
{
	struct port_rig rig;
	int64_t strict; /* value of the device before the test */
	void *pad[N_PLACES];
};
FIXTURE_SETUP(ring_place)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to make the device strict");
	self->strict = self->rig.emu->option("umem_strict", 1);
}
FIXTURE_TEARDOWN(ring_place)
{
	for (unsigned int i = 0; i < N_PLACES; i++)
		rte_free(self->pad[i]);
	port_rig_down(&self->rig);
	if (self->rig.emu)
		EXPECT_EQ(1, self->rig.emu->option("umem_strict", (uint32_t)self->strict));
}

/*
 * Starts the port at different places of EAL's heap. At some of them Linux could use larger pages
 * than 4 KiB for the umem of the rings.
 */
TEST_F(ring_place, strict_device_accepts_the_place_of_each_ring)
{
	struct port_rig *rig = &self->rig;

	for (unsigned int i = 0; i < N_PLACES; i++) {
		self->pad[i] = rte_malloc(NULL, PAGE, PAGE);
		for (uint16_t n_txq = 1; n_txq <= N_TXQ_MAX; n_txq++) {
			const struct port_rig_config config = { .n_rxq = 2, .n_txq = n_txq };

			SCOPED_TRACE("place %u, %u Tx queues", i, n_txq);
			ASSERT_EQ(0, port_rig_configure(rig, &config));
			ASSERT_EQ(0, rte_eth_dev_start(rig->port));
			port_rig_exchange_on_all(rig);
			ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
		}
	}
}
