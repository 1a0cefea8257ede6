#include <math.h>
#include <stdio.h>

#include "apps/studio/cost/internal.h"
#include "apps/studio/document/config.h"
#include "apps/studio/registry/internal.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { PRICE_KEY_MAX = 256, MONEY_MAX = 1000000000 };

/* One node while its meters are read. */
struct reading {
	const struct tn_studio_cost_scope *scope;
	const struct tn_studio_node *node;
	struct tn_studio_scope values;
	struct tn_str region, base_region;
	struct tn_studio_cost *cost;
};

/* The first thing that is missing is told; the other lines are still read (11.2). */
static bool lack(struct reading *reading, const char *what, struct tn_str name)
{
	struct tn_studio_cost *cost = reading->cost;

	cost->known = false;
	if (cost->reason[0] == '\0')
		(void)snprintf(cost->reason, sizeof(cost->reason), "%s%.*s", what,
			       (int)(name.size < 120 ? name.size : 120), name.data);
	return false;
}

/* ---- assumptions ---- */

static const struct tn_json *declared_usage(const struct tn_studio_type *type)
{
	const struct tn_json *usage = tn_json_get(type->cost, "usage");

	return tn_json_is(usage, TN_JSON_ARRAY) ? usage->first : NULL;
}

static double usage_of(const struct tn_studio_cost_scope *scope, const struct tn_studio_node *node,
		       const struct tn_json *declared)
{
	struct tn_str key = tn_json_get(declared, "key")->text;
	double value = 0;

	if (tn_json_to_double(tn_json_get_str(tn_json_get_str(scope->what_if, node->id), key),
			      &value) ||
	    tn_json_to_double(
		    tn_json_get_str(tn_json_get_str(scope->document->usage, node->id), key),
		    &value))
		return value;
	(void)tn_json_to_double(tn_json_get(declared, "default"), &value);
	return value;
}

void tn_studio_cost_put_usage(struct tn_buf *out, const struct tn_studio_cost_scope *scope,
			      const struct tn_studio_node *node)
{
	tn_json_begin_object(out);
	for (const struct tn_json *u = node->type ? declared_usage(node->type) : NULL; u;
	     u = u->next) {
		tn_json_put_key_str(out, tn_json_get(u, "key")->text);
		tn_json_put_double(out, usage_of(scope, node, u));
	}
	tn_json_end_object(out);
}

/* ---- quantities ---- */

static bool quantity_of(struct reading *reading, const struct tn_json *quantity, double *ret);

/* A number that is stored as text counts as one, and "0.5Gi" as half a gibibyte (11.2). */
static bool number_of(const struct tn_json *value, double *ret)
{
	struct tn_json number = {.type = TN_JSON_NUMBER};
	double unit = 1;

	if (tn_json_to_double(value, ret))
		return true;
	if (!tn_json_is(value, TN_JSON_STRING) || value->text.size > 32)
		return false;
	number.text = value->text;
	if (tn_str_ends(number.text, TN_STR("Gi")) || tn_str_ends(number.text, TN_STR("Mi"))) {
		number.text.size -= 2;
		if (value->text.data[number.text.size] == 'M')
			unit = 1.0 / 1024;
	}
	for (size_t i = 0; i < number.text.size; i++) {
		if (!tn_is_digit(number.text.data[i]) &&
		    (number.text.data[i] != '.' || i == 0 || i + 1 == number.text.size))
			return false;
	}
	if (number.text.size == 0 || !tn_json_to_double(&number, ret))
		return false;
	*ret *= unit;
	return true;
}

static bool property_quantity(struct reading *reading, const struct tn_json *name, double *ret)
{
	return number_of(tn_studio_value_by_key(&reading->values, name->text), ret) ||
	       lack(reading, "no number for ", name->text);
}

static bool usage_quantity(struct reading *reading, const struct tn_json *name, double *ret)
{
	for (const struct tn_json *u = declared_usage(reading->node->type); u; u = u->next) {
		if (tn_json_equal(tn_json_get(u, "key"), name)) {
			*ret = usage_of(reading->scope, reading->node, u);
			return true;
		}
	}
	return lack(reading, "no assumption for ", name->text);
}

static bool product(struct reading *reading, const struct tn_json *factors, double *ret)
{
	*ret = 1;
	for (const struct tn_json *f = factors->first; f; f = f->next) {
		double factor;

		if (!quantity_of(reading, f, &factor))
			return false;
		*ret *= factor;
	}
	return true;
}

/* What is above the part that is included. */
static bool excess(struct reading *reading, const struct tn_json *pair, double *ret)
{
	double all, included;

	if (!quantity_of(reading, pair->first, &all) ||
	    !quantity_of(reading, pair->first->next, &included))
		return false;
	*ret = all > included ? all - included : 0;
	return true;
}

