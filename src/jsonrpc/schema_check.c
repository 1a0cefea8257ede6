#include "base/utf8.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/schema_node.h"

bool tn_schema_type_fits(uint8_t types, const struct tn_json *value)
{
	static const uint8_t bits[] = {
		[TN_JSON_NULL] = TN_SCHEMA_NULL,     [TN_JSON_FALSE] = TN_SCHEMA_BOOLEAN,
		[TN_JSON_TRUE] = TN_SCHEMA_BOOLEAN,  [TN_JSON_NUMBER] = TN_SCHEMA_NUMBER,
		[TN_JSON_STRING] = TN_SCHEMA_STRING, [TN_JSON_ARRAY] = TN_SCHEMA_ARRAY,
		[TN_JSON_OBJECT] = TN_SCHEMA_OBJECT,
	};

	if (types & bits[value->type])
		return true;
	return (types & TN_SCHEMA_INTEGER) && tn_json_is_integer(value);
}

bool tn_schema_spend(struct tn_schema_run *run, uint64_t count, const struct tn_schema_spot *spot)
{
	if (run->stop != TENON_OK)
		return false;
	if (run->steps < count)
		return tn_schema_stop(run, spot, TENON_LIMIT, "$schema",
				      "too large to be checked against its schema; send less");
	run->steps -= count;
	return true;
}

bool tn_schema_matches(struct tn_schema_run *run, const struct tn_pattern *pattern,
		       struct tn_str text, const struct tn_schema_spot *spot)
{
	switch (tn_pattern_search(pattern, text, &run->pattern_steps)) {
	case TN_PATTERN_YES:
		return true;
	case TN_PATTERN_NO:
		return false;
	default:
		return tn_schema_stop(run, spot, TENON_LIMIT, "pattern",
				      "too long to be checked against a pattern; send less");
	}
}

bool tn_schema_fits(struct tn_schema_run *run, const struct tn_schema_node *node,
		    const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool quiet = run->quiet, fits;

	run->quiet = true;
	fits = tn_schema_visit(run, node, spot, scope);
	run->quiet = quiet;
	return fits && run->stop == TENON_OK;
}

/* ---- values of each kind ---- */

static bool check_constant(struct tn_schema_run *run, const struct tn_schema_node *node,
			   const struct tn_schema_spot *spot)
{
	if (node->constant && !tn_json_equal(node->constant, spot->value))
		return tn_schema_fault_value(run, spot, node);
	if (!node->values)
		return true;
	if (!tn_schema_spend(run, node->values->count, spot))
		return false;
	for (const struct tn_json *v = node->values->first; v; v = v->next) {
		if (tn_json_equal(v, spot->value))
			return true;
	}
	return tn_schema_fault_value(run, spot, node);
}

static bool check_number(struct tn_schema_run *run, const struct tn_schema_number *rules,
			 const struct tn_schema_spot *spot)
{
	struct tn_str number = spot->value->text;

	if (rules->minimum.data && tn_json_number_compare(number, rules->minimum) < 0)
		return tn_schema_fault_about(run, spot, "minimum", rules->minimum,
					     "must be at least");
	if (rules->maximum.data && tn_json_number_compare(number, rules->maximum) > 0)
		return tn_schema_fault_about(run, spot, "maximum", rules->maximum,
					     "must be at most");
	if (rules->above.data && tn_json_number_compare(number, rules->above) <= 0)
		return tn_schema_fault_about(run, spot, "exclusiveMinimum", rules->above,
					     "must be greater than");
	if (rules->below.data && tn_json_number_compare(number, rules->below) >= 0)
		return tn_schema_fault_about(run, spot, "exclusiveMaximum", rules->below,
					     "must be less than");
	if (rules->multiple_text.data && !tn_json_number_is_multiple(number, &rules->multiple))
		return tn_schema_fault_about(run, spot, "multipleOf", rules->multiple_text,
					     "must be a multiple of");
	return true;
}

static int64_t count_characters(struct tn_str text)
{
	int64_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += (text.data[i] & 0xC0) != 0x80; /* continuation bytes do not count */
	return count;
}

static bool check_length(struct tn_schema_run *run, const struct tn_schema_text *rules,
			 const struct tn_schema_spot *spot)
{
	int64_t length;

	if (rules->min == 0 && rules->max >= (int64_t)spot->value->text.size)
		return true;
	length = count_characters(spot->value->text);
	if (length < rules->min)
		return tn_schema_fault(run, spot, "minLength",
				       "too short: %lld characters; send at least %lld",
				       (long long)length, (long long)rules->min);
	if (length > rules->max)
		return tn_schema_fault(run, spot, "maxLength",
				       "too long: %lld characters; send at most %lld",
				       (long long)length, (long long)rules->max);
	return true;
}

