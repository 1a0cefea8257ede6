/* Front matter (floorplan.md 3.3): lines between --- and ---, before the language begins. */
#include "apps/floorplan/language/lex_text.h"
#include "apps/floorplan/language/parser.h"
#include "jsonrpc/json.h"

struct front {
	struct tn_floor_cursor cursor;
	struct tn_arena *arena;
	struct tn_floor_diagnostics *list;
	struct tn_floor_front *ret;
	struct tn_floor_property **end; /* of the configuration */
	size_t indent;                  /* of the opening line */
	bool in_config;
};

struct line {
	struct tn_floor_cursor start, end; /* without its line end */
	struct tn_str text;
	size_t indent; /* bytes of blanks before what is written */
};

static bool next_line(struct front *f, struct line *ret)
{
	if (tn_floor_at_end(&f->cursor))
		return false;
	*ret = (struct line){.start = f->cursor};
	while (!tn_floor_at_end(&f->cursor) && tn_floor_byte(&f->cursor, 0) != '\n' &&
	       tn_floor_byte(&f->cursor, 0) != '\r')
		tn_floor_step(&f->cursor);
	ret->end = f->cursor;
	ret->text = tn_str(f->cursor.text.data + ret->start.at, ret->end.at - ret->start.at);
	while (ret->indent < ret->text.size &&
	       (ret->text.data[ret->indent] == ' ' || ret->text.data[ret->indent] == '\t'))
		ret->indent++;
	tn_floor_step(&f->cursor); /* its end */
	return true;
}

static bool is_empty(const struct line *line)
{
	struct tn_str text = tn_str_trim(line->text);

	return text.size == 0 || text.data[0] == '#';
}

/* The bytes from..to of a line, which has only one column a character. */
static struct tn_floor_range range_in(const struct line *line, size_t from, size_t to)
{
	struct tn_floor_cursor start = line->start, end;

	while (start.at < line->start.at + from)
		tn_floor_step(&start);
	end = start;
	while (end.at < line->start.at + to)
		tn_floor_step(&end);
	return tn_floor_range_between(&start, &end);
}

static struct tn_floor_range range_of(const struct line *line)
{
	return tn_floor_range_between(&line->start, &line->end);
}

/* ---- values ---- */

static bool read_unit(struct tn_str text, enum tn_floor_unit *ret)
{
	static const struct {
		const char *text;
		enum tn_floor_unit unit;
	} units[] = {{"", TN_FLOOR_NO_UNIT}, {"m", TN_FLOOR_M},   {"ft", TN_FLOOR_FT},
		     {"cm", TN_FLOOR_CM},    {"in", TN_FLOOR_IN}, {"mm", TN_FLOOR_MM}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		*ret = units[i].unit;
		if (tn_str_is(text, units[i].text))
			return true;
	}
	return false;
}

/* Digits, perhaps a point and digits, perhaps a unit. */
static bool read_length(struct tn_str text, struct tn_floor_length *ret)
{
	struct tn_json number = {.type = TN_JSON_NUMBER};
	size_t size = 0;

	*ret = (struct tn_floor_length){.minus = TN_FLOOR_NO_TOKEN,
					.digits = TN_FLOOR_NO_TOKEN,
					.unit_token = TN_FLOOR_NO_TOKEN};
	while (size < text.size && tn_is_digit(text.data[size]))
		size++;
	if (size == 0)
		return false;
	if (size + 1 < text.size && text.data[size] == '.' && tn_is_digit(text.data[size + 1])) {
		size++;
		while (size < text.size && tn_is_digit(text.data[size]))
			size++;
	}
	number.text = tn_str(text.data, size);
	return tn_json_to_double(&number, &ret->number) &&
	       read_unit(tn_str_trim(tn_str_from_offset(text, size)), &ret->unit);
}

static bool read_size(struct tn_str text, struct tn_floor_size *ret)
{
	size_t x;

	*ret = (struct tn_floor_size){.there = true, .name = TN_FLOOR_NO_TOKEN};
	ret->tokens = tn_parse_no_tokens();
	if (text.size < 2 || text.data[0] != '(' || text.data[text.size - 1] != ')')
		return false;
	text = tn_str(text.data + 1, text.size - 2);
	x = tn_str_find_byte(text, 'x');
	return x != TN_STR_NONE && read_length(tn_str_trim(tn_str(text.data, x)), &ret->width) &&
	       read_length(tn_str_trim(tn_str_from_offset(text, x + 1)), &ret->height);
}

