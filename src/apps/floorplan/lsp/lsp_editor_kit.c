#include "apps/floorplan/lsp/lsp_editor_kit.h"

#include <stdlib.h>

#include "base/mem.h"

/* ---- messages ---- */

static void take(void *data, struct tn_str message)
{
	struct editor *editor = data;
	struct tn_json *tree = NULL;
	struct tenon_error err;
	struct tn_str method = {"", 0};

	if (tn_json_parse_copy(&editor->arena, message, &tree, &err) != TENON_OK)
		fail_msg("%.*s: %s", (int)message.size, message.data, err.message);
	(void)tn_json_to_str(tn_json_get(tree, "method"), &method);
	editor->count++;
	if (tn_str_is(method, "textDocument/publishDiagnostics"))
		editor->marks = tn_json_get(tree, "params");
	else if (tn_str_is(method, "window/showMessage"))
		editor->shown = tn_json_get(tree, "params");
	else
		editor->reply = tree;
}

void editor_create(struct editor *editor)
{
	const struct tn_lsp_options options = {take, editor, "1.2.3"};
	struct tenon_error err;

	*editor = (struct editor){.on = true, .exit = -1};
	tn_arena_init(&editor->arena, (size_t)1024 * TN_MIB);
	assert_int_equal(tn_lsp_create(&options, &editor->lsp, &err), TENON_OK);
}

void editor_start(struct editor *editor)
{
	editor_create(editor);
	editor_say_text(editor, "{\"id\":0,\"method\":\"initialize\",\"params\":{}}");
	assert_int_equal(editor_error(editor), 0);
}

void editor_stop(struct editor *editor)
{
	tn_lsp_model_finish(&editor->model);
	tn_lsp_free(editor->lsp);
	tn_arena_finish(&editor->arena);
}

void editor_say(struct editor *editor, struct tn_str message)
{
	const char *fault;

	editor->reply = NULL;
	editor->count = 0;
	tn_lsp_model_take(&editor->model, message);
	editor->on = tn_lsp_handle(editor->lsp, message, &editor->exit);
	fault = tn_lsp_model_check(&editor->model, editor->lsp);
	if (fault)
		fail_msg("%.300s: %s", message.data, fault);
}

void editor_say_text(struct editor *editor, const char *format, ...)
{
	char message[4096];
	va_list list;
	int size;

	va_start(list, format);
	size = vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	assert_in_range(size, 0, sizeof(message) - 1);
	editor_say(editor, tn_str(message, (size_t)size));
}

static void say_with_text(struct editor *editor, const char *before, struct tn_str text,
			  const char *after)
{
	struct tn_buf out;

	tn_buf_init(&out, 64 * TN_MIB);
	tn_buf_append_text(&out, before);
	tn_buf_append_text(&out, "\"text\":\"");
	tn_json_put_escaped(&out, text);
	tn_buf_append_text(&out, "\"");
	tn_buf_append_text(&out, after);
	assert_false(out.failed);
	editor_say(editor, tn_buf_str(&out));
	tn_buf_finish(&out);
}

void editor_open(struct editor *editor, struct tn_str text)
{
	say_with_text(editor,
		      "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{"
		      "\"uri\":\"" EDITOR_URI "\",\"version\":1,",
		      text, "}}}");
}

void editor_change(struct editor *editor, int from_line, int from, int to_line, int to,
		   const char *text)
{
	char before[512];

	(void)snprintf(before, sizeof(before),
		       "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{"
		       "\"uri\":\"" EDITOR_URI "\",\"version\":2},\"contentChanges\":[{\"range\":{"
		       "\"start\":{\"line\":%d,\"character\":%d},"
		       "\"end\":{\"line\":%d,\"character\":%d}},",
		       from_line, from, to_line, to);
	say_with_text(editor, before, tn_str_from(text), "}]}}");
}

struct tn_str editor_text(const struct editor *editor)
{
	assert_non_null(tn_lsp_documents(editor->lsp));
	return tn_buf_str(&tn_lsp_documents(editor->lsp)->text);
}

/* ---- questions ---- */

int editor_error(const struct editor *editor)
{
	int64_t code = 0;

	assert_non_null(editor->reply);
	(void)tn_json_to_int(tn_json_get(tn_json_get(editor->reply, "error"), "code"), &code);
	return (int)code;
}

const struct tn_json *editor_ask(struct editor *editor, const char *method, const char *more)
{
	editor_say_text(editor,
			"{\"id\":7,\"method\":\"%s\",\"params\":{\"textDocument\":{"
			"\"uri\":\"" EDITOR_URI "\"}%s%s}}",
			method, more[0] ? "," : "", more);
	if (editor_error(editor) != 0)
		fail_msg("%s: error %d", method, editor_error(editor));
	return tn_json_get(editor->reply, "result");
}

