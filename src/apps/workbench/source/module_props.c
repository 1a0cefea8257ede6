/* The props of a component, as far as the same file says them (R14). */
#include "apps/workbench/limits.h"
#include "apps/workbench/source/module_reader.h"

struct props {
	struct tn_wb_module_reader *reader;
	const struct tn_wb_tree *tree;
	uint32_t first;                  /* of the module's list: this component's begin there */
	bool all_optional, all_required; /* inside of Partial<...>, Required<...> */
};

/* ---- which type ---- */

/* The declaration of a type of this name in this file; none when it is from elsewhere. */
static uint32_t declaration_of(const struct props *props, uint32_t type)
{
	uint32_t name = tn_wb_kind(props->tree, type) == TN_WB_GENERIC_TYPE
				? tn_wb_child(props->tree, type, TN_WB_FIELD_NAME)
				: type;
	void *found = tn_wb_kind(props->tree, name) == TN_WB_TYPE_IDENTIFIER
			      ? tn_map_get(&props->reader->declared, tn_wb_text(props->tree, name))
			      : NULL;

	return found ? (uint32_t)(uintptr_t)found - 1 : TN_WB_NO_NODE;
}

/* "Record" of Record<a, b>, "ReactNode" of React.ReactNode. */
static struct tn_str type_name(const struct tn_wb_tree *tree, uint32_t type)
{
	struct tn_str name;
	size_t dot;

	if (tn_wb_kind(tree, type) == TN_WB_GENERIC_TYPE)
		type = tn_wb_child(tree, type, TN_WB_FIELD_NAME);
	name = tn_wb_text(tree, type);
	for (dot = name.size; dot > 0 && name.data[dot - 1] != '.'; dot--)
		;
	return tn_str_from_offset(name, dot);
}

/* Without the parentheses, `readonly`, and the colon around it. */
static uint32_t bare_type(const struct tn_wb_tree *tree, uint32_t type)
{
	for (;;) {
		switch (tn_wb_kind(tree, type)) {
		case TN_WB_PARENTHESES_TYPE:
		case TN_WB_READONLY_TYPE:
		case TN_WB_TYPE_ANNOTATION:
			type = tn_wb_first(tree, type);
			break;
		default:
			return type;
		}
	}
}

static uint32_t type_argument(const struct tn_wb_tree *tree, uint32_t type, unsigned number)
{
	uint32_t list = tn_wb_child(tree, type, TN_WB_FIELD_TYPE_ARGUMENTS);
	uint32_t found;

	if (list == TN_WB_NO_NODE)
		list = tn_wb_child_of_kind(tree, type, TN_WB_TYPE_ARGUMENTS);
	found = tn_wb_first(tree, list);
	while (number-- > 0)
		found = tn_wb_next(tree, found);
	return found;
}

/* ---- what a type is shown as ---- */

static bool is_one_of(struct tn_str name, const char *const *list)
{
	for (; *list; list++)
		if (tn_str_is(name, *list))
			return true;
	return false;
}

static enum tn_wb_prop_kind kind_of_name(struct tn_str name)
{
	static const char *const slots[] = {"ReactNode", "ReactElement", "ReactChild", NULL};
	static const char *const objects[] = {"Record",        "CSSProperties", "Array",
					      "ReadonlyArray", "object",        NULL};
	static const char *const functions[] = {"Function", NULL};

	if (tn_str_is(name, "string"))
		return TN_WB_PROP_STRING;
	if (tn_str_is(name, "number"))
		return TN_WB_PROP_NUMBER;
	if (tn_str_is(name, "boolean"))
		return TN_WB_PROP_BOOLEAN;
	if (is_one_of(name, slots))
		return TN_WB_PROP_SLOT;
	if (is_one_of(name, objects))
		return TN_WB_PROP_JSON;
	return is_one_of(name, functions) ? TN_WB_PROP_CODE : TN_WB_PROP_OPAQUE;
}

