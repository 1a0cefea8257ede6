/* Texts in quotes and heredocs: escapes, interpolation, directives, indentation. */
#include "apps/studio/hcl/hcl_lex.h"
#include "base/utf8.h"

struct pieces {
	struct tn_hcl_items items;
	bool other;        /* directives, or marks that cut white space */
	unsigned open;     /* %{if} and %{for} without their end */
	uint64_t loops;    /* one bit an open directive: it is a for */
	uint64_t had_else; /* likewise */
	bool bad;          /* a fault was told, reading went on */
};

enum { RESCANS_MAX = 16, DIRECTIVES_MAX = 64 };

/* ---- the text between interpolations ---- */

/* How many bytes are no plain text here: 3 of $${ and %%{, which stand for ${ and %{. */
static size_t escaped_mark(struct tn_str text, size_t at)
{
	char mark = text.data[at];

	return (mark == '$' || mark == '%') && text.size - at > 2 && text.data[at + 1] == mark &&
			       text.data[at + 2] == '{'
		       ? 3
		       : 0;
}

static bool is_mark(struct tn_str text, size_t at)
{
	return (text.data[at] == '$' || text.data[at] == '%') && text.size - at > 1 &&
	       text.data[at + 1] == '{';
}

/* Where plain text ends: at an interpolation, a line break, the end, or (in quotes) the quote. */
static size_t plain_end(struct tn_str text, size_t at, bool quoted)
{
	while (at < text.size && text.data[at] != '\n') {
		size_t size = escaped_mark(text, at);

		if (size > 0)
			at += size;
		else if (is_mark(text, at) || (quoted && text.data[at] == '"'))
			break;
		else
			at += quoted && text.data[at] == '\\' && at + 1 < text.size &&
					      text.data[at + 1] != '\n'
				      ? 2
				      : 1;
	}
	return at < text.size ? at : text.size;
}

