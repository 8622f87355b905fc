/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_CAPABILITY_H
#define LAUNCHER_CAPABILITY_H

/**
 * launcher_check_capabilities - check the list in the environment variable DEVX_EMU_CAPS
 *
 * Return: 0, or LAUNCHER_EXIT_USAGE after a line that names the unknown word
 */
int launcher_check_capabilities(void);

#endif
