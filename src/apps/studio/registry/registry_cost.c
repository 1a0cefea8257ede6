#include "apps/studio/registry/internal.h"

#include <math.h>

static bool is_usage(const struct tn_studio_type *type, struct tn_str key)
{
	const struct tn_json *usage = tn_json_get(type->cost, "usage");

	for (const struct tn_json *u = tn_json_is(usage, TN_JSON_ARRAY) ? usage->first : NULL; u;
	     u = u->next) {
		struct tn_str name;

		if (tn_json_to_str(tn_json_get(u, "key"), &name) && tn_str_equal(name, key))
			return true;
	}
	return false;
}

static bool check_quantity(struct tn_registry_loader *loader, const struct tn_json *quantity,
			   const struct tn_studio_type *type, const struct tn_registry_scope *scope,
			   const struct tn_registry_at *at);

static bool check_quantities(struct tn_registry_loader *loader, const struct tn_json *list,
			     uint32_t count, const struct tn_studio_type *type,
			     const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	size_t index = 0;
	bool right = true;

	if (!tn_json_is(list, TN_JSON_ARRAY) || list->count == 0 ||
	    (count > 0 && list->count != count))
		return tn_registry_fault(loader, at,
					 count > 0 ? "two quantities are expected"
						   : "a list of quantities is expected");
	for (const struct tn_json *e = list->first; e; e = e->next, index++) {
		struct tn_registry_at here = tn_registry_index(at, index);

		right = check_quantity(loader, e, type, scope, &here) && right;
	}
	return right;
}

/* {"lookup": key of a property, "cases": {...}, "default"?: ...}; `texts`: of a price's name. */
static bool check_lookup(struct tn_registry_loader *loader, const struct tn_json *lookup,
			 bool texts, const struct tn_studio_type *type,
			 const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	static const char *const keys[] = {"lookup", "cases", "default", NULL};
	struct tn_registry_at by = tn_registry_key(at, "lookup");
	struct tn_registry_at place = tn_registry_key(at, "cases");
	struct tn_registry_at other = tn_registry_key(at, "default");
	const struct tn_json *cases = NULL, *fallback = tn_json_get(lookup, "default");
	bool right;

	if (!tn_registry_keys(loader, lookup, at, keys) ||
	    !tn_registry_get_object(loader, lookup, at, "cases", &cases))
		return false;
	right = tn_registry_need(loader, scope, tn_json_get(lookup, "lookup"), &by) != NULL;
	if (!cases)
		return tn_registry_fault(loader, at, "a lookup needs \"cases\"");
	for (const struct tn_json *c = cases->first; c; c = c->next) {
		struct tn_registry_at here = tn_registry_member(&place, c);

		if (texts)
			right = (c->type == TN_JSON_STRING ||
				 tn_registry_fault(loader, &here, "a string is expected")) &&
				right;
		else
			right = check_quantity(loader, c, type, scope, &here) && right;
	}
	if (texts)
		return right && (!fallback || fallback->type == TN_JSON_STRING ||
				 tn_registry_fault(loader, &other, "a string is expected"));
	return right && (!fallback || check_quantity(loader, fallback, type, scope, &other));
}

static bool check_quantity(struct tn_registry_loader *loader, const struct tn_json *quantity,
			   const struct tn_studio_type *type, const struct tn_registry_scope *scope,
			   const struct tn_registry_at *at)
{
	static const char *const forms[] = {"prop", "usage", "mul", "over", NULL};
	struct tn_registry_at here;
	struct tn_str key;

	if (tn_json_is(quantity, TN_JSON_NUMBER))
		return true;
	if (tn_json_get(quantity, "lookup"))
		return check_lookup(loader, quantity, false, type, scope, at);
	if (!tn_registry_keys(loader, quantity, at, forms))
		return false;
	if (quantity->count != 1)
		return tn_registry_fault(loader, at,
					 "a quantity is a number or one of prop, usage, mul, over, "
					 "lookup");
	here = tn_registry_member(at, quantity->first);
	if (tn_str_is(quantity->first->key, "prop"))
		return tn_registry_need(loader, scope, quantity->first, &here) != NULL;
	if (tn_str_is(quantity->first->key, "mul"))
		return check_quantities(loader, quantity->first, 0, type, scope, &here);
	if (tn_str_is(quantity->first->key, "over"))
		return check_quantities(loader, quantity->first, 2, type, scope, &here);
	return (tn_json_to_str(quantity->first, &key) && is_usage(type, key)) ||
	       tn_registry_fault(loader, &here, "the type has no usage of this key");
}