struct look {
	struct tn_wb_source_prop *prop;
	struct tn_str options[TN_WB_OPTIONS_MAX];
	uint32_t option_count;
	bool is_mixed; /* a part of a union that is no literal text */
	bool may_lack; /* `undefined` is among it */
};

static void add_option(const struct props *props, struct look *look, uint32_t literal)
{
	struct tn_str text;

	if (look->option_count == TN_WB_OPTIONS_MAX ||
	    !tn_wb_keep_literal(props->reader, literal, &text)) {
		look->is_mixed = true;
		return;
	}
	for (uint32_t i = 0; i < look->option_count; i++)
		if (tn_str_equal(look->options[i], text))
			return;
	look->options[look->option_count++] = text;
}

static enum tn_wb_prop_kind kind_of_type(const struct props *props, struct look *look,
					 uint32_t type, unsigned depth);

/* `a | b | c`: all literal texts, or one thing that may be undefined. */
static enum tn_wb_prop_kind kind_of_union(const struct props *props, struct look *look,
					  uint32_t type, unsigned depth)
{
	enum tn_wb_prop_kind kind = TN_WB_PROP_OPAQUE;
	unsigned others = 0;

	for (uint32_t i = tn_wb_first(props->tree, type); i != TN_WB_NO_NODE;
	     i = tn_wb_next(props->tree, i)) {
		bool could_lack = look->may_lack;
		enum tn_wb_prop_kind one;

		look->may_lack = false;
		one = kind_of_type(props, look, i,
				   tn_wb_kind(props->tree, i) == TN_WB_UNION ? depth : depth + 1);
		if (one == TN_WB_PROP_OPAQUE && !look->may_lack)
			look->is_mixed = true;
		if (one != TN_WB_PROP_OPAQUE)
			kind = one;
		others += one != TN_WB_PROP_OPAQUE && one != TN_WB_PROP_SELECT;
		look->may_lack = look->may_lack || could_lack;
	}
	look->is_mixed = look->is_mixed || (others > 0 && look->option_count > 0) || others > 1;
	return look->is_mixed ? TN_WB_PROP_OPAQUE : kind;
}

static enum tn_wb_prop_kind kind_of_literal(const struct props *props, struct look *look,
					    uint32_t type)
{
	uint32_t inner = tn_wb_first(props->tree, type);

	if (tn_wb_kind(props->tree, inner) == TN_WB_UNDEFINED) {
		look->may_lack = true;
		return TN_WB_PROP_OPAQUE;
	}
	if (tn_wb_kind(props->tree, inner) != TN_WB_STRING)
		return TN_WB_PROP_OPAQUE;
	add_option(props, look, inner);
	return TN_WB_PROP_SELECT;
}

static enum tn_wb_prop_kind kind_of_declared(const struct props *props, struct look *look,
					     uint32_t type, unsigned depth)
{
	uint32_t declaration = declaration_of(props, type);

	if (declaration == TN_WB_NO_NODE)
		return kind_of_name(type_name(props->tree, type));
	if (tn_wb_kind(props->tree, declaration) == TN_WB_INTERFACE)
		return TN_WB_PROP_JSON;
	return kind_of_type(props, look, tn_wb_child(props->tree, declaration, TN_WB_FIELD_VALUE),
			    depth + 1);
}

