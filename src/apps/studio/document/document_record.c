#include "apps/studio/document/internal.h"

#include <math.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_make.h"

/* ---- form ---- */

static bool is_word(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-';
}

bool tn_studio_id_is_valid(struct tn_str id)
{
	if (id.size == 0 || id.size >= TN_STUDIO_ID_SIZE)
		return false;
	for (size_t i = 0; i < id.size; i++) {
		if (!is_word(id.data[i]))
			return false;
	}
	return true;
}

bool tn_studio_terraform_name_is_valid(struct tn_str name)
{
	return tn_studio_id_is_valid(name) && (tn_is_alpha(name.data[0]) || name.data[0] == '_');
}

static enum tenon_code check_text(struct tn_str text, struct tenon_error *err)
{
	if (text.size > TN_STUDIO_STRING_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "a text of %zu bytes; at most %d are kept",
			       text.size, (int)TN_STUDIO_STRING_BYTES_MAX);
	if (tn_str_find_byte(text, '\0') != TN_STR_NONE)
		return tn_fail(err, TENON_INVALID, "a text contains a NUL character");
	return TENON_OK;
}

static enum tenon_code check_count(const struct tn_json *value, struct tenon_error *err)
{
	uint32_t max =
		value->type == TN_JSON_OBJECT ? TN_STUDIO_PROPERTIES_MAX : TN_STUDIO_LIST_MAX;

	if (value->count > max)
		return tn_fail(err, TENON_LIMIT, "%u %s; at most %u are kept", value->count,
			       value->type == TN_JSON_OBJECT ? "members" : "elements", max);
	return TENON_OK;
}

static enum tenon_code check_value(const struct tn_json *value, unsigned depth,
				   struct tenon_error *err)
{
	enum tenon_code code;

	if (value->type == TN_JSON_STRING)
		return check_text(value->text, err);
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return TENON_OK;
	if (depth == 0)
		return tn_fail(err, TENON_LIMIT, "values are nested more than %d deep",
			       TN_STUDIO_DEPTH_MAX);
	code = check_count(value, err);
	for (const struct tn_json *at = value->first; at && code == TENON_OK; at = at->next) {
		if (value->type == TN_JSON_OBJECT)
			code = check_text(at->key, err);
		if (code == TENON_OK)
			code = check_value(at, depth - 1, err);
	}
	return code;
}

enum tenon_code tn_studio_record_check(const struct tn_json *value, struct tenon_error *err)
{
	/* The record and its `properties` around the value itself. */
	return check_value(value, TN_STUDIO_DEPTH_MAX + 2, err);
}

/* ---- reading a record ---- */

struct reader {
	const struct tn_json *record;
	const char *what; /* "node", "edge" */
	struct tn_str id;
	struct tenon_error *err;
};

static enum tenon_code fail(const struct reader *reader, const char *member, const char *why)
{
	return tn_fail(reader->err, TENON_INVALID, "%s %.*s: %s %s", reader->what,
		       (int)reader->id.size, reader->id.data, member, why);
}

static enum tenon_code read_id(struct reader *reader, struct tn_str *ret)
{
	if (!tn_json_is(reader->record, TN_JSON_OBJECT) ||
	    !tn_json_to_str(tn_json_get(reader->record, "id"), ret) || !tn_studio_id_is_valid(*ret))
		return tn_fail(reader->err, TENON_INVALID,
			       "a %s has no id of 1 to 64 characters A-Z a-z 0-9 _ -",
			       reader->what);
	reader->id = *ret;
	return TENON_OK;
}

/* Absent is empty. */
static enum tenon_code read_text(const struct reader *reader, const char *key, struct tn_str *ret)
{
	const struct tn_json *value = tn_json_get(reader->record, key);

	if (value && !tn_json_to_str(value, ret))
		return fail(reader, key, "is no string");
	return TENON_OK;
}

static enum tenon_code read_reference(const struct reader *reader, const char *key, bool required,
				      struct tn_str *ret)
{
	enum tenon_code code = read_text(reader, key, ret);

	if (code == TENON_OK && (required || tn_json_get(reader->record, key)) &&
	    !tn_studio_id_is_valid(*ret))
		return fail(reader, key, "is no id");
	return code;
}

static enum tenon_code read_container(const struct reader *reader, const char *key,
				      enum tn_json_type type, const struct tn_json **ret)
{
	const struct tn_json *value = tn_json_get(reader->record, key);