/* Every placeholder of a price's key has to come from somewhere. */
static bool check_price_key(struct tn_registry_loader *loader, const struct tn_json *meter,
			    const struct tn_registry_scope *scope, const struct tn_registry_at *at)
{
	struct tn_registry_at here = tn_registry_key(at, "price");
	const struct tn_json *where = tn_json_get(meter, "where");
	struct tn_registry_piece piece;
	struct tn_str rest;

	if (!tn_json_to_str(tn_json_get(meter, "price"), &rest) || rest.size == 0)
		return tn_registry_fault(loader, &here, "the key of a price is expected");
	while (tn_registry_next_piece(&rest, &piece)) {
		struct tn_json name = {.type = TN_JSON_STRING, .text = piece.name};

		if (piece.open)
			return tn_registry_fault(loader, &here, "a { without its }");
		if (piece.name.data && !tn_json_get_str(where, piece.name) &&
		    !tn_registry_need(loader, scope, &name, &here))
			return false;
	}
	return true;
}

static bool check_meter(struct tn_registry_loader *loader, const struct tn_json *meter,
			const struct tn_studio_type *type, const struct tn_registry_scope *scope,
			const struct tn_registry_at *at)
{
	static const char *const keys[] = {"label", "price", "qty", "if", "where", NULL};
	struct tn_registry_at quantity = tn_registry_key(at, "qty");
	struct tn_registry_at when = tn_registry_key(at, "if");
	struct tn_registry_at place = tn_registry_key(at, "where");
	const struct tn_json *where = NULL;
	struct tn_str label = {NULL, 0};
	bool right = true;

	if (!tn_registry_keys(loader, meter, at, keys) ||
	    !tn_registry_get_text(loader, meter, at, "label", &label) ||
	    !tn_registry_get_object(loader, meter, at, "where", &where))
		return false;
	if (label.size == 0)
		right = tn_registry_fault(loader, at, "a meter needs a \"label\"");
	for (const struct tn_json *w = where ? where->first : NULL; w; w = w->next) {
		struct tn_registry_at here = tn_registry_member(&place, w);

		right = check_lookup(loader, w, true, type, scope, &here) && right;
	}
	return check_price_key(loader, meter, scope, at) &&
	       check_quantity(loader, tn_json_get(meter, "qty"), type, scope, &quantity) &&
	       tn_registry_condition(loader, tn_json_get(meter, "if"), scope, &when) && right;
}

static bool check_usage(struct tn_registry_loader *loader, const struct tn_json *usage,
			const struct tn_registry_at *at)
{
	static const char *const keys[] = {"key", "unit", "default", "min", "max", NULL};
	struct tn_str key = {NULL, 0}, unit = {NULL, 0};
	double fallback = (double)NAN, min = (double)NAN, max = (double)NAN;

	if (!tn_registry_keys(loader, usage, at, keys) ||
	    !tn_registry_get_text(loader, usage, at, "key", &key) ||
	    !tn_registry_get_text(loader, usage, at, "unit", &unit) ||
	    !tn_registry_get_number(loader, usage, at, "default", &fallback) ||
	    !tn_registry_get_number(loader, usage, at, "min", &min) ||
	    !tn_registry_get_number(loader, usage, at, "max", &max))
		return false;
	if (!tn_registry_is_identifier(key))
		return tn_registry_fault(loader, at, "a usage needs a \"key\"");
	if (isnan(fallback) || fallback < min || fallback > max)
		return tn_registry_fault(loader, at, "a usage needs a \"default\" in its range");
	return true;
}

/* "free", "unpriced" and "usageBased" stand alone. */
static bool check_form(struct tn_registry_loader *loader, const struct tn_studio_type *type,
		       const struct tn_registry_at *at)
{
	static const char *const keys[] = {"free",   "unpriced", "usageBased",
					   "meters", "usage",    NULL};
	static const char *const forms[] = {"free", "unpriced", "usageBased", "meters", NULL};
	struct tn_str why;
	bool flag = true;
	unsigned found = 0;

	if (!tn_registry_keys(loader, type->cost, at, keys) ||
	    !tn_registry_get_bool(loader, type->cost, at, "free", &flag) ||
	    !tn_registry_get_bool(loader, type->cost, at, "unpriced", &flag) ||
	    !tn_registry_get_text(loader, type->cost, at, "usageBased", &why))
		return false;
	for (size_t i = 0; forms[i]; i++)
		found += tn_json_get(type->cost, forms[i]) != NULL;
	return (found == 1 && flag) ||
	       tn_registry_fault(loader, at,
				 "a cost is one of free: true, unpriced: true, usageBased, meters");
}

