#include "apps/terminal/history/internal.h"

#include "apps/terminal/limits.h"
#include "base/limits.h"
#include "base/utf8.h"

/* Of one entry: enough to see what it was; the whole is read with the command's id. */
enum { LINES_MAX = 40, SNIPPET_BYTES = 160, SNIPPET_BEFORE = 40 };
#define CONTENT_BYTES_MAX (16 * TN_KIB)

struct line {
	struct tn_str text; /* with marks */
	unsigned score;
};

struct pick {
	const struct tn_history_query *query;
	struct tn_arena *arena;
	struct line *lines;
	size_t count;
	bool marked;
};

static bool is_mark(struct tn_str text, size_t at)
{
	return text.size - at >= 3 && memcmp(text.data + at, TN_HISTORY_MARK, 2) == 0 &&
	       (text.data[at + 2] == TN_HISTORY_MARK[2] ||
		text.data[at + 2] == TN_HISTORY_MARK_END[2]);
}

static void put_without_marks(struct tn_buf *out, struct tn_str text, bool marked)
{
	size_t begin = 0;

	for (size_t at = 0; marked && at < text.size; at++) {
		if ((unsigned char)text.data[at] != 0xef || !is_mark(text, at))
			continue;
		tn_buf_append(out, text.data + begin, at - begin);
		begin = at + 3;
		at += 2;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, begin));
}

static bool split(struct pick *pick, struct tn_str text)
{
	size_t count = 1;

	for (size_t at = 0; at < text.size; at++)
		count += text.data[at] == '\n';
	pick->lines = tn_arena_alloc_array(pick->arena, count, sizeof(struct line));
	if (!pick->lines)
		return false;
	while (text.size > 0) {
		size_t end = tn_str_find_byte(text, '\n');
		size_t size = end == TN_STR_NONE ? text.size : end;

		pick->lines[pick->count++].text = tn_str(text.data, size);
		text = tn_str_from_offset(text, size + 1);
	}
	return true;
}

static unsigned count_marks(struct tn_str text)
{
	unsigned count = 0;

	for (size_t at; (at = tn_str_find(text, TN_STR(TN_HISTORY_MARK))) != TN_STR_NONE; count++)
		text = tn_str_from_offset(text, at + 3);
	return count;
}

/* How many of the words stand in the line; a word that stands there twice counts once, as far as
 * the index tells. */
static enum tenon_code score(struct pick *pick, struct line *line, struct tenon_error *err)
{
	const struct tn_history_query *query = pick->query;
	unsigned marks;

	if (query->regex) {
		bool found = false;
		enum tenon_code code = tn_regex_finds(query->regex, line->text, &found, err);

		line->score = found;
		return code;
	}
	marks = pick->marked ? count_marks(line->text) : 0;
	line->score = marks < query->phrase_count ? marks : (unsigned)query->phrase_count;
	for (size_t i = 0; i < query->literal_count; i++) {
		if (tn_history_find(line->text, query->literals[i], 0) != TN_STR_NONE)
			line->score++;
	}
	return TENON_OK;
}

static enum tenon_code score_all(struct pick *pick, unsigned *ret_best, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	*ret_best = 0;
	for (size_t i = 0; i < pick->count && code == TENON_OK; i++) {
		code = score(pick, &pick->lines[i], err);
		if (pick->lines[i].score > *ret_best)
			*ret_best = pick->lines[i].score;
	}
	return code;
}

static void put_cut(struct tn_buf *out, struct tn_str text, size_t max)
{
	struct tn_str cut = tn_utf8_cut(text, max);

	tn_buf_append_str(out, cut);
	if (cut.size < text.size)
		tn_buf_format(out, "\xe2\x80\xa6[+%zu]", text.size - cut.size);
}

static void put_line(struct tn_buf *out, const struct pick *pick, const struct line *line)
{
	struct tn_buf clean;

	tn_buf_init(&clean, TN_RESULT_BYTES_MAX);
	put_without_marks(&clean, line->text, pick->marked);
	put_cut(out, tn_buf_str(&clean), TN_TERM_LINE_CHARACTERS_MAX);
	tn_buf_inherit_failure(out, &clean);
	tn_buf_finish(&clean);
}

/* Where in the line what was looked for begins. */
static size_t match_place(const struct pick *pick, struct tn_str line)
{
	struct tn_regex_match match = {0};
	struct tenon_error err;
	size_t at = TN_STR_NONE;
	bool found = false;

	if (pick->marked)
		at = tn_str_find(line, TN_STR(TN_HISTORY_MARK));
	else if (pick->query->literal_count)
		at = tn_history_find(line, pick->query->literals[0], 0);
	if (pick->query->regex &&
	    tn_regex_search(pick->query->regex, line, 0, &found, &match, &err) == TENON_OK && found)
		at = match.begin;
	return at == TN_STR_NONE ? 0 : at;
}

