/* The configuration: keys, kinds of values, and what they come to (floorplan.md 4.9). */
#include <math.h>

#include "apps/floorplan/plan/resolve.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

enum kind { LENGTH, SIZE, TEXT, TRUTH, WORD, STYLE };

enum key {
	WALL_THICKNESS,
	FLOOR_THICKNESS,
	DEFAULT_HEIGHT,
	DOOR_WIDTH,
	DOOR_HEIGHT,
	DOOR_SIZE,
	WINDOW_WIDTH,
	WINDOW_HEIGHT,
	WINDOW_SIZE,
	WINDOW_SILL,
	DEFAULT_STYLE,
	DEFAULT_UNIT,
	AREA_UNIT,
	THEME,
	DARK_MODE,
	FONT_FAMILY,
	FONT_SIZE,
	SHOW_LABELS,
	SHOW_DIMENSIONS,
	STAIR_CODE,
	KEY_COUNT
};
_Static_assert((int)KEY_COUNT <= (int)TN_FLOOR_KEYS_MAX, "a slot for every key");

static const char *const unit_words[] = {"m", "ft", "cm", "in", "mm", NULL};
static const char *const area_words[] = {"sqft", "sqm", NULL};
static const char *const theme_words[] = {"default", "dark", "blueprint", NULL};
static const char *const code_words[] = {"residential", "commercial", "ada", "none", NULL};

static const struct row {
	struct tn_floor_config_key public;
	enum kind kind;
	const char *const *words;
} rows[] = {
	[WALL_THICKNESS] = {{"wall_thickness", "wallThickness", "length", "0.2 m"}, LENGTH, NULL},
	[FLOOR_THICKNESS] = {{"floor_thickness", "floorThickness", "length", "0.2 m"},
			     LENGTH,
			     NULL},
	[DEFAULT_HEIGHT] = {{"default_height", "defaultHeight", "length", "3.35 m"}, LENGTH, NULL},
	[DOOR_WIDTH] = {{"door_width", "doorWidth", "length", "1.0 m"}, LENGTH, NULL},
	[DOOR_HEIGHT] = {{"door_height", "doorHeight", "length", "2.1 m"}, LENGTH, NULL},
	[DOOR_SIZE] = {{"door_size", "doorSize", "size", ""}, SIZE, NULL},
	[WINDOW_WIDTH] = {{"window_width", "windowWidth", "length",
			   "1.5 m, at most 80 % of its stretch of wall"},
			  LENGTH,
			  NULL},
	[WINDOW_HEIGHT] = {{"window_height", "windowHeight", "length", "1.5 m"}, LENGTH, NULL},
	[WINDOW_SIZE] = {{"window_size", "windowSize", "size", ""}, SIZE, NULL},
	[WINDOW_SILL] = {{"window_sill", "windowSill", "length", "0.9 m"}, LENGTH, NULL},
	[DEFAULT_STYLE] = {{"default_style", "defaultStyle", "style name", ""}, STYLE, NULL},
	[DEFAULT_UNIT] = {{"default_unit", "defaultUnit", "m ft cm in mm", "ft"}, WORD, unit_words},
	[AREA_UNIT] = {{"area_unit", "areaUnit", "sqft sqm", "sqft for ft and in, else sqm"},
		       WORD,
		       area_words},
	[THEME] = {{"theme", "theme", "default dark blueprint", "default"}, WORD, theme_words},
	[DARK_MODE] = {{"dark_mode", "darkMode", "true false", "false"}, TRUTH, NULL},
	[FONT_FAMILY] = {{"font_family", "fontFamily", "string", "the theme's"}, TEXT, NULL},
	[FONT_SIZE] = {{"font_size", "fontSize", "number", "0.25 m"}, LENGTH, NULL},
	[SHOW_LABELS] = {{"show_labels", "showLabels", "true false", "true"}, TRUTH, NULL},
	[SHOW_DIMENSIONS] = {{"show_dimensions", "showDimensions", "true false", "false"},
			     TRUTH,
			     NULL},
	[STAIR_CODE] = {{"stair_code", "stairCode", "residential commercial ada none", ""},
			WORD,
			code_words},
};

bool tn_floor_config_at(size_t index, struct tn_floor_config_key *ret)
{
	if (index < TN_COUNT(rows))
		*ret = rows[index].public;
	return index < TN_COUNT(rows);
}

/* ---- reading: keys and kinds; no lengths yet, they need the unit ---- */

static size_t find_key(struct tn_str key)
{
	size_t i = 0;

	while (i < TN_COUNT(rows) && !tn_str_is(key, rows[i].public.key) &&
	       !tn_str_is(key, rows[i].public.camel))
		i++;
	return i;
}

