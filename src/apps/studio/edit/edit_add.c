/* add_resource (studio.md 6.2). */
#include "apps/studio/registry/property_check.h"
#include "apps/studio/edit/internal.h"

#include <stdio.h>

#include "apps/studio/limits.h"

struct addition {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	const struct tn_studio_type *type;
	struct tn_str id, parent_id; /* parent_id empty: top level */
	struct tn_str label, name, own, slug, module_id;
	struct tn_studio_values values;
	const struct tn_json *references;
	struct tn_studio_rect rect;
	struct tn_json_maker applied; /* defaultsApplied */
};

static const struct tn_studio_node *parent_of(const struct addition *add)
{
	return tn_studio_node_find(add->edit->document, add->parent_id);
}

static struct tn_str argument(const struct addition *add, const char *key)
{
	struct tn_str text = tn_str(NULL, 0);

	(void)tn_json_to_str(tn_json_get(add->arguments, key), &text);
	return text;
}

/* ---- what the arguments say ---- */

static bool check_parent(struct addition *add)
{
	const struct tn_studio_node *parent = NULL;

	if (tn_json_is(tn_json_get(add->arguments, "parentId"), TN_JSON_STRING)) {
		parent = tn_studio_edit_node(add->edit, add->arguments, "parentId");
		if (!parent)
			return false;
		add->parent_id = argument(add, "parentId");
	}
	if (!tn_studio_edit_check_parent(add->edit, add->type, parent, 0))
		return false;
	add->module_id = argument(add, "moduleId");
	if (parent && !tn_json_get(add->arguments, "moduleId"))
		add->module_id = tn_studio_keep(add->edit, parent->module_id);
	return tn_studio_edit_check_module(add->edit, add->module_id);
}

static void check_names(struct addition *add, struct tn_studio_mistakes *mistakes)
{
	struct tn_str name = argument(add, "terraformName"), slug = argument(add, "slug");
	struct tn_str label = argument(add, "label");

	if (name.size > 0)
		(void)tn_studio_edit_check_name(mistakes, add->type->id, add->id, name);
	if (tn_studio_characters(label) > TN_STUDIO_LABEL_CHARACTERS_MAX)
		tn_studio_mistake(mistakes, TN_STR("label"), "has at most %d characters",
				  TN_STUDIO_LABEL_CHARACTERS_MAX);
	if (tn_str_find_byte(label, '\0') != TN_STR_NONE ||
	    tn_str_find_byte(slug, '\0') != TN_STR_NONE)
		tn_studio_mistake(mistakes, TN_STR("label"), "contains a NUL character");
	if (tn_studio_characters(slug) > TN_STUDIO_LABEL_CHARACTERS_MAX)
		tn_studio_mistake(mistakes, TN_STR("slug"), "has at most %d characters",
				  TN_STUDIO_LABEL_CHARACTERS_MAX);
}

static bool check_values(struct addition *add)
{
	struct tn_studio_mistakes mistakes;

	tn_studio_mistakes_begin(&mistakes, add->edit);
	add->values = (struct tn_studio_values){.mistakes = &mistakes, .type = add->type};
	tn_json_maker_begin(&add->values.updated, add->edit->arena, TN_JSON_ARRAY);
	tn_studio_values_take(&add->values, tn_json_get(add->arguments, "properties"));
	add->references = tn_json_get(add->arguments, "references");
	tn_studio_links_check(&mistakes, add->type, add->id, add->references);
	check_names(add, &mistakes);
	return tn_studio_mistakes_end(&mistakes);
}

/* ---- names ---- */

/* Which of the labels "Subnet", "Subnet 2", "Subnet 3", ... this one is, from 1; 0: another. */
static size_t number_of(struct tn_str label, struct tn_str base, size_t most)
{
	size_t number = 0;

	if (!tn_str_starts(label, base))
		return 0;
	if (label.size == base.size)
		return 1;
	if (label.size < base.size + 2 || label.data[base.size] != ' ' ||
	    label.data[base.size + 1] == '0')
		return 0;
	for (size_t i = base.size + 1; i < label.size && number <= most; i++) {
		if (label.data[i] < '0' || label.data[i] > '9')
			return 0;
		number = number * 10 + (size_t)(label.data[i] - '0');
	}
	return number > 1 && number <= most ? number : 0;
}