static const struct tn_json *look_up(struct reading *reading, const struct tn_json *lookup)
{
	const struct tn_json *value =
		tn_studio_value_by_key(&reading->values, tn_json_get(lookup, "lookup")->text);
	const struct tn_json *found = tn_studio_case(tn_json_get(lookup, "cases"), value);

	return found ? found : tn_json_get(lookup, "default");
}

static bool quantity_of(struct reading *reading, const struct tn_json *quantity, double *ret)
{
	const struct tn_json *form = tn_json_is(quantity, TN_JSON_OBJECT) ? quantity->first : NULL;
	const struct tn_json *found;

	if (tn_json_to_double(quantity, ret))
		return true;
	if (!form)
		return lack(reading, "no quantity", tn_str("", 0));
	if (tn_json_get(quantity, "lookup")) {
		found = look_up(reading, quantity);
		return found ? quantity_of(reading, found, ret)
			     : lack(reading, "no quantity for this ",
				    tn_json_get(quantity, "lookup")->text);
	}
	if (tn_str_is(form->key, "prop"))
		return property_quantity(reading, form, ret);
	if (tn_str_is(form->key, "usage"))
		return usage_quantity(reading, form, ret);
	return tn_str_is(form->key, "mul") ? product(reading, form, ret)
					   : excess(reading, form, ret);
}

/* ---- the key of a price ---- */

/* A list stands for its first element (11.2). */
static struct tn_str text_of(const struct tn_json *value)
{
	if (tn_json_is(value, TN_JSON_ARRAY))
		value = value->first;
	if (tn_json_is(value, TN_JSON_STRING) || tn_json_is(value, TN_JSON_NUMBER))
		return value->text;
	if (tn_json_is(value, TN_JSON_TRUE))
		return TN_STR("true");
	return tn_json_is(value, TN_JSON_FALSE) ? TN_STR("false") : tn_str(NULL, 0);
}

static struct tn_str placeholder(struct reading *reading, const struct tn_json *meter,
				 struct tn_str name)
{
	const struct tn_json *where = tn_json_get_str(tn_json_get(meter, "where"), name);

	return where ? text_of(look_up(reading, where))
		     : text_of(tn_studio_value_by_key(&reading->values, name));
}

static bool price_key(struct reading *reading, const struct tn_json *meter, char key[PRICE_KEY_MAX],
		      size_t *ret_size)
{
	struct tn_str rest = tn_json_get(meter, "price")->text;
	struct tn_registry_piece piece;
	size_t size = 0;

	while (tn_registry_next_piece(&rest, &piece)) {
		struct tn_str value = {NULL, 0};

		if (piece.name.data) {
			value = placeholder(reading, meter, piece.name);
			if (value.size == 0)
				return lack(reading, "no value for ", piece.name);
		}
		if (piece.literal.size + value.size >= PRICE_KEY_MAX - size)
			return lack(reading, "a value is too long for a price", tn_str("", 0));
		memcpy(key + size, piece.literal.data, piece.literal.size);
		size += piece.literal.size;
		if (value.size > 0)
			memcpy(key + size, value.data, value.size);
		size += value.size;
	}
	*ret_size = size;
	return true;
}

/* ---- lines ---- */

/* Half a cent goes up. What binary fractions lose below a millionth of a cent is given back, or
 * 1.005 would be 1.00. */
static int64_t to_cents(double usd)
{
	return (int64_t)floor(usd * 100 + 0.5 + 1e-6);
}

static void read_meter(struct reading *reading, const struct tn_json *meter)
{
	struct tn_studio_cost *cost = reading->cost;
	struct tn_studio_cost_line *line = &cost->lines[cost->line_count];
	struct tn_studio_price price;
	char key[PRICE_KEY_MAX];
	size_t size = 0;

	if (!tn_studio_condition_holds(&reading->values, tn_json_get(meter, "if")) ||
	    !quantity_of(reading, tn_json_get(meter, "qty"), &line->quantity) ||
	    !price_key(reading, meter, key, &size))
		return;
	if (cost->line_count == TN_STUDIO_COST_LINES_MAX - 1) {
		(void)lack(reading, "too many lines", tn_str("", 0));
		return;
	}
	if (!tn_studio_price_find(reading->scope->document->registry, reading->scope->prices,
				  tn_str(key, size), reading->region, reading->base_region,
				  &price)) {
		(void)lack(reading, "no price for ", tn_str(key, size));
		return;
	}
	if (line->quantity < 0)
		line->quantity = 0;
	if (!(line->quantity * price.usd < MONEY_MAX)) {
		(void)lack(reading, "more than can be said", tn_str("", 0));
		return;
	}
	line->label = tn_json_get(meter, "label")->text;
	line->unit = price.per;
	line->price = price.usd;
	line->cents = to_cents(line->quantity * price.usd);
	cost->cents += line->cents;
	cost->approximate = cost->approximate || price.approximate;
	cost->line_count++;
}

