#include "cli/shared/call_arguments.h"

#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/near.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/limits.h"
#include "store/file.h"

enum { ARGUMENTS_MAX = 256, REFERENCES_MAX = 8 };

/* What a schema allows, as bits. */
enum {
	ALLOWS_TEXT = 1,
	ALLOWS_INTEGER = 2,
	ALLOWS_NUMBER = 4,
	ALLOWS_BOOLEAN = 8,
	ALLOWS_ARRAY = 16,
	ALLOWS_OBJECT = 32,
	ALLOWS_NULL = 64
};

struct argument {
	struct tn_str name;
	struct tn_buf json; /* the value; of a list that is still open, without the last ] */
	bool is_list;
};

struct arguments {
	const struct tn_json *schema;
	struct argument items[ARGUMENTS_MAX];
	size_t count;
	struct tn_arena arena;
	struct tenon_error *err;
};

/* ---- what the schema says ---- */

/* "#/$defs/name", as far as it goes; anything else is the schema as it stands. */
static const struct tn_json *resolve(const struct arguments *args, const struct tn_json *schema)
{
	struct tn_str reference;

	for (int i = 0; i < REFERENCES_MAX; i++) {
		const struct tn_json *at = args->schema;

		if (!tn_json_to_str(tn_json_get(schema, "$ref"), &reference) ||
		    !tn_str_starts(reference, TN_STR("#/")))
			return schema;
		reference = tn_str_from_offset(reference, 2);
		while (reference.size && at) {
			size_t slash = tn_str_find_byte(reference, '/');
			struct tn_str part = reference;

			if (slash != TN_STR_NONE)
				part.size = slash;
			at = tn_json_get_str(at, part);
			reference = tn_str_from_offset(reference, part.size + 1);
		}
		if (!at)
			return schema;
		schema = at;
	}
	return schema;
}

static unsigned bit_of(struct tn_str type)
{
	static const struct {
		const char *name;
		unsigned bit;
	} types[] = {
		{"string", ALLOWS_TEXT},     {"integer", ALLOWS_INTEGER}, {"number", ALLOWS_NUMBER},
		{"boolean", ALLOWS_BOOLEAN}, {"array", ALLOWS_ARRAY},     {"object", ALLOWS_OBJECT},
		{"null", ALLOWS_NULL},
	};

	for (size_t i = 0; i < TN_COUNT(types); i++) {
		if (tn_str_is(type, types[i].name))
			return types[i].bit;
	}
	return 0;
}

/* Of a schema without "type": what its enum or const lists. */
static unsigned bits_of_values(const struct tn_json *values)
{
	unsigned bits = 0;

	for (const struct tn_json *v = values; v; v = v->next)
		bits |= bit_of(tn_str_from(tn_json_type_name(v)));
	return bits;
}

/* 0: the schema does not say. */
static unsigned allowed(const struct arguments *args, const struct tn_json *schema, int depth)
{
	static const char *const choices[] = {"anyOf", "oneOf", "allOf"};
	const struct tn_json *type, *list;
	unsigned bits = 0;

	schema = resolve(args, schema);
	type = tn_json_get(schema, "type");
	if (tn_json_is(type, TN_JSON_STRING))
		return bit_of(type->text);
	if (tn_json_is(type, TN_JSON_ARRAY)) {
		for (const struct tn_json *t = type->first; t; t = t->next)
			bits |= t->type == TN_JSON_STRING ? bit_of(t->text) : 0;
		return bits;
	}
	list = tn_json_get(schema, "enum");
	if (tn_json_is(list, TN_JSON_ARRAY))
		return bits_of_values(list->first);
	for (size_t i = 0; i < TN_COUNT(choices) && depth < REFERENCES_MAX; i++) {
		list = tn_json_get(schema, choices[i]);
		for (const struct tn_json *s = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
		     s; s = s->next)
			bits |= allowed(args, s, depth + 1);
	}
	return bits;
}

/* ---- one value ---- */

enum tenon_code tn_cli_read_file(const char *path, struct tn_buf *out, struct tenon_error *err)
{
	struct tenon_error why = {0};
	enum tenon_code code;

	if (path[0] == '-' && path[1] == '\0')
		code = tn_buf_read_all(out, STDIN_FILENO, &why);
	else
		code = tn_file_read(path, 0, out, &why);
	return code == TENON_OK ? code : tn_fail(err, code, "%.120s: %.100s", path, why.message);
}

/* Appends the JSON in `text` as one value; false: it is not JSON. */
static bool put_json(struct arguments *args, struct tn_str text, struct tn_buf *out,
		     struct tenon_error *err)
{
	struct tn_json *value;

	if (tn_json_parse_copy(&args->arena, text, &value, err) != TENON_OK)
		return false;
	tn_json_put_value(out, value);
	return true;
}

static enum tenon_code wrong_type(const struct arguments *args, struct tn_str name, unsigned bits,
				  struct tn_str text)
{
	const char *wanted = bits & (ALLOWS_INTEGER) ? "a whole number"
			     : bits & ALLOWS_NUMBER  ? "a number"
			     : bits & ALLOWS_BOOLEAN ? "true or false"
			     : bits & ALLOWS_ARRAY   ? "a JSON array"
			     : bits & ALLOWS_OBJECT  ? "a JSON object"
						     : "null";

