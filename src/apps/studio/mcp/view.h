/* view.h - what readers of a diagram can ask for beside its records (`include` of get_diagram and
 * get_changes), worked out once for all nodes.
 *
 * Everything lies in the arena or is the document's, which is indexed. Threads: loop. */
#ifndef TN_STUDIO_VIEW_H
#define TN_STUDIO_VIEW_H

#include "apps/studio/cost/cost.h"
#include "apps/studio/document/geometry.h"
#include "apps/studio/picture/entry.h"
#include "apps/studio/project/project.h"

enum {
	TN_STUDIO_WITH_DEFAULTS = 1,
	TN_STUDIO_WITH_LAYOUT = 2,
	TN_STUDIO_WITH_DIAGNOSTICS = 4,
	TN_STUDIO_WITH_COSTS = 8,
	TN_STUDIO_WITH_ADDRESSES = 16,
	TN_STUDIO_WITH_ROUTES = 32,
	TN_STUDIO_WITH_GHOSTS = 64
};
/* Of an array of their names; NULL: none. */
unsigned tn_studio_with(const struct tn_json *include);

struct tn_studio_view {
	unsigned with;
	struct tn_studio_node_extras extras;
	const struct tn_studio_edge *edges; /* all of them */
	size_t edge_count;
	struct tn_studio_diagnostics problems; /* with diagnostics */
	struct tn_studio_generated generated;  /* with diagnostics or addresses */
	const struct tn_json *estimate;        /* what estimate_costs answers; with costs */
	const struct tn_studio_route *routes;  /* by the place of the edge; with routes */
};
/* `prices` may be NULL without costs. */
bool tn_studio_view_make(const struct tn_studio_project *project,
			 const struct tn_studio_prices *prices, unsigned with,
			 struct tn_arena *arena, struct tn_studio_fault *fault,
			 struct tn_studio_view *ret);

/* {"<edgeId>": [[x,y],...]} for the edges that `wanted` says (NULL: all); an open object. */
void tn_studio_put_route(struct tn_buf *out, const struct tn_studio_route *route);

#endif
