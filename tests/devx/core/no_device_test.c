/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "ct.h"
#include "devx/dev.h"

TEST(no_device, open_and_list_report_it)
{
	struct devx_dev dev = { 0 }, zero = { 0 };
	char line[DEVX_TEXT_BYTES];

	if (devx_dev_list(line, sizeof(line)) > 0)
		SKIP("this machine has an RDMA device");
	EXPECT_STREQ("", line);
	EXPECT_EQ(-ENODEV, devx_dev_open(&dev, "mlx5_0"));
	EXPECT_SUBSTR("no RDMA device", devx_strerror(&dev, -ENODEV, line, sizeof(line)));
	dev.refusal = zero.refusal;
	EXPECT_MEMEQ(&zero, &dev, sizeof(zero));
}
