#include "apps/floorplan/lsp/lsp_test_kit.h"

#include "apps/floorplan/limits.h"
#include "apps/floorplan/lsp/internal.h"
#include "base/mem.h"
#include "base/utf8.h"

enum { TEXT_MAX = 4 * TN_FLOOR_TEXT_BYTES_MAX }; /* of a document of the server */

struct tn_lsp_copy {
	struct tn_str uri;
	struct tn_lsp_units text;
	bool lost; /* it was too large once: what the server has of it counts for nothing */
	struct tn_lsp_copy *next;
};

/* ---- UTF-16 ---- */

struct tn_lsp_units tn_lsp_units_from(struct tn_str text)
{
	struct tn_lsp_units units = {.data = tn_mem_alloc_array(text.size + 1, sizeof(uint16_t))};

	for (size_t at = 0; at < text.size && units.data;) {
		uint32_t code;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		tn_assert(size > 0); /* JSON strings are UTF-8 */
		if (code > 0xFFFF) {
			units.data[units.count++] = (uint16_t)(0xD7C0 + (code >> 10));
			code = 0xDC00 | (code & 0x3FF);
		}
		units.data[units.count++] = (uint16_t)code;
		at += size;
	}
	return units;
}

static bool is_second_half(uint16_t unit)
{
	return unit >= 0xDC00 && unit <= 0xDFFF;
}

void tn_lsp_units_put(struct tn_buf *out, const struct tn_lsp_units *units)
{
	for (size_t i = 0; i < units->count; i++) {
		uint32_t code = units->data[i];
		char bytes[TN_UTF8_BYTES_MAX];

		if (i + 1 < units->count && is_second_half(units->data[i + 1]))
			code = ((code - 0xD7C0) << 10) + (units->data[++i] & 0x3FFu);
		tn_buf_append(out, bytes, tn_utf8_encode(code, bytes));
	}
}

static bool ends_line(const struct tn_lsp_units *units, size_t at)
{
	return units->data[at] == '\n' || units->data[at] == '\r';
}

static uint64_t member_of(const struct tn_json *position, const char *key)
{
	int64_t value = 0;

	(void)tn_json_to_int(tn_json_get(position, key), &value); /* anything else is 0 */
	return value > 0 ? (uint64_t)value : 0;
}

static size_t index_of(const struct tn_lsp_units *units, const struct tn_json *position)
{
	uint64_t line = member_of(position, "line"), column = member_of(position, "character");
	size_t at = 0;

	for (; line > 0 && at < units->count; at++) {
		bool pair = units->data[at] == '\r' && at + 1 < units->count &&
			    units->data[at + 1] == '\n';

		if (ends_line(units, at) && !pair)
			line--;
	}
	for (; line == 0 && column > 0 && at < units->count && !ends_line(units, at); at++)
		column--;
	/* Nobody can mean the middle of a character. */
	if (at < units->count && is_second_half(units->data[at]))
		at++;
	return at;
}

void tn_lsp_units_change(struct tn_lsp_units *units, const struct tn_json *range,
			 struct tn_str text)
{
	struct tn_lsp_units new = tn_lsp_units_from(text), whole;
	size_t start = 0, end = units->count;

	if (range) {
		start = index_of(units, tn_json_get(range, "start"));
		end = index_of(units, tn_json_get(range, "end"));
	}
	end = end < start ? start : end;
	whole.count = start + new.count + (units->count - end);
	whole.data = tn_mem_alloc_array(whole.count + 1, sizeof(uint16_t));
	tn_assert(whole.data && new.data);
	memcpy(whole.data, units->data, start * sizeof(uint16_t));
	memcpy(whole.data + start, new.data, new.count * sizeof(uint16_t));
	memcpy(whole.data + start + new.count, units->data + end,
	       (units->count - end) * sizeof(uint16_t));
	tn_mem_free(new.data);
	tn_mem_free(units->data);
	*units = whole;
}

/* ---- documents ---- */

static struct tn_lsp_copy **find(struct tn_lsp_model *model, struct tn_str uri)
{
	struct tn_lsp_copy **at = &model->copies;

	while (*at && !tn_str_equal((*at)->uri, uri))
		at = &(*at)->next;
	return at;
}

static void close(struct tn_lsp_model *model, struct tn_str uri)
{
	struct tn_lsp_copy **at = find(model, uri), *copy = *at;

	if (!copy)
		return;
	*at = copy->next;
	model->count--;
	tn_mem_free((char *)copy->uri.data);
	tn_mem_free(copy->text.data);
	tn_mem_free(copy);
}