static bool check_text(struct tn_schema_run *run, const struct tn_schema_text *rules,
		       const struct tn_schema_spot *spot)
{
	static const char *const wanted[] = {
		[TN_SCHEMA_FORMAT_EMAIL] = "an e-mail address such as name@example.org",
		[TN_SCHEMA_FORMAT_URI] = "an absolute URI such as https://example.org/",
		[TN_SCHEMA_FORMAT_DATE] = "a date such as 2026-11-21",
		[TN_SCHEMA_FORMAT_DATE_TIME] = "a time such as 2026-11-21T10:15:00Z",
	};
	struct tn_str text = spot->value->text;

	if (!check_length(run, rules, spot))
		return false;
	if (rules->pattern && !tn_schema_matches(run, rules->pattern, text, spot))
		return tn_schema_fault_about(run, spot, "pattern", rules->pattern_source,
					     "must match the pattern");
	if (rules->format != TN_SCHEMA_FORMAT_OTHER && !tn_schema_format_holds(rules->format, text))
		return tn_schema_fault_about(run, spot, "format",
					     tn_str_from(wanted[rules->format]), "must be");
	return true;
}

/* ---- arrays ---- */

static bool check_elements(struct tn_schema_run *run, const struct tn_schema_array *rules,
			   const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	struct tn_schema_spot element = {.up = spot, .in_array = true};
	bool good = true;

	if (!rules->items && rules->prefix.count == 0)
		return true;
	for (element.value = spot->value->first; element.value;
	     element.value = element.value->next) {
		const struct tn_schema_node *node = element.index < rules->prefix.count
							    ? rules->prefix.nodes[element.index]
							    : rules->items;

		if (!node)
			break;
		if (!tn_schema_visit(run, node, &element, scope)) {
			if (run->quiet || run->stop != TENON_OK)
				return false;
			good = false;
		}
		element.index++;
	}
	return good;
}

static bool check_contains(struct tn_schema_run *run, const struct tn_schema_array *rules,
			   const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	struct tn_schema_spot element = {.up = spot, .in_array = true};
	int64_t found = 0;

	if (!rules->contains)
		return true;
	for (element.value = spot->value->first; element.value;
	     element.value = element.value->next) {
		found += tn_schema_fits(run, rules->contains, &element, scope);
		if (run->stop != TENON_OK)
			return false;
		element.index++;
	}
	if (found < rules->contains_min)
		return tn_schema_fault(run, spot,
				       rules->contains_min == 1 ? "contains" : "minContains",
				       "%lld elements are of the kind that is needed at least "
				       "%lld times",
				       (long long)found, (long long)rules->contains_min);
	if (found > rules->contains_max)
		return tn_schema_fault(run, spot, "maxContains",
				       "%lld elements are of a kind that is allowed at most "
				       "%lld times",
				       (long long)found, (long long)rules->contains_max);
	return true;
}

static bool check_array_size(struct tn_schema_run *run, const struct tn_schema_array *rules,
			     const struct tn_schema_spot *spot)
{
	uint32_t count = spot->value->count, first, second;

	if (count < rules->min)
		return tn_schema_fault(run, spot, "minItems",
				       "too few elements: %u; send at least %lld", count,
				       (long long)rules->min);
	if (count > rules->max)
		return tn_schema_fault(run, spot, "maxItems",
				       "too many elements: %u; send at most %lld", count,
				       (long long)rules->max);
	if (!rules->unique)
		return true;
	if (tn_schema_find_equal(run, spot, &first, &second))
		return tn_schema_fault(run, spot, "uniqueItems",
				       "elements %u and %u are equal; send each only once", first,
				       second);
	return run->stop == TENON_OK;
}

static bool check_array(struct tn_schema_run *run, const struct tn_schema_array *rules,
			const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool good;

	if (!tn_schema_spend(run, spot->value->count, spot))
		return false;
	good = check_array_size(run, rules, spot);
	if (!good && (run->quiet || run->stop != TENON_OK))
		return false;
	good &= check_elements(run, rules, spot, scope);
	if (!good && (run->quiet || run->stop != TENON_OK))
		return false;
	return check_contains(run, rules, spot, scope) && good;
}

/* ---- objects ---- */

