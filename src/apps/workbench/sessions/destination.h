/* destination.h - where a page is to go: a path of the app, or a route of the graph with its
 * parameters (workbench.md 17.4).
 *
 * Threads: any. */
#ifndef TN_WB_SESSIONS_DESTINATION_H
#define TN_WB_SESSIONS_DESTINATION_H

#include "apps/workbench/graph/graph.h"

/* `to` is {path} or {routeId, params?}. NULL: the path is appended; it begins with one slash and
 * leads to no other host. Otherwise the code ("invalid_path", "route_unknown", "missing_param"),
 * and a sentence in `err`. */
const char *tn_wb_destination_read(const struct tn_wb_graph *graph, const struct tn_json *to,
				   struct tn_buf *path, struct tenon_error *err);

#endif
