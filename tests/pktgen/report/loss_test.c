/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/loss.h"

#include <string.h>

#include "ct.h"

enum { LOST = 101 };

/* Two ports. Of the two flows from the first to the second, the second lost most packets. */
FIXTURE(loss)
{
	struct port device[2];
	struct job_flow job_flows[2];
	struct figures_queue queues[2][2];
	struct figures_port ports[2];
	struct figures_flow flows[2];
	struct figures f;
	char text[LOSS_TEXT_BYTES];
};

FIXTURE_SETUP(loss)
{
	self->f = (struct figures){
		.n_ports = 2, .n_flows = 2, .ports = self->ports, .flows = self->flows
	};
	for (unsigned i = 0; i < 2; i++) {
		self->device[i].id = (uint16_t)i;
		self->device[i].mac = (struct rte_ether_addr){ { 2, 0, 0, 0, 0, (uint8_t)i } };
		self->ports[i] = (struct figures_port){ .port = &self->device[i],
							.queues = self->queues[i],
							.n_queues = 2 };
		self->job_flows[i] = (struct job_flow){ .tx = 0, .rx = 1 };
		self->flows[i] = (struct figures_flow){ .flow = &self->job_flows[i] };
	}
	strcpy(self->job_flows[1].name, "web");
	self->flows[0].account.lost = 7;
	self->flows[1].account.lost = LOST;
	self->flows[1].rx.packets = 5;
}

FIXTURE_TEARDOWN(loss)
{
	(void)self;
}

static void expect_reason(struct ct_fix_loss *self, enum loss_reason reason, const char *code,
			  const char *text)
{
	EXPECT_EQ(reason, loss_find(&self->f, self->text));
	EXPECT_STREQ(code, loss_get_code(reason));
	EXPECT_STREQ(text, self->text);
}

TEST_F(loss, a_run_without_loss_has_no_reason)
{
	self->flows[0].account.lost = self->flows[1].account.lost = 0;
	expect_reason(self, LOSS_NONE, "none", "");
	self->f.n_flows = 0;
	expect_reason(self, LOSS_NONE, "none", "");
}

/* Each cause hides those after it, so this adds them from the last to the first. */
TEST_F(loss, the_first_cause_that_explains_half_of_it_is_the_reason)
{
	struct rte_eth_stats *from = &self->ports[0].stats, *to = &self->ports[1].stats;

	expect_reason(self, LOSS_NETWORK, "network",
		      "web: 101 packets were lost between port 0 and port 1");
	self->queues[1][0].unknown = 25;
	self->queues[1][1].unknown = 25;
	expect_reason(self, LOSS_NETWORK, "network",
		      "web: 101 packets were lost between port 0 and port 1");
	self->queues[1][1].unknown++;
	expect_reason(self, LOSS_UNKNOWN, "unknown_frames",
		      "web: port 1 received 51 frames that belong to no flow; does a device change "
		      "or truncate the frames?");
	self->queues[1][1].unknown = 2 * LOST; /* with those of queue 0 too many */
	expect_reason(self, LOSS_NETWORK, "network",
		      "web: 101 packets were lost between port 0 and port 1");
	self->queues[1][0].fragments = 101;
	expect_reason(self, LOSS_NETWORK, "network",
		      "web: 101 packets were lost between port 0 and port 1");
	self->queues[1][1].fragments = 1;
	expect_reason(self, LOSS_FRAGMENTED, "fragments",
		      "web: port 1 received 102 fragments of IP packets; look at the MTU of each "
		      "device on the way");
	to->ierrors = 51;
	expect_reason(self, LOSS_DROPPED, "dropped",
		      "web: port 1 dropped 51 frames because of errors (rx_errors); look at the "
		      "cable and the MTU");
	to->rx_nombuf = 52;
	expect_reason(self, LOSS_DROPPED, "dropped",
		      "web: port 1 dropped 52 frames because it had no buffer "
		      "(rx_mbuf_allocation_errors); give EAL more memory (-- -m 1024)");
	to->imissed = 53;
	expect_reason(self, LOSS_DROPPED, "dropped",
		      "web: port 1 dropped 53 frames because it had no receive descriptor "
		      "(rx_missed_errors); give it more (--rx-ring), or more CPUs (--cores)");
	self->queues[0][0].misdirected = 51;
	expect_reason(self, LOSS_MISDIRECTED, "misdirected",
		      "web: port 0 received 51 packets that other ports expect; is the wire a "
		      "loop?");
	from->oerrors = 51;
	expect_reason(self, LOSS_NOT_SENT, "tx_errors",
		      "web: port 0 could not send 51 frames (tx_errors); --verbose may show why");
	self->ports[1].n_down = 1;
	self->ports[1].down_s = 0.25;
	expect_reason(self, LOSS_LINK, "link", "web: the link of port 1 was down for 0.250 s");
}

