#include "apps/floorplan/mcp/tool_picture.h"

#include <math.h>
#include <stdio.h>

#include "apps/floorplan/limits.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { BRIEF_FONTS_MAX = 2, BRIEF_NAME_BYTES = 40, BRIEF_DIGITS = 12 };

/* ---- formats ---- */

static const struct {
	const char *name, *mime;
} formats[] = {
	[TN_FLOOR_PNG] = {"png", "image/png"},
	[TN_FLOOR_SVG] = {"svg", "image/svg+xml"},
	[TN_FLOOR_PDF] = {"pdf", "application/pdf"},
	[TN_FLOOR_DXF] = {"dxf", "image/vnd.dxf"},
	[TN_FLOOR_JSON] = {"json", "application/json"},
	[TN_FLOOR_CANONICAL] = {"canonical", "text/plain"},
	[TN_FLOOR_CSV] = {"csv", "text/csv"},
	[TN_FLOOR_MODEL] = {"3d-png", "image/png"},
};

enum tn_floor_format tn_floor_format_of(struct tn_str name, enum tn_floor_format fallback)
{
	for (size_t i = 0; name.size > 0 && i < TN_COUNT(formats); i++) {
		if (tn_str_is(name, formats[i].name))
			return (enum tn_floor_format)i;
	}
	return fallback;
}

const char *tn_floor_format_mime(enum tn_floor_format format)
{
	return formats[format].mime;
}

/* ---- what is asked for ---- */

static int maybe(const struct tn_floor_act *act, const char *name)
{
	bool on = false;

	if (!tn_json_to_bool(tn_json_get(act->arguments, name), &on))
		return -1;
	return on;
}

static bool argument_is(const struct tn_floor_act *act, const char *name, const char *word)
{
	return tn_str_is(tn_floor_argument_text(act, name), word);
}

static enum tn_floor_unit length_unit(const struct tn_floor_act *act)
{
	struct tn_str name = tn_floor_argument_text(act, "lengthUnit");

	for (int unit = TN_FLOOR_M; name.size > 0 && unit <= TN_FLOOR_MM; unit++) {
		if (tn_str_is(name, tn_floor_unit_name((enum tn_floor_unit)unit)))
			return (enum tn_floor_unit)unit;
	}
	return TN_FLOOR_NO_UNIT;
}

/* 7.2: a fraction is rounded. */
static bool ask_size(struct tn_floor_act *act, struct tn_floor_picture_options *options)
{
	options->width = (uint32_t)lround(tn_floor_argument_number(act, "width", 800));
	options->height = (uint32_t)lround(tn_floor_argument_number(act, "height", 600));
	if ((uint64_t)options->width * options->height <= TN_FLOOR_PIXELS_MAX)
		return true;
	tn_floor_act_refuse(act, "FP9001", "/height",
			    "%u x %u is more than %d pixels; send a smaller width or height",
			    options->width, options->height, TN_FLOOR_PIXELS_MAX);
	return false;
}

static bool ask_floors(struct tn_floor_act *act, struct tn_arena *arena,
		       struct tn_floor_picture_options *options)
{
	const struct tn_json *list = tn_json_get(act->arguments, "floors");
	struct tn_str *names;

	options->all_floors = tn_floor_argument_bool(act, "renderAllFloors", false);
	options->floor_index =
		(uint32_t)fmin(tn_floor_argument_number(act, "floorIndex", 0), (double)UINT32_MAX);
	if (!list)
		return true;
	names = tn_arena_alloc_array(arena, list->count + 1, sizeof(*names));
	if (!names) {
		act->json.failed = true;
		return false;
	}
	for (const struct tn_json *at = list->first; at; at = at->next)
		names[options->floor_count++] = at->text;
	options->floors = names;
	return true;
}

bool tn_floor_picture_ask(struct tn_floor_act *act, struct tn_arena *arena,
			  struct tn_floor_picture_options *ret)
{
	struct tn_str area_unit = tn_floor_argument_text(act, "areaUnit");

	*ret = (struct tn_floor_picture_options){
		.layout = argument_is(act, "multiFloorLayout", "stacked") ? TN_FLOOR_STACKED
									  : TN_FLOOR_SIDE_BY_SIDE,
		.theme = tn_floor_argument_text(act, "theme"),
		.labels = maybe(act, "showLabels"),
		.dimensions = maybe(act, "showDimensions"),
		.area = tn_floor_argument_bool(act, "showArea", false),
		.summary = tn_floor_argument_bool(act, "showFloorSummary", false),
		.legend = tn_floor_argument_bool(act, "showLegend", false),
		.no_scale_bar = !tn_floor_argument_bool(act, "showScaleBar", true),
		.area_in_sqm = area_unit.size > 0 ? tn_str_is(area_unit, "sqm") : -1,
		.length_unit = length_unit(act),
		.dimensions_in_rooms = argument_is(act, "dimensionMode", "rooms"),
		.architectural = argument_is(act, "dimensionFormat", "architectural"),
		.diagnostics = tn_floor_argument_bool(act, "showDiagnostics", false),
		.fonts = act->fonts,
		.told = &act->told};
	return ask_size(act, ret) && ask_floors(act, arena, ret);
}

