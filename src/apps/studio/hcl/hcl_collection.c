/* Lists, maps, and for expressions. */
#include <stdlib.h>

#include "apps/studio/hcl/hcl_lex.h"

void tn_hcl_items_add(struct tn_hcl_items *items, struct tn_hcl_value *value)
{
	bool constant = value->kind == TN_HCL_CONSTANT;

	items->constant = items->count == 0 ? constant : items->constant && constant;
	if (items->last)
		items->last->next = value;
	else
		items->first = value;
	items->last = value;
	items->count++;
}

/* The JSON of constants, linked where they are. */
static struct tn_json *collect(struct tn_hcl_reader *reader, enum tn_json_type type,
			       const struct tn_hcl_items *items)
{
	struct tn_json *json = tn_hcl_json_new(reader, type), **tail;

	if (!json)
		return NULL;
	tail = &json->first;
	for (const struct tn_hcl_value *item = items->first; item; item = item->next) {
		struct tn_json *one = (struct tn_json *)item->value; /* made by this parser */

		one->key = item->key;
		*tail = one;
		tail = &one->next;
		json->count++;
	}
	return json;
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

static bool take_arrow(struct tn_hcl_reader *reader)
{
	if (tn_hcl_peek(reader) != '=' || tn_hcl_byte(reader, 1) != '>')
		return tn_hcl_fail(reader, "=> and a value are expected here") != NULL;
	tn_hcl_take(reader, 2);
	return true;
}

/* At "for", within its bracket. */
static bool read_for(struct tn_hcl_reader *reader, bool map)
{
	tn_hcl_take(reader, 3);
	if (!take_name(reader) || (tn_hcl_accept(reader, ',') && !take_name(reader)))
		return false;
	if (!tn_hcl_at_name(reader, "in"))
		return tn_hcl_fail(reader, "\"in\" is expected here") != NULL;
	tn_hcl_take(reader, 2);
	if (!tn_hcl_read_expression(reader))
		return false;
	if (!tn_hcl_accept(reader, ':'))
		return tn_hcl_fail(reader, "the : of this for expression is expected") != NULL;
	if (!tn_hcl_read_expression(reader))
		return false;
	if (map) {
		if (!take_arrow(reader) || !tn_hcl_read_expression(reader))
			return false;
		if (tn_hcl_peek(reader) == '.' && tn_hcl_byte(reader, 1) == '.' &&
		    tn_hcl_byte(reader, 2) == '.')
			tn_hcl_take(reader, 3);
	}
	if (tn_hcl_at_name(reader, "if")) {
		tn_hcl_take(reader, 2);
		return tn_hcl_read_expression(reader) != NULL;
	}
	return true;
}

static struct tn_hcl_value *finish_for(struct tn_hcl_reader *reader, struct tn_hcl_range start,
				       char close)
{
	if (!read_for(reader, close == '}'))
		return NULL;
	if (!tn_hcl_accept(reader, close))
		return tn_hcl_fail(reader, "the end of this for expression is expected here");
	return tn_hcl_value_new(reader, TN_HCL_OTHER, start);
}

static struct tn_hcl_value *read_tuple_items(struct tn_hcl_reader *reader,
					     struct tn_hcl_range start)
{
	struct tn_hcl_items items = {.constant = true};
	struct tn_hcl_value *value;

	while (!tn_hcl_accept(reader, ']')) {
		value = tn_hcl_read_expression(reader);
		if (!value)
			return NULL;
		tn_hcl_items_add(&items, value);
		if (!tn_hcl_accept(reader, ',') && tn_hcl_peek(reader) != ']')
			return tn_hcl_fail(reader, "a comma or the closing ] is expected here");
	}
	value = tn_hcl_value_new(reader, items.constant ? TN_HCL_CONSTANT : TN_HCL_LIST, start);
	if (!value)
		return NULL;
	value->items = items.first;
	value->item_count = items.count;
	if (items.constant) {
		value->value = collect(reader, TN_JSON_ARRAY, &items);
		return value->value ? value : NULL;
	}
	return value;
}

struct tn_hcl_value *tn_hcl_read_tuple(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	bool newlines = reader->newlines;
	struct tn_hcl_value *value;

	tn_hcl_take(reader, 1);
	reader->brackets++;
	reader->newlines = false;
	value = tn_hcl_at_name(reader, "for") ? finish_for(reader, start, ']')
					      : read_tuple_items(reader, start);
	if (!value)
		return NULL;
	reader->brackets--;
	reader->newlines = newlines;
	return value;
}

/* ---- maps ---- */

/* `name =` and `name :` are the key "name", not what a variable of that name holds. */
static bool take_bare_key(struct tn_hcl_reader *reader, struct tn_str *ret)
{
	size_t start = reader->at, size = tn_hcl_name_size(reader, start);
	char byte;

	if (size == 0)
		return false;
	reader->at += size;
	byte = tn_hcl_peek(reader);
	if ((byte == '=' && tn_hcl_byte(reader, 1) != '=') ||
	    (byte == ':' && tn_hcl_byte(reader, 1) != ':')) {
		*ret = tn_str(reader->text.data + start, size);
		return true;
	}
	reader->at = start;
	return false;
}

/* `*constant` becomes false when the key must be evaluated. */
static bool read_key(struct tn_hcl_reader *reader, struct tn_str *ret, bool *constant)
{
	struct tn_hcl_value *value;

	(void)tn_hcl_peek(reader);
	if (!take_bare_key(reader, ret)) {
		value = tn_hcl_read_expression(reader);
		if (!value)
			return false;
		*ret = TN_STR("");
		if (tn_json_is(value->value, TN_JSON_STRING) ||
		    tn_json_is(value->value, TN_JSON_NUMBER))
			*ret = value->value->text;
		else
			*constant = false;
	}
	if (!tn_hcl_accept(reader, '=') && !tn_hcl_accept(reader, ':'))
		return tn_hcl_fail(reader, "= or : is expected after the key") != NULL;
	return true;
}

static int compare_keys(const void *a, const void *b)
{
	const struct tn_str *one = a, *other = b;

	return tn_str_compare(*one, *other);
}

static bool has_double_keys(struct tn_hcl_reader *reader, const struct tn_hcl_items *items)
{
	struct tn_str *keys;
	size_t count = 0;

	if (items->count < 2)
		return false;
	keys = tn_hcl_new(reader, items->count * sizeof(*keys));
	if (!keys)
		return true;
	for (const struct tn_hcl_value *item = items->first; item; item = item->next)
		keys[count++] = item->key;
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < count; i++) {
		if (tn_str_equal(keys[i - 1], keys[i]))
			return true;
	}
	return false;
}

