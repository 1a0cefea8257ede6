/* Conditions of templates: what they are worth now, and making them so. */
#include "apps/studio/import/internal.h"
#include "apps/studio/document/value.h"

enum { CONDITION_DEPTH_MAX = 16 };

struct subject {                                   /* what a condition looks at */
	const struct tn_studio_property *property; /* NULL: an element without fields */
	const struct tn_json *value;               /* NULL: unset */
	bool bound, variable;
};

static const struct tn_json *default_of(struct tn_import_frame *frame,
					const struct tn_studio_property *property)
{
	const struct tn_studio_property *by;
	const struct tn_json *value, *found;
	struct tn_str key;

	if (!property->default_by || frame->depth >= CONDITION_DEPTH_MAX ||
	    !tn_json_to_str(tn_json_get(property->default_by, "prop"), &key))
		return property->default_value;
	by = tn_studio_property_find(frame->node->type, key);
	frame->depth++;
	value = by && by != property ? tn_import_effective(frame, by) : NULL;
	frame->depth--;
	if (!value)
		return property->default_value;
	if (value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE)
		key = value->type == TN_JSON_TRUE ? TN_STR("true") : TN_STR("false");
	else if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		key = value->text;
	else
		return property->default_value;
	found = tn_json_get_str(tn_json_get(property->default_by, "cases"), key);
	return found ? found : property->default_value;
}

const struct tn_json *tn_import_effective(struct tn_import_frame *frame,
					  const struct tn_studio_property *property)
{
	const struct tn_import_binding *bound =
		tn_import_binding(frame->node->bindings, TN_IMPORT_VALUE, property->key);

	return bound ? bound->value : default_of(frame, property);
}

static struct subject subject_of(struct tn_import_frame *frame, const struct tn_json *condition)
{
	struct subject subject = {0};
	const struct tn_import_binding *bound;
	struct tn_str key;

	if (tn_json_to_str(tn_json_get(condition, "item"), &key)) {
		bound = frame->item ? tn_import_binding(frame->item->bindings, TN_IMPORT_VALUE, key)
				    : NULL;
		for (size_t i = 0; frame->item_of && i < frame->item_of->field_count; i++) {
			if (tn_str_equal(frame->item_of->fields[i].key, key))
				subject.property = &frame->item_of->fields[i];
		}
		subject.bound = bound != NULL;
		if (bound)
			subject.value = bound->value;
		else if (subject.property)
			subject.value = subject.property->default_value;
		return subject;
	}
	if (!tn_json_to_str(tn_json_get(condition, "prop"), &key))
		return subject;
	subject.property = tn_studio_property_find(frame->node->type, key);
	if (!subject.property)
		return subject;
	subject.bound = tn_import_binding(frame->node->bindings, TN_IMPORT_VALUE, key) ||
			tn_import_binding(frame->node->bindings, TN_IMPORT_SECRET, key) ||
			tn_import_list_of(frame->node, subject.property);
	subject.variable = tn_import_binding(frame->node->bindings, TN_IMPORT_MODE, key) ||
			   (subject.property->sensitive && subject.bound);
	subject.value = tn_import_effective(frame, subject.property);
	return subject;
}

static bool among(const struct tn_json *list, const struct tn_json *value)
{
	for (const struct tn_json *one = list->first; value && one; one = one->next) {
		if (tn_json_equal(one, value))
			return true;
	}
	return false;
}

static bool is_value(const struct tn_json *value, const struct tn_json *wanted)
{
	return value ? tn_json_equal(value, wanted) : wanted->type == TN_JSON_NULL;
}

static bool has_value(const struct tn_import_frame *frame, const struct subject *subject)
{
	return subject->variable || !tn_studio_value_is_empty(subject->value) ||
	       (subject->property && tn_import_list_of(frame->node, subject->property));
}

/* Whether it is set, and whether that counts as yes. */
static bool is_truthy(const struct tn_import_frame *frame, const struct subject *subject)
{
	return has_value(frame, subject) &&
	       (subject->variable || !subject->value || tn_studio_value_is_truthy(subject->value));
}

static bool leaf_holds(struct tn_import_frame *frame, const struct tn_json *condition)
{
	struct subject subject = subject_of(frame, condition);
	const struct tn_json *op;
	bool want;

	if ((op = tn_json_get(condition, "is")))
		return is_value(subject.value, op);
	if ((op = tn_json_get(condition, "not")))
		return !is_value(subject.value, op);
	if ((op = tn_json_get(condition, "in")))
		return among(op, subject.value);
	if ((op = tn_json_get(condition, "notIn")))
		return !among(op, subject.value);
	if ((op = tn_json_get(condition, "startsWith")))
		return tn_json_is(subject.value, TN_JSON_STRING) &&
		       tn_str_starts(subject.value->text, op->text);
	if (tn_json_to_bool(tn_json_get(condition, "set"), &want))
		return (has_value(frame, &subject) || tn_json_is(subject.value, TN_JSON_OBJECT)) ==
		       want;
	if (tn_json_to_bool(tn_json_get(condition, "truthy"), &want))
		return is_truthy(frame, &subject) == want;
	return true;
}

static bool ref_holds(const struct tn_import_frame *frame, struct tn_str key)
{
	return tn_import_binding(frame->node->bindings, TN_IMPORT_TARGET, key) != NULL;
}

