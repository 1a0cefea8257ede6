/* limits.h - what bounds JSON, schemas and patterns. */
#ifndef TN_JSONRPC_LIMITS_H
#define TN_JSONRPC_LIMITS_H

#include "base/size.h"

/* Messages. */
#define TN_JSON_DEPTH_MAX 128      /* MCP-013 */
#define TN_JSON_MEMBERS_MAX 100000 /* per object; dense arrays fall to the arena's cap */
#define TN_SCHEMA_FAULTS_MAX 20    /* faults told per call; a model needs no more to mend it */
#define TN_JSONC_ARENA_MAX (256 * TN_MIB) /* a file that is edited, parsed */

/* Schemas (MCP-282). */
#define TN_SCHEMA_DEPTH_MAX 64
#define TN_SCHEMA_NODES_MAX 10000
#define TN_SCHEMA_STEPS_MAX 16000000      /* one validation: every value of a full message, twice */
#define TN_SCHEMA_FRAMES_MAX 1024         /* schemas inside schemas while validating: C stack */
#define TN_SCHEMA_BYTES_MAX (16 * TN_MIB) /* one compiled schema */
#define TN_PATTERN_STEPS_MAX 16000000     /* all regular-expression matches of one validation */
#define TN_PATTERN_STATES_MAX 4096        /* of one regular expression; 30 KiB of stack to match */

#endif