	return tn_fail(args->err, TENON_INVALID, "%.*s: \"%.*s\" is not %s", (int)name.size,
		       name.data, text.size > 80 ? 80 : (int)text.size, text.data, wanted);
}

/* The text as the value that the schema wants. A text that may be a text is one. */
static enum tenon_code put_typed(struct arguments *args, struct tn_str name, unsigned bits,
				 struct tn_str text, struct tn_buf *out)
{
	struct tn_json *value;
	unsigned is;

	if (bits == 0 || bits & ALLOWS_TEXT) {
		tn_json_put_str(out, text);
		return TENON_OK;
	}
	if (tn_json_parse_copy(&args->arena, text, &value, NULL) != TENON_OK)
		return wrong_type(args, name, bits, text);
	is = bit_of(tn_str_from(tn_json_type_name(value)));
	if (value->type == TN_JSON_NUMBER)
		is = tn_json_is_integer(value) ? ALLOWS_INTEGER | ALLOWS_NUMBER : ALLOWS_NUMBER;
	if (!(is & bits))
		return wrong_type(args, name, bits, text);
	tn_json_put_value(out, value);
	return TENON_OK;
}

static struct argument *find_argument(struct arguments *args, struct tn_str name)
{
	for (size_t i = 0; i < args->count; i++) {
		if (tn_str_equal(args->items[i].name, name))
			return &args->items[i];
	}
	return NULL;
}

static struct argument *add_argument(struct arguments *args, struct tn_str name)
{
	struct argument *argument;

	if (args->count == ARGUMENTS_MAX) {
		(void)tn_fail(args->err, TENON_LIMIT, "more than %d arguments", ARGUMENTS_MAX);
		return NULL;
	}
	argument = &args->items[args->count++];
	argument->name = name;
	tn_buf_init(&argument->json, TN_MESSAGE_BYTES_MAX);
	return argument;
}

/* An element of an array: the first opens it. */
static enum tenon_code add_element(struct arguments *args, struct tn_str name,
				   const struct tn_json *schema, struct tn_str text)
{
	struct argument *argument = find_argument(args, name);
	unsigned bits = allowed(args, tn_json_get(schema, "items"), 0);

	if (argument && !argument->is_list)
		return tn_fail(args->err, TENON_INVALID, "%.*s is given twice", (int)name.size,
			       name.data);
	if (!argument) {
		argument = add_argument(args, name);
		if (!argument)
			return args->err->code;
		argument->is_list = true;
		tn_json_begin_array(&argument->json);
	}
	return put_typed(args, name, bits, text, &argument->json);
}

static enum tenon_code add_value(struct arguments *args, struct tn_str name,
				 const struct tn_json *schema, struct tn_str text, bool is_json)
{
	unsigned bits = allowed(args, schema, 0);
	struct tn_str trimmed = tn_str_trim(text);
	struct argument *argument;
	struct tenon_error why = {0};

	if (!is_json && bits & ALLOWS_ARRAY && !(bits & ALLOWS_TEXT) &&
	    !(trimmed.size && trimmed.data[0] == '['))
		return add_element(args, name, resolve(args, schema), text);
	if (find_argument(args, name))
		return tn_fail(args->err, TENON_INVALID, "%.*s is given twice", (int)name.size,
			       name.data);
	argument = add_argument(args, name);
	if (!argument)
		return args->err->code;
	if (!is_json)
		return put_typed(args, name, bits, text, &argument->json);
	if (put_json(args, text, &argument->json, &why))
		return TENON_OK;
	return tn_fail(args->err, TENON_INVALID,
		       "%.*s: not JSON: %.150s; for a text write %.*s=...", (int)name.size,
		       name.data, why.message, (int)name.size, name.data);
}

/* ---- words ---- */

/* Unknown names are the server's to judge, unless the schema says that there are no others. */
static enum tenon_code check_name(const struct arguments *args, struct tn_str name)
{
	const struct tn_json *properties = tn_json_get(args->schema, "properties");
	const struct tn_json *more = tn_json_get(args->schema, "additionalProperties");
	const char *known[ARGUMENTS_MAX + 1];
	char list[160] = "";
	size_t count = 0, size = 0;
	const char *near;

	if (!args->schema || !tn_json_is(more, TN_JSON_FALSE) || tn_json_get_str(properties, name))
		return TENON_OK;
	for (const struct tn_json *p = tn_json_is(properties, TN_JSON_OBJECT) ? properties->first
									      : NULL;
	     p && count < ARGUMENTS_MAX; p = p->next) {
		known[count++] = p->key.data;
		if (size + p->key.size + 3 < sizeof(list))
			size += (size_t)snprintf(list + size, sizeof(list) - size, "%s%s",
						 size ? ", " : "", p->key.data);
	}
	known[count] = NULL;
	near = tn_near_find(name, known);
	if (near)
		return tn_fail(args->err, TENON_INVALID,
			       "there is no argument \"%.*s\"; did you mean \"%s\"?",
			       name.size > 60 ? 60 : (int)name.size, name.data, near);
	return tn_fail(args->err, TENON_INVALID, "there is no argument \"%.*s\"; there is: %s",
		       name.size > 60 ? 60 : (int)name.size, name.data, count ? list : "none");
}

