#include "apps/studio/registry/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/near.h"
#include "base/utf8.h"
#include "jsonrpc/json_pointer.h"
#include "jsonrpc/json_write.h"

enum { NEAR_MAX = 64 };

/* "/types/3/properties/0/key" */
static void put_pointer(struct tn_buf *out, const struct tn_registry_at *at)
{
	if (!at)
		return;
	put_pointer(out, at->up);
	if (at->key.data)
		tn_json_pointer_push(out, at->key);
	else
		tn_json_pointer_push_index(out, at->index);
}

bool tn_registry_fault(struct tn_registry_loader *loader, const struct tn_registry_at *at,
		       const char *format, ...)
{
	char message[512];
	struct tn_buf pointer;
	va_list arguments;

	loader->broken = true;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	message[tn_utf8_cut(tn_str_from(message), sizeof(message) - 1).size] = '\0';
	if (loader->file->built_in && loader->first_built_in[0] == '\0')
		(void)snprintf(loader->first_built_in, sizeof(loader->first_built_in), "%.150s",
			       message);
	if (loader->fault_count++ >= TN_REGISTRY_FAULTS_MAX)
		return false;
	tn_buf_init(&pointer, 4 * TN_KIB);
	put_pointer(&pointer, at);
	tn_json_begin_object(&loader->faults);
	tn_json_put_member_str(&loader->faults, "file", loader->file->name);
	tn_json_put_member_str(&loader->faults, "pointer", tn_buf_str(&pointer));
	tn_json_put_member_text(&loader->faults, "message", message);
	tn_json_end_object(&loader->faults);
	tn_buf_finish(&pointer);
	return false;
}

bool tn_registry_starve(struct tn_registry_loader *loader)
{
	loader->starved = true;
	loader->broken = true;
	return false;
}

void *tn_registry_alloc(struct tn_registry_loader *loader, size_t count, size_t size)
{
	/* One more, so that nothing is no failure. */
	void *memory = tn_arena_alloc_array(&loader->registry->arena, count + 1, size);

	if (!memory)
		(void)tn_registry_starve(loader);
	return memory;
}

bool tn_registry_keys(struct tn_registry_loader *loader, const struct tn_json *object,
		      const struct tn_registry_at *at, const char *const *known)
{
	bool right = true;

	if (!tn_json_is(object, TN_JSON_OBJECT))
		return tn_registry_fault(loader, at, "an object is expected here, not %s",
					 tn_json_type_name(object));
	for (const struct tn_json *m = object->first; m; m = m->next) {
		struct tn_registry_at here = tn_registry_member(at, m);
		const char *const *name = known;
		const char *near;

		while (*name && !tn_str_is(m->key, *name))
			name++;
		if (*name)
			continue;
		near = m->key.size <= NEAR_MAX ? tn_near_find(m->key, known) : NULL;
		right = tn_registry_fault(loader, &here, "unknown member \"%.*s\"%s%s%s",
					  (int)(m->key.size < NEAR_MAX ? m->key.size : NEAR_MAX),
					  m->key.data, near ? "; did you mean \"" : "",
					  near ? near : "", near ? "\"?" : "");
	}
	return right;
}

static bool wrong_type(struct tn_registry_loader *loader, const struct tn_registry_at *at,
		       const char *key, const char *expected, const struct tn_json *value)
{
	struct tn_registry_at here = tn_registry_key(at, key);

	return tn_registry_fault(loader, &here, "\"%s\" is %s, not %s", key, expected,
				 tn_json_type_name(value));
}

bool tn_registry_get_text(struct tn_registry_loader *loader, const struct tn_json *object,
			  const struct tn_registry_at *at, const char *key, struct tn_str *ret)
{
	const struct tn_json *value = tn_json_get(object, key);

	if (!value || tn_json_to_str(value, ret))
		return true;
	return wrong_type(loader, at, key, "a string", value);
}

bool tn_registry_get_bool(struct tn_registry_loader *loader, const struct tn_json *object,
			  const struct tn_registry_at *at, const char *key, bool *ret)
{
	const struct tn_json *value = tn_json_get(object, key);

	if (!value || tn_json_to_bool(value, ret))
		return true;
	return wrong_type(loader, at, key, "true or false", value);
}

