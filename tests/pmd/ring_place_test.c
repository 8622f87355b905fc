/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_malloc.h>

#include "port_rig.h"

/* Places of rings in their umem (devx_ring_memory.h). */

enum { N_TXQ_MAX = 3 };

/*
 * Starts the port at different places of EAL's heap. At some of them Linux could use larger pages
 * than 4 KiB for the umem of the rings.
 */
TEST(ring_place, strict_device_accepts_the_place_of_each_ring)
{
	enum { PAGE = 4096, N_PLACES = 8 };
	struct port_rig rig = { 0 };
	void *pad[N_PLACES];

	NEEDS_EMU("to make the device strict");
	port_rig_probe(&rig);
	EXPECT_EQ(0, rig.emu->option("umem_strict", 1));
	for (unsigned int i = 0; i < N_PLACES; i++) {
		pad[i] = rte_malloc(NULL, PAGE, PAGE);
		for (uint16_t n_txq = 1; n_txq <= N_TXQ_MAX; n_txq++) {
			const struct port_rig_config config = { .n_rxq = 2, .n_txq = n_txq };

			SCOPED_TRACE("place %u, %u Tx queues", i, n_txq);
			ASSERT_EQ(0, port_rig_configure(&rig, &config));
			ASSERT_EQ(0, rte_eth_dev_start(rig.port));
			port_rig_exchange_on_all(&rig);
			ASSERT_EQ(0, rte_eth_dev_stop(rig.port));
		}
	}
	for (unsigned int i = 0; i < N_PLACES; i++)
		rte_free(pad[i]);
	EXPECT_EQ(1, rig.emu->option("umem_strict", 0));
	port_rig_down(&rig);
}
