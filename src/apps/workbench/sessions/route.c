/* Where a page is: what its router says, or its address; and which route of the graph that is. */
#include "apps/workbench/sessions/parts.h"
#include "base/mem.h"
#include "base/url.h"
#include "jsonrpc/json_write.h"

void tn_wb_route_finish(struct tn_wb_route *route)
{
	tn_mem_free(route->pathname);
	tn_mem_free(route->matched);
	tn_mem_free(route->params);
	*route = (struct tn_wb_route){0};
}

void tn_wb_session_locate(struct tn_wb_session *session, struct tn_str text)
{
	struct tn_url url;
	struct tn_str path;
	size_t query;

	tn_wb_route_finish(&session->route);
	if (!tn_url_parse(text, &url))
		return;
	query = tn_str_find_byte(url.target, '?');
	path = query == TN_STR_NONE ? url.target : tn_str(url.target.data, query);
	if (path.size > TN_WB_ADDRESS_BYTES_MAX)
		return;
	(void)tn_wb_set_text(&session->route.pathname, path.size ? path : TN_STR("/"));
}

static bool are_matches(const struct tn_json *matched)
{
	struct tn_str id;

	if (!tn_json_is(matched, TN_JSON_ARRAY) || matched->count > TN_WB_MATCHES_MAX)
		return false;
	for (const struct tn_json *at = matched->first; at; at = at->next)
		if (!tn_json_to_str(at, &id) || id.size > TN_WB_ROUTE_BYTES_MAX)
			return false;
	return true;
}

static bool are_params(const struct tn_json *params)
{
	struct tn_str value;

	if (!tn_json_is(params, TN_JSON_OBJECT) || params->count > TN_WB_MATCHES_MAX)
		return false;
	for (const struct tn_json *at = params->first; at; at = at->next)
		if (!tn_json_to_str(at, &value))
			return false;
	return true;
}

static bool set_json(char **text, const struct tn_json *json)
{
	struct tn_buf out;
	bool done;

	tn_buf_init(&out, TN_WB_ROUTE_STATE_MAX);
	tn_json_put_value(&out, json);
	done = !out.failed && tn_wb_set_text(text, tn_buf_str(&out));
	tn_buf_finish(&out);
	return done;
}

const char *tn_wb_session_routed(struct tn_wb_session *session, const struct tn_json *message)
{
	const struct tn_json *matched = tn_json_get(message, "matchedRouteIds");
	const struct tn_json *params = tn_json_get(message, "params");
	struct tn_str pathname;

	if (!tn_json_to_str(tn_json_get(message, "pathname"), &pathname) ||
	    pathname.size > TN_WB_ADDRESS_BYTES_MAX)
		return "pathname is a text of at most 2,048 bytes";
	if ((matched && !are_matches(matched)) || (params && !are_params(params)))
		return "matchedRouteIds are texts, params an object of texts";
	tn_wb_route_finish(&session->route);
	session->route.from_adapter = true;
	if (!tn_wb_set_text(&session->route.pathname, pathname) ||
	    (matched && !set_json(&session->route.matched, matched)) ||
	    (params && !set_json(&session->route.params, params)))
		tn_wb_session_warn(session, "route_incomplete",
				   "The page's router says more than is kept.");
	tn_wb_session_tell(session, TN_WB_CHANGED_SESSION | TN_WB_CHANGED_SELECTION);
	return NULL;
}

/* ---- the route of the graph (E5) ---- */

static const struct tn_wb_node *find_matched(const struct tn_wb_session *session,
					     struct tn_arena *arena)
{
	const struct tn_wb_graph *graph = session->set->site.graph;
	const struct tn_wb_node *found = NULL;
	struct tn_json *matched = NULL;
	struct tenon_error err;

	if (!session->route.matched ||
	    tn_json_parse_copy(arena, tn_str_from(session->route.matched), &matched, &err) !=
		    TENON_OK)
		return NULL;
	for (const struct tn_json *at = matched->first; at; at = at->next) {
		const char *id = tn_arena_format(arena, "routeId:%s", at->text.data);
		const struct tn_wb_node *node =
			id ? tn_wb_graph_find(graph, "route", tn_str_from(id)) : NULL;

		if (node) /* the innermost comes last */
			found = node;
	}
	return found;
}

