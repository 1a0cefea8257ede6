/* Places: lines and UTF-16 units of the protocol, bytes of ours. */
#include "apps/floorplan/lsp/internal.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { STRIDE = 256 }; /* bytes from mark to mark: at most so many are counted for a place */

static size_t line_end_at(struct tn_str text, size_t at)
{
	if (text.data[at] == '\r')
		return at + 1 < text.size && text.data[at + 1] == '\n' ? 2 : 1;
	return text.data[at] == '\n';
}

/* Bytes of the character, and the units it takes. */
static size_t step(struct tn_str text, size_t at, size_t *ret_units)
{
	uint32_t code = 0;
	size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

	*ret_units = code > 0xFFFF ? 2 : 1;
	return size ? size : 1;
}

static int64_t member_of(const struct tn_json *object, const char *key)
{
	int64_t value = 0;

	(void)tn_json_to_int(tn_json_get(object, key), &value); /* absent: 0 */
	return value < 0 ? 0 : value;
}

static size_t next_line(struct tn_str text, size_t at)
{
	const char *line = text.data + at, *feed = memchr(line, '\n', text.size - at), *end;
	size_t size = feed ? (size_t)(feed - line) : text.size - at;

	end = memchr(line, '\r', size); /* alone, or the first half of an end */
	end = end ? end : feed;
	if (!end)
		return text.size;
	at = (size_t)(end - text.data);
	return at + line_end_at(text, at);
}

/* Beyond a line's end is its end, as the protocol says. */
size_t tn_lsp_offset(struct tn_str text, const struct tn_json *position)
{
	int64_t line = member_of(position, "line"), unit = member_of(position, "character");
	size_t at = 0, units;

	for (; line > 0 && at < text.size; line--)
		at = next_line(text, at);
	while (line == 0 && unit > 0 && at < text.size && line_end_at(text, at) == 0) {
		at += step(text, at, &units);
		unit -= (int64_t)units;
	}
	return at < text.size ? at : text.size;
}

/* ---- from bytes to places ---- */

static void advance(struct tn_str text, struct tn_lsp_mark *mark)
{
	size_t end = line_end_at(text, mark->at), units;

	if (end > 0) {
		mark->at += end;
		mark->line++;
		mark->column = 0;
		return;
	}
	mark->at += step(text, mark->at, &units);
	mark->column += (int64_t)units;
}

void tn_lsp_mark_text(struct tn_lsp_document *document)
{
	struct tn_str text = tn_buf_str(&document->text);
	struct tn_lsp_mark mark = {0, 0, 0};
	size_t room = text.size / STRIDE + 1;

	tn_mem_free(document->marks);
	document->mark_count = 0;
	document->marks = tn_mem_alloc_array(room, sizeof(*document->marks));
	while (document->marks && document->mark_count < room) {
		while (mark.at < document->mark_count * STRIDE && mark.at < text.size)
			advance(text, &mark);
		document->marks[document->mark_count++] = mark;
	}
}

void tn_lsp_put_position(struct tn_buf *out, const struct tn_lsp_document *document, size_t offset)
{
	struct tn_str text = tn_buf_str(&document->text);
	struct tn_lsp_mark mark = {0, 0, 0};
	size_t nearest;

	offset = offset < text.size ? offset : text.size;
	nearest = offset / STRIDE;
	/* A character or a line end may reach over the place where a mark is due. */
	if (nearest > 0 && nearest < document->mark_count && document->marks[nearest].at > offset)
		nearest--;
	if (nearest < document->mark_count)
		mark = document->marks[nearest];
	while (mark.at < offset && mark.at + line_end_at(text, mark.at) <= offset)
		advance(text, &mark);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "line", mark.line);
	tn_json_put_member_int(out, "character", mark.column);
	tn_json_end_object(out);
}

void tn_lsp_put_range(struct tn_buf *out, const char *key, const struct tn_lsp_document *document,
		      size_t start, size_t end)
{
	tn_json_put_key(out, key);
	tn_json_begin_object(out);
	tn_json_put_key(out, "start");
	tn_lsp_put_position(out, document, start);
	tn_json_put_key(out, "end");
	tn_lsp_put_position(out, document, end);
	tn_json_end_object(out);
}

static bool is_inside_character(struct tn_str text, size_t at)
{
	return at < text.size && ((unsigned char)text.data[at] & 0xC0) == 0x80;
}

void tn_lsp_put_edit(struct tn_buf *out, const struct tn_lsp_document *document,
		     struct tn_str after)
{
	struct tn_str before = tn_buf_str(&document->text);
	size_t least = before.size < after.size ? before.size : after.size, head = 0, tail = 0;

	while (head < least && before.data[head] == after.data[head])
		head++;
	/* Neither a character nor a line end is cut in two. */
	while (head > 0 && (is_inside_character(before, head) || is_inside_character(after, head) ||
			    before.data[head - 1] == '\r'))
		head--;
	while (tail < least - head &&
	       before.data[before.size - 1 - tail] == after.data[after.size - 1 - tail])
		tail++;
	while (tail > 0 && (is_inside_character(before, before.size - tail) ||
			    before.data[before.size - tail] == '\n'))
		tail--;
	tn_json_begin_object(out);
	tn_lsp_put_range(out, "range", document, head, before.size - tail);
	tn_json_put_member_str(out, "newText", tn_str(after.data + head, after.size - tail - head));
	tn_json_end_object(out);
}