static bool read_meters(const struct tn_studio_cost_scope *scope, const struct tn_studio_node *node,
			const struct tn_json *meters, struct tn_studio_cost *ret)
{
	const struct tn_studio_registry *registry = scope->document->registry;
	struct reading reading = {.scope = scope, .node = node, .cost = ret};

	reading.values = tn_studio_scope_of(scope->document, node, scope->arena);
	reading.region = tn_studio_cost_region(scope, node);
	(void)tn_json_to_str(
		tn_json_get_str(tn_json_get(registry->prices, "region"), node->type->provider_id),
		&reading.base_region);
	for (const struct tn_json *m = meters->first; m; m = m->next)
		read_meter(&reading, m);
	return true;
}

static bool without(struct tn_studio_cost *cost, const char *reason)
{
	cost->known = false;
	(void)snprintf(cost->reason, sizeof(cost->reason), "%s", reason);
	return true;
}

bool tn_studio_cost_node(const struct tn_studio_cost_scope *scope,
			 const struct tn_studio_node *node, struct tn_studio_cost *ret)
{
	const struct tn_studio_type *type = node->type;
	const struct tn_json *meters;
	struct tn_str why;

	*ret = (struct tn_studio_cost){.known = true};
	if (!type)
		return without(ret, "the type is not in the registry");
	if (type->is_virtual)
		return false;
	if (tn_json_get(type->cost, "free"))
		return true;
	if (tn_json_to_str(tn_json_get(type->cost, "usageBased"), &why)) {
		ret->known = false;
		why = tn_utf8_cut(why, sizeof(ret->reason) - 1);
		(void)snprintf(ret->reason, sizeof(ret->reason), "%.*s", (int)why.size, why.data);
		return true;
	}
	meters = tn_json_get(type->cost, "meters");
	if (!meters)
		return without(ret, "no prices of this type are known");
	return read_meters(scope, node, meters, ret);
}

/* ---- regions ---- */

static struct tn_str configured_region(const struct tn_studio_cost_scope *scope,
				       const struct tn_studio_provider *provider)
{
	struct tn_str region = {NULL, 0};

	(void)tn_json_to_str(tn_studio_config_region(scope->document, provider, scope->arena),
			     &region);
	return region;
}

/* Whether the name is one of this provider's: config.cost.priceRegion is for one cloud only. */
static bool has_region(const struct tn_studio_registry *registry,
		       const struct tn_studio_provider *provider, struct tn_str name)
{
	const struct tn_json *base =
		tn_json_get_str(tn_json_get(registry->prices, "region"), provider->id);
	const struct tn_json *list = NULL;

	if (tn_json_is(base, TN_JSON_STRING) && tn_str_equal(base->text, name))
		return true;
	for (size_t i = 0; i < provider->config_count; i++) {
		if (tn_str_is(provider->config[i].key, "region"))
			list = provider->config[i].allowed;
	}
	if (tn_json_get(provider->scopes, "location"))
		list = registry->cost_regions;
	for (const struct tn_json *e = list ? list->first : NULL; e; e = e->next) {
		if (tn_str_equal(e->text, name))
			return true;
	}
	return false;
}

struct tn_str tn_studio_cost_region(const struct tn_studio_cost_scope *scope,
				    const struct tn_studio_node *node)
{
	const struct tn_json *config = scope->document->config, *place;
	const struct tn_studio_provider *provider = node->type ? node->type->provider : NULL;
	struct tn_str region = {NULL, 0}, ancestor, attribute;
	const struct tn_studio_node *from;
	struct tn_studio_scope values;

	if (!provider)
		return region;
	if (tn_json_to_str(tn_json_get(tn_json_get(config, "cost"), "priceRegion"), &region) &&
	    has_region(scope->document->registry, provider, region))
		return region;
	region = tn_str(NULL, 0);
	place = tn_json_get(provider->scopes, "location");
	if (!place)
		return configured_region(scope, provider);
	if (!tn_json_to_str(tn_json_get(place, "ancestor"), &ancestor) ||
	    !tn_json_to_str(tn_json_get(place, "attr"), &attribute))
		return region;
	from = tn_str_equal(node->type_id, ancestor) ? node : tn_studio_ancestor(node, ancestor);
	if (from) {
		values = tn_studio_scope_of(scope->document, from, scope->arena);
		(void)tn_json_to_str(tn_studio_value_by_key(&values, attribute), &region);
	}
	if (region.size == 0)
		(void)tn_json_to_str(tn_json_get(config, "region"), &region);
	return region;
}
