#include "apps/workbench/registry/entry.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/registry/exposure.h"
#include "apps/workbench/registry/hint.h"
#include "apps/workbench/values/id.h"
#include "base/utf8.h"

static const struct tn_wb_field prop_fields[] = {{"propName", TN_WB_TEXT},    {"label", TN_WB_TEXT},
						 {"description", TN_WB_TEXT}, {"group", TN_WB_TEXT},
						 {"order", TN_WB_NUMBER},     {NULL, 0}};
static const struct tn_wb_field prop_more[] = {{"exposure", TN_WB_ANY}, {NULL, 0}};
/* What of a prop is kept when its exposure is invalid (R3). */
static const struct tn_wb_field prop_kept[] = {
	{"label", TN_WB_TEXT}, {"group", TN_WB_TEXT}, {"order", TN_WB_NUMBER}, {NULL, 0}};

static const struct tn_wb_field entry_fields[] = {
	{"tags", TN_WB_TEXTS}, {"description", TN_WB_TEXT}, {NULL, 0}};
static const struct tn_wb_field entry_more[] = {{"typeId", TN_WB_TEXT},
						{"displayName", TN_WB_FILLED},
						{"props", TN_WB_OBJECT},
						{"implementation", TN_WB_ANY},
						{NULL, 0}};

/* ---- props ---- */

static struct tn_json *opaque(struct tn_arena *arena)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("kind"), tn_json_make_str(arena, TN_STR("opaque")));
	tn_json_maker_put(&maker, TN_STR("reason"),
			  tn_json_make_str(arena, TN_STR("invalid definition")));
	return tn_json_maker_end(&maker);
}

static struct tn_json *invalid_prop(struct tn_wb_reading *reading, struct tn_str name,
				    const struct tn_json *prop, const char *why)
{
	struct tn_json_maker maker;

	tn_wb_reading_say(reading, TN_WB_ERROR, "prop_invalid",
			  "the prop's definition is invalid, and so it is shown as opaque: %s",
			  why);
	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("propName"), tn_json_make_str(reading->arena, name));
	(void)tn_wb_reading_fields(&maker, prop, prop_kept);
	tn_json_maker_put(&maker, TN_STR("exposure"), opaque(reading->arena));
	return tn_json_maker_end(&maker);
}

static const char *prop_fault(struct tn_wb_reading *reading, struct tn_str name,
			      const struct tn_json *prop, const struct tn_wb_field *bad)
{
	const struct tn_json *given = tn_json_get(prop, "propName");

	if (!tn_json_is(prop, TN_JSON_OBJECT))
		return "it must be an object with an \"exposure\"";
	if (bad)
		return tn_arena_format(reading->arena, "\"%s\" must be %s", bad->name,
				       tn_wb_shape_name(bad->shape));
	if (given && !tn_str_equal(given->text, name))
		return "\"propName\" differs from its key";
	return tn_json_get(prop, "exposure") ? NULL : "it needs an \"exposure\"";
}

static struct tn_json *read_exposure(struct tn_wb_reading *reading, const struct tn_json *prop,
				     const char **ret_why)
{
	size_t mark = tn_wb_reading_enter(reading, TN_STR("exposure"));
	struct tn_json *made = tn_wb_exposure_read(reading, tn_json_get(prop, "exposure"), ret_why);

	tn_wb_reading_leave(reading, mark);
	return made;
}

static struct tn_json *read_prop(struct tn_wb_reading *reading, struct tn_str name,
				 const struct tn_json *prop)
{
	const struct tn_wb_field *bad;
	const struct tn_json *exposure;
	struct tn_json_maker maker;
	const char *why;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("propName"), tn_json_make_str(reading->arena, name));
	bad = tn_wb_reading_fields(&maker, prop, prop_fields + 1);
	if (!bad && tn_json_get(prop, "propName") &&
	    !tn_wb_shape_is(TN_WB_TEXT, tn_json_get(prop, "propName")))
		bad = prop_fields;
	why = prop_fault(reading, name, prop, bad);
	reading->failed = reading->failed || (bad && !why);
	if (why)
		return invalid_prop(reading, name, prop, why);
	exposure = read_exposure(reading, prop, &why);
	if (!exposure)
		return why ? invalid_prop(reading, name, prop, why) : NULL;
	tn_wb_reading_unknown(reading, prop, "a prop", prop_fields, prop_more);
	tn_json_maker_put(&maker, TN_STR("exposure"), exposure);
	return tn_json_maker_end(&maker);
}

static struct tn_json *read_props(struct tn_wb_reading *reading, const struct tn_json *props)
{
	size_t mark = tn_wb_reading_enter(reading, TN_STR("props"));
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = props->first; at && !maker.failed; at = at->next) {
		size_t inner = tn_wb_reading_enter(reading, at->key);

		tn_json_maker_put(&maker, at->key, read_prop(reading, at->key, at));
		tn_wb_reading_leave(reading, inner);
	}
	tn_wb_reading_leave(reading, mark);
	return tn_json_maker_end(&maker);
}