const struct tn_schema_property *tn_schema_find_property(const struct tn_schema_object *object,
							 struct tn_str name)
{
	size_t low = 0, high = object->properties_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = tn_schema_name_compare(name, object->properties[middle].name);

		if (order == 0)
			return &object->properties[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static bool check_name(struct tn_schema_run *run, const struct tn_schema_node *node,
		       const struct tn_schema_spot *member, const struct tn_schema_scope *scope)
{
	const struct tn_json name = {.type = TN_JSON_STRING, .text = member->value->key};
	const struct tn_schema_spot spot = {.up = member, .value = &name, .is_name = true};

	return tn_schema_visit(run, node, &spot, scope);
}

static bool check_member(struct tn_schema_run *run, const struct tn_schema_object *rules,
			 const struct tn_schema_property *property,
			 const struct tn_schema_spot *member, const struct tn_schema_scope *scope)
{
	bool known = property && property->node, good = true;

	if (known)
		good = tn_schema_visit(run, property->node, member, scope);
	for (uint32_t i = 0; i < rules->patterns_count && run->stop == TENON_OK; i++) {
		if (!tn_schema_matches(run, rules->patterns[i].pattern, member->value->key, member))
			continue;
		known = true;
		good &= tn_schema_visit(run, rules->patterns[i].node, member, scope);
	}
	if (run->stop != TENON_OK)
		return false;
	if (!known && rules->additional) {
		if (rules->additional->kind == TN_SCHEMA_NEVER)
			return tn_schema_fault_unknown(run, member, "additionalProperties", rules);
		good &= tn_schema_visit(run, rules->additional, member, scope);
	}
	if (rules->names)
		good &= check_name(run, rules->names, member, scope);
	return good;
}

static bool check_required(struct tn_schema_run *run, const struct tn_schema_object *rules,
			   const struct tn_schema_spot *spot)
{
	for (uint32_t i = 0; i < rules->properties_count; i++) {
		const struct tn_schema_property *property = &rules->properties[i];

		if (!property->required || tn_json_get_str(spot->value, property->name))
			continue;
		if (run->quiet || !tn_schema_spend(run, spot->value->count, spot))
			return false;
		(void)tn_schema_fault_missing(run, spot, property->name, property->node);
	}
	return false;
}

static bool check_members(struct tn_schema_run *run, const struct tn_schema_object *rules,
			  const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	struct tn_schema_spot member = {.up = spot};
	uint32_t present = 0;
	bool good = true;

	for (member.value = spot->value->first; member.value; member.value = member.value->next) {
		const struct tn_schema_property *property =
			tn_schema_find_property(rules, member.value->key);

		present += property && property->required; /* no key comes twice */
		if (check_member(run, rules, property, &member, scope))
			continue;
		if (run->quiet || run->stop != TENON_OK)
			return false;
		good = false;
	}
	return present == rules->required_count ? good : check_required(run, rules, spot);
}

static bool check_object_size(struct tn_schema_run *run, const struct tn_schema_object *rules,
			      const struct tn_schema_spot *spot)
{
	if (spot->value->count < rules->min)
		return tn_schema_fault(run, spot, "minProperties",
				       "too few properties: %u; send at least %lld",
				       spot->value->count, (long long)rules->min);
	if (spot->value->count > rules->max)
		return tn_schema_fault(run, spot, "maxProperties",
				       "too many properties: %u; send at most %lld",
				       spot->value->count, (long long)rules->max);
	return true;
}

static bool check_dependent(struct tn_schema_run *run, const struct tn_schema_dependent *dependent,
			    const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool good = true;

	if (!tn_schema_spend(run, spot->value->count, spot))
		return false;
	if (!tn_json_get_str(spot->value, dependent->trigger))
		return true;
	for (uint32_t i = 0; i < dependent->required_count; i++) {
		if (!tn_schema_spend(run, spot->value->count, spot))
			return false;
		if (!tn_json_get_str(spot->value, dependent->required[i]))
			good = tn_schema_fault_dependent(run, spot, dependent->required[i],
							 dependent->trigger);
	}
	return (!dependent->node || tn_schema_visit(run, dependent->node, spot, scope)) && good;
}

static bool check_object(struct tn_schema_run *run, const struct tn_schema_object *rules,
			 const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool good;

	if (!tn_schema_spend(run, spot->value->count, spot))
		return false;
	good = check_object_size(run, rules, spot);
	if (!good && run->quiet)
		return false;
	good &= check_members(run, rules, spot, scope);
	for (uint32_t i = 0; i < rules->dependents_count; i++) {
		if (run->stop != TENON_OK || (!good && run->quiet))
			return false;
		good &= check_dependent(run, &rules->dependents[i], spot, scope);
	}
	return good;
}

/* ---- combinations ---- */

static bool check_all(struct tn_schema_run *run, const struct tn_schema_list *list,
		      const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool good = true;

	for (uint32_t i = 0; i < list->count; i++) {
		if (!tn_schema_visit(run, list->nodes[i], spot, scope)) {
			if (run->quiet || run->stop != TENON_OK)
				return false;
			good = false;
		}
	}
	return good;
}

/* Does a member that the schema pins to a constant have another value? */
static bool is_pinned_elsewhere(const struct tn_schema_object *rules, const struct tn_json *value)
{
	for (uint32_t i = 0; i < rules->properties_count; i++) {
		const struct tn_schema_property *p = &rules->properties[i];
		const struct tn_json *member;

		if (!p->node || !p->node->constant)
			continue;
		member = tn_json_get_str(value, p->name);
		if (member && !tn_json_equal(member, p->node->constant))
			return true;
	}
	return false;
}

/* Could the value be meant as this alternative? Its type fits, and members that the alternative
 * pins to a constant have that value. */
static bool is_meant(const struct tn_schema_node *node, const struct tn_json *value)
{
	for (; node; node = node->logic ? node->logic->ref : NULL) {
		if (node->kind == TN_SCHEMA_NEVER || node->constant || node->values)
			return false; /* nothing more could be said than that it is another value */
		if (node->types && !tn_schema_type_fits(node->types, value))
			return false;
		if (node->object && is_pinned_elsewhere(node->object, value))
			return false;
	}
	return true;
}

/* No alternative fits. If only one can have been meant, its faults say more than "none of them". */
static bool fault_none(struct tn_schema_run *run, const char *keyword,
		       const struct tn_schema_list *list, const struct tn_schema_spot *spot,
		       const struct tn_schema_scope *scope)
{
	const struct tn_schema_node *meant = NULL;
	uint32_t candidates = 0;
	uint8_t types = 0;

	if (run->quiet)
		return false;
	for (uint32_t i = 0; i < list->count; i++) {
		types |= list->nodes[i]->types;
		if (is_meant(list->nodes[i], spot->value)) {
			meant = list->nodes[i];
			candidates++;
		}
		if (!list->nodes[i]->types)
			types = 0xFF;
	}
	if (candidates == 1)
		return tn_schema_visit(run, meant, spot, scope);
	if (types != 0xFF && !tn_schema_type_fits(types, spot->value))
		return tn_schema_fault_type(run, spot, types);
	return tn_schema_fault_none(run, spot, keyword, list);
}

static bool check_any(struct tn_schema_run *run, const struct tn_schema_list *list,
		      const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (tn_schema_fits(run, list->nodes[i], spot, scope))
			return true;
		if (run->stop != TENON_OK)
			return false;
	}
	return list->count == 0 || fault_none(run, "anyOf", list, spot, scope);
}

static bool check_one(struct tn_schema_run *run, const struct tn_schema_list *list,
		      const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < list->count && found < 2; i++) {
		found += tn_schema_fits(run, list->nodes[i], spot, scope);
		if (run->stop != TENON_OK)
			return false;
	}
	if (found > 1)
		return tn_schema_fault(run, spot, "oneOf",
				       "fits more than one of the allowed forms; send a value that "
				       "fits exactly one");
	return found == 1 || list->count == 0 || fault_none(run, "oneOf", list, spot, scope);
}

