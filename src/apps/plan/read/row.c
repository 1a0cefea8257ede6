#include "apps/plan/read/row.h"

void tn_plan_row_read(struct tn_plan_row *row, const char **at, const char *end, uint32_t number)
{
	const char *start = *at, *text = start;
	const char *stop = memchr(start, '\n', (size_t)(end - start));

	*at = stop ? stop + 1 : end;
	if (!stop)
		stop = end;
	while (text < stop && (*text == ' ' || *text == '\t'))
		text++;
	while (stop > text && (stop[-1] == ' ' || stop[-1] == '\t'))
		stop--;
	row->number = number + 1;
	row->column = (uint32_t)(text - start);
	if (text == stop) { /* nothing but blanks */
		row->column = 0;
		stop = text = start;
	}
	row->line = tn_str(start, (size_t)(stop - start));
	row->text = tn_str(text, (size_t)(stop - text));
	row->rest = row->text;
	row->rest_column = row->column;
	row->symbol = TN_PLAN_SYMBOL_NONE;
	row->shifted = row->moved = false;
}

static const struct {
	struct tn_str text;
	enum tn_plan_symbol symbol;
} symbols[] = {
	/* The long ones first: each of them begins with a short one. */
	{{"-/+", 3}, TN_PLAN_SYMBOL_DESTROY_CREATE},
	{{"+/-", 3}, TN_PLAN_SYMBOL_CREATE_DESTROY},
	{{"+/.", 3}, TN_PLAN_SYMBOL_CREATE_FORGET},
	{{"./+", 3}, TN_PLAN_SYMBOL_FORGET_CREATE},
	{{"<=", 2}, TN_PLAN_SYMBOL_READ},
	{{"+", 1}, TN_PLAN_SYMBOL_ADD},
	{{"-", 1}, TN_PLAN_SYMBOL_REMOVE},
	{{"~", 1}, TN_PLAN_SYMBOL_UPDATE},
	{{".", 1}, TN_PLAN_SYMBOL_FORGET},
	{{"!", 1}, TN_PLAN_SYMBOL_UPDATE}, /* only in column 0: GitHub colours it, ~ it does not */
};

static size_t find_symbol(const struct tn_plan_row *row, uint8_t *ret)
{
	struct tn_str text = row->text;

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		size_t size = symbols[i].text.size;

		if (text.size <= size || text.data[size] != ' ' ||
		    memcmp(text.data, symbols[i].text.data, size) != 0)
			continue;
		if (text.data[0] == '!' && row->column > 0)
			return 0;
		*ret = (uint8_t)symbols[i].symbol;
		return size;
	}
	return 0;
}

/* By far the most lines have one character, in its own column. */
static size_t find_short_symbol(const struct tn_plan_row *row, uint8_t *ret)
{
	if (row->text.data[1] != ' ' || row->column == 0)
		return 0;
	switch (row->text.data[0]) {
	case '+':
		*ret = TN_PLAN_SYMBOL_ADD;
		return 1;
	case '-':
		*ret = TN_PLAN_SYMBOL_REMOVE;
		return 1;
	case '~':
		*ret = TN_PLAN_SYMBOL_UPDATE;
		return 1;
	case '.':
		*ret = TN_PLAN_SYMBOL_FORGET;
		return 1;
	default:
		return 0;
	}
}

static bool begins_symbol(char c)
{
	return c == '+' || c == '-' || c == '~' || c == '<' || c == '.' || c == '!';
}

void tn_plan_row_split(struct tn_plan_row *row)
{
	size_t size, at;

	if (row->text.size < 2 || !begins_symbol(row->text.data[0]))
		return;
	size = find_short_symbol(row, &row->symbol);
	if (size == 0)
		size = find_symbol(row, &row->symbol);
	if (size == 0)
		return;
	for (at = size; at < row->text.size && row->text.data[at] == ' ';)
		at++;
	row->rest = tn_str_from_offset(row->text, at);
	row->rest_column = row->column + (uint32_t)at;
	if (row->column == 0 && size == 1) {
		row->shifted = at == 2;
		row->moved = at > 2 || row->text.data[0] == '!';
		if (row->shifted)
			row->rest_column += 2;
	}
}
