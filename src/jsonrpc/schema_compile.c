#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/schema_compiler.h"

struct resource {
	const struct tn_json *root;
	struct tn_schema_base base;
};

struct tn_schema_pending {
	struct tn_schema_node *node;
	struct tn_str reference;
	const struct tn_schema_base *base;
	const char *pointer; /* of the keyword, for messages */
	bool dynamic;
	struct tn_schema_pending *next;
};

enum { CHAIN_MAX = 256 }; /* schemas applied to one and the same value, one inside the other */

/* ---- failing ---- */

static size_t write_pointer(const struct tn_schema_place *place, char *out, size_t size)
{
	size_t at = place->up ? write_pointer(place->up, out, size) : 0;
	int wrote;

	if (at >= size)
		return at;
	if (!place->up)
		wrote = snprintf(out, size, "#");
	else if (place->key.data)
		wrote = snprintf(out + at, size - at, "/%.*s",
				 (int)(place->key.size < 64 ? place->key.size : 64),
				 place->key.data);
	else
		wrote = snprintf(out + at, size - at, "/%u", place->index);
	return at + (size_t)(wrote > 0 ? wrote : 0);
}

bool tn_schema_refuse(struct tn_schema_compiler *c, enum tenon_code code, const char *format, ...)
{
	char pointer[128], text[160];
	va_list args;

	if (c->code != TENON_OK)
		return false;
	(void)write_pointer(c->place, pointer, sizeof(pointer));
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	c->code = tn_fail(c->err, code, "schema %.110s: %s", pointer, text);
	return false;
}

void *tn_schema_new(struct tn_schema_compiler *c, size_t count, size_t size)
{
	void *memory = tn_arena_alloc_array(c->arena, count ? count : 1, size);

	if (!memory)
		(void)tn_schema_refuse(c, TENON_NO_MEMORY, "the schema needs too much memory");
	return memory;
}