static enum tn_wb_prop_kind kind_of_type(const struct props *props, struct look *look,
					 uint32_t type, unsigned depth)
{
	type = bare_type(props->tree, type);
	if (depth > TN_WB_TYPE_DEPTH_MAX || ++props->reader->steps > TN_WB_TYPE_STEPS_MAX)
		return TN_WB_PROP_OPAQUE;
	switch (tn_wb_kind(props->tree, type)) {
	case TN_WB_PREDEFINED_TYPE:
		return kind_of_name(tn_wb_text(props->tree, type));
	case TN_WB_LITERAL_TYPE:
		return kind_of_literal(props, look, type);
	case TN_WB_UNION:
		return kind_of_union(props, look, type, depth);
	case TN_WB_FUNCTION_TYPE:
		return TN_WB_PROP_CODE;
	case TN_WB_OBJECT_TYPE:
	case TN_WB_ARRAY_TYPE:
	case TN_WB_TUPLE_TYPE:
		return TN_WB_PROP_JSON;
	case TN_WB_NESTED_TYPE: /* JSX.Element, React.ReactNode */
		return tn_str_is(tn_wb_text(props->tree, type), "JSX.Element") ||
				       tn_str_is(tn_wb_text(props->tree, type), "React.JSX.Element")
			       ? TN_WB_PROP_SLOT
			       : kind_of_name(type_name(props->tree, type));
	case TN_WB_TYPE_IDENTIFIER:
	case TN_WB_GENERIC_TYPE:
		return kind_of_declared(props, look, type, depth);
	default:
		return TN_WB_PROP_OPAQUE;
	}
}

/* ---- props ---- */

/* `onClick`, `onX1`: what a page calls. */
static bool is_handler(struct tn_str name)
{
	return name.size > 2 && name.data[0] == 'o' && name.data[1] == 'n' && name.data[2] >= 'A' &&
	       name.data[2] <= 'Z';
}

/* The prop of this name, or a new one; NULL: no room. */
static struct tn_wb_source_prop *take_prop(const struct props *props, struct tn_str name)
{
	struct tn_wb_module *module = props->reader->module;
	struct tn_wb_source_prop *list;

	for (uint32_t i = props->first; i < module->prop_count; i++)
		if (tn_str_equal(module->props[i].name, name))
			return &module->props[i];
	if (module->prop_count - props->first >= TN_WB_TYPE_PROPS_MAX)
		return NULL;
	list = tn_wb_grow(props->reader, module->props, module->prop_count, &props->reader->props,
			  sizeof(*list));
	if (!list)
		return NULL;
	module->props = list;
	list[module->prop_count] =
		(struct tn_wb_source_prop){.name = tn_wb_keep(props->reader, name)};
	return &list[module->prop_count++];
}

static void set_options(const struct props *props, const struct look *look)
{
	struct tn_str *copy = tn_arena_alloc_array(&props->reader->module->arena,
						   look->option_count, sizeof(*copy));

	props->reader->failed = props->reader->failed || !copy;
	if (!copy)
		return;
	memcpy(copy, look->options, look->option_count * sizeof(*copy));
	look->prop->options = copy;
	look->prop->option_count = look->option_count;
}

static void set_kind(const struct props *props, struct tn_wb_source_prop *prop, uint32_t type)
{
	struct look look = {.prop = prop};

	prop->kind =
		type == TN_WB_NO_NODE ? TN_WB_PROP_OPAQUE : kind_of_type(props, &look, type, 0);
	if (look.may_lack)
		prop->is_required = false;
	if (prop->kind == TN_WB_PROP_SELECT)
		set_options(props, &look);
	if (tn_str_is(prop->name, "children"))
		prop->kind = TN_WB_PROP_SLOT;
	else if (is_handler(prop->name))
		prop->kind = TN_WB_PROP_CODE;
}

