/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <glob.h>
#include <linux/capability.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "verbs_rig.h"
#include "wait_limit.h"

/*
 * ioctl SIOCETHTOOL of the netdev of a port: a TAP under devx-emu, and mlx5_core's netdev in a
 * guest. Both must give the same answers, unless a test needs emu.
 */
FIXTURE(ethtool)
{
	struct ibv_context *ctx;
	struct ifreq ifr;
	int sock;
};

/* Names of statistics that DPDK's net_mlx5 looks for, and that every mlx5_core has */
static const char *const names[] = {
	"rx_vport_unicast_bytes",
	"rx_vport_multicast_bytes",
	"rx_vport_broadcast_bytes",
	"rx_vport_unicast_packets",
	"rx_vport_multicast_packets",
	"rx_vport_broadcast_packets",
	"tx_vport_unicast_bytes",
	"tx_vport_multicast_bytes",
	"tx_vport_broadcast_bytes",
	"tx_vport_unicast_packets",
	"tx_vport_multicast_packets",
	"tx_vport_broadcast_packets",
	"rx_wqe_err",
	"rx_crc_errors_phy",
	"rx_in_range_len_errors_phy",
	"rx_symbol_err_phy",
	"tx_errors_phy",
	"tx_packets_phy",
	"rx_packets_phy",
	"tx_discards_phy",
	"rx_discards_phy",
	"tx_bytes_phy",
	"rx_bytes_phy",
};
enum { N_NAMES = sizeof(names) / sizeof(names[0]), MAX_STATISTICS = 4096 };

static void find_netdev(char *name)
{
	glob_t found;

	strcpy(name, "devx-tap");
	if (emu_if_any() || glob("/sys/class/infiniband/mlx5_0/device/net/*", 0, NULL, &found))
		return;
	snprintf(name, IFNAMSIZ, "%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);
}

/* Sends a command. Return: 0 or errno */
static int send_command(const struct ct_fix_ethtool *self, void *data)
{
	struct ifreq ifr = self->ifr;

	ifr.ifr_data = data;
	return ioctl(self->sock, SIOCETHTOOL, &ifr) ? errno : 0;
}

/* Sets the netdev up or down, and waits about a second at most until the link follows. */
static bool set_up(struct ct_fix_ethtool *self, bool up)
{
	struct ethtool_value link = { .cmd = ETHTOOL_GLINK };
	struct ifreq ifr = self->ifr;

	if (ioctl(self->sock, SIOCGIFFLAGS, &ifr))
		return false;
	ifr.ifr_flags = (short)(up ? ifr.ifr_flags | IFF_UP : ifr.ifr_flags & ~IFF_UP);
	if (ioctl(self->sock, SIOCSIFFLAGS, &ifr))
		return false;
	for (int i = 0; i < WAIT_LIMIT_MS; i++) {
		if (!send_command(self, &link) && (link.data != 0) == up)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return false;
}

FIXTURE_SETUP(ethtool)
{
	self->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	find_netdev(self->ifr.ifr_name);
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
}

FIXTURE_TEARDOWN(ethtool)
{
	close(self->sock);
	if (self->ctx)
		EXPECT_EQ(0, ibv_close_device(self->ctx));
}

/* Reads the statistic @name. Fails the test if the netdev has none of this name. */
static uint64_t read_statistic(struct ct_fix_ethtool *self, const char *name)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ethtool_gstrings *strings;
	struct ethtool_stats *values;
	uint64_t value = UINT64_MAX;

	EXPECT_EQ(0, send_command(self, &info));
	strings = calloc(1, sizeof(*strings) + MAX_STATISTICS * ETH_GSTRING_LEN);
	values = calloc(1, sizeof(*values) + MAX_STATISTICS * sizeof(uint64_t));
	if (info.n_stats <= MAX_STATISTICS) {
		*strings =
			(struct ethtool_gstrings){ ETHTOOL_GSTRINGS, ETH_SS_STATS, info.n_stats };
		*values = (struct ethtool_stats){ ETHTOOL_GSTATS, info.n_stats };
		EXPECT_EQ(0, send_command(self, strings));
		EXPECT_EQ(0, send_command(self, values));
		EXPECT_EQ(info.n_stats, strings->len);
		EXPECT_EQ(info.n_stats, values->n_stats);
		for (unsigned i = 0; i < info.n_stats; i++)
			if (!strcmp((char *)strings->data + i * ETH_GSTRING_LEN, name))
				value = values->data[i];
	}
	if (value == UINT64_MAX)
		ADD_FAILURE("no statistic %s", name);
	free(strings);
	free(values);
	return value;
}

/* The thread of emu that listens to the netdev would often come too late. */
TEST_F(ethtool, port_has_the_new_mtu_when_the_ioctl_returns)
{
	static const struct {
		int mtu;
		uint8_t code; /* enum ibv_mtu; 0: not even 256 bytes fit */
	} steps[] = { { 351, 0 },           { 352, IBV_MTU_256 },   { 607, IBV_MTU_256 },
		      { 608, IBV_MTU_512 }, { 9000, IBV_MTU_4096 }, { 1500, IBV_MTU_1024 } };
	struct ibv_port_attr port;
	struct ifreq ifr = self->ifr;

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		ifr.ifr_mtu = steps[i].mtu;
		ASSERT_EQ(0, ioctl(self->sock, SIOCSIFMTU, &ifr));
		ASSERT_EQ(0, ibv_query_port(self->ctx, 1, &port));
		EXPECT_EQ(steps[i].code, port.active_mtu);
	}
}