bool tn_registry_get_count(struct tn_registry_loader *loader, const struct tn_json *object,
			   const struct tn_registry_at *at, const char *key, int64_t *ret)
{
	const struct tn_json *value = tn_json_get(object, key);
	int64_t number;

	if (!value)
		return true;
	if (!tn_json_to_int(value, &number) || number < 0 || number > 1000000000)
		return wrong_type(loader, at, key, "a whole number from 0 to 1000000000", value);
	*ret = number;
	return true;
}

bool tn_registry_get_number(struct tn_registry_loader *loader, const struct tn_json *object,
			    const struct tn_registry_at *at, const char *key, double *ret)
{
	const struct tn_json *value = tn_json_get(object, key);

	if (!value || tn_json_to_double(value, ret))
		return true;
	return wrong_type(loader, at, key, "a number", value);
}

static bool get_typed(struct tn_registry_loader *loader, const struct tn_json *object,
		      const struct tn_registry_at *at, const char *key, enum tn_json_type type,
		      const struct tn_json **ret)
{
	const struct tn_json *value = tn_json_get(object, key);

	if (!value)
		return true;
	if (value->type != type)
		return wrong_type(loader, at, key, type == TN_JSON_ARRAY ? "an array" : "an object",
				  value);
	*ret = value;
	return true;
}

bool tn_registry_get_array(struct tn_registry_loader *loader, const struct tn_json *object,
			   const struct tn_registry_at *at, const char *key,
			   const struct tn_json **ret)
{
	return get_typed(loader, object, at, key, TN_JSON_ARRAY, ret);
}

bool tn_registry_get_object(struct tn_registry_loader *loader, const struct tn_json *object,
			    const struct tn_registry_at *at, const char *key,
			    const struct tn_json **ret)
{
	return get_typed(loader, object, at, key, TN_JSON_OBJECT, ret);
}

bool tn_registry_get_texts(struct tn_registry_loader *loader, const struct tn_json *object,
			   const struct tn_registry_at *at, const char *key,
			   const struct tn_json **ret)
{
	const struct tn_json *array = NULL;
	struct tn_registry_at here = tn_registry_key(at, key);
	size_t index = 0;

	if (!get_typed(loader, object, at, key, TN_JSON_ARRAY, &array))
		return false;
	if (!array)
		return true;
	for (const struct tn_json *e = array->first; e; e = e->next, index++) {
		struct tn_registry_at place = tn_registry_index(&here, index);

		if (e->type != TN_JSON_STRING)
			return tn_registry_fault(loader, &place, "a string is expected, not %s",
						 tn_json_type_name(e));
	}
	*ret = array;
	return true;
}

bool tn_registry_get_word(struct tn_registry_loader *loader, const struct tn_json *object,
			  const struct tn_registry_at *at, const char *key,
			  const char *const *words, unsigned *ret)
{
	struct tn_str text = {NULL, 0};
	struct tn_registry_at here = tn_registry_key(at, key);
	char list[256] = "";
	size_t used = 0;

	if (!tn_registry_get_text(loader, object, at, key, &text))
		return false;
	if (!text.data)
		return true;
	for (unsigned i = 0; words[i]; i++) {
		if (tn_str_is(text, words[i])) {
			*ret = i;
			return true;
		}
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 i > 0 ? ", " : "", words[i]);
	}
	return tn_registry_fault(loader, &here, "\"%.*s\" is none of: %s",
				 (int)(text.size < NEAR_MAX ? text.size : NEAR_MAX), text.data,
				 list);
}

bool tn_registry_is_identifier(struct tn_str text)
{
	if (text.size == 0 || text.size > 128 ||
	    (!tn_is_alpha(text.data[0]) && text.data[0] != '_'))
		return false;
	for (size_t i = 1; i < text.size; i++) {
		char c = text.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '-')
			return false;
	}
	return true;
}

/* ^[a-z_][a-z0-9_]*$ for the first and the last part, - as well in the middle (4.1). */
bool tn_registry_is_type_id(struct tn_str text)
{
	size_t slashes = 0, part = 0;

	if (text.size > 200)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];
		bool lower = (c >= 'a' && c <= 'z') || c == '_';

		if (c == '/') {
			if (part == 0)
				return false;
			slashes++;
			part = 0;
			continue;
		}
		if (!lower && !(tn_is_digit(c) && (slashes > 0 || part > 0)) &&
		    !(c == '-' && slashes == 1))
			return false;
		part++;
	}
	return slashes == 2 && part > 0;
}
