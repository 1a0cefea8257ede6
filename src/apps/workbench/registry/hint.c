#include "apps/workbench/registry/hint.h"

#include "apps/workbench/values/plain_path.h"

#include <stdio.h>

static const struct tn_wb_field file_fields[] = {
	{"kind", TN_WB_TEXT}, {"filePath", TN_WB_FILLED}, {"exportName", TN_WB_FILLED}, {NULL, 0}};
static const struct tn_wb_field package_fields[] = {
	{"kind", TN_WB_TEXT}, {"specifier", TN_WB_FILLED}, {"exportName", TN_WB_FILLED}, {NULL, 0}};

static bool is_file(const struct tn_json *hint)
{
	return tn_str_is(tn_json_get(hint, "kind")->text, "file");
}

/* "@scope/kit/Button": no path, no URL. */
static bool is_bare(struct tn_str specifier)
{
	return specifier.data[0] != '.' && specifier.data[0] != '/' &&
	       tn_str_find_byte(specifier, ':') == TN_STR_NONE &&
	       tn_str_find_byte(specifier, '\\') == TN_STR_NONE;
}

static const char *hint_fault(const struct tn_json *hint)
{
	const struct tn_json *kind = tn_json_get(hint, "kind");
	struct tn_str target = {NULL, 0};

	if (!tn_json_is(kind, TN_JSON_STRING))
		return "it must be an object with a \"kind\"";
	if (tn_str_is(kind->text, "file")) {
		if (!tn_json_to_str(tn_json_get(hint, "filePath"), &target) || !target.size)
			return "it needs a \"filePath\"";
		return tn_wb_path_is_plain(target)
			       ? NULL
			       : "\"filePath\" must lie in the workspace: relative, with slashes, "
				 "without \"..\"";
	}
	if (!tn_str_is(kind->text, "package"))
		return "\"kind\" must be \"file\" or \"package\"";
	if (!tn_json_to_str(tn_json_get(hint, "specifier"), &target) || !target.size)
		return "it needs a \"specifier\"";
	return is_bare(target) ? NULL : "\"specifier\" must be the name of a package's module";
}

static struct tn_json *read_hint(struct tn_wb_reading *reading, const struct tn_json *hint)
{
	const char *fault = hint_fault(hint);
	const struct tn_wb_field *fields, *bad;
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	if (!fault) {
		fields = is_file(hint) ? file_fields : package_fields;
		bad = tn_wb_reading_fields(&maker, hint, fields);
		fault = bad ? "\"exportName\" must be a string that is not empty" : NULL;
	}
	if (fault) {
		tn_wb_reading_say(reading, TN_WB_WARNING, "hint_invalid",
				  "the implementation hint is ignored: %s", fault);
		return NULL;
	}
	tn_wb_reading_unknown(reading, hint, "a hint", fields, NULL);
	reading->failed = reading->failed || maker.failed;
	return tn_json_maker_end(&maker);
}

static struct tn_json *read_list(struct tn_wb_reading *reading, const struct tn_json *hints)
{
	struct tn_json_maker maker;
	char digits[24];
	size_t index = 0;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = hints->first; at; at = at->next, index++) {
		size_t mark;
		struct tn_json *hint;

		(void)snprintf(digits, sizeof(digits), "%zu", index);
		mark = tn_wb_reading_enter(reading, tn_str_from(digits));
		hint = read_hint(reading, at);
		tn_wb_reading_leave(reading, mark);
		if (hint)
			tn_json_maker_add(&maker, hint);
	}
	reading->failed = reading->failed || maker.failed;
	return maker.value && maker.value->count ? tn_json_maker_end(&maker) : NULL;
}

struct tn_json *tn_wb_hints_read(struct tn_wb_reading *reading, const struct tn_json *hints)
{
	size_t mark = tn_wb_reading_enter(reading, TN_STR("implementation"));
	struct tn_json *made = hints->type == TN_JSON_ARRAY ? read_list(reading, hints)
							    : read_hint(reading, hints);

	tn_wb_reading_leave(reading, mark);
	return made;
}

struct tn_wb_hint tn_wb_hint_of(struct tn_str type_id, const struct tn_json *hint)
{
	bool file = is_file(hint);
	struct tn_wb_hint made = {.type_id = type_id,
				  .kind = file ? TN_WB_HINT_FILE : TN_WB_HINT_PACKAGE,
				  .export_name = TN_STR("default")};

	(void)tn_json_to_str(tn_json_get(hint, file ? "filePath" : "specifier"), &made.target);
	(void)tn_json_to_str(tn_json_get(hint, "exportName"), &made.export_name);
	return made;
}
