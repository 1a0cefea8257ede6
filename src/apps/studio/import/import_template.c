/* Bodies of templates, backwards: which item wrote which attribute and block. */
#include "apps/studio/import/internal.h"
#include "apps/studio/document/value.h"

enum { BODY_DEPTH_MAX = 16 };

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* "key" is the attribute of that name with the property of that name. */
static struct tn_str attribute_of(const struct tn_json *item)
{
	return item->type == TN_JSON_STRING ? item->text : text_of(item, "attr");
}

static bool unify_item(struct tn_import_frame *frame, const struct tn_json *item,
		       const struct tn_hcl_value *value)
{
	struct tn_json prop = {.type = TN_JSON_STRING, .key = TN_STR("prop")};
	struct tn_json plain = {.type = TN_JSON_OBJECT, .count = 1};

	if (item->type != TN_JSON_STRING)
		return tn_import_unify(frame, tn_json_get(item, "value"), value);
	prop.text = item->text;
	plain.first = &prop;
	return tn_import_unify(frame, &plain, value);
}

/* How much it says of a node that this item fits: what fits everything comes last. */
static unsigned score(const struct tn_json *item)
{
	const struct tn_json *expr =
		item->type == TN_JSON_STRING ? NULL : tn_json_get(item, "value");
	struct tn_str text;
	size_t plain = 0;
	bool inside = false;

	if (!expr)
		return 2;
	if (tn_json_get(expr, "lit"))
		return 5;
	if (tn_json_get(expr, "part") || tn_json_get(expr, "lookup") || tn_json_get(expr, "choose"))
		return 3;
	if (!tn_json_to_str(tn_json_get(expr, "text"), &text))
		return 2;
	for (size_t i = 0; i < text.size; i++) {
		inside = inside ? text.data[i] != '}' : text.data[i] == '{';
		plain += !inside && text.data[i] != '}';
	}
	return plain > 0 ? 4 : 1;
}

static bool try_attribute(struct tn_import_frame *frame, const struct tn_json *item,
			  struct tn_hcl_attribute *attribute)
{
	struct tn_import *import = frame->import;
	size_t mark = import->change_count;
	const struct tn_json *condition =
		item->type == TN_JSON_STRING ? NULL : tn_json_get(item, "if");

	if (unify_item(frame, item, attribute->value) && tn_import_assume(frame, condition, true)) {
		TN_IMPORT_SET(import, attribute->mark, item);
		return true;
	}
	tn_import_back_to(import, mark);
	return false;
}

static size_t items_named(const struct tn_json *items, struct tn_str name)
{
	size_t count = 0;

	for (const struct tn_json *item = items->first; item; item = item->next)
		count += tn_str_equal(attribute_of(item), name);
	return count;
}

static void match_attribute(struct tn_import_frame *frame, const struct tn_json *items,
			    struct tn_hcl_attribute *attribute, unsigned most, unsigned least)
{
	for (unsigned want = most; want >= least; want--) {
		for (const struct tn_json *item = items->first; item; item = item->next) {
			if (tn_str_equal(attribute_of(item), attribute->name) &&
			    score(item) == want && try_attribute(frame, item, attribute))
				return;
		}
	}
}

/* Choices first, because they say what a node is; then what is written as it is; then what follows
 * from that; and again for what depends on what came after it. */
static void match_attributes(struct tn_import_frame *frame, const struct tn_json *items,
			     struct tn_hcl_body *body)
{
	for (int round = 0; round < 4; round++) {
		for (struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
			if (one->mark)
				continue;
			if (round == 0 && items_named(items, one->name) > 1)
				match_attribute(frame, items, one, 5, 3);
			else if (round == 1)
				match_attribute(frame, items, one, 2, 2);
			else if (round > 1)
				match_attribute(frame, items, one, 5, 1);
		}
	}
}

/* ---- nested blocks ---- */

static size_t blocks_named(const struct tn_json *items, struct tn_str name)
{
	size_t count = 0;

	for (const struct tn_json *item = items->first; item; item = item->next)
		count += item->type == TN_JSON_OBJECT && tn_str_equal(text_of(item, "block"), name);
	return count;
}

/* Everything inside must be understood where another item could have written the block. */
static bool try_block(struct tn_import_frame *frame, const struct tn_json *item,
		      struct tn_hcl_block *block, bool strict)
{
	struct tn_import *import = frame->import;
	const struct tn_json *condition = tn_json_get(item, "if");
	size_t mark = import->change_count;

	/* What is inside may be what another item says: it is no reason for this one. */
	if (strict && condition &&
	    (!tn_import_assume(frame, condition, true) || !tn_import_holds(frame, condition))) {
		tn_import_back_to(import, mark);
		return false;
	}
	tn_import_match(frame, tn_json_get(item, "items"), block->body);
	if ((!strict || tn_import_leftovers(block->body) == 0) &&
	    tn_import_assume(frame, condition, true)) {
		TN_IMPORT_SET(import, block->mark, item);
		return true;
	}
	tn_import_back_to(import, mark);
	return false;
}

