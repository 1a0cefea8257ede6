#include "apps/studio/hcl/hcl_lex.h"

#include "apps/studio/limits.h"
#include "base/utf8.h"

void *tn_hcl_new(struct tn_hcl_reader *reader, size_t size)
{
	void *memory;

	if (reader->code != TENON_OK)
		return NULL;
	if (++reader->nodes > TN_HCL_NODES_MAX) {
		reader->code =
			tn_fail(reader->err, TENON_LIMIT,
				"the file has more than %d values and blocks", TN_HCL_NODES_MAX);
		return NULL;
	}
	memory = tn_arena_alloc(reader->arena, size);
	if (!memory)
		reader->code = tn_fail(reader->err, TENON_NO_MEMORY, "no memory for the file");
	return memory;
}

struct tn_hcl_range tn_hcl_range_at(struct tn_hcl_reader *reader, size_t start)
{
	struct tn_hcl_cursor *cursor = &reader->cursor;
	const char *text = reader->text.data;

	/* Faults may be told of something that began earlier; there are few of them. */
	if (start < cursor->at)
		*cursor = (struct tn_hcl_cursor){0, 1, 1};
	while (cursor->at < start) {
		unsigned char byte = (unsigned char)text[cursor->at++];

		if (byte == '\n') {
			cursor->line++;
			cursor->column = 1;
		} else if (cursor->at == reader->text.size ||
			   ((unsigned char)text[cursor->at] & 0xC0) != 0x80) {
			cursor->column++;
		}
	}
	return (struct tn_hcl_range){(uint32_t)start, (uint32_t)start, cursor->line,
				     cursor->column};
}

bool tn_hcl_fault_at(struct tn_hcl_reader *reader, struct tn_hcl_range range, const char *message)
{
	struct tn_hcl_fault *fault;

	if (reader->code != TENON_OK || reader->fault_count >= TN_HCL_FAULTS_MAX)
		return false;
	fault = tn_hcl_new(reader, sizeof(*fault));
	if (!fault)
		return false;
	fault->range = range;
	fault->message = message;
	if (reader->last_fault)
		reader->last_fault->next = fault;
	else
		reader->faults = fault;
	reader->last_fault = fault;
	reader->fault_count++;
	return false;
}

struct tn_hcl_value *tn_hcl_fail(struct tn_hcl_reader *reader, const char *message)
{
	if (reader->code == TENON_OK && reader->fault_count < TN_HCL_FAULTS_MAX)
		(void)tn_hcl_fault_at(reader, tn_hcl_range_at(reader, reader->at), message);
	return NULL;
}

static size_t line_end(const struct tn_hcl_reader *reader, size_t at)
{
	const char *found = memchr(reader->text.data + at, '\n', reader->text.size - at);
	size_t end = found ? (size_t)(found - reader->text.data) : reader->text.size;

	return found && end > at && reader->text.data[end - 1] == '\r' ? end - 1 : end;
}

size_t tn_hcl_comment_end(struct tn_hcl_reader *reader)
{
	struct tn_str rest;
	size_t size;

	if (tn_hcl_byte(reader, 0) == '#')
		return line_end(reader, reader->at);
	if (tn_hcl_byte(reader, 0) != '/')
		return 0;
	if (tn_hcl_byte(reader, 1) == '/')
		return line_end(reader, reader->at);
	if (tn_hcl_byte(reader, 1) != '*')
		return 0;
	rest = tn_str_from_offset(reader->text, reader->at + 2);
	size = tn_str_find(rest, TN_STR("*/"));
	if (size != TN_STR_NONE)
		return reader->at + 2 + size + 2;
	(void)tn_hcl_fail(reader, "a comment begins here that has no end");
	return reader->text.size;
}

char tn_hcl_peek(struct tn_hcl_reader *reader)
{
	for (;;) {
		char byte = tn_hcl_byte(reader, 0);
		size_t end;

		if (byte == ' ' || byte == '\t' || (byte == '\n' && !reader->newlines)) {
			reader->at++;
		} else if (byte == '\r' && tn_hcl_byte(reader, 1) == '\n') {
			reader->at++; /* the line break is the next byte */
		} else if (byte == '#' || byte == '/') {
			end = tn_hcl_comment_end(reader);
			if (end == 0)
				return byte;
			reader->at = end;
		} else {
			return byte;
		}
	}
}

