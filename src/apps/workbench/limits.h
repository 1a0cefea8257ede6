/* limits.h - what bounds the workbench app (workbench.md section 21). */
#ifndef TN_WORKBENCH_LIMITS_H
#define TN_WORKBENCH_LIMITS_H

#include "base/size.h"

#define TN_WB_DIAGNOSTICS_MAX 1000 /* of one list; those beyond are counted */
#define TN_WB_TEXT_BYTES_MAX 4096  /* of one message */
#define TN_WB_ID_BYTES_MAX 200     /* type ids, instance ids */
#define TN_WB_WORKSPACES_MAX 8

#endif