/* `key` and `ref` are React's own. */
static void read_member(const struct props *props, uint32_t node)
{
	const struct tn_wb_tree *tree = props->tree;
	uint32_t name_node = tn_wb_child(tree, node, TN_WB_FIELD_NAME);
	char room[TN_WB_NAME_BYTES_MAX];
	struct tn_str name = tn_wb_text(tree, name_node);
	struct tn_wb_source_prop *prop;

	if (tn_wb_kind(tree, name_node) == TN_WB_STRING) {
		if (!tn_wb_literal(tree, name_node, room, sizeof(room), &name))
			return;
	} else if (tn_wb_kind(tree, name_node) != TN_WB_PROPERTY) {
		return;
	}
	if (name.size == 0 || name.size > TN_WB_NAME_BYTES_MAX || tn_str_is(name, "key") ||
	    tn_str_is(name, "ref"))
		return;
	prop = take_prop(props, name);
	if (!prop)
		return;
	prop->option_count = 0;
	prop->is_required = !props->all_optional &&
			    (props->all_required ||
			     tn_wb_child_of_kind(tree, node, TN_WB_QUESTION) == TN_WB_NO_NODE);
	set_kind(props, prop, tn_wb_child(tree, node, TN_WB_FIELD_TYPE));
	if (tn_wb_kind(tree, node) == TN_WB_METHOD_SIGNATURE)
		prop->kind = TN_WB_PROP_CODE;
}

static void read_type(struct props *props, uint32_t type, unsigned depth);

static void read_members(struct props *props, uint32_t body)
{
	for (uint32_t i = tn_wb_first(props->tree, body); i != TN_WB_NO_NODE;
	     i = tn_wb_next(props->tree, i))
		if (tn_wb_kind(props->tree, i) == TN_WB_PROPERTY_SIGNATURE ||
		    tn_wb_kind(props->tree, i) == TN_WB_METHOD_SIGNATURE)
			read_member(props, i);
}

/* What it extends first: its own members count. */
static void read_interface(struct props *props, uint32_t node, unsigned depth)
{
	uint32_t bases = tn_wb_child_of_kind(props->tree, node, TN_WB_EXTENDS_TYPE);

	for (uint32_t i = tn_wb_first(props->tree, bases); i != TN_WB_NO_NODE;
	     i = tn_wb_next(props->tree, i))
		read_type(props, i, depth + 1);
	read_members(props, tn_wb_child(props->tree, node, TN_WB_FIELD_BODY));
}

/* The few that pass their argument's members on. */
static void read_wrapping(struct props *props, uint32_t type, unsigned depth)
{
	struct tn_str name = type_name(props->tree, type);
	struct props inner = *props;

	inner.all_optional = props->all_optional || tn_str_is(name, "Partial");
	inner.all_required = tn_str_is(name, "Required");
	if (tn_str_is(name, "PropsWithChildren")) {
		struct tn_wb_source_prop *children = take_prop(props, TN_STR("children"));

		if (children)
			children->kind = TN_WB_PROP_SLOT;
	} else if (!tn_str_is(name, "Readonly") && !tn_str_is(name, "Partial") &&
		   !tn_str_is(name, "Required") && !tn_str_is(name, "PropsWithRef")) {
		return;
	}
	read_type(&inner, type_argument(props->tree, type, 0), depth + 1);
}

static void read_type(struct props *props, uint32_t type, unsigned depth)
{
	uint32_t declaration;

	type = bare_type(props->tree, type);
	if (depth > TN_WB_TYPE_DEPTH_MAX || ++props->reader->steps > TN_WB_TYPE_STEPS_MAX)
		return;
	switch (tn_wb_kind(props->tree, type)) {
	case TN_WB_OBJECT_TYPE:
		read_members(props, type);
		break;
	case TN_WB_INTERSECTION:
		for (uint32_t i = tn_wb_first(props->tree, type); i != TN_WB_NO_NODE;
		     i = tn_wb_next(props->tree, i))
			read_type(props, i,
				  tn_wb_kind(props->tree, i) == TN_WB_INTERSECTION ? depth
										   : depth + 1);
		break;
	case TN_WB_TYPE_IDENTIFIER:
	case TN_WB_GENERIC_TYPE:
	case TN_WB_NESTED_TYPE:
		declaration = declaration_of(props, type);
		if (declaration == TN_WB_NO_NODE)
			read_wrapping(props, type, depth);
		else if (tn_wb_kind(props->tree, declaration) == TN_WB_INTERFACE)
			read_interface(props, declaration, depth);
		else
			read_type(props, tn_wb_child(props->tree, declaration, TN_WB_FIELD_VALUE),
				  depth + 1);
		break;
	default:
		break;
	}
}

