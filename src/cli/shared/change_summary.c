#include "cli/shared/change_summary.h"

#include <stdio.h>

#include "base/utf8.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

enum { TOLD_MAX = 6, VALUE_BYTES_MAX = 40, PATH_SIZE = 256 };

struct summary {
	struct tn_buf *out;
	unsigned told, more;
};

/* ---- JSON ---- */

static void put_short(struct tn_buf *out, const struct tn_json *value)
{
	struct tn_buf text;
	struct tn_str cut;

	if (value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT) {
		tn_buf_format(out, "%u %s", value->count,
			      value->type == TN_JSON_ARRAY ? "elements" : "members");
		return;
	}
	tn_buf_init(&text, TN_CLIENT_RESULT_MAX);
	tn_json_put_value(&text, value);
	cut = tn_utf8_cut(tn_buf_str(&text), VALUE_BYTES_MAX);
	tn_buf_append_str(out, cut);
	if (cut.size < text.size)
		tn_buf_append_text(out, "...");
	tn_buf_finish(&text);
}

/* NULL: it is not there. */
static void tell(struct summary *s, const char *path, const struct tn_json *before,
		 const struct tn_json *after)
{
	if (s->told == TOLD_MAX) {
		s->more++;
		return;
	}
	tn_buf_format(s->out, "%s%s ", s->told++ ? ", " : "", *path ? path : "all");
	if (before)
		put_short(s->out, before);
	if (before && after)
		tn_buf_append_text(s->out, " -> ");
	if (after)
		put_short(s->out, after);
	if (!before)
		tn_buf_append_text(s->out, " added");
	else if (!after)
		tn_buf_append_text(s->out, " removed");
}

static void compare(struct summary *s, const char *path, const struct tn_json *before,
		    const struct tn_json *after);

static void compare_objects(struct summary *s, const char *path, const struct tn_json *before,
			    const struct tn_json *after)
{
	char below[PATH_SIZE];

	for (const struct tn_json *b = before->first; b; b = b->next) {
		(void)snprintf(below, sizeof(below), "%s%s%.*s", path, *path ? "." : "",
			       (int)b->key.size, b->key.data);
		compare(s, below, b, tn_json_get_str(after, b->key));
	}
	for (const struct tn_json *a = after->first; a; a = a->next) {
		if (tn_json_get_str(before, a->key))
			continue;
		(void)snprintf(below, sizeof(below), "%s%s%.*s", path, *path ? "." : "",
			       (int)a->key.size, a->key.data);
		tell(s, below, NULL, a);
	}
}

/* Element by element; lists that grew or shrank are told by their lengths. */
static void compare_arrays(struct summary *s, const char *path, const struct tn_json *before,
			   const struct tn_json *after)
{
	const struct tn_json *b = before->first, *a = after->first;
	char below[PATH_SIZE];

	if (before->count != after->count) {
		tell(s, path, before, after);
		return;
	}
	for (unsigned i = 0; a && b; a = a->next, b = b->next, i++) {
		(void)snprintf(below, sizeof(below), "%s[%u]", path, i);
		compare(s, below, b, a);
	}
}

/* Depth is the parser's: at most TN_JSON_DEPTH_MAX. */
static void compare(struct summary *s, const char *path, const struct tn_json *before,
		    const struct tn_json *after)
{
	if (before && after && tn_json_equal(before, after))
		return;
	if (tn_json_is(before, TN_JSON_OBJECT) && tn_json_is(after, TN_JSON_OBJECT))
		compare_objects(s, path, before, after);
	else if (tn_json_is(before, TN_JSON_ARRAY) && tn_json_is(after, TN_JSON_ARRAY))
		compare_arrays(s, path, before, after);
	else
		tell(s, path, before, after);
}

static bool summarize_json(struct tn_str before, struct tn_str after, struct tn_buf *out)
{
	struct summary s = {.out = out};
	struct tn_json *old, *new;
	struct tn_arena arena;
	bool is_json;

	tn_arena_init(&arena, 2 * TN_CLIENT_ARENA_MAX);
	is_json = tn_json_parse_copy(&arena, before, &old, NULL) == TENON_OK &&
		  tn_json_parse_copy(&arena, after, &new, NULL) == TENON_OK;
	if (is_json)
		compare(&s, "", old, new);
	if (s.more)
		tn_buf_format(out, ", and %u more", s.more);
	tn_arena_finish(&arena);
	return is_json;
}

/* ---- lines ---- */

static size_t count_lines(struct tn_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n';
	return count + (text.size && text.data[text.size - 1] != '\n');
}

/* What is the same at both ends goes; what is left in the middle has changed. */
static void summarize_lines(struct tn_str before, struct tn_str after, struct tn_buf *out)
{
	size_t same = 0, start = 0;

	while (same < before.size && same < after.size && before.data[same] == after.data[same])
		same++;
	while (same > 0 && before.data[same - 1] != '\n')
		same--;
	start = same;
	before = tn_str_from_offset(before, start);
	after = tn_str_from_offset(after, start);
	same = 0;
	while (same < before.size && same < after.size &&
	       before.data[before.size - 1 - same] == after.data[after.size - 1 - same])
		same++;
	while (same > 0 && !(same < before.size && before.data[before.size - 1 - same] == '\n') &&
	       !(same < after.size && after.data[after.size - 1 - same] == '\n'))
		same--;
	before.size -= same;
	after.size -= same;
	tn_buf_format(out, "+%zu -%zu lines", count_lines(after), count_lines(before));
}

void tn_change_summary(struct tn_str before, struct tn_str after, struct tn_buf *out)
{
	if (tn_str_equal(before, after) || summarize_json(before, after, out))
		return;
	summarize_lines(before, after, out);
}
