/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_bus_vdev.h>

#include "devx_port.h"
#include "port_rig.h"

FIXTURE(args)
{
	struct port_rig rig;
};
FIXTURE_SETUP(args)
{
	port_rig_probe(&self->rig);
	port_rig_remove_port(&self->rig);
}
FIXTURE_TEARDOWN(args)
{
	port_rig_add_port(&self->rig);
	port_rig_down(&self->rig);
}

static const struct bad_value {
	const char *name, *args, *says;
} bad_values[] = {
	{ "uar_of_unknown_type", "ibdev=mlx5_0,uar=wc",
	  "net_devx1: argument uar: 'wc' is invalid (valid: auto, bf, nc, nc_dedicated)\n" },
	{ "uar_without_value", "uar,ibdev=mlx5_0", "argument uar: '' is invalid" },
	{ "uar_given_twice", "uar=bf,ibdev=mlx5_0,uar=nc", "argument uar: found 2 times" },
	{ "tx_bf_wqe_of_unknown_value", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=yes",
	  "net_devx1: argument tx_bf_wqe: 'yes' is invalid (valid: 0, 1)\n" },
	{ "tx_bf_wqe_without_value", "ibdev=mlx5_0,uar=bf,tx_bf_wqe=", "'' is invalid" },
	{ "tx_bf_wqe_with_nc", "ibdev=mlx5_0,uar=nc,tx_bf_wqe=1",
	  "net_devx1: argument tx_bf_wqe: 1 needs BlueFlame registers (valid: with uar=bf)\n" },
	{ "rx_burst_of_unknown_value", "ibdev=mlx5_0,rx_burst=sse",
	  "net_devx1: argument rx_burst: 'sse' is invalid (valid: auto, scalar, avx2, avx512; the "
	  "processor must have it)\n" },
	{ "inline_of_unknown_value", "ibdev=mlx5_0,inline=on",
	  "net_devx1: argument inline: 'on' is invalid (valid: off, auto, 14 to 924)\n" },
	{ "inline_without_value", "ibdev=mlx5_0,inline=", "argument inline: '' is invalid" },
	{ "inline_of_less_than_a_header", "ibdev=mlx5_0,inline=13", "'13' is invalid" },
	{ "inline_of_more_than_a_WQE", "ibdev=mlx5_0,inline=925", "'925' is invalid" },
	{ "inline_with_a_unit", "ibdev=mlx5_0,inline=60B", "'60B' is invalid" },
	{ "tx_burst_of_unknown_value", "ibdev=mlx5_0,tx_burst=full",
	  "net_devx1: argument tx_burst: 'full' is invalid (valid: auto, multi, single)\n" },
	{ "tx_burst_single_with_inline", "ibdev=mlx5_0,tx_burst=single,inline=256",
	  "net_devx1: argument inline: 256 needs multi-packet WQEs (valid: off, auto with "
	  "tx_burst=single)\n" },
	{ "tx_burst_without_value", "ibdev=mlx5_0,tx_burst=", "'' is invalid" },
	{ "tx_bf_wqe_without_uar", "ibdev=mlx5_0,tx_bf_wqe=1", "(valid: with uar=bf)" },
	{ "name_too_long",
	  "ibdev=mlx5_0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  "longer than 63 characters" },
};

TEST_F_EACH(args, bad_value_is_refused_in_one_line, struct bad_value, bad_values)
{
	const char *log, *line;

	port_rig_read_log();
	EXPECT_EQ(-EINVAL, port_rig_init_vdev("net_devx1", row->args));
	log = port_rig_read_log();
	EXPECT_SUBSTR(row->says, log);
	line = strstr(log, "net_devx1: ");
	EXPECT_NE(NULL, line);
	EXPECT_EQ(NULL, line ? strstr(line + 1, "net_devx1: ") : NULL);
	EXPECT_EQ(0, rte_eth_dev_count_avail());
}

static const struct uar_value {
	const char *name, *args;
	enum devx_eth_uar uar;
} uar_values[] = {
	{ "absent", "ibdev=mlx5_0", DEVX_ETH_UAR_AUTO },
	{ "auto", "ibdev=mlx5_0,uar=auto", DEVX_ETH_UAR_AUTO },
	{ "bf", "uar=bf,ibdev=mlx5_0", DEVX_ETH_UAR_BF },
	{ "nc", "ibdev=mlx5_0,uar=nc", DEVX_ETH_UAR_NC },
	{ "nc_dedicated", "ibdev=mlx5_0,uar=nc_dedicated", DEVX_ETH_UAR_NC_DEDICATED },
};

TEST_F_EACH(args, port_stores_the_type_of_its_uar, struct uar_value, uar_values)
{
	uint16_t port;

	ASSERT_EQ(0, port_rig_init_vdev("net_devx1", row->args));
	ASSERT_EQ(0, rte_eth_dev_get_port_by_name("net_devx1", &port));
	EXPECT_EQ(row->uar, devx_eth_port_get(&rte_eth_devices[port])->args.uar);
	EXPECT_EQ(0, rte_vdev_uninit("net_devx1"));
}
