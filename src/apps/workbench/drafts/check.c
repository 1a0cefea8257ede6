#include "apps/workbench/drafts/check.h"

#include <stdarg.h>
#include <stdio.h>

#include "apps/workbench/drafts/json_text.h"
#include "apps/workbench/registry/control.h"
#include "apps/workbench/values/id.h"
#include "apps/workbench/values/prop_path.h"
#include "base/utf8.h"

struct check {
	const struct tn_wb_document *document;
	const struct tn_wb_facts *facts;
	struct tn_wb_draft_parts *parts;
	struct tn_wb_op_fault *fault;
	struct tn_wb_prop_path path;
	struct tn_str type_id; /* that the instance is known to have; or empty */
	const struct tn_wb_entry *entry;
	struct tn_wb_prop prop;
};

static bool refuse(struct tn_wb_op_fault *fault, const char *code, const char *format, ...)
	TN_PRINTF(3, 4);

static bool refuse(struct tn_wb_op_fault *fault, const char *code, const char *format, ...)
{
	va_list arguments;

	fault->code = code;
	va_start(arguments, format);
	(void)vsnprintf(fault->message, sizeof(fault->message), format, arguments);
	va_end(arguments);
	fault->message[tn_utf8_cut(tn_str_from(fault->message), sizeof(fault->message) - 4).size] =
		'\0';
	tn_utf8_one_line(fault->message, strlen(fault->message));
	return false;
}

/* For "%.*s" of what others wrote. */
static struct tn_str brief(struct tn_str text)
{
	text = tn_utf8_cut(text, 100);
	return text.size ? text : TN_STR("");
}

/* ---- 1: the shape ---- */

static bool check_type_id(const struct tn_json *op, struct tn_wb_draft_parts *parts,
			  struct tn_wb_op_fault *fault)
{
	const struct tn_json *given = tn_json_get(op, "componentTypeId");

	if (given &&
	    (!tn_json_to_str(given, &parts->type_id) || !tn_wb_type_id_is_valid(parts->type_id)))
		return refuse(fault, "malformed_op",
			      "\"componentTypeId\" is a string of 1 to 200 bytes");
	return true;
}

static bool check_locator(const struct tn_json *locator, struct tn_wb_op_fault *fault)
{
	return !locator || tn_wb_locator_is_valid(locator) ||
	       refuse(fault, "malformed_op",
		      "\"instanceLocator\" has at most 16 KiB and 32 levels, and no number that is "
		      "too large");
}

static bool check_set_shape(const struct tn_json *op, struct tn_wb_draft_parts *parts,
			    struct tn_wb_op_fault *fault)
{
	parts->value = tn_json_get(op, "value");
	parts->locator = tn_json_get(op, "instanceLocator");
	if (!parts->value)
		return refuse(fault, "malformed_op", "a set needs a \"value\"");
	if (!tn_wb_json_is_finite(parts->value))
		return refuse(fault, "malformed_op", "\"value\" has a number that is too large");
	return check_type_id(op, parts, fault) && check_locator(parts->locator, fault);
}

static bool check_kind(const struct tn_json *op, enum tn_wb_op *ret, struct tn_wb_op_fault *fault)
{
	static const char *const names[] = {[TN_WB_SET] = "set",
					    [TN_WB_CLEAR] = "clear",
					    [TN_WB_CLEAR_INSTANCE] = "clearInstance",
					    [TN_WB_CLEAR_ALL] = "clearAll"};
	struct tn_str name = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(op, "op"), &name);
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(name, names[i])) {
			*ret = (enum tn_wb_op)i;
			return true;
		}
	}
	return refuse(fault, "malformed_op",
		      "an op is an object with \"op\": set, clear, clearInstance or clearAll");
}

static bool check_shape(const struct tn_json *op, struct tn_wb_checked *checked,
			struct tn_wb_op_fault *fault)
{
	struct tn_wb_address *address = &checked->parts.address;

	if (!check_kind(op, &checked->op, fault))
		return false;
	if (checked->op == TN_WB_CLEAR_ALL)
		return true;
	if (!tn_json_to_str(tn_json_get(op, "instanceId"), &address->instance_id) ||
	    !tn_wb_instance_id_is_valid(address->instance_id))
		return refuse(fault, "malformed_op",
			      "\"instanceId\" is a string of 1 to 200 bytes");
	if (checked->op == TN_WB_CLEAR_INSTANCE)
		return true;
	if (!tn_json_to_str(tn_json_get(op, "path"), &address->path))
		return refuse(fault, "malformed_op", "\"path\" is a string such as \"/label\"");
	return checked->op == TN_WB_CLEAR || check_set_shape(op, &checked->parts, fault);
}

/* ---- 2: the path ---- */

static bool check_path(struct tn_str text, struct tn_wb_prop_path *path,
		       struct tn_wb_op_fault *fault)
{
	struct tn_str cut = brief(text);

	switch (tn_wb_prop_path_read(path, text)) {
	case TN_WB_PATH_GOOD:
		return true;
	case TN_WB_PATH_UNSAFE:
		return refuse(fault, "unsafe_path",
			      "\"%.*s\" names a part of JavaScript's own objects; no prop is "
			      "called so",
			      (int)cut.size, cut.data);
	default:
		return refuse(fault, "invalid_path",
			      "\"%.*s\" is no JSON Pointer of 1 to 16 names, such as \"/label\" or "
			      "\"/style/color\"",
			      (int)cut.size, cut.data);
	}
}

/* ---- 3, 4: the instance ---- */

