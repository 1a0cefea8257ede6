#include "apps/plan/read/heredoc.h"

#include "apps/plan/limits.h"
#include "base/utf8.h"

/* Enough over the limit that what was cut here is cut, and marked as cut, once more. */
enum { TEXT_MAX = TN_PLAN_VALUE_BYTES_MAX + 2 * TN_UTF8_BYTES_MAX };

void tn_plan_heredoc_init(struct tn_plan_heredoc *heredoc, struct tn_plan_build *build)
{
	*heredoc = (struct tn_plan_heredoc){.build = build};
	tn_buf_init(&heredoc->before, TEXT_MAX);
	tn_buf_init(&heredoc->after, TEXT_MAX);
}

void tn_plan_heredoc_finish(struct tn_plan_heredoc *heredoc)
{
	tn_buf_finish(&heredoc->before);
	tn_buf_finish(&heredoc->after);
}

void tn_plan_heredoc_open(struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row,
			  const struct tn_plan_token *token, struct tn_plan_attribute *attribute,
			  bool after_only)
{
	heredoc->open = true;
	heredoc->column = row->rest_column;
	heredoc->attribute = attribute;
	heredoc->delimiter = token->text;
	heredoc->marked = !after_only && row->symbol != TN_PLAN_SYMBOL_NONE &&
			  row->symbol != TN_PLAN_SYMBOL_ADD && row->symbol != TN_PLAN_SYMBOL_REMOVE;
	heredoc->after_only = after_only;
	heredoc->before_cut = heredoc->after_cut = false;
	tn_buf_clear(&heredoc->before);
	tn_buf_clear(&heredoc->after);
	if (attribute)
		attribute->multiline = true;
}

static void append_cut(struct tn_buf *buf, bool *cut, struct tn_str text)
{
	size_t room = TEXT_MAX - buf->size;

	if (*cut)
		return;
	if (text.size + 1 > room) {
		*cut = true;
		text = tn_utf8_cut(text, room - 1);
	}
	tn_buf_append_str(buf, text);
	tn_buf_append_byte(buf, '\n');
}

/* Where the symbol of a line stands, in its own column or moved to column 0; TN_STR_NONE: none. */
static size_t find_mark(const struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row)
{
	size_t at = row->column == 0 ? 0 : heredoc->column + 2;
	char c;

	if (!heredoc->marked || row->column > at || at + 1 >= row->line.size)
		return TN_STR_NONE;
	c = row->line.data[at];
	return (c == '+' || c == '-') && row->line.data[at + 1] == ' ' ? at : TN_STR_NONE;
}

void tn_plan_heredoc_line(struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row)
{
	size_t start = heredoc->column + 4, mark = find_mark(heredoc, row);
	size_t at = row->column < start ? row->column : start;
	char symbol = ' ';
	struct tn_str text;

	if (mark != TN_STR_NONE) {
		symbol = row->line.data[mark];
		for (at = mark + 1; at < start && at < row->line.size && row->line.data[at] == ' ';)
			at++;
	}
	text = tn_str_from_offset(row->line, at);
	if (symbol != '+' && !heredoc->after_only)
		append_cut(&heredoc->before, &heredoc->before_cut, text);
	if (symbol != '-')
		append_cut(&heredoc->after, &heredoc->after_cut, text);
}

static struct tn_plan_value value_of(struct tn_plan_build *build, const struct tn_buf *buf)
{
	struct tn_plan_value value = {.kind = TN_PLAN_VALUE_STRING, .text = tn_str("", 0)};
	struct tn_str text = tn_buf_str(buf);

	if (!tn_plan_build_has_room(build)) {
		value.truncated = true;
		return value;
	}
	/* A final newline would have been shown as an empty line. */
	if (text.size)
		text.size--;
	return tn_plan_string_value(build, tn_plan_keep(build, text));
}

void tn_plan_heredoc_close(struct tn_plan_heredoc *heredoc)
{
	struct tn_plan_attribute *attribute = heredoc->attribute;

	heredoc->open = false;
	tn_plan_build_check_memory(heredoc->build,
				   heredoc->before.starved || heredoc->after.starved);
	if (!attribute || attribute->sensitive)
		return;
	if (attribute->change != TN_PLAN_ATTR_ADD && !heredoc->after_only)
		attribute->before = value_of(heredoc->build, &heredoc->before);
	if (attribute->change != TN_PLAN_ATTR_REMOVE)
		attribute->after = value_of(heredoc->build, &heredoc->after);
}

/* "EOT", "EOT,", "EOT -> null", "EOT # forces replacement" at the attribute's own column. */
bool tn_plan_heredoc_ends(const struct tn_plan_heredoc *heredoc, const struct tn_plan_row *row)
{
	struct tn_str rest;

	if (row->column != heredoc->column || !tn_str_starts(row->text, heredoc->delimiter))
		return false;
	rest = tn_str_from_offset(row->text, heredoc->delimiter.size);
	return rest.size == 0 || rest.data[0] == ',' || tn_str_starts(rest, TN_STR(" -> ")) ||
	       tn_str_starts(rest, TN_STR(" #"));
}

struct tn_str tn_plan_heredoc_rest(const struct tn_plan_heredoc *heredoc,
				   const struct tn_plan_row *row)
{
	struct tn_str rest = tn_str_from_offset(row->text, heredoc->delimiter.size);

	if (rest.size && rest.data[0] == ',')
		rest = tn_str_from_offset(rest, 1);
	return tn_str_trim(rest);
}