	if (value && value->type != type)
		return fail(reader, key, type == TN_JSON_OBJECT ? "is no object" : "is no array");
	*ret = value && value->count > 0 ? value : NULL;
	return TENON_OK;
}

/* Files may have fractions, and places out of this world. */
static int32_t to_pixels(const struct tn_json *object, const char *key)
{
	double value = 0;

	if (!tn_json_to_double(tn_json_get(object, key), &value))
		return 0;
	value = fmax(-1e6, fmin(1e6, value));
	return (int32_t)lround(value);
}

static enum tenon_code read_geometry(const struct reader *reader, struct tn_studio_node *node)
{
	const struct tn_json *position = NULL, *size = NULL;
	enum tenon_code code = read_container(reader, "position", TN_JSON_OBJECT, &position);

	if (code == TENON_OK)
		code = read_container(reader, "size", TN_JSON_OBJECT, &size);
	node->x = to_pixels(position, "x");
	node->y = to_pixels(position, "y");
	node->width = to_pixels(size, "width");
	node->height = to_pixels(size, "height");
	return code;
}

static size_t count_characters(struct tn_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += (text.data[i] & 0xc0) != 0x80;
	return count;
}

static enum tenon_code read_names(const struct reader *reader, struct tn_studio_node *node)
{
	enum tenon_code code = read_text(reader, "typeId", &node->type_id);

	if (code == TENON_OK && (node->type_id.size == 0 || node->type_id.size > 256))
		code = fail(reader, "typeId", "is missing or too long");
	if (code == TENON_OK)
		code = read_text(reader, "label", &node->label);
	if (code == TENON_OK && (node->label.size == 0 ||
				 count_characters(node->label) > TN_STUDIO_LABEL_CHARACTERS_MAX))
		code = fail(reader, "label", "has not 1 to 128 characters");
	return code;
}

static enum tenon_code read_identifiers(const struct reader *reader, struct tn_studio_node *node)
{
	enum tenon_code code = read_text(reader, "terraformName", &node->name);

	if (code == TENON_OK && !tn_studio_terraform_name_is_valid(node->name))
		code = fail(reader, "terraformName", "is no HCL identifier");
	node->own = node->name;
	if (code == TENON_OK)
		code = read_text(reader, TN_STUDIO_OWN, &node->own);
	if (code == TENON_OK && !tn_studio_terraform_name_is_valid(node->own))
		code = fail(reader, TN_STUDIO_OWN, "is no HCL identifier");
	return code;
}

static enum tenon_code read_texts(const struct reader *reader, struct tn_studio_node *node)
{
	enum tenon_code code = read_reference(reader, "parentId", false, &node->parent_id);

	if (code == TENON_OK)
		code = read_reference(reader, "moduleId", false, &node->module_id);
	if (code == TENON_OK)
		code = read_text(reader, "slug", &node->slug);
	if (code == TENON_OK)
		code = read_text(reader, "notes", &node->notes);
	if (code == TENON_OK && node->notes.size > TN_STUDIO_NOTES_BYTES_MAX)
		code = fail(reader, "notes", "have more than 16 KiB");
	return code;
}

static enum tenon_code read_values(const struct reader *reader, struct tn_studio_node *node)
{
	enum tenon_code code =
		read_container(reader, "properties", TN_JSON_OBJECT, &node->properties);

	if (code == TENON_OK)
		code = read_container(reader, "references", TN_JSON_OBJECT, &node->references);
	if (code == TENON_OK)
		code = read_container(reader, "variableModes", TN_JSON_OBJECT,
				      &node->variable_modes);
	if (code == TENON_OK)
		code = read_container(reader, "enabledOutputs", TN_JSON_ARRAY,
				      &node->enabled_outputs);
	return code;
}

static enum tenon_code read_node(const struct tn_studio_registry *registry,
				 struct tn_studio_node *node, struct tenon_error *err)
{
	struct reader reader = {.record = node->record, .what = "node", .err = err};
	enum tenon_code code = read_id(&reader, &node->id);

	if (code == TENON_OK)
		code = read_names(&reader, node);
	if (code == TENON_OK)
		code = read_identifiers(&reader, node);
	if (code == TENON_OK)
		code = read_texts(&reader, node);
	if (code == TENON_OK)
		code = read_geometry(&reader, node);
	if (code == TENON_OK)
		code = read_values(&reader, node);
	if (code == TENON_OK)
		node->type = tn_studio_type_find(registry, node->type_id);
	return code;
}

