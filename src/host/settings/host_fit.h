/* host_fit.h - which forms of results the AI hosts that we know are sent (mcp/fit.h): data,
 * src/host/data/host_fit.json, compiled in. Threads: any. */
#ifndef TN_HOST_HOST_FIT_H
#define TN_HOST_HOST_FIT_H

#include "mcp/fit.h"

extern const struct tn_fit_rule tn_host_fit_rules[];
extern const size_t tn_host_fit_rule_count;

#endif
