/* Which font a letter is set in: one that has all of it, can shape its script, and goes best with
 * the embedded font. Nothing but the fonts and the text decides. */
#include <hb-ot.h>
#include <string.h>

#include "plugins/shaping.h"

enum {
	VARIANT_TEXT = 0xFE0E,
	VARIANT_COLOUR = 0xFE0F,
	/* What a font costs that is not what is wanted. */
	COST_COLOUR = 40000,
	COST_SCRIPT = 20000,
	COST_FIXED = 1500,
	COST_SLANTED = 1200,
	COST_KIND = 1000,
	COST_NARROW = 900,
	COST_REGION = 500, /* and up to 400 for another weight */
	NORMAL = 400,
	BOLD = 700
};

/* ---- emoji ---- */

/* Shown in colours when nothing is said (Unicode, Emoji_Presentation), outside of the blocks that
 * are all emoji. */
bool shaping_is_emoji(const uint32_t *codes, size_t count)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x20E3, 0x20E3},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
		{0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},
		{0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},
		{0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},
		{0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},
		{0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
		{0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},
		{0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},
		{0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
		{0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F1E6, 0x1F202}, {0x1F21A, 0x1F21A},
		{0x1F22F, 0x1F22F}, {0x1F232, 0x1F236}, {0x1F238, 0x1F23A}, {0x1F250, 0x1F251},
		{0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF},
		{0x1FA70, 0x1FAFF},
	};
	bool is = false;

	for (size_t i = 0; i < count; i++) {
		if (codes[i] == VARIANT_TEXT)
			return false;
		is = is || codes[i] == VARIANT_COLOUR;
		for (size_t k = 0; k < TN_COUNT(ranges) && !is; k++)
			is = codes[i] >= ranges[k].first && codes[i] <= ranges[k].last;
	}
	return is;
}

/* ---- does it have it ---- */

static bool may_have(const struct shaping_face *face, const struct tn_embedded_font *embedded,
		     const struct shaping_want *want)
{
	for (size_t i = 0; i < want->count; i++) {
		uint32_t page = want->codes[i] / 256;

		if (!embedded->is_unseen(want->codes[i]) &&
		    !(face->pages[page / 8] >> page % 8 & 1))
			return false;
	}
	return true;
}

/* ---- what it costs ---- */

static bool is_neutral(hb_script_t script)
{
	return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED ||
	       script == HB_SCRIPT_UNKNOWN;
}

/* Its letters change with their neighbours, and the font has no rules for that: Latin fonts may
 * have single letters of such scripts. */
static bool lacks_rules(const struct shaping_open *font, hb_script_t script)
{
	hb_tag_t tags[4];
	unsigned count = TN_COUNT(tags), index;
	hb_tag_t chosen;

	if (is_neutral(script) || script == HB_SCRIPT_HAN || script == HB_SCRIPT_HIRAGANA ||
	    script == HB_SCRIPT_KATAKANA || script == HB_SCRIPT_HANGUL)
		return false;
	hb_ot_tags_from_script_and_language(script, HB_LANGUAGE_INVALID, &count, tags, NULL, NULL);
	return !hb_ot_layout_table_select_script(hb_font_get_face(font->font), HB_OT_TAG_GSUB,
						 count, tags, &index, &chosen) &&
	       !hb_ot_layout_table_select_script(hb_font_get_face(font->font), HB_OT_TAG_GPOS,
						 count, tags, &index, &chosen);
}

/* "Noto Sans CJK JP" when another region's forms are wanted. */
static bool is_of_other_region(const struct shaping_face *face, const char *region)
{
	static const char *const regions[] = {"SC", "TC", "HK", "JP", "KR"};
	const char *space = strrchr(face->family, ' ');

	for (size_t i = 0; region && space && i < TN_COUNT(regions); i++)
		if (strcmp(space + 1, regions[i]) == 0)
			return strcmp(regions[i], region) != 0;
	return false;
}

static int cost_of(const struct shaping_face *face, const struct shaping_want *want)
{
	int weight = want->weight == TN_DRAW_BOLD ? BOLD : NORMAL;
	int away = face->any_weight        ? 0
		   : face->weight > weight ? face->weight - weight
					   : weight - face->weight;

	return (face->coloured != want->coloured) * COST_COLOUR + face->fixed * COST_FIXED +
	       face->slanted * COST_SLANTED + face->kind * COST_KIND + face->narrow * COST_NARROW +
	       is_of_other_region(face, want->region) * COST_REGION + (away < 400 ? away : 400);
}

struct shaping_open *shaping_choose(struct tn_shaper *shaper, const struct shaping_want *want)
{
	const struct shaping_index *index = shaper->index;
	struct shaping_open *best = NULL, *font;
	int least = 0, cost;

	if (want->before && is_neutral(want->script) &&
	    want->before->face->coloured == want->coloured &&
	    shaping_has_all(shaper, want->before, want))
		return want->before;
	for (size_t i = 0; i < index->face_count; i++) {
		const struct shaping_face *face = &index->faces[i];

		cost = cost_of(face, want);
		if ((best && cost >= least) || !may_have(face, &shaper->embedded, want))
			continue;
		font = shaping_open_for(shaper, face, want);
		if (!font)
			continue;
		cost += lacks_rules(font, want->script) ? COST_SCRIPT : 0;
		if (best && cost >= least)
			continue;
		best = font;
		least = cost;
	}
	return best;
}
