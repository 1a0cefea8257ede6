#include "apps/workbench/graph/item.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/values/id.h"
#include "jsonrpc/json_write.h"

struct kind {
	const char *name;
	const char *fields[3]; /* of its identity */
	/* Edges: which nodes its ends are, and where their identity stands in the fields. */
	enum tn_wb_kind from_kind, to_kind;
};

static const struct kind kinds[TN_WB_KINDS] = {
	[TN_WB_ROUTE] = {.name = "route", .fields = {"id"}},
	[TN_WB_COMPONENT_TYPE] = {.name = "componentType", .fields = {"id"}},
	[TN_WB_INSTANCE] = {.name = "instance", .fields = {"sessionId", "instanceId"}},
	[TN_WB_ROUTE_USES] = {.name = "routeUsesComponentType",
			      .fields = {"routeId", "componentTypeId"},
			      .from_kind = TN_WB_ROUTE,
			      .to_kind = TN_WB_COMPONENT_TYPE},
	[TN_WB_TYPE_USES] = {.name = "componentTypeUsesComponentType",
			     .fields = {"from", "to"},
			     .from_kind = TN_WB_COMPONENT_TYPE,
			     .to_kind = TN_WB_COMPONENT_TYPE},
	[TN_WB_CHILD_OF] = {.name = "instanceChildOfInstance",
			    .fields = {"sessionId", "parentInstanceId", "childInstanceId"},
			    .from_kind = TN_WB_INSTANCE,
			    .to_kind = TN_WB_INSTANCE},
};

const char *tn_wb_kind_name(enum tn_wb_kind kind)
{
	return kinds[kind].name;
}

bool tn_wb_kind_find(struct tn_str name, enum tn_wb_kind *ret)
{
	for (int i = 0; i < TN_WB_KINDS; i++)
		if (tn_str_is(name, kinds[i].name)) {
			*ret = (enum tn_wb_kind)i;
			return true;
		}
	return false;
}

bool tn_wb_kind_belongs(enum tn_wb_kind kind, enum tn_wb_graph_holds holds)
{
	bool of_session = kind == TN_WB_INSTANCE || kind == TN_WB_CHILD_OF;

	return of_session == (holds == TN_WB_GRAPH_INSTANCES);
}

struct tn_str tn_wb_key_id(struct tn_str key)
{
	size_t at = key.size;

	while (at > 1 && key.data[at - 1] != '\0')
		at--;
	return tn_str_from_offset(key, at);
}

/* ---- reading ---- */

struct reading {
	struct tn_arena *arena;
	const struct tn_json *json;
	struct tn_wb_item *item;
	struct tn_wb_item_fault *fault;
};

static enum tenon_code refuse(const struct reading *reading, const char *pointer,
			      const char *message)
{
	*reading->fault = (struct tn_wb_item_fault){pointer, message};
	return TENON_INVALID;
}

/* RouteId (section 5): the prefix is part of it. */
static bool is_route_id(struct tn_str id)
{
	static const struct tn_str given = {"routeId:", 8}, made = {"route:", 6};
	struct tn_str rest;

	if (tn_str_starts(id, made))
		return id.size > made.size;
	if (!tn_str_starts(id, given))
		return false;
	rest = tn_str_from_offset(id, given.size);
	return rest.size > 0 && tn_str_find_byte(rest, ':') == TN_STR_NONE &&
	       tn_str_find_byte(rest, '/') == TN_STR_NONE;
}

static const char *fault_of_id(const char *field, struct tn_str id)
{
	bool is_route = strcmp(field, "routeId") == 0;

	if (id.size < 1 || id.size > (is_route ? TN_WB_ROUTE_BYTES_MAX : TN_WB_ID_BYTES_MAX))
		return is_route ? "must be a text of 1 to 1,024 bytes"
				: "must be a text of 1 to 200 bytes";
	if (tn_wb_has_control(id))
		return "must have no control characters";
	if (is_route && !is_route_id(id))
		return "must be routeId:<name without : and /> or route:<path>";
	return NULL;
}

static struct tn_str key_of(struct tn_arena *arena, enum tn_wb_kind kind,
			    const struct tn_str *fields, size_t count)
{
	size_t size = 1, at = 1;
	char *key;

	for (size_t i = 0; i < count; i++)
		size += fields[i].size + (i > 0);
	key = tn_arena_alloc_raw(arena, size);
	if (!key)
		return (struct tn_str){0};
	key[0] = (char)kind;
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			key[at++] = '\0';
		memcpy(key + at, fields[i].data, fields[i].size);
		at += fields[i].size;
	}
	return tn_str(key, size);
}

struct tn_str tn_wb_key_make(struct tn_arena *arena, enum tn_wb_kind kind, struct tn_str id)
{
	return key_of(arena, kind, &id, 1);
}

static size_t field_count(const struct kind *kind)
{
	size_t count = 0;

	while (count < 3 && kind->fields[count])
		count++;
	return count;
}

static enum tenon_code read_fields(struct reading *reading, struct tn_str fields[3])
{
	const struct kind *kind = &kinds[reading->item->kind];

	for (size_t i = 0; i < field_count(kind); i++) {
		const char *name = kind->fields[i];
		const char *rule = reading->item->kind == TN_WB_ROUTE ? "routeId" : name;
		const char *message;

		if (!tn_json_to_str(tn_json_get(reading->json, name), &fields[i]))
			return refuse(reading, name, "is missing or no text");
		message = fault_of_id(rule, fields[i]);
		if (message)
			return refuse(reading, name, message);
	}
	return TENON_OK;
}

