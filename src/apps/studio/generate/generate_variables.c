/* generate_variables.c - variables of the configuration and what they are worth (studio.md 8.4). */
#include "apps/studio/generate/internal.h"

#include "apps/studio/document/declared.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

static const char *type_of(const struct tn_studio_property *property, struct tn_str as)
{
	if (tn_str_is(as, "number") || (!as.size && property->type == TN_STUDIO_NUMBER))
		return "number";
	if (tn_str_is(as, "string"))
		return "string";
	switch (property->type) {
	case TN_STUDIO_BOOLEAN:
		return "bool";
	case TN_STUDIO_ARRAY:
	case TN_STUDIO_ENUM_LIST:
		return "list(string)";
	case TN_STUDIO_MAP:
		return "map(string)";
	default:
		return "string";
	}
}

/* The one of this node and property, or a new one: a name that somebody else has gets _2. */
static struct tn_studio_gen_variable *declare(struct tn_studio_eval *eval, struct tn_str name,
					      const struct tn_studio_property *of, bool *ret_new)
{
	struct tn_studio_gen *gen = eval->gen;
	struct tn_studio_gen_variable *known;
	struct tn_str wanted = name;
	struct tenon_error err;
	*ret_new = false;
	for (unsigned number = 2; (known = tn_map_get(&gen->variables_by_name, name)); number++) {
		if (known->shown.node == eval->node && known->of == of)
			return known;
		name = tn_studio_gen_format(gen, "%.*s_%u", (int)wanted.size, wanted.data, number);
	}
	known = tn_arena_alloc(gen->arena, sizeof(*known));
	if (!known || tn_map_put(&gen->variables_by_name, name, known, &err) != TENON_OK) {
		gen->full = true;
		return NULL;
	}
	known->shown.name = name;
	known->shown.node = eval->node;
	known->of = of;
	if (gen->last_variable)
		gen->last_variable->next = known;
	else
		gen->variables = known;
	gen->last_variable = known;
	gen->variable_count++;
	*ret_new = true;
	return known;
}

/* What is kept for it is kept under what follows the node's name. */
static void name_secret(struct tn_studio_gen *gen, struct tn_studio_gen_variable *variable,
			struct tn_str rest)
{
	const char *key = variable->shown.sensitive
				  ? tn_studio_secret_key(gen->arena, variable->shown.node->id, rest)
				  : "";

	variable->shown.secret = tn_str_from(key ? key : "");
	gen->full = gen->full || !key;
}

struct tn_str tn_studio_gen_property_variable(struct tn_studio_eval *eval,
					      const struct tn_studio_property *property,
					      struct tn_str as)
{
	struct tn_studio_gen *gen = eval->gen;
	struct tn_str self = tn_studio_gen_node(gen, eval->node)->own;
	struct tn_str name = tn_studio_hcl_identifier(
		gen->arena, tn_studio_gen_format(gen, "%.*s_%.*s", (int)self.size, self.data,
						 (int)property->key.size, property->key.data));
	bool is_new;
	struct tn_studio_gen_variable *made = declare(eval, name, property, &is_new);
	if (!made || !is_new)
		return made ? made->shown.name : name;
	struct tn_str display = eval->node->type->display_name;
	made->shown.type = tn_str_from(type_of(property, as));
	made->shown.description =
		tn_studio_gen_format(gen, "%.*s: %.*s", (int)display.size, display.data,
				     (int)property->label.size, property->label.data);
	made->shown.sensitive = property->sensitive;
	made->shown.property = property->key;
	name_secret(gen, made, property->key);
	made->required = tn_studio_is_required(&eval->scope, property);
	if (!property->sensitive)
		made->value = tn_studio_value(&eval->scope, property);
	return made->shown.name;
}

/* What is left of a name without the node's. */
static struct tn_str without_self(struct tn_str self, struct tn_str name)
{
	return tn_str_starts(name, self) && name.size > self.size + 1
		       ? tn_str_from_offset(name, self.size + 1)
		       : name;
}

