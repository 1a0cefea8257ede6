/* limits.h - what bounds libcurl, loaded when it is needed. */
#ifndef TN_PLUGINS_LIMITS_H
#define TN_PLUGINS_LIMITS_H

#include "base/size.h"

#define TN_HTTP_IDLE_CONNECTIONS_MAX 64 /* kept for the next request */
/* What libcurl gets when there is no memory. Until it has opened its socket a request takes less
 * than 32 KiB; so many begin at a time, and past the mark none goes on. */
#define TN_HTTP_RESERVE_BYTES TN_MIB
#define TN_HTTP_RESERVE_MARK (TN_HTTP_RESERVE_BYTES / 4)
#define TN_HTTP_BEGIN_MAX 16
#define TN_HTTP_BEGIN_BYTES (64 * TN_KIB) /* must be there before one begins */

#endif