static struct tn_hcl_value *make_map(struct tn_hcl_reader *reader, struct tn_hcl_range start,
				     const struct tn_hcl_items *items, bool keys_constant)
{
	struct tn_hcl_value *value;
	enum tn_hcl_kind kind = TN_HCL_MAP;

	/* Which of two equal keys counts is the engine's to say. */
	if (!keys_constant || has_double_keys(reader, items))
		kind = TN_HCL_OTHER;
	else if (items->constant)
		kind = TN_HCL_CONSTANT;
	value = tn_hcl_value_new(reader, kind, start);
	if (!value)
		return NULL;
	if (kind != TN_HCL_OTHER) {
		value->items = items->first;
		value->item_count = items->count;
	}
	if (kind == TN_HCL_CONSTANT)
		value->value = collect(reader, TN_JSON_OBJECT, items);
	return reader->code == TENON_OK ? value : NULL;
}

static struct tn_hcl_value *read_map_items(struct tn_hcl_reader *reader, struct tn_hcl_range start)
{
	struct tn_hcl_items items = {.constant = true};
	bool keys_constant = true;

	for (;;) {
		struct tn_hcl_value *value;
		struct tn_str key;
		char byte;

		while (tn_hcl_peek(reader) == '\n')
			reader->at++;
		if (tn_hcl_accept(reader, '}'))
			return make_map(reader, start, &items, keys_constant);
		if (!read_key(reader, &key, &keys_constant))
			return NULL;
		value = tn_hcl_read_expression(reader);
		if (!value)
			return NULL;
		value->key = key;
		tn_hcl_items_add(&items, value);
		byte = tn_hcl_peek(reader);
		if (byte == ',')
			tn_hcl_take(reader, 1);
		else if (byte != '\n' && byte != '}')
			return tn_hcl_fail(reader, "a comma, a new line or the closing } is "
						   "expected here");
	}
}

struct tn_hcl_value *tn_hcl_read_object(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	bool newlines = reader->newlines;
	struct tn_hcl_value *value;
	size_t inside;

	tn_hcl_take(reader, 1);
	reader->brackets++;
	inside = reader->at;
	reader->newlines = false;
	if (tn_hcl_at_name(reader, "for")) {
		value = finish_for(reader, start, '}');
	} else {
		reader->at = inside;
		reader->newlines = true;
		value = read_map_items(reader, start);
	}
	if (!value)
		return NULL;
	reader->brackets--;
	reader->newlines = newlines;
	return value;
}
