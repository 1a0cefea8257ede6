/* reading.h - the diagram as get_diagram tells it, entry by entry, with a hash of each facet: for
 * who reads it, and to be noted for those who ask later what has changed (follow.h).
 *
 * begin (loop), make (any thread, on a project that stays as it is), put; then follow.h's note
 * (loop). Everything lies in the arena of the act that made it. */
#ifndef TN_STUDIO_READING_H
#define TN_STUDIO_READING_H

#include "apps/studio/edit/action.h"
#include "apps/studio/mcp/view.h"
#include "base/digest.h"

enum tn_studio_followed { /* parts that are told of as a whole */
			  TN_STUDIO_FOLLOW_MODULES,
			  TN_STUDIO_FOLLOW_INSTANCES,
			  TN_STUDIO_FOLLOW_CONFIG,
			  TN_STUDIO_FOLLOW_PROJECT,  /* name, path, whether it is saved */
			  TN_STUDIO_FOLLOW_GHOSTS,   /* with ghosts */
			  TN_STUDIO_FOLLOW_PROBLEMS, /* those of no node; with diagnostics */
			  TN_STUDIO_FOLLOW_COSTS,    /* the total; with costs */
			  TN_STUDIO_FOLLOW_PARTS
};

struct tn_studio_news { /* what of an entry its reader has not seen; set by noting */
	bool any;       /* the entry is to be told */
	bool is_new;    /* the reader has never had it, or it was gone in between */
	bool status, diagnostics, cost, route;
};

struct tn_studio_read_node {
	const struct tn_studio_node *node;
	struct tn_str text;
	uint64_t hashes[TN_STUDIO_FACETS];
	struct tn_studio_news news;
};

struct tn_studio_read_edge {
	struct tn_str id, text, route; /* route: absent without routes */
	uint64_t hash, route_hash;
	bool derived;
	struct tn_studio_news news;
};

struct tn_studio_read_part {
	struct tn_str text; /* absent: not asked for */
	uint64_t hash;
	bool news;
};

struct tn_studio_reading {
	/* Of begin. */
	bool noted; /* otherwise nothing below is used */
	unsigned char key[TN_SHORT_KEY_SIZE];
	uint64_t generation, outside;
	/* Of make. */
	char project_id[TN_STUDIO_ID_SIZE];
	uint64_t revision;
	bool lean;
	struct tn_studio_view view;
	struct tn_studio_read_node *nodes; /* by order */
	struct tn_studio_read_edge *edges; /* all, as in the view */
	struct tn_studio_read_part parts[TN_STUDIO_FOLLOW_PARTS];
	size_t node_count, edge_count;
	const struct tn_studio_status *status;
};
/* Loop; follow.c. False: no memory. */
bool tn_studio_reading_begin(struct tn_studio_reading *reading, struct tn_studio_follow **list,
			     const struct tn_studio_project *project);
/* Not begun: it will not be noted, and has no hashes. False: the fault says why. */
bool tn_studio_reading_make(struct tn_studio_reading *reading, struct tn_studio_act *act,
			    unsigned with);
/* The members `nodes`, `edges`, `routes` of everything. */
void tn_studio_reading_put(const struct tn_studio_reading *reading, struct tn_buf *out);

#endif
