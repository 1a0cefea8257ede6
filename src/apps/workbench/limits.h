/* limits.h - what bounds the workbench app (workbench.md section 21). */
#ifndef TN_WORKBENCH_LIMITS_H
#define TN_WORKBENCH_LIMITS_H

#include "base/size.h"

#define TN_WB_DIAGNOSTICS_MAX 1000 /* of one list; those beyond are counted */
#define TN_WB_TEXT_BYTES_MAX 4096  /* of one message */
#define TN_WB_ID_BYTES_MAX 200     /* type ids, instance ids */
#define TN_WB_ROUTE_BYTES_MAX 1024
#define TN_WB_WORKSPACES_MAX 8

/* Configuration, manifests, overrides. */
#define TN_WB_FILE_BYTES_MAX (16 * TN_MIB)
#define TN_WB_CONFIG_ARENA_MAX (256 * TN_MIB)

/* The graph. */
#define TN_WB_CLAIMS_MAX 200000               /* nodes and edges, of all producers */
#define TN_WB_UPDATE_ARENA_MAX (256 * TN_MIB) /* an update of so many, while it is read */
#define TN_WB_PATCH_BYTES_MAX (64 * TN_MIB)
#define TN_WB_PATCHES_KEPT 256 /* or so many bytes, whichever is reached first (N7) */
#define TN_WB_PATCH_BYTES_KEPT TN_MIB

#endif
