/* limits.h - what bounds held inputs, and programs that are confined or watched. */
#ifndef TN_HOLD_LIMITS_H
#define TN_HOLD_LIMITS_H

#include "base/size.h"

#define TN_CONFINE_PATHS_MAX 512  /* of each kind that a confined program is told of */
#define TN_CONFINE_HELPERS_MAX 64 /* connections of a confined session that are being made */
#define TN_HOLD_STARTS_MAX 256    /* starts of held programs that the kernel has in hand at once */
#define TN_TERM_INPUTS_BYTES_MAX (2 * TN_MIB) /* of a run, hashed on the loop: some 10 ms */
#define TN_TERM_INPUTS_MAX 64        /* files of one run that are held; each takes a descriptor */
#define TN_TERM_INPUTS_TRIED_MAX 512 /* names of one run that a search tries in vain */
#define TN_ANALYSIS_SCRIPT_BYTES_MAX (256 * TN_KIB)

#endif
