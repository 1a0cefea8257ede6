/* plain.h - what a program prints, without what is meant for its terminal.
 *
 * Threads: any. */
#ifndef TN_WB_VALUES_PLAIN_H
#define TN_WB_VALUES_PLAIN_H

#include "base/str.h"

/* A copy of at most TN_WB_TEXT_BYTES_MAX without escape sequences (ECMA-48) and control bytes but
 * tab and line feed, for tn_mem_free; NULL: no memory. */
char *tn_wb_plain_copy(struct tn_str text);

#endif
