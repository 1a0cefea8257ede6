/* tool_digest.h - a hash of what a model is told about a tool, so that anybody can see when it has
 * changed: descriptions are instructions to a model, and a changed one is another instruction.
 *
 * Of a tool: SHA-256 of the compact JSON object of its members name, title, description,
 * inputSchema, outputSchema and annotations, in this order, those that it has, as tools/list gives
 * them in the newest revision. Of all: SHA-256 of the lines "HASH  APP.TOOL\n", sorted by APP.TOOL;
 * these lines are what `tenon tools --hash` prints and docs/tools.sha256 holds. Threads: any. */
#ifndef TN_MCP_TOOL_DIGEST_H
#define TN_MCP_TOOL_DIGEST_H

#include "base/buf.h"
#include "base/digest.h"
#include "jsonrpc/json.h"

enum { TN_TOOL_DIGEST_NAME_MAX = 200 };

struct tn_tool_digest {
	char hash[TN_DIGEST_HEX_SIZE];
	char name[TN_TOOL_DIGEST_NAME_MAX]; /* APP.TOOL; cut */
};

struct tn_tool_digests {
	struct tn_tool_digest *items;
	size_t count, capacity;
};

void tn_tool_digests_finish(struct tn_tool_digests *digests);

/* `tool` as tools/list has it. Fails: INVALID (it has no name, or nests too deep), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_tool_digests_add(struct tn_tool_digests *digests, const char *app,
						const struct tn_json *tool,
						struct tenon_error *err);

/* Sorts, and appends the lines to `lines` (may be NULL). */
void tn_tool_digests_sum(struct tn_tool_digests *digests, struct tn_buf *lines,
			 char hash[TN_DIGEST_HEX_SIZE]);

#endif
