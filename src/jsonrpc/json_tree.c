#include "jsonrpc/json.h"

#include <stdlib.h>

#include "base/rng.h"

/* ---- building ---- */

struct level {
	struct tn_json *container;
	struct tn_json **tail; /* where the next child is linked */
};

struct builder {
	struct tn_arena *arena;
	struct tn_json_reader reader;
	struct level levels[TN_JSON_DEPTH_MAX];
	struct tn_json *root;
	struct tn_str key;
};

/* An object of many members gets a hash table of its keys while duplicates are looked for; a small
 * one is compared pair by pair, which is faster. */
enum { PAIRWISE_MAX = 12 };

static void drop_member(struct tn_json *object, const struct tn_json *member)
{
	struct tn_json **link = &object->first;

	while (*link != member)
		link = &(*link)->next;
	*link = member->next;
	object->count--;
}

static void dedupe_pairwise(struct tn_json *object)
{
	for (struct tn_json *a = object->first; a;) {
		struct tn_json *next = a->next;

		for (const struct tn_json *b = next; b; b = b->next) {
			if (tn_str_equal(a->key, b->key)) {
				drop_member(object, a);
				break;
			}
		}
		a = next;
	}
}

/* Slots remember the link that points at the member, so that removing it is one write; the link
 * of a removed member's successor moves along. */
static bool dedupe_hashed(struct tn_arena *arena, struct tn_json *object)
{
	size_t capacity = 32;
	struct tn_json **slots;
	uint64_t seed = tn_rng_u64();
	bool found = false;

	while (capacity < (size_t)object->count * 2)
		capacity *= 2;
	slots = tn_arena_alloc_array(arena, capacity, sizeof(*slots));
	if (!slots)
		return false;
	for (struct tn_json *m = object->first; m; m = m->next) {
		size_t i = (size_t)tn_str_hash(m->key, seed) & (capacity - 1);

		while (slots[i] && !tn_str_equal(slots[i]->key, m->key))
			i = (i + 1) & (capacity - 1);
		if (slots[i]) {
			slots[i]->count = UINT32_MAX; /* marks the loser; swept below */
			found = true;
		}
		slots[i] = m;
	}
	for (struct tn_json **link = &object->first; found && *link;) {
		if ((*link)->count == UINT32_MAX) {
			*link = (*link)->next;
			object->count--;
		} else {
			link = &(*link)->next;
		}
	}
	return true;
}

static enum tenon_code close_object(struct builder *b, struct tn_json *object,
				    struct tenon_error *err)
{
	if (object->count > TN_JSON_MEMBERS_MAX)
		return tn_fail(err, TENON_LIMIT, "an object with more than %d members",
			       TN_JSON_MEMBERS_MAX);
	if (object->count <= PAIRWISE_MAX) {
		dedupe_pairwise(object);
		return TENON_OK;
	}
	if (!dedupe_hashed(b->arena, object))
		return tn_fail(err, TENON_NO_MEMORY, "the message needs too much memory");
	return TENON_OK;
}

static struct tn_json *add_node(struct builder *b, enum tn_json_type type, uint32_t depth)
{
	struct tn_json *node = tn_arena_alloc_raw(b->arena, sizeof(*node));

	if (!node)
		return NULL;
	*node = (struct tn_json){.type = type, .key = b->key};
	b->key = (struct tn_str){NULL, 0};
	if (depth == 0) {
		b->root = node;
	} else {
		struct level *level = &b->levels[depth - 1];

		*level->tail = node;
		level->tail = &node->next;
		level->container->count++;
	}
	return node;
}

static bool add_container(struct builder *b, enum tn_json_type type)
{
	uint32_t depth = b->reader.depth - 1; /* the reader has entered it already */
	struct tn_json *node = add_node(b, type, depth);

	if (!node)
		return false;
	b->levels[depth] = (struct level){node, &node->first};
	return true;
}

static bool add_scalar(struct builder *b, enum tn_json_token token)
{
	static const enum tn_json_type types[] = {
		[TN_JSON_TOKEN_STRING] = TN_JSON_STRING, [TN_JSON_TOKEN_NUMBER] = TN_JSON_NUMBER,
		[TN_JSON_TOKEN_TRUE] = TN_JSON_TRUE,     [TN_JSON_TOKEN_FALSE] = TN_JSON_FALSE,
		[TN_JSON_TOKEN_NULL] = TN_JSON_NULL,
	};
	struct tn_json *node = add_node(b, types[token], b->reader.depth);

	if (!node)
		return false;
	if (token == TN_JSON_TOKEN_STRING || token == TN_JSON_TOKEN_NUMBER)
		node->text = b->reader.text;
	return true;
}

static enum tenon_code build_step(struct builder *b, enum tn_json_token token,
				  struct tenon_error *err)
{
	bool fits = true;