static enum tenon_code add_word(struct arguments *args, const char *word)
{
	struct tn_str text = tn_str_from(word), name = text;
	size_t equals = tn_str_find_byte(text, '=');
	bool is_json = equals != TN_STR_NONE && equals > 0 && word[equals - 1] == ':';
	struct tn_buf file;
	enum tenon_code code;

	name.size = equals == TN_STR_NONE ? 0 : equals - is_json;
	if (name.size == 0)
		return tn_fail(args->err, TENON_INVALID,
			       "\"%.80s\": write NAME=VALUE or NAME:=JSON (tenon help arguments)",
			       word);
	if (name.size > TN_NAME_BYTES_MAX / 2)
		return tn_fail(args->err, TENON_INVALID, "the name of an argument is too long");
	name.data = tn_arena_copy(&args->arena, name);
	if (!name.data)
		return tn_fail(args->err, TENON_NO_MEMORY, "out of memory");
	code = check_name(args, name);
	if (code != TENON_OK)
		return code;
	text = tn_str_from_offset(text, equals + 1);
	tn_buf_init(&file, TN_MESSAGE_BYTES_MAX);
	if (text.size && text.data[0] == '@') {
		code = tn_cli_read_file(text.data + 1, &file, args->err);
		text = tn_buf_str(&file);
	}
	if (code == TENON_OK)
		code = add_value(args, name,
				 tn_json_get_str(tn_json_get(args->schema, "properties"), name),
				 text, is_json);
	tn_buf_finish(&file);
	return code;
}

/* ---- the object ---- */

static enum tenon_code write_object(struct arguments *args, const struct tn_json *base,
				    struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (const struct tn_json *m = base ? base->first : NULL; m; m = m->next) {
		if (find_argument(args, m->key))
			continue;
		tn_json_put_key_str(out, m->key);
		tn_json_put_value(out, m);
	}
	for (size_t i = 0; i < args->count; i++) {
		struct argument *argument = &args->items[i];

		if (argument->is_list)
			tn_json_end_array(&argument->json);
		tn_buf_inherit_failure(out, &argument->json);
		tn_json_put_key_str(out, argument->name);
		tn_json_put_raw(out, tn_buf_str(&argument->json));
	}
	tn_json_end_object(out);
	return tn_buf_check(out, args->err);
}

/* The server would say the same; here it is known which words were wrong. A schema that we cannot
 * read checks nothing. */
static enum tenon_code check_object(struct arguments *args, const struct tn_buf *object)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_schema *compiled = NULL;
	enum tenon_code code = TENON_OK;
	struct tn_json *value;

	if (!args->schema || tn_schema_compile(args->schema, &compiled, NULL) != TENON_OK)
		return TENON_OK;
	if (tn_json_parse_copy(&args->arena, tn_buf_str(object), &value, NULL) == TENON_OK &&
	    tn_schema_check(compiled, value, &faults) == TENON_INVALID)
		code = tn_fail(args->err, TENON_INVALID, "%s%s", faults.items[0].message,
			       faults.count > 1 ? " (and more)" : "");
	tn_schema_free(compiled);
	return code;
}

static enum tenon_code read_base(struct arguments *args, const struct tn_buf *base,
				 const struct tn_json **ret)
{
	struct tn_json *value = NULL;
	struct tenon_error why = {0};
	enum tenon_code code;

	if (!base)
		return TENON_OK;
	code = tn_json_parse_copy(&args->arena, tn_buf_str(base), &value, &why);
	if (code != TENON_OK)
		return tn_fail(args->err, code, "--args: %.200s", why.message);
	if (value->type != TN_JSON_OBJECT)
		return tn_fail(args->err, TENON_INVALID, "--args: send a JSON object, not %s",
			       tn_json_type_name(value));
	for (const struct tn_json *m = value->first; m && code == TENON_OK; m = m->next)
		code = check_name(args, m->key);
	*ret = value;
	return code;
}

enum tenon_code tn_cli_arguments(const struct tn_json *schema, const struct tn_buf *base,
				 const char *const *words, size_t word_count, struct tn_buf *out,
				 struct tenon_error *err)
{
	struct arguments args = {.schema = schema, .err = err};
	const struct tn_json *members = NULL;
	enum tenon_code code;

	tn_arena_init(&args.arena, TN_MESSAGE_ARENA_MAX);
	code = read_base(&args, base, &members);
	for (size_t i = 0; i < word_count && code == TENON_OK; i++)
		code = add_word(&args, words[i]);
	if (code == TENON_OK)
		code = write_object(&args, members, out);
	if (code == TENON_OK)
		code = check_object(&args, out);
	for (size_t i = 0; i < args.count; i++)
		tn_buf_finish(&args.items[i].json);
	tn_arena_finish(&args.arena);
	return code;
}