/* "ssh_public_key" as "Ssh public key". */
static struct tn_str spoken(struct tn_studio_gen *gen, struct tn_str name)
{
	char *text = tn_arena_copy(gen->arena, name);
	if (!text)
		return name;
	for (size_t i = 0; i < name.size; i++) {
		if (text[i] == '_')
			text[i] = ' ';
	}
	if (text[0] >= 'a' && text[0] <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A');
	return tn_str(text, name.size);
}

struct tn_str tn_studio_gen_template_variable(struct tn_studio_eval *eval, struct tn_str name,
					      struct tn_str type, bool sensitive)
{
	struct tn_studio_gen *gen = eval->gen;
	bool is_new;
	if (!eval->node)
		return name;
	struct tn_studio_gen_variable *made = declare(eval, name, NULL, &is_new);
	if (!made || !is_new)
		return made ? made->shown.name : name;
	struct tn_str display = eval->node->type->display_name;
	struct tn_str rest = without_self(tn_studio_gen_node(gen, eval->node)->own, name);
	struct tn_str label = spoken(gen, rest);
	made->shown.type = tn_studio_hcl_is_identifier(type) ? type : TN_STR("string");
	made->shown.description = tn_studio_gen_format(gen, "%.*s: %.*s", (int)display.size,
						       display.data, (int)label.size, label.data);
	made->shown.sensitive = sensitive;
	name_secret(gen, made, rest);
	made->required = true;
	return made->shown.name;
}

/* ---- values ---- */

static const struct tn_json *given_values(const struct tn_studio_gen *gen)
{
	return tn_json_get(gen->document->config, "variableValues");
}

static bool is_given(const struct tn_json *value)
{
	return value && value->type != TN_JSON_NULL;
}

static void find_value(struct tn_studio_gen *gen, struct tn_studio_gen_variable *variable)
{
	struct tn_studio_variable *shown = &variable->shown;
	if (shown->sensitive) { /* a value in the configuration would end in a file */
		variable->value = NULL;
		shown->has_value = tn_json_get_str(gen->options->secrets, shown->secret) != NULL;
	} else {
		const struct tn_json *given = tn_json_get_str(given_values(gen), shown->name);
		if (is_given(given))
			variable->value = given;
		shown->has_value = !tn_studio_value_is_empty(variable->value) || is_given(given);
	}
	if (shown->has_value || (!variable->required && !shown->sensitive))
		return;
	tn_studio_gen_tell(
		gen, TN_STUDIO_ERROR, "UNSET_VARIABLE", shown->node,
		shown->property.size ? shown->property : shown->name,
		shown->sensitive ? "The secret '%.*s' has no value; set it on '%.*s'."
				 : "The variable '%.*s' has no value; set it in variableValues or "
				   "on '%.*s'.",
		(int)shown->name.size, shown->name.data, (int)shown->node->label.size,
		shown->node->label.data);
}

/* With what would cure it: taking the value away. */
static void tell_unused(struct tn_studio_gen *gen, struct tn_str name)
{
	struct tn_studio_diagnostic *last;
	struct tn_buf fix;
	const char *copy;

	tn_studio_gen_tell(gen, TN_STUDIO_INFO, "UNUSED_VARIABLE_VALUE", NULL, name,
			   "No variable '%.*s' exists; its value is kept, but not written.",
			   (int)name.size, name.data);
	last = gen->list->last;
	if (!last || strcmp(last->code, "UNUSED_VARIABLE_VALUE") != 0 || last->fix.size > 0)
		return;
	tn_buf_init(&fix, TN_MIB);
	tn_buf_append_text(&fix, "[{\"tool\":\"set_project_config\",\"arguments\":{\"config\":{"
				 "\"variableValues\":{");
	tn_json_put_key_str(&fix, name);
	tn_buf_append_text(&fix, "null}}}}]");
	copy = fix.failed ? NULL : tn_arena_copy(gen->list->arena, tn_buf_str(&fix));
	if (copy)
		last->fix = tn_str(copy, fix.size);
	tn_buf_finish(&fix);
}

void tn_studio_gen_variable_values(struct tn_studio_gen *gen)
{
	const struct tn_json *given = given_values(gen);
	for (struct tn_studio_gen_variable *one = gen->variables; one; one = one->next)
		find_value(gen, one);
	for (const struct tn_json *one = tn_json_is(given, TN_JSON_OBJECT) ? given->first : NULL;
	     one; one = one->next) {
		const struct tn_studio_gen_variable *known =
			tn_map_get(&gen->variables_by_name, one->key);
		if (!known)
			tell_unused(gen, one->key);
	}
}

/* ---- files ---- */

static void add_attribute(struct tn_studio_gen *gen, struct tn_studio_hcl_body *body,
			  const char *name, struct tn_studio_hcl_value *value)
{
	(void)tn_studio_hcl_attribute(gen->arena, body, tn_str_from(name), value);
}

void tn_studio_print_variables(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	if (!gen->variables)
		return;
	tn_studio_print_begin(print, "variables.tf");
	for (const struct tn_studio_gen_variable *one = gen->variables; one; one = one->next) {
		const struct tn_studio_variable *shown = &one->shown;
		struct tn_studio_hcl_body body = {NULL, NULL};
		add_attribute(gen, &body, "description",
			      tn_studio_hcl_string(gen->arena, shown->description));
		add_attribute(gen, &body, "type", tn_studio_hcl_atom(gen->arena, shown->type));
		if (shown->sensitive)
			add_attribute(gen, &body, "sensitive",
				      tn_studio_hcl_atom(gen->arena, TN_STR("true")));
		tn_studio_print_block(print,
				      tn_studio_gen_format(gen, "variable \"%.*s\"",
							   (int)shown->name.size, shown->name.data),
				      &body, shown->node, shown->property, tn_str("", 0));
	}
}

/* The value as the variable's type wants it. */
static struct tn_studio_hcl_value *typed(struct tn_studio_gen *gen,
					 const struct tn_studio_gen_variable *variable)
{
	struct tn_str as = tn_str("", 0);
	if (tn_str_is(variable->shown.type, "number") || tn_str_is(variable->shown.type, "string"))
		as = variable->shown.type;
	if (!variable->value || !variable->shown.has_value)
		return tn_studio_hcl_atom(gen->arena, TN_STR("null"));
	return tn_studio_eval_literal(gen, variable->value, as);
}

static void add_value(struct tn_studio_gen *gen, struct tn_studio_hcl_body *body,
		      const struct tn_studio_gen_variable *variable,
		      struct tn_studio_hcl_value *value)
{
	struct tn_studio_hcl_item *item =
		tn_studio_hcl_define(gen->arena, body, variable->shown.name, value);
	if (item) {
		item->property = variable->shown.property;
		item->source = variable->shown.node;
	}
}

/* A variable without value is null: an argument nobody gave. One that needs a value is left to the
 * engine's own message, after ours. */
static bool is_written(const struct tn_studio_gen_variable *variable)
{
	return !variable->shown.sensitive && (variable->shown.has_value || !variable->required);
}

void tn_studio_print_values(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_studio_hcl_body body = {NULL, NULL};
	for (const struct tn_studio_gen_variable *one = gen->variables; one; one = one->next) {
		if (is_written(one))
			add_value(gen, &body, one, typed(gen, one));
	}
	if (!body.first)
		return;
	tn_studio_print_begin(print, "terraform.tfvars");
	tn_studio_hcl_newline(&print->writer);
	tn_studio_hcl_print_items(&print->writer, &body, 0);
}

static const char *empty_value(struct tn_str type)
{
	if (tn_str_starts(type, TN_STR("list")))
		return "[]";
	if (tn_str_starts(type, TN_STR("map")))
		return "{}";
	return tn_str_is(type, "string") ? "\"\"" : "null";
}

void tn_studio_print_example(struct tn_studio_gen_print *print)
{
	struct tn_studio_gen *gen = print->gen;
	struct tn_studio_hcl_body body = {NULL, NULL};
	if (!gen->variables)
		return;
	for (const struct tn_studio_gen_variable *one = gen->variables; one; one = one->next) {
		struct tn_str name = one->shown.name, type = one->shown.type;
		if (one->shown.sensitive)
			tn_studio_hcl_comment(
				gen->arena, &body,
				tn_studio_gen_format(
					gen,
					"%.*s (%.*s) is a secret: TF_VAR_%.*s in the environment",
					(int)name.size, name.data, (int)type.size, type.data,
					(int)name.size, name.data));
		else if (one->shown.has_value)
			add_value(gen, &body, one, typed(gen, one));
		else
			add_value(gen, &body, one,
				  tn_studio_hcl_atom(gen->arena, tn_str_from(empty_value(type))));
	}
	tn_studio_print_begin(print, "terraform.tfvars.example");
	tn_studio_hcl_newline(&print->writer);
	tn_studio_hcl_print_items(&print->writer, &body, 0);
}
