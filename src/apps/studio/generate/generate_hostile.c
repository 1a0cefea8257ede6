#include "apps/studio/generate/generate_hostile.h"

#include <stdio.h>

#include "jsonrpc/json_write.h"

enum { NODES_MAX = 24 };

/* xorshift64*: tests need no better, and the same seed is the same diagram everywhere. */
static uint64_t next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717ull;
}

static unsigned below(uint64_t *state, size_t bound)
{
	return (unsigned)((next(state) >> 33) % (bound ? bound : 1));
}

static const char *const pieces[] = {"${",
				     "%{",
				     "}",
				     "\"",
				     "\\",
				     "\n",
				     "\r\n",
				     "\t",
				     "$",
				     "%",
				     "$$",
				     "%%",
				     "{",
				     "<<EOT\n",
				     "\nEOT\n",
				     "<<-X",
				     "/*",
				     "*/",
				     "//",
				     "#",
				     "var.x",
				     "${var.x}",
				     "%{if a}",
				     "%{~ endif ~}",
				     "\x01",
				     "\x1b[31m",
				     "\x7f",
				     "\xC2\x85",
				     "\xE2\x80\xA8",
				     "e\xCC\x81",
				     "\xF0\x9F\x91\xA9",
				     "\xE2\x80\x8D",
				     "\xEF\xBB\xBF",
				     "../",
				     "a",
				     "b-c",
				     "name",
				     "9",
				     " ",
				     "for",
				     "null",
				     "true",
				     "= ",
				     "[",
				     "]",
				     "(",
				     ")",
				     "\\u0024{",
				     "\\${",
				     "$\\{",
				     "${\"}",
				     "\xCC\x81",
				     "_",
				     ",",
				     "'"};

void tn_studio_hostile_text(uint64_t *state, struct tn_buf *out)
{
	static const char *const words[] = {"for", "null", "true", "if", "${", "$", "%"};
	unsigned count = 1 + below(state, 8);
	if (below(state, 12) == 0) { /* a word alone */
		tn_buf_append_text(out, words[below(state, sizeof(words) / sizeof(words[0]))]);
		return;
	}
	if (below(state, 60) == 0)
		count = 2000;
	for (unsigned i = 0; i < count; i++)
		tn_buf_append_text(out, pieces[below(state, sizeof(pieces) / sizeof(pieces[0]))]);
}