static struct ibv_port_attr query_port(struct ibv_context *ctx)
{
	struct ibv_port_attr port = { .active_mtu = 0 };

	EXPECT_EQ(0, ibv_query_port(ctx, 1, &port));
	return port;
}

TEST_F(ethtool, second_port_follows_its_own_netdev)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ct_fix_ethtool second = *self;
	struct ibv_context *ctx;

	NEEDS_EMU("because an adapter may have one port");
	if (emu->n_ports() < 2)
		SKIP("this run has one port");
	setenv("DEVX_TEST_IBDEV", "mlx5_1", 1);
	ctx = verbs_rig_open(true);
	unsetenv("DEVX_TEST_IBDEV");
	ASSERT_NE(NULL, ctx);
	strcpy(second.ifr.ifr_name, "devx-tap1");
	ASSERT_TRUE(set_up(self, true));
	ASSERT_TRUE(set_up(&second, false));
	EXPECT_EQ(IBV_PORT_ACTIVE, query_port(self->ctx).state);
	EXPECT_EQ(IBV_PORT_DOWN, query_port(ctx).state);
	ASSERT_TRUE(set_up(&second, true));
	ASSERT_TRUE(set_up(self, false));
	EXPECT_EQ(IBV_PORT_DOWN, query_port(self->ctx).state);
	EXPECT_EQ(IBV_PORT_ACTIVE, query_port(ctx).state);
	ASSERT_TRUE(set_up(self, true));
	second.ifr.ifr_mtu = 9000;
	ASSERT_EQ(0, ioctl(self->sock, SIOCSIFMTU, &second.ifr));
	EXPECT_EQ(IBV_MTU_1024, query_port(self->ctx).active_mtu);
	EXPECT_EQ(IBV_MTU_4096, query_port(ctx).active_mtu);
	ASSERT_EQ(0, send_command(&second, &info));
	EXPECT_STREQ("0000:c1:00.1", info.bus_info);
	ASSERT_EQ(0, send_command(self, &info));
	EXPECT_STREQ("0000:c1:00.0", info.bus_info);
	EXPECT_EQ(0, ibv_close_device(ctx));
}