/* The ends of an edge have its first fields, or, in a session, its first and one other. */
static bool make_ends(struct reading *reading, const struct tn_str fields[3])
{
	const struct kind *kind = &kinds[reading->item->kind];
	bool of_session = reading->item->kind == TN_WB_CHILD_OF;
	struct tn_str from[2] = {fields[0], fields[1]}, to[2] = {fields[0], fields[2]};

	if (!of_session)
		to[0] = fields[1];
	reading->item->from = key_of(reading->arena, kind->from_kind, from, of_session ? 2 : 1);
	reading->item->to = key_of(reading->arena, kind->to_kind, to, of_session ? 2 : 1);
	return reading->item->from.data && reading->item->to.data;
}

static bool is_inside(struct tn_str path)
{
	size_t start = 0;

	if (path.size == 0 || path.data[0] == '/' || tn_wb_has_control(path) ||
	    tn_str_find_byte(path, '\\') != TN_STR_NONE)
		return false;
	for (size_t i = 0; i <= path.size; i++) {
		if (i < path.size && path.data[i] != '/')
			continue;
		if (i == start || tn_str_is(tn_str(path.data + start, i - start), ".."))
			return false;
		start = i + 1;
	}
	return true;
}

/* SourceRef (section 5). */
static enum tenon_code put_source(struct reading *reading, struct tn_buf *out)
{
	const struct tn_json *source = tn_json_get(reading->json, "source");
	const struct tn_json *column = tn_json_get(source, "column");
	int64_t line = 0, at = 0;
	struct tn_str path;

	if (!source)
		return TENON_OK;
	if (!tn_json_to_str(tn_json_get(source, "filePath"), &path) || !is_inside(path))
		return refuse(reading, "source/filePath",
			      "must be a path inside the workspace, with / and without ..");
	if (!tn_json_to_int(tn_json_get(source, "line"), &line) || line < 1 || line > INT32_MAX)
		return refuse(reading, "source/line", "must be 1 or more");
	if (column && (!tn_json_to_int(column, &at) || at < 1 || at > INT32_MAX))
		return refuse(reading, "source/column", "must be 1 or more");
	tn_json_put_key(out, "source");
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "filePath", path);
	tn_json_put_member_int(out, "line", line);
	if (column)
		tn_json_put_member_int(out, "column", at);
	tn_json_end_object(out);
	return TENON_OK;
}

static enum tenon_code put_text(struct reading *reading, const char *name, bool required,
				struct tn_buf *out)
{
	const struct tn_json *member = tn_json_get(reading->json, name);
	struct tn_str text;

	if (!member && !required)
		return TENON_OK;
	if (!tn_json_to_str(member, &text) || text.size > TN_WB_TEXT_BYTES_MAX)
		return refuse(reading, name, "must be a text of at most 4,096 bytes");
	tn_json_put_member_str(out, name, text);
	return TENON_OK;
}

/* What a node has besides its identity. */
static enum tenon_code put_details(struct reading *reading, struct tn_buf *out)
{
	enum tn_wb_kind kind = reading->item->kind;
	enum tenon_code code = TENON_OK;

	if (kind == TN_WB_INSTANCE)
		code = put_text(reading, "componentTypeId", true, out);
	if (code == TENON_OK && kind == TN_WB_ROUTE)
		code = put_text(reading, "path", true, out);
	else if (code == TENON_OK)
		code = put_text(reading, "displayName", kind == TN_WB_COMPONENT_TYPE, out);
	return code == TENON_OK ? put_source(reading, out) : code;
}

static enum tenon_code write_item(struct reading *reading, const struct tn_str fields[3],
				  bool details)
{
	const struct kind *kind = &kinds[reading->item->kind];
	enum tenon_code code = TENON_OK;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "kind", kind->name);
	for (size_t i = 0; i < field_count(kind); i++)
		tn_json_put_member_str(&out, kind->fields[i], fields[i]);
	if (details)
		code = put_details(reading, &out);
	tn_json_end_object(&out);
	if (code == TENON_OK && !out.failed) {
		reading->item->text =
			tn_str(tn_arena_copy(reading->arena, tn_buf_str(&out)), out.size);
		code = reading->item->text.data ? TENON_OK : TENON_NO_MEMORY;
	} else if (code == TENON_OK) {
		code = TENON_NO_MEMORY;
	}
	tn_buf_finish(&out);
	return code;
}

enum tenon_code tn_wb_item_read(struct tn_arena *arena, const struct tn_json *json,
				enum tn_wb_item_form form, struct tn_wb_item *ret,
				struct tn_wb_item_fault *fault)
{
	struct reading reading = {arena, json, ret, fault};
	struct tn_str name, fields[3] = {{0}};
	enum tenon_code code;

	*ret = (struct tn_wb_item){0};
	if (!tn_json_is(json, TN_JSON_OBJECT))
		return refuse(&reading, "", "must be an object");
	if (!tn_json_to_str(tn_json_get(json, "kind"), &name) ||
	    !tn_wb_kind_find(name, &ret->kind) ||
	    (form == TN_WB_ITEM_EDGE) != (ret->kind >= TN_WB_FIRST_EDGE))
		return refuse(&reading, "kind",
			      form == TN_WB_ITEM_EDGE
				      ? "must be routeUsesComponentType, "
					"componentTypeUsesComponentType or instanceChildOfInstance"
				      : "must be route, componentType or instance");
	code = read_fields(&reading, fields);
	if (code != TENON_OK)
		return code;
	ret->key = key_of(arena, ret->kind, fields, field_count(&kinds[ret->kind]));
	if (!ret->key.data || (form == TN_WB_ITEM_EDGE && !make_ends(&reading, fields)))
		return TENON_NO_MEMORY;
	return write_item(&reading, fields, form == TN_WB_ITEM_NODE);
}