static void put_snippet(struct tn_buf *out, const struct pick *pick, const struct line *line)
{
	size_t at = match_place(pick, line->text);
	size_t begin = at > SNIPPET_BEFORE ? at - SNIPPET_BEFORE : 0;
	struct tn_str cut;
	struct tn_buf clean;

	while (begin > 0 && ((unsigned char)line->text.data[begin] & 0xC0) == 0x80)
		begin--;
	tn_buf_init(&clean, TN_RESULT_BYTES_MAX);
	put_without_marks(&clean, tn_str_from_offset(line->text, begin), pick->marked);
	cut = tn_utf8_cut(tn_buf_str(&clean), SNIPPET_BYTES);
	if (begin > 0)
		tn_buf_append_text(out, "\xe2\x80\xa6");
	tn_buf_append_str(out, cut);
	if (cut.size < clean.size)
		tn_buf_append_text(out, "\xe2\x80\xa6");
	tn_buf_inherit_failure(out, &clean);
	tn_buf_finish(&clean);
}

static const char *s_of(size_t count)
{
	return count == 1 ? "" : "s";
}

/* The best lines with their surroundings; groups that do not touch are parted by a line `--`. */
static void put_lines(struct tn_buf *out, const struct pick *pick, unsigned best, unsigned context)
{
	size_t next = 0, shown = 0, left = 0;

	for (size_t i = 0; i < pick->count; i++) {
		size_t from = i > context ? i - context : 0;
		size_t to = pick->count - i > context ? i + context + 1 : pick->count;

		if (pick->lines[i].score < best || best == 0)
			continue;
		if (shown++ >= LINES_MAX || out->size > CONTENT_BYTES_MAX) {
			left++;
			continue;
		}
		if (next > 0 && from > next && context > 0)
			tn_buf_append_text(out, "--\n");
		for (size_t j = from > next ? from : next; j < to; j++) {
			put_line(out, pick, &pick->lines[j]);
			tn_buf_append_byte(out, '\n');
		}
		next = to;
	}
	if (out->size > 0)
		out->size--; /* the last line feed */
	if (left > 0)
		tn_buf_format(out, "\n\xe2\x80\xa6[+%zu line%s]", left, s_of(left));
}

static const struct line *best_line(const struct pick *pick, unsigned best)
{
	for (size_t i = 0; i < pick->count; i++) {
		if (pick->lines[i].score == best)
			return &pick->lines[i];
	}
	return NULL;
}

static bool keep(struct tn_arena *arena, const struct tn_buf *buf, struct tn_str *ret)
{
	char *copy = buf->failed ? NULL : tn_arena_copy(arena, tn_buf_str(buf));

	if (copy)
		*ret = tn_str(copy, buf->size);
	return copy != NULL;
}

enum tenon_code tn_history_pick(const struct tn_history_query *query, struct tn_str text,
				bool marked, bool is_output, unsigned context,
				struct tn_arena *arena, struct tn_history_lines *ret,
				struct tenon_error *err)
{
	struct pick pick = {.query = query, .marked = marked};
	struct tn_buf content, snippet, clean;
	struct tn_arena scratch;
	const struct line *line;
	unsigned best = 0;
	enum tenon_code code = TENON_OK;

	tn_arena_init(&scratch, 64 * TN_MIB);
	pick.arena = &scratch;
	tn_buf_init(&content, TN_RESULT_BYTES_MAX);
	tn_buf_init(&snippet, TN_RESULT_BYTES_MAX);
	tn_buf_init(&clean, TN_RESULT_BYTES_MAX);
	if (!split(&pick, text))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK)
		code = score_all(&pick, &best, err);
	if (code != TENON_OK)
		goto out;
	line = best_line(&pick, best);
	ret->line = line ? (uint64_t)(line - pick.lines) + 1 : 1;
	if (line)
		put_snippet(&snippet, &pick, line);
	if (is_output && best > 0) {
		put_lines(&content, &pick, best, context);
	} else {
		put_without_marks(&clean, text, marked);
		put_cut(&content, tn_buf_str(&clean), CONTENT_BYTES_MAX);
		tn_buf_inherit_failure(&content, &clean);
	}
	if (!keep(arena, &content, &ret->content) || !keep(arena, &snippet, &ret->snippet))
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
out:
	tn_buf_finish(&content);
	tn_buf_finish(&snippet);
	tn_buf_finish(&clean);
	tn_arena_finish(&scratch);
	return code;
}
