/* scope.h - what a caller sees: what the holder of its token may use (MCP-266), given as patterns
 * of tool names, resource URIs and prompt names, in which `*` stands for any characters; the apps
 * of the path it came by, as far as they are on; and tools for persons if it is one.
 *
 * What may not be used is not seen: it is in no list, and a call of it is a call of something
 * unknown. Ownership: made and freed by the transport that knows the tokens; a peer points to it
 * (NULL: everything), so it outlives its peers. Threads: any after it is made. */
#ifndef TN_MCP_SCOPE_H
#define TN_MCP_SCOPE_H

#include <string.h>

#include "mcp/fit.h"
#include "mcp/registry.h"
#include "tenon/server.h"

struct tn_scope;

/* *ret is NULL when the token may use everything. Fails: LIMIT (TN_SCOPE_PATTERNS_MAX),
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_scope_create(struct tenon_server *server,
					    const struct tenon_token *token, struct tn_scope **ret,
					    struct tenon_error *err);
void tn_scope_free(struct tn_scope *scope); /* accepts NULL */

/* `key`: a name, a URI, or a URI template. `scope` may be NULL. */
bool tn_scope_allows(const struct tn_scope *scope, enum tn_item_kind kind, struct tn_str key);

/* How one peer sees the registry. All zero: everything but finders and what is for persons. */
struct tn_sight {
	const struct tn_scope *scope;
	uint32_t hidden; /* bits of apps (tn_item.app) */
	bool person;
	enum tn_listing listing; /* of tools */
	const char *principal;   /* NULL: nobody in particular */
	enum tn_fit fit;         /* which output schemas are shown */
};

/* The same without the scope, for what is known by another name than the item's. */
static inline bool tn_sees_app_of(const struct tn_sight *sight, const struct tn_item *item)
{
	if (item->kind == TN_ITEM_RESOURCE && item->resource.owner &&
	    (!sight->principal || strcmp(item->resource.owner, sight->principal) != 0))
		return false;
	if (item->kind == TN_ITEM_TOOL && !sight->person && item->tool.person_only)
		return false;
	return !(item->app & sight->hidden);
}

static inline bool tn_sees(const struct tn_sight *sight, const struct tn_item *item)
{
	return tn_sees_app_of(sight, item) &&
	       (!sight->scope || item->finder ||
		tn_scope_allows(sight->scope, item->kind, item->key));
}

/* What is in its lists. Every tool that is seen can be called, listed or not (HO-010). */
static inline bool tn_lists(const struct tn_sight *sight, const struct tn_item *item)
{
	if (!tn_sees(sight, item))
		return false;
	if (item->kind != TN_ITEM_TOOL)
		return true;
	if (sight->listing == TN_LISTS_EVERYDAY)
		return item->tool.everyday;
	return !item->finder && !(sight->listing == TN_LISTS_CORE && item->tool.beyond_core);
}

/* With the tool its output schema. A list of the everyday tools has none: no model is shown them,
 * and a host that hands the list on pays for them (HO-010, HO-011). */
static inline bool tn_lists_output(const struct tn_sight *sight, const struct tn_item *item)
{
	return sight->listing != TN_LISTS_EVERYDAY && item->kind == TN_ITEM_TOOL &&
	       tn_fit_shows(sight->fit, item);
}

bool tn_pattern_fits(struct tn_str pattern, struct tn_str text);

#endif
