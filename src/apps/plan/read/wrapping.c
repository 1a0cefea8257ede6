/* A whole text in quotation marks, and blanks that are none: what programs and chats make of a plan
 * that is copied. */
#include "apps/plan/read/clean.h"

#include "jsonrpc/json.h"

enum { INDENTED_LINES = 3 };

/* ---- "Terraform will perform ...\n\n  # ..." ---- */

/* One string of JSON and nothing else: its quotes stand at both ends, its line breaks are escaped.
 */
static bool is_quoted(struct tn_str text)
{
	if (text.size < 2 || text.data[0] != '"' || text.data[text.size - 1] != '"' ||
	    tn_str_find(text, TN_STR("\\n")) == TN_STR_NONE)
		return false;
	for (size_t at = 1; at < text.size - 1; at++) {
		if ((unsigned char)text.data[at] < 0x20 || text.data[at] == '"')
			return false;
		at += text.data[at] == '\\';
		if (at == text.size - 1)
			return false; /* the last one is escaped */
	}
	return true;
}

static void unquote(struct tn_plan_build *build, struct tn_plan_text *text)
{
	struct tn_str whole = tn_str_trim(tn_str(text->data, text->size));
	struct tn_json_reader reader;
	char *copy;

	if (!is_quoted(whole) || !tn_plan_build_has_room(build))
		return;
	copy = tn_arena_copy(&build->plan->arena, whole);
	if (!copy)
		return;
	tn_json_reader_init(&reader, copy, whole.size, 1);
	if (tn_json_next(&reader) != TN_JSON_TOKEN_STRING)
		return;
	memcpy(text->data, reader.text.data, reader.text.size);
	text->size = reader.text.size;
	build->plan->normalised |= TN_PLAN_CLEAN_PREFIX_QUOTE;
}

/* ---- no-break spaces ---- */

static bool is_no_break(const char *at, const char *end)
{
	return end - at >= 2 && (unsigned char)at[0] == 0xC2 && (unsigned char)at[1] == 0xA0;
}

/* Lines that begin with one: chats and mails keep indentation that way. */
static unsigned count_indented(const struct tn_plan_text *text)
{
	const char *at = text->data, *end = text->data + text->size;
	unsigned lines = 0;

	while (at < end && lines < INDENTED_LINES) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		while (at < end && *at == ' ')
			at++;
		lines += is_no_break(at, end);
		if (!stop)
			break;
		at = stop + 1;
	}
	return lines;
}

static void make_blanks(struct tn_plan_build *build, struct tn_plan_text *text)
{
	const char *at = text->data, *end = text->data + text->size;
	char *to = text->data;

	if (!memchr(text->data, 0xC2, text->size) || count_indented(text) < INDENTED_LINES)
		return;
	while (at < end) {
		if (is_no_break(at, end)) {
			*to++ = ' ';
			at += 2;
		} else {
			*to++ = *at++;
		}
	}
	text->size = (size_t)(to - text->data);
	build->plan->normalised |= TN_PLAN_CLEAN_INDENT;
}

void tn_plan_clean_wrapping(struct tn_plan_build *build, struct tn_plan_text *text)
{
	if (text->size == 0)
		return;
	unquote(build, text);
	make_blanks(build, text);
}
