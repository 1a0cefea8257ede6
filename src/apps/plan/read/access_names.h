/* access_names.h - which attributes say who may come in: addresses, ports, protocols, directions.
 *
 * RISK-ACCESS-OPEN (plan.md section 8) compares what an object admits before and after, so these
 * are read where they stay as they are, too. Threads: any. */
#ifndef TN_PLAN_ACCESS_NAMES_H
#define TN_PLAN_ACCESS_NAMES_H

#include <stdbool.h>

#include "base/str.h"

/* True for the last name of a path (cidr_blocks, from_port, access) that the rule reads. */
bool tn_plan_access_reads(struct tn_str name);
/* True for those that hold addresses: cidr_blocks, source_ranges. */
bool tn_plan_access_is_address(struct tn_str name);
/* True for those that hold ports, one or a range or a list: port, ports, destination_port_range. */
bool tn_plan_access_is_port(struct tn_str name);

#endif