/* A device that encrypts makes the frames of all flows unknown. */
TEST_F(loss, unknown_frames_are_those_of_all_flows_to_the_port)
{
	self->flows[0].account.lost = LOST - 1;
	self->queues[1][0].unknown = 2 * LOST - 1;
	self->queues[1][1].unknown = LOST;
	EXPECT_EQ(LOSS_UNKNOWN, loss_find(&self->f, self->text));
	self->job_flows[0].rx = 0;
	EXPECT_EQ(LOSS_NETWORK, loss_find(&self->f, self->text));
}

TEST_F(loss, packets_at_a_third_port_are_misdirected)
{
	struct figures_port ports[3] = { self->ports[0], self->ports[1], self->ports[0] };
	struct port third = { .id = 2 };

	ports[2].port = &third;
	ports[0].n_queues = 0;
	self->f.ports = ports;
	self->f.n_ports = 3;
	self->queues[0][1].misdirected = LOST;
	expect_reason(self, LOSS_MISDIRECTED, "misdirected",
		      "web: port 2 received 101 packets that other ports expect; are the wires "
		      "exchanged?");
}

TEST_F(loss, one_frame_is_not_several)
{
	self->f.flows++;
	self->f.n_flows = 1;
	self->flows[1].account.lost = 1;
	self->queues[1][0].unknown = 1;
	expect_reason(self, LOSS_UNKNOWN, "unknown_frames",
		      "port 1 received 1 frame that belongs to no flow; does a device change or "
		      "truncate the frames?");
	self->ports[1].stats.imissed = 1;
	EXPECT_EQ(LOSS_DROPPED, loss_find(&self->f, self->text));
	EXPECT_TRUE(strstr(self->text, "port 1 dropped 1 frame because it had no"));
}

TEST_F(loss, if_nothing_arrived_it_says_what_to_look_at)
{
	self->f.flows++;
	self->f.n_flows = 1;
	self->flows[1].account.lost = 1;
	expect_reason(self, LOSS_NETWORK, "network", "1 packet was lost between port 0 and port 1");
	self->flows[1].rx.packets = 0;
	expect_reason(self, LOSS_NOTHING_ARRIVED, "nothing_arrived",
		      "nothing arrived between port 0 and port 1; look at the link, the VLAN and "
		      "the MTU of each device there, and at the port where a switch learned the "
		      "MAC address 02:00:00:00:00:01");
	self->job_flows[1].tx = 1;
	EXPECT_EQ(LOSS_NOTHING_ARRIVED, loss_find(&self->f, self->text));
	EXPECT_TRUE(strstr(self->text, "nothing arrived on the way back to port 1; look"));
	self->device[1].addresses.n_gateways = 1;
	EXPECT_EQ(LOSS_NOTHING_ARRIVED, loss_find(&self->f, self->text));
	EXPECT_TRUE(strstr(self->text, "; and at the routes of the gateway"));
}
