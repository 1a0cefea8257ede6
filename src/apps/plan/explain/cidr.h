/* cidr.h - ranges of addresses: which one holds another, and how much of the internet one is.
 *
 * Threads: any; no state. */
#ifndef TN_PLAN_CIDR_H
#define TN_PLAN_CIDR_H

#include <stdbool.h>
#include <stdint.h>

#include "apps/plan/limits.h"
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

/* Ranges of the older kind put together: no two of them touch, in no order. Starts zeroed. */
struct tn_plan_joined {
	struct tn_plan_span {
		uint32_t first, last;
	} spans[TN_PLAN_JOINED_MAX];
	unsigned count;
};

/* Adds the range. Which parts it is by itself, or all that were added come to together; addresses
 * that belong to nobody on the internet need not be among them. Where there is no room any more,
 * the smallest is forgotten. */
unsigned tn_plan_join(struct tn_plan_joined *joined, struct tn_str range);

/* Of the older kind, at least 65536 addresses and not all: a part of what many come from. */
bool tn_plan_is_wide_range(struct tn_str range);

/* All of it belongs to nobody on the internet. */
bool tn_plan_is_nobodys(struct tn_str range);

/* True when all addresses of `narrow` are in `wide`. What cannot be read holds only itself. */
bool tn_plan_range_holds(struct tn_str wide, struct tn_str narrow);

#endif
