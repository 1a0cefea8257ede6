#include "apps/plan/explain/lines.h"

#include "base/size.h"

static struct tn_str next_line(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\n');
	struct tn_str line = tn_str(rest->data, end == TN_STR_NONE ? rest->size : end);

	*rest = tn_str_from_offset(*rest, line.size + 1);
	return line;
}

static bool has_line(struct tn_str lines, struct tn_str wanted)
{
	while (lines.size > 0)
		if (tn_str_equal(next_line(&lines), wanted))
			return true;
	return false;
}

/* About everybody, or about everything: these come first, so that they are never only counted. */
static bool weighs(struct tn_str line)
{
	static const struct tn_str words[] = {{"everybody", 9},
					      {"\"*\"", 3},
					      {":*\"", 3},
					      {"\"allUsers\"", 10},
					      {"\"allAuthenticatedUsers\"", 23},
					      {"0.0.0.0/", 8}};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_find(line, words[i]) != TN_STR_NONE)
			return true;
	return false;
}

struct difference {
	struct tn_buf *out;
	size_t start;
	struct tn_str lines, other;
	const char *before;
	unsigned shown, more;
};

static void put_lines(struct difference *difference, bool weighty)
{
	struct tn_str lines = difference->lines, rest = lines;

	while (rest.size > 0) {
		size_t done = (size_t)(rest.data - lines.data);
		struct tn_str line = next_line(&rest);

		if (weighs(line) != weighty || has_line(difference->other, line) ||
		    has_line(tn_str(lines.data, done), line))
			continue;
		if (difference->shown == TN_PLAN_LINES_SHOWN) {
			difference->more++;
			continue;
		}
		difference->shown++;
		if (difference->out->size > difference->start)
			tn_buf_append_text(difference->out, ", ");
		tn_buf_append_text(difference->out, difference->before);
		tn_buf_append_str(difference->out, line);
	}
}

unsigned tn_plan_put_difference(struct tn_buf *out, size_t start, struct tn_str lines,
				struct tn_str other, const char *before)
{
	struct difference difference = {out, start, lines, other, before, 0, 0};

	put_lines(&difference, true);
	put_lines(&difference, false);
	if (difference.more)
		tn_buf_format(out, " and %u more", difference.more);
	return difference.shown + difference.more;
}