bool tn_hcl_accept(struct tn_hcl_reader *reader, char byte)
{
	if (tn_hcl_peek(reader) != byte || reader->at >= reader->text.size)
		return false;
	tn_hcl_take(reader, 1);
	return true;
}

/* Letters beyond ASCII are taken for letters unless they are plainly punctuation or space; the
 * exact table of Unicode identifiers would refuse a little more. */
static bool is_letter(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} others[] = {{0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},
		      {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2000, 0x206F}, {0x2190, 0x2BFF},
		      {0x3000, 0x3004}, {0x3008, 0x3020}, {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF},
		      {0xFFFD, 0xFFFD}};

	if (code < 0x80)
		return tn_is_alpha((char)code) || code == '_';
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (code >= others[i].first && code <= others[i].last)
			return false;
	}
	return true;
}

size_t tn_hcl_name_size(const struct tn_hcl_reader *reader, size_t at)
{
	size_t start = at;

	while (at < reader->text.size) {
		uint32_t code = (unsigned char)reader->text.data[at];
		size_t size = 1;

		if (code >= 0x80)
			size = tn_utf8_decode(reader->text.data + at, reader->text.size - at,
					      &code);
		if (size == 0)
			break;
		if (!is_letter(code) &&
		    (at == start || !(code == '-' || (code >= '0' && code <= '9'))))
			break;
		at += size;
	}
	return at - start;
}

bool tn_hcl_at_name(struct tn_hcl_reader *reader, const char *name)
{
	size_t size;

	(void)tn_hcl_peek(reader);
	size = tn_hcl_name_size(reader, reader->at);
	return size > 0 && tn_str_is(tn_str(reader->text.data + reader->at, size), name);
}

static size_t digits(const struct tn_hcl_reader *reader, size_t at)
{
	size_t start = at;

	while (at < reader->text.size && tn_is_digit(reader->text.data[at]))
		at++;
	return at - start;
}

struct tn_str tn_hcl_take_number(struct tn_hcl_reader *reader)
{
	const char *text = reader->text.data;
	size_t start = reader->at, at = start + digits(reader, start), size;

	if (at < reader->text.size && text[at] == '.' && (size = digits(reader, at + 1)) > 0)
		at += 1 + size;
	if (at < reader->text.size && (text[at] == 'e' || text[at] == 'E')) {
		size_t sign =
			at + 1 < reader->text.size && (text[at + 1] == '+' || text[at + 1] == '-');

		size = digits(reader, at + 1 + sign);
		if (size > 0)
			at += 1 + sign + size;
	}
	tn_hcl_take(reader, at - start);
	/* HCL allows leading zeros, JSON does not. */
	while (start + 1 < at && text[start] == '0' && tn_is_digit(text[start + 1]))
		start++;
	return tn_str(text + start, at - start);
}

struct tn_hcl_value *tn_hcl_value_new(struct tn_hcl_reader *reader, enum tn_hcl_kind kind,
				      struct tn_hcl_range start)
{
	struct tn_hcl_value *value = tn_hcl_new(reader, sizeof(*value));

	if (!value)
		return NULL;
	value->kind = kind;
	value->range = start;
	value->range.end = (uint32_t)reader->last_end;
	value->text = tn_str(reader->text.data + start.start, reader->last_end - start.start);
	return value;
}

struct tn_json *tn_hcl_json_new(struct tn_hcl_reader *reader, enum tn_json_type type)
{
	struct tn_json *json = tn_hcl_new(reader, sizeof(*json));

	if (json)
		json->type = type;
	return json;
}

struct tn_hcl_value *tn_hcl_text_value(struct tn_hcl_reader *reader, struct tn_hcl_range start,
				       struct tn_str text)
{
	struct tn_hcl_value *value = tn_hcl_value_new(reader, TN_HCL_CONSTANT, start);
	struct tn_json *json = tn_hcl_json_new(reader, TN_JSON_STRING);

	if (!value || !json)
		return NULL;
	json->text = text;
	value->value = json;
	return value;
}