static void match_single(struct tn_import_frame *frame, const struct tn_json *item,
			 struct tn_hcl_body *body, bool strict)
{
	struct tn_str name = text_of(item, "block");

	for (struct tn_hcl_block *block = body->blocks; block; block = block->next) {
		if (!block->mark && tn_str_equal(block->type, name) &&
		    try_block(frame, item, block, strict))
			return;
	}
}

static bool match_element(struct tn_import_frame *frame, const struct tn_json *item,
			  const struct tn_studio_property *property, struct tn_hcl_block *block,
			  bool strict)
{
	struct tn_import *import = frame->import;
	struct tn_import_frame inside = *frame;
	size_t mark = import->change_count;

	inside.item = tn_import_add_item(import, frame->node, property);
	inside.item_of = property;
	if (inside.item && try_block(&inside, item, block, strict) &&
	    tn_import_assume(&inside, tn_json_get(item, "eachIf"), true))
		return true;
	tn_import_back_to(import, mark);
	return false;
}

/* A block that is written once for what several elements share (`unique`): it may say more of an
 * element that is known already. */
static bool match_known_element(struct tn_import_frame *frame, const struct tn_json *item,
				const struct tn_studio_property *property,
				struct tn_hcl_block *block)
{
	const struct tn_import_list *list = tn_import_list_of(frame->node, property);
	const struct tn_hcl_attribute *key =
		tn_import_attribute(block->body, text_of(item, "unique"));
	struct tn_import *import = frame->import;
	size_t mark = import->change_count;

	for (struct tn_import_item *one = list && key ? list->first : NULL; one; one = one->next) {
		struct tn_import_frame inside = *frame;
		const struct tn_import_binding *before = one->bindings;
		const struct tn_json *items = tn_json_get(item, "items");
		bool known = false;

		inside.item = one;
		inside.item_of = property;
		for (const struct tn_json *inner = items->first; inner; inner = inner->next) {
			if (tn_str_equal(attribute_of(inner), key->name))
				known = unify_item(&inside, inner, key->value) &&
					one->bindings == before;
		}
		tn_import_back_to(import, mark);
		if (known && try_block(&inside, item, block, true))
			return true;
		tn_import_back_to(import, mark);
	}
	return false;
}

static void match_each(struct tn_import_frame *frame, const struct tn_json *item,
		       struct tn_hcl_body *body, bool strict)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(frame->node->type, text_of(item, "each"));
	struct tn_str name = text_of(item, "block");
	bool unique = tn_json_get(item, "unique") != NULL;

	if (!property)
		return;
	for (struct tn_hcl_block *block = body->blocks; block; block = block->next) {
		if (block->mark || !tn_str_equal(block->type, name))
			continue;
		if (unique ? match_known_element(frame, item, property, block)
			   : match_element(frame, item, property, block, strict))
			(void)tn_import_assume(frame, property->visible_when, true);
	}
}

static void match_blocks(struct tn_import_frame *frame, const struct tn_json *items,
			 struct tn_hcl_body *body)
{
	/* Single blocks first; those that add to known elements last. */
	for (int pass = 0; pass < 3; pass++) {
		for (const struct tn_json *item = items->first; item; item = item->next) {
			struct tn_str name =
				item->type == TN_JSON_OBJECT ? text_of(item, "block") : TN_STR("");
			bool each = tn_json_get(item, "each") != NULL;
			bool unique = tn_json_get(item, "unique") != NULL;

			if (name.size == 0 || pass != each + unique)
				continue;
			if (each)
				match_each(frame, item, body, blocks_named(items, name) > 1);
			else
				match_single(frame, item, body, blocks_named(items, name) > 1);
		}
	}
}

/* ---- what is not there ---- */

static bool is_taken(const struct tn_json *item, const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (one->mark == item)
			return true;
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (one->mark == item)
			return true;
	}
	return false;
}

/* A switch that is written only when it is on (or off) and does not stand there is the other. */
static void note_absent_switch(struct tn_import_frame *frame, struct tn_str key)
{
	const struct tn_studio_property *property = tn_studio_property_find(frame->node->type, key);
	const struct tn_json *value;
	bool shown;

	if (!property || property->type != TN_STUDIO_BOOLEAN ||
	    (property->emit != TN_STUDIO_EMIT_TRUE && property->emit != TN_STUDIO_EMIT_FALSE) ||
	    tn_import_binding(frame->node->bindings, TN_IMPORT_VALUE, key) ||
	    tn_import_binding(frame->node->bindings, TN_IMPORT_MODE, key) ||
	    !tn_import_holds(frame, property->visible_when))
		return;
	shown = property->emit == TN_STUDIO_EMIT_TRUE;
	value = tn_import_effective(frame, property);
	if (value && (value->type == TN_JSON_TRUE) == shown)
		(void)tn_import_bind_value(frame, property,
					   tn_json_make_bool(frame->import->arena, !shown));
}

