/* extension.h - extensions of the protocol: what the server declares, the methods they add, and
 * what the client has declared (mcp.md MCP-042, section 20).
 *
 * Ownership: the server owns its extensions. Threads: loop. */
#ifndef TN_MCP_EXTENSION_H
#define TN_MCP_EXTENSION_H

#include "mcp/method.h"

#define TN_UI_EXTENSION "io.modelcontextprotocol/ui"
#define TN_UI_MIME_TYPE "text/html;profile=mcp-app" /* MCP-259: exactly this */

struct tn_extension;

/* A method of an extension that serves this call's revision. NULL: none. */
const struct tn_method *tn_extension_find_method(const struct tenon_call *call, struct tn_str name);
/* Writes `"id":{settings}` of each extension that this revision is told of. */
void tn_extension_put_all(const struct tenon_server *server, enum tn_revision revision,
			  struct tn_buf *out);
void tn_extension_free_all(struct tenon_server *server);

/* MCP-043: a name as `_meta` has them. `with_prefix`: the part before the slash must be there. */
bool tn_meta_name_valid(struct tn_str name, bool with_prefix);

/* What the client declared for an extension: in its `initialize` or, modern, in this request.
 * NULL: nothing. */
const struct tn_json *tn_extension_of_client(struct tenon_call *call, const char *id);
/* Legacy: keeps `capabilities.extensions` for the session, in the peer's own memory. Objects of
 * more than TN_EXTENSIONS_BYTES_MAX are not kept: nothing is declared then. */
void tn_extension_remember(struct tn_peer *peer, const struct tn_json *capabilities);
/* TENON_CAN_SHOW_UI, when the client says so. */
unsigned tn_extension_abilities(const struct tn_json *capabilities);

/* Error -32021 that names the extension (modern), or -32601 (legacy, which has no such code). */
void tn_extension_refuse_missing(struct tenon_call *call, const char *id);

#endif