TEST_F(ethtool, driver_is_mlx5_core)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ibv_device_attr attr;

	ASSERT_EQ(0, send_command(self, &info));
	ASSERT_EQ(0, ibv_query_device(self->ctx, &attr));
	EXPECT_STREQ("mlx5_core", info.driver);
	EXPECT_SUBSTR(attr.fw_ver, info.fw_version);
	EXPECT_SUBSTR("(EMU000000000", info.fw_version); /* the PSID of each profile begins so */
	EXPECT_SUBSTR("0000:", info.bus_info);
	EXPECT_LT(0, info.n_stats);
}

TEST_F(ethtool, statistics_have_the_names_that_net_mlx5_looks_for)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count[2];
	} sets = { { .cmd = ETHTOOL_GSSET_INFO,
		     .sset_mask = 1ull << ETH_SS_STATS | 1ull << ETH_SS_FEATURES } };
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	for (unsigned i = 0; i < N_NAMES; i++)
		read_statistic(self, names[i]);
	ASSERT_EQ(0, send_command(self, &info));
	ASSERT_EQ(0, send_command(self, &sets));
	EXPECT_EQ(1ull << ETH_SS_STATS | 1ull << ETH_SS_FEATURES, sets.head.sset_mask);
	EXPECT_EQ(info.n_stats, sets.count[0]);
	EXPECT_LT(0, sets.count[1]);
}

/* Sends a broadcast frame through the netdev. On a TAP it arrives at the port. */
static void send_broadcast(struct ct_fix_ethtool *self)
{
	uint8_t frame[60] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 0x88, 0xb5 };
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	to.sll_ifindex = (int)if_nametoindex(self->ifr.ifr_name);
	EXPECT_EQ(sizeof(frame),
		  sendto(fd, frame, sizeof(frame), 0, (struct sockaddr *)&to, sizeof(to)));
	close(fd);
}

TEST_F(ethtool, statistics_count_frames_of_the_wire)
{
	enum { FRAMES = 10, BYTES = FRAMES * 60 };
	struct devx_emu_counters c;
	uint64_t packets, bytes, phy, missed;

	NEEDS_EMU("to compare with its counters");
	ASSERT_TRUE(set_up(self, true));
	packets = read_statistic(self, "rx_vport_broadcast_packets");
	bytes = read_statistic(self, "rx_vport_broadcast_bytes");
	phy = read_statistic(self, "rx_broadcast_phy");
	missed = read_statistic(self, "rx_steer_missed_packets");
	for (int i = 0; i < FRAMES; i++)
		send_broadcast(self);
	for (int i = 0; i < WAIT_LIMIT_MS; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		if (read_statistic(self, "rx_vport_broadcast_packets") >= packets + FRAMES)
			break;
	}
	EXPECT_EQ(packets + FRAMES, read_statistic(self, "rx_vport_broadcast_packets"));
	EXPECT_EQ(bytes + BYTES, read_statistic(self, "rx_vport_broadcast_bytes"));
	EXPECT_EQ(phy + FRAMES, read_statistic(self, "rx_broadcast_phy"));
	EXPECT_LE(missed + FRAMES, read_statistic(self, "rx_steer_missed_packets"));
	c = verbs_rig_read_counters();
	EXPECT_EQ(FRAMES, c.rx_bc_packets);
	EXPECT_EQ(BYTES, c.rx_bc_bytes);
}