bool tn_schema_copy_text(struct tn_schema_compiler *c, struct tn_str text, struct tn_str *ret)
{
	char *copy = tn_schema_new(c, text.size + 1, 1);

	if (!copy)
		return false;
	if (text.size)
		memcpy(copy, text.data, text.size);
	*ret = tn_str(copy, text.size);
	return true;
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
const struct tn_json *tn_schema_copy_value(struct tn_schema_compiler *c,
					   const struct tn_json *value)
{
	struct tn_json *copy = tn_schema_new(c, 1, sizeof(*copy)), **tail;

	if (!copy)
		return NULL;
	copy->type = value->type;
	copy->count = value->count;
	if (!tn_schema_copy_text(c, value->key, &copy->key))
		return NULL;
	if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		return tn_schema_copy_text(c, value->text, &copy->text) ? copy : NULL;
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return copy;
	tail = &copy->first;
	for (const struct tn_json *child = value->first; child; child = child->next) {
		/* Only the copier holds it until it is linked: casting const away is ours to do. */
		*tail = (struct tn_json *)(uintptr_t)tn_schema_copy_value(c, child);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	return copy;
}

/* ---- nodes ---- */

static struct tn_str address_key(const struct tn_json *const *value)
{
	return tn_str((const char *)value, sizeof(*value));
}

static struct tn_schema_node *new_node(struct tn_schema_compiler *c, const struct tn_json *value)
{
	struct tn_schema_node *node;

	if (c->nodes_count == TN_SCHEMA_NODES_MAX) {
		(void)tn_schema_refuse(c, TENON_LIMIT, "more than %d schemas", TN_SCHEMA_NODES_MAX);
		return NULL;
	}
	c->nodes_count++;
	node = tn_schema_new(c, 1, sizeof(*node));
	if (!node)
		return NULL;
	node->kind = TN_SCHEMA_RULES;
	node->resource = c->base->resource;
	if (tn_map_put(&c->nodes, address_key(&value), node, NULL) != TENON_OK) {
		(void)tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
		return NULL;
	}
	return node;
}

/* ---- resources ---- */

static const struct {
	const char *uri;
	enum tn_schema_dialect dialect;
} dialects[] = {
	{"https://json-schema.org/draft/2020-12/schema", TN_SCHEMA_2020_12},
	{"http://json-schema.org/draft-07/schema", TN_SCHEMA_DRAFT_07},
	{"https://json-schema.org/draft-07/schema", TN_SCHEMA_DRAFT_07},
};

/* MCP-279: another dialect is an error, never silently permissive. */
static bool read_dialect(struct tn_schema_compiler *c, const struct tn_json *schema,
			 enum tn_schema_dialect *ret)
{
	const struct tn_json *value = tn_json_get(schema, "$schema");
	struct tn_str uri;

	if (!value)
		return true;
	if (!tn_json_to_str(value, &uri))
		return tn_schema_refuse(c, TENON_INVALID, "$schema is not a string");
	if (uri.size && uri.data[uri.size - 1] == '#')
		uri.size--;
	for (size_t i = 0; i < TN_COUNT(dialects); i++) {
		if (tn_str_is(uri, dialects[i].uri)) {
			*ret = dialects[i].dialect;
			return true;
		}
	}
	return tn_schema_refuse(c, TENON_INVALID,
				"dialect not supported: \"%.*s\"; use 2020-12 or draft-07",
				(int)(uri.size < 80 ? uri.size : 80), uri.data);
}

static struct tn_str without_fragment(struct tn_str uri)
{
	size_t hash = tn_str_find_byte(uri, '#');

	return hash == TN_STR_NONE ? uri : tn_str(uri.data, hash);
}

static const struct tn_schema_base *open_resource(struct tn_schema_compiler *c,
						  const struct tn_json *schema, struct tn_str uri)
{
	struct resource *resource = tn_arena_alloc(&c->scratch, sizeof(*resource));
	struct tn_schema_resource *shared = tn_schema_new(c, 1, sizeof(*shared));

	if (!resource || !shared) {
		(void)tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
		return NULL;
	}
	resource->root = schema;
	resource->base.uri = uri;
	resource->base.dialect = c->base ? c->base->dialect : TN_SCHEMA_2020_12;
	resource->base.resource = shared;
	if (!read_dialect(c, schema, &resource->base.dialect))
		return NULL;
	if (tn_map_get(&c->resources, uri)) {
		(void)tn_schema_refuse(c, TENON_INVALID, "the $id \"%.*s\" is used twice",
				       (int)(uri.size < 80 ? uri.size : 80), uri.data);
		return NULL;
	}
	if (tn_map_put(&c->resources, uri, resource, NULL) != TENON_OK) {
		(void)tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
		return NULL;
	}
	return &resource->base;
}

/* The base in force inside `schema`: a new one if it has an $id. In draft-07 an $id beside a $ref
 * is ignored, and one that is only a fragment names an anchor. NULL: refused. */
static const struct tn_schema_base *enter_base(struct tn_schema_compiler *c,
					       const struct tn_json *schema)
{
	const struct tn_json *id = tn_json_get(schema, "$id");
	struct tn_str text, uri;
	const struct resource *known;

	if (!id)
		return c->base;
	if (!tn_json_to_str(id, &text)) {
		(void)tn_schema_refuse(c, TENON_INVALID, "$id is not a string");
		return NULL;
	}
	if (c->base->dialect == TN_SCHEMA_DRAFT_07 && tn_json_get(schema, "$ref"))
		return c->base;
	if (without_fragment(text).size == 0)
		return c->base;
	uri = tn_uri_resolve(&c->scratch, c->base->uri, without_fragment(text));
	if (!uri.data) {
		(void)tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
		return NULL;
	}
	known = tn_map_get(&c->resources, uri);
	return known && known->root == schema ? &known->base : open_resource(c, schema, uri);
}

bool tn_schema_add_anchor(struct tn_schema_compiler *c, struct tn_schema_node *node,
			  struct tn_str name, bool dynamic)
{
	struct tn_schema_anchor *anchor;
	char *key = tn_arena_format(&c->scratch, "%.*s#%.*s", (int)c->base->uri.size,
				    c->base->uri.data, (int)name.size, name.data);

	if (!key)
		return tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
	if (tn_map_get(&c->anchors, tn_str_from(key)))
		return tn_schema_refuse(c, TENON_INVALID, "the anchor is used twice");
	if (tn_map_put(&c->anchors, tn_str_from(key), node, NULL) != TENON_OK)
		return tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
	if (!dynamic)
		return true;
	anchor = tn_schema_new(c, 1, sizeof(*anchor));
	if (!anchor || !tn_schema_copy_text(c, name, &anchor->name))
		return false;
	anchor->node = node;
	anchor->next = c->base->resource->dynamic_anchors;
	c->base->resource->dynamic_anchors = anchor;
	return true;
}

/* ---- the walk ---- */

/* In draft-07 the neighbours of a $ref are ignored; what they define can still be referred to. */
static bool is_ignored(const struct tn_schema_compiler *c, const struct tn_json *member,
		       bool beside_ref)
{
	return beside_ref && c->base->dialect == TN_SCHEMA_DRAFT_07 &&
	       !tn_str_is(member->key, "$ref") && !tn_str_is(member->key, "definitions") &&
	       !tn_str_is(member->key, "$defs");
}

static bool compile_members(struct tn_schema_compiler *c, struct tn_schema_node *node,
			    const struct tn_json *schema)
{
	bool beside_ref = tn_json_get(schema, "$ref") != NULL;

	if (schema->count == 0)
		node->kind = TN_SCHEMA_ANY;
	for (const struct tn_json *member = schema->first; member; member = member->next) {
		if (!is_ignored(c, member, beside_ref) &&
		    !tn_schema_compile_keyword(c, node, schema, member))
			return false;
	}
	return true;
}

static struct tn_schema_node *compile_value(struct tn_schema_compiler *c,
					    const struct tn_json *value)
{
	const struct tn_schema_base *outer = c->base;
	struct tn_schema_node *node = tn_map_get(&c->nodes, address_key(&value));

	if (node)
		return node;
	if (value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE) {
		node = new_node(c, value);
		if (node)
			node->kind = value->type == TN_JSON_TRUE ? TN_SCHEMA_ANY : TN_SCHEMA_NEVER;
		return node;
	}
	if (value->type != TN_JSON_OBJECT) {
		(void)tn_schema_refuse(c, TENON_INVALID,
				       "a schema is an object or a boolean, not %s",
				       tn_json_type_name(value));
		return NULL;
	}
	if (c->depth == TN_SCHEMA_DEPTH_MAX) {
		(void)tn_schema_refuse(c, TENON_LIMIT, "nested more than %d deep",
				       TN_SCHEMA_DEPTH_MAX);
		return NULL;
	}
	c->base = enter_base(c, value);
	node = c->base ? new_node(c, value) : NULL;
	c->depth++;
	if (node && !compile_members(c, node, value))
		node = NULL;
	c->depth--;
	c->base = outer;
	return node;
}

const struct tn_schema_node *tn_schema_compile_child(struct tn_schema_compiler *c,
						     const struct tn_json *value, struct tn_str key,
						     uint32_t index)
{
	const struct tn_schema_place place = {c->place, key, index}, *outer = c->place;
	const struct tn_schema_node *node;

	c->place = &place;
	node = compile_value(c, value);
	c->place = outer;
	return node;
}

/* ---- references ---- */

bool tn_schema_add_reference(struct tn_schema_compiler *c, struct tn_schema_node *node,
			     struct tn_str reference, bool dynamic)
{
	struct tn_schema_pending *pending = tn_arena_alloc(&c->scratch, sizeof(*pending));
	char pointer[200];

	(void)write_pointer(c->place, pointer, sizeof(pointer));
	if (pending)
		pending->pointer = tn_arena_copy(&c->scratch, tn_str_from(pointer));
	if (!pending || !pending->pointer)
		return tn_schema_refuse(c, TENON_NO_MEMORY, "out of memory");
	pending->node = node;
	pending->reference = reference;
	pending->base = c->base;
	pending->dynamic = dynamic;
	*c->pending_tail = pending;
	c->pending_tail = &pending->next;
	return true;
}

static int hex_digit(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent-decoding; a stray % stays as it is. */
static struct tn_str decode_fragment(struct tn_arena *arena, struct tn_str text)
{
	char *out = tn_arena_alloc_raw(arena, text.size + 1);
	size_t size = 0;

	if (!out)
		return tn_str(NULL, 0);
	for (size_t i = 0; i < text.size; i++) {
		int high =
			i + 2 < text.size && text.data[i] == '%' ? hex_digit(text.data[i + 1]) : -1;
		int low = high >= 0 ? hex_digit(text.data[i + 2]) : -1;

		if (low >= 0) {
			out[size++] = (char)(high << 4 | low);
			i += 2;
		} else {
			out[size++] = text.data[i];
		}
	}
	return tn_str(out, size);
}

/* ~1 and ~0 of RFC 6901, in place. */
static struct tn_str unescape_token(char *token, size_t size)
{
	size_t out = 0;

	for (size_t i = 0; i < size; i++) {
		if (token[i] == '~' && i + 1 < size && (token[i + 1] == '0' || token[i + 1] == '1'))
			token[out++] = token[++i] == '0' ? '~' : '/';
		else
			token[out++] = token[i];
	}
	return tn_str(token, out);
}

static const struct tn_json *child_at(const struct tn_json *value, struct tn_str token)
{
	uint64_t index;

	if (value->type == TN_JSON_OBJECT)
		return tn_json_get_str(value, token);
	if (value->type != TN_JSON_ARRAY || !tn_str_to_uint(token, &index) || index >= value->count)
		return NULL;
	for (value = value->first; index > 0; index--)
		value = value->next;
	return value;
}

/* Follows a pointer ("/a/b", decoded) from c->base's root; c->base moves along with every $id. */
static const struct tn_json *follow_pointer(struct tn_schema_compiler *c,
					    const struct tn_json *value, struct tn_str pointer)
{
	while (value && pointer.size) {
		char *token = (char *)(uintptr_t)pointer.data + 1; /* our own decoded copy */
		size_t size = 0;

		while (size + 1 < pointer.size && token[size] != '/')
			size++;
		pointer = tn_str_from_offset(pointer, size + 1);
		value = child_at(value, unescape_token(token, size));
		/* A property may be called $id; then its value is a schema, not a string. */
		if (pointer.size && tn_json_is(tn_json_get(value, "$id"), TN_JSON_STRING)) {
			c->base = enter_base(c, value);
			if (!c->base)
				return NULL;
		}
	}
	return value;
}

static struct tn_schema_node *external_node(struct tn_schema_compiler *c, struct tn_str uri)
{
	struct tn_schema_node *node = tn_schema_new(c, 1, sizeof(*node));

	if (!node || !tn_schema_copy_text(c, uri, &node->external))
		return NULL;
	node->kind = TN_SCHEMA_EXTERNAL;
	return node;
}

static struct tn_schema_node *find_target(struct tn_schema_compiler *c, struct tn_str uri)
{
	struct tn_str name = without_fragment(uri);
	struct tn_str fragment = tn_str_from_offset(uri, name.size + 1);
	const struct resource *resource = tn_map_get(&c->resources, name);
	const struct tn_json *value;

	if (!resource)
		return external_node(c, uri); /* MCP-281: never fetched, never passed */
	fragment = decode_fragment(&c->scratch, fragment);
	if (!fragment.data)
		return NULL;
	if (fragment.size && fragment.data[0] != '/') {
		char *key = tn_arena_format(&c->scratch, "%.*s#%.*s", (int)name.size, name.data,
					    (int)fragment.size, fragment.data);

		return key ? tn_map_get(&c->anchors, tn_str_from(key)) : NULL;
	}
	c->base = &resource->base;
	value = follow_pointer(c, resource->root, fragment);
	return value ? compile_value(c, value) : NULL;
}

static bool is_dynamic_anchor(const struct tn_schema_node *node, struct tn_str name)
{
	const struct tn_schema_anchor *anchor =
		node->resource ? node->resource->dynamic_anchors : NULL;

	for (; anchor; anchor = anchor->next) {
		if (tn_str_equal(anchor->name, name))
			return anchor->node == node;
	}
	return false;
}

static bool resolve(struct tn_schema_compiler *c, const struct tn_schema_pending *pending)
{
	struct tn_schema_logic *logic = pending->node->logic;
	struct tn_str uri = tn_uri_resolve(&c->scratch, pending->base->uri, pending->reference);
	struct tn_str fragment;
	struct tn_schema_node *target;

	c->base = pending->base;
	target = uri.data ? find_target(c, uri) : NULL;
	if (c->code != TENON_OK)
		return false;
	if (!target) {
		c->code = tn_fail(
			c->err, TENON_INVALID,
			"schema %.110s: the reference \"%.*s\" leads nowhere", pending->pointer,
			(int)(pending->reference.size < 80 ? pending->reference.size : 80),
			pending->reference.data);
		return false;
	}
	if (!pending->dynamic) {
		logic->ref = target;
		return true;
	}
	logic->dynamic_ref = target;
	fragment = tn_str_from_offset(uri, without_fragment(uri).size + 1);
	if (is_dynamic_anchor(target, fragment))
		return tn_schema_copy_text(c, fragment, &logic->dynamic_name);
	return true;
}

/* ---- cycles ---- */

/* Schemas that apply one another to the same value without end can never be checked. Every such
 * edge is followed depth first; `color` is 1 on the way and 2 when done. */
static enum tenon_code find_cycle(const struct tn_schema_node *node, uint32_t depth);

static enum tenon_code cycle_in_list(const struct tn_schema_list *list, uint32_t depth)
{
	enum tenon_code code = TENON_OK;

	for (uint32_t i = 0; i < list->count && code == TENON_OK; i++)
		code = find_cycle(list->nodes[i], depth);
	return code;
}

static enum tenon_code cycle_in_logic(const struct tn_schema_logic *logic, uint32_t depth)
{
	const struct tn_schema_node *const parts[] = {logic->not_node,  logic->if_node,
						      logic->then_node, logic->else_node,
						      logic->ref,       logic->dynamic_ref};
	const struct tn_schema_list *const lists[] = {&logic->all, &logic->any, &logic->one};
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < TN_COUNT(lists) && code == TENON_OK; i++)
		code = cycle_in_list(lists[i], depth);
	for (size_t i = 0; i < TN_COUNT(parts) && code == TENON_OK; i++)
		code = find_cycle(parts[i], depth);
	return code;
}

static enum tenon_code find_cycle(const struct tn_schema_node *node, uint32_t depth)
{
	enum tenon_code code = TENON_OK;
	struct tn_schema_node *mark =
		(struct tn_schema_node *)(uintptr_t)node; /* still being built */

	if (!node || node->color == 2)
		return TENON_OK;
	if (node->color == 1)
		return TENON_INVALID;
	if (depth > CHAIN_MAX)
		return TENON_LIMIT;
	mark->color = 1;
	if (node->logic)
		code = cycle_in_logic(node->logic, depth + 1);
	for (uint32_t i = 0; node->object && i < node->object->dependents_count; i++) {
		if (code == TENON_OK)
			code = find_cycle(node->object->dependents[i].node, depth + 1);
	}
	mark->color = 2;
	return code;
}

static bool refuse_cycles(struct tn_schema_compiler *c)
{
	size_t cursor = 0;
	struct tn_str key;
	void *node;

	while (tn_map_next(&c->nodes, &cursor, &key, &node)) {
		enum tenon_code code = find_cycle(node, 0);

		if (code == TENON_INVALID)
			return tn_schema_refuse(c, code, "schemas refer to each other in a circle");
		if (code == TENON_LIMIT)
			return tn_schema_refuse(c, code, "references chained more than %d deep",
						CHAIN_MAX);
	}
	return true;
}

/* ---- public ---- */

static bool compile_all(struct tn_schema_compiler *c, const struct tn_json *schema)
{
	static const struct tn_schema_place top = {NULL, {NULL, 0}, 0};

	c->place = &top;
	c->pending_tail = &c->pending;
	c->base = open_resource(c, schema, TN_STR(""));
	if (!c->base)
		return false;
	c->schema->root = compile_value(c, schema);
	if (!c->schema->root)
		return false;
	for (struct tn_schema_pending *p = c->pending; p; p = p->next) {
		if (!resolve(c, p))
			return false;
	}
	return refuse_cycles(c);
}

enum tenon_code tn_schema_compile_flags(const struct tn_json *schema, unsigned flags,
					struct tn_schema **ret, struct tenon_error *err)
{
	struct tn_schema_compiler c = {.err = err};

	c.schema = tn_mem_alloc(sizeof(*c.schema));
	if (!c.schema)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c.schema->flags = flags;
	tn_arena_init(&c.schema->arena, TN_SCHEMA_BYTES_MAX);
	tn_arena_init(&c.scratch, TN_SCHEMA_BYTES_MAX);
	c.arena = &c.schema->arena;
	tn_map_init(&c.nodes);
	tn_map_init(&c.resources);
	tn_map_init(&c.anchors);

	if (!compile_all(&c, schema) && c.code == TENON_OK)
		c.code = tn_fail(err, TENON_NO_MEMORY, "the schema needs too much memory");
	tn_map_finish(&c.anchors);
	tn_map_finish(&c.resources);
	tn_map_finish(&c.nodes);
	tn_arena_finish(&c.scratch);
	if (c.code == TENON_OK)
		*ret = c.schema;
	else
		tn_schema_free(c.schema);
	return c.code;
}

enum tenon_code tn_schema_compile(const struct tn_json *schema, struct tn_schema **ret,
				  struct tenon_error *err)
{
	return tn_schema_compile_flags(schema, 0, ret, err);
}

enum tenon_code tn_schema_compile_text(struct tn_str text, struct tn_schema **ret,
				       struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *schema;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_json_parse_copy(&arena, text, &schema, err);
	if (code == TENON_OK)
		code = tn_schema_compile(schema, ret, err);
	tn_arena_finish(&arena);
	return code;
}

void tn_schema_free(struct tn_schema *schema)
{
	if (!schema)
		return;
	tn_arena_finish(&schema->arena);
	tn_mem_free(schema);
}
