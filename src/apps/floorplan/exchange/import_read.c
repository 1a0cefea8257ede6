/* Reading the JSON of a plan: types, paths, names (floorplan.md 10.1). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "apps/floorplan/exchange/import.h"
#include "apps/floorplan/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* ---- telling ---- */

static void put_path(struct tn_buf *out, const struct tn_import_at *at)
{
	if (!at)
		return;
	put_path(out, at->outer); /* as deep as rooms are nested */
	tn_buf_append_byte(out, '/');
	if (at->key)
		tn_json_put_escaped(out, tn_str_from(at->key));
	else
		tn_buf_append_uint(out, at->index);
}

static void tell(struct tn_buf *out, const char *code, const struct tn_import_at *at,
		 const char *message)
{
	tn_json_begin_object(out);
	if (code)
		tn_json_put_member_text(out, "code", code);
	tn_json_put_member_text(out, "message", message);
	tn_json_put_key(out, "path");
	tn_buf_append_byte(out, '"');
	put_path(out, at);
	tn_buf_append_byte(out, '"');
	tn_json_end_object(out);
}

void tn_import_fault(struct tn_import *in, const struct tn_import_at *at, const char *format, ...)
{
	char message[512];
	va_list arguments;

	if (in->fault_count++ >= TN_IMPORT_TOLD_MAX)
		return;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	tell(in->faults, "FP9001", at, message);
}

void tn_import_warn(struct tn_import *in, const struct tn_import_at *at, const char *format, ...)
{
	char message[512];
	va_list arguments;

	if (in->warning_count++ >= TN_IMPORT_TOLD_MAX)
		return;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	tell(in->warnings, NULL, at, message);
}

#define SHOW(text) (int)tn_utf8_cut(text, 80).size, (text).data

/* ---- reading ---- */

static bool is_among(struct tn_str word, const char *words)
{
	while (*words) {
		const size_t size = strcspn(words, " ");

		if (tn_str_equal(word, tn_str(words, size)))
			return true;
		words += size + (words[size] == ' ' ? 1 : 0);
	}
	return false;
}

bool tn_import_object(struct tn_import *in, const struct tn_json *json,
		      const struct tn_import_at *at, const char *known)
{
	if (!tn_json_is(json, TN_JSON_OBJECT)) {
		tn_import_fault(in, at, "an object is due here, not %s", tn_json_type_name(json));
		return false;
	}
	for (const struct tn_json *member = json->first; member; member = member->next) {
		if (!is_among(member->key, known))
			tn_import_warn(in, at, "the field '%.*s' is not known and left out",
				       SHOW(member->key));
	}
	return true;
}

const struct tn_json *tn_import_get(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_NULL) ? NULL : value;
}

bool tn_import_number(struct tn_import *in, const struct tn_json *object,
		      const struct tn_import_at *at, const char *key, double *ret)
{
	const struct tn_import_at inner = {at, key, 0};
	const struct tn_json *value = tn_import_get(object, key);
	double number;

	if (!value)
		return false;
	if (!tn_json_is(value, TN_JSON_NUMBER) || !tn_json_to_double(value, &number)) {
		tn_import_fault(in, &inner, "a number is due here, not %s",
				tn_json_type_name(value));
		return false;
	}
	if (!(fabs(number) <= TN_FLOOR_LENGTH_MAX)) {
		tn_import_fault(in, &inner, "numbers go up to %d", TN_FLOOR_LENGTH_MAX);
		return false;
	}
	*ret = number;
	return true;
}

bool tn_import_text(struct tn_import *in, const struct tn_json *object,
		    const struct tn_import_at *at, const char *key, struct tn_str *ret)
{
	const struct tn_import_at inner = {at, key, 0};
	const struct tn_json *value = tn_import_get(object, key);

	if (!value)
		return false;
	if (tn_json_to_str(value, ret))
		return true;
	tn_import_fault(in, &inner, "a text is due here, not %s", tn_json_type_name(value));
	return false;
}

bool tn_import_truth(struct tn_import *in, const struct tn_json *object,
		     const struct tn_import_at *at, const char *key)
{
	const struct tn_import_at inner = {at, key, 0};
	const struct tn_json *value = tn_import_get(object, key);
	bool truth = false;

	if (value && !tn_json_to_bool(value, &truth))
		tn_import_fault(in, &inner, "true or false is due here, not %s",
				tn_json_type_name(value));
	return truth;
}

bool tn_import_word(struct tn_import *in, const struct tn_json *object,
		    const struct tn_import_at *at, const char *key, const char *words,
		    struct tn_str *ret)
{
	const struct tn_import_at inner = {at, key, 0};

	if (!tn_import_text(in, object, at, key, ret))
		return false;
	if (is_among(*ret, words))
		return true;
	tn_import_fault(in, &inner, "'%.*s' is none of: %s", SHOW(*ret), words);
	return false;
}

