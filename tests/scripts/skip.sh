#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# skip.sh WHY: a test that cannot be built here, so that its absence is counted and explained.
echo "SKIP: $*"
exit 77