/* ---- edges ---- */

static const char *const category_names[] = {"structural", "binding", "reference", "annotation"};

const char *tn_studio_edge_category_name(enum tn_studio_edge_category category)
{
	return category_names[category];
}

static enum tenon_code read_category(const struct reader *reader, struct tn_studio_edge *edge)
{
	struct tn_str name = tn_str(NULL, 0);
	enum tenon_code code = read_text(reader, "category", &name);

	if (code != TENON_OK)
		return code;
	for (int i = 0; i < 4; i++) {
		if (i != TN_STUDIO_REFERENCE_EDGE && tn_str_is(name, category_names[i])) {
			edge->category = (enum tn_studio_edge_category)i;
			return TENON_OK;
		}
	}
	return fail(reader, "category", "is none of structural, binding, annotation");
}

static enum tenon_code read_handle(const struct reader *reader, const char *key, struct tn_str *ret)
{
	enum tenon_code code = read_text(reader, key, ret);

	if (code == TENON_OK && (ret->size == 0 || ret->size > 256))
		return fail(reader, key, "is missing or too long");
	return code;
}

static enum tenon_code read_edge(struct tn_studio_edge *edge, struct tenon_error *err)
{
	struct reader reader = {.record = edge->record, .what = "edge", .err = err};
	enum tenon_code code = read_id(&reader, &edge->id);

	if (code == TENON_OK)
		code = read_reference(&reader, "source", true, &edge->source_id);
	if (code == TENON_OK)
		code = read_reference(&reader, "target", true, &edge->target_id);
	if (code == TENON_OK)
		code = read_handle(&reader, "sourceHandle", &edge->source_handle);
	if (code == TENON_OK)
		code = read_handle(&reader, "targetHandle", &edge->target_handle);
	if (code == TENON_OK)
		code = read_text(&reader, "label", &edge->label);
	if (code == TENON_OK && count_characters(edge->label) > TN_STUDIO_LABEL_CHARACTERS_MAX)
		code = fail(&reader, "label", "has more than 128 characters");
	if (code == TENON_OK)
		code = read_category(&reader, edge);
	return code;
}

/* ---- making ---- */

static enum tenon_code copy_record(struct tn_studio_memory **ret_memory,
				   const struct tn_json *record, const struct tn_json **ret,
				   struct tenon_error *err)
{
	enum tenon_code code = tn_studio_record_check(record, err);

	return code == TENON_OK ? tn_studio_memory_make(record, ret_memory, ret, err) : code;
}

enum tenon_code tn_studio_node_make(const struct tn_studio_registry *registry,
				    const struct tn_json *record, struct tn_studio_node **ret,
				    struct tenon_error *err)
{
	struct tn_studio_node *node = tn_mem_alloc(sizeof(*node));
	enum tenon_code code;

	if (!node)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = record ? copy_record(&node->memory, record, &node->record, err)
		      : tn_fail(err, TENON_INVALID, "there is no node");
	if (code == TENON_OK)
		code = read_node(registry, node, err);
	if (code != TENON_OK) {
		tn_studio_node_destroy(node);
		return code;
	}
	*ret = node;
	return TENON_OK;
}

enum tenon_code tn_studio_edge_make(const struct tn_json *record, struct tn_studio_edge **ret,
				    struct tenon_error *err)
{
	struct tn_studio_edge *edge = tn_mem_alloc(sizeof(*edge));
	enum tenon_code code;

	if (!edge)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = record ? copy_record(&edge->memory, record, &edge->record, err)
		      : tn_fail(err, TENON_INVALID, "there is no edge");
	if (code == TENON_OK)
		code = read_edge(edge, err);
	if (code != TENON_OK) {
		tn_studio_edge_destroy(edge);
		return code;
	}
	*ret = edge;
	return TENON_OK;
}

void tn_studio_node_destroy(struct tn_studio_node *node)
{
	if (!node)
		return;
	tn_studio_memory_unref(node->memory);
	tn_mem_free(node);
}

void tn_studio_edge_destroy(struct tn_studio_edge *edge)
{
	if (!edge)
		return;
	tn_studio_memory_unref(edge->memory);
	tn_mem_free(edge);
}
