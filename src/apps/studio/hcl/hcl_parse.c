#include <stdlib.h>

#include "apps/studio/hcl/hcl_lex.h"
#include "apps/studio/limits.h"
#include "base/utf8.h"

struct sink { /* a body that is being read */
	struct tn_hcl_body *body;
	struct tn_hcl_attribute **attribute_tail;
	struct tn_hcl_block **block_tail;
	size_t attribute_count;
	size_t item_end; /* of the last item that is in it */
	bool nested, faulty;
};

static bool read_items(struct tn_hcl_reader *reader, struct sink *sink);

static bool init_sink(struct tn_hcl_reader *reader, struct sink *sink, bool nested)
{
	*sink = (struct sink){.nested = nested};
	sink->body = tn_hcl_new(reader, sizeof(*sink->body));
	if (!sink->body)
		return false;
	sink->attribute_tail = &sink->body->attributes;
	sink->block_tail = &sink->body->blocks;
	return true;
}

/* Passes over empty lines and comments. Returns where the comments begin that belong to what
 * follows: those that no empty line parts from it. */
static size_t skip_lines(struct tn_hcl_reader *reader)
{
	size_t lead = SIZE_MAX, end;
	unsigned breaks = 0;

	for (;;) {
		char byte = tn_hcl_byte(reader, 0);

		if (byte == '\n' && ++breaks > 1)
			lead = SIZE_MAX;
		if (byte == ' ' || byte == '\t' || byte == '\n' ||
		    (byte == '\r' && tn_hcl_byte(reader, 1) == '\n')) {
			reader->at++;
			continue;
		}
		end = byte == '#' || byte == '/' ? tn_hcl_comment_end(reader) : 0;
		if (end == 0)
			return lead < reader->at ? lead : reader->at;
		if (lead == SIZE_MAX)
			lead = reader->at;
		reader->at = end;
		breaks = 0;
	}
}

/* ---- attributes ---- */

/* At its =. */
static bool read_attribute(struct tn_hcl_reader *reader, struct sink *sink,
			   struct tn_hcl_range start, struct tn_str name)
{
	struct tn_hcl_attribute *attribute;
	struct tn_hcl_value *value;

	tn_hcl_take(reader, 1);
	value = tn_hcl_read_expression(reader);
	if (!value)
		return false;
	attribute = tn_hcl_new(reader, sizeof(*attribute));
	if (!attribute)
		return false;
	attribute->name = name;
	attribute->range = start;
	attribute->range.end = (uint32_t)reader->last_end;
	attribute->value = value;
	*sink->attribute_tail = attribute;
	sink->attribute_tail = &attribute->next;
	sink->attribute_count++;
	sink->item_end = reader->last_end;
	return true;
}

static int compare_attributes(const void *a, const void *b)
{
	const struct tn_hcl_attribute *one = *(struct tn_hcl_attribute *const *)a;
	const struct tn_hcl_attribute *other = *(struct tn_hcl_attribute *const *)b;
	int order = tn_str_compare(one->name, other->name);

	return order != 0 ? order : (one->range.start > other->range.start) * 2 - 1;
}

/* An attribute that was set before does not count; the engine refuses it, too. */
static bool drop_doubles(struct tn_hcl_reader *reader, struct sink *sink)
{
	struct tn_hcl_attribute **sorted, **link;
	size_t count = 0;

	if (sink->attribute_count < 2)
		return true;
	sorted = tn_hcl_new(reader, sink->attribute_count * sizeof(struct tn_hcl_attribute *));
	if (!sorted)
		return false;
	for (struct tn_hcl_attribute *one = sink->body->attributes; one; one = one->next)
		sorted[count++] = one;
	qsort(sorted, count, sizeof(struct tn_hcl_attribute *), compare_attributes);
	for (size_t i = 1; i < count; i++) {
		if (!tn_str_equal(sorted[i]->name, sorted[i - 1]->name))
			continue;
		(void)tn_hcl_fault_at(reader, sorted[i]->range, "this argument was set before");
		sorted[i]->value = NULL;
		sink->faulty = true;
	}
	for (link = &sink->body->attributes; *link;) {
		if ((*link)->value)
			link = &(*link)->next;
		else
			*link = (*link)->next;
	}
	return true;
}

/* ---- blocks ---- */

