#include "draw/setting.h"

#include <string.h>

#include "base/utf8.h"
#include "draw/font.h"
#include "draw/fonts.h"
#include "draw/items.h"
#include "draw/limits.h"

/* ---- characters ---- */

/* Turns all that follows, letters of ours as well: a name must not be read as another one. Marks
 * and isolates, which order what has a direction of its own, are heard. */
static bool is_override(uint32_t code)
{
	return code >= 0x202A && code <= 0x202E;
}

/* The next character, as tn_font_next, but with those that steer what stands around them. */
static uint32_t take(struct tn_str *text)
{
	struct tn_str seen = *text;
	uint32_t code = TN_UTF8_REPLACEMENT;
	size_t size = tn_utf8_decode(text->data, text->size, &code);

	size = size > 0 ? size : 1;
	*text = tn_str_from_offset(*text, size);
	if (tn_font_is_unseen(code) && code >= 0xAD)
		return code;
	seen.size = size;
	return tn_font_next(&seen, &code) ? code : 0;
}

static bool is_lacking(struct tn_str text, enum tn_draw_weight weight)
{
	uint32_t code;

	while (tn_font_next(&text, &code))
		if (!tn_font_has(weight, code))
			return true;
	return false;
}

/* ---- making one ---- */

/* False: no fonts, and the setter knows why. */
static bool has_shaper(struct tn_display *display)
{
	struct tn_setter *setter = &display->setter;
	enum tenon_code code;

	if (setter->tried)
		return setter->shaper != NULL;
	setter->tried = true;
	if (!setter->fonts) {
		(void)tn_fail(&setter->why, TENON_NOT_FOUND, "fonts of the machine are not used");
		return false;
	}
	code = tn_fonts_shaper(setter->fonts, &setter->plugin, &setter->shaper, &setter->why);
	if (code == TENON_NO_MEMORY)
		tn_display_fail(display, code);
	return code == TENON_OK;
}

static bool decode(struct tn_display *display, struct tn_str text, struct tn_setting *set,
		   uint32_t **ret_codes, size_t *ret_count)
{
	size_t *offsets = tn_arena_alloc_array(&display->arena, text.size + 1, sizeof(*offsets));
	uint32_t *codes = tn_arena_alloc_array(&display->arena, text.size + 1, sizeof(*codes));
	struct tn_str rest = text;
	size_t count = 0;

	if (!offsets || !codes)
		return false;
	while (rest.size > 0) {
		size_t at = text.size - rest.size;
		uint32_t code = take(&rest);

		if (code == 0 || is_override(code))
			continue;
		offsets[count] = at;
		codes[count++] = code;
	}
	offsets[count] = text.size;
	set->offsets = offsets;
	*ret_codes = codes;
	*ret_count = count;
	return true;
}

static struct tn_setting *make(struct tn_display *display, struct tn_str text,
			       enum tn_draw_weight weight)
{
	const struct tn_setter *setter = &display->setter;
	struct tn_setting *set = tn_arena_alloc(&display->arena, sizeof(*set));
	enum tenon_code code = TENON_OK;
	uint32_t *codes;
	size_t count;

	if (!set || !decode(display, text, set, &codes, &count))
		code = display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT;
	else
		code = setter->plugin->set(setter->shaper, weight, codes, count, &display->arena,
					   &set->text, NULL);
	if (code == TENON_OK)
		return set;
	tn_display_fail(display, code);
	return NULL;
}

/* ---- those that are made already ---- */

struct tn_setting *tn_setting_of(struct tn_display *display, struct tn_str text,
				 enum tn_draw_weight weight)
{
	struct tn_map *made = &display->setter.texts[weight];
	struct tn_setting *set;

	if (display->failed != TENON_OK || text.size > TN_DRAW_SET_BYTES_MAX ||
	    !is_lacking(text, weight) || !has_shaper(display))
		return NULL;
	set = tn_map_get(made, text);
	if (set)
		return set;
	set = make(display, text, weight);
	if (set && tn_map_put(made, text, set, NULL) != TENON_OK) {
		tn_display_fail(display, TENON_NO_MEMORY);
		return NULL;
	}
	return set;
}

void tn_setter_finish(struct tn_setter *setter)
{
	if (setter->told)
		tn_setter_tell(setter, setter->told);
	if (setter->shaper)
		setter->plugin->close(setter->shaper);
	tn_map_finish(&setter->texts[TN_DRAW_REGULAR]);
	tn_map_finish(&setter->texts[TN_DRAW_BOLD]);
	tn_map_finish(&setter->glyphs);
}

