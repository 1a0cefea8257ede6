#include "apps/workbench/registry/exposure.h"

#include "apps/workbench/registry/control.h"
#include "base/utf8.h"
#include "jsonrpc/json_number.h"

/* ---- tables ---- */

#define KIND                       \
	{                          \
		"kind", TN_WB_TEXT \
	}

static const struct tn_wb_field editable_fields[] = {KIND,
						     {"control", TN_WB_OBJECT},
						     {"uiDefaultValue", TN_WB_ANY},
						     {"constraints", TN_WB_OBJECT},
						     {NULL, 0}};
static const struct tn_wb_field inspect_fields[] = {KIND, {"displayHint", TN_WB_HINT}, {NULL, 0}};
static const struct tn_wb_field opaque_fields[] = {KIND, {"reason", TN_WB_TEXT}, {NULL, 0}};

static const struct {
	const char *name;
	const struct tn_wb_field *fields;
} exposures[] = {
	[TN_WB_EDITABLE] = {"editable", editable_fields},
	[TN_WB_INSPECT_ONLY] = {"inspectOnly", inspect_fields},
	[TN_WB_OPAQUE] = {"opaque", opaque_fields},
};

static const struct tn_wb_field string_fields[] = {
	KIND, {"placeholder", TN_WB_TEXT}, {"multiline", TN_WB_BOOL}, {NULL, 0}};
static const struct tn_wb_field number_fields[] = {
	KIND, {"step", TN_WB_NUMBER}, {"unit", TN_WB_TEXT}, {NULL, 0}};
static const struct tn_wb_field select_fields[] = {KIND, {"options", TN_WB_ANY}, {NULL, 0}};
static const struct tn_wb_field color_fields[] = {KIND, {"format", TN_WB_FORMAT}, {NULL, 0}};
static const struct tn_wb_field slot_fields[] = {
	KIND, {"slotName", TN_WB_FILLED}, {"editable", TN_WB_BOOL}, {NULL, 0}};
static const struct tn_wb_field plain_fields[] = {KIND, {NULL, 0}};

static const struct control {
	const char *name;
	const struct tn_wb_field *fields;
} controls[] = {
	{"string", string_fields}, {"number", number_fields}, {"boolean", plain_fields},
	{"select", select_fields}, {"color", color_fields},   {"slot", slot_fields},
	{"json", plain_fields},
};

static const struct tn_wb_field option_fields[] = {
	{"value", TN_WB_TEXT}, {"label", TN_WB_TEXT}, {"description", TN_WB_TEXT}, {NULL, 0}};
static const struct tn_wb_field constraint_fields[] = {{"required", TN_WB_BOOL},
						       {"min", TN_WB_NUMBER},
						       {"max", TN_WB_NUMBER},
						       {"pattern", TN_WB_TEXT},
						       {NULL, 0}};

static struct tn_str kind_of(const struct tn_json *object)
{
	struct tn_str kind = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, "kind"), &kind);
	return kind;
}

static const struct control *find_control(const struct tn_json *control)
{
	for (size_t i = 0; i < TN_COUNT(controls); i++) {
		if (tn_str_is(kind_of(control), controls[i].name))
			return &controls[i];
	}
	return NULL;
}

bool tn_wb_exposure_kind_of(const struct tn_json *exposure, enum tn_wb_exposure_kind *ret)
{
	for (size_t i = 0; i < TN_COUNT(exposures); i++) {
		if (tn_str_is(kind_of(exposure), exposures[i].name)) {
			*ret = (enum tn_wb_exposure_kind)i;
			return true;
		}
	}
	return false;
}

/* ---- reading ---- */

static struct tn_json *refuse(struct tn_wb_reading *reading, const char **ret_why, const char *what,
			      const struct tn_wb_field *bad)
{
	*ret_why = tn_arena_format(reading->arena, "\"%s\" of %s must be %s", bad->name, what,
				   tn_wb_shape_name(bad->shape));
	return NULL;
}

/* One that has the fields of the list alone. */
static struct tn_json *read_object(struct tn_wb_reading *reading, const struct tn_json *object,
				   const struct tn_wb_field *fields, const char *what,
				   const char **ret_why)
{
	const struct tn_wb_field *bad;
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	bad = tn_wb_reading_fields(&maker, object, fields);
	if (bad)
		return refuse(reading, ret_why, what, bad);
	tn_wb_reading_unknown(reading, object, what, fields, NULL);
	return tn_json_maker_end(&maker);
}

static bool is_option(struct tn_wb_reading *reading, const struct tn_json *option,
		      struct tn_map *seen)
{
	struct tn_str value = {NULL, 0}, label = {NULL, 0};