/* The first of them that no sibling has. {NULL, 0}: no memory. */
static struct tn_str free_label(const struct addition *add, struct tn_str base)
{
	const struct tn_studio_document *document = add->edit->document;
	const struct tn_studio_node *parent = parent_of(add), *at;
	size_t most = document->node_count + 1, number = 1;
	bool *taken = tn_arena_alloc_array(add->edit->arena, most + 2, sizeof(*taken));

	if (!taken)
		return tn_str(NULL, 0);
	for (at = parent ? parent->first_child : NULL; at; at = at->next_sibling)
		taken[number_of(at->label, base, most)] = true;
	for (size_t i = 0; !parent && i < document->node_count; i++) {
		if (!document->nodes[i]->parent)
			taken[number_of(document->nodes[i]->label, base, most)] = true;
	}
	while (taken[number])
		number++;
	if (number == 1)
		return base;
	return tn_str_from(
		tn_arena_format(add->edit->arena, "%.*s %zu", (int)base.size, base.data, number));
}

static bool name_is_taken(const void *data, struct tn_str name)
{
	const struct addition *add = data;

	return tn_studio_name_holder(add->edit->document, add->type->id, name) != NULL;
}

/* The name that was given for it in the cloud; empty: none. */
static struct tn_str given_name(const struct addition *add)
{
	const struct tn_json *alias = add->type->provider ? add->type->provider->alias : NULL;
	struct tn_str name = tn_str(NULL, 0), key = TN_STR("name"), container;

	/* What stands for an account is called by what its provider's block is called by. */
	if (tn_json_to_str(tn_json_get(alias, "container"), &container) &&
	    tn_str_equal(container, add->type->id))
		(void)tn_json_to_str(tn_json_get(alias, "nameFrom"), &key);
	(void)tn_json_to_str(tn_json_get_str(add->values.stored, key), &name);
	return name;
}

/* ST-021: what was given is what it is called: by its label, else by its name in the cloud. */
static bool choose_names(struct addition *add)
{
	struct tn_str base = tn_studio_cut_label(add->type->display_name);
	struct tn_str given = given_name(add);
	char name[TN_STUDIO_NAME_SIZE];

	add->label = argument(add, "label");
	if (!tn_json_get(add->arguments, "label"))
		add->label = given.size > 0 ? tn_studio_cut_label(given) : free_label(add, base);
	else if (add->label.size == 0)
		add->label = base;
	add->name = argument(add, "terraformName");
	if (add->name.size == 0) {
		tn_studio_derive_name(given.size > 0 ? given : add->label, add->type->id,
				      name_is_taken, add, name);
		add->name = tn_studio_keep(add->edit, tn_str_from(name));
	}
	add->own = tn_studio_edit_own(add->edit, add->type->id, add->id, add->name);
	add->slug = argument(add, "slug");
	return (add->label.data && add->name.data && add->own.data) ||
	       tn_studio_edit_no_memory(add->edit);
}

/* ---- what is filled in ---- */

static bool is_set(const struct addition *add, struct tn_str key)
{
	return tn_json_get_str(add->values.stored, key) != NULL;
}

static void fill(struct addition *add, struct tn_str key, const struct tn_json *value)
{
	if (!value) {
		add->applied.failed = true;
		return;
	}
	add->values.stored = tn_json_with(add->edit->arena, add->values.stored, key, value);
	add->applied.failed = add->applied.failed || !add->values.stored;
	tn_json_maker_put(&add->applied, key, value);
}

