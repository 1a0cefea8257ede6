#include "apps/studio/mcp/plan_cost.h"

#include <inttypes.h>

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

struct finding {
	struct tn_studio_plan_costs *costs;
	const struct tn_studio_project *project;
	const struct tn_studio_prices *prices;
	bool destroys, failed;
};

/* ---- one node ---- */

static bool estimate(const struct finding *f, struct tn_str node_id, int64_t *ret_cents)
{
	const struct tn_studio_node *node = tn_studio_node_find(&f->project->document, node_id);

	*ret_cents = 0;
	return node && tn_studio_cost_of(&f->project->document, f->prices, node, &f->costs->arena,
					 ret_cents);
}

static bool is_drawn(const struct finding *f, struct tn_str node_id)
{
	return tn_studio_node_find(&f->project->document, node_id) != NULL;
}

/* What nobody noted when it was applied is taken to cost what it will: no difference is made up. */
static struct tn_studio_plan_cost change_of(const struct finding *f, struct tn_str node_id,
					    bool is_import)
{
	bool deployed = tn_studio_status_deployed(f->project->status, node_id, NULL);
	struct tn_studio_plan_cost cost = {0};

	if (f->destroys || !is_drawn(f, node_id))
		cost.is_after_known = true; /* nothing */
	else
		cost.is_after_known = estimate(f, node_id, &cost.after);
	if (!deployed && !is_import) {
		cost.is_before_known = true; /* nothing */
		return cost;
	}
	cost.is_before_known =
		deployed && tn_studio_status_cost(f->project->status, node_id, &cost.before);
	if (!cost.is_before_known && is_import && cost.is_after_known)
		cost.is_before_known = true; /* it is there, and only becomes known */
	else if (cost.is_before_known)
		return cost;
	(void)estimate(f, node_id, &cost.before);
	return cost;
}

/* ---- all of them ---- */

static void add(struct tn_studio_plan_cost *sum, const struct tn_studio_plan_cost *cost)
{
	sum->before += cost->before;
	sum->after += cost->after;
	sum->is_before_known = sum->is_before_known && cost->is_before_known;
	sum->is_after_known = sum->is_after_known && cost->is_after_known;
}

static void take_change(struct tn_str address, struct tn_str action, struct tn_str node_id,
			void *data)
{
	struct finding *f = data;
	struct tn_studio_plan_cost *cost;
	const char *key;

	(void)address;
	if (node_id.size == 0 || tn_str_is(action, "no-op") || tn_str_is(action, "read") ||
	    tn_map_get(&f->costs->nodes, node_id))
		return;
	cost = tn_arena_alloc(&f->costs->arena, sizeof(*cost));
	key = tn_arena_copy(&f->costs->arena, node_id);
	if (!cost || !key ||
	    tn_map_put(&f->costs->nodes, tn_str(key, node_id.size), cost, NULL) != TENON_OK) {
		f->failed = true;
		return;
	}
	*cost = change_of(f, node_id, tn_str_is(action, "import"));
	add(&f->costs->all, cost);
}

/* What exists and stays as it is. */
static void take_rest(struct tn_str node_id, void *data)
{
	struct finding *f = data;
	struct tn_studio_plan_cost cost = {0};
	bool known;

	if (tn_map_get(&f->costs->nodes, node_id))
		return;
	known = is_drawn(f, node_id)
			? estimate(f, node_id, &cost.after)
			: tn_studio_status_cost(f->project->status, node_id, &cost.after);
	cost.before = cost.after;
	cost.is_before_known = cost.is_after_known = known;
	add(&f->costs->all, &cost);
}

bool tn_studio_plan_costs_find(struct tn_studio_plan_costs *costs, struct tn_studio_door *door,
			       const struct tn_studio_project *project,
			       const struct tn_studio_run *plan)
{
	struct finding f = {.costs = costs,
			    .project = project,
			    .prices = tn_studio_door_prices(door, NULL),
			    .destroys = tn_studio_run_destroys(plan)};

	*costs = (struct tn_studio_plan_costs){
		.all = {.is_before_known = true, .is_after_known = true}};
	tn_map_init(&costs->nodes);
	tn_arena_init(&costs->arena, TN_STUDIO_ARENA_MAX);
	if (!f.prices)
		return false;
	tn_studio_run_each_change(plan, take_change, &f);
	tn_studio_status_each(project->status, take_rest, &f);
	return !f.failed;
}

void tn_studio_plan_costs_finish(struct tn_studio_plan_costs *costs)
{
	tn_map_finish(&costs->nodes);
	tn_arena_finish(&costs->arena);
}

const struct tn_studio_plan_cost *tn_studio_plan_cost_of(const struct tn_studio_plan_costs *costs,
							 struct tn_str node_id)
{
	return tn_map_get(&costs->nodes, node_id);
}

/* ---- telling ---- */

void tn_studio_plan_costs_put(struct tn_buf *out, const struct tn_studio_plan_costs *costs)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "before");
	tn_studio_put_cents(out, costs->all.before);
	tn_json_put_key(out, "after");
	tn_studio_put_cents(out, costs->all.after);
	tn_json_put_member_text(out, "currency", "USD");
	tn_json_put_member_bool(out, "complete",
				costs->all.is_before_known && costs->all.is_after_known);
	tn_json_end_object(out);
}

static void put_known(struct tn_buf *out, const char *key, bool known, int64_t cents)
{
	tn_json_put_key(out, key);
	if (known)
		tn_studio_put_cents(out, cents);
	else
		tn_json_put_null(out); /* ST-112: never zero */
}

void tn_studio_plan_cost_put(struct tn_buf *out, const struct tn_studio_plan_cost *cost)
{
	tn_json_begin_object(out);
	put_known(out, "before", cost->is_before_known, cost->before);
	put_known(out, "after", cost->is_after_known, cost->after);
	tn_json_put_member_text(out, "currency", "USD");
	tn_json_end_object(out);
}

static void say_cents(struct tn_buf *out, int64_t cents, bool with_sign)
{
	uint64_t size = cents < 0 ? 0 - (uint64_t)cents : (uint64_t)cents;

	tn_buf_format(out, "%s%" PRIu64 ".%02" PRIu64,
		      cents < 0   ? "-"
		      : with_sign ? "+"
				  : "",
		      size / 100, size % 100);
}

void tn_studio_plan_costs_say(struct tn_buf *out, const struct tn_studio_plan_costs *costs)
{
	const struct tn_studio_plan_cost *all = &costs->all;

	say_cents(out, all->before, false);
	tn_buf_append_text(out, " USD before, ");
	say_cents(out, all->after, false);
	tn_buf_append_text(out, " USD after (");
	say_cents(out, all->after - all->before, true);
	tn_buf_append_text(out, ")");
	if (!all->is_before_known || !all->is_after_known)
		tn_buf_append_text(out, ", and what has no price, or none that is known");
}