static void note_size(struct tn_lsp_copy *copy)
{
	struct tn_buf text;

	tn_buf_init(&text, TEXT_MAX);
	tn_lsp_units_put(&text, &copy->text);
	copy->lost = copy->lost || text.failed;
	tn_buf_finish(&text);
}

static void open(struct tn_lsp_model *model, struct tn_str uri, struct tn_str text)
{
	struct tn_lsp_copy *copy;

	if (uri.size == 0 || tn_str_find_byte(uri, '\0') != TN_STR_NONE)
		return;
	close(model, uri);
	if (model->count == TN_FLOOR_DOCUMENTS_MAX)
		return;
	copy = tn_mem_alloc(sizeof(*copy));
	tn_assert(copy);
	copy->uri = tn_str(tn_mem_copy_text(uri.data, uri.size), uri.size);
	copy->text = tn_lsp_units_from(text);
	copy->next = model->copies;
	model->copies = copy;
	model->count++;
	note_size(copy);
}

static void change(struct tn_lsp_copy *copy, const struct tn_json *changes)
{
	for (const struct tn_json *one = changes->first; one; one = one->next) {
		const struct tn_json *range = tn_json_get(one, "range");
		struct tn_str text;

		if (!tn_json_to_str(tn_json_get(one, "text"), &text))
			continue;
		range = tn_json_is(range, TN_JSON_OBJECT) ? range : NULL;
		tn_lsp_units_change(&copy->text, range, text);
		note_size(copy);
	}
}

static void notify(struct tn_lsp_model *model, struct tn_str method, const struct tn_json *params)
{
	const struct tn_json *document = tn_json_get(params, "textDocument"),
			     *changes = tn_json_get(params, "contentChanges");
	struct tn_str uri = {"", 0}, text = {"", 0};
	struct tn_lsp_copy *copy;

	(void)tn_json_to_str(tn_json_get(document, "uri"), &uri);
	(void)tn_json_to_str(tn_json_get(document, "text"), &text);
	copy = *find(model, uri);
	if (tn_str_is(method, "textDocument/didOpen"))
		open(model, uri, text);
	else if (tn_str_is(method, "textDocument/didClose"))
		close(model, uri);
	else if (tn_str_is(method, "textDocument/didChange") && copy &&
		 tn_json_is(changes, TN_JSON_ARRAY))
		change(copy, changes);
}

void tn_lsp_model_take(struct tn_lsp_model *model, struct tn_str message)
{
	struct tn_str method;
	struct tn_json *tree;
	struct tn_arena arena;
	struct tenon_error err;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	if (tn_json_parse_copy(&arena, message, &tree, &err) == TENON_OK &&
	    tn_json_to_str(tn_json_get(tree, "method"), &method)) {
		if (!tn_json_get(tree, "id") && model->initialized && !model->shut)
			notify(model, method, tn_json_get(tree, "params"));
		else if (tn_json_get(tree, "id") && tn_str_is(method, "shutdown"))
			model->shut = model->initialized;
		else if (tn_json_get(tree, "id") && tn_str_is(method, "initialize"))
			model->initialized = true;
	}
	tn_arena_finish(&arena);
}

void tn_lsp_model_finish(struct tn_lsp_model *model)
{
	while (model->copies)
		close(model, model->copies->uri);
}

static const char *check_one(const struct tn_lsp_copy *copy, const struct tn_lsp_document *document)
{
	struct tn_buf text;
	bool same;

	if (document->text.size > TEXT_MAX || document->text.capacity > TEXT_MAX)
		return "a document is larger than it may be";
	if (copy->lost)
		return document->text.failed ? NULL : "a text is too large, and kept";
	tn_buf_init(&text, TEXT_MAX);
	tn_lsp_units_put(&text, &copy->text);
	same = tn_str_equal(tn_buf_str(&text), tn_buf_str(&document->text));
	tn_buf_finish(&text);
	return same ? NULL : "a document has another text";
}

const char *tn_lsp_model_check(const struct tn_lsp_model *model, const struct tn_lsp *lsp)
{
	const struct tn_lsp_document *document = tn_lsp_documents(lsp);
	const struct tn_lsp_copy *copy = model->copies;
	const char *fault = NULL;

	/* Both put the latest first. */
	for (; copy && document && !fault; copy = copy->next, document = document->next)
		fault = tn_str_is(copy->uri, document->uri) ? check_one(copy, document)
							    : "another document";
	if (!fault && (copy || document))
		fault = "more or fewer documents";
	return fault;
}