/* A required name: by the convention from a slug, else made of the terraformName. */
static void fill_name(struct addition *add)
{
	const struct tn_studio_property *property =
		tn_studio_property_find(add->type, TN_STR("name"));
	const struct tn_json *naming = tn_json_get(add->edit->document->config, "naming");
	struct tn_str abbreviation = tn_str(NULL, 0);
	bool enabled = false;
	char text[256];

	(void)tn_json_to_bool(tn_json_get(naming, "enabled"), &enabled);
	(void)tn_json_to_str(tn_json_get(add->type->naming, "abbreviation"), &abbreviation);
	if (!property || !property->required || is_set(add, property->key))
		return;
	if (enabled && abbreviation.size > 0) {
		if (add->slug.size > 0)
			return;
		tn_studio_derive_slug(add->label, text, sizeof(text));
		if (text[0] == '\0')
			tn_studio_derive_slug(add->name, text, sizeof(text));
		add->slug = tn_studio_keep(add->edit, tn_str_from(text));
		tn_json_maker_put(&add->applied, TN_STR("slug"),
				  tn_json_make_str(add->edit->arena, add->slug));
		return;
	}
	if (property->default_value || property->default_by)
		return;
	tn_studio_derive_plain_name(add->type, add->name, text, sizeof(text));
	if (text[0] != '\0')
		fill(add, property->key,
		     tn_json_make_str(add->edit->arena,
				      tn_studio_keep(add->edit, tn_str_from(text))));
}

/* A type that gives others their location (its provider's scope) takes the project's region. */
static void fill_location(struct addition *add)
{
	const struct tn_studio_provider *provider = add->type->provider;
	const struct tn_json *scope = provider ? tn_json_get(provider->scopes, "location") : NULL;
	const struct tn_studio_property *property;
	struct tn_str region, ancestor, key;
	const struct tn_json *value;
	char why[8];

	if (!tn_json_to_str(tn_json_get(scope, "ancestor"), &ancestor) ||
	    !tn_str_equal(ancestor, add->type->id) ||
	    !tn_json_to_str(tn_json_get(scope, "attr"), &key) ||
	    !tn_json_to_str(tn_json_get(add->edit->document->config, "region"), &region) ||
	    region.size == 0)
		return;
	property = tn_studio_property_find(add->type, key);
	if (!property || is_set(add, key))
		return;
	if (tn_studio_check_value(property, tn_json_get(add->edit->document->config, "region"),
				  add->edit->arena, &value, why, sizeof(why)))
		fill(add, property->key, value);
}

static void fill_range(struct addition *add)
{
	const struct tn_studio_property *property;
	const struct tn_json *value;

	if (tn_studio_fresh_range(add->edit->document, add->type, parent_of(add), add->edit->arena,
				  &property, &value) &&
	    !is_set(add, property->key))
		fill(add, property->key, value);
}

/* ---- place ---- */

static double number(const struct tn_json *object, const char *key)
{
	double value = 0;

	(void)tn_json_to_double(tn_json_get(object, key), &value);
	return value;
}

static void choose_place(struct addition *add)
{
	const struct tn_json *position = tn_json_get(add->arguments, "position");
	const struct tn_json *size = tn_json_get(add->arguments, "size");
	struct tn_studio_point point;

	add->rect = tn_studio_start_size(add->type);
	if (size) {
		struct tn_studio_rect least = {.width = 1, .height = 1};

		if (add->type->container)
			least = (struct tn_studio_rect){.width = add->type->min_width,
							.height = add->type->min_height};
		add->rect.width = tn_studio_edit_snap(add->edit, number(size, "width"));
		add->rect.height = tn_studio_edit_snap(add->edit, number(size, "height"));
		if (add->rect.width < least.width)
			add->rect.width = least.width;
		if (add->rect.height < least.height)
			add->rect.height = least.height;
	}
	if (position) {
		add->rect.x = tn_studio_edit_snap(add->edit, number(position, "x"));
		add->rect.y = tn_studio_edit_snap(add->edit, number(position, "y"));
		return;
	}
	point = tn_studio_free_place(add->edit->document, parent_of(add), add->rect.width,
				     add->rect.height);
	add->rect.x = point.x;
	add->rect.y = point.y;
}

