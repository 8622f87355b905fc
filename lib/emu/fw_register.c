/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/fw.h"

/* No register of the port is modelled: its MTU, state and counters are the vport's (fw_vport.c). */
EMU_FW(access_register)
{
	return emu_refuse(emu, PRM_STATUS_BAD_PARAM, EMU_SYND_REGISTER,
			  "register 0x%x is not modelled", (unsigned)prm_get(in, register_id));
}
