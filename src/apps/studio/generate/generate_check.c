#include "apps/studio/generate/generate_check.h"

#include "apps/studio/hcl/hcl.h"

/* ---- which ---- */

/* The name in "  name = ...". */
static struct tn_str name_of(struct tn_str text)
{
	text = tn_str_trim(text);
	size_t end = tn_str_find_byte(text, ' ');
	return tn_str(text.data, end == TN_STR_NONE ? 0 : end);
}

/* Whether the attribute is the property as it is, and no text around it. */
static bool is_plain(const struct tn_studio_gen_kit *kit, const struct tn_studio_place *place)
{
	const struct tn_studio_address *address =
		tn_studio_address_find(&kit->generated, place->address);
	const struct tn_json *body = place->node->type->body;
	if (!address || !address->primary || address->node != place->node)
		return false;
	for (const struct tn_json *one = body ? body->first : NULL; one; one = one->next) {
		if (one->type == TN_JSON_STRING && tn_str_equal(one->text, place->property))
			return true;
	}
	return false;
}

/* A value in terraform.tfvars that is the property's own: nobody gave another, and it is not empty
 * (then it is null). */
static bool is_own(const struct tn_studio_gen_kit *kit, const struct tn_studio_place *place,
		   const struct tn_json *value)
{
	const struct tn_json *given = tn_json_get(kit->document.config, "variableValues");
	return !tn_studio_value_is_empty(value) && !tn_json_get_str(given, name_of(place->text));
}

/* An attribute of the block itself, named as the property and not a variable. */
static bool is_literal(const struct tn_studio_gen_kit *kit, const struct tn_studio_place *place,
		       const struct tn_studio_scope *scope,
		       const struct tn_studio_property *property)
{
	return tn_str_starts(place->text, TN_STR("  ")) && place->text.data[2] != ' ' &&
	       tn_str_equal(name_of(place->text), place->property) && is_plain(kit, place) &&
	       !tn_studio_is_variable(scope, property);
}

void tn_studio_each_literal(const struct tn_studio_gen_kit *kit, struct tn_arena *arena,
			    tn_studio_literal_fn *each, void *data)
{
	for (size_t i = 0; i < kit->generated.place_count; i++) {
		const struct tn_studio_place *place = &kit->generated.places[i];
		bool values = tn_str_is(place->file, "terraform.tfvars");
		if (!place->node || !place->node->type ||
		    (!values && !tn_str_is(place->file, "main.tf")))
			continue;
		const struct tn_studio_property *property =
			tn_studio_property_find(place->node->type, place->property);
		if (!property || property->type == TN_STUDIO_REFERENCE)
			continue;
		struct tn_studio_scope scope =
			tn_studio_scope_of(&kit->document, place->node, arena);
		const struct tn_json *value = tn_studio_value(&scope, property);
		if (value &&
		    (values ? is_own(kit, place, value) : is_literal(kit, place, &scope, property)))
			each(place, name_of(place->text), value, data);
	}
}

/* ---- reading back ---- */

struct check {
	const struct tn_studio_gen_kit *kit;
	struct tn_arena *arena;
	const struct tn_hcl_body *main, *values;
	const char *wrong;
};

static void complain(struct check *check, struct tn_str what, const char *why)
{
	if (!check->wrong)
		check->wrong = tn_arena_format(check->arena, "%.*s: %s", (int)what.size,
					       what.size ? what.data : "", why);
}

static const struct tn_hcl_body *parse(struct check *check, const struct tn_studio_file *file)
{
	struct tn_hcl_file *parsed;
	struct tenon_error err;
	if (tn_hcl_parse(check->arena, file->text, &parsed, &err) != TENON_OK) {
		complain(check, file->name, err.message);
		return NULL;
	}
	if (parsed->faults)
		complain(check, file->name, parsed->faults->message);
	return parsed->body;
}

static const struct tn_hcl_block *find_block(const struct tn_hcl_body *body, struct tn_str address)
{
	size_t dot = tn_str_find_byte(address, '.');
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (tn_str_is(one->type, "resource") &&
		    tn_str_equal(one->labels[0], tn_str(address.data, dot)) &&
		    tn_str_equal(one->labels[1], tn_str_from_offset(address, dot + 1)))
			return one;
	}
	return NULL;
}

static bool is_scalar(const struct tn_json *value)
{
	return value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT;
}

/* The attribute of a place in what was read; NULL: it is not there. */
static const struct tn_hcl_attribute *
read_back(const struct check *check, const struct tn_studio_place *place, struct tn_str attribute)
{
	const struct tn_hcl_body *body = check->values;
	char *name = tn_arena_copy(check->arena, attribute);
	if (place->address.size) {
		const struct tn_hcl_block *block =
			check->main ? find_block(check->main, place->address) : NULL;
		body = block ? block->body : NULL;
	}
	return body && name ? tn_hcl_attribute_find(body, name) : NULL;
}

static void check_literal(const struct tn_studio_place *place, struct tn_str attribute,
			  const struct tn_json *wanted, void *data)
{
	struct check *check = data;
	const struct tn_hcl_attribute *found = read_back(check, place, attribute);
	if (!found || found->value->kind != TN_HCL_CONSTANT) {
		complain(check, place->text, "is no literal");
		return;
	}
	const struct tn_json *got = found->value->value;
	/* A number that stands for a text, and the reverse, in a variable of the other type. */
	bool converted = place->address.size == 0 && is_scalar(got) && is_scalar(wanted) &&
			 got->type != wanted->type;
	if (!converted && !tn_json_equal(got, wanted))
		complain(check, place->text, "does not read back");
}

/* As many blocks as there are addresses: nothing that was typed made one. */
static void check_blocks(struct check *check)
{
	size_t count = 0;
	for (const struct tn_hcl_block *one = check->main ? check->main->blocks : NULL; one;
	     one = one->next) {
		if (tn_str_is(one->type, "resource"))
			count++;
		else if (!tn_str_is(one->type, "data"))
			complain(check, one->type, "is no block of main.tf");
	}
	if (check->main && check->main->attributes)
		complain(check, check->main->attributes->name, "stands outside of blocks");
	if (count != check->kit->generated.address_count)
		complain(check, TN_STR("main.tf"), "has more or fewer blocks than addresses");
}

static void check_tags(struct check *check, const struct tn_hcl_body *body)
{
	const struct tn_json *tags = tn_json_get(check->kit->document.config, "tags");
	const struct tn_hcl_attribute *found =
		body->blocks ? tn_hcl_attribute_find(body->blocks->body, "common_tags") : NULL;
	if (!found || found->value->kind != TN_HCL_CONSTANT)
		complain(check, TN_STR("common_tags"), "is no literal");
	else if (tn_json_is(tags, TN_JSON_OBJECT) && !tn_json_equal(found->value->value, tags))
		complain(check, TN_STR("common_tags"), "does not read back");
}

const char *tn_studio_generated_check(const struct tn_studio_gen_kit *kit, struct tn_arena *arena)
{
	struct check check = {.kit = kit, .arena = arena};
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		const struct tn_studio_file *file = &kit->generated.files[i];
		const struct tn_hcl_body *body = parse(&check, file);
		if (!body)
			return check.wrong;
		if (tn_str_is(file->name, "main.tf"))
			check.main = body;
		else if (tn_str_is(file->name, "terraform.tfvars"))
			check.values = body;
		else if (tn_str_is(file->name, "locals.tf"))
			check_tags(&check, body);
	}
	check_blocks(&check);
	tn_studio_each_literal(kit, arena, check_literal, &check);
	return check.wrong;
}