/* ---- entries ---- */

/* R2: what takes the whole entry down. */
static const char *entry_fault(struct tn_str type_id, const struct tn_json *entry)
{
	const struct tn_json *given = tn_json_get(entry, "typeId");
	const struct tn_json *name = tn_json_get(entry, "displayName");

	if (!tn_wb_type_id_is_valid(type_id))
		return "its type id has 1 to 200 bytes without control characters";
	if (!tn_json_is(entry, TN_JSON_OBJECT))
		return "it must be an object";
	if (given && (given->type != TN_JSON_STRING || !tn_str_equal(given->text, type_id)))
		return "\"typeId\" differs from its key";
	if (!name || !tn_wb_shape_is(TN_WB_FILLED, name))
		return "it needs a \"displayName\", a string that is not empty";
	if (!tn_json_is(tn_json_get(entry, "props"), TN_JSON_OBJECT))
		return "it needs \"props\", an object (which may be empty)";
	if (tn_json_get(entry, "props")->count > TN_WB_PROPS_MAX)
		return "it has too many props; 2000 are taken";
	return NULL;
}

struct tn_json *tn_wb_entry_read(struct tn_wb_reading *reading, struct tn_str type_id,
				 const struct tn_json *entry)
{
	const struct tn_json *hints = tn_json_get(entry, "implementation");
	const char *fault = entry_fault(type_id, entry);
	const struct tn_wb_field *bad;
	struct tn_json_maker maker;

	if (fault) {
		tn_wb_reading_say(reading, TN_WB_ERROR, "entry_invalid",
				  "the component is left out: %s", fault);
		return NULL;
	}
	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("typeId"), tn_json_make_str(reading->arena, type_id));
	tn_json_maker_put(&maker, TN_STR("displayName"), tn_json_get(entry, "displayName"));
	bad = tn_wb_reading_fields(&maker, entry, entry_fields);
	if (bad)
		tn_wb_reading_say(reading, TN_WB_WARNING, "field_invalid",
				  "\"%s\" is left out: it must be %s", bad->name,
				  tn_wb_shape_name(bad->shape));
	tn_wb_reading_unknown(reading, entry, "a component", entry_fields, entry_more);
	tn_json_maker_put(&maker, TN_STR("props"),
			  read_props(reading, tn_json_get(entry, "props")));
	hints = hints ? tn_wb_hints_read(reading, hints) : NULL;
	if (hints)
		tn_json_maker_put(&maker, TN_STR("implementation"), hints);
	reading->failed = reading->failed || maker.failed;
	return tn_json_maker_end(&maker);
}

/* ---- overrides ---- */

static const struct tn_wb_field prop_override_fields[] = {{"label", TN_WB_TEXT},
							  {"description", TN_WB_TEXT},
							  {"group", TN_WB_TEXT},
							  {"order", TN_WB_NUMBER},
							  {NULL, 0}};
static const struct tn_wb_field override_fields[] = {{"disabled", TN_WB_BOOL},
						     {"displayName", TN_WB_FILLED},
						     {"props", TN_WB_OBJECT},
						     {NULL, 0}};

/* Says so, and false, where the field cannot be used. */
static bool is_usable(struct tn_wb_reading *reading, const struct tn_json *over,
		      const struct tn_wb_field *field)
{
	const struct tn_json *value = tn_json_get(over, field->name);

	if (value && !tn_wb_shape_is(field->shape, value))
		tn_wb_reading_say(reading, TN_WB_WARNING, "override_invalid",
				  "\"%s\" is ignored: it must be %s", field->name,
				  tn_wb_shape_name(field->shape));
	return value && tn_wb_shape_is(field->shape, value);
}

/* What the prop's exposure becomes; the old one where the override is invalid. */
static const struct tn_json *override_exposure(struct tn_wb_reading *reading,
					       const struct tn_json *prop,
					       const struct tn_json *over)
{
	const struct tn_json *old = tn_json_get(prop, "exposure");
	const char *why = NULL;
	const struct tn_json *made;
	size_t mark;

	if (!over)
		return old;
	mark = tn_wb_reading_enter(reading, TN_STR("exposure"));
	made = tn_wb_exposure_merge(reading, old, over, &why);
	if (!made && why) {
		tn_wb_reading_say(reading, TN_WB_WARNING, "override_invalid",
				  "the exposure stays as the module has it: %s", why);
		made = old;
	}
	tn_wb_reading_leave(reading, mark);
	return made;
}