/* ---- defaults ---- */

/* A literal as JSON; empty: it is none that JSON has. */
static struct tn_str json_of(const struct props *props, uint32_t node)
{
	const struct tn_wb_tree *tree = props->tree;
	struct tn_str text = tn_wb_text(tree, node);

	switch (tn_wb_kind(tree, node)) {
	case TN_WB_TRUE:
	case TN_WB_FALSE:
		return text;
	case TN_WB_UNARY:
		if (text.size < 2 || text.data[0] != '-' || !tn_is_digit(text.data[1]))
			return tn_str("", 0);
		break;
	case TN_WB_NUMBER:
		break;
	default:
		return tn_str("", 0);
	}
	/* 1, 0.5, -3; not 0x10, 1_000, 07 or .5. */
	for (size_t i = text.data[0] == '-'; i < text.size; i++)
		if (!tn_is_digit(text.data[i]) &&
		    (text.data[i] != '.' || i + 1 == text.size || i == 0))
			return tn_str("", 0);
	if (text.size > 1 && text.data[0] == '0' && text.data[1] != '.')
		return tn_str("", 0);
	return text;
}

static bool is_option(const struct tn_wb_source_prop *prop, struct tn_str text)
{
	for (uint32_t i = 0; i < prop->option_count; i++)
		if (tn_str_equal(prop->options[i], text))
			return true;
	return false;
}

/* Only what the prop's own control takes: `standard` is a text's content for texts, else JSON. */
static void set_standard(const struct props *props, struct tn_str name, uint32_t value)
{
	struct tn_wb_module *module = props->reader->module;
	enum tn_wb_syntax_kind kind;
	struct tn_str text;

	value = tn_wb_bare(props->tree, value);
	kind = tn_wb_kind(props->tree, value);
	for (uint32_t i = props->first; i < module->prop_count; i++) {
		struct tn_wb_source_prop *prop = &module->props[i];
		bool is_text = prop->kind == TN_WB_PROP_STRING || prop->kind == TN_WB_PROP_SELECT;

		if (!tn_str_equal(prop->name, name))
			continue;
		if (is_text && tn_wb_keep_literal(props->reader, value, &text) &&
		    (prop->kind == TN_WB_PROP_STRING || is_option(prop, text))) {
			prop->standard = text;
			prop->has_standard = true;
		}
		if ((prop->kind == TN_WB_PROP_BOOLEAN &&
		     (kind == TN_WB_TRUE || kind == TN_WB_FALSE)) ||
		    (prop->kind == TN_WB_PROP_NUMBER &&
		     (kind == TN_WB_NUMBER || kind == TN_WB_UNARY))) {
			text = json_of(props, value);
			prop->standard = tn_wb_keep(props->reader, text);
			prop->has_standard = text.size > 0;
		}
	}
}

static void read_standards(const struct props *props, uint32_t pattern)
{
	const struct tn_wb_tree *tree = props->tree;

	if (tn_wb_kind(tree, pattern) != TN_WB_OBJECT_PATTERN)
		return;
	for (uint32_t i = tn_wb_first(tree, pattern); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		uint32_t value = tn_wb_child(tree, i, TN_WB_FIELD_VALUE);

		if (tn_wb_kind(tree, i) == TN_WB_DEFAULT_PATTERN)
			set_standard(props,
				     tn_wb_text(tree, tn_wb_child(tree, i, TN_WB_FIELD_LEFT)),
				     tn_wb_child(tree, i, TN_WB_FIELD_RIGHT));
		else if (tn_wb_kind(tree, i) == TN_WB_PAIR_PATTERN &&
			 tn_wb_kind(tree, value) == TN_WB_ASSIGNMENT_PATTERN)
			set_standard(props, tn_wb_text(tree, tn_wb_child(tree, i, TN_WB_FIELD_KEY)),
				     tn_wb_child(tree, value, TN_WB_FIELD_RIGHT));
	}
}