bool tn_registry_cost(struct tn_registry_loader *loader, const struct tn_studio_type *type,
		      const struct tn_registry_at *at)
{
	const struct tn_registry_scope scope = {.properties = type->properties,
						.count = type->property_count};
	struct tn_registry_at here = tn_registry_key(at, "cost");
	struct tn_registry_at meters_at = tn_registry_key(&here, "meters");
	struct tn_registry_at usage_at = tn_registry_key(&here, "usage");
	const struct tn_json *meters = NULL, *usage = NULL;
	size_t index = 0;
	bool right = true;

	if (!type->cost)
		return true;
	if (!check_form(loader, type, &here) ||
	    !tn_registry_get_array(loader, type->cost, &here, "meters", &meters) ||
	    !tn_registry_get_array(loader, type->cost, &here, "usage", &usage))
		return false;
	for (const struct tn_json *u = usage ? usage->first : NULL; u; u = u->next, index++) {
		struct tn_registry_at place = tn_registry_index(&usage_at, index);

		right = check_usage(loader, u, &place) && right;
	}
	index = 0;
	for (const struct tn_json *m = meters ? meters->first : NULL; m; m = m->next, index++) {
		struct tn_registry_at place = tn_registry_index(&meters_at, index);

		right = check_meter(loader, m, type, &scope, &place) && right;
	}
	return right;
}

/* ---- the price table ---- */

static bool check_price(struct tn_registry_loader *loader, const struct tn_json *price,
			const struct tn_registry_at *at)
{
	static const char *const keys[] = {"per", "usd", "src", "regions", NULL};
	struct tn_registry_at regions_at = tn_registry_key(at, "regions");
	const struct tn_json *regions = NULL;
	struct tn_str per = {NULL, 0}, source;
	double usd = (double)NAN;

	if (!tn_registry_keys(loader, price, at, keys) ||
	    !tn_registry_get_text(loader, price, at, "per", &per) ||
	    !tn_registry_get_text(loader, price, at, "src", &source) ||
	    !tn_registry_get_number(loader, price, at, "usd", &usd) ||
	    !tn_registry_get_object(loader, price, at, "regions", &regions))
		return false;
	if (per.size == 0 || isnan(usd) || usd < 0)
		return tn_registry_fault(loader, at,
					 "a price needs \"per\" and \"usd\" (0 or more)");
	for (const struct tn_json *r = regions ? regions->first : NULL; r; r = r->next) {
		struct tn_registry_at here = tn_registry_member(&regions_at, r);

		if (!tn_json_to_double(r, &usd) || usd < 0)
			return tn_registry_fault(loader, &here, "0 or more is expected");
	}
	return true;
}

bool tn_registry_prices(struct tn_registry_loader *loader, const struct tn_json *prices,
			const struct tn_registry_at *at)
{
	static const char *const keys[] = {"asOf", "currency", "region", "hoursPerMonth",
					   "note", "table",    NULL};
	struct tn_registry_at currency_at = tn_registry_key(at, "currency");
	struct tn_registry_at table_at = tn_registry_key(at, "table");
	struct tn_str currency = TN_STR("USD"), date;
	const struct tn_json *table = NULL, *region = NULL;
	bool right = true;

	if (!tn_registry_keys(loader, prices, at, keys) ||
	    !tn_registry_get_text(loader, prices, at, "asOf", &date) ||
	    !tn_registry_get_text(loader, prices, at, "currency", &currency) ||
	    !tn_registry_get_object(loader, prices, at, "region", &region) ||
	    !tn_registry_get_object(loader, prices, at, "table", &table))
		return false;
	if (!tn_str_is(currency, "USD"))
		return tn_registry_fault(loader, &currency_at, "prices are in USD");
	for (const struct tn_json *p = table ? table->first : NULL; p; p = p->next) {
		struct tn_registry_at here = tn_registry_member(&table_at, p);

		right = check_price(loader, p, &here) && right;
	}
	return right;
}
