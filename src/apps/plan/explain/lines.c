#include "apps/plan/explain/lines.h"

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

unsigned tn_plan_put_difference(struct tn_buf *out, size_t start, struct tn_str lines,
				struct tn_str other, const char *before)
{
	unsigned shown = 0, more = 0;
	struct tn_str rest = lines;

	while (rest.size > 0) {
		size_t done = (size_t)(rest.data - lines.data);
		struct tn_str line = next_line(&rest);

		if (has_line(other, line) || has_line(tn_str(lines.data, done), line))
			continue;
		if (shown == TN_PLAN_LINES_SHOWN) {
			more++;
			continue;
		}
		shown++;
		if (out->size > start)
			tn_buf_append_text(out, ", ");
		tn_buf_append_text(out, before);
		tn_buf_append_str(out, line);
	}
	if (more)
		tn_buf_format(out, " and %u more", more);
	return shown + more;
}