	switch (token) {
	case TN_JSON_TOKEN_KEY:
		b->key = b->reader.text;
		break;
	case TN_JSON_TOKEN_OBJECT:
		fits = add_container(b, TN_JSON_OBJECT);
		break;
	case TN_JSON_TOKEN_ARRAY:
		fits = add_container(b, TN_JSON_ARRAY);
		break;
	case TN_JSON_TOKEN_OBJECT_END:
		return close_object(b, b->levels[b->reader.depth].container, err);
	case TN_JSON_TOKEN_ARRAY_END:
		break;
	default:
		fits = add_scalar(b, token);
	}
	return fits ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "the message needs too much memory");
}

enum tenon_code tn_json_parse(struct tn_arena *arena, char *text, size_t size, struct tn_json **ret,
			      struct tenon_error *err)
{
	struct builder b; /* not zeroed: 2 KiB of levels are written before they are read */

	b.arena = arena;
	b.root = NULL;
	b.key = (struct tn_str){NULL, 0};
	tn_json_reader_init(&b.reader, text, size, TN_JSON_DEPTH_MAX);
	for (;;) {
		enum tn_json_token token = tn_json_next(&b.reader);
		enum tenon_code code;

		if (token == TN_JSON_TOKEN_ERROR)
			return tn_json_reader_fail(&b.reader, err);
		if (token == TN_JSON_TOKEN_END)
			break;
		code = build_step(&b, token, err);
		if (code != TENON_OK)
			return code;
	}
	*ret = b.root;
	return TENON_OK;
}

enum tenon_code tn_json_parse_copy(struct tn_arena *arena, struct tn_str text, struct tn_json **ret,
				   struct tenon_error *err)
{
	char *copy = tn_arena_copy(arena, text);

	if (!copy)
		return tn_fail(err, TENON_NO_MEMORY, "the message needs too much memory");
	return tn_json_parse(arena, copy, text.size, ret, err);
}

/* ---- looking ---- */

const struct tn_json *tn_json_get_str(const struct tn_json *object, struct tn_str key)
{
	if (!tn_json_is(object, TN_JSON_OBJECT))
		return NULL;
	for (const struct tn_json *m = object->first; m; m = m->next) {
		if (tn_str_equal(m->key, key))
			return m;
	}
	return NULL;
}

const struct tn_json *tn_json_get(const struct tn_json *object, const char *key)
{
	return tn_json_get_str(object, tn_str_from(key));
}

bool tn_json_to_str(const struct tn_json *value, struct tn_str *ret)
{
	if (!tn_json_is(value, TN_JSON_STRING))
		return false;
	*ret = value->text;
	return true;
}

bool tn_json_to_bool(const struct tn_json *value, bool *ret)
{
	if (!tn_json_is(value, TN_JSON_TRUE) && !tn_json_is(value, TN_JSON_FALSE))
		return false;
	*ret = value->type == TN_JSON_TRUE;
	return true;
}

/* ---- numbers ---- */

/* A number as digits times a power of ten, without trailing zeros in the digits. */
struct decimal {
	bool negative;
	struct tn_str whole, fraction; /* slices of the written digits */
	int64_t exponent;              /* as written after the e, clamped */
};

static struct decimal take_apart(struct tn_str text)
{
	struct decimal d = {0};
	size_t at = 0, mark;

	if (text.data[0] == '-') {
		d.negative = true;
		at++;
	}
	for (mark = at; at < text.size && tn_is_digit(text.data[at]);)
		at++;
	d.whole = tn_str(text.data + mark, at - mark);
	if (at < text.size && text.data[at] == '.') {
		for (mark = ++at; at < text.size && tn_is_digit(text.data[at]);)
			at++;
		d.fraction = tn_str(text.data + mark, at - mark);
	}
	if (at < text.size) { /* e or E, a sign perhaps, digits */
		bool minus = text.data[++at] == '-';

		if (minus || text.data[at] == '+')
			at++;
		for (; at < text.size && d.exponent < 1000000; at++)
			d.exponent = d.exponent * 10 + (text.data[at] - '0');
		if (minus)
			d.exponent = -d.exponent;
	}
	return d;
}

static char digit_at(const struct decimal *d, size_t i)
{
	return i < d->whole.size ? d->whole.data[i] : d->fraction.data[i - d->whole.size];
}

/* Significant digits: *ret_first .. *ret_end; returns the power of ten of the digit before *ret_end,
 * so that 1500 and 1.5e3 give the digits 15 and the power 2. No digits: the number is zero. */
