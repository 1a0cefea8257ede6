#include "match.h"

#include <string.h>

#include "base/mem.h"
#include "jsonrpc/json_write.h"

struct matching {
	struct tn_map *memory;
	struct tn_buf *why;
	struct tn_buf path;
};

static bool differ(struct matching *m, const char *what, const struct tn_json *expected,
		   const struct tn_json *actual)
{
	if (m->why->size)
		return false; /* the first difference is told */
	tn_buf_append_str(m->why, tn_buf_str(&m->path));
	tn_buf_format(m->why, ": %s; expected ", what);
	tn_json_put_value(m->why, expected);
	tn_buf_append_text(m->why, ", got ");
	if (actual) {
		struct tn_buf text;

		tn_buf_init(&text, 64 * TN_MIB);
		tn_json_put_value(&text, actual);
		tn_buf_append(m->why, text.data, text.size > 2000 ? 2000 : text.size);
		tn_buf_finish(&text);
	} else {
		tn_buf_append_text(m->why, "nothing");
	}
	return false;
}

/* What stands between {{ and }} when that is the whole string. */
static bool placeholder(const struct tn_json *expected, struct tn_str *ret)
{
	struct tn_str text;

	if (!tn_json_to_str(expected, &text) || !tn_str_starts(text, TN_STR("{{")) ||
	    !tn_str_ends(text, TN_STR("}}")))
		return false;
	*ret = tn_str(text.data + 2, text.size - 4);
	return true;
}

static void remember(struct tn_map *memory, struct tn_str name, struct tn_str value)
{
	char *copy = tn_mem_copy_text(value.data, value.size);

	tn_mem_free(tn_map_get(memory, name));
	if (!copy || tn_map_put(memory, name, copy, NULL) != TENON_OK)
		tn_mem_free(copy);
}

static bool is_handle(struct tn_str text, struct tn_str prefix)
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

	if (text.size != prefix.size + 35 || !tn_str_starts(text, prefix) ||
	    text.data[prefix.size] != '_')
		return false;
	for (size_t i = prefix.size + 1; i < text.size; i++) {
		const char *digits = i < prefix.size + 9 ? "0123456789abcdef" : alphabet;

		if (!strchr(digits, text.data[i]))
			return false;
	}
	return true;
}

static bool fits_text(struct matching *m, struct tn_str rule, struct tn_str text)
{
	if (tn_str_starts(rule, TN_STR("="))) {
		remember(m->memory, tn_str_from_offset(rule, 1), text);
		return true;
	}
	if (tn_str_starts(rule, TN_STR("has:")))
		return tn_str_find(text, tn_str_from_offset(rule, 4)) != TN_STR_NONE;
	if (tn_str_starts(rule, TN_STR("starts:")))
		return tn_str_starts(text, tn_str_from_offset(rule, 7));
	if (tn_str_is(rule, "pln") || tn_str_is(rule, "cnv"))
		return is_handle(text, rule);
	return false;
}

static bool fits_placeholder(struct matching *m, struct tn_str rule, const struct tn_json *actual)
{
	struct tn_str text;

	if (tn_str_is(rule, "absent"))
		return actual == NULL;
	if (tn_str_is(rule, "any"))
		return actual != NULL;
	if (tn_str_is(rule, "number"))
		return tn_json_is(actual, TN_JSON_NUMBER);
	return tn_json_to_str(actual, &text) && fits_text(m, rule, text);
}

static bool match(struct matching *m, const struct tn_json *expected, const struct tn_json *actual);

static bool match_object(struct matching *m, const struct tn_json *expected,
			 const struct tn_json *actual)
{
	const struct tn_json *member = expected->count ? expected->first : NULL;
	size_t size = m->path.size;

	if (!tn_json_is(actual, TN_JSON_OBJECT))
		return differ(m, "not an object", expected, actual);
	for (; member; member = member->next) {
		tn_buf_append_byte(&m->path, '.');
		tn_buf_append_str(&m->path, member->key);
		if (!match(m, member, tn_json_get_str(actual, member->key)))
			return false;
		m->path.size = size;
	}
	return true;
}

static bool is_more(const struct tn_json *value)
{
	struct tn_str rule;

	return placeholder(value, &rule) && tn_str_is(rule, "more");
}

static bool match_array(struct matching *m, const struct tn_json *expected,
			const struct tn_json *actual)
{
	const struct tn_json *wanted = expected->count ? expected->first : NULL;
	const struct tn_json *got;
	size_t size = m->path.size;

	if (!tn_json_is(actual, TN_JSON_ARRAY))
		return differ(m, "not an array", expected, actual);
	got = actual->count ? actual->first : NULL;
	for (unsigned i = 0; wanted; wanted = wanted->next, i++) {
		if (is_more(wanted))
			return true;
		tn_buf_format(&m->path, "[%u]", i);
		if (!match(m, wanted, got))
			return false;
		m->path.size = size;
		got = got ? got->next : NULL;
	}
	return got ? differ(m, "too many elements", expected, actual) : true;
}

static bool match(struct matching *m, const struct tn_json *expected, const struct tn_json *actual)
{
	struct tn_str rule;

	if (placeholder(expected, &rule))
		return fits_placeholder(m, rule, actual) ||
		       differ(m, "does not fit", expected, actual);
	if (expected->type == TN_JSON_OBJECT)
		return match_object(m, expected, actual);
	if (expected->type == TN_JSON_ARRAY)
		return match_array(m, expected, actual);
	return (actual && tn_json_equal(expected, actual)) ||
	       differ(m, "differs", expected, actual);
}

bool dialogue_match(const struct tn_json *expected, const struct tn_json *actual,
		    struct tn_map *memory, struct tn_buf *why)
{
	struct matching m = {.memory = memory, .why = why};
	bool fits;

	tn_buf_init(&m.path, TN_MIB);
	tn_buf_append_text(&m.path, "message");
	fits = match(&m, expected, actual);
	tn_buf_finish(&m.path);
	return fits;
}
