/* Everything that is generated is something that the providers know (ST-052, ST-153): each type in
 * all its variants against data/provider-facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/generate/generate_variants.h"
#include "apps/studio/hcl/hcl.h"
#include "apps/studio/limits.h"

enum { SHOWN_MAX = 60 };

struct facts {
	struct tn_arena arena, scratch;
	const struct tn_json *resources[2]; /* of each provider */
	unsigned wrong, told, blocks, attributes, references;
	const char *label;
	bool told_missing; /* what is missing was said: no placeholder stands for it */
};

/* NULL: no provider has it. */
static const struct tn_json *resource_of(const struct facts *facts, struct tn_str type)
{
	const struct tn_json *found = tn_json_get_str(facts->resources[0], type);

	return found ? found : tn_json_get_str(facts->resources[1], type);
}

static const struct tn_json *read_facts(struct facts *facts, const char *path)
{
	struct tn_buf text;
	struct tenon_error err;
	const struct tn_json *resources;
	struct tn_json *root;
	FILE *stream = fopen(path, "r");

	assert_non_null(stream);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	assert_int_equal(tn_buf_read_all(&text, fileno(stream), &err), TENON_OK);
	(void)fclose(stream);
	assert_int_equal(tn_json_parse_copy(&facts->arena, tn_buf_str(&text), &root, &err),
			 TENON_OK);
	tn_buf_finish(&text);
	resources = tn_json_get(root, "resources");
	assert_non_null(resources);
	return resources;
}

static void complain(struct facts *facts, struct tn_str type, const char *what, struct tn_str name)
{
	if (facts->wrong++ < SHOWN_MAX)
		print_error("%s: %.*s: %s %.*s\n", facts->label, (int)type.size, type.data, what,
			    (int)name.size, name.data);
}

static bool is_text(const struct tn_json *spec, const char *start)
{
	return tn_json_is(spec, TN_JSON_STRING) && tn_str_starts(spec->text, tn_str_from(start));
}

/* A literal where the provider wants a list, and the like. */
static bool fits(const struct tn_json *spec, const struct tn_hcl_value *value)
{
	bool wants_list = is_text(spec, "list") || is_text(spec, "set");
	bool list = value->kind == TN_HCL_LIST ||
		    (value->kind == TN_HCL_CONSTANT && value->value->type == TN_JSON_ARRAY);
	bool map = value->kind == TN_HCL_MAP ||
		   (value->kind == TN_HCL_CONSTANT && value->value->type == TN_JSON_OBJECT);
	if (value->kind == TN_HCL_REFERENCE || value->kind == TN_HCL_CALL ||
	    value->kind == TN_HCL_OTHER)
		return true; /* its type is not in the facts */
	if (list || wants_list)
		return list == wants_list;
	return map == (is_text(spec, "map") || is_text(spec, "object"));
}

/* What is referred to exists on the type it is asked of. */
static void check_reference(struct facts *facts, const struct tn_hcl_value *value)
{
	const struct tn_json *target =
		value->step_count >= 3 ? resource_of(facts, value->steps[0]) : NULL;
	if (!target)
		return;
	facts->references++;
	struct tn_str attribute = value->steps[2];
	if (tn_json_get_str(tn_json_get(target, "in"), attribute))
		return;
	const struct tn_json *out = tn_json_get(target, "out");
	for (const struct tn_json *one = out ? out->first : NULL; one; one = one->next) {
		if (tn_str_equal(one->text, attribute))
			return;
	}
	complain(facts, value->steps[0], "refers to", attribute);
}

static void check_value(struct facts *facts, const struct tn_hcl_value *value)
{
	if (value->kind == TN_HCL_REFERENCE)
		check_reference(facts, value);
	for (const struct tn_hcl_value *one = value->items; one; one = one->next)
		check_value(facts, one);
}

static void check_body(struct facts *facts, struct tn_str type, const struct tn_json *in,
		       const struct tn_hcl_body *body);

static const struct tn_json *inside_of(const struct tn_json *spec)
{
	static const char *const kinds[] = {"one", "list", "set"};
	for (size_t i = 0; i < 3; i++) {
		if (tn_json_get(spec, kinds[i]))
			return tn_json_get(spec, kinds[i]);
	}
	return NULL;
}

static void check_required(struct facts *facts, struct tn_str type, const struct tn_json *in,
			   const struct tn_hcl_body *body)
{
	for (const struct tn_json *spec = in->first; spec; spec = spec->next) {
		int64_t least = 0;
		unsigned count = 0;
		(void)tn_json_to_int(tn_json_get(spec, "req"), &least);
		for (const struct tn_hcl_block *one = body->blocks; one; one = one->next)
			count += tn_str_equal(one->type, spec->key);
		if (count < least)
			complain(facts, type, "needs the block", spec->key);
		if (count > 1 && tn_json_get(spec, "one"))
			complain(facts, type, "has too many of the block", spec->key);
		char name[128];
		(void)snprintf(name, sizeof(name), "%.*s", (int)spec->key.size, spec->key.data);
		if (spec->type == TN_JSON_STRING && tn_str_ends(spec->text, TN_STR("!")) &&
		    !tn_hcl_attribute_find(body, name) && !facts->told_missing)
			complain(facts, type, "needs the argument", spec->key);
	}
}