static bool hex(struct tn_str digits, uint32_t *ret)
{
	uint32_t code = 0;

	for (size_t i = 0; i < digits.size; i++) {
		char c = tn_to_lower(digits.data[i]);

		if (!tn_is_digit(c) && (c < 'a' || c > 'f'))
			return false;
		code = code << 4 | (uint32_t)(tn_is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	*ret = code;
	return true;
}

/* One escape at `raw`, which begins with a backslash. Returns the bytes read; 0: there is no such
 * escape. */
static size_t unescape(struct tn_str raw, char **out)
{
	static const char names[] = "nrt\"\\", bytes[] = "\n\r\t\"\\";
	const char *found;
	size_t size;
	uint32_t code;

	if (raw.size < 2)
		return 0;
	found = raw.data[1] != '\0' ? strchr(names, raw.data[1]) : NULL;
	if (found) {
		*(*out)++ = bytes[found - names];
		return 2;
	}
	size = raw.data[1] == 'u' ? 4 : raw.data[1] == 'U' ? 8 : 0;
	if (size == 0 || raw.size < 2 + size || !hex(tn_str(raw.data + 2, size), &code))
		return 0;
	*out += tn_utf8_encode(code, *out);
	return 2 + size;
}

/* Plain text without its escapes, in the arena. */
static bool decode(struct tn_hcl_reader *reader, struct tn_str raw, bool quoted, struct tn_str *ret)
{
	char *start = tn_hcl_new(reader, raw.size + TN_UTF8_BYTES_MAX), *out = start;
	bool good = true;

	if (!start)
		return false;
	for (size_t at = 0; at < raw.size;) {
		size_t mark = escaped_mark(raw, at), size = 0;

		if (mark > 0) {
			*out++ = raw.data[at];
			*out++ = '{';
			at += mark;
		} else if (quoted && raw.data[at] == '\\') {
			size = unescape(tn_str_from_offset(raw, at), &out);
			if (size == 0)
				good = tn_hcl_fail(reader, "an escape in this text is unknown; \\ "
							   "itself is written \\\\") != NULL;
			at += size > 0 ? size : 1;
		} else {
			*out++ = raw.data[at++];
		}
	}
	*ret = tn_str(start, (size_t)(out - start));
	return good;
}

/* ---- interpolations and directives ---- */

static bool close_directive(struct tn_hcl_reader *reader, struct pieces *pieces, bool loop)
{
	if (pieces->open == 0 || ((pieces->loops >> (pieces->open - 1)) & 1) != loop)
		return tn_hcl_fail(reader, "this directive ends nothing") != NULL;
	pieces->open--;
	return true;
}

static bool open_directive(struct tn_hcl_reader *reader, struct pieces *pieces, bool loop)
{
	if (pieces->open >= DIRECTIVES_MAX)
		return tn_hcl_fail(reader, "directives are nested too deeply") != NULL;
	pieces->loops &= ~((uint64_t)1 << pieces->open);
	pieces->loops |= (uint64_t)loop << pieces->open;
	pieces->had_else &= ~((uint64_t)1 << pieces->open);
	pieces->open++;
	return true;
}

static bool read_else(struct tn_hcl_reader *reader, struct pieces *pieces)
{
	uint64_t bit;

	if (pieces->open == 0)
		return tn_hcl_fail(reader, "an else without its if") != NULL;
	bit = (uint64_t)1 << (pieces->open - 1);
	if ((pieces->loops & bit) || (pieces->had_else & bit))
		return tn_hcl_fail(reader, "an else without its if") != NULL;
	pieces->had_else |= bit;
	return true;
}

static bool take_name(struct tn_hcl_reader *reader)
{
	size_t size;

	(void)tn_hcl_peek(reader);
	size = tn_hcl_name_size(reader, reader->at);
	if (size == 0)
		return tn_hcl_fail(reader, "a name is expected here") != NULL;
	tn_hcl_take(reader, size);
	return true;
}

static bool read_for_directive(struct tn_hcl_reader *reader, struct pieces *pieces)
{
	if (!take_name(reader) || (tn_hcl_accept(reader, ',') && !take_name(reader)))
		return false;
	if (!tn_hcl_at_name(reader, "in"))
		return tn_hcl_fail(reader, "\"in\" is expected here") != NULL;
	tn_hcl_take(reader, 2);
	return tn_hcl_read_expression(reader) && open_directive(reader, pieces, true);
}

static bool read_directive(struct tn_hcl_reader *reader, struct pieces *pieces)
{
	static const char *const names[] = {"if", "else", "endif", "for", "endfor", NULL};
	unsigned which = 0;

	while (names[which] && !tn_hcl_at_name(reader, names[which]))
		which++;
	if (!names[which])
		return tn_hcl_fail(reader, "if, else, endif, for or endfor is expected after %{") !=
		       NULL;
	tn_hcl_take(reader, strlen(names[which]));
	switch (which) {
	case 0:
		return tn_hcl_read_expression(reader) && open_directive(reader, pieces, false);
	case 1:
		return read_else(reader, pieces);
	case 3:
		return read_for_directive(reader, pieces);
	default:
		return close_directive(reader, pieces, which == 4);
	}
}

/* At ${ or %{. */
static bool read_inside(struct tn_hcl_reader *reader, struct pieces *pieces)
{
	bool directive = tn_hcl_byte(reader, 0) == '%', newlines = reader->newlines;
	struct tn_hcl_value *value = NULL;

	tn_hcl_take(reader, 2);
	reader->brackets++;
	reader->newlines = false;
	if (tn_hcl_byte(reader, 0) == '~') {
		tn_hcl_take(reader, 1);
		pieces->other = true;
	}
	if (directive) {
		pieces->other = true;
		if (!read_directive(reader, pieces))
			return false;
	} else {
		value = tn_hcl_read_expression(reader);
		if (!value)
			return false;
		tn_hcl_items_add(&pieces->items, value);
	}
	if (tn_hcl_peek(reader) == '~') {
		tn_hcl_take(reader, 1);
		pieces->other = true;
	}
	if (tn_hcl_byte(reader, 0) != '}')
		return tn_hcl_fail(reader, "the } that ends what ${ or %{ began is expected here");
	tn_hcl_take(reader, 1);
	reader->brackets--;
	reader->newlines = newlines;
	return true;
}

/* ---- texts in quotes ---- */

static bool read_plain(struct tn_hcl_reader *reader, struct pieces *pieces)
{
	size_t end = plain_end(reader->text, reader->at, true);
	struct tn_hcl_range start;
	struct tn_hcl_value *value;
	struct tn_str text;

	if (end == reader->at)
		return true;
	start = tn_hcl_range_at(reader, reader->at);
	if (!decode(reader, tn_str(reader->text.data + reader->at, end - reader->at), true, &text))
		pieces->bad = true;
	tn_hcl_take(reader, end - reader->at);
	if (reader->code != TENON_OK)
		return false;
	value = tn_hcl_text_value(reader, start, pieces->bad ? TN_STR("") : text);
	if (value)
		tn_hcl_items_add(&pieces->items, value);
	return value != NULL;
}

static struct tn_hcl_value *make_text(struct tn_hcl_reader *reader, const struct pieces *pieces,
				      struct tn_hcl_range start)
{
	struct tn_hcl_value *value, *only = pieces->items.first;

	if (pieces->other)
		return tn_hcl_value_new(reader, TN_HCL_OTHER, start);
	if (!only)
		return tn_hcl_text_value(reader, start, TN_STR(""));
	value = tn_hcl_value_new(reader, TN_HCL_TEMPLATE, start);
	if (!value)
		return NULL;
	if (pieces->items.count == 1) {
		/* A text alone is that text; "${x}" alone is x. */
		only->range = value->range;
		only->text = value->text;
		return only;
	}
	value->items = only;
	value->item_count = pieces->items.count;
	return value;
}

struct tn_hcl_value *tn_hcl_read_quoted(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	struct pieces pieces = {0};

	tn_hcl_take(reader, 1);
	for (;;) {
		if (!read_plain(reader, &pieces))
			return NULL;
		if (tn_hcl_byte(reader, 0) == '"')
			break;
		if (reader->at >= reader->text.size || tn_hcl_byte(reader, 0) == '\n')
			return tn_hcl_fail(reader, "a text in quotes ends in its line; the closing "
						   "\" is missing");
		if (!read_inside(reader, &pieces))
			return NULL;
	}
	tn_hcl_take(reader, 1);
	if (pieces.open > 0)
		return tn_hcl_fail(reader, "an %{if} or %{for} in this text has no end");
	return pieces.bad ? NULL : make_text(reader, &pieces, start);
}

/* ---- heredocs ---- */

struct heredoc {
	struct tn_hcl_range start;
	struct tn_str name;
	bool indented; /* <<- */
	size_t body, body_end;
};

static bool read_opening(struct tn_hcl_reader *reader, struct heredoc *here)
{
	size_t size;

	here->start = tn_hcl_range_at(reader, reader->at);
	tn_hcl_take(reader, 2);
	here->indented = tn_hcl_byte(reader, 0) == '-';
	tn_hcl_take(reader, here->indented);
	size = tn_hcl_name_size(reader, reader->at);
	here->name = tn_str(reader->text.data + reader->at, size);
	tn_hcl_take(reader, size);
	if (tn_hcl_byte(reader, 0) == '\r')
		reader->at++;
	if (size == 0 || tn_hcl_byte(reader, 0) != '\n')
		return tn_hcl_fail(reader, "a name and the end of the line are expected after <<");
	here->body = ++reader->at;
	return true;
}

/* Whether the line here is the heredoc's name alone; takes it. */
static bool take_closing(struct tn_hcl_reader *reader, struct heredoc *here)
{
	size_t at = reader->at, name;

	while (at < reader->text.size &&
	       (reader->text.data[at] == ' ' || reader->text.data[at] == '\t'))
		at++;
	name = at;
	if (!tn_str_starts(tn_str_from_offset(reader->text, at), here->name))
		return false;
	at += here->name.size;
	here->body_end = reader->at;
	reader->last_end = name + here->name.size;
	while (at < reader->text.size &&
	       (reader->text.data[at] == ' ' || reader->text.data[at] == '\t' ||
		reader->text.data[at] == '\r'))
		at++;
	if (at < reader->text.size && reader->text.data[at] != '\n')
		return false;
	reader->at = reader->last_end;
	return true;
}

static bool read_heredoc_lines(struct tn_hcl_reader *reader, struct heredoc *here,
			       struct pieces *pieces)
{
	bool line_start = true;

	while (reader->at < reader->text.size) {
		if (line_start && take_closing(reader, here))
			return true;
		line_start = false;
		reader->at = plain_end(reader->text, reader->at, false);
		if (reader->at >= reader->text.size)
			break;
		if (tn_hcl_byte(reader, 0) == '\n') {
			reader->at++;
			line_start = true;
		} else if (!read_inside(reader, pieces)) {
			return false;
		}
	}
	(void)tn_hcl_fault_at(reader, here->start, "the line that ends this heredoc is missing");
	/* Reading goes on after its first line, unless that has been tried too often. */
	if (reader->rescans++ < RESCANS_MAX)
		reader->at = here->body - 1;
	return false;
}

static size_t line_size(struct tn_str body, size_t at)
{
	const char *found = memchr(body.data + at, '\n', body.size - at);

	return found ? (size_t)(found - (body.data + at)) + 1 : body.size - at;
}

/* White space a line begins with; `*ret_blank`: it has nothing else. */
static size_t indentation(struct tn_str line, bool *ret_blank)
{
	size_t at = 0;

	while (at < line.size && (line.data[at] == ' ' || line.data[at] == '\t' ||
				  line.data[at] == '\r' || line.data[at] == '\n'))
		at++;
	*ret_blank = at == line.size;
	return at;
}

/* <<- takes away the smallest indentation of the lines; blank ones do not count and stay. */
static struct tn_str unindent(struct tn_hcl_reader *reader, struct tn_str body)
{
	size_t smallest = SIZE_MAX, used = 0, indent;
	char *out = tn_hcl_new(reader, body.size + 1);
	bool blank;

	if (!out)
		return TN_STR("");
	for (size_t at = 0; at < body.size; at += line_size(body, at)) {
		indent = indentation(tn_str(body.data + at, line_size(body, at)), &blank);
		if (!blank && indent < smallest)
			smallest = indent;
	}
	for (size_t at = 0, size; at < body.size; at += size) {
		size_t cut;

		size = line_size(body, at);
		(void)indentation(tn_str(body.data + at, size), &blank);
		cut = blank ? 0 : smallest;
		memcpy(out + used, body.data + at + cut, size - cut);
		used += size - cut;
	}
	return tn_str(out, used);
}

struct tn_hcl_value *tn_hcl_read_heredoc(struct tn_hcl_reader *reader)
{
	struct pieces pieces = {0};
	struct heredoc here = {0};
	struct tn_str text;

	if (!read_opening(reader, &here) || !read_heredoc_lines(reader, &here, &pieces))
		return NULL;
	if (pieces.open > 0)
		return tn_hcl_fail(reader, "an %{if} or %{for} in this heredoc has no end");
	if (pieces.items.first || pieces.other)
		return tn_hcl_value_new(reader, TN_HCL_OTHER, here.start);
	text = tn_str(reader->text.data + here.body, here.body_end - here.body);
	if (here.indented)
		text = unindent(reader, text);
	if (!decode(reader, text, false, &text))
		return NULL;
	return tn_hcl_text_value(reader, here.start, text);
}