TEST_F(ethtool, link_settings_follow_the_link)
{
	enum { WORDS = 32 };
	union {
		struct ethtool_link_settings head;
		uint32_t words[sizeof(struct ethtool_link_settings) / 4 + 3 * WORDS];
	} get = { .head = { .cmd = ETHTOOL_GLINKSETTINGS } };
	const uint32_t *modes = get.words + sizeof(get.head) / 4;
	struct ethtool_cmd old = { .cmd = ETHTOOL_GSET };

	ASSERT_TRUE(set_up(self, false));
	ASSERT_EQ(0, send_command(self, &get));
	ASSERT_GT(0, get.head.link_mode_masks_nwords);
	ASSERT_GE(WORDS, -get.head.link_mode_masks_nwords);
	get.head.link_mode_masks_nwords = (int8_t)-get.head.link_mode_masks_nwords;
	ASSERT_EQ(0, send_command(self, &get));
	EXPECT_EQ(UINT32_MAX, get.head.speed);
	EXPECT_EQ(DUPLEX_UNKNOWN, get.head.duplex);
	ASSERT_EQ(0, send_command(self, &old));
	EXPECT_EQ(UINT16_MAX, old.speed); /* ethtool_cmd_speed() would shift into the sign bit */
	EXPECT_EQ(UINT16_MAX, old.speed_hi);
	EXPECT_EQ(DUPLEX_UNKNOWN, old.duplex);

	ASSERT_TRUE(set_up(self, true));
	ASSERT_EQ(0, send_command(self, &get));
	EXPECT_EQ(100000, get.head.speed);
	EXPECT_EQ(DUPLEX_FULL, get.head.duplex);
	EXPECT_EQ(AUTONEG_ENABLE, get.head.autoneg);
	EXPECT_EQ(PORT_DA, get.head.port);
	EXPECT_EQ(1u << (ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT - 32), modes[1]);
	EXPECT_EQ(SUPPORTED_Autoneg | SUPPORTED_Pause, modes[0]);
	ASSERT_EQ(0, send_command(self, &old));
	EXPECT_EQ(100000, ethtool_cmd_speed(&old));
	EXPECT_EQ(DUPLEX_FULL, old.duplex);
	EXPECT_EQ(AUTONEG_ENABLE, old.autoneg);
	EXPECT_EQ(PORT_DA, old.port);
}

TEST_F(ethtool, pause_frames_are_off_and_fixed)
{
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM, .rx_pause = 7 };

	ASSERT_EQ(0, send_command(self, &pause));
	EXPECT_EQ(0, pause.rx_pause);
	EXPECT_EQ(0, pause.tx_pause);
	EXPECT_EQ(0, pause.autoneg);
	pause = (struct ethtool_pauseparam){ .cmd = ETHTOOL_SPAUSEPARAM, .rx_pause = 1 };
	EXPECT_EQ(EOPNOTSUPP, send_command(self, &pause));
}

TEST_F(ethtool, module_cannot_be_read)
{
	struct ethtool_modinfo info = { .cmd = ETHTOOL_GMODULEINFO };

	EXPECT_EQ(EIO, send_command(self, &info));
}

TEST_F(ethtool, changes_need_the_right)
{
	struct __user_cap_header_struct hdr = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_SPAUSEPARAM };
	struct ethtool_cmd set = { .cmd = ETHTOOL_SSET };
	struct __user_cap_data_struct caps[2], fewer[2];

	ASSERT_EQ(0, syscall(SYS_capget, &hdr, caps));
	memcpy(fewer, caps, sizeof(fewer));
	fewer[0].effective &= ~(1u << CAP_NET_ADMIN);
	ASSERT_EQ(0, syscall(SYS_capset, &hdr, fewer));
	EXPECT_EQ(EPERM, send_command(self, &pause));
	EXPECT_EQ(EPERM, send_command(self, &set));
	EXPECT_EQ(0, syscall(SYS_capset, &hdr, caps));
}

TEST_F(ethtool, bad_requests_fail)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq ifr = { .ifr_name = "no-such-netdev", .ifr_data = (char *)&info };
	struct ethtool_value unknown = { .cmd = 0x7fffffff };

	EXPECT_EQ(-1, ioctl(self->sock, SIOCETHTOOL, &ifr));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(self->sock, SIOCETHTOOL, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(EFAULT, send_command(self, NULL));
	EXPECT_EQ(EOPNOTSUPP, send_command(self, &unknown));
}