/* ---- the node ---- */

static bool put_node(struct addition *add)
{
	struct tn_studio_draft draft;

	tn_studio_draft_begin(&draft, add->edit, NULL);
	tn_studio_draft_text(&draft, "id", add->id);
	tn_studio_draft_text(&draft, "typeId", add->type->id);
	tn_studio_draft_text(&draft, "label", add->label);
	tn_studio_draft_names(&draft, add->name, add->own);
	tn_studio_draft_text(&draft, "parentId", add->parent_id);
	tn_studio_draft_pair(&draft, "position", "x", add->rect.x, "y", add->rect.y);
	if (tn_studio_has_size(add->type) || tn_json_get(add->arguments, "size"))
		tn_studio_draft_pair(&draft, "size", "width", add->rect.width, "height",
				     add->rect.height);
	tn_studio_draft_text(&draft, "slug", add->slug);
	tn_studio_draft_set(&draft, "properties", add->values.stored);
	tn_studio_draft_text(&draft, "moduleId", add->module_id);
	return tn_studio_draft_put(&draft);
}

static bool answer(struct addition *add, struct tn_buf *result)
{
	struct tn_json *applied = tn_json_maker_end(&add->applied);

	if (!applied)
		return tn_studio_edit_no_memory(add->edit);
	tn_json_put_member_str(result, "instanceId", add->id);
	tn_json_put_member_str(result, "terraformName", add->name);
	if (!tn_str_equal(add->own, add->name))
		tn_json_put_member_str(result, TN_STUDIO_OWN, add->own);
	tn_json_put_key(result, "position");
	tn_json_begin_object(result);
	tn_json_put_member_int(result, "x", add->rect.x);
	tn_json_put_member_int(result, "y", add->rect.y);
	tn_json_end_object(result);
	tn_json_put_member_str(result, "label", add->label);
	if (add->parent_id.size > 0)
		tn_json_put_member_str(result, "parentId", add->parent_id);
	if (!tn_studio_edit_put_diagnostics(add->edit, add->id, false, result))
		return false;
	tn_json_put_key(result, "defaultsApplied");
	tn_json_put_value(result, applied);
	return true;
}

static bool add_node(struct tn_studio_edit *edit, const struct tn_json *arguments,
		     struct tn_buf *result)
{
	struct addition add = {.edit = edit, .arguments = arguments};
	struct tn_str type_id = argument(&add, "typeId");

	add.type = tn_studio_type_find(edit->document->registry, type_id);
	if (!add.type)
		return tn_studio_fail_unknown_type(edit->fault, edit->document->registry, type_id);
	add.id = tn_studio_edit_new_id(edit);
	if (!add.id.data)
		return tn_studio_edit_no_memory(edit);
	if (!check_parent(&add) || !check_values(&add) || !choose_names(&add))
		return false;
	tn_json_maker_begin(&add.applied, edit->arena, TN_JSON_OBJECT);
	fill_name(&add);
	fill_location(&add);
	fill_range(&add);
	choose_place(&add);
	tn_studio_edit_say(edit, "Add %.*s '%.*s'", (int)add.type->display_name.size,
			   add.type->display_name.data, (int)add.label.size, add.label.data);
	return put_node(&add) && tn_studio_links_set(edit, add.id, add.references) &&
	       tn_studio_switch_on_by_place(edit, add.id) &&
	       tn_studio_values_keep_secrets(&add.values, add.id, edit) &&
	       tn_studio_edit_grow(edit, add.parent_id) && answer(&add, result);
}

bool tn_studio_edit_add(struct tn_studio_edit *edit, const struct tn_json *arguments,
			struct tn_buf *result)
{
	return tn_studio_edit_run(edit, add_node, arguments, result);
}
