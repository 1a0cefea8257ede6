#include "apps/studio/edit/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/near.h"
#include "base/utf8.h"

void tn_studio_mistakes_begin(struct tn_studio_mistakes *mistakes, struct tn_studio_edit *edit)
{
	*mistakes = (struct tn_studio_mistakes){.edit = edit};
	tn_buf_init(&mistakes->list, TN_MIB);
	tn_buf_init(&mistakes->text, TN_MIB);
	tn_json_begin_array(&mistakes->list);
}

void tn_studio_mistake(struct tn_studio_mistakes *mistakes, struct tn_str key, const char *format,
		       ...)
{
	struct tn_str shown = tn_utf8_cut(key, 100), cut;
	va_list arguments;
	char why[768];

	va_start(arguments, format);
	(void)vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	cut = tn_utf8_cut(tn_str_from(why), sizeof(why) - 1);
	if (mistakes->count++ > 0)
		tn_buf_append(&mistakes->text, "; ", 2);
	tn_buf_append_str(&mistakes->text, shown);
	tn_buf_append(&mistakes->text, ": ", 2);
	tn_buf_append_str(&mistakes->text, cut);
	tn_json_begin_object(&mistakes->list);
	tn_json_put_member_str(&mistakes->list, "key", shown);
	tn_json_put_member_str(&mistakes->list, "message", cut);
	tn_json_end_object(&mistakes->list);
}

static void suggest(struct tn_studio_mistakes *mistakes, struct tn_str word)
{
	for (unsigned i = 0; i < mistakes->suggestion_count; i++) {
		if (tn_str_equal(mistakes->suggestions[i], word))
			return;
	}
	if (mistakes->suggestion_count < TN_STUDIO_SUGGESTIONS_MAX)
		mistakes->suggestions[mistakes->suggestion_count++] = word;
}

static bool holds(struct tn_str text, struct tn_str part)
{
	return part.size >= 3 && tn_str_find(text, part) != TN_STR_NONE;
}

void tn_studio_mistake_unknown(struct tn_studio_mistakes *mistakes,
			       const struct tn_studio_type *type, struct tn_str key, bool reference)
{
	const struct tn_studio_property *best = NULL;
	unsigned least = TN_NEAR_NONE;

	for (size_t i = 0; i < type->property_count; i++) {
		const struct tn_studio_property *property = &type->properties[i];
		unsigned distance = tn_near_distance(key, property->key);

		if (reference != (property->type == TN_STUDIO_REFERENCE) ||
		    !(tn_near_is(key, property->key) || holds(property->key, key) ||
		      holds(key, property->key)))
			continue;
		suggest(mistakes, property->key);
		if (distance < least) {
			best = property;
			least = distance;
		}
	}
	tn_studio_mistake(mistakes, key, "is no %s of %.*s%s%.*s%s",
			  reference ? "reference" : "property", (int)type->display_name.size,
			  type->display_name.data, best ? "; did you mean " : "",
			  best ? (int)best->key.size : 0, best ? best->key.data : "",
			  best ? "?" : "");
}

bool tn_studio_mistakes_end(struct tn_studio_mistakes *mistakes)
{
	struct tn_studio_edit *edit = mistakes->edit;
	bool none = mistakes->count == 0;

	tn_json_end_array(&mistakes->list);
	if (!none) {
		(void)tn_studio_fail(edit->fault, mistakes->code ? mistakes->code : "INVALID_INPUT",
				     "%.*s", (int)mistakes->text.size,
				     mistakes->text.data ? mistakes->text.data : "");
		if (edit->fault && !mistakes->list.failed) {
			char *details =
				tn_arena_format(edit->arena, "{\"mistakes\":%.*s}",
						(int)mistakes->list.size, mistakes->list.data);

			edit->fault->details = tn_str_from(details);
		}
		for (unsigned i = 0; i < mistakes->suggestion_count; i++)
			tn_studio_fault_suggest(edit->fault, mistakes->suggestions[i]);
	}
	tn_buf_finish(&mistakes->list);
	tn_buf_finish(&mistakes->text);
	return none;
}