/* ---- glyphs ---- */

static const struct tn_glyph *glyph_of(struct tn_display *display, const struct tn_set_glyph *at)
{
	struct tn_setter *setter = &display->setter;
	struct tn_str key = tn_str((const char *)at, 2 * sizeof(uint32_t)); /* font and id */
	struct tn_made_glyph *made = tn_map_get(&setter->glyphs, key);
	enum tenon_code code;

	if (made)
		return &made->glyph;
	made = tn_arena_alloc(&display->arena, sizeof(*made));
	if (!made)
		code = display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT;
	else
		code = setter->plugin->glyph(setter->shaper, at->font, at->id, &display->arena,
					     &made->glyph, NULL);
	if (code == TENON_OK)
		code = tn_map_put(&setter->glyphs, key, made, NULL);
	if (code != TENON_OK) {
		tn_display_fail(display, code);
		return NULL;
	}
	if (setter->last)
		setter->last->next = made;
	else
		setter->first = made;
	setter->last = made;
	return &made->glyph;
}

void tn_setting_draw(struct tn_display *display, struct tn_setting *set)
{
	const struct tn_glyph **shapes;

	if (set->shapes)
		return;
	shapes = tn_arena_alloc_array(&display->arena, set->text.glyph_count + 1, sizeof(*shapes));
	if (!shapes)
		tn_display_fail(display, display->arena.starved ? TENON_NO_MEMORY : TENON_LIMIT);
	for (size_t i = 0; shapes && i < set->text.glyph_count; i++)
		if (set->text.glyphs[i].font > 0)
			shapes[i] = glyph_of(display, &set->text.glyphs[i]);
	set->shapes = shapes;
}

void tn_glyph_outline(const struct tn_glyph *glyph, const struct tn_font_pen *pen,
		      tn_glyph_cubic_fn *cubic)
{
	for (size_t i = 0; i < glyph->step_count; i++) {
		const int32_t *at = glyph->steps[i].at;

		switch (glyph->steps[i].kind) {
		case TN_GLYPH_MOVE:
			pen->move(pen->data, at[0], at[1]);
			break;
		case TN_GLYPH_LINE:
			pen->line(pen->data, at[0], at[1]);
			break;
		case TN_GLYPH_QUADRATIC:
			pen->curve(pen->data, at[0], at[1], at[2], at[3]);
			break;
		default:
			cubic(pen->data, at);
		}
	}
}

void tn_setting_outline(const struct tn_setting *set, size_t glyph, enum tn_draw_weight weight,
			const struct tn_font_pen *pen, tn_glyph_cubic_fn *cubic)
{
	if (set->shapes[glyph])
		tn_glyph_outline(set->shapes[glyph], pen, cubic);
	else
		(void)tn_font_outline(weight, set->text.glyphs[glyph].id, pen); /* a space: none */
}

size_t tn_setting_beginning(const struct tn_setting *set, double width)
{
	const struct tn_set_text *text = &set->text;
	int64_t sum = 0;
	size_t i = 0;

	while (i < text->cluster_count && (double)(sum + text->clusters[i].width) <= width)
		sum += text->clusters[i++].width;
	if (i == text->cluster_count)
		return set->offsets[0]; /* the caller has looked: all of it fits not */
	return set->offsets[text->clusters[i].first];
}

size_t tn_setting_line_end(const struct tn_setting *set, struct tn_str line, double width)
{
	const struct tn_set_text *text = &set->text;
	size_t end = 0;
	int64_t sum = 0;

	for (size_t i = 0; i < text->cluster_count; i++) {
		size_t at = set->offsets[text->clusters[i].first];

		if (i > 0 && (text->clusters[i].breaks || line.data[at] == ' '))
			end = at;
		sum += text->clusters[i].width;
		if (i > 0 && (double)sum > width && line.data[at] != ' ')
			return end > 0 ? end : at;
	}
	return line.size;
}

size_t tn_setting_before(const struct tn_setting *set, size_t end)
{
	size_t before = 0;

	for (size_t i = 0; i < set->text.cluster_count; i++) {
		size_t at = set->offsets[set->text.clusters[i].first];

		if (at < end && at > before)
			before = at;
	}
	return before;
}
