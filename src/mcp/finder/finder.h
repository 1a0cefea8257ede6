/* finder.h - a connection to several apps begins with the few everyday tools; the rest is found by
 * words and called through two more (hosts.md HO-010):
 *
 *     find_tools          names, descriptions and schemas of those that fit some words
 *     call_tool           calls one that only reads
 *     call_writing_tool   calls any
 *
 * A call through one of the last two is a call of the tool that it names, from the first check to
 * the audit: nothing, and no approval, is ever bound to the finder's name. Ownership: the server's.
 * Threads: loop. */
#ifndef TN_MCP_FINDER_H
#define TN_MCP_FINDER_H

#include "mcp/call.h"

struct tenon_server;

/* Adds the three, after all apps: from now on a connection to several apps lists everyday tools
 * alone. Fails: as tenon_server_add_tool. */
TN_MUST_USE enum tenon_code tn_finders_add(struct tenon_server *server, struct tenon_error *err);

/* Where `call` is one of call_tool or call_writing_tool with good arguments, makes it one of the
 * tool that is named: `item` and `arguments` are that tool's, not counted yet. False: it stays what
 * it is, and its handler says why. */
bool tn_finder_redirect(struct tenon_call *call);

/* The three, in the order of lists; NULL behind them. */
const struct tenon_tool *tn_finder_at(size_t index);
/* NULL: it is none of them. */
const struct tenon_tool *tn_finder_by_name(struct tn_str name);

/* What a model is told of it, a sentence. */
#define TN_FINDER_INSTRUCTIONS                                                                     \
	"More tools than are listed: find_tools finds them; call_tool and call_writing_tool call " \
	"them."

#endif
