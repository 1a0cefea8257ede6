#include "cli/shared/call_output.h"

#include <stdio.h>

#include "base/base64.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { FILE_MODE = 0644, DEPTH_MAX = 128 };

/* ---- JSON for people ---- */

static void indent(struct tn_buf *out, unsigned depth)
{
	tn_buf_append_byte(out, '\n');
	for (unsigned i = 0; i < depth; i++)
		tn_buf_append_text(out, "  ");
}

static void put_quoted(struct tn_buf *out, struct tn_str text)
{
	tn_buf_append_byte(out, '"');
	tn_json_put_escaped(out, text);
	tn_buf_append_byte(out, '"');
}

/* One value that stands alone: the writer's commas are ours to place here. */
static void put_plain(struct tn_buf *out, const struct tn_json *value)
{
	struct tn_buf alone;

	tn_buf_init(&alone, out->limit);
	tn_json_put_value(&alone, value);
	tn_buf_append_str(out, tn_buf_str(&alone));
	tn_buf_inherit_failure(out, &alone);
	tn_buf_finish(&alone);
}

void tn_json_put_pretty(struct tn_buf *out, const struct tn_json *value, unsigned depth)
{
	bool is_object = value->type == TN_JSON_OBJECT;

	if ((!is_object && value->type != TN_JSON_ARRAY) || !value->first || depth > DEPTH_MAX) {
		put_plain(out, value);
		return;
	}
	tn_buf_append_byte(out, is_object ? '{' : '[');
	for (const struct tn_json *v = value->first; v; v = v->next) {
		indent(out, depth + 1);
		if (is_object) {
			put_quoted(out, v->key);
			tn_buf_append_text(out, ": ");
		}
		tn_json_put_pretty(out, v, depth + 1);
		if (v->next)
			tn_buf_append_byte(out, ',');
	}
	indent(out, depth);
	tn_buf_append_byte(out, is_object ? '}' : ']');
}

/* ---- results ---- */

struct output {
	const struct tn_json *structured; /* NULL: there is none */
	const char *file;                 /* NULL: none wanted, or it is written */
	struct tn_buf *out;
	struct tenon_error *err;
	bool has_structured; /* it has been shown */
	enum tenon_code code;
};

static void end_line(struct tn_buf *out)
{
	if (out->size && out->data[out->size - 1] != '\n')
		tn_buf_append_byte(out, '\n');
}

/* The file that --output names; what a file says of itself does not name it. */
static void write_file(struct output *o, struct tn_str bytes)
{
	struct tenon_error why = {0};

	o->code = tn_file_write(o->file, FILE_MODE, bytes, &why);
	if (o->code == TENON_NOT_FOUND)
		(void)tn_fail(o->err, o->code, "--output %.150s: there is no such folder", o->file);
	else if (o->code != TENON_OK)
		(void)tn_fail(o->err, o->code, "--output %.100s: %.130s", o->file, why.message);
}

static struct tn_str member(const struct tn_json *object, const char *key, const char *standard)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text : tn_str_from(standard);
}

static void put_structured(struct output *o)
{
	tn_json_put_pretty(o->out, o->structured, 0);
	end_line(o->out);
	o->has_structured = true;
}

/* By the protocol a structured result stands in a text block once more, for older clients: that
 * one is shown indented. */
static bool is_structured(const struct output *o, struct tn_str text)
{
	struct tn_arena arena;
	struct tn_json *value;
	bool is;

	if (!o->structured || !text.size || (text.data[0] != '{' && text.data[0] != '['))
		return false;
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	is = tn_json_parse_copy(&arena, text, &value, NULL) == TENON_OK &&
	     tn_json_equal(value, o->structured);
	tn_arena_finish(&arena);
	return is;
}

static void show_text(struct output *o, struct tn_str text)
{
	if (is_structured(o, text)) {
		put_structured(o);
		return;
	}
	tn_buf_append_str(o->out, text);
	end_line(o->out);
}

/* Base 64 to the file; a sentence where none was wanted. */
static void show_bytes(struct output *o, struct tn_str kind, struct tn_str base64,
		       struct tn_str type)
{
	struct tn_arena arena;
	struct tn_str bytes = {"", 0};
	const char *file = o->file;