static bool check_condition(struct tn_schema_run *run, const struct tn_schema_logic *logic,
			    const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	const struct tn_schema_node *branch;

	if (!logic->if_node || (!logic->then_node && !logic->else_node))
		return true;
	branch = tn_schema_fits(run, logic->if_node, spot, scope) ? logic->then_node
								  : logic->else_node;
	if (run->stop != TENON_OK)
		return false;
	return !branch || tn_schema_visit(run, branch, spot, scope);
}

/* The outermost resource on the way here that has the anchor decides. */
const struct tn_schema_node *tn_schema_dynamic_target(const struct tn_schema_logic *logic,
						      const struct tn_schema_scope *scope)
{
	const struct tn_schema_node *target = logic->dynamic_ref;

	for (; scope && logic->dynamic_name.data; scope = scope->up) {
		const struct tn_schema_anchor *anchor = scope->resource->dynamic_anchors;

		for (; anchor; anchor = anchor->next) {
			if (tn_str_equal(anchor->name, logic->dynamic_name))
				target = anchor->node;
		}
	}
	return target;
}

static bool check_not(struct tn_schema_run *run, const struct tn_schema_node *node,
		      const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool fits = tn_schema_fits(run, node, spot, scope);

	if (run->stop != TENON_OK)
		return false; /* what could not be checked is not the opposite of valid */
	return !fits || tn_schema_fault(run, spot, "not", "has a form that is not allowed");
}

