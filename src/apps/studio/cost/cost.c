#include <math.h>
#include <stdio.h>

#include "apps/studio/cost/internal.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static const char note[] = "Estimates from list prices; what is billed depends on use, contracts "
			   "and taxes.";

/* Sums of the nodes that share something: a group, a category, a module, a provider. */
struct sum {
	struct tn_str id, label;
	int64_t cents;
	bool complete;
	size_t count;
};

struct estimate {
	struct tn_studio_cost_scope scope;
	const struct tn_studio_cost_options *options;
	struct tn_map wanted; /* ids, when only some are */
	struct sum all, *groups;
	size_t group_count;
	const struct tn_studio_node **unpriced;
	size_t unpriced_count;
	struct tn_studio_cost cost; /* of the node at hand */
	struct tn_buf *result;
	struct tn_buf lines; /* of nodes, as text */
};

void tn_studio_put_cents(struct tn_buf *out, int64_t cents)
{
	tn_json_put_double(out, (double)cents / 100);
}

static void put_money(struct tn_buf *text, int64_t cents)
{
	tn_buf_format(text, "%lld.%02lld", (long long)(cents / 100), (long long)(cents % 100));
}

/* ---- one node ---- */

static void put_lines(struct tn_buf *out, const struct tn_studio_cost *cost)
{
	tn_json_put_key(out, "breakdown");
	tn_json_begin_object(out);
	for (size_t i = 0; i < cost->line_count; i++) {
		tn_json_put_key_str(out, cost->lines[i].label);
		tn_studio_put_cents(out, cost->lines[i].cents);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "lines");
	tn_json_begin_array(out);
	for (size_t i = 0; i < cost->line_count; i++) {
		const struct tn_studio_cost_line *line = &cost->lines[i];

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "label", line->label);
		tn_json_put_key(out, "quantity");
		tn_json_put_double(out, line->quantity);
		tn_json_put_member_str(out, "unit", line->unit);
		tn_json_put_key(out, "price");
		tn_json_put_double(out, line->price);
		tn_json_put_key(out, "amount");
		tn_studio_put_cents(out, line->cents);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_estimate(struct estimate *estimate, const struct tn_studio_node *node)
{
	const struct tn_studio_cost *cost = &estimate->cost;
	struct tn_buf *out = estimate->result;

	tn_json_put_key_str(out, node->id);
	tn_json_begin_object(out);
	tn_json_put_key(out, "monthly");
	if (cost->known)
		tn_studio_put_cents(out, cost->cents);
	else
		tn_json_put_null(out); /* ST-112: never zero */
	tn_json_put_member_text(out, "currency", "USD");
	put_lines(out, cost);
	tn_json_put_key(out, "usage");
	tn_studio_cost_put_usage(out, &estimate->scope, node);
	if (cost->approximate)
		tn_json_put_member_bool(out, "approximate", true);
	if (!cost->known)
		tn_json_put_member_text(out, "reason", cost->reason);
	tn_json_end_object(out);
}

/* "  Operations: 100 x 0.03 per 10k operations = 3.00" */
static void put_text_part(struct tn_buf *text, const struct tn_studio_cost_line *line)
{
	tn_buf_append_text(text, "  ");
	tn_buf_append_str(text, line->label);
	tn_buf_append_text(text, ": ");
	tn_json_append_double(text, line->quantity);
	tn_buf_append_text(text, " x ");
	tn_json_append_double(text, line->price);
	tn_buf_append_text(text, " per ");
	tn_buf_append_str(text, line->unit);
	tn_buf_append_text(text, " = ");
	put_money(text, line->cents);
	tn_buf_append_byte(text, '\n');
}

static void put_text_line(struct estimate *estimate, const struct tn_studio_node *node)
{
	const struct tn_studio_cost *cost = &estimate->cost;
	struct tn_buf *text = &estimate->lines;

	if (cost->known && cost->cents == 0)
		return;
	tn_buf_append_str(text, node->label);
	tn_buf_append_text(text, ": ");
	if (cost->known)
		put_money(text, cost->cents);
	else
		tn_buf_append_text(text, cost->reason);
	tn_buf_append_text(text, cost->known && cost->approximate ? " (approximate)\n" : "\n");
	for (size_t i = 0; estimate->options->says_lines && i < cost->line_count; i++)
		put_text_part(text, &cost->lines[i]);
	if (estimate->options->says_lines) {
		tn_buf_append_text(text, "  usage:"); /* no comma is due there (json_write.h) */
		tn_studio_cost_put_usage(text, &estimate->scope, node);
		tn_buf_format(text, " of %.*s\n", (int)node->id.size, node->id.data);
	}
}

/* ---- groups ---- */

static struct tn_str category_label(const struct tn_studio_registry *registry, struct tn_str id)
{
	for (size_t i = 0; i < registry->category_count; i++) {
		if (tn_str_equal(registry->categories[i].id, id))
			return registry->categories[i].label;
	}
	return id;
}

static struct tn_str module_name(const struct tn_studio_document *document, struct tn_str id)
{
	const struct tn_json *modules = document->modules;
	struct tn_str own, name = id;

	for (const struct tn_json *m = tn_json_is(modules, TN_JSON_ARRAY) ? modules->first : NULL;
	     m; m = m->next) {
		if (tn_json_to_str(tn_json_get(m, "id"), &own) && tn_str_equal(own, id))
			(void)tn_json_to_str(tn_json_get(m, "name"), &name);
	}
	return name;
}

/* The container that the provider calls a resource group. */
static const struct tn_studio_node *group_of(const struct tn_studio_node *node)
{
	const struct tn_studio_provider *provider = node->type ? node->type->provider : NULL;
	struct tn_str type_id;

	if (!provider ||
	    !tn_json_to_str(
		    tn_json_get(tn_json_get(provider->scopes, "resource_group"), "ancestor"),
		    &type_id))
		return NULL;
	return tn_str_equal(node->type_id, type_id) ? node : tn_studio_ancestor(node, type_id);
}

static struct sum name_group(const struct estimate *estimate, const struct tn_studio_node *node)
{
	const struct tn_studio_document *document = estimate->scope.document;
	struct sum sum = {.complete = true};
	const struct tn_studio_node *group;

	switch (estimate->options->group_by) {
	case TN_STUDIO_BY_GROUP:
		group = group_of(node);
		sum.id = group ? group->id : sum.id;
		sum.label = group ? group->label : TN_STR("without a group");
		break;
	case TN_STUDIO_BY_CATEGORY:
		sum.id = node->type ? node->type->category : sum.id;
		sum.label =
			node->type ? category_label(document->registry, sum.id) : TN_STR("unknown");
		break;
	case TN_STUDIO_BY_MODULE:
		sum.id = node->module_id;
		sum.label = sum.id.size > 0 ? module_name(document, sum.id) : TN_STR("root");
		break;
	default:
		sum.id = node->type ? node->type->provider_id : sum.id;
		sum.label = node->type && node->type->provider ? node->type->provider->display_name
							       : TN_STR("unknown");
		break;
	}
	return sum;
}

static void add_to(struct sum *sum, const struct tn_studio_cost *cost)
{
	sum->cents += cost->cents;
	sum->complete = sum->complete && cost->known;
	sum->count++;
}

static void add_to_group(struct estimate *estimate, const struct tn_studio_node *node)
{
	struct sum sum = name_group(estimate, node);

	for (size_t i = 0; i < estimate->group_count; i++) {
		if (tn_str_equal(estimate->groups[i].id, sum.id)) {
			add_to(&estimate->groups[i], &estimate->cost);
			return;
		}
	}
	add_to(&sum, &estimate->cost);
	estimate->groups[estimate->group_count++] = sum;
}

/* Its sum stands at the container's place in the order of nodes. */
static void add_to_containers(struct estimate *estimate, const struct tn_studio_node *node)
{
	estimate->group_count = estimate->scope.document->node_count;
	for (const struct tn_studio_node *at = node; at; at = at->parent) {
		struct sum *sum = &estimate->groups[at->order];

		if (at == node && !node->first_child)
			continue; /* nothing is in it */
		if (sum->count == 0)
			*sum = (struct sum){.id = at->id, .label = at->label, .complete = true};
		add_to(sum, &estimate->cost);
	}
}

static void put_groups(const struct estimate *estimate)
{
	struct tn_buf *out = estimate->result;

	tn_json_put_key(out, "groups");
	tn_json_begin_array(out);
	for (size_t i = 0; i < estimate->group_count; i++) {
		const struct sum *sum = &estimate->groups[i];

		if (sum->count == 0)
			continue;
		tn_json_begin_object(out);
		tn_json_put_key(out, "id");
		if (sum->id.size > 0)
			tn_json_put_str(out, sum->id);
		else
			tn_json_put_null(out);
		tn_json_put_member_str(out, "label", sum->label);
		tn_json_put_key(out, "monthly");
		tn_studio_put_cents(out, sum->cents);
		tn_json_put_member_bool(out, "complete", sum->complete);
		tn_json_put_member_int(out, "resources", (int64_t)sum->count);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_text_groups(const struct estimate *estimate, struct tn_buf *text)
{
	for (size_t i = 0; i < estimate->group_count; i++) {
		const struct sum *sum = &estimate->groups[i];

		if (sum->count == 0)
			continue;
		tn_utf8_put_line(text, sum->label);
		tn_buf_append_text(text, ": ");
		put_money(text, sum->cents);
		tn_buf_format(text, "%s, %zu resource%s",
			      sum->complete ? "" : " without what has no price", sum->count,
			      sum->count == 1 ? "" : "s");
		if (sum->id.size > 0) {
			tn_buf_append_text(text, " (");
			tn_utf8_put_line(text, sum->id);
			tn_buf_append_byte(text, ')');
		}
		tn_buf_append_byte(text, '\n');
	}
}

/* ---- all of it ---- */

static bool check_options(struct estimate *estimate, struct tn_studio_fault *fault)
{
	const struct tn_studio_document *document = estimate->scope.document;
	const struct tn_studio_cost_options *options = estimate->options;
	struct tenon_error err;

	for (const struct tn_json *e = options->node_ids ? options->node_ids->first : NULL; e;
	     e = e->next) {
		struct tn_studio_node *node = tn_studio_node_find(document, e->text);

		if (!node)
			return tn_studio_fail(fault, "NOT_FOUND", "there is no resource '%.*s'",
					      (int)(e->text.size < 80 ? e->text.size : 80),
					      e->text.data);
		if (tn_map_put(&estimate->wanted, e->text, node, &err) != TENON_OK)
			return tn_studio_fail_memory(fault);
	}
	for (const struct tn_json *u = options->what_if ? options->what_if->first : NULL; u;
	     u = u->next) {
		const struct tn_studio_node *node = tn_studio_node_find(document, u->key);

		if (!node)
			return tn_studio_fail(fault, "NOT_FOUND", "there is no resource '%.*s'",
					      (int)(u->key.size < 80 ? u->key.size : 80),
					      u->key.data);
		if (!tn_studio_check_usage(node, u, fault))
			return false;
	}
	return true;
}

static void take_node(struct estimate *estimate, const struct tn_studio_node *node)
{
	if ((estimate->options->node_ids && !tn_map_get(&estimate->wanted, node->id)) ||
	    !tn_studio_cost_node(&estimate->scope, node, &estimate->cost))
		return;
	put_estimate(estimate, node);
	put_text_line(estimate, node);
	add_to(&estimate->all, &estimate->cost);
	if (estimate->options->group_by == TN_STUDIO_BY_CONTAINER)
		add_to_containers(estimate, node);
	else if (estimate->options->group_by != TN_STUDIO_BY_NOTHING)
		add_to_group(estimate, node);
	if (!estimate->cost.known)
		estimate->unpriced[estimate->unpriced_count++] = node;
}

static void put_total(const struct estimate *estimate)
{
	const struct tn_studio_document *document = estimate->scope.document;
	struct tn_buf *out = estimate->result;

	tn_json_put_key(out, "total");
	tn_json_begin_object(out);
	tn_json_put_key(out, "monthly");
	tn_studio_put_cents(out, estimate->all.cents);
	tn_json_put_member_text(out, "currency", "USD");
	tn_json_put_member_bool(out, "complete", estimate->all.complete);
	tn_json_put_key(out, "unpriced");
	tn_json_begin_array(out);
	for (size_t i = 0; i < estimate->unpriced_count; i++)
		tn_json_put_str(out, estimate->unpriced[i]->id);
	tn_json_end_array(out);
	if (!isnan(document->budget)) {
		tn_json_put_key(out, "budget");
		tn_json_put_double(out, document->budget);
		tn_json_put_member_bool(out, "overBudget",
					(double)estimate->all.cents > document->budget * 100);
	}
	tn_json_end_object(out);
}

/* What most of the diagram is priced for: named by the configuration, else the base region. */
static struct tn_str shown_region(const struct tn_studio_document *document)
{
	struct tn_str region = {"", 0};
	const struct tn_json *base = tn_json_get(document->registry->prices, "region");

	if (tn_json_to_str(tn_json_get(tn_json_get(document->config, "cost"), "priceRegion"),
			   &region) ||
	    tn_json_to_str(tn_json_get(document->config, "region"), &region))
		return region;
	(void)tn_json_to_str(tn_json_is(base, TN_JSON_OBJECT) ? base->first : NULL, &region);
	return region;
}

/* The sum stands first in the text: of a long one the end is cut. */
static void put_end(const struct estimate *estimate, struct tn_buf *text)
{
	const struct tn_studio_document *document = estimate->scope.document;
	struct tn_str date = tn_studio_prices_as_of(document->registry, estimate->scope.prices);
	struct tn_str region = shown_region(document);

	put_total(estimate);
	if (estimate->options->group_by != TN_STUDIO_BY_NOTHING)
		put_groups(estimate);
	tn_json_put_member_str(estimate->result, "pricesAsOf", date);
	tn_json_put_member_str(estimate->result, "region", region);
	tn_json_put_member_text(estimate->result, "note", note);
	tn_buf_append_text(text, "Total: ");
	put_money(text, estimate->all.cents);
	tn_buf_format(text, " USD a month%s; prices of %.*s, %.*s. %s\n",
		      estimate->all.complete ? "" : " without what has no price", (int)date.size,
		      date.data, (int)region.size, region.data, note);
	put_text_groups(estimate, text);
	tn_buf_append_str(text, tn_buf_str(&estimate->lines));
	tn_buf_inherit_failure(text, &estimate->lines);
}

bool tn_studio_estimate(const struct tn_studio_document *document,
			const struct tn_studio_prices *prices,
			const struct tn_studio_cost_options *options, struct tn_arena *arena,
			struct tn_buf *result, struct tn_buf *text, struct tn_studio_fault *fault)
{
	struct estimate estimate = {
		.scope = {document, prices, options->what_if, arena},
		.options = options,
		.all = {.complete = true},
		.result = result,
	};
	bool right;

	if (text->unwanted)
		tn_buf_init_unwanted(&estimate.lines);
	else
		tn_buf_init(&estimate.lines, text->limit);
	tn_map_init(&estimate.wanted);
	estimate.groups =
		tn_arena_alloc_array(arena, document->node_count + 1, sizeof(*estimate.groups));
	estimate.unpriced =
		tn_arena_alloc_array(arena, document->node_count + 1, sizeof(*estimate.unpriced));
	right = check_options(&estimate, fault) &&
		((estimate.groups && estimate.unpriced) || tn_studio_fail_memory(fault));
	if (right) {
		tn_json_put_key(result, "estimates");
		tn_json_begin_object(result);
		for (size_t i = 0; i < document->node_count; i++)
			take_node(&estimate, document->nodes[i]);
		tn_json_end_object(result);
		put_end(&estimate, text);
	}
	tn_buf_finish(&estimate.lines);
	tn_map_finish(&estimate.wanted);
	return right;
}

bool tn_studio_cost_of(const struct tn_studio_document *document,
		       const struct tn_studio_prices *prices, const struct tn_studio_node *node,
		       struct tn_arena *arena, int64_t *ret_cents)
{
	const struct tn_studio_cost_scope scope = {document, prices, NULL, arena};
	struct tn_studio_cost cost;

	*ret_cents = 0;
	if (!tn_studio_cost_node(&scope, node, &cost))
		return true;
	if (cost.known)
		*ret_cents = cost.cents;
	return cost.known;
}

bool tn_studio_cost_total(const struct tn_studio_document *document,
			  const struct tn_studio_prices *prices, struct tn_arena *arena,
			  int64_t *ret_cents)
{
	const struct tn_studio_cost_scope scope = {document, prices, NULL, arena};
	struct tn_studio_cost cost;
	bool complete = true;

	*ret_cents = 0;
	for (size_t i = 0; i < document->node_count; i++) {
		if (!tn_studio_cost_node(&scope, document->nodes[i], &cost))
			continue;
		*ret_cents += cost.cents;
		complete = complete && cost.known;
	}
	return complete;
}

/* ---- assumptions of a user ---- */

static const struct tn_json *find_usage(const struct tn_studio_type *type, struct tn_str key)
{
	const struct tn_json *usage = type ? tn_json_get(type->cost, "usage") : NULL;

	for (const struct tn_json *u = tn_json_is(usage, TN_JSON_ARRAY) ? usage->first : NULL; u;
	     u = u->next) {
		if (tn_str_equal(tn_json_get(u, "key")->text, key))
			return u;
	}
	return NULL;
}

static bool refuse_key(const struct tn_studio_node *node, struct tn_str key,
		       struct tn_studio_fault *fault)
{
	const struct tn_json *usage = node->type ? tn_json_get(node->type->cost, "usage") : NULL;
	char list[300] = "";
	size_t used = 0;

	for (const struct tn_json *u = tn_json_is(usage, TN_JSON_ARRAY) ? usage->first : NULL; u;
	     u = u->next) {
		struct tn_str name = tn_json_get(u, "key")->text;

		if (used + name.size + 3 < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s",
						 used > 0 ? ", " : "", (int)name.size, name.data);
	}
	return tn_studio_fail(
		fault, "INVALID_INPUT", "costUsage: '%.*s' is no assumption of %.*s%s%s",
		(int)(key.size < 80 ? key.size : 80), key.data, (int)node->type_id.size,
		node->type_id.data, used > 0 ? "; these are: " : ", which has none", list);
}

bool tn_studio_check_usage(const struct tn_studio_node *node, const struct tn_json *usage,
			   struct tn_studio_fault *fault)
{
	if (!tn_json_is(usage, TN_JSON_OBJECT))
		return tn_studio_fail(fault, "INVALID_INPUT", "usage is an object of numbers");
	for (const struct tn_json *m = usage->first; m; m = m->next) {
		const struct tn_json *declared = find_usage(node->type, m->key);
		double value, min = -INFINITY, max = INFINITY;

		if (!declared)
			return refuse_key(node, m->key, fault);
		if (m->type == TN_JSON_NULL)
			continue; /* back to the default */
		(void)tn_json_to_double(tn_json_get(declared, "min"), &min);
		(void)tn_json_to_double(tn_json_get(declared, "max"), &max);
		if (!tn_json_to_double(m, &value) || value < min || value > max)
			return tn_studio_fail(fault, "INVALID_INPUT",
					      "costUsage: '%.*s' is a number from %.15g to %.15g",
					      (int)m->key.size, m->key.data, min, max);
	}
	return true;
}
