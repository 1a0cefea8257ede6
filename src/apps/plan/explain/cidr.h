/* cidr.h - ranges of addresses: which one holds another, and how much of the internet one is.
 *
 * Threads: any; no state. */
#ifndef TN_PLAN_CIDR_H
#define TN_PLAN_CIDR_H

#include <stdbool.h>

#include "base/str.h"

/* The parts of the internet that everybody comes from, one bit each. */
enum tn_plan_part {
	TN_PLAN_LOW_HALF = 1 << 0,  /* 0.0.0.0/1 */
	TN_PLAN_HIGH_HALF = 1 << 1, /* 128.0.0.0/1 */
	TN_PLAN_SIX = 1 << 2,       /* 2000::/3, all public addresses of the newer kind */
	TN_PLAN_PARTS = 3
};

/* Which of them the range is: "0.0.0.0/0", "*", "Internet" both halves; 0: none of them. */
unsigned tn_plan_internet_parts(struct tn_str range);

/* True when all addresses of `narrow` are in `wide`. What cannot be read holds only itself. */
bool tn_plan_range_holds(struct tn_str wide, struct tn_str narrow);

#endif