static struct tn_str unquoted(struct tn_str text, bool *ret_quoted)
{
	*ret_quoted = text.size >= 2 && (text.data[0] == '"' || text.data[0] == '\'') &&
		      text.data[text.size - 1] == text.data[0];
	return *ret_quoted ? tn_str(text.data + 1, text.size - 2) : text;
}

static void read_value(struct tn_str text, struct tn_floor_property *property)
{
	bool quoted;

	property->text = unquoted(text, &quoted);
	if (quoted)
		property->kind = TN_FLOOR_VALUE_STRING;
	else if (read_size(text, &property->size))
		property->kind = TN_FLOOR_VALUE_SIZE;
	else if (read_length(text, &property->length))
		property->kind = TN_FLOOR_VALUE_LENGTH;
	else
		property->kind = TN_FLOOR_VALUE_WORD;
}

/* ---- lines ---- */

static void add_setting(struct front *f, const struct tn_floor_property *read)
{
	struct tn_floor_property *property = tn_arena_alloc(f->arena, sizeof(*property));

	if (!property) {
		f->list->starved = true;
		return;
	}
	*property = *read;
	property->tokens = tn_parse_no_tokens();
	*f->end = property;
	f->end = &property->next;
}

static void take_key(struct front *f, const struct tn_floor_property *read, struct tn_str value)
{
	const struct {
		const char *key;
		struct tn_str *text;
	} keys[] = {{"version", &f->ret->version},
		    {"title", &f->ret->title},
		    {"description", &f->ret->description},
		    {"author", &f->ret->author}};
	bool quoted;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!tn_str_is(read->key, keys[i].key))
			continue;
		*keys[i].text = unquoted(value, &quoted);
		if (i == 0)
			f->ret->version_range = read->value_range;
		return;
	}
	f->in_config = tn_str_is(read->key, "config") && value.size == 0;
	if (!f->in_config)
		(void)tn_floor_diagnose(f->list, 7004, &read->key_range,
					"the front matter knows no '%.*s'; it has version, title, "
					"description, author and config",
					(int)(read->key.size > 60 ? 60 : read->key.size),
					read->key.data);
}

static void take_line(struct front *f, const struct line *line)
{
	size_t colon = tn_str_find_byte(line->text, ':');
	struct tn_floor_property read = {.key = {NULL, 0}};
	struct tn_floor_range whole = range_of(line);
	bool deeper = line->indent > f->indent;
	struct tn_str value;

	if (colon != TN_STR_NONE)
		read.key = tn_str_trim(tn_str(line->text.data, colon));
	if (read.key.size == 0 || (deeper && !f->in_config)) {
		(void)tn_floor_diagnose(f->list, 1011, &whole,
					"a line of the front matter is key: value%s",
					read.key.size ? ", and only settings below config: are "
							"indented"
						      : "");
		return;
	}
	value = tn_str_trim(tn_str_from_offset(line->text, colon + 1));
	read.key_range = range_in(line, line->indent, line->indent + read.key.size);
	read.value_range = value.size
				   ? range_in(line, (size_t)(value.data - line->text.data),
					      (size_t)(value.data - line->text.data) + value.size)
				   : whole;
	if (!deeper) {
		f->in_config = false;
		take_key(f, &read, value);
		return;
	}
	read_value(value, &read);
	add_setting(f, &read);
}

static bool is_fence(const struct line *line)
{
	return tn_str_is(tn_str_trim(line->text), "---");
}

void tn_front_read(struct tn_str text, struct tn_arena *arena, struct tn_floor_diagnostics *list,
		   struct tn_floor_front *ret)
{
	struct front f = {.cursor = tn_floor_cursor_at_start(text),
			  .arena = arena,
			  .list = list,
			  .ret = ret,
			  .end = &ret->config};
	struct line line, opening;
	struct tn_floor_range range;

	*ret = (struct tn_floor_front){.there = false};
	do {
		if (!next_line(&f, &line))
			return;
	} while (is_empty(&line));
	if (!is_fence(&line))
		return;
	ret->there = true;
	opening = line;
	f.indent = line.indent;
	while (next_line(&f, &line)) {
		if (is_fence(&line)) {
			ret->end = f.cursor.at;
			return;
		}
		if (!is_empty(&line))
			take_line(&f, &line);
	}
	range = range_in(&opening, opening.indent, opening.indent + 3);
	(void)tn_floor_diagnose(list, 1012, &range,
				"the front matter is never closed; end it with a line ---");
	ret->end = (uint32_t)text.size;
}