static void tell_unknown(struct tn_resolver *r, const struct tn_floor_property *property)
{
	struct tn_near near;

	tn_near_init(&near, property->key);
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		tn_near_try(r, &near, tn_str_from(rows[i].public.key));
		tn_near_try(r, &near, tn_str_from(rows[i].public.camel));
	}
	(void)tn_tell(r, 5001, NULL, NULL, &property->key_range,
		      "the configuration has no key '%.*s'%s", TN_SHOW(property->key),
		      near.best.data ? tn_near_text(r, &near) : "; leave it out");
}

/* Which of the words it is; -1: none. */
static int find_word(const char *const *words, struct tn_str text)
{
	for (int i = 0; words[i]; i++) {
		if (tn_str_is(text, words[i]))
			return i;
	}
	return -1;
}

static bool is_of_kind(const struct row *row, const struct tn_floor_property *property)
{
	bool of_front = !tn_is_written(property->tokens);
	bool is_word = property->kind == TN_FLOOR_VALUE_WORD;
	bool is_text = property->kind == TN_FLOOR_VALUE_STRING || is_word;

	switch (row->kind) {
	case LENGTH:
		return property->kind == TN_FLOOR_VALUE_LENGTH;
	case SIZE:
		return property->kind == TN_FLOOR_VALUE_SIZE;
	case TEXT: /* text needs no quotes in the front matter (3.3) */
		return property->kind == TN_FLOOR_VALUE_STRING || (of_front && is_word);
	case TRUTH:
		return is_word &&
		       (tn_str_is(property->text, "true") || tn_str_is(property->text, "false"));
	case WORD: /* an unknown theme is only a warning (FP5006) */
		return is_text &&
		       (row->words == theme_words || find_word(row->words, property->text) >= 0);
	default:
		return is_text;
	}
}

static void tell_kind(struct tn_resolver *r, const struct row *row,
		      const struct tn_floor_property *property)
{
	static const struct {
		const char *takes, *example;
	} kinds[] = {[LENGTH] = {"a number above zero, perhaps with a unit", "0.3"},
		     [SIZE] = {"a size", "(3 x 7)"},
		     [TEXT] = {"a text in quotes", "\"text\""},
		     [TRUTH] = {"true or false", "true"},
		     [STYLE] = {"the name of a style", "Oak"}};

	if (row->kind == WORD)
		(void)tn_tell(r, 5002, NULL, NULL, &property->value_range,
			      "'%.*s' takes one of: %s", TN_SHOW(property->key), row->public.value);
	else
		(void)tn_tell(r, 5002, NULL, NULL, &property->value_range,
			      "'%.*s' takes %s; write e.g. %s", TN_SHOW(property->key),
			      kinds[row->kind].takes, kinds[row->kind].example);
}

static void take(struct tn_resolver *r, const struct tn_floor_property *property,
		 const struct tn_floor_property **seen)
{
	size_t key = find_key(property->key);
	struct tn_floor_diagnostic *one;

	if (key == TN_COUNT(rows)) {
		tell_unknown(r, property);
		return;
	}
	if (seen[key]) {
		one = tn_tell(r, 5003, NULL, NULL, &property->key_range,
			      "'%.*s' is given twice; this last one counts",
			      TN_SHOW(property->key));
		if (one) {
			one->related = seen[key]->key_range;
			one->related_message = "given here before";
		}
	}
	seen[key] = property;
	if (is_of_kind(&rows[key], property))
		r->settings[key] = property;
	else
		tell_kind(r, &rows[key], property);
}

void tn_resolve_settings_collect(struct tn_resolver *r)
{
	const struct tn_floor_property *in_front[KEY_COUNT] = {NULL}, *in_block[KEY_COUNT] = {NULL};
	const struct tn_floor_property *at;

	for (at = r->plan->tree.front.config; at; at = at->next)
		take(r, at, in_front);
	for (at = r->plan->tree.config; at; at = at->next)
		take(r, at, in_block); /* the block wins, key by key */
	r->plan->unit = TN_FLOOR_NO_UNIT;
	at = r->settings[DEFAULT_UNIT];
	if (at)
		r->plan->unit = (enum tn_floor_unit)(find_word(unit_words, at->text) + TN_FLOOR_M);
}

/* ---- values ---- */

static bool read_length(struct tn_resolver *r, const struct tn_floor_property *property,
			const struct tn_floor_length *length, double *ret)
{
	double value = tn_floor_to_unit(r->plan, length);

	if (fabs(value) > TN_FLOOR_LENGTH_MAX)
		(void)tn_tell(r, 3001, NULL, NULL, &property->value_range,
			      "%.*s is out of range; lengths go up to %d %s",
			      TN_SHOW(property->key), TN_FLOOR_LENGTH_MAX,
			      tn_floor_unit_name(r->plan->unit));
	else if (!(value > 0))
		(void)tn_tell(r, 5007, NULL, NULL, &property->value_range,
			      "%.*s is not above zero; write a larger number or leave it out",
			      TN_SHOW(property->key));
	else
		*ret = value;
	return value > 0 && value <= TN_FLOOR_LENGTH_MAX;
}