bool tn_floor_picture_has_floors(struct tn_floor_act *act,
				 const struct tn_floor_picture_options *options)
{
	struct tenon_error err = {0};
	char path[32] = "/floorIndex";
	size_t at;

	if (tn_floor_floors_check(act->plan, options, &at, &err) == TENON_OK)
		return true;
	if (options->floors)
		(void)snprintf(path, sizeof(path), "/floors/%zu", at);
	tn_floor_act_refuse(act, "FP9002", path, "%s", err.message);
	return false;
}

/* ---- making it ---- */

static enum tenon_code draw(const struct tn_floor_act *act, const struct tn_floor_plan *before,
			    const struct tn_floor_picture_options *options, struct tn_arena *arena,
			    struct tn_floor_picture *ret, struct tenon_error *err)
{
	if (before)
		return tn_floor_draw_difference(before, act->plan, options, arena, ret, err);
	return tn_floor_draw(act->plan, options, arena, ret, err);
}

bool tn_floor_picture_make(struct tn_floor_act *act, const struct tn_floor_plan *before,
			   const struct tn_floor_picture_options *options,
			   enum tn_floor_format format, struct tn_arena *arena,
			   struct tn_floor_picture *ret)
{
	struct tenon_error err = {0};
	enum tenon_code code;

	if (!tn_floor_picture_has_floors(act, options))
		return false;
	code = draw(act, before, options, arena, ret, &err);
	if (code == TENON_OK && format == TN_FLOOR_SVG)
		code = tn_draw_svg(ret->display, &act->file, &err);
	else if (code == TENON_OK)
		code = tn_draw_png(ret->display, 1, &act->file, &err);
	tn_display_free(ret->display);
	ret->display = NULL;
	act->mime = formats[format].mime;
	if (code != TENON_OK) {
		err.code = code;
		tn_floor_act_fail(act, &err);
	}
	return code == TENON_OK;
}

static void put_font(struct tn_buf *out, const struct tn_font_used *font, bool brief)
{
	struct tn_str name = tn_str_from(font->name), digest = tn_str_from(font->sha256);

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "name", brief ? tn_utf8_cut(name, BRIEF_NAME_BYTES) : name);
	if (!brief)
		tn_json_put_member_text(out, "file", font->file);
	tn_json_put_member_str(out, "sha256", brief ? tn_str(digest.data, BRIEF_DIGITS) : digest);
	tn_json_end_object(out);
}

void tn_floor_put_letters(struct tn_floor_act *act)
{
	const struct tn_letters_told *told = &act->told;
	struct tn_buf *out = &act->json, words;

	if (told->font_count > 0) {
		tn_json_put_key(out, "fonts");
		tn_json_begin_array(out);
		for (size_t i = 0; i < told->font_count; i++)
			put_font(out, &told->fonts[i], false);
		tn_json_end_array(out);
	}
	tn_buf_init(&words, TN_RESULT_BYTES_MAX);
	tn_letters_put_boxes(told, &words);
	if (words.size > 0)
		tn_json_put_member_str(out, "boxes", tn_buf_str(&words));
	tn_buf_inherit_failure(out, &words);
	tn_buf_finish(&words);
}

void tn_floor_put_letter_names(struct tn_floor_act *act)
{
	const struct tn_letters_told *told = &act->told;

	if (told->font_count > 0) {
		tn_json_put_key(&act->json, "fonts");
		tn_json_begin_array(&act->json);
		for (size_t i = 0; i < told->font_count && i < BRIEF_FONTS_MAX; i++)
			put_font(&act->json, &told->fonts[i], true);
		tn_json_end_array(&act->json);
	}
	if (told->font_count > BRIEF_FONTS_MAX)
		tn_json_put_member_int(&act->json, "moreFonts",
				       (int64_t)told->font_count - BRIEF_FONTS_MAX);
	if (told->box_count > 0)
		tn_json_put_member_int(&act->json, "boxCount", (int64_t)told->box_count);
}

void tn_floor_put_file(struct tn_floor_act *act)
{
	char digest[TN_DIGEST_HEX_SIZE];

	tn_digest_hex(tn_buf_str(&act->file), digest);
	tn_json_put_member_int(&act->json, "bytes", (int64_t)act->file.size);
	tn_json_put_member_text(&act->json, "sha256", digest);
}
