#include "apps/workbench/registry/control.h"

#include <math.h>
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/registry/color.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/pattern.h"

static struct tn_str text_of(const struct tn_json *object, const char *name)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, name), &text);
	return text;
}

static bool flag_of(const struct tn_json *object, const char *name)
{
	bool flag = false;

	(void)tn_json_to_bool(tn_json_get(object, name), &flag);
	return flag;
}

/* ---- the kinds ---- */

static enum tn_wb_fit mismatch_unless(bool fits)
{
	return fits ? TN_WB_FITS : TN_WB_TYPE_MISMATCH;
}

static enum tn_wb_fit fit_string(const struct tn_json *control, const struct tn_json *value)
{
	(void)control;
	return mismatch_unless(value->type == TN_JSON_STRING);
}

static enum tn_wb_fit fit_number(const struct tn_json *control, const struct tn_json *value)
{
	double number;

	(void)control;
	return mismatch_unless(tn_json_to_double(value, &number) && isfinite(number));
}

static enum tn_wb_fit fit_boolean(const struct tn_json *control, const struct tn_json *value)
{
	(void)control;
	return mismatch_unless(value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE);
}

static enum tn_wb_fit fit_select(const struct tn_json *control, const struct tn_json *value)
{
	const struct tn_json *options = tn_json_get(control, "options");

	if (value->type != TN_JSON_STRING)
		return TN_WB_TYPE_MISMATCH;
	for (const struct tn_json *at = options ? options->first : NULL; at; at = at->next) {
		if (tn_str_equal(text_of(at, "value"), value->text))
			return TN_WB_FITS;
	}
	return TN_WB_NOT_IN_OPTIONS;
}

static enum tn_wb_fit fit_color(const struct tn_json *control, const struct tn_json *value)
{
	struct tn_str format = text_of(control, "format");

	if (value->type != TN_JSON_STRING)
		return TN_WB_TYPE_MISMATCH;
	if (tn_str_is(format, "rgb"))
		return mismatch_unless(tn_wb_color_is_rgb(value->text));
	if (tn_str_is(format, "hsl"))
		return mismatch_unless(tn_wb_color_is_hsl(value->text));
	return mismatch_unless(tn_wb_color_is_hex(value->text));
}

static enum tn_wb_fit fit_slot(const struct tn_json *control, const struct tn_json *value)
{
	return mismatch_unless(flag_of(control, "editable") && value->type == TN_JSON_STRING);
}

static enum tn_wb_fit fit_json(const struct tn_json *control, const struct tn_json *value)
{
	(void)control;
	(void)value;
	return TN_WB_FITS;
}

static const struct kind {
	const char *name;
	enum tn_wb_fit (*fit)(const struct tn_json *control, const struct tn_json *value);
	bool required, bounds, pattern; /* which constraints apply */
	const char *wanted;
} kinds[] = {
	{"string", fit_string, true, false, true, "must be a string"},
	{"number", fit_number, false, true, false, "must be a finite number"},
	{"boolean", fit_boolean, false, false, false, "must be true or false"},
	{"select", fit_select, true, false, false, "must be one of the options, a string"},
	{"color", fit_color, true, false, true, "must be a colour as a string"},
	{"slot", fit_slot, false, false, false, "must be a string, in a slot that is editable"},
	{"json", fit_json, false, false, false, "must be JSON"},
};

static const struct kind *find_kind(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		if (tn_str_is(name, kinds[i].name))
			return &kinds[i];
	}
	return NULL;
}

bool tn_wb_constraint_applies(struct tn_str control_kind, struct tn_str constraint)
{
	const struct kind *kind = find_kind(control_kind);

	if (!kind)
		return false;
	if (tn_str_is(constraint, "required"))
		return kind->required;
	if (tn_str_is(constraint, "pattern"))
		return kind->pattern;
	return (tn_str_is(constraint, "min") || tn_str_is(constraint, "max")) && kind->bounds;
}

bool tn_wb_control_is_editable(const struct tn_json *control)
{
	return !tn_str_is(text_of(control, "kind"), "slot") || flag_of(control, "editable");
}

/* ---- the constraints ---- */

static enum tenon_code compile(struct tn_arena *arena, struct tn_str source,
			       const struct tn_pattern **ret)
{
	enum tenon_code code;

	tn_arena_init(arena, TN_WB_PATTERN_ARENA_MAX);
	code = tn_pattern_compile(arena, source, ret, NULL);
	if (code == TENON_NO_MEMORY || (code != TENON_OK && arena->starved))
		return TENON_NO_MEMORY;
	return code == TENON_OK ? TENON_OK : TENON_INVALID;
}

enum tenon_code tn_wb_pattern_check(struct tn_str source)
{
	const struct tn_pattern *pattern;
	struct tn_arena arena;
	enum tenon_code code = compile(&arena, source, &pattern);

	tn_arena_finish(&arena);
	return code;
}

static enum tn_wb_fit match(struct tn_str source, struct tn_str text)
{
	enum tn_pattern_result result = TN_PATTERN_GAVE_UP;
	const struct tn_pattern *pattern = NULL;
	uint64_t steps = TN_WB_PATTERN_STEPS_MAX;
	struct tn_arena arena;
	enum tenon_code code = compile(&arena, source, &pattern);

	if (code == TENON_OK)
		result = tn_pattern_search(pattern, text, &steps);
	tn_arena_finish(&arena);
	if (code == TENON_NO_MEMORY)
		return TN_WB_CHECK_STARVED;
	if (result == TN_PATTERN_YES)
		return TN_WB_FITS;
	return result == TN_PATTERN_NO ? TN_WB_CONSTRAINT_PATTERN : TN_WB_PATTERN_RUNAWAY;
}