/* A stored override of the same instance makes it known; its type too, where it has one. */
static bool is_stored(const struct check *c, struct tn_str *ret_type_id)
{
	const struct tn_wb_address *address = &c->parts->address;
	size_t first, count = tn_wb_document_instance(c->document, address->group,
						      address->instance_id, &first);

	for (size_t i = 0; i < count && !ret_type_id->size; i++)
		*ret_type_id = c->document->slots[first + i].draft->type_id;
	return count > 0;
}

static bool check_instance(struct check *c)
{
	struct tn_str id = brief(c->parts->address.instance_id), known, given;
	bool seen = c->facts->instance &&
		    c->facts->instance(c->facts->data, c->parts->address.instance_id, &c->type_id);

	if (!seen)
		c->type_id = tn_str(NULL, 0);
	if (!c->type_id.size)
		seen = is_stored(c, &c->type_id) || seen;
	if (!seen && (c->facts->lists_instances || !c->parts->type_id.size))
		return refuse(c->fault, "unknown_instance",
			      "no instance \"%.*s\" is there; list the instances, or name its "
			      "componentTypeId where the adapter has no list",
			      (int)id.size, id.data);
	known = brief(c->type_id);
	given = brief(c->parts->type_id);
	if (c->type_id.size && c->parts->type_id.size &&
	    !tn_str_equal(c->type_id, c->parts->type_id))
		return refuse(c->fault, "type_conflict", "the instance is a %.*s, not a %.*s",
			      (int)known.size, known.data, (int)given.size, given.data);
	if (!c->type_id.size)
		c->type_id = c->parts->type_id;
	return true;
}

/* ---- 5 to 8: the prop ---- */

static bool check_type(struct check *c)
{
	const struct tn_wb_registry *registry = c->facts->registry;
	struct tn_str type = brief(c->type_id);

	if (registry && tn_wb_registry_is_disabled(registry, c->type_id))
		return refuse(c->fault, "component_disabled",
			      "%.*s is disabled in the project's configuration", (int)type.size,
			      type.data);
	c->entry = registry && c->type_id.size ? tn_wb_registry_find(registry, c->type_id) : NULL;
	if (c->entry)
		return true;
	if (!c->type_id.size)
		return refuse(c->fault, "unknown_component",
			      "the instance's type is not known; name its componentTypeId");
	return refuse(c->fault, "unknown_component", "the registry has no component type %.*s",
		      (int)type.size, type.data);
}

static bool check_prop(struct check *c)
{
	struct tn_str name = brief(c->path.tokens[0]), kind = {NULL, 0};

	if (!tn_wb_entry_prop(c->entry, c->path.tokens[0], &c->prop))
		return refuse(c->fault, "unknown_prop", "the component has no prop \"%.*s\"",
			      (int)name.size, name.data);
	if (!c->prop.editable)
		return refuse(c->fault, "not_editable", "the prop \"%.*s\" can be looked at alone",
			      (int)name.size, name.data);
	(void)tn_json_to_str(tn_json_get(c->prop.control, "kind"), &kind);
	if (c->path.count > 1 && !tn_str_is(kind, "json"))
		return refuse(c->fault, "path_too_deep",
			      "\"%.*s\" is set as a whole; only json props have paths inside",
			      (int)name.size, name.data);
	return true;
}

/* ---- 9 to 11: the value ---- */

static bool check_size(struct check *c)
{
	struct tn_buf text;
	bool fits;

	tn_buf_init(&text, TN_WB_VALUE_BYTES_MAX);
	tn_wb_json_put_compact(&text, c->parts->value);
	fits = !text.failed && tn_wb_json_depth(c->parts->value) <= TN_WB_VALUE_DEPTH_MAX;
	tn_buf_finish(&text);
	return fits || refuse(c->fault, "value_too_large",
			      "a value has at most 64 KiB and 32 levels of nesting");
}

static bool check_value(struct check *c)
{
	enum tn_wb_fit fit =
		tn_wb_control_check(c->prop.control, c->prop.constraints, c->parts->value);
	struct tn_str name = brief(c->path.tokens[0]);
	char why[TN_WB_FAULT_BYTES / 2];

	if (fit == TN_WB_FITS)
		return check_size(c);
	c->fault->runaway = fit == TN_WB_PATTERN_RUNAWAY;
	tn_wb_fit_explain(fit, c->prop.control, c->prop.constraints, why, sizeof(why));
	return refuse(c->fault, tn_wb_fit_code(fit), "\"%.*s\" %s", (int)name.size, name.data, why);
}

bool tn_wb_check_op(const struct tn_wb_document *document, enum tn_wb_group group,
		    const struct tn_wb_facts *facts, const struct tn_json *op,
		    struct tn_wb_checked *ret, struct tn_wb_op_fault *fault)
{
	struct check c = {
		.document = document, .facts = facts, .parts = &ret->parts, .fault = fault};

	*ret = (struct tn_wb_checked){.parts = {.address = {.group = group}}};
	fault->runaway = false;
	if (!check_shape(op, ret, fault))
		return false;
	if (ret->op != TN_WB_SET && ret->op != TN_WB_CLEAR)
		return true;
	if (!check_path(ret->parts.address.path, &c.path, fault))
		return false;
	/* O7: clears need nothing to be known, and what takes a change back no more than undo. */
	return ret->op == TN_WB_CLEAR ||
	       (facts->past && tn_wb_past_has(facts->past, &ret->parts)) ||
	       (check_instance(&c) && check_type(&c) && check_prop(&c) && check_value(&c));
}