static void check_body(struct facts *facts, struct tn_str type, const struct tn_json *in,
		       const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		const struct tn_json *spec = tn_json_get_str(in, one->name);
		facts->attributes++;
		if (tn_str_is(one->name, "provider"))
			continue;
		if (!spec || spec->type != TN_JSON_STRING)
			complain(facts, type, "has no argument", one->name);
		else if (!fits(spec, one->value))
			complain(facts, type, "has a value of another kind in", one->name);
		check_value(facts, one->value);
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		const struct tn_json *inside = inside_of(tn_json_get_str(in, one->type));
		facts->blocks++;
		if (!inside)
			complain(facts, type, "has no block", one->type);
		else
			check_body(facts, type, inside, one->body);
	}
	check_required(facts, type, in, body);
}

/* What the provider warns of, by the path of the argument: "site_config.application_stack.x". */
static void check_deprecated(struct facts *facts, struct tn_str type, const struct tn_json *list,
			     const char *path, const struct tn_hcl_body *body)
{
	char name[256];

	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		(void)snprintf(name, sizeof(name), "%s%.*s", path, (int)one->name.size,
			       one->name.data);
		if (tn_json_get(list, name))
			complain(facts, type, "has the deprecated argument", tn_str_from(name));
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		(void)snprintf(name, sizeof(name), "%s%.*s", path, (int)one->type.size,
			       one->type.data);
		if (tn_json_get(list, name))
			complain(facts, type, "has the deprecated block", tn_str_from(name));
		(void)snprintf(name, sizeof(name), "%s%.*s.", path, (int)one->type.size,
			       one->type.data);
		check_deprecated(facts, type, list, name, one->body);
	}
}

static void check_block(struct facts *facts, const struct tn_studio_gen_kit *kit,
			const struct tn_hcl_block *block)
{
	char text[256];
	const struct tn_hcl_attribute *value = tn_hcl_attribute_find(block->body, "value");
	if (tn_str_is(block->type, "output"))
		check_value(facts, value->value);
	if (!tn_str_is(block->type, "resource"))
		return;
	(void)snprintf(text, sizeof(text), "%.*s.%.*s", (int)block->labels[0].size,
		       block->labels[0].data, (int)block->labels[1].size, block->labels[1].data);
	const struct tn_studio_address *address =
		tn_studio_address_find(&kit->generated, tn_str_from(text));
	assert_non_null(address);
	/* Those around it lack what they need; a type without source is part of the engine. */
	if (!tn_str_is(address->node->id, TN_STUDIO_VARIED) ||
	    address->node->type->provider->source.size == 0)
		return;
	const struct tn_json *resource = resource_of(facts, block->labels[0]);
	if (!resource) {
		complain(facts, block->labels[0], "is not in the facts", block->labels[0]);
		return;
	}
	check_body(facts, block->labels[0], tn_json_get(resource, "in"), block->body);
	check_deprecated(facts, block->labels[0], tn_json_get(resource, "deprecated"), "",
			 block->body);
}

static bool check_variant(struct tn_studio_gen_kit *kit, const char *label, void *data)
{
	struct facts *facts = data;
	struct tn_hcl_file *file;
	struct tenon_error err;
	facts->label = label;
	const struct tn_studio_diagnostic *told;
	facts->told_missing = false;
	for (unsigned i = 0; (told = tn_studio_gen_kit_told(kit, "MISSING_REFERENCE", i)); i++)
		facts->told_missing |= tn_str_is(told->node_id, TN_STUDIO_VARIED);
	facts->told += facts->told_missing;
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		tn_arena_reset(&facts->scratch);
		assert_int_equal(
			tn_hcl_parse(&facts->scratch, kit->generated.files[i].text, &file, &err),
			TENON_OK);
		if (file->faults)
			complain(facts, kit->generated.files[i].name, file->faults->message,
				 kit->generated.files[i].text);
		for (const struct tn_hcl_block *one = file->body->blocks; one; one = one->next)
			check_block(facts, kit, one);
	}
	return true;
}

/* ST-052, ST-153 */
static void test_all_variants(void **state)
{
	struct facts facts = {.wrong = 0};
	struct tn_studio_gen_kit kit;
	(void)state;
	tn_arena_init(&facts.arena, TN_STUDIO_ARENA_MAX);
	tn_arena_init(&facts.scratch, TN_STUDIO_ARENA_MAX);
	facts.resources[0] = read_facts(&facts, TN_STUDIO_DATA "/provider-facts/azurerm.json");
	facts.resources[1] = read_facts(&facts, TN_STUDIO_DATA "/provider-facts/aws.json");
	assert_true(tn_studio_gen_kit_init(&kit));
	size_t count = tn_studio_each_variant(&kit, check_variant, &facts);
	print_message(
		"%zu variants, %u blocks, %u arguments, %u references, %u without a reference\n",
		count, facts.blocks, facts.attributes, facts.references, facts.told);
	assert_true(count > 2400); /* studio-catalog.md 1 */
	assert_true(facts.attributes > 10000 && facts.references > 2000);
	assert_int_equal(facts.wrong, 0);
	assert_true(facts.told < 10);
	tn_studio_gen_kit_finish(&kit);
	tn_arena_finish(&facts.arena);
	tn_arena_finish(&facts.scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_variants)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
