#include "gateway/inject.h"

#include "gateway/limits.h"

void tn_inject_init(struct tn_inject *inject)
{
	*inject = (struct tn_inject){.done = false};
	tn_buf_init(&inject->held, TN_GATEWAY_LOOK_BYTES_MAX + TN_GATEWAY_READ_BYTES);
}

void tn_inject_finish(struct tn_inject *inject)
{
	tn_buf_finish(&inject->held);
}

/* Behind the ">" that ends the tag, whatever its attributes quote; TN_STR_NONE: not there yet. */
static size_t end_of_tag(struct tn_str text, size_t at)
{
	char quote = '\0';

	for (; at < text.size; at++) {
		char c = text.data[at];

		if (quote)
			quote = c == quote ? '\0' : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '>')
			return at + 1;
	}
	return TN_STR_NONE;
}

static size_t behind(struct tn_str text, size_t at, struct tn_str mark)
{
	size_t found = tn_str_find(tn_str_from_offset(text, at), mark);

	return found == TN_STR_NONE ? TN_STR_NONE : at + found + mark.size;
}

/* `at` is behind its "<!", as "<!-->" is a whole one. */
static size_t end_of_comment(struct tn_str text, size_t at)
{
	size_t end = behind(text, at, TN_STR("-->")), other = behind(text, at + 2, TN_STR("--!>"));

	return other < end ? other : end;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* Whether a tag of that name begins there. */
static bool is_tag(struct tn_str text, size_t at, struct tn_str name)
{
	char next;

	if (at + name.size >= text.size ||
	    !tn_str_equal_nocase(tn_str(text.data + at, name.size), name))
		return false;
	next = text.data[at + name.size];
	return is_blank(next) || next == '>' || next == '/';
}

/* What stands at `at`, which is "<". False: *ret is where it goes; otherwise *ret_next is what is
 * looked at next, TN_STR_NONE: more of the page is needed. */
static bool pass_tag(struct tn_str text, size_t at, size_t *ret, size_t *ret_next)
{
	*ret_next = end_of_tag(text, at);
	if (tn_str_starts(tn_str_from_offset(text, at), TN_STR("<!--"))) {
		*ret_next = end_of_comment(text, at + 2);
		return true;
	}
	if (tn_str_starts(tn_str_from_offset(text, at), TN_STR("<?"))) {
		*ret_next = behind(text, at, TN_STR(">"));
		return true;
	}
	if (*ret_next == TN_STR_NONE || is_tag(text, at, TN_STR("<html")))
		return true;
	if (text.data[at + 1] != '!') {
		if (is_tag(text, at, TN_STR("<head")))
			*ret = *ret_next;
		return false;
	}
	*ret = *ret_next;
	return true;
}

/* UTF-16 by its mark: nothing of ours can be read in it. */
static bool is_wide(struct tn_str text)
{
	return tn_str_starts(text, TN_STR("\xFF\xFE")) || tn_str_starts(text, TN_STR("\xFE\xFF"));
}

/* False: more of the page is needed. */
static bool find_place(struct tn_str text, size_t *ret)
{
	const struct tn_str mark = TN_STR("\xEF\xBB\xBF"); /* of byte order */
	size_t at = tn_str_starts(text, mark) ? mark.size : 0;

	*ret = at;
	if (text.size < mark.size &&
	    (tn_str_starts(mark, text) || text.data[0] == '\xFF' || text.data[0] == '\xFE'))
		return false;
	while (at < text.size) {
		if (is_blank(text.data[at]))
			at++;
		else if (text.data[at] != '<' || !pass_tag(text, at, ret, &at))
			return true;
		if (at == TN_STR_NONE)
			return false;
	}
	return false;
}

/* Where it goes when the <head> does not come: behind a doctype that is whole. */
static size_t last_place(struct tn_str text)
{
	size_t place = 0;

	(void)find_place(text, &place);
	return place;
}

void tn_inject_feed(struct tn_inject *inject, struct tn_str bytes, bool ended, struct tn_str what,
		    struct tn_buf *out)
{
	struct tn_str held;
	size_t place;

	if (inject->done) {
		tn_buf_append_str(out, bytes);
		return;
	}
	tn_buf_append_str(&inject->held, bytes);
	held = tn_buf_str(&inject->held);
	if (!find_place(held, &place)) {
		if (!ended && held.size < TN_GATEWAY_LOOK_BYTES_MAX && !inject->held.failed)
			return;
		place = last_place(held);
	}
	tn_buf_append(out, held.data, place);
	if (!is_wide(held))
		tn_buf_append_str(out, what);
	tn_buf_append_str(out, tn_str_from_offset(held, place));
	tn_buf_inherit_failure(out, &inject->held);
	tn_buf_finish(&inject->held);
	inject->done = true;
}