static bool read_labels(struct tn_hcl_reader *reader, struct tn_hcl_block *block)
{
	for (;;) {
		char byte = tn_hcl_peek(reader);
		size_t size = tn_hcl_name_size(reader, reader->at);
		struct tn_str label;

		if (byte == '{')
			return true;
		if (byte != '"' && size == 0)
			return tn_hcl_fail(reader, "a label or the { of this block is expected "
						   "here") != NULL;
		if (block->label_count == TN_HCL_LABELS_MAX)
			return tn_hcl_fail(reader, "this block has too many labels") != NULL;
		label = tn_str(reader->text.data + reader->at, size);
		if (byte == '"') {
			const struct tn_hcl_value *value = tn_hcl_read_quoted(reader);

			if (!value)
				return false;
			if (!tn_json_is(value->value, TN_JSON_STRING))
				return tn_hcl_fail(reader, "a label is a plain text") != NULL;
			label = value->value->text;
		} else {
			tn_hcl_take(reader, size);
		}
		block->labels[block->label_count++] = label;
	}
}

/* `{ a = 1 }`: one argument, and the end in the same line. */
static bool read_one_line(struct tn_hcl_reader *reader, struct sink *sink)
{
	size_t size = tn_hcl_name_size(reader, reader->at);
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	struct tn_str name = tn_str(reader->text.data + reader->at, size);

	if (size == 0)
		return tn_hcl_fail(reader, "an argument or the closing } is expected here") != NULL;
	tn_hcl_take(reader, size);
	if (tn_hcl_peek(reader) != '=' || tn_hcl_byte(reader, 1) == '=')
		return tn_hcl_fail(reader, "a block in one line holds one argument") != NULL;
	if (!read_attribute(reader, sink, start, name))
		return false;
	if (tn_hcl_peek(reader) != '}')
		return tn_hcl_fail(reader, "a block in one line holds one argument; the closing } "
					   "is expected here") != NULL;
	return true;
}

static bool read_block_body(struct tn_hcl_reader *reader, struct tn_hcl_block *block,
			    struct sink *sink)
{
	char byte;
	bool ok;

	tn_hcl_take(reader, 1);
	byte = tn_hcl_peek(reader);
	if (byte == '\n') {
		ok = read_items(reader, sink);
	} else {
		reader->brackets = 1; /* until its }, whatever is wrong belongs to this block */
		ok = byte == '}' || read_one_line(reader, sink);
		reader->brackets = ok ? 0 : reader->brackets;
	}
	block->faulty = !ok || sink->faulty;
	if (ok)
		tn_hcl_take(reader, 1);
	return ok && drop_doubles(reader, sink);
}

/* A comment behind the } of a block is the block's: where that ends. */
static size_t comment_behind(struct tn_hcl_reader *reader, size_t end)
{
	const char *text = reader->text.data;
	size_t behind = end;

	if (tn_hcl_peek(reader) == '\n' || reader->at >= reader->text.size)
		behind = reader->at;
	while (behind > end && strchr(" \t\r", text[behind - 1]))
		behind--;
	return behind;
}

/* At the first label, or the {. */
static bool read_block(struct tn_hcl_reader *reader, struct sink *outer, struct tn_hcl_range start,
		       struct tn_str name, size_t lead)
{
	struct tn_hcl_block *block = tn_hcl_new(reader, sizeof(*block));
	struct sink sink;
	size_t end;
	bool ok;

	if (!block || !read_labels(reader, block) || !init_sink(reader, &sink, true))
		return false;
	if (reader->depth >= TN_HCL_DEPTH_MAX)
		return tn_hcl_fail(reader, "this is nested too deeply") != NULL;
	reader->depth++;
	block->type = name;
	block->body = sink.body;
	*outer->block_tail = block;
	outer->block_tail = &block->next;
	ok = read_block_body(reader, block, &sink);
	reader->depth--;
	if (!ok && !reader->resync && reader->code == TENON_OK)
		(void)tn_hcl_step_back(reader,
				       sink.item_end > start.start ? sink.item_end : start.start);
	block->faulty = block->faulty || sink.faulty;
	outer->faulty = outer->faulty || block->faulty;
	block->range = start;
	block->range.end = (uint32_t)(ok ? reader->last_end : reader->at);
	outer->item_end = block->range.end;
	reader->newlines = true;
	end = ok ? comment_behind(reader, block->range.end) : block->range.end;
	block->text = tn_str(reader->text.data + lead, end - lead);
	return ok;
}

/* ---- bodies ---- */

