#include "apps/workbench/sessions/instance.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/values/id.h"
#include "apps/workbench/values/plain_path.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

struct parts {
	struct tn_str id, type_id, display_name, parent_id;
	struct tn_buf source, text;
};

/* A text of at most `max` bytes that may be missing. */
static bool optional_text(const struct tn_json *json, const char *name, size_t max,
			  struct tn_str *ret)
{
	const struct tn_json *member = tn_json_get(json, name);

	return !member || tn_json_is(member, TN_JSON_NULL) ||
	       (tn_json_to_str(member, ret) && ret->size <= max);
}

static bool has_kind(const struct tn_json *json, const char *name, enum tn_json_type type)
{
	const struct tn_json *member = tn_json_get(json, name);

	return !member || member->type == type;
}

/* Opaque, says the contract; but what stands in logs and graphs has no control characters. */
static bool is_id(struct tn_str text)
{
	return tn_wb_type_id_is_valid(text);
}

static const char *check(const struct tn_json *json, const char *session_id, struct parts *parts)
{
	struct tn_str session = {0};

	if (!tn_json_is(json, TN_JSON_OBJECT))
		return "an instance is described by an object";
	if (!optional_text(json, "sessionId", TN_WB_ID_BYTES_MAX, &session) ||
	    (session.data && !tn_str_is(session, session_id)))
		return "an instance of another session";
	if (!tn_json_to_str(tn_json_get(json, "instanceId"), &parts->id) || !is_id(parts->id))
		return "instanceId is a text of 1 to 200 bytes";
	if (!tn_json_to_str(tn_json_get(json, "componentTypeId"), &parts->type_id) ||
	    !is_id(parts->type_id))
		return "componentTypeId is a text of 1 to 200 bytes";
	if (!optional_text(json, "displayName", TN_WB_TEXT_BYTES_MAX, &parts->display_name) ||
	    !optional_text(json, "parentInstanceId", TN_WB_ID_BYTES_MAX, &parts->parent_id) ||
	    (parts->parent_id.size && !is_id(parts->parent_id)))
		return "displayName and parentInstanceId are texts";
	if (!has_kind(json, "props", TN_JSON_OBJECT) ||
	    !has_kind(json, "propsOmitted", TN_JSON_OBJECT))
		return "props and propsOmitted are objects";
	return NULL;
}

/* SourceRef (section 5). */
static void put_source(struct tn_buf *out, const struct tn_json *source)
{
	int64_t line = 0, column = 0;
	struct tn_str path;

	if (!tn_json_to_str(tn_json_get(source, "filePath"), &path) ||
	    path.size > TN_WB_TEXT_BYTES_MAX || !tn_wb_path_is_plain(path) ||
	    !tn_json_to_int(tn_json_get(source, "line"), &line) || line < 1 || line > INT32_MAX)
		return;
	for (size_t i = 0; i < path.size; i++)
		if ((unsigned char)path.data[i] < 0x20 || path.data[i] == 0x7F ||
		    path.data[i] == '\\')
			return;
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "filePath", path);
	tn_json_put_member_int(out, "line", line);
	if (tn_json_to_int(tn_json_get(source, "column"), &column) && column >= 1 &&
	    column <= INT32_MAX)
		tn_json_put_member_int(out, "column", column);
	tn_json_end_object(out);
}

static void put_optional(struct tn_buf *out, const struct tn_json *json, const char *name)
{
	const struct tn_json *member = tn_json_get(json, name);

	if (!member)
		return;
	tn_json_put_key(out, name);
	tn_json_put_value(out, member);
}

static enum tenon_code put_text(struct parts *parts, const struct tn_json *json,
				const char *session_id, struct tenon_error *err)
{
	const struct tn_json *props = tn_json_get(json, "props");
	struct tn_buf *out = &parts->text;
	struct tn_str key_hint = {0};
	size_t before;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "sessionId", session_id);
	tn_json_put_member_str(out, "instanceId", parts->id);
	tn_json_put_member_str(out, "componentTypeId", parts->type_id);
	if (parts->display_name.size)
		tn_json_put_member_str(out, "displayName", parts->display_name);
	if (optional_text(json, "keyHint", TN_WB_TEXT_BYTES_MAX, &key_hint) && key_hint.data)
		tn_json_put_member_str(out, "keyHint", key_hint);
	put_source(&parts->source, tn_json_get(json, "source"));
	if (parts->source.size)
		tn_json_put_member_raw(out, "source", tn_buf_str(&parts->source));
	before = out->size;
	put_optional(out, json, "props");
	if (tn_json_is(props, TN_JSON_OBJECT) && props->count > TN_WB_PROPS_COUNT_MAX)
		return tn_fail(err, TENON_LIMIT, "an instance has more than %d props",
			       TN_WB_PROPS_COUNT_MAX);
	if (out->size - before > TN_WB_PROPS_BYTES_MAX + 16)
		return tn_fail(err, TENON_LIMIT, "the props of an instance take more than 64 KiB");
	put_optional(out, json, "propsOmitted");
	put_optional(out, json, "instanceLocator");
	tn_json_end_object(out);
	if (out->failed && !out->starved)
		return tn_fail(err, TENON_LIMIT,
			       "the description of an instance takes more than 96 KiB");
	return tn_buf_check(out, err);
}

static struct tn_str keep(char **at, struct tn_str text)
{
	char *start = *at;

	if (text.size)
		memcpy(start, text.data, text.size);
	*at += text.size;
	return tn_str(start, text.size);
}

static struct tn_wb_instance *make(const struct parts *parts)
{
	struct tn_wb_instance *made = tn_mem_alloc(
		sizeof(*made) + parts->id.size + parts->type_id.size + parts->display_name.size +
		parts->parent_id.size + parts->source.size + parts->text.size);
	char *at;

	if (!made)
		return NULL;
	at = made->data;
	made->id = keep(&at, parts->id);
	made->type_id = keep(&at, parts->type_id);
	made->display_name = keep(&at, parts->display_name);
	made->parent_id = keep(&at, parts->parent_id);
	made->source = keep(&at, tn_buf_str(&parts->source));
	made->text = keep(&at, tn_buf_str(&parts->text));
	return made;
}

enum tenon_code tn_wb_instance_read(const struct tn_json *json, const char *session_id,
				    struct tn_wb_instance **ret, struct tenon_error *err)
{
	struct parts parts = {.id = {0}};
	const char *fault = check(json, session_id, &parts);
	struct tn_wb_instance *made;
	enum tenon_code code;

	if (fault)
		return tn_fail(err, TENON_INVALID, "%s", fault);
	tn_buf_init(&parts.source, TN_WB_DESCRIPTOR_BYTES_MAX);
	tn_buf_init(&parts.text, TN_WB_DESCRIPTOR_BYTES_MAX);
	code = put_text(&parts, json, session_id, err);
	made = code == TENON_OK ? make(&parts) : NULL;
	if (code == TENON_OK && !made)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (made)
		*ret = made;
	tn_buf_finish(&parts.source);
	tn_buf_finish(&parts.text);
	return code;
}
