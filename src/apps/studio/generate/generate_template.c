/* generate_template.c - items of HCL templates to the body of a block (studio.md 5.4, 5.5). */
#include "apps/studio/generate/internal.h"

static struct tn_str member(const struct tn_json *item, const char *key)
{
	struct tn_str text = tn_str("", 0);
	(void)tn_json_to_str(tn_json_get(item, key), &text); /* absent is empty */
	return text;
}

void tn_studio_eval_set_item(struct tn_studio_eval *eval, const struct tn_studio_property *of,
			     const struct tn_json *item)
{
	eval->scope.item = item;
	eval->scope.item_fields = of ? of->fields : NULL;
	eval->scope.item_field_count = of ? of->field_count : 0;
}

/* {"key":K,"value":V} for each entry, in the arena. */
static const struct tn_json *pairs(struct tn_arena *arena, const struct tn_json *map)
{
	struct tn_json *list = tn_arena_alloc(arena, sizeof(*list));
	struct tn_json *made = tn_arena_alloc_array(arena, (size_t)map->count * 3, sizeof(*made));
	struct tn_json **end = list ? &list->first : NULL;
	if (!list || !made)
		return NULL;
	list->type = TN_JSON_ARRAY;
	for (const struct tn_json *one = map->first; one; one = one->next, made += 3) {
		made[1] = (struct tn_json){.type = TN_JSON_STRING, .key = TN_STR("key")};
		made[1].text = one->key;
		made[1].next = &made[2];
		made[2] = *one;
		made[2].key = TN_STR("value");
		made[2].next = NULL;
		made[0].type = TN_JSON_OBJECT;
		made[0].count = 2;
		made[0].first = &made[1];
		*end = made;
		end = &made->next;
		list->count++;
	}
	return list;
}

const struct tn_json *tn_studio_eval_elements(struct tn_studio_eval *eval, struct tn_str key,
					      const struct tn_studio_property **ret)
{
	const struct tn_studio_property *property = tn_studio_eval_find(eval, key);
	*ret = property;
	if (!property || !tn_studio_is_visible(&eval->scope, property))
		return NULL;
	const struct tn_json *value = tn_studio_value(&eval->scope, property);
	if (property->emit != TN_STUDIO_EMIT_NEVER && !property->sensitive && eval->node &&
	    tn_studio_is_variable(&eval->scope, property))
		tn_studio_gen_tell(eval->gen, TN_STUDIO_INFO, "UNSUPPORTED", eval->node,
				   property->key,
				   "'%.*s' of '%.*s' is written element by element; it cannot be a "
				   "variable.",
				   (int)property->label.size, property->label.data,
				   (int)eval->node->label.size, eval->node->label.data);
	if (tn_json_is(value, TN_JSON_OBJECT) && value->count)
		return pairs(eval->gen->arena, value);
	return tn_json_is(value, TN_JSON_ARRAY) ? value : NULL;
}

/* ---- attributes ---- */

/* The default, by another property where it depends on one. */
static const struct tn_json *default_of(struct tn_studio_eval *eval,
					const struct tn_studio_property *property)
{
	const struct tn_json *by = property->default_by;
	const struct tn_json *found =
		by ? tn_studio_case(tn_json_get(by, "cases"),
				    tn_studio_value_by_key(&eval->scope, member(by, "prop")))
		   : NULL;
	return found ? found : property->default_value;
}

/* By `emit` of a property whose value alone is the attribute's. */
static bool is_emitted(struct tn_studio_eval *eval, const struct tn_studio_property *property)
{
	if (property->emit == TN_STUDIO_EMIT_NEVER || (!eval->node && property->sensitive) ||
	    !tn_studio_is_visible(&eval->scope, property))
		return false;
	if (tn_studio_is_variable(&eval->scope, property))
		return true;
	const struct tn_json *value = tn_studio_value(&eval->scope, property);
	switch (property->emit) {
	case TN_STUDIO_EMIT_TRUE:
		return tn_json_is(value, TN_JSON_TRUE);
	case TN_STUDIO_EMIT_FALSE:
		return tn_json_is(value, TN_JSON_FALSE);
	case TN_STUDIO_EMIT_CHANGED:
		return !tn_studio_value_is_empty(value) &&
		       !(default_of(eval, property) &&
			 tn_json_equal(value, default_of(eval, property)));
	default:
		return !tn_studio_value_is_empty(value);
	}
}

static void tell_missing(struct tn_studio_eval *eval, struct tn_str reference)
{
	const struct tn_studio_property *property = tn_studio_eval_find(eval, reference);
	struct tn_str label = property ? property->label : reference;
	if (!eval->node || (property && !tn_studio_is_visible(&eval->scope, property)))
		return;
	tn_studio_gen_tell(eval->gen, TN_STUDIO_ERROR, "MISSING_REFERENCE", eval->node, reference,
			   "'%.*s' needs its reference %.*s.", (int)eval->node->label.size,
			   eval->node->label.data, (int)label.size, label.data);
}

