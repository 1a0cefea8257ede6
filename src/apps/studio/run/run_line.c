#include "apps/studio/run/run_line.h"

#include "apps/studio/limits.h"
#include "base/utf8.h"

/* ---- bytes to lines ---- */

void tn_studio_lines_init(struct tn_studio_lines *lines)
{
	*lines = (struct tn_studio_lines){0};
	tn_buf_init(&lines->held, TN_STUDIO_RUN_LINE_BYTES_MAX);
}

void tn_studio_lines_finish(struct tn_studio_lines *lines)
{
	tn_buf_finish(&lines->held);
}

static void hold(struct tn_studio_lines *lines, struct tn_str bytes)
{
	size_t room = TN_STUDIO_RUN_LINE_BYTES_MAX - lines->held.size;
	size_t taken = bytes.size < room ? bytes.size : room;

	if (tn_buf_reserve(&lines->held, taken))
		tn_buf_append(&lines->held, bytes.data, taken);
	else
		taken = 0; /* without memory the line is cut here */
	lines->dropped += bytes.size - taken;
	lines->at += bytes.size;
}

static void let_go(struct tn_studio_lines *lines, tn_studio_line_fn *each, void *data)
{
	struct tn_str line = tn_buf_str(&lines->held);

	if (lines->dropped == 0 && line.size > 0 && line.data[line.size - 1] == '\r')
		line.size--;
	each(line, lines->dropped, data);
	tn_buf_clear(&lines->held);
	tn_buf_shrink(&lines->held, 64 * TN_KIB);
	lines->dropped = 0;
}

void tn_studio_lines_feed(struct tn_studio_lines *lines, struct tn_str bytes,
			  tn_studio_line_fn *each, void *data)
{
	while (bytes.size > 0) {
		size_t end = tn_str_find_byte(bytes, '\n');

		if (end == TN_STR_NONE) {
			hold(lines, bytes);
			return;
		}
		hold(lines, tn_str(bytes.data, end));
		lines->at++;
		let_go(lines, each, data);
		bytes = tn_str_from_offset(bytes, end + 1);
	}
}

void tn_studio_lines_end(struct tn_studio_lines *lines, tn_studio_line_fn *each, void *data)
{
	if (lines->held.size > 0 || lines->dropped > 0)
		let_go(lines, each, data);
}

/* ---- a line to text ---- */

/* A string of some kind: up to BEL or ESC \\. */
static size_t string_length(struct tn_str text)
{
	for (size_t i = 2; i < text.size; i++) {
		if (text.data[i] == '\a')
			return i + 1;
		if (text.data[i] == '\033')
			return i + 1 < text.size && text.data[i + 1] == '\\' ? i + 2 : i;
	}
	return text.size;
}

static size_t control_length(struct tn_str text, bool *ret_colour)
{
	bool plain = true;

	for (size_t i = 2; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c >= 0x40 && c <= 0x7e) {
			*ret_colour = c == 'm' && plain;
			return i + 1;
		}
		if (c < 0x20 || c > 0x7e)
			return i; /* broken off */
		plain = plain && (tn_is_digit((char)c) || c == ';' || c == ':');
	}
	return text.size;
}

/* The length of the escape sequence at the start of `text`, which begins with ESC; *ret_colour:
 * whether it only sets colours. An unfinished one goes to the end. */
static size_t escape_length(struct tn_str text, bool *ret_colour)
{
	*ret_colour = false;
	if (text.size < 2)
		return text.size;
	if (text.data[1] == '[')
		return control_length(text, ret_colour);
	if (text.data[1] && strchr("]P_^X", text.data[1]))
		return string_length(text);
	return (unsigned char)text.data[1] >= 0x20 ? 2 : 1;
}

void tn_studio_line_clean(struct tn_buf *out, struct tn_str raw)
{
	while (raw.size > 0) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(raw.data, raw.size, &code);
		bool colour;

		if (code == 0x1b && size == 1) {
			size = escape_length(raw, &colour);
			if (colour)
				tn_buf_append(out, raw.data, size);
		} else if (size == 0) {
			tn_buf_append(out, "\xef\xbf\xbd", 3);
			size = 1;
		} else if (code == '\n' || code == '\r') {
			tn_buf_append_byte(out, ' '); /* a line stays one */
		} else if (code == '\t' || tn_utf8_look(code) < TN_UTF8_TURN) {
			tn_buf_append(out, raw.data, size);
		}
		raw = tn_str_from_offset(raw, size);
	}
}