	tn_arena_init(&arena, TN_CLIENT_RESULT_MAX);
	if (!tn_base64_decode(&arena, base64, &bytes))
		o->code = tn_fail(o->err, TENON_INVALID, "the %.*s is not valid base 64",
				  (int)kind.size, kind.data);
	else if (file)
		write_file(o, bytes);
	if (o->code == TENON_OK && file)
		tn_buf_format(o->out, "%.*s written to %s (%.*s, %zu bytes)\n", (int)kind.size,
			      kind.data, file, (int)type.size, type.data, bytes.size);
	else if (o->code == TENON_OK)
		tn_buf_format(o->out, "[%.*s, %.*s, %zu bytes; --output FILE saves it]\n",
			      (int)kind.size, kind.data, (int)type.size, type.data, bytes.size);
	o->file = NULL;
	tn_arena_finish(&arena);
}

static void show_json(struct output *o, struct tn_str text)
{
	struct tn_arena arena;
	struct tn_json *value;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (tn_json_parse_copy(&arena, text, &value, NULL) == TENON_OK)
		tn_json_put_pretty(o->out, value, 0);
	else
		tn_buf_append_str(o->out, text);
	end_line(o->out);
	tn_arena_finish(&arena);
}

/* An embedded resource, or one that was read. JSON is indented, unless it goes to a file. */
static void show_resource(struct output *o, const struct tn_json *resource)
{
	const struct tn_json *text = tn_json_get(resource, "text");
	const struct tn_json *blob = tn_json_get(resource, "blob");

	if (tn_json_is(text, TN_JSON_STRING) && !o->file &&
	    tn_str_starts(member(resource, "mimeType", ""), TN_STR("application/json")))
		show_json(o, text->text);
	else if (tn_json_is(text, TN_JSON_STRING))
		show_text(o, text->text);
	else if (tn_json_is(blob, TN_JSON_STRING))
		show_bytes(o, TN_STR("file"), blob->text,
			   member(resource, "mimeType", "application/octet-stream"));
}

/* Handles for a next call, say: meant for the model alone. */
static bool is_for_people(const struct tn_json *block)
{
	const struct tn_json *audience = tn_json_get(tn_json_get(block, "annotations"), "audience");

	return !tn_json_is(audience, TN_JSON_ARRAY) || audience->count != 1 ||
	       !tn_json_is(audience->first, TN_JSON_STRING) ||
	       !tn_str_is(audience->first->text, "assistant");
}

static void show_block(struct output *o, const struct tn_json *block)
{
	struct tn_str type = member(block, "type", "");
	const struct tn_json *data = tn_json_get(block, "data");

	if (!is_for_people(block))
		return;
	if (tn_str_is(type, "text"))
		show_text(o, member(block, "text", ""));
	else if ((tn_str_is(type, "image") || tn_str_is(type, "audio")) &&
		 tn_json_is(data, TN_JSON_STRING))
		show_bytes(o, type, data->text, member(block, "mimeType", "unknown type"));
	else if (tn_str_is(type, "resource"))
		show_resource(o, tn_json_get(block, "resource"));
	else if (tn_str_is(type, "resource_link"))
		tn_buf_format(o->out, "[%s: tenon read '%s']\n",
			      member(block, "name", "resource").data,
			      member(block, "uri", "").data);
	else
		tn_buf_format(o->out, "[content of the unknown type \"%.*s\"; --json shows it]\n",
			      (int)type.size, type.data);
}

/* --output of a result that is all text: the text is what is wanted in the file. */
static void save_text(struct output *o)
{
	const char *file = o->file;
	size_t size = o->out->size;

	if (size == 0) {
		o->code =
			tn_fail(o->err, TENON_INVALID, "there is nothing to write to %.100s", file);
		return;
	}
	write_file(o, tn_buf_str(o->out));
	tn_buf_clear(o->out);
	if (o->code == TENON_OK)
		tn_buf_format(o->out, "text written to %s (%zu bytes)\n", file, size);
}

enum tenon_code tn_output_result(const struct tn_json *result, const char *file, struct tn_buf *out,
				 struct tenon_error *err)
{
	const struct tn_json *content = tn_json_get(result, "content");
	const struct tn_json *contents = tn_json_get(result, "contents");
	struct output o = {.structured = tn_json_get(result, "structuredContent"),
			   .file = file,
			   .out = out,
			   .err = err};

	for (const struct tn_json *b = tn_json_is(content, TN_JSON_ARRAY) ? content->first : NULL;
	     b && o.code == TENON_OK; b = b->next)
		show_block(&o, b);
	for (const struct tn_json *r = tn_json_is(contents, TN_JSON_ARRAY) ? contents->first : NULL;
	     r && o.code == TENON_OK; r = r->next)
		show_resource(&o, r);
	if (o.code == TENON_OK && o.structured && out->size == 0)
		put_structured(&o);
	if (o.code == TENON_OK && o.file)
		save_text(&o);
	return o.code;
}
