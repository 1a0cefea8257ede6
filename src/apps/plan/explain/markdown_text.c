/* markdown_text.c - text of a plan in Markdown, inert (the second half of markdown.h). */
#include "apps/plan/explain/markdown.h"

#include "apps/plan/explain/vocabulary.h"

/* A character nobody sees, which keeps @name and #12 from being looked up. */
static const char gap[] = "&#8203;";

static bool is_word(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c);
}

static char byte_at(struct tn_str text, size_t at)
{
	return at < text.size ? text.data[at] : ' ';
}

/* #12, !12, GH-12: hosts turn these into links to other people's work. */
static bool is_reference(struct tn_str text, size_t at)
{
	char c = text.data[at];

	if (!tn_is_digit(byte_at(text, at + 1)))
		return false;
	if (c == '#' || c == '!')
		return true;
	return c == '-' && at >= 2 && tn_to_lower(text.data[at - 1]) == 'h' &&
	       tn_to_lower(text.data[at - 2]) == 'g';
}

/* Underscores inside words are harmless, and addresses are full of them. */
static bool is_harmless_underscore(struct tn_str text, size_t at)
{
	return text.data[at] == '_' && at > 0 && is_word(text.data[at - 1]) &&
	       is_word(byte_at(text, at + 1));
}

static void put_escaped(struct tn_buf *out, struct tn_str text, size_t at)
{
	static const struct tn_str with_backslash = {"\\`*_{}[]|~$", 11};
	char c = text.data[at];

	switch (c) {
	case '<':
		tn_buf_append_text(out, "&lt;");
		return;
	case '>':
		tn_buf_append_text(out, "&gt;");
		return;
	case '&':
		tn_buf_append_text(out, "&amp;");
		return;
	default:
		break;
	}
	if (tn_str_find_byte(with_backslash, c) != TN_STR_NONE && !is_harmless_underscore(text, at))
		tn_buf_append_byte(out, '\\');
	tn_buf_append_byte(out, c);
	if (c == '@' || is_reference(text, at))
		tn_buf_append_text(out, gap);
}

void tn_plan_put_markdown_text(struct tn_buf *out, struct tn_str text)
{
	struct tn_buf clean;

	tn_buf_init(&clean, out->limit);
	tn_plan_put_clean(&clean, text, 0);
	tn_buf_inherit_failure(out, &clean);
	for (size_t i = 0; i < clean.size; i++)
		put_escaped(out, tn_buf_str(&clean), i);
	tn_buf_finish(&clean);
}

static size_t longest_backtick_run(struct tn_str text)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < text.size; i++) {
		run = text.data[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

static void put_fence(struct tn_buf *out, size_t size)
{
	for (size_t i = 0; i < size; i++)
		tn_buf_append_byte(out, '`');
}

/* Inside a table a pipe ends the cell even in a code span, unless a backslash stands before it. */
void tn_plan_put_markdown_code(struct tn_buf *out, struct tn_str text)
{
	struct tn_buf clean;
	size_t fence;
	bool padded;

	tn_buf_init(&clean, out->limit);
	tn_plan_put_clean(&clean, text, 0);
	tn_buf_inherit_failure(out, &clean);
	fence = longest_backtick_run(tn_buf_str(&clean)) + 1;
	padded = clean.size == 0 || clean.data[0] == '`' || clean.data[clean.size - 1] == '`';
	put_fence(out, fence);
	if (padded)
		tn_buf_append_byte(out, ' ');
	for (size_t i = 0; i < clean.size; i++) {
		if (clean.data[i] == '|')
			tn_buf_append_byte(out, '\\');
		tn_buf_append_byte(out, clean.data[i]);
	}
	if (padded)
		tn_buf_append_byte(out, ' ');
	put_fence(out, fence);
	tn_buf_finish(&clean);
}
