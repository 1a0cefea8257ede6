/* method.h - the methods a client may call, as one table (mcp.md section 2.1).
 *
 * Threads: loop. */
#ifndef TN_MCP_METHOD_H
#define TN_MCP_METHOD_H

#include "mcp/call.h"

enum { TN_METHOD_LEGACY = 1, TN_METHOD_MODERN = 2, TN_METHOD_BOTH = 3 };

enum tn_feature {
	TN_FEATURE_NONE,
	TN_FEATURE_TOOLS,
	TN_FEATURE_RESOURCES,
	TN_FEATURE_PROMPTS,
	TN_FEATURE_COMPLETIONS,
	TN_FEATURE_TASKS
};

/* For this peer, which may see some of the apps only (sight.c). */
bool tn_peer_has_feature(const struct tn_peer *peer, enum tn_feature feature);

struct tn_method {
	const char *name;
	unsigned eras;
	enum tn_feature feature; /* -32601 unless the server has it */
	const char *name_member; /* modern HTTP: params member that Mcp-Name repeats, or NULL */
	void (*call)(struct tenon_call *call); /* answers, or runs a handler */
};

/* NULL: unknown, or not of this era, or of a feature the server does not have. */
const struct tn_method *tn_method_find(const struct tenon_call *call, struct tn_str name);
bool tn_method_is_known(struct tn_str name); /* one of the protocol's own, of whichever era */

/* ---- the methods, one file a subject ---- */

void tn_method_initialize(struct tenon_call *call); /* method_lifecycle.c */
void tn_method_ping(struct tenon_call *call);
void tn_method_discover(struct tenon_call *call);
void tn_method_set_level(struct tenon_call *call);
int tn_mcp_log_level_find(struct tn_str name); /* enum tenon_log_level, or -1 */

void tn_method_tools_list(struct tenon_call *call); /* method_lists.c */
void tn_method_resources_list(struct tenon_call *call);
void tn_method_templates_list(struct tenon_call *call);
void tn_method_prompts_list(struct tenon_call *call);

void tn_method_tools_call(struct tenon_call *call);     /* method_tools.c */
void tn_method_resources_read(struct tenon_call *call); /* method_resources.c */
void tn_method_subscribe(struct tenon_call *call);
void tn_method_unsubscribe(struct tenon_call *call);
void tn_method_prompts_get(struct tenon_call *call); /* method_prompts.c */
void tn_method_complete(struct tenon_call *call);    /* method_complete.c */

void tn_method_tasks_get(struct tenon_call *call); /* method_tasks.c */
void tn_method_tasks_result(struct tenon_call *call);
void tn_method_tasks_list(struct tenon_call *call);
void tn_method_tasks_cancel(struct tenon_call *call);
void tn_method_tasks_update(struct tenon_call *call);

/* What this caller may use (scope.h, sight.c). NULL: it does not exist, or not for this caller. */
struct tn_item *tn_call_find_item(const struct tenon_call *call, enum tn_item_kind kind,
				  struct tn_str key);

/* ---- before anything is done (method_check.c) ---- */

#define TN_DISABLED_WORDS "MCP is switched off here; a person can switch it on (mcp.enabled)"
/* Where the server has been switched off for all but persons (studio.md ST-008), ends a call that
 * would run a handler. False: it has ended. */
bool tn_method_admit(struct tenon_call *call);
/* Invalid params: error -32602 (HTTP 200). */
void tn_method_invalid(struct tenon_call *call, const char *format, ...) TN_PRINTF(2, 3);
/* A required string of the params, at most `max` bytes. False: answered with -32602. */
bool tn_method_string(struct tenon_call *call, const char *name, size_t max, struct tn_str *ret);

/* JSON-RPC and MCP error codes (mcp.md section 3). */
enum {
	TN_PARSE_ERROR = -32700,
	TN_INVALID_REQUEST = -32600,
	TN_METHOD_NOT_FOUND = -32601,
	TN_INVALID_PARAMS = -32602,
	TN_INTERNAL_ERROR = -32603,
	TN_RESOURCE_NOT_FOUND = -32002,       /* legacy only */
	TN_URL_ELICITATION_REQUIRED = -32042, /* 2025-11-25 only */
	TN_HEADER_MISMATCH = -32020,
	TN_MISSING_CAPABILITY = -32021,
	TN_UNSUPPORTED_VERSION = -32022
};

#endif
