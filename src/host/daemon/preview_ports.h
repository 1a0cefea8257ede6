/* preview_ports.h - the gateway (gateway/gateway.h) as apps are given it (mcp/preview_ports.h),
 * with the adapters that the build has put into the program. Threads: loop. */
#ifndef TN_HOST_PREVIEW_PORTS_H
#define TN_HOST_PREVIEW_PORTS_H

#include "mcp/preview_ports.h"

extern const struct tn_preview_ports tn_host_preview_ports;

#endif
