/* registry.h - what the server offers, in the order it was added, found by name, and kept as the
 * bytes that list results are made of.
 *
 * Threads: loop. An item is counted: a running call keeps it although it was removed. */
#ifndef TN_MCP_REGISTRY_H
#define TN_MCP_REGISTRY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"
#include "jsonrpc/json.h"
#include "jsonrpc/uri_template.h"
#include "mcp/fit.h"
#include "mcp/revision.h"
#include "tenon/app.h"
#include "tenon/tool.h"

enum tn_item_kind { TN_ITEM_TOOL, TN_ITEM_RESOURCE, TN_ITEM_TEMPLATE, TN_ITEM_PROMPT };
#define TN_ITEM_KINDS 4

/* `x-mcp-header`: an argument that HTTP clients repeat in Mcp-Param-<name> (MCP-123). */
struct tn_header_param {
	char *header; /* "Mcp-Param-Region" */
	char *path;   /* the keys that lead to the argument, each behind a separator */
	struct tn_header_param *next;
};

/* finder.h */
enum tn_finder { TN_NO_FINDER, TN_FINDS, TN_CALLS_READERS, TN_CALLS_ALL };

struct tn_item {
	enum tn_item_kind kind;
	unsigned references;
	char *texts[32]; /* every string below, to free */
	unsigned text_count;
	union {
		struct tenon_tool tool;
		struct tenon_resource resource;
		struct tenon_resource_template resource_template;
		struct tenon_prompt prompt;
	};
	struct tenon_prompt_argument *arguments; /* of a prompt */
	struct tn_str key;                       /* name, URI or URI template */
	struct tn_schema *input, *output;        /* of a tool; output may be NULL */
	bool output_is_object;                   /* the output schema's root says "type":"object" */
	struct tn_uri_template *pattern;         /* of a template */
	struct tn_header_param *header_params;
	enum tenon_argument_faults faults;
	const char *const *nul_arguments; /* of the app */
	void (*refuse)(struct tenon_call *call, void *state,
		       const struct tenon_argument_fault *faults, size_t count, size_t more);
	void *app_state; /* handed to handlers whose own data is NULL */
	uint32_t app;    /* bit of its app's slot (server.h); 0: of none */
	enum tn_finder finder;
};

struct tn_page;
struct tn_schema;
struct tn_sight;

struct tn_list {
	struct tn_item **items;
	size_t count, capacity;
	struct tn_map by_key;
	struct tn_page *pages[TN_REVISION_COUNT]; /* built when first asked for */
};

#define TN_APPS_MAX 30 /* each is a bit; beside those bits: */
#define TN_APPS_BITS ((1u << TN_APPS_MAX) - 1)
#define TN_APPS_EVERY (1u << 30) /* every tool is listed */
#define TN_APPS_CORE (1u << 31)  /* of each the core tools are */

/* Which tools are in a list; all can be called. */
enum tn_listing {
	TN_LISTS_ALL,     /* but the finders */
	TN_LISTS_CORE,    /* of each app */
	TN_LISTS_EVERYDAY /* and the finders (finder.h) */
};

struct tn_registry {
	struct tn_list lists[TN_ITEM_KINDS];
	/* How many items of a kind, and tools with task support, an app has: 0 is for those of no
	 * app, the bit's number and one for the others. */
	unsigned counts[TN_ITEM_KINDS][TN_APPS_MAX + 1], task_tools[TN_APPS_MAX + 1];
	unsigned person_tools;    /* tools for persons only */
	unsigned owned_resources; /* that only one principal sees */
	uint32_t apps_off;        /* bits of apps that nobody sees */
	enum tn_listing listing;  /* for who asks for none, and comes to no app in particular */
};

void tn_registry_finish(struct tn_registry *registry);

/* Which apps nobody sees from now on. */
void tn_registry_switch_off(struct tn_registry *registry, uint32_t apps);

/* Whether something of the kind is left when the items of these apps are hidden. */
bool tn_registry_offers(const struct tn_registry *registry, enum tn_item_kind kind,
			uint32_t hidden);
bool tn_registry_app_has(const struct tn_registry *registry, enum tn_item_kind kind,
			 uint32_t app); /* something of the kind is this app's */
bool tn_registry_offers_tasks(const struct tn_registry *registry, uint32_t hidden);

/* Takes the item over on success. Fails: INVALID (the key exists), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_registry_add(struct tn_registry *registry, struct tn_item *item,
					    struct tenon_error *err);
bool tn_registry_remove(struct tn_registry *registry, enum tn_item_kind kind, struct tn_str key);
struct tn_item *tn_registry_find(const struct tn_registry *registry, enum tn_item_kind kind,
				 struct tn_str key);

/* Writes `"tools":[...]` and perhaps `,"nextCursor":"..."`. `cursor` absent: from the start. What
 * most callers see is kept as bytes; for a caller who sees something else (scope.h) pages are made
 * anew each time. `sight` NULL: as most.
 * Fails: INVALID (no cursor of ours), NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_registry_write_page(struct tn_registry *registry, enum tn_item_kind kind,
		       enum tn_revision revision, const struct tn_sight *sight,
		       struct tn_str cursor, struct tn_buf *out, struct tenon_error *err);

/* ---- items (item.c) ---- */

/* Copies and checks a description. Fails: INVALID with what clients would refuse. */
TN_MUST_USE enum tenon_code tn_item_from_tool(const struct tenon_tool *tool, struct tn_item **ret,
					      struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_item_from_resource(const struct tenon_resource *resource,
						  struct tn_item **ret, struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_item_from_template(const struct tenon_resource_template *description,
						  struct tn_item **ret, struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_item_from_prompt(const struct tenon_prompt *prompt,
						struct tn_item **ret, struct tenon_error *err);
void tn_item_unref(struct tn_item *item); /* accepts NULL */

/* It is a tool with task support. */
static inline bool tn_item_makes_tasks(const struct tn_item *item)
{
	return item->kind == TN_ITEM_TOOL && item->tool.task_support != TENON_TASK_FORBIDDEN;
}

/* The definition as a revision knows it (mcp.md section 2.5); `output`: with the output schema of a
 * tool. */
void tn_item_write(const struct tn_item *item, enum tn_revision revision, bool output,
		   struct tn_buf *out);

#endif