bool tn_import_holds(struct tn_import_frame *frame, const struct tn_json *condition)
{
	const struct tn_json *parts;
	struct tn_str key;
	bool holds;

	if (!condition || frame->depth >= CONDITION_DEPTH_MAX)
		return true;
	frame->depth++;
	if ((parts = tn_json_get(condition, "all"))) {
		holds = true;
		for (const struct tn_json *one = parts->first; one && holds; one = one->next)
			holds = tn_import_holds(frame, one);
	} else if ((parts = tn_json_get(condition, "any")) ||
		   (parts = tn_json_get(condition, "none"))) {
		holds = false;
		for (const struct tn_json *one = parts->first; one && !holds; one = one->next)
			holds = tn_import_holds(frame, one);
		holds = holds != (tn_json_get(condition, "none") != NULL);
	} else if (tn_json_to_str(tn_json_get(condition, "ref"), &key)) {
		holds = ref_holds(frame, key);
	} else {
		holds = leaf_holds(frame, condition);
	}
	frame->depth--;
	return holds;
}

/* ---- making them so ---- */

static bool set_to(struct tn_import_frame *frame, const struct tn_json *condition,
		   const struct subject *subject, const struct tn_json *value)
{
	struct tn_str key;

	if (!value || value->type == TN_JSON_NULL)
		return true;
	if (tn_json_to_str(tn_json_get(condition, "item"), &key))
		return tn_import_bind_field(frame, key, value);
	return tn_import_bind_value(frame, subject->property, value);
}

static bool set_switch(struct tn_import_frame *frame, const struct tn_json *condition,
		       const struct subject *subject, bool on)
{
	const struct tn_json *value;

	if (subject->property->type != TN_STUDIO_BOOLEAN) {
		/* Its value comes from elsewhere. A list without elements that counts as set is a
		 * variable. */
		if (frame->force && on && !frame->item &&
		    subject->property->type == TN_STUDIO_ARRAY &&
		    subject->property->emit != TN_STUDIO_EMIT_NEVER)
			tn_import_bind(frame->import, &frame->node->bindings, TN_IMPORT_MODE,
				       subject->property->key, NULL, NULL);
		return true;
	}
	value = tn_json_make_bool(frame->import->arena, on);
	return set_to(frame, condition, subject, value);
}

/* Another value than this one: only where there is but one choice. */
static bool set_other(struct tn_import_frame *frame, const struct tn_json *condition,
		      const struct subject *subject, const struct tn_json *value)
{
	const struct tn_json *allowed = subject->property->allowed, *other = NULL;

	if (subject->property->type == TN_STUDIO_BOOLEAN)
		return set_switch(frame, condition, subject, value->type != TN_JSON_TRUE);
	for (const struct tn_json *one = allowed ? allowed->first : NULL; one; one = one->next) {
		if (tn_json_equal(one, value))
			continue;
		if (other)
			return true;
		other = one;
	}
	return other ? set_to(frame, condition, subject, other) : true;
}

static bool assume_leaf(struct tn_import_frame *frame, const struct tn_json *condition, bool want)
{
	struct subject subject = subject_of(frame, condition);
	const struct tn_json *op;
	bool on;

	if (leaf_holds(frame, condition) == want)
		return true;
	if (subject.bound)
		return false;
	if (!subject.property)
		return true;
	if ((op = tn_json_get(condition, "is")))
		return want ? set_to(frame, condition, &subject, op)
			    : set_other(frame, condition, &subject, op);
	if ((op = tn_json_get(condition, "not")))
		return want ? set_other(frame, condition, &subject, op)
			    : set_to(frame, condition, &subject, op);
	if ((op = tn_json_get(condition, "in")))
		return want && op->first && (op->count == 1 || frame->force)
			       ? set_to(frame, condition, &subject, op->first)
			       : true;
	if (tn_json_to_bool(tn_json_get(condition, "truthy"), &on))
		return set_switch(frame, condition, &subject, on == want);
	return true;
}

static bool assume_each(struct tn_import_frame *frame, const struct tn_json *parts, bool want)
{
	for (const struct tn_json *one = parts->first; one; one = one->next) {
		if (!tn_import_assume(frame, one, want))
			return false;
	}
	return true;
}

/* At least one of them: the last that can be, because conditions narrow down from left to right. */
static bool assume_some(struct tn_import_frame *frame, const struct tn_json *parts, bool want)
{
	const struct tn_json *chosen = NULL;
	size_t mark = frame->import->change_count;

	for (const struct tn_json *one = parts->first; one; one = one->next) {
		if (tn_import_holds(frame, one) == want)
			return true;
	}
	for (const struct tn_json *one = parts->first; one; one = one->next) {
		bool done =
			tn_import_assume(frame, one, want) && tn_import_holds(frame, one) == want;

		tn_import_back_to(frame->import, mark);
		if (done)
			chosen = one;
	}
	return chosen ? tn_import_assume(frame, chosen, want) : true;
}

bool tn_import_assume(struct tn_import_frame *frame, const struct tn_json *condition, bool want)
{
	const struct tn_json *parts;
	struct tn_str key;
	bool good;

	if (!condition)
		return want;
	if (frame->depth >= CONDITION_DEPTH_MAX)
		return true;
	frame->depth++;
	if ((parts = tn_json_get(condition, "all")))
		good = want ? assume_each(frame, parts, true) : assume_some(frame, parts, false);
	else if ((parts = tn_json_get(condition, "any")))
		good = want ? assume_some(frame, parts, true) : assume_each(frame, parts, false);
	else if ((parts = tn_json_get(condition, "none")))
		good = want ? assume_each(frame, parts, false) : assume_some(frame, parts, true);
	else if (tn_json_to_str(tn_json_get(condition, "ref"), &key))
		good = want || !ref_holds(frame, key);
	else
		good = assume_leaf(frame, condition, want);
	frame->depth--;
	return good;
}