static void note_absent(struct tn_import_frame *frame, const struct tn_json *item)
{
	size_t mark = frame->import->change_count;
	const struct tn_json *expr, *condition;
	struct tn_str key;

	if (item->type == TN_JSON_STRING) {
		note_absent_switch(frame, item->text);
		return;
	}
	expr = tn_json_get(item, "value");
	condition = tn_json_get(item, "if");
	if (!condition && tn_json_to_str(tn_json_get(expr, "prop"), &key)) {
		note_absent_switch(frame, key);
		return;
	}
	if (!condition || tn_json_get(item, "each") || tn_json_get(expr, "ref") ||
	    !tn_import_holds(frame, condition))
		return;
	if (!tn_import_assume(frame, condition, false))
		tn_import_back_to(frame->import, mark);
}

/* What was written although its condition does not hold: the condition leaves a choice. */
static void force_taken(struct tn_import_frame *frame, const struct tn_hcl_body *body)
{
	frame->force = true;
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		const struct tn_json *item = one->mark;

		if (item && item->type == TN_JSON_OBJECT &&
		    !tn_import_holds(frame, tn_json_get(item, "if")))
			(void)tn_import_assume(frame, tn_json_get(item, "if"), true);
	}
	frame->force = false;
}

void tn_import_match(struct tn_import_frame *frame, const struct tn_json *items,
		     struct tn_hcl_body *body)
{
	if (!items || items->type != TN_JSON_ARRAY || frame->depth >= BODY_DEPTH_MAX)
		return;
	frame->depth++;
	match_attributes(frame, items, body);
	match_blocks(frame, items, body);
	for (struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (!one->mark)
			match_attribute(frame, items, one, 5, 1);
	}
	force_taken(frame, body);
	for (const struct tn_json *item = items->first; item; item = item->next) {
		if (!is_taken(item, body))
			note_absent(frame, item);
	}
	frame->depth--;
}

/* ---- what was not understood ---- */

size_t tn_import_leftovers(const struct tn_hcl_body *body)
{
	size_t count = 0;

	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next)
		count += !one->mark;
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next)
		count += one->mark ? tn_import_leftovers(one->body) : 1;
	return count;
}

static bool is_needed(const struct tn_json *item)
{
	const struct tn_json *expr =
		item->type == TN_JSON_STRING ? NULL : tn_json_get(item, "value");

	return tn_json_get(expr, "scope") ||
	       (tn_json_get(expr, "ref") &&
		tn_json_is(tn_json_get(item, "required"), TN_JSON_TRUE));
}

bool tn_import_is_lost(const struct tn_json *items, const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		for (const struct tn_json *item = items && !one->mark ? items->first : NULL; item;
		     item = item->next) {
			if (tn_str_equal(attribute_of(item), one->name) && is_needed(item))
				return true;
		}
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		const struct tn_json *item = one->mark;

		if (item && tn_import_is_lost(tn_json_get(item, "items"), one->body))
			return true;
	}
	return false;
}

static void add_note(struct tn_import *import, struct tn_import_node *node,
		     const struct tn_import_object *object, struct tn_hcl_range range,
		     struct tn_str path, struct tn_str text, const char *why)
{
	struct tn_import_note *note = tn_import_new(import, sizeof(*note));

	if (!note)
		return;
	*note = (struct tn_import_note){.file = object->file,
					.line = range.line,
					.attribute = path,
					.text = text,
					.why = why};
	if (node->last_note)
		node->last_note->next = note;
	else
		node->notes = note;
	node->last_note = note;
}

static void note_body(struct tn_import *import, struct tn_import_node *node,
		      const struct tn_import_object *object, const struct tn_hcl_body *body,
		      struct tn_str prefix)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (!one->mark)
			add_note(import, node, object, one->range,
				 tn_import_format(import->arena, "%.*s%.*s", (int)prefix.size,
						  prefix.data, (int)one->name.size, one->name.data),
				 one->value->text, "its type has no place for this value");
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		struct tn_str path =
			tn_import_format(import->arena, "%.*s%.*s", (int)prefix.size, prefix.data,
					 (int)one->type.size, one->type.data);

		if (!one->mark)
			add_note(import, node, object, one->range, path, one->text,
				 "its type has no such block");
		else
			note_body(import, node, object, one->body,
				  tn_import_format(import->arena, "%.*s.", (int)path.size,
						   path.data));
	}
}

void tn_import_note_leftovers(struct tn_import *import, struct tn_import_node *node,
			      const struct tn_import_object *object)
{
	/* A state has everything the provider knows; only configuration is what somebody wrote. */
	if (!import->state)
		note_body(import, node, object, object->body, TN_STR(""));
}