	if (!tn_json_to_str(tn_json_get(option, "value"), &value) ||
	    !tn_json_to_str(tn_json_get(option, "label"), &label) || tn_map_get(seen, value))
		return false;
	if (tn_map_put(seen, value, seen, NULL) != TENON_OK)
		reading->failed = reading->starved = true;
	return true;
}

static struct tn_json *read_options(struct tn_wb_reading *reading, const struct tn_json *options,
				    const char **ret_why)
{
	struct tn_json_maker maker;
	bool good = true;
	struct tn_map seen;

	*ret_why =
		"\"options\" must be an array of at least one {value, label}, the values strings, "
		"none of them twice";
	if (!tn_json_is(options, TN_JSON_ARRAY) || !options->count)
		return NULL;
	tn_map_init(&seen);
	tn_json_maker_begin(&maker, reading->arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = options->first; at && good; at = at->next) {
		struct tn_json *option = NULL;

		good = is_option(reading, at, &seen);
		if (good)
			option = read_object(reading, at, option_fields, "an option", ret_why);
		good = good && option;
		tn_json_maker_add(&maker, option);
	}
	tn_map_finish(&seen);
	if (good && maker.failed)
		*ret_why = NULL;
	return good ? tn_json_maker_end(&maker) : NULL;
}

static struct tn_json *read_control(struct tn_wb_reading *reading, const struct tn_json *control,
				    const char **ret_why)
{
	const struct control *known = find_control(control);
	struct tn_json *made, *options;

	if (!known) {
		*ret_why = "a control has a \"kind\": string, number, boolean, select, color, slot "
			   "or json";
		return NULL;
	}
	made = read_object(reading, control, known->fields, "a control of this kind", ret_why);
	if (!made || known->fields != select_fields)
		return made;
	options = read_options(reading, tn_json_get(control, "options"), ret_why);
	return options ? tn_json_with(reading->arena, made, TN_STR("options"), options) : NULL;
}

static const char *constraints_fault(struct tn_wb_reading *reading,
				     const struct tn_json *constraints)
{
	enum tenon_code code = TENON_OK;
	const struct tn_json *min = tn_json_get(constraints, "min");
	const struct tn_json *max = tn_json_get(constraints, "max");
	const struct tn_json *pattern = tn_json_get(constraints, "pattern");

	if (min && max && tn_json_number_compare(min->text, max->text) > 0)
		return "\"min\" is above \"max\"";
	if (pattern)
		code = tn_wb_pattern_check(pattern->text);
	if (code == TENON_NO_MEMORY)
		reading->failed = reading->starved = true;
	if (code == TENON_INVALID)
		return "\"pattern\" is no regular expression that can be matched here";
	return NULL;
}

/* Fields that do not apply to the control are ignored, whatever they hold. */
static struct tn_json *read_constraints(struct tn_wb_reading *reading,
					const struct tn_json *constraints, struct tn_str control,
					const char **ret_why)
{
	struct tn_json_maker maker;
	struct tn_json *made;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	for (const struct tn_wb_field *field = constraint_fields; field->name; field++) {
		const struct tn_json *value = tn_json_get(constraints, field->name);

		if (!value || !tn_wb_constraint_applies(control, tn_str_from(field->name)))
			continue;
		if (!tn_wb_shape_is(field->shape, value))
			return refuse(reading, ret_why, "the constraints", field);
		tn_json_maker_put(&maker, tn_str_from(field->name), value);
	}
	tn_wb_reading_unknown(reading, constraints, "constraints", constraint_fields, NULL);
	made = tn_json_maker_end(&maker);
	*ret_why = made ? constraints_fault(reading, made) : NULL;
	return *ret_why ? NULL : made;
}

/* R4 */
static struct tn_json *without_bad_default(struct tn_wb_reading *reading, struct tn_json *exposure)
{
	const struct tn_json *value = tn_json_get(exposure, "uiDefaultValue");
	const struct tn_json *control = tn_json_get(exposure, "control");
	const struct tn_json *constraints = tn_json_get(exposure, "constraints");
	enum tn_wb_fit fit = value ? tn_wb_control_check(control, constraints, value) : TN_WB_FITS;
	char why[TN_KIB];

	if (fit == TN_WB_CHECK_STARVED)
		reading->failed = reading->starved = true;
	if (fit == TN_WB_FITS || reading->failed)
		return exposure;
	tn_wb_fit_explain(fit, control, constraints, why, sizeof(why));
	tn_wb_reading_say(reading, TN_WB_WARNING, "default_invalid",
			  "the uiDefaultValue is left out: it %s", why);
	return tn_json_with(reading->arena, exposure, TN_STR("uiDefaultValue"), NULL);
}