/* ---- a line to what it says ---- */

struct tn_str tn_studio_action_word(struct tn_str action)
{
	if (tn_str_is(action, "noop"))
		return TN_STR("no-op");
	if (tn_str_is(action, "remove"))
		return TN_STR("forget");
	return action;
}

static int64_t count_of(const struct tn_json *counts, const char *key)
{
	int64_t count = 0;

	if (!tn_json_to_int(tn_json_get(counts, key), &count) || count < 0)
		return 0;
	return count;
}

static void read_resource(const struct tn_json *holder, struct tn_studio_said *said)
{
	const struct tn_json *resource = tn_json_get(holder, "resource");

	(void)tn_json_to_str(tn_json_get(resource, "addr"), &said->address);
	(void)tn_json_to_str(tn_json_get(holder, "action"), &said->action);
	if (said->address.size == 0)
		said->says = TN_STUDIO_SAYS_TEXT;
}

static void read_body(const struct tn_json *line, struct tn_studio_said *said)
{
	const struct tn_json *changes;

	switch (said->says) {
	case TN_STUDIO_SAYS_PLANNED:
		read_resource(tn_json_get(line, "change"), said);
		break;
	case TN_STUDIO_SAYS_START:
	case TN_STUDIO_SAYS_COMPLETE:
	case TN_STUDIO_SAYS_ERRORED:
		read_resource(tn_json_get(line, "hook"), said);
		break;
	case TN_STUDIO_SAYS_SUMMARY:
		changes = tn_json_get(line, "changes");
		said->add = count_of(changes, "add");
		said->change = count_of(changes, "change");
		said->remove = count_of(changes, "remove");
		said->import = count_of(changes, "import");
		(void)tn_json_to_str(tn_json_get(changes, "operation"), &said->operation);
		break;
	case TN_STUDIO_SAYS_OUTPUTS:
		said->body = tn_json_get(line, "outputs");
		break;
	case TN_STUDIO_SAYS_DIAGNOSTIC:
		said->body = tn_json_get(line, "diagnostic");
		break;
	default:
		break;
	}
	if ((said->says == TN_STUDIO_SAYS_OUTPUTS || said->says == TN_STUDIO_SAYS_DIAGNOSTIC) &&
	    !tn_json_is(said->body, TN_JSON_OBJECT))
		said->says = TN_STUDIO_SAYS_TEXT;
}

void tn_studio_line_read(struct tn_str raw, struct tn_arena *arena, struct tn_studio_said *ret)
{
	static const struct {
		const char *type;
		enum tn_studio_says says;
	} types[] = {{"version", TN_STUDIO_SAYS_VERSION},
		     {"planned_change", TN_STUDIO_SAYS_PLANNED},
		     {"change_summary", TN_STUDIO_SAYS_SUMMARY},
		     {"outputs", TN_STUDIO_SAYS_OUTPUTS},
		     {"diagnostic", TN_STUDIO_SAYS_DIAGNOSTIC},
		     {"apply_start", TN_STUDIO_SAYS_START},
		     {"apply_complete", TN_STUDIO_SAYS_COMPLETE},
		     {"apply_errored", TN_STUDIO_SAYS_ERRORED}};
	struct tn_json *line = NULL;
	struct tn_str type = {NULL, 0};

	*ret = (struct tn_studio_said){0};
	if (raw.size < 2 || raw.data[0] != '{' ||
	    tn_json_parse_copy(arena, raw, &line, NULL) != TENON_OK || line->type != TN_JSON_OBJECT)
		return;
	(void)tn_json_to_str(tn_json_get(line, "@message"), &ret->message);
	(void)tn_json_to_str(tn_json_get(line, "@level"), &ret->level);
	(void)tn_json_to_str(tn_json_get(line, "type"), &type);
	ret->is_json = ret->message.size > 0 || type.size > 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (tn_str_is(type, types[i].type))
			ret->says = types[i].says;
	}
	read_body(line, ret);
}