static void put_text(uint64_t *state, struct tn_buf *out)
{
	struct tn_buf text;
	tn_buf_init(&text, 64 * 1024);
	tn_studio_hostile_text(state, &text);
	tn_json_put_str(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void put_key(uint64_t *state, struct tn_buf *out)
{
	struct tn_buf text;
	tn_buf_init(&text, 64 * 1024);
	tn_studio_hostile_text(state, &text);
	tn_json_put_key_str(out, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void put_list(uint64_t *state, struct tn_buf *out)
{
	tn_json_begin_array(out);
	for (unsigned i = below(state, 4); i > 0; i--)
		put_text(state, out);
	tn_json_end_array(out);
}

static void put_map(uint64_t *state, struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (unsigned i = below(state, 5); i > 0; i--) {
		put_key(state, out);
		put_text(state, out);
	}
	tn_json_end_object(out);
}

static void put_elements(uint64_t *state, struct tn_buf *out,
			 const struct tn_studio_property *property)
{
	tn_json_begin_array(out);
	for (unsigned i = below(state, 4); i > 0; i--) {
		tn_json_begin_object(out);
		for (size_t j = 0; j < property->field_count; j++) {
			const struct tn_studio_property *field = &property->fields[j];
			if (below(state, 4) == 0)
				continue;
			tn_json_put_key_str(out, field->key);
			if (field->type == TN_STUDIO_ARRAY || field->type == TN_STUDIO_ENUM_LIST)
				put_list(state, out);
			else if (field->type == TN_STUDIO_NUMBER)
				tn_json_put_int(out, below(state, 100000));
			else
				put_text(state, out);
		}
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_value(uint64_t *state, struct tn_buf *out,
		      const struct tn_studio_property *property)
{
	switch (property->type) {
	case TN_STUDIO_NUMBER:
		if (below(state, 3))
			tn_json_put_int(out, (int64_t)below(state, 70000) - 100);
		else
			tn_json_put_double(out, (double)below(state, 1000000) / 7.0);
		break;
	case TN_STUDIO_BOOLEAN:
		tn_json_put_bool(out, below(state, 2));
		break;
	case TN_STUDIO_ENUM:
		if (property->allowed && property->allowed->count && below(state, 4)) {
			const struct tn_json *one = property->allowed->first;
			for (unsigned i = below(state, property->allowed->count); i > 0; i--)
				one = one->next;
			tn_json_put_value(out, one);
			break;
		}
		put_text(state, out);
		break;
	case TN_STUDIO_ARRAY:
	case TN_STUDIO_ENUM_LIST:
		if (property->field_count)
			put_elements(state, out, property);
		else
			put_list(state, out);
		break;
	case TN_STUDIO_MAP:
		put_map(state, out);
		break;
	default:
		put_text(state, out);
	}
}

static void put_properties(uint64_t *state, struct tn_buf *out, const struct tn_studio_type *type)
{
	tn_json_put_key(out, "properties");
	tn_json_begin_object(out);
	for (size_t i = 0; i < type->property_count; i++) {
		const struct tn_studio_property *one = &type->properties[i];
		if (one->type == TN_STUDIO_REFERENCE || below(state, 3) == 0)
			continue;
		tn_json_put_key_str(out, one->key);
		put_value(state, out, one);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "variableModes");
	tn_json_begin_object(out);
	for (size_t i = 0; i < type->property_count; i++) {
		if (below(state, 4) || type->properties[i].type == TN_STUDIO_REFERENCE)
			continue;
		tn_json_put_key_str(out, type->properties[i].key);
		tn_json_put_text(out, "variable");
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "enabledOutputs");
	tn_json_begin_array(out);
	for (size_t i = 0; i < type->output_count; i++)
		tn_json_put_str(out, type->outputs[i].key);
	tn_json_end_array(out);
}

struct picture { /* what is there so far */
	const struct tn_studio_type *types[NODES_MAX];
	unsigned count;
};

static void put_references(uint64_t *state, struct tn_buf *out, const struct picture *picture,
			   const struct tn_studio_type *type)
{
	tn_json_put_key(out, "references");
	tn_json_begin_object(out);
	for (size_t i = 0; i < type->property_count; i++) {
		const struct tn_studio_property *one = &type->properties[i];
		if (one->type != TN_STUDIO_REFERENCE)
			continue;
		for (unsigned j = 0; j < picture->count; j++) {
			char id[16];
			if (!tn_studio_ids_have(one->to, picture->types[j]) || below(state, 2))
				continue;
			(void)snprintf(id, sizeof(id), "n%u", j);
			tn_json_put_key_str(out, one->key);
			if (one->many)
				tn_json_begin_array(out);
			tn_json_put_text(out, id);
			if (one->many)
				tn_json_end_array(out);
			break;
		}
	}
	tn_json_end_object(out);
}

static void put_node(uint64_t *state, struct tn_buf *out, struct picture *picture,
		     const struct tn_studio_type *type)
{
	char id[16];
	(void)snprintf(id, sizeof(id), "n%u", picture->count);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", id);
	tn_json_put_member_str(out, "typeId", type->id);
	tn_json_put_key(out, "label");
	put_text(state, out);
	tn_json_put_member_text(out, "terraformName", id);
	for (unsigned j = 0; j < picture->count; j++) {
		if (!picture->types[j]->container ||
		    !tn_studio_may_contain(picture->types[j], type) || below(state, 3) == 0)
			continue;
		(void)snprintf(id, sizeof(id), "n%u", j);
		tn_json_put_member_text(out, "parentId", id);
		break;
	}
	tn_json_put_member_raw(out, "position", TN_STR("{\"x\":0,\"y\":0}"));
	put_properties(state, out, type);
	put_references(state, out, picture, type);
	tn_json_end_object(out);
	picture->types[picture->count++] = type;
}

static void put_config(uint64_t *state, struct tn_buf *out)
{
	static const char *const backends[] = {"s3", "http", "remote", "local", "azurerm"};
	tn_json_begin_object(out);
	tn_json_put_key(out, "tags");
	put_map(state, out);
	tn_json_put_key(out, "backend");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", backends[below(state, 5)]);
	tn_json_put_key(out, "config");
	put_map(state, out);
	tn_json_end_object(out);
	tn_json_put_key(out, "variableValues");
	tn_json_begin_object(out);
	tn_json_put_key(out, "n0_name");
	put_text(state, out);
	tn_json_put_key(out, "n1_name");
	put_map(state, out);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

void tn_studio_hostile_diagram(const struct tn_studio_registry *registry, uint64_t seed,
			       struct tn_buf *ret_diagram, struct tn_buf *ret_config)
{
	uint64_t state = seed * 0x9E3779B97F4A7C15ull + 1;
	struct picture picture = {.count = 0};
	const char *const first[] = {
		"azurerm/core/subscription",   "azurerm/core/subscription",
		"azurerm/core/resource_group", "azurerm/networking/virtual_network",
		"azurerm/networking/subnet",   "aws/networking/vpc"};
	tn_buf_clear(ret_diagram);
	tn_buf_clear(ret_config);
	tn_json_begin_object(ret_diagram);
	tn_json_put_member_int(ret_diagram, "formatVersion", 1);
	tn_json_put_member_int(ret_diagram, "revision", 1);
	tn_json_put_key(ret_diagram, "nodes");
	tn_json_begin_array(ret_diagram);
	unsigned wanted = 6 + below(&state, NODES_MAX - 6);
	for (unsigned i = 0; i < wanted; i++) {
		const struct tn_studio_type *type =
			i < sizeof(first) / sizeof(first[0])
				? tn_studio_type_find(registry, tn_str_from(first[i]))
				: registry->types[below(&state, registry->type_count)];
		if (type && (i > 1 || below(&state, 2)))
			put_node(&state, ret_diagram, &picture, type);
	}
	tn_json_end_array(ret_diagram);
	tn_json_put_member_raw(ret_diagram, "edges", TN_STR("[]"));
	tn_json_put_member_raw(ret_diagram, "modules", TN_STR("[]"));
	tn_json_put_member_raw(ret_diagram, "instances", TN_STR("[]"));
	tn_json_end_object(ret_diagram);
	put_config(&state, ret_config);
}
