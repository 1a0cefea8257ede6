#include "apps/workbench/config/evaluated.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/values/plain_path.h"
#include "jsonrpc/json_write.h"

void tn_wb_evaluated_init(struct tn_wb_evaluated *evaluated)
{
	*evaluated = (struct tn_wb_evaluated){0};
	for (int i = 0; i < TN_WB_EVALUATED_PARTS; i++) {
		tn_buf_init(&evaluated->parts[i].said, TN_WB_SAID_BYTES_MAX);
		tn_buf_init(&evaluated->parts[i].loaded, TN_WB_LOADED_BYTES_MAX);
	}
}

void tn_wb_evaluated_finish(struct tn_wb_evaluated *evaluated)
{
	for (int i = 0; i < TN_WB_EVALUATED_PARTS; i++) {
		tn_buf_finish(&evaluated->parts[i].said);
		tn_buf_finish(&evaluated->parts[i].loaded);
	}
	tn_wb_evaluated_init(evaluated);
}

void tn_wb_evaluated_put_error(struct tn_buf *said, const char *code, const char *message)
{
	tn_json_begin_object(said);
	tn_json_put_member_text(said, "type", "error");
	tn_json_put_member_text(said, "code", code);
	tn_json_put_member_text(said, "message", message);
	tn_json_end_object(said);
	tn_buf_append_byte(said, '\n');
}

static const char *text_of(const struct tn_json *line, const char *name)
{
	struct tn_str text;

	return tn_json_to_str(tn_json_get(line, name), &text) ? text.data : NULL;
}

/* The lines of a text that are JSON with a type. */
static enum tenon_code read_lines(struct tn_arena *arena, struct tn_str rest,
				  struct tn_wb_said *ret, struct tenon_error *err)
{
	const struct tn_json **lines;
	size_t room = 1;

	for (size_t i = 0; i < rest.size; i++)
		room += rest.data[i] == '\n';
	*ret = (struct tn_wb_said){0};
	lines = tn_arena_alloc_array(arena, room, sizeof(*lines));
	if (!lines)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	while (rest.size) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);
		struct tn_json *json = NULL;
		enum tenon_code code = tn_json_parse_copy(arena, line, &json, err);

		if (code == TENON_NO_MEMORY)
			return code;
		if (code == TENON_OK && text_of(json, "type"))
			lines[ret->count++] = json;
		rest = tn_str_from_offset(rest, line.size + (end != TN_STR_NONE));
	}
	ret->lines = lines;
	return TENON_OK;
}

enum tenon_code tn_wb_evaluated_read(struct tn_arena *arena,
				     const struct tn_wb_evaluated *evaluated,
				     enum tn_wb_evaluated_part part, struct tn_wb_said *ret,
				     struct tenon_error *err)
{
	enum tenon_code code =
		read_lines(arena, tn_buf_str(&evaluated->parts[part].said), ret, err);
	const struct tn_json *last = ret->count ? ret->lines[ret->count - 1] : NULL;

	if (code == TENON_OK && last && strcmp(text_of(last, "type"), "error") == 0) {
		ret->code = text_of(last, "code");
		ret->message = text_of(last, "message");
		ret->code = ret->code ? ret->code : "UNKNOWN_ERROR";
		ret->message = ret->message ? ret->message : "its program has failed";
	}
	return code;
}

enum tenon_code tn_wb_evaluated_loaded(struct tn_arena *arena,
				       const struct tn_wb_evaluated *evaluated,
				       enum tn_wb_evaluated_part part, struct tn_wb_loaded **ret,
				       size_t *ret_count, bool *ret_all, struct tenon_error *err)
{
	struct tn_wb_said said;
	enum tenon_code code =
		read_lines(arena, tn_buf_str(&evaluated->parts[part].loaded), &said, err);
	struct tn_wb_loaded *list;

	*ret_count = 0;
	*ret_all = true;
	if (code != TENON_OK)
		return code;
	list = tn_arena_alloc_array(arena, said.count + 1, sizeof(*list));
	if (!list)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < said.count; i++) {
		const char *path = text_of(said.lines[i], "file");

		if (!path || *ret_count == TN_WB_LOADED_MAX)
			*ret_all = false;
		else if (tn_wb_path_is_plain(tn_str_from(path)))
			list[(*ret_count)++] =
				(struct tn_wb_loaded){path, text_of(said.lines[i], "digest")};
	}
	*ret = list;
	return TENON_OK;
}