const struct tn_json *tn_import_array(struct tn_import *in, const struct tn_json *object,
				      const struct tn_import_at *at, const char *key)
{
	const struct tn_import_at inner = {at, key, 0};
	const struct tn_json *value = tn_import_get(object, key);

	if (!value || tn_json_is(value, TN_JSON_ARRAY))
		return value;
	tn_import_fault(in, &inner, "an array is due here, not %s", tn_json_type_name(value));
	return NULL;
}

void tn_import_missing(struct tn_import *in, const struct tn_import_at *at, const char *key)
{
	const struct tn_import_at inner = {at, key, 0};

	tn_import_fault(in, &inner, "'%s' is missing", key);
}

void tn_import_need(struct tn_import *in, const struct tn_json *object,
		    const struct tn_import_at *at, const char *key)
{
	if (!tn_import_get(object, key))
		tn_import_missing(in, at, key);
}

/* ---- names ---- */

static struct tn_str scoped(struct tn_import *in, const char *scope, struct tn_str name)
{
	char *key = tn_arena_alloc(in->arena, strlen(scope) + 1 + name.size + 1);

	if (!key) {
		in->starved = true;
		return tn_str("", 0);
	}
	memcpy(key, scope, strlen(scope));
	key[strlen(scope)] = ' ';
	if (name.size)
		memcpy(key + strlen(scope) + 1, name.data, name.size);
	return tn_str(key, strlen(scope) + 1 + name.size);
}

const char *tn_import_scope(struct tn_import *in, char kind, struct tn_str floor)
{
	const char *scope = tn_arena_format(in->arena, "%c\"%.*s", kind, (int)floor.size,
					    floor.data ? floor.data : "");

	in->starved = in->starved || !scope;
	return scope ? scope : "";
}

enum { LEGAL_SIZE = TN_FLOOR_NAME_BYTES_MAX - 12 }; /* a number may follow */

/* Other characters become one '_' each run. */
static size_t make_legal(struct tn_str name, char out[LEGAL_SIZE + 2])
{
	size_t size = 0;

	if (name.size == 0 || tn_is_digit(name.data[0]))
		out[size++] = '_';
	for (size_t i = 0; i < name.size && size < LEGAL_SIZE; i++) {
		const char c = name.data[i];

		if (tn_is_alpha(c) || tn_is_digit(c) || c == '_')
			out[size++] = c;
		else if (size == 0 || out[size - 1] != '_')
			out[size++] = '_';
	}
	if (tn_floor_is_reserved(tn_str(out, size)))
		out[size++] = '_';
	return size;
}

static const char *free_name(struct tn_import *in, const char *scope, struct tn_str name)
{
	char base[LEGAL_SIZE + 2];
	const size_t size = make_legal(name, base);
	const char *legal = tn_arena_copy(in->arena, tn_str(base, size));

	for (unsigned number = 2; legal && number < TN_FLOOR_ROOMS_MAX; number++) {
		if (!tn_map_get(&in->taken, scoped(in, scope, tn_str_from(legal))))
			break;
		legal = tn_arena_format(in->arena, "%.*s_%u", (int)size, base, number);
	}
	in->starved = in->starved || !legal;
	return legal ? legal : "_";
}

void tn_import_add_name(struct tn_import *in, const char *scope, struct tn_str name,
			const struct tn_import_at *at, bool legal_pass)
{
	const struct tn_str key = scoped(in, scope, name);
	const bool is_legal = tn_floor_is_name(name);
	struct tenon_error err;
	const char *legal;

	if (is_legal != legal_pass || in->starved || tn_map_get(&in->names, key))
		return;
	legal = is_legal ? tn_arena_copy(in->arena, name) : free_name(in, scope, name);
	if (!legal || tn_map_put(&in->names, key, (void *)(uintptr_t)legal, &err) != TENON_OK ||
	    tn_map_put(&in->taken, scoped(in, scope, tn_str_from(legal)), (void *)(uintptr_t)legal,
		       &err) != TENON_OK) {
		in->starved = true;
		return;
	}
	if (!is_legal)
		tn_import_warn(in, at, "'%.*s' is no name and is called '%s'", SHOW(name), legal);
}

struct tn_str tn_import_legal_name(struct tn_import *in, const char *scope, const char *other,
				   struct tn_str name)
{
	const char *legal = tn_map_get(&in->names, scoped(in, scope, name));

	if (!legal && other)
		legal = tn_map_get(&in->names, scoped(in, other, name));
	if (legal)
		return tn_str_from(legal);
	if (tn_floor_is_name(name))
		return name; /* unknown: the checker of the plan will say so */
	return tn_str_from(free_name(in, "unknown", name));
}

bool tn_import_knows(struct tn_import *in, const char *scope, struct tn_str name)
{
	return tn_map_get(&in->names, scoped(in, scope, name)) != NULL;
}