static bool set_length(struct tn_resolver *r, enum key key, double standard_m, double *ret)
{
	const struct tn_floor_property *property = r->settings[key];

	*ret = standard_m / tn_floor_metres(r->plan->unit);
	return property && read_length(r, property, &property->length, ret);
}

/* A size and the two single keys that it wins over. */
static bool set_size(struct tn_resolver *r, enum key size, double *ret_width, double *ret_height)
{
	const struct tn_floor_property *property = r->settings[size];
	const enum key width = size - 2, height = size - 1;
	bool good;

	if (!property)
		return false;
	if (r->settings[width] || r->settings[height])
		(void)tn_tell(r, 5004, NULL, NULL, &property->value_range,
			      "%.*s stands beside '%s' or '%s' and wins over them; leave them out",
			      TN_SHOW(property->key), rows[width].public.key,
			      rows[height].public.key);
	good = read_length(r, property, &property->size.width, ret_width);
	/* One fault is told of once: both halves have the same range. */
	return good && read_length(r, property, &property->size.height, ret_height);
}

static bool truth(const struct tn_resolver *r, enum key key, bool standard)
{
	return r->settings[key] ? tn_str_is(r->settings[key]->text, "true") : standard;
}

static void set_theme(struct tn_resolver *r, struct tn_floor_settings *settings)
{
	const struct tn_floor_property *theme = r->settings[THEME], *dark = r->settings[DARK_MODE];

	settings->theme = truth(r, DARK_MODE, false) ? TN_STR("dark") : TN_STR("default");
	if (theme && dark)
		(void)tn_tell(r, 5005, NULL, NULL, &dark->value_range,
			      "dark_mode stands beside 'theme', which wins; leave dark_mode out");
	if (!theme)
		return;
	if (find_word(theme_words, theme->text) >= 0)
		settings->theme = theme->text;
	else
		(void)tn_tell(r, 5006, NULL, NULL, &theme->value_range,
			      "there is no theme '%.*s'; write 'default', 'dark' or 'blueprint'",
			      TN_SHOW(theme->text));
}

static void set_default_style(struct tn_resolver *r, struct tn_floor_settings *settings)
{
	const struct tn_floor_property *property = r->settings[DEFAULT_STYLE];
	struct tn_near near;

	if (!property)
		return;
	settings->default_style = tn_names_get(r, &r->plan->styles, property->text);
	if (settings->default_style)
		return;
	tn_near_init(&near, property->text);
	for (const struct tn_floor_style *at = r->plan->styles; at; at = at->next)
		tn_near_try(r, &near, at->name);
	(void)tn_tell(r, 2008, NULL, NULL, &property->value_range, "style '%.*s' is not defined%s",
		      TN_SHOW(property->text), tn_near_text(r, &near));
}

void tn_resolve_settings(struct tn_resolver *r)
{
	struct tn_floor_settings *settings = &r->plan->settings;
	const struct tn_floor_property *area = r->settings[AREA_UNIT];
	const struct tn_floor_property *code = r->settings[STAIR_CODE];
	const enum tn_floor_unit unit = r->plan->unit;

	(void)set_length(r, WALL_THICKNESS, 0.2, &settings->wall_thickness);
	(void)set_length(r, FLOOR_THICKNESS, 0.2, &settings->floor_thickness);
	(void)set_length(r, DEFAULT_HEIGHT, 3.35, &settings->default_height);
	(void)set_length(r, DOOR_WIDTH, 1.0, &settings->door_width);
	(void)set_length(r, DOOR_HEIGHT, 2.1, &settings->door_height);
	settings->has_window_width = set_length(r, WINDOW_WIDTH, 1.5, &settings->window_width);
	(void)set_length(r, WINDOW_HEIGHT, 1.5, &settings->window_height);
	(void)set_length(r, WINDOW_SILL, 0.9, &settings->window_sill);
	(void)set_length(r, FONT_SIZE, 0.25, &settings->font_size);
	settings->has_door_size =
		set_size(r, DOOR_SIZE, &settings->door_width, &settings->door_height);
	settings->has_window_size =
		set_size(r, WINDOW_SIZE, &settings->window_width, &settings->window_height);
	settings->area_in_sqm =
		area ? tn_str_is(area->text, "sqm") : unit != TN_FLOOR_FT && unit != TN_FLOOR_IN;
	settings->stair_code = code ? find_word(code_words, code->text) + 1 : 0;
	if (r->settings[FONT_FAMILY])
		settings->font_family = r->settings[FONT_FAMILY]->text;
	settings->show_labels = truth(r, SHOW_LABELS, true);
	settings->show_dimensions = truth(r, SHOW_DIMENSIONS, false);
	set_theme(r, settings);
	set_default_style(r, settings);
	r->tolerance = fmax(settings->wall_thickness, 0.05 / tn_floor_metres(unit)); /* 4.4 */
}