enum { PARTS_MAX = 64, STEPS_MAX = 4096, NO_MATCH = -1 };

struct matching {
	struct tn_str pattern[PARTS_MAX], path[PARTS_MAX];
	size_t pattern_count, path_count;
	unsigned steps;
};

static size_t split(struct tn_str text, struct tn_str parts[PARTS_MAX])
{
	size_t count = 0, start = 0;

	for (size_t i = 0; i <= text.size && count < PARTS_MAX; i++) {
		if (i < text.size && text.data[i] != '/')
			continue;
		if (i > start)
			parts[count++] = tn_str(text.data + start, i - start);
		start = i + 1;
	}
	return count;
}

/* How well the rest fits, as React Router counts: 10 for a literal, 3 for a parameter. */
static int score(struct matching *m, size_t pattern_at, size_t path_at)
{
	struct tn_str part, given;
	int rest, without = NO_MATCH;
	bool optional;

	if (pattern_at == m->pattern_count || ++m->steps > STEPS_MAX)
		return path_at == m->path_count ? 0 : NO_MATCH;
	part = m->pattern[pattern_at];
	if (tn_str_is(part, "*"))
		return 0;
	optional = part.data[part.size - 1] == '?';
	if (optional) {
		without = score(m, pattern_at + 1, path_at);
		part.size--;
	}
	if (path_at == m->path_count)
		return without;
	given = m->path[path_at];
	if (!(part.size && part.data[0] == ':') && !tn_str_equal_nocase(part, given))
		return without;
	rest = score(m, pattern_at + 1, path_at + 1);
	if (rest != NO_MATCH)
		rest += part.data[0] == ':' ? 3 : 10;
	return rest > without ? rest : without;
}

struct search {
	struct matching matching;
	const struct tn_wb_node *best;
	int best_score;
	bool best_is_open; /* ends in "*": any other that fits is better */
};

static bool consider(const struct tn_wb_node *node, void *data)
{
	struct search *search = data;
	struct tn_json *tree = NULL;
	struct tn_str path = {0};
	struct tenon_error err;
	struct tn_arena arena;
	bool is_open;
	int found;

	tn_arena_init(&arena, TN_MIB);
	if (tn_json_parse_copy(&arena, tn_wb_node_json(node), &tree, &err) == TENON_OK)
		(void)tn_json_to_str(tn_json_get(tree, "path"), &path);
	search->matching.steps = 0;
	search->matching.pattern_count = split(path, search->matching.pattern);
	found = score(&search->matching, 0, 0);
	is_open = tn_str_ends(path, TN_STR("*"));
	tn_arena_finish(&arena);
	if (found == NO_MATCH)
		return true;
	if (!search->best || (search->best_is_open && !is_open) ||
	    (search->best_is_open == is_open &&
	     (found > search->best_score ||
	      (found == search->best_score &&
	       tn_str_compare(tn_wb_node_id(node), tn_wb_node_id(search->best)) < 0)))) {
		search->best = node;
		search->best_score = found;
		search->best_is_open = is_open;
	}
	return true;
}

const struct tn_wb_node *tn_wb_session_active_route(const struct tn_wb_session *session,
						    struct tn_arena *arena)
{
	const struct tn_wb_graph *graph = session->set->site.graph;
	const struct tn_wb_node *found;
	struct search *search;

	if (!graph || !session->route.pathname)
		return NULL;
	found = find_matched(session, arena);
	if (found)
		return found;
	search = tn_arena_alloc(arena, sizeof(*search));
	if (!search)
		return NULL;
	search->matching.path_count =
		split(tn_str_from(session->route.pathname), search->matching.path);
	if (search->matching.path_count < PARTS_MAX)
		tn_wb_graph_each(graph, "route", consider, search);
	return search->best;
}