static struct tn_json *override_prop(struct tn_wb_reading *reading, const struct tn_json *prop,
				     const struct tn_json *over)
{
	struct tn_json_maker maker;

	if (!tn_json_is(over, TN_JSON_OBJECT)) {
		tn_wb_reading_say(reading, TN_WB_WARNING, "override_invalid",
				  "it is ignored: it must be an object");
		over = NULL;
	}
	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("propName"), tn_json_get(prop, "propName"));
	for (const struct tn_wb_field *field = prop_override_fields; field->name; field++) {
		bool from_over = is_usable(reading, over, field);
		const struct tn_json *value = tn_json_get(from_over ? over : prop, field->name);

		if (value)
			tn_json_maker_put(&maker, tn_str_from(field->name), value);
	}
	if (over)
		tn_wb_reading_unknown(reading, over, "an override of a prop", prop_override_fields,
				      prop_more);
	tn_json_maker_put(&maker, TN_STR("exposure"),
			  override_exposure(reading, prop, tn_json_get(over, "exposure")));
	return tn_json_maker_end(&maker);
}

static void say_unknown_props(struct tn_wb_reading *reading, const struct tn_json *props,
			      const struct tn_json *over)
{
	for (const struct tn_json *at = over->first; at; at = at->next) {
		size_t mark;

		if (tn_json_get_str(props, at->key))
			continue;
		mark = tn_wb_reading_enter(reading, at->key);
		tn_wb_reading_say(reading, TN_WB_WARNING, "override_unknown_prop",
				  "the component has no such prop; overrides make none");
		tn_wb_reading_leave(reading, mark);
	}
}

static struct tn_json *override_props(struct tn_wb_reading *reading, const struct tn_json *props,
				      const struct tn_json *over)
{
	size_t mark = tn_wb_reading_enter(reading, TN_STR("props"));
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = props->first; at && !maker.failed; at = at->next) {
		const struct tn_json *one = tn_json_get_str(over, at->key);
		size_t inner = tn_wb_reading_enter(reading, at->key);

		tn_json_maker_put(&maker, at->key, one ? override_prop(reading, at, one) : at);
		tn_wb_reading_leave(reading, inner);
	}
	say_unknown_props(reading, props, over);
	tn_wb_reading_leave(reading, mark);
	return tn_json_maker_end(&maker);
}

struct tn_json *tn_wb_entry_override(struct tn_wb_reading *reading, const struct tn_json *entry,
				     const struct tn_json *over)
{
	struct tn_json *made =
		tn_json_with(reading->arena, entry, TN_STR("typeId"), tn_json_get(entry, "typeId"));
	bool usable[3];

	for (size_t i = 0; i < TN_COUNT(usable); i++)
		usable[i] = is_usable(reading, over, &override_fields[i]);
	tn_wb_reading_unknown(reading, over, "an override", override_fields, NULL);
	if (made && usable[1])
		made = tn_json_with(reading->arena, made, TN_STR("displayName"),
				    tn_json_get(over, "displayName"));
	if (made && usable[2]) {
		const struct tn_json *props = override_props(reading, tn_json_get(entry, "props"),
							     tn_json_get(over, "props"));

		made = props ? tn_json_with(reading->arena, made, TN_STR("props"), props) : NULL;
	}
	return made;
}

/* ---- locks ---- */

static bool is_named(const struct tn_json *names, struct tn_str name)
{
	for (const struct tn_json *at = names->first; at; at = at->next) {
		if (tn_str_equal(at->text, name))
			return true;
	}
	return false;
}

static const struct tn_json *lock_prop(struct tn_arena *arena, const struct tn_json *prop)
{
	enum tn_wb_exposure_kind kind = TN_WB_OPAQUE;
	const struct tn_json *exposure;
	struct tn_json_maker maker;

	(void)tn_wb_exposure_kind_of(tn_json_get(prop, "exposure"), &kind);
	if (kind != TN_WB_EDITABLE)
		return prop;
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("kind"), tn_json_make_str(arena, TN_STR("inspectOnly")));
	exposure = tn_json_maker_end(&maker);
	return exposure ? tn_json_with(arena, prop, TN_STR("exposure"), exposure) : NULL;
}

struct tn_json *tn_wb_entry_lock(struct tn_wb_reading *reading, const struct tn_json *entry,
				 const struct tn_json *names)
{
	const struct tn_json *props = tn_json_get(entry, "props");
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, reading->arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = props->first; at; at = at->next)
		tn_json_maker_put(&maker, at->key,
				  is_named(names, at->key) ? lock_prop(reading->arena, at) : at);
	for (const struct tn_json *at = names->first; at; at = at->next) {
		struct tn_str name = tn_utf8_cut(at->text, TN_WB_ID_BYTES_MAX);

		if (!tn_json_get_str(props, at->text))
			tn_wb_reading_say(reading, TN_WB_WARNING, "locked_unknown_prop",
					  "the component has no prop \"%.*s\"", (int)name.size,
					  name.size ? name.data : "");
	}
	props = tn_json_maker_end(&maker);
	return props ? tn_json_with(reading->arena, entry, TN_STR("props"), props) : NULL;
}