static bool check_logic(struct tn_schema_run *run, const struct tn_schema_logic *logic,
			const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool good = true;

	if (logic->ref)
		good = tn_schema_visit(run, logic->ref, spot, scope);
	if (good && logic->dynamic_ref)
		good = tn_schema_visit(run, tn_schema_dynamic_target(logic, scope), spot, scope);
	good = good && check_all(run, &logic->all, spot, scope);
	good = good && check_any(run, &logic->any, spot, scope);
	good = good && check_one(run, &logic->one, spot, scope);
	if (good && logic->not_node)
		good = check_not(run, logic->not_node, spot, scope);
	return good && check_condition(run, logic, spot, scope);
}

/* ---- a schema ---- */

static bool check_by_kind(struct tn_schema_run *run, const struct tn_schema_node *node,
			  const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	switch (spot->value->type) {
	case TN_JSON_NUMBER:
		return !node->number || check_number(run, node->number, spot);
	case TN_JSON_STRING:
		return !node->text || check_text(run, node->text, spot);
	case TN_JSON_ARRAY:
		return !node->array || check_array(run, node->array, spot, scope);
	case TN_JSON_OBJECT:
		return !node->object || check_object(run, node->object, spot, scope);
	default:
		return true;
	}
}

static bool check_rules(struct tn_schema_run *run, const struct tn_schema_node *node,
			const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	const struct tn_schema_scope inner = {scope, node->resource};
	bool good;

	if (!scope || scope->resource != node->resource)
		scope = &inner;
	if (node->types && !tn_schema_type_fits(node->types, spot->value))
		return tn_schema_fault_type(run, spot, node->types);
	if ((node->constant || node->values) && !check_constant(run, node, spot))
		return false;
	good = check_by_kind(run, node, spot, scope);
	if (run->stop != TENON_OK || (!good && run->quiet))
		return false;
	if (node->logic)
		good &= check_logic(run, node->logic, spot, scope);
	/* What is unevaluated is known only when the rest holds. */
	return good && tn_schema_check_unevaluated(run, node, spot, scope);
}

bool tn_schema_visit(struct tn_schema_run *run, const struct tn_schema_node *node,
		     const struct tn_schema_spot *spot, const struct tn_schema_scope *scope)
{
	bool good;

	if (!tn_schema_spend(run, 1, spot))
		return false;
	switch (node->kind) {
	case TN_SCHEMA_ANY:
		return true;
	case TN_SCHEMA_NEVER:
		return tn_schema_fault(run, spot, "false", "not allowed here; leave it out");
	case TN_SCHEMA_EXTERNAL:
		return tn_schema_stop(run, spot, TENON_INVALID, "$ref",
				      "cannot be checked: its schema refers to \"%.*s\", which is "
				      "never fetched",
				      (int)(node->external.size < 120 ? node->external.size : 120),
				      node->external.data);
	default:
		break;
	}
	if (run->frames == TN_SCHEMA_FRAMES_MAX)
		return tn_schema_stop(run, spot, TENON_LIMIT, "$ref",
				      "nested too deeply to be checked; send a flatter value");
	run->frames++;
	good = check_rules(run, node, spot, scope);
	run->frames--;
	return good;
}

enum tenon_code tn_schema_check(const struct tn_schema *schema, const struct tn_json *instance,
				struct tn_schema_faults *faults)
{
	struct tn_schema_run run = {.schema = schema,
				    .faults = faults,
				    .quiet = !faults,
				    .steps = TN_SCHEMA_STEPS_MAX,
				    .pattern_steps = TN_PATTERN_STEPS_MAX};
	const struct tn_schema_spot root = {.value = instance};
	bool good;

	if (faults)
		faults->count = faults->more = 0;
	good = tn_schema_visit(&run, schema->root, &root, NULL);
	if (run.stop != TENON_OK)
		return run.stop;
	return good ? TENON_OK : TENON_INVALID;
}