static struct tn_json *read_editable(struct tn_wb_reading *reading, struct tn_json *exposure,
				     const char **ret_why)
{
	const struct tn_json *constraints = tn_json_get(exposure, "constraints");
	const struct tn_json *control = tn_json_get(exposure, "control");
	struct tn_json *made;

	if (!control) {
		*ret_why = "an editable prop needs a \"control\"";
		return NULL;
	}
	control = read_control(reading, control, ret_why);
	if (!control)
		return NULL;
	made = tn_json_with(reading->arena, exposure, TN_STR("control"), control);
	if (made && constraints) {
		constraints = read_constraints(reading, constraints, kind_of(control), ret_why);
		if (!constraints)
			return NULL;
		made = tn_json_with(reading->arena, made, TN_STR("constraints"),
				    constraints->count ? constraints : NULL);
	}
	return made ? without_bad_default(reading, made) : NULL;
}

struct tn_json *tn_wb_exposure_read(struct tn_wb_reading *reading, const struct tn_json *exposure,
				    const char **ret_why)
{
	enum tn_wb_exposure_kind kind = TN_WB_OPAQUE;
	struct tn_json *made;

	*ret_why = NULL;
	if (!tn_wb_exposure_kind_of(exposure, &kind)) {
		*ret_why =
			"an exposure is an object with a \"kind\": editable, inspectOnly or opaque";
		return NULL;
	}
	made = read_object(reading, exposure, exposures[kind].fields, "this exposure", ret_why);
	if (made && kind == TN_WB_EDITABLE)
		made = read_editable(reading, made, ret_why);
	return made;
}

/* ---- laying one over another ---- */

/* `old`, which is small, with all members of `over` set. */
static struct tn_json *merge_fields(struct tn_arena *arena, const struct tn_json *old,
				    const struct tn_json *over)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = old->first; at; at = at->next) {
		const struct tn_json *other = tn_json_get_str(over, at->key);

		tn_json_maker_put(&maker, at->key, other ? other : at);
	}
	for (const struct tn_json *at = over->first; at; at = at->next) {
		if (!tn_json_get_str(old, at->key))
			tn_json_maker_put(&maker, at->key, at);
	}
	return tn_json_maker_end(&maker);
}

static bool same_kind(const struct tn_json *old, const struct tn_json *over)
{
	return !tn_json_get(over, "kind") || tn_str_equal(kind_of(old), kind_of(over));
}

/* An old default that the new control refuses goes without a word. */
static struct tn_json *keep_fitting_default(struct tn_arena *arena, struct tn_json *made,
					    const struct tn_json *over)
{
	const struct tn_json *value = tn_json_get(made, "uiDefaultValue");
	const struct tn_json *control = tn_json_get(made, "control");

	if (!value || tn_json_get(over, "uiDefaultValue") ||
	    tn_wb_control_check(control, NULL, value) == TN_WB_FITS)
		return made;
	return tn_json_with(arena, made, TN_STR("uiDefaultValue"), NULL);
}

static struct tn_json *merge_editable(struct tn_arena *arena, const struct tn_json *old,
				      const struct tn_json *over)
{
	static const char *const parts[] = {"control", "constraints"};
	const struct tn_json *new_control = tn_json_get(over, "control");
	bool replaced = tn_json_is(new_control, TN_JSON_OBJECT) &&
			!same_kind(tn_json_get(old, "control"), new_control);
	struct tn_json *made = merge_fields(arena, old, over);

	for (size_t i = 0; i < TN_COUNT(parts) && made; i++) {
		const struct tn_json *was = tn_json_get(old, parts[i]);
		const struct tn_json *part = tn_json_get(over, parts[i]);

		if (!tn_json_is(part, TN_JSON_OBJECT) || !was || (i == 0 && replaced))
			continue;
		made = tn_json_with(arena, made, tn_str_from(parts[i]),
				    merge_fields(arena, was, part));
	}
	return made && replaced ? keep_fitting_default(arena, made, over) : made;
}

struct tn_json *tn_wb_exposure_merge(struct tn_wb_reading *reading, const struct tn_json *old,
				     const struct tn_json *over, const char **ret_why)
{
	enum tn_wb_exposure_kind kind = TN_WB_OPAQUE;
	struct tn_json *made;

	*ret_why = "an exposure is an object";
	if (!tn_json_is(over, TN_JSON_OBJECT))
		return NULL;
	if (!same_kind(old, over))
		return tn_wb_exposure_read(reading, over, ret_why);
	(void)tn_wb_exposure_kind_of(old, &kind);
	made = kind == TN_WB_EDITABLE ? merge_editable(reading->arena, old, over)
				      : merge_fields(reading->arena, old, over);
	*ret_why = NULL;
	return made ? tn_wb_exposure_read(reading, made, ret_why) : NULL;
}