static enum tn_wb_fit check_bounds(const struct tn_json *constraints, const struct tn_json *value)
{
	const struct tn_json *min = tn_json_get(constraints, "min");
	const struct tn_json *max = tn_json_get(constraints, "max");

	if (tn_json_is(min, TN_JSON_NUMBER) && tn_json_number_compare(value->text, min->text) < 0)
		return TN_WB_CONSTRAINT_MIN;
	if (tn_json_is(max, TN_JSON_NUMBER) && tn_json_number_compare(value->text, max->text) > 0)
		return TN_WB_CONSTRAINT_MAX;
	return TN_WB_FITS;
}

static enum tn_wb_fit check_constraints(const struct kind *kind, const struct tn_json *constraints,
					const struct tn_json *value)
{
	const struct tn_json *pattern = tn_json_get(constraints, "pattern");

	if (kind->bounds)
		return check_bounds(constraints, value);
	if (kind->required && value->text.size == 0 && flag_of(constraints, "required"))
		return TN_WB_CONSTRAINT_REQUIRED;
	if (kind->pattern && tn_json_is(pattern, TN_JSON_STRING))
		return match(pattern->text, value->text);
	return TN_WB_FITS;
}

enum tn_wb_fit tn_wb_control_check(const struct tn_json *control, const struct tn_json *constraints,
				   const struct tn_json *value)
{
	const struct kind *kind = find_kind(text_of(control, "kind"));
	enum tn_wb_fit fit = kind ? kind->fit(control, value) : TN_WB_TYPE_MISMATCH;

	return fit == TN_WB_FITS ? check_constraints(kind, constraints, value) : fit;
}

/* ---- words ---- */

const char *tn_wb_fit_code(enum tn_wb_fit fit)
{
	static const char *const codes[] = {
		[TN_WB_FITS] = NULL,
		[TN_WB_TYPE_MISMATCH] = "type_mismatch",
		[TN_WB_NOT_IN_OPTIONS] = "not_in_options",
		[TN_WB_CONSTRAINT_REQUIRED] = "constraint_required",
		[TN_WB_CONSTRAINT_MIN] = "constraint_min",
		[TN_WB_CONSTRAINT_MAX] = "constraint_max",
		[TN_WB_CONSTRAINT_PATTERN] = "constraint_pattern",
		[TN_WB_PATTERN_RUNAWAY] = "constraint_pattern",
		[TN_WB_CHECK_STARVED] = "internal_error",
	};

	return codes[fit];
}

static void explain_options(const struct tn_json *control, struct tn_buf *out)
{
	const struct tn_json *options = tn_json_get(control, "options");

	tn_buf_append_text(out, "must be one of the options");
	for (const struct tn_json *at = options ? options->first : NULL; at; at = at->next) {
		tn_buf_append_text(out, at == options->first ? " \"" : ", \"");
		tn_utf8_put_line(out, text_of(at, "value"));
		tn_buf_append_byte(out, '"');
	}
}

static void explain_type(const struct tn_json *control, struct tn_buf *out)
{
	const struct kind *kind = find_kind(text_of(control, "kind"));
	struct tn_str format = text_of(control, "format");

	tn_buf_append_text(out, kind ? kind->wanted : "must fit the control");
	if (!kind || kind->fit != fit_color)
		return;
	if (tn_str_is(format, "rgb"))
		tn_buf_append_text(out, " such as rgb(20, 40, 60)");
	else if (tn_str_is(format, "hsl"))
		tn_buf_append_text(out, " such as hsl(20, 40%, 60%)");
	else
		tn_buf_append_text(out, " such as #336699");
}

static void explain_constraint(const char *before, const struct tn_json *limit, struct tn_buf *out)
{
	tn_buf_append_text(out, before);
	if (tn_json_is(limit, TN_JSON_STRING) || tn_json_is(limit, TN_JSON_NUMBER))
		tn_utf8_put_line(out, limit->text);
}

static void explain(enum tn_wb_fit fit, const struct tn_json *control,
		    const struct tn_json *constraints, struct tn_buf *out)
{
	const struct tn_json *pattern = tn_json_get(constraints, "pattern");

	switch (fit) {
	case TN_WB_FITS:
		tn_buf_append_text(out, "fits");
		break;
	case TN_WB_TYPE_MISMATCH:
		explain_type(control, out);
		break;
	case TN_WB_NOT_IN_OPTIONS:
		explain_options(control, out);
		break;
	case TN_WB_CONSTRAINT_REQUIRED:
		tn_buf_append_text(out, "must not be empty");
		break;
	case TN_WB_CONSTRAINT_MIN:
		explain_constraint("must be at least ", tn_json_get(constraints, "min"), out);
		break;
	case TN_WB_CONSTRAINT_MAX:
		explain_constraint("must be at most ", tn_json_get(constraints, "max"), out);
		break;
	case TN_WB_CONSTRAINT_PATTERN:
		explain_constraint("must match the pattern ", pattern, out);
		break;
	case TN_WB_PATTERN_RUNAWAY:
		explain_constraint("takes too long to match the pattern ", pattern, out);
		break;
	case TN_WB_CHECK_STARVED:
		tn_buf_append_text(out, "cannot be checked: out of memory");
		break;
	}
}

void tn_wb_fit_explain(enum tn_wb_fit fit, const struct tn_json *control,
		       const struct tn_json *constraints, char *out, size_t size)
{
	struct tn_buf text;
	struct tn_str cut;

	tn_buf_init(&text, TN_WB_REGISTRY_BYTES_MAX);
	explain(fit, control, constraints, &text);
	cut = tn_utf8_cut(tn_buf_str(&text), size - 1);
	(void)snprintf(out, size, "%.*s", (int)cut.size, cut.size ? cut.data : "");
	tn_buf_finish(&text);
}
