/* What is told of a picture's letters: which fonts of the machine they are from, and what no font
 * has. */
#include <stdio.h>
#include <string.h>

#include "draw/font.h"
#include "draw/items.h"

/* ---- noting ---- */

static void list_box(uint32_t *boxes, size_t *count, uint32_t code)
{
	for (size_t i = 0; i < *count; i++)
		if (boxes[i] == code)
			return;
	if (*count < TN_DRAW_BOXES_TOLD_MAX)
		boxes[(*count)++] = code;
}

static void note_box(struct tn_setter *setter, uint32_t code)
{
	setter->box_count++;
	list_box(setter->boxes, &setter->told_count, code);
}

void tn_setting_note_boxes(struct tn_display *display, struct tn_str text,
			   const struct tn_setting *set, enum tn_draw_weight weight)
{
	uint32_t code;

	for (size_t i = 0; set && i < set->text.glyph_count; i++)
		if (set->text.glyphs[i].font == 0 && !tn_font_has(weight, set->text.glyphs[i].id))
			note_box(&display->setter, set->text.glyphs[i].id);
	while (!set && tn_font_next(&text, &code))
		if (!tn_font_has(weight, code))
			note_box(&display->setter, code);
}

/* ---- telling ---- */

static void tell_font(struct tn_letters_told *told, const struct tn_font_used *font)
{
	for (size_t i = 0; i < told->font_count; i++)
		if (strcmp(told->fonts[i].name, font->name) == 0 &&
		    strcmp(told->fonts[i].sha256, font->sha256) == 0)
			return;
	if (told->font_count < TN_DRAW_FONTS_TOLD_MAX)
		told->fonts[told->font_count++] = *font;
}

void tn_setter_tell(const struct tn_setter *setter, struct tn_letters_told *told)
{
	const struct tn_font_used *fonts = NULL;
	size_t count = setter->shaper ? setter->plugin->fonts(setter->shaper, &fonts) : 0;

	for (size_t i = 0; i < count; i++)
		tell_font(told, &fonts[i]);
	told->box_count += setter->box_count;
	for (size_t i = 0; i < setter->told_count; i++)
		list_box(told->boxes, &told->told_count, setter->boxes[i]);
	if (setter->tried && !setter->shaper)
		(void)snprintf(told->why, sizeof(told->why), "%.*s", (int)sizeof(told->why) - 1,
			       setter->why.message);
}

void tn_display_tell_letters(const struct tn_display *display, struct tn_letters_told *told)
{
	tn_setter_tell(&display->setter, told);
}

void tn_letters_put_boxes(const struct tn_letters_told *told, struct tn_buf *out)
{
	static const char *const none[] = {"no font of this machine has it",
					   "no font of this machine has them"};

	if (told->box_count == 0)
		return;
	tn_buf_format(out,
		      told->box_count == 1 ? "%zu character is drawn as a box with its number"
					   : "%zu characters are drawn as boxes with their numbers",
		      told->box_count);
	tn_buf_format(out, ": %s (", told->why[0] ? told->why : none[told->box_count > 1]);
	for (size_t i = 0; i < told->told_count; i++)
		tn_buf_format(out, i > 0 ? ", U+%04X" : "U+%04X", (unsigned)told->boxes[i]);
	tn_buf_append_text(out, told->told_count == TN_DRAW_BOXES_TOLD_MAX ? ", ...)" : ")");
}
