/* variants.c - writes what is generated as lines of JSON, for the reference parser and formatter
 * (hcl/hcl_check.mjs): every type in all its variants, and random diagrams full of hostile texts.
 *
 *   studio-variants [RANDOM_DIAGRAMS [SEED]]
 * Each line: {"label","files":{name: text},"literals":[{"file","path":[...],"value"}]}. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/studio/generate_hostile.h"
#include "apps/studio/generate_variants.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

static void put_path(struct tn_buf *out, struct tn_str address, struct tn_str attribute)
{
	size_t dot = tn_str_find_byte(address, '.');
	tn_json_put_key(out, "path");
	tn_json_begin_array(out);
	if (address.size) {
		tn_json_put_text(out, "resource");
		tn_json_put_str(out, tn_str(address.data, dot));
		tn_json_put_str(out, tn_str_from_offset(address, dot + 1));
		tn_json_put_int(out, 0);
	}
	tn_json_put_str(out, attribute);
	tn_json_end_array(out);
}

static void put_literal(struct tn_buf *out, const struct tn_studio_place *place,
			struct tn_str attribute, const struct tn_json *value)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "file", place->file);
	put_path(out, place->address, attribute);
	tn_json_put_key(out, "value");
	tn_json_put_value(out, value);
	tn_json_end_object(out);
}

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
	if (!address || !address->primary)
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

/* Attributes of blocks and values of variables that are a property's own value. */
static void put_literals(struct tn_buf *out, const struct tn_studio_gen_kit *kit,
			 struct tn_arena *arena)
{
	for (size_t i = 0; i < kit->generated.place_count; i++) {
		const struct tn_studio_place *place = &kit->generated.places[i];
		bool values = tn_str_is(place->file, "terraform.tfvars");
		const struct tn_studio_property *property =
			tn_studio_property_find(place->node->type, place->property);
		if (!property || (!values && !tn_str_is(place->file, "main.tf")))
			continue;
		struct tn_studio_scope scope =
			tn_studio_scope_of(&kit->document, place->node, arena);
		const struct tn_json *value = tn_studio_value(&scope, property);
		if (value && property->type != TN_STUDIO_REFERENCE &&
		    (values ? is_own(kit, place, value) : is_literal(kit, place, &scope, property)))
			put_literal(out, place, name_of(place->text), value);
	}
}

static bool write_line(struct tn_studio_gen_kit *kit, const char *label, void *data)
{
	struct tn_buf *out = data;
	struct tn_arena arena;
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "label", label);
	tn_json_put_key(out, "files");
	tn_json_begin_object(out);
	for (size_t i = 0; i < kit->generated.file_count; i++) {
		tn_json_put_key_str(out, kit->generated.files[i].name);
		tn_json_put_str(out, kit->generated.files[i].text);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "literals");
	tn_json_begin_array(out);
	put_literals(out, kit, &arena);
	tn_json_end_array(out);
	tn_json_put_key(out, "tags");
	tn_json_put_value(out, tn_json_get(kit->document.config, "tags"));
	tn_json_put_member_str(out, "backend", kit->generated.backend_config);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
	bool good = !out->failed && fwrite(out->data, 1, out->size, stdout) == out->size;
	tn_arena_finish(&arena);
	return good;
}

static bool write_random(struct tn_studio_gen_kit *kit, struct tn_buf *out, unsigned count,
			 uint64_t seed)
{
	struct tn_buf diagram, config;
	bool good = true;
	tn_buf_init(&diagram, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&config, TN_STUDIO_RESULT_BYTES_MAX);
	for (unsigned i = 0; i < count && good; i++) {
		char label[64];
		(void)snprintf(label, sizeof(label), "random %llu", (unsigned long long)seed + i);
		tn_studio_hostile_diagram(kit->registry, seed + i, &diagram, &config);
		good = tn_studio_gen_kit_load(kit, tn_buf_str(&diagram), tn_buf_str(&config),
					      false) &&
		       tn_studio_gen_kit_run(kit, NULL) && write_line(kit, label, out);
	}
	tn_buf_finish(&diagram);
	tn_buf_finish(&config);
	return good;
}

int main(int argc, char **argv)
{
	unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct tn_studio_gen_kit kit;
	struct tn_buf out;
	if (!tn_studio_gen_kit_init(&kit))
		return 1;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	bool good = tn_studio_each_variant(&kit, write_line, &out) > 0 &&
		    write_random(&kit, &out, count, seed);
	tn_buf_finish(&out);
	tn_studio_gen_kit_finish(&kit);
	if (!good)
		(void)fprintf(stderr, "studio-variants: a diagram could not be made\n");
	return good ? 0 : 1;
}
