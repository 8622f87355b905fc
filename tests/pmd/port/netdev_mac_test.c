/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "devx_port.h"
#include "port_rig.h"

/*
 * The address of a port with a list of further ones changes. The frames come from a packet socket
 * on the network interface of the port.
 */

enum { ETHERTYPE = 0x88b5, FRAME = 100, LAST_FRAME = 300 };
enum { OLD, NEW, FIRST, SECOND, N_ADDRESSES };

FIXTURE(netdev_mac)
{
	struct port_rig rig;
	struct rte_ether_addr addresses[N_ADDRESSES];
	struct sockaddr_ll to;
	int sock;
};
FIXTURE_SETUP(netdev_mac)
{
	const char *netdev;

	self->sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	port_rig_probe(&self->rig);
	if (!self->rig.has_netdev)
		SKIP("the port has no network interface; run it on --wire tap:NAME");
	netdev = devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.netdev;
	self->to = (struct sockaddr_ll){ .sll_family = AF_PACKET,
					 .sll_ifindex = (int)if_nametoindex(netdev) };
	for (uint8_t i = 0; i < N_ADDRESSES; i++)
		self->addresses[i] = (struct rte_ether_addr){ { 2, 0, 0, 0, 3, i } };
	self->addresses[OLD] = self->rig.mac;
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
FIXTURE_TEARDOWN(netdev_mac)
{
	port_rig_down(&self->rig);
	close(self->sock);
}

static void send_frame(struct ct_fix_netdev_mac *self, int address, size_t bytes)
{
	uint8_t frame[LAST_FRAME] = { 0 };
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)frame;

	eth->dst_addr = self->addresses[address];
	eth->src_addr.addr_bytes[0] = 2;
	eth->ether_type = rte_cpu_to_be_16(ETHERTYPE);
	EXPECT_EQ(bytes, sendto(self->sock, frame, bytes, 0, (struct sockaddr *)&self->to,
				sizeof(self->to)));
}

/*
 * Sends a frame to each address. The port shall receive those of the set @want, each once. The
 * kernel may send them from several queues, so only a frame that is sent after the others arrived
 * arrives last.
 */
static void expect_addresses(struct ct_fix_netdev_mac *self, unsigned int want)
{
	unsigned int taken = 0;
	struct rte_mbuf *m;

	for (int i = 0; i < N_ADDRESSES; i++)
		send_frame(self, i, FRAME + (size_t)i);
	for (bool last = false; !last; rte_pktmbuf_free(m)) {
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		if (rte_pktmbuf_mtod(m, struct rte_ether_hdr *)->ether_type !=
		    rte_cpu_to_be_16(ETHERTYPE))
			continue; /* the kernel added it */
		last = m->pkt_len == LAST_FRAME;
		if (last)
			continue;
		EXPECT_FALSE(taken & 1u << (m->pkt_len - FRAME));
		taken |= 1u << (m->pkt_len - FRAME);
		if ((taken & want) == want)
			send_frame(self, __builtin_ctz(want), LAST_FRAME);
	}
	EXPECT_EQ(want, taken);
}

static int set_address(struct ct_fix_netdev_mac *self, int address)
{
	return rte_eth_dev_default_mac_addr_set(self->rig.port, &self->addresses[address]);
}

TEST_F(netdev_mac, a_new_address_leaves_the_list_as_it_was)
{
	const uint16_t port = self->rig.port;

	for (int i = FIRST; i <= SECOND; i++)
		ASSERT_EQ(0, rte_eth_dev_mac_addr_add(port, &self->addresses[i], 0));
	expect_addresses(self, 1 << OLD | 1 << FIRST | 1 << SECOND);
	ASSERT_EQ(0, set_address(self, NEW));
	expect_addresses(self, 1 << NEW | 1 << FIRST | 1 << SECOND);
	ASSERT_EQ(0, rte_eth_dev_mac_addr_remove(port, &self->addresses[SECOND]));
	expect_addresses(self, 1 << NEW | 1 << FIRST);
	ASSERT_EQ(0, rte_eth_dev_stop(port));
	ASSERT_EQ(0, rte_eth_dev_start(port));
	expect_addresses(self, 1 << NEW | 1 << FIRST);

	EXPECT_EQ(-EEXIST, set_address(self, FIRST)); /* ethdev refuses an address of the list */
	ASSERT_EQ(0, set_address(self, OLD));
	expect_addresses(self, 1 << OLD | 1 << FIRST);
}

/* The rules of the new address fail: the network interface gets its old address back. */
TEST_F(netdev_mac, a_failed_change_restores_the_address_of_the_netdev)
{
	struct ifreq req = { 0 };

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(self->rig.port, &self->addresses[FIRST], 0));
	self->rig.emu->fail(DEVX_EMU_FAIL_IOCTL, 0, 0);
	EXPECT_NE(0, set_address(self, NEW));
	self->rig.emu->fail(DEVX_EMU_FAIL_IOCTL, -1, 0);
	EXPECT_SUBSTR("cannot create the receive rule for unicast packets", port_rig_read_log());
	ASSERT_NE(NULL, if_indextoname((unsigned int)self->to.sll_ifindex, req.ifr_name));
	ASSERT_EQ(0, ioctl(self->sock, SIOCGIFHWADDR, &req));
	EXPECT_MEMEQ(&self->addresses[OLD], req.ifr_hwaddr.sa_data, RTE_ETHER_ADDR_LEN);
	expect_addresses(self, 1 << OLD | 1 << FIRST);
	ASSERT_EQ(0, set_address(self, NEW));
	expect_addresses(self, 1 << NEW | 1 << FIRST);
	ASSERT_EQ(0, set_address(self, OLD));
}
