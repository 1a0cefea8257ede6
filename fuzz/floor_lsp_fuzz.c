/* An editor that says anything to the language server: it answers every request once, sends JSON
 * alone, keeps within its caps, and its documents are those of a plain model.
 *
 * A line of the input is a message: `=text` opens a plan, `~L,C,L,C,text` changes a
 * range, `?method,L,C` asks, `!bytes` go on the pipe as they are (in these, 0x1F is LF and 0x1E is
 * CR), and anything else is sent behind a header. The pipe is read in pieces. */
#include <stdint.h>
#include <stdlib.h>

#include "apps/floorplan/lsp/lsp_test_kit.h"
#include "apps/floorplan/limits.h"
#include "jsonrpc/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct editor {
	struct tn_buf pipe;
	struct tn_lsp *lsp;
	struct tn_lsp_model model;
	unsigned replies; /* to the message that is being read */
	bool open;
};

static void check(bool good)
{
	if (!good)
		abort();
}

/* ---- what the server sends ---- */

static void take(void *data, struct tn_str message)
{
	struct editor *editor = data;
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_json *tree;
	struct tn_str version = {"", 0};

	tn_arena_init(&arena, 8 * TN_FLOOR_ARENA_MAX);
	check(tn_json_parse_copy(&arena, message, &tree, &err) == TENON_OK);
	check(tn_json_to_str(tn_json_get(tree, "jsonrpc"), &version) && tn_str_is(version, "2.0"));
	if (tn_json_get(tree, "id")) {
		editor->replies++;
		check(!tn_json_get(tree, "result") != !tn_json_get(tree, "error"));
	} else {
		check(tn_json_get(tree, "method") && tn_json_get(tree, "params"));
	}
	tn_arena_finish(&arena);
}

/* ---- what the editor sends ---- */

static void put_header(struct editor *editor, size_t size)
{
	tn_buf_format(&editor->pipe, "Content-Length: %zu\r\n\r\n", size);
}

static void put_message(struct editor *editor, struct tn_str message)
{
	put_header(editor, message.size);
	tn_buf_append_str(&editor->pipe, message);
}

static void put_bytes(struct tn_buf *out, struct tn_str line)
{
	for (size_t i = 0; i < line.size; i++) {
		char byte = line.data[i];

		tn_buf_append_byte(out, byte == 0x1F ? '\n' : byte == 0x1E ? '\r' : byte);
	}
}

static void put_text(struct tn_buf *out, struct tn_str line)
{
	struct tn_buf text;

	tn_buf_init(&text, line.size + 1);
	put_bytes(&text, line);
	tn_json_put_member_str(out, "text", tn_buf_str(&text));
	tn_buf_finish(&text);
}

static struct tn_str take_field(struct tn_str *line)
{
	size_t end = tn_str_find_byte(*line, ',');
	struct tn_str field = end == TN_STR_NONE ? *line : tn_str(line->data, end);

	*line = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(*line, end + 1);
	return field;
}

static void put_place(struct tn_buf *out, const char *key, struct tn_str *line)
{
	uint64_t row = 0, column = 0;

	(void)tn_str_to_uint(take_field(line), &row); /* anything else is 0 */
	(void)tn_str_to_uint(take_field(line), &column);
	tn_buf_format(out, "\"%s\":{\"line\":%llu,\"character\":%llu}", key,
		      (unsigned long long)row, (unsigned long long)column);
}

static void begin(struct tn_buf *out, struct tn_str method, bool asks)
{
	tn_buf_append_text(out, "{");
	tn_json_put_member_str(out, "method", method);
	if (asks)
		tn_json_put_member_int(out, "id", 1);
	tn_buf_append_text(out, ",\"params\":{\"textDocument\":{\"uri\":\"a\"");
}

static void say(struct editor *editor, struct tn_str line)
{
	char kind = line.size > 0 ? line.data[0] : 0;
	struct tn_str rest = tn_str_from_offset(line, 1);
	struct tn_buf out;

	tn_buf_init(&out, 8 * line.size + 1024);
	if (kind == '=') {
		begin(&out, TN_STR("textDocument/didOpen"), false);
		put_text(&out, rest);
		tn_buf_append_text(&out, "}}}");
	} else if (kind == '~') {
		begin(&out, TN_STR("textDocument/didChange"), false);
		tn_buf_append_text(&out, "},\"contentChanges\":[{\"range\":{");
		put_place(&out, "start", &rest);
		tn_buf_append_text(&out, ",");
		put_place(&out, "end", &rest);
		tn_buf_append_text(&out, "}");
		put_text(&out, rest);
		tn_buf_append_text(&out, "}]}}");
	} else if (kind == '?') {
		begin(&out, take_field(&rest), true);
		tn_buf_append_text(&out, "},");
		put_place(&out, "position", &rest);
		tn_buf_append_text(&out, ",\"newName\":\"Q\"}}");
	}
	if (kind == '!')
		put_bytes(&editor->pipe, rest);
	else
		put_message(editor, out.size > 0 ? tn_buf_str(&out) : line);
	tn_buf_finish(&out);
}

/* ---- the pipe ---- */

static bool asks(struct tn_str message)
{
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_json *tree;
	bool good;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	good = tn_json_parse_copy(&arena, message, &tree, &err) == TENON_OK &&
	       tn_json_get(tree, "id") && tn_json_is(tn_json_get(tree, "method"), TN_JSON_STRING);
	tn_arena_finish(&arena);
	return good;
}

static void handle(struct editor *editor, struct tn_str message)
{
	int exit = -1;

	editor->replies = 0;
	tn_lsp_model_take(&editor->model, message);
	if (!tn_lsp_handle(editor->lsp, message, &exit)) {
		check(exit == !editor->model.shut && editor->replies == 0);
		editor->open = false;
	}
	check(!asks(message) || editor->replies == 1);
	check(editor->replies <= 1);
	check(tn_lsp_model_check(&editor->model, editor->lsp) == NULL);
}

/* As it comes on a pipe: a little, then a little more. */
static void read_pipe(struct editor *editor, size_t piece)
{
	size_t done = 0, come = 0;

	while (editor->open && come < editor->pipe.size) {
		enum tn_lsp_frame frame = TN_LSP_FRAME_WHOLE;
		struct tn_str message;
		size_t end;

		come = come + piece < editor->pipe.size ? come + piece : editor->pipe.size;
		while (editor->open && frame == TN_LSP_FRAME_WHOLE) {
			struct tn_str in = tn_str(editor->pipe.data + done, come - done);

			frame = tn_lsp_frame(in, &message, &end);
			if (frame != TN_LSP_FRAME_WHOLE)
				break;
			check(message.data >= in.data && end <= in.size &&
			      message.data + message.size == in.data + end);
			handle(editor, message);
			done += end;
		}
		editor->open = editor->open && frame != TN_LSP_FRAME_BAD;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct editor editor = {.open = true};
	const struct tn_lsp_options options = {take, &editor, "1"};
	struct tn_str rest = tn_str((const char *)data, size);
	struct tenon_error err;

	check(tn_lsp_create(&options, &editor.lsp, &err) == TENON_OK);
	tn_buf_init(&editor.pipe, 64 * TN_MIB);
	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, '\n');

		say(&editor, end == TN_STR_NONE ? rest : tn_str(rest.data, end));
		rest = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(rest, end + 1);
	}
	read_pipe(&editor, size % 97 + 1);
	tn_buf_finish(&editor.pipe);
	tn_lsp_model_finish(&editor.model);
	tn_lsp_free(editor.lsp);
	return 0;
}