/* ---- the component ---- */

/* `const X: React.FC<Props> = ...`. */
static uint32_t type_of_variable(const struct tn_wb_tree *tree, uint32_t value)
{
	uint32_t around = tn_wb_parent(tree, value);
	uint32_t type;

	if (tn_wb_kind(tree, around) != TN_WB_DECLARATOR)
		return TN_WB_NO_NODE;
	type = bare_type(tree, tn_wb_child(tree, around, TN_WB_FIELD_TYPE));
	return tn_wb_kind(tree, type) == TN_WB_GENERIC_TYPE ? type_argument(tree, type, 0)
							    : TN_WB_NO_NODE;
}

/* The function inside of memo(forwardRef(...)), by name or as it is; *ret_type: what was given as
 * <...> on the way. */
static uint32_t unwrap(const struct props *props, uint32_t value, uint32_t *ret_type)
{
	const struct tn_wb_tree *tree = props->tree;

	for (unsigned depth = 0; depth < TN_WB_TYPE_DEPTH_MAX; depth++) {
		uint32_t inner = tn_wb_wrapped(tree, value);
		bool is_ref;

		if (tn_wb_kind(tree, value) == TN_WB_IDENTIFIER) {
			uint32_t unit =
				tn_wb_module_unit(props->reader->module, tn_wb_text(tree, value));

			inner = unit == TN_WB_NONE ? TN_WB_NO_NODE
						   : props->reader->unit_values[unit];
		} else if (inner != TN_WB_NO_NODE && *ret_type == TN_WB_NO_NODE) {
			is_ref = tn_str_is(tn_wb_last_name(tree, tn_wb_child(tree, value,
									     TN_WB_FIELD_FUNCTION)),
					   "forwardRef");
			*ret_type = type_argument(tree, value, is_ref ? 1 : 0);
		}
		if (inner == TN_WB_NO_NODE)
			return value;
		value = inner;
	}
	return TN_WB_NO_NODE;
}

static uint32_t first_parameter(const struct tn_wb_tree *tree, uint32_t function)
{
	uint32_t list = tn_wb_child(tree, function, TN_WB_FIELD_PARAMETERS);
	uint32_t parameter = tn_wb_first(tree, list);

	while (parameter != TN_WB_NO_NODE && tn_wb_kind(tree, parameter) != TN_WB_PARAMETER &&
	       tn_wb_kind(tree, parameter) != TN_WB_OPTIONAL_PARAMETER)
		parameter = tn_wb_next(tree, parameter);
	return parameter;
}

void tn_wb_read_props(struct tn_wb_module_reader *reader, uint32_t unit)
{
	const struct tn_wb_tree *tree = reader->tree;
	struct props props = {.reader = reader, .tree = tree, .first = reader->module->prop_count};
	uint32_t value = reader->unit_values[unit];
	uint32_t type = type_of_variable(tree, value);
	uint32_t function = unwrap(&props, value, &type);
	uint32_t parameter = first_parameter(tree, function);
	uint32_t written = tn_wb_child(tree, parameter, TN_WB_FIELD_TYPE);

	reader->steps = 0;
	if (tn_wb_is_class(tn_wb_kind(tree, function)))
		written =
			type_argument(tree,
				      tn_wb_first(tree, tn_wb_child_of_kind(tree, function,
									    TN_WB_CLASS_HERITAGE)),
				      0);
	if (written != TN_WB_NO_NODE)
		type = written;
	if (type != TN_WB_NO_NODE)
		read_type(&props, type, 0);
	read_standards(&props, tn_wb_child(tree, parameter, TN_WB_FIELD_PATTERN));
}