static int64_t significant(const struct decimal *d, size_t *ret_first, size_t *ret_end)
{
	size_t total = d->whole.size + d->fraction.size;
	size_t first = 0, end = total;

	while (first < end && digit_at(d, first) == '0')
		first++;
	while (end > first && digit_at(d, end - 1) == '0')
		end--;
	*ret_first = first;
	*ret_end = end;
	return d->exponent + (int64_t)d->whole.size - (int64_t)end;
}

bool tn_json_is_integer(const struct tn_json *value)
{
	struct decimal d;
	size_t first, end;

	if (!tn_json_is(value, TN_JSON_NUMBER))
		return false;
	d = take_apart(value->text);
	return significant(&d, &first, &end) >= 0 || first == end;
}

bool tn_json_to_int(const struct tn_json *value, int64_t *ret)
{
	struct decimal d;
	size_t first, end;
	int64_t power, result = 0;

	if (!tn_json_is(value, TN_JSON_NUMBER))
		return false;
	d = take_apart(value->text);
	power = significant(&d, &first, &end);
	if (first == end) {
		*ret = 0;
		return true;
	}
	if (power < 0 || power > 18)
		return false;
	for (size_t i = first; i < end + (size_t)power; i++) {
		int digit = i < end ? digit_at(&d, i) - '0' : 0;

		if (__builtin_mul_overflow(result, 10, &result) ||
		    __builtin_sub_overflow(result, digit, &result))
			return false; /* built downwards: INT64_MIN has no positive twin */
	}
	if (!d.negative && __builtin_sub_overflow(0, result, &result))
		return false;
	*ret = result;
	return true;
}

bool tn_json_to_double(const struct tn_json *value, double *ret)
{
	char digits[64];
	char *end;
	double result;

	if (!tn_json_is(value, TN_JSON_NUMBER))
		return false;
	/* The slice is followed by a JSON delimiter or the end of the text, never by a digit; but it
	 * may be the last byte of a mapping, so short numbers are copied and long ones cut: digits
	 * beyond the 60th do not change a double by more than its last place. */
	if (value->text.size >= sizeof(digits)) {
		struct decimal d = take_apart(value->text);

		if (d.exponent || d.whole.size > 300)
			return false;
	}
	{
		size_t size =
			value->text.size < sizeof(digits) ? value->text.size : sizeof(digits) - 1;

		memcpy(digits, value->text.data, size);
		digits[size] = '\0';
		result = strtod(digits, &end); /* the process never calls setlocale */
		if (value->text.size > size) {
			struct decimal d = take_apart(value->text);

			for (size_t i = size; i < d.whole.size + d.negative; i++)
				result *= 10;
		}
	}
	*ret = result;
	return true;
}

static bool numbers_equal(const struct tn_json *a, const struct tn_json *b)
{
	struct decimal x = take_apart(a->text), y = take_apart(b->text);
	size_t x_first, x_end, y_first, y_end;
	int64_t x_power = significant(&x, &x_first, &x_end);
	int64_t y_power = significant(&y, &y_first, &y_end);

	if (x_first == x_end || y_first == y_end)
		return x_first == x_end && y_first == y_end;
	if (x.negative != y.negative || x_power != y_power || x_end - x_first != y_end - y_first)
		return false;
	for (size_t i = 0; i < x_end - x_first; i++) {
		if (digit_at(&x, x_first + i) != digit_at(&y, y_first + i))
			return false;
	}
	return true;
}

/* ---- equality ---- */

static bool objects_equal(const struct tn_json *a, const struct tn_json *b)
{
	for (const struct tn_json *m = a->first; m; m = m->next) {
		const struct tn_json *other = tn_json_get_str(b, m->key);

		if (!other || !tn_json_equal(m, other))
			return false;
	}
	return true;
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
bool tn_json_equal(const struct tn_json *a, const struct tn_json *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case TN_JSON_STRING:
		return tn_str_equal(a->text, b->text);
	case TN_JSON_NUMBER:
		return numbers_equal(a, b);
	case TN_JSON_OBJECT:
		return a->count == b->count && objects_equal(a, b);
	case TN_JSON_ARRAY:
		if (a->count != b->count)
			return false;
		for (a = a->first, b = b->first; a; a = a->next, b = b->next) {
			if (!tn_json_equal(a, b))
				return false;
		}
		return true;
	default:
		return true;
	}
}

const char *tn_json_type_name(const struct tn_json *value)
{
	static const char *const names[] = {
		[TN_JSON_NULL] = "null",     [TN_JSON_FALSE] = "boolean",
		[TN_JSON_TRUE] = "boolean",  [TN_JSON_NUMBER] = "number",
		[TN_JSON_STRING] = "string", [TN_JSON_ARRAY] = "array",
		[TN_JSON_OBJECT] = "object",
	};

	if (!value)
		return "nothing";
	return tn_json_is_integer(value) ? "integer" : names[value->type];
}