/* One attribute; true: what it says is not constant. */
static bool add_attribute(struct tn_studio_eval *eval, const struct tn_json *item,
			  struct tn_studio_hcl_body *body)
{
	bool plain = item->type == TN_JSON_STRING; /* "key" */
	struct tn_str name = plain ? item->text : member(item, "attr");
	const struct tn_json *expr = plain ? NULL : tn_json_get(item, "value");
	struct tn_str key = plain ? name : member(expr, "prop");
	struct tn_studio_hcl_value *value = NULL;
	bool is_ref = tn_json_get(expr, "ref") != NULL;
	if (tn_json_is(tn_json_get(item, "former"), TN_JSON_TRUE))
		return false; /* what an import may find */
	eval->touched = tn_str("", 0);
	if (key.size) {
		const struct tn_studio_property *property = tn_studio_eval_find(eval, key);
		if (property && is_emitted(eval, property))
			value = tn_studio_eval_property(eval, property, member(expr, "as"));
	} else {
		value = tn_studio_eval(eval, expr);
	}
	if (!value && is_ref && tn_json_is(tn_json_get(item, "required"), TN_JSON_TRUE))
		tell_missing(eval, member(expr, "ref"));
	struct tn_studio_hcl_item *made =
		tn_studio_hcl_attribute(eval->gen->arena, body, name, value);
	if (!made)
		return false;
	made->property = eval->touched;
	made->source = eval->node;
	return key.size || is_ref || tn_json_get(expr, "item") || tn_json_get(item, "if");
}

/* ---- nested blocks ---- */

static const struct tn_studio_hcl_value *attribute_value(const struct tn_studio_hcl_body *body,
							 struct tn_str name)
{
	for (const struct tn_studio_hcl_item *one = body->first; one; one = one->next) {
		if (one->value && tn_str_equal(one->name, name))
			return one->value;
	}
	return NULL;
}

/* `unique`: an earlier block of this name whose attribute prints the same. */
static bool is_repeated(const struct tn_studio_hcl_body *body, struct tn_str name,
			struct tn_str unique, const struct tn_studio_hcl_body *made)
{
	const struct tn_studio_hcl_value *mine = attribute_value(made, unique);
	for (const struct tn_studio_hcl_item *one = body->first; mine && one; one = one->next) {
		const struct tn_studio_hcl_value *theirs =
			!one->value && tn_str_equal(one->name, name)
				? attribute_value(&one->body, unique)
				: NULL;
		if (theirs && tn_str_equal(theirs->text, mine->text))
			return true;
	}
	return false;
}

static struct tn_studio_hcl_item *add_nested(struct tn_studio_eval *eval, struct tn_str name,
					     struct tn_studio_hcl_body *body,
					     struct tn_studio_hcl_body inside)
{
	struct tn_studio_hcl_item *nested = tn_studio_hcl_nested(eval->gen->arena, body, name);
	if (nested) {
		nested->body = inside;
		nested->source = eval->node;
	}
	return nested;
}

static bool add_each(struct tn_studio_eval *eval, const struct tn_json *item,
		     struct tn_studio_hcl_body *body)
{
	const struct tn_studio_property *property;
	struct tn_str key = member(item, "each"), name = member(item, "block");
	struct tn_str unique = member(item, "unique");
	const struct tn_json *elements = tn_studio_eval_elements(eval, key, &property);
	bool any = false;
	for (const struct tn_json *one = elements ? elements->first : NULL; one; one = one->next) {
		struct tn_studio_eval inner = *eval;
		struct tn_studio_hcl_body inside = {NULL, NULL};
		tn_studio_eval_set_item(&inner, property, one);
		if (!tn_studio_condition_holds(&inner.scope, tn_json_get(item, "eachIf")))
			continue;
		(void)tn_studio_template(&inner, tn_json_get(item, "items"), &inside);
		if (unique.size && is_repeated(body, name, unique, &inside))
			continue;
		struct tn_studio_hcl_item *made = add_nested(eval, name, body, inside);
		if (made)
			made->property = key;
		any = any || made;
	}
	return any;
}

static bool add_block(struct tn_studio_eval *eval, const struct tn_json *item,
		      struct tn_studio_hcl_body *body)
{
	struct tn_studio_hcl_body inside = {NULL, NULL};
	if (tn_json_get(item, "each"))
		return add_each(eval, item, body);
	bool conditional = tn_json_get(item, "if") != NULL;
	bool keep = tn_json_is(tn_json_get(item, "keep"), TN_JSON_TRUE);
	bool varies = tn_studio_template(eval, tn_json_get(item, "items"), &inside);
	if (!varies && !keep && !conditional)
		return false;
	return add_nested(eval, member(item, "block"), body, inside) && (varies || conditional);
}

bool tn_studio_template(struct tn_studio_eval *eval, const struct tn_json *items,
			struct tn_studio_hcl_body *body)
{
	bool varies = false;
	for (const struct tn_json *item = tn_json_is(items, TN_JSON_ARRAY) ? items->first : NULL;
	     item; item = item->next) {
		if (!tn_studio_condition_holds(&eval->scope, tn_json_get(item, "if")))
			continue;
		if (tn_json_get(item, "block"))
			varies |= add_block(eval, item, body);
		else
			varies |= add_attribute(eval, item, body);
	}
	return varies;
}