static bool read_item(struct tn_hcl_reader *reader, struct sink *sink, size_t lead)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	size_t size = tn_hcl_name_size(reader, reader->at);
	struct tn_str name = tn_str(reader->text.data + reader->at, size);
	char byte;
	bool ok;

	if (size == 0)
		return tn_hcl_fail(reader, tn_hcl_byte(reader, 0) == '"'
						   ? "a name is written without quotes here"
						   : "the name of an argument or block is "
						     "expected here") != NULL;
	tn_hcl_take(reader, size);
	byte = tn_hcl_peek(reader);
	if (byte == '=' && tn_hcl_byte(reader, 1) != '=')
		ok = read_attribute(reader, sink, start, name);
	else if (byte == '"' || byte == '{' || tn_hcl_name_size(reader, reader->at) > 0)
		ok = read_block(reader, sink, start, name, lead);
	else
		return tn_hcl_fail(reader, "= or { is expected after this name") != NULL;
	if (ok && tn_hcl_peek(reader) != '\n' && reader->at < reader->text.size)
		return tn_hcl_fail(reader, "the end of the line is expected here") != NULL;
	return ok;
}

static bool early_end(struct tn_hcl_reader *reader)
{
	if (!reader->ended)
		(void)tn_hcl_fail(reader, "the } that ends this block is missing");
	reader->ended = true;
	return false;
}

/* After a fault: true to go on in this body. */
static bool recover(struct tn_hcl_reader *reader, struct sink *sink, size_t start)
{
	sink->faulty = true;
	if (reader->code != TENON_OK)
		return false;
	if (!reader->resync)
		tn_hcl_pass_over(reader, start > sink->item_end ? start : sink->item_end,
				 sink->nested);
	if (reader->resync && sink->nested)
		return false;
	reader->resync = false;
	return true;
}

/* To the } of the body (not taken), or the end of the file. */
static bool read_items(struct tn_hcl_reader *reader, struct sink *sink)
{
	unsigned depth = reader->depth;

	for (;;) {
		size_t lead = skip_lines(reader), start = reader->at;

		if (start >= reader->text.size)
			return sink->nested ? early_end(reader) : reader->code == TENON_OK;
		if (tn_hcl_byte(reader, 0) == '}' && sink->nested)
			return true;
		reader->newlines = true;
		reader->brackets = 0;
		if (read_item(reader, sink, lead))
			continue;
		reader->depth = depth;
		if (!recover(reader, sink, start))
			return false;
		reader->at += reader->at == start; /* never twice the same byte */
	}
}

static const char *unreadable(struct tn_str text, size_t *ret_at)
{
	size_t nul = tn_str_find_byte(text, '\0'), at = 0;

	*ret_at = nul;
	if (nul != TN_STR_NONE)
		return "the file has a NUL byte; it is no text";
	if (tn_utf8_valid(text.data, text.size))
		return NULL;
	while (at < text.size) {
		uint32_t code;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		if (size == 0)
			break;
		at += size;
	}
	*ret_at = at;
	return "the file is not UTF-8 text";
}

enum tenon_code tn_hcl_parse(struct tn_arena *arena, struct tn_str text, struct tn_hcl_file **ret,
			     struct tenon_error *err)
{
	struct tn_hcl_reader reader = {
		.arena = arena, .text = text, .newlines = true, .cursor = {0, 1, 1}, .err = err};
	struct tn_hcl_file *file;
	struct sink sink;
	const char *message;
	size_t at;

	if (text.size > TN_HCL_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "the file has more than %zu MiB",
			       (size_t)TN_HCL_BYTES_MAX / TN_MIB);
	file = tn_hcl_new(&reader, sizeof(*file));
	if (!file || !init_sink(&reader, &sink, false))
		return reader.code;
	message = text.size > 0 ? unreadable(text, &at) : NULL;
	if (message) {
		(void)tn_hcl_fault_at(&reader, tn_hcl_range_at(&reader, at), message);
	} else {
		if (tn_str_starts(text, TN_STR("\xEF\xBB\xBF")))
			reader.at = 3; /* a byte order mark */
		if (!read_items(&reader, &sink) || !drop_doubles(&reader, &sink))
			return reader.code;
	}
	if (reader.code != TENON_OK)
		return reader.code;
	file->body = sink.body;
	file->faults = reader.faults;
	*ret = file;
	return TENON_OK;
}

const struct tn_hcl_attribute *tn_hcl_attribute_find(const struct tn_hcl_body *body,
						     const char *name)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		if (tn_str_is(one->name, name))
			return one;
	}
	return NULL;
}