const struct tn_json *editor_ask_at(struct editor *editor, const char *method, const char *needle,
				    size_t shift, const char *more)
{
	struct tn_str text = editor_text(editor);
	size_t at = tn_str_find(text, tn_str_from(needle)), line = 0, start = 0;
	struct tn_lsp_units units;
	char params[512];

	if (at == TN_STR_NONE)
		fail_msg("there is no '%s'", needle);
	at += shift;
	for (size_t i = 0; i < at; i++) {
		if (text.data[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	text = tn_str_from_offset(text, start);
	units = tn_lsp_units_from(tn_str(text.data, at - start));
	(void)snprintf(params, sizeof(params), "\"position\":{\"line\":%zu,\"character\":%zu}%s%s",
		       line, units.count, more[0] ? "," : "", more);
	tn_mem_free(units.data);
	return editor_ask(editor, method, params);
}

/* ---- what comes back ---- */

static int64_t number_of(const struct tn_json *object, const char *key)
{
	int64_t number = -1;

	assert_true(tn_json_to_int(tn_json_get(object, key), &number));
	return number;
}

/* What is left of it when everything around is taken away. */
static struct tn_str slice(struct editor *editor, const struct tn_json *range)
{
	struct tn_str text = editor_text(editor);
	size_t start = tn_lsp_offset(text, tn_json_get(range, "start")),
	       end = tn_lsp_offset(text, tn_json_get(range, "end"));

	assert_true(start <= end);
	return tn_str(text.data + start, end - start);
}

static int by_place(const void *left, const void *right)
{
	const struct tn_json *const *a = left, *const *b = right;
	const struct tn_json *x = tn_json_get(tn_json_get(*a, "range"), "start"),
			     *y = tn_json_get(tn_json_get(*b, "range"), "start");
	int64_t line = number_of(x, "line") - number_of(y, "line"),
		column = number_of(x, "character") - number_of(y, "character");

	return line ? (line > 0) - (line < 0) : (column > 0) - (column < 0);
}

static size_t sort(struct editor *editor, const struct tn_json *list, const struct tn_json ***ret)
{
	bool one = list->type == TN_JSON_OBJECT;
	size_t count = one ? 1 : list->count, i = 0;

	*ret = tn_arena_alloc_array(&editor->arena, count + 1, sizeof(**ret));
	assert_non_null(*ret);
	if (one)
		(*ret)[0] = list;
	for (const struct tn_json *at = one ? NULL : list->first; at; at = at->next)
		(*ret)[i++] = at;
	qsort(*ret, count, sizeof(**ret), by_place);
	return count;
}

const char *editor_places(struct editor *editor, const struct tn_json *list)
{
	const struct tn_json **places;
	size_t count = sort(editor, list, &places);
	char *words = tn_arena_format(&editor->arena, "%s", "");

	for (size_t i = 0; i < count; i++) {
		const struct tn_json *range = tn_json_get(places[i], "range");
		const struct tn_json *start = tn_json_get(range, "start");
		struct tn_str text = slice(editor, range);

		words = tn_arena_format(&editor->arena, "%s%s%d:%d %.*s", words, i ? "; " : "",
					(int)number_of(start, "line"),
					(int)number_of(start, "character"), (int)text.size,
					text.data);
	}
	return words;
}

void editor_apply(struct editor *editor, const struct tn_json *edits)
{
	struct tn_lsp_units units = tn_lsp_units_from(editor_text(editor));
	const struct tn_json **list;
	struct tn_buf text;

	for (size_t i = sort(editor, edits, &list); i > 0; i--) {
		struct tn_str new;

		assert_true(tn_json_to_str(tn_json_get(list[i - 1], "newText"), &new));
		tn_lsp_units_change(&units, tn_json_get(list[i - 1], "range"), new);
	}
	tn_buf_init(&text, 64 * TN_MIB);
	tn_lsp_units_put(&text, &units);
	editor_open(editor, tn_buf_str(&text));
	tn_buf_finish(&text);
	tn_mem_free(units.data);
}

const char *editor_faults(struct editor *editor)
{
	const struct tn_json *one;
	char *words = tn_arena_format(&editor->arena, "%s", "");

	assert_non_null(editor->marks);
	for (one = tn_json_get(editor->marks, "diagnostics")->first; one; one = one->next) {
		struct tn_str code;

		assert_true(tn_json_to_str(tn_json_get(one, "code"), &code));
		words = tn_arena_format(&editor->arena, "%s%s%.*s", words, words[0] ? " " : "",
					(int)code.size, code.data);
	}
	return words;
}
