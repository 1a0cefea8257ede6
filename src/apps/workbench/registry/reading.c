#include "apps/workbench/registry/reading.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_pointer.h"

void tn_wb_reading_init(struct tn_wb_reading *reading, struct tn_arena *arena,
			struct tn_wb_diagnostics *diagnostics, const char *file,
			const char *pointer)
{
	*reading = (struct tn_wb_reading){.arena = arena, .diagnostics = diagnostics, .file = file};
	tn_buf_init(&reading->pointer, TN_WB_REGISTRY_BYTES_MAX);
	tn_buf_append_text(&reading->pointer, pointer ? pointer : "");
	tn_map_init(&reading->unknown);
}

void tn_wb_reading_finish(struct tn_wb_reading *reading)
{
	tn_buf_finish(&reading->pointer);
	tn_map_finish(&reading->unknown);
}

size_t tn_wb_reading_enter(struct tn_wb_reading *reading, struct tn_str token)
{
	size_t mark = reading->pointer.size;

	if (mark < TN_WB_POINTER_BYTES_MAX)
		tn_json_pointer_push(&reading->pointer, token);
	return mark;
}

void tn_wb_reading_leave(struct tn_wb_reading *reading, size_t mark)
{
	reading->pointer.size = mark;
}

void tn_wb_reading_say(struct tn_wb_reading *reading, enum tn_wb_severity severity,
		       const char *code, const char *format, ...)
{
	char message[TN_WB_TEXT_BYTES_MAX];
	char *pointer = tn_arena_copy(reading->arena, tn_buf_str(&reading->pointer));
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	tn_wb_diagnose(reading->diagnostics, &(struct tn_wb_diagnostic){.severity = severity,
									.code = code,
									.message = message,
									.file = reading->file,
									.pointer = pointer});
}

static bool is_texts(const struct tn_json *value)
{
	if (value->type != TN_JSON_ARRAY)
		return false;
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (at->type != TN_JSON_STRING)
			return false;
	}
	return true;
}

static bool is_one_of(const struct tn_json *value, const char *const *words)
{
	for (; value->type == TN_JSON_STRING && *words; words++) {
		if (tn_str_is(value->text, *words))
			return true;
	}
	return false;
}

bool tn_wb_shape_is(enum tn_wb_shape shape, const struct tn_json *value)
{
	static const char *const formats[] = {"hex", "rgb", "hsl", NULL};
	static const char *const hints[] = {"summary", "json", "code", NULL};
	double number;

	switch (shape) {
	case TN_WB_ANY:
		return true;
	case TN_WB_TEXT:
		return value->type == TN_JSON_STRING;
	case TN_WB_FILLED:
		return value->type == TN_JSON_STRING && value->text.size > 0;
	case TN_WB_BOOL:
		return value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE;
	case TN_WB_NUMBER:
		return tn_json_to_double(value, &number) && isfinite(number);
	case TN_WB_TEXTS:
		return is_texts(value);
	case TN_WB_OBJECT:
		return value->type == TN_JSON_OBJECT;
	case TN_WB_FORMAT:
		return is_one_of(value, formats);
	case TN_WB_HINT:
		return is_one_of(value, hints);
	}
	return false;
}

const char *tn_wb_shape_name(enum tn_wb_shape shape)
{
	static const char *const names[] = {
		[TN_WB_ANY] = "a value",
		[TN_WB_TEXT] = "a string",
		[TN_WB_FILLED] = "a string that is not empty",
		[TN_WB_BOOL] = "true or false",
		[TN_WB_NUMBER] = "a finite number",
		[TN_WB_TEXTS] = "an array of strings",
		[TN_WB_OBJECT] = "an object",
		[TN_WB_FORMAT] = "\"hex\", \"rgb\" or \"hsl\"",
		[TN_WB_HINT] = "\"summary\", \"json\" or \"code\"",
	};

	return names[shape];
}

const struct tn_wb_field *tn_wb_reading_fields(struct tn_json_maker *maker,
					       const struct tn_json *object,
					       const struct tn_wb_field *fields)
{
	const struct tn_wb_field *bad = NULL;

	for (; fields->name; fields++) {
		const struct tn_json *value = tn_json_get(object, fields->name);

		if (!value)
			continue;
		if (tn_wb_shape_is(fields->shape, value))
			tn_json_maker_put(maker, tn_str_from(fields->name), value);
		else if (!bad)
			bad = fields;
	}
	return bad;
}

static bool is_listed(const struct tn_wb_field *fields, struct tn_str name)
{
	for (; fields && fields->name; fields++) {
		if (tn_str_is(name, fields->name))
			return true;
	}
	return false;
}

/* What cannot be remembered is told again: no harm. */
static bool is_news(struct tn_wb_reading *reading, const char *what, struct tn_str name)
{
	const char *key = tn_arena_format(reading->arena, "%s.%.*s", what, (int)name.size,
					  name.size ? name.data : "");

	if (!key || tn_map_get(&reading->unknown, tn_str_from(key)))
		return false;
	(void)!tn_map_put(&reading->unknown, tn_str_from(key), reading, NULL);
	return true;
}

void tn_wb_reading_unknown(struct tn_wb_reading *reading, const struct tn_json *object,
			   const char *what, const struct tn_wb_field *fields,
			   const struct tn_wb_field *more)
{
	for (const struct tn_json *at = object->first; at; at = at->next) {
		struct tn_str name = tn_utf8_cut(at->key, 200);
		size_t mark;

		if (is_listed(fields, at->key) || is_listed(more, at->key) ||
		    reading->unknown.used >= TN_WB_DIAGNOSTICS_MAX || !is_news(reading, what, name))
			continue;
		mark = tn_wb_reading_enter(reading, at->key);
		tn_wb_reading_say(reading, TN_WB_INFO, "unknown_field",
				  "%s has no field \"%.*s\"; it is ignored", what, (int)name.size,
				  name.size ? name.data : "");
		tn_wb_reading_leave(reading, mark);
	}
}
