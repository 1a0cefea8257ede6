/* A line of text as glyphs: parted into what belongs together, given a font and a direction each,
 * shaped run by run and laid side by side as it is seen. */
#include <fribidi.h>
#include <hb-ot.h>
#include <string.h>
#include <utf8proc.h>

#include "plugins/shaping.h"

enum { FAMILIES_MAX = 4 };

struct cluster {
	size_t first, count;       /* of the codes */
	struct shaping_open *font; /* NULL: the embedded one */
	hb_script_t script;
	FriBidiLevel level;
};
struct run { /* clusters of one font, script and direction */
	size_t first, count;
};
struct text {
	struct tn_shaper *shaper;
	enum tn_draw_weight weight;
	struct tn_arena *arena, scratch;
	uint32_t *codes; /* without marks that are too many */
	size_t *origins; /* where they stand in the text that came */
	size_t count;
	struct cluster *clusters;
	size_t cluster_count;
	size_t *cluster_of; /* by code */
	struct run *runs;   /* in order of reading, then of sight */
	size_t run_count;
	struct tn_set_cluster *told;
	struct tn_set_glyph *glyphs;
	size_t glyph_count, glyph_room;
	int32_t pen;
	bool leftward;
};

/* ---- clusters ---- */

/* Hostile text has thousands of marks on a letter; the first ones are kept. */
static void part(struct text *text, const uint32_t *codes, size_t count)
{
	utf8proc_int32_t state = 0;
	struct cluster *cluster = NULL;

	for (size_t i = 0; i < count; i++) {
		bool begins = i == 0 ||
			      utf8proc_grapheme_break_stateful((utf8proc_int32_t)codes[i - 1],
							       (utf8proc_int32_t)codes[i], &state);

		if (begins || !cluster) {
			cluster = &text->clusters[text->cluster_count++];
			*cluster = (struct cluster){.first = text->count};
		} else if (cluster->count > TN_SHAPING_MARKS_MAX) {
			continue;
		}
		cluster->count++;
		text->codes[text->count] = codes[i];
		text->origins[text->count] = i;
		text->cluster_of[text->count++] = text->cluster_count - 1;
	}
}

/* False: no memory. */
static bool order(struct text *text)
{
	FriBidiCharType *types = tn_arena_alloc_array(&text->scratch, text->count, sizeof(*types));
	FriBidiBracketType *brackets =
		tn_arena_alloc_array(&text->scratch, text->count, sizeof(*brackets));
	FriBidiLevel *levels = tn_arena_alloc_array(&text->scratch, text->count, sizeof(*levels));
	FriBidiParType base = FRIBIDI_PAR_ON;
	const FriBidiStrIndex count = (FriBidiStrIndex)text->count;

	if (!types || !brackets || !levels)
		return false;
	fribidi_get_bidi_types(text->codes, count, types);
	fribidi_get_bracket_types(text->codes, count, types, brackets);
	if (fribidi_get_par_embedding_levels_ex(types, brackets, count, &base, levels) == 0)
		return false;
	for (size_t i = 0; i < text->cluster_count; i++)
		text->clusters[i].level = levels[text->clusters[i].first];
	text->leftward = FRIBIDI_IS_RTL(base);
	return true;
}

static hb_script_t script_of(const struct text *text, const struct cluster *cluster)
{
	hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
	hb_script_t script = HB_SCRIPT_COMMON;

	for (size_t i = 0; i < cluster->count; i++) {
		script = hb_unicode_script(unicode, text->codes[cluster->first + i]);
		if (script != HB_SCRIPT_COMMON && script != HB_SCRIPT_INHERITED)
			return script;
	}
	return HB_SCRIPT_COMMON;
}

/* ---- fonts ---- */

/* Han characters are written in forms of a region, and a text says which only by what stands beside
 * them. */
static const char *region_of(const struct text *text)
{
	const char *region = "SC";

	for (size_t i = 0; i < text->cluster_count; i++) {
		hb_script_t script = text->clusters[i].script;

		if (script == HB_SCRIPT_HIRAGANA || script == HB_SCRIPT_KATAKANA)
			return "JP";
		if (script == HB_SCRIPT_HANGUL)
			region = "KR";
		else if (script == HB_SCRIPT_BOPOMOFO)
			region = "TC";
	}
	return region;
}

static bool is_embedded(const struct text *text, const struct cluster *cluster)
{
	const struct tn_embedded_font *embedded = &text->shaper->embedded;

	for (size_t i = 0; i < cluster->count; i++) {
		uint32_t code = text->codes[cluster->first + i];

		if (!embedded->is_unseen(code) && !embedded->has(text->weight, code))
			return false;
	}
	return true;
}

static void choose_fonts(struct text *text)
{
	struct shaping_open *before = NULL;
	const char *region = region_of(text);

	for (size_t i = 0; i < text->cluster_count; i++) {
		struct cluster *cluster = &text->clusters[i];
		const uint32_t *codes = &text->codes[cluster->first];

		if (is_embedded(text, cluster))
			continue;
		cluster->font = shaping_choose(
			text->shaper,
			&(struct shaping_want){.codes = codes,
					       .count = cluster->count,
					       .weight = text->weight,
					       .script = cluster->script,
					       .coloured = shaping_is_emoji(codes, cluster->count),
					       .region = region,
					       .before = before});
		before = cluster->font ? cluster->font : before;
	}
}

/* ---- runs ---- */

static bool goes_on(const struct cluster *run, const struct cluster *next)
{
	if (run->font != next->font || run->level != next->level)
		return false;
	return !run->font || run->script == next->script || next->script == HB_SCRIPT_COMMON;
}

static void make_runs(struct text *text)
{
	struct cluster *head = NULL;

	for (size_t i = 0; i < text->cluster_count; i++) {
		struct cluster *cluster = &text->clusters[i];

		/* What belongs to no script goes with what it stands beside. */
		if (head && head->script == HB_SCRIPT_COMMON && head->font == cluster->font)
			head->script = cluster->script;
		if (!head || !goes_on(head, cluster)) {
			text->runs[text->run_count++] = (struct run){.first = i};
			head = cluster;
		}
		text->runs[text->run_count - 1].count++;
	}
}

static FriBidiLevel level_of(const struct text *text, size_t run)
{
	return text->clusters[text->runs[run].first].level;
}

static void reverse(struct run *runs, size_t count)
{
	for (size_t i = 0; i + 1 < count - i; i++) {
		struct run kept = runs[i];

		runs[i] = runs[count - 1 - i];
		runs[count - 1 - i] = kept;
	}
}

/* Unicode's rule L2: from the deepest level up, what lies together at it is turned round. */
static void turn_runs(struct text *text)
{
	FriBidiLevel deepest = 0;

	for (size_t i = 0; i < text->run_count; i++)
		if (level_of(text, i) > deepest)
			deepest = level_of(text, i);
	for (FriBidiLevel level = deepest; level > 0; level--) {
		for (size_t i = 0; i < text->run_count;) {
			size_t end = i;

			while (end < text->run_count && level_of(text, end) >= level)
				end++;
			if (end > i)
				reverse(&text->runs[i], end - i);
			i = end + (end == i);
		}
	}
}

/* ---- glyphs ---- */

static bool add_glyph(struct text *text, struct tn_set_glyph glyph)
{
	if (text->glyph_count == text->glyph_room) {
		size_t room = text->glyph_room > 0 ? 2 * text->glyph_room : text->count + 8;
		struct tn_set_glyph *more = tn_arena_alloc_array(text->arena, room, sizeof(*more));

		if (!more)
			return false;
		if (text->glyph_count > 0)
			memcpy(more, text->glyphs, text->glyph_count * sizeof(*more));
		text->glyphs = more;
		text->glyph_room = room;
	}
	text->glyphs[text->glyph_count++] = glyph;
	return true;
}

static void move_on(struct text *text, size_t cluster, int32_t width)
{
	text->pen += width;
	text->told[cluster].width += width;
}

/* A letter of the embedded font, or its box. */
static bool add_embedded(struct text *text, size_t cluster, uint32_t code)
{
	const struct tn_embedded_font *embedded = &text->shaper->embedded;
	FriBidiChar mirrored;

	if (embedded->is_unseen(code))
		return true;
	if (FRIBIDI_LEVEL_IS_RTL(text->clusters[cluster].level) &&
	    fribidi_get_mirror_char(code, &mirrored))
		code = mirrored;
	if (!add_glyph(text, (struct tn_set_glyph){.id = code, .x = text->pen}))
		return false;
	move_on(text, cluster, embedded->width(text->weight, code));
	return true;
}

static bool set_embedded(struct text *text, const struct run *run)
{
	bool turned = FRIBIDI_LEVEL_IS_RTL(text->clusters[run->first].level);

	for (size_t i = 0; i < run->count; i++) {
		size_t at = turned ? run->first + run->count - 1 - i : run->first + i;
		const struct cluster *cluster = &text->clusters[at];

		for (size_t k = 0; k < cluster->count; k++)
			if (!add_embedded(text, at, text->codes[cluster->first + k]))
				return false;
	}
	return true;
}

static void shape(struct text *text, const struct run *run)
{
	const struct cluster *head = &text->clusters[run->first],
			     *tail = &text->clusters[run->first + run->count - 1];
	hb_buffer_t *buffer = text->shaper->buffer;

	hb_buffer_reset(buffer);
	hb_buffer_add_utf32(buffer, text->codes, (int)text->count, (unsigned)head->first,
			    (int)(tail->first + tail->count - head->first));
	hb_buffer_set_direction(buffer, FRIBIDI_LEVEL_IS_RTL(head->level) ? HB_DIRECTION_RTL
									  : HB_DIRECTION_LTR);
	hb_buffer_set_script(buffer, head->script);
	/* Not the language of the machine: the same text is the same picture everywhere. */
	hb_buffer_set_language(buffer, hb_language_from_string("und", -1));
	hb_shape(head->font->font, buffer, NULL, 0);
}

static bool set_shaped(struct text *text, const struct run *run)
{
	struct shaping_open *font = text->clusters[run->first].font;
	uint32_t number = shaping_use(text->shaper, font);
	const hb_glyph_info_t *infos;
	const hb_glyph_position_t *places;
	unsigned count;

	shape(text, run);
	infos = hb_buffer_get_glyph_infos(text->shaper->buffer, &count);
	places = hb_buffer_get_glyph_positions(text->shaper->buffer, &count);
	for (unsigned i = 0; i < count; i++) {
		size_t at = text->cluster_of[infos[i].cluster];

		/* The font has parts of it only. What takes no room is no letter. */
		if (infos[i].codepoint == 0 ||
		    (places[i].x_advance != 0 &&
		     !shaping_is_drawn(text->shaper, font, infos[i].codepoint))) {
			if (!add_embedded(text, at, text->codes[infos[i].cluster]))
				return false;
			continue;
		}
		if (!add_glyph(text, (struct tn_set_glyph){number, infos[i].codepoint,
							   text->pen + places[i].x_offset,
							   -places[i].y_offset}))
			return false;
		move_on(text, at, places[i].x_advance);
	}
	return true;
}

/* ---- lines ---- */

static bool is_free(hb_script_t script)
{
	static const hb_script_t scripts[] = {
		HB_SCRIPT_HAN,      HB_SCRIPT_HIRAGANA, HB_SCRIPT_KATAKANA,
		HB_SCRIPT_BOPOMOFO, HB_SCRIPT_YI,       HB_SCRIPT_THAI,
		HB_SCRIPT_LAO,      HB_SCRIPT_KHMER,    HB_SCRIPT_MYANMAR};

	for (size_t i = 0; i < TN_COUNT(scripts); i++)
		if (script == scripts[i])
			return true;
	return false;
}

/* Scripts without blanks between words: anywhere, but not before what closes and not after what
 * opens. */
static bool breaks_before(const struct text *text, size_t at)
{
	static const uint32_t never[] = {0x3001, 0x3002, 0x3005, 0x30FB, 0x30FC, 0xFF01, 0xFF0C,
					 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0x2026, 0x0E2F, 0x0E46};
	const struct cluster *cluster = &text->clusters[at], *before = cluster - 1;
	uint32_t code = text->codes[cluster->first], last;
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);

	if (at == 0 || !(is_free(cluster->script) || is_free(before->script)))
		return false;
	for (size_t i = 0; i < TN_COUNT(never); i++)
		if (code == never[i])
			return false;
	if (category == UTF8PROC_CATEGORY_PE || category == UTF8PROC_CATEGORY_PF ||
	    category == UTF8PROC_CATEGORY_PO)
		return false;
	last = text->codes[before->first + before->count - 1];
	category = utf8proc_category((utf8proc_int32_t)last);
	return category != UTF8PROC_CATEGORY_PS && category != UTF8PROC_CATEGORY_PI;
}

/* ---- the whole ---- */

static bool make_room(struct text *text, size_t count)
{
	struct tn_arena *scratch = &text->scratch;

	text->codes = tn_arena_alloc_array(scratch, count, sizeof(*text->codes));
	text->origins = tn_arena_alloc_array(scratch, count, sizeof(*text->origins));
	text->clusters = tn_arena_alloc_array(scratch, count, sizeof(*text->clusters));
	text->cluster_of = tn_arena_alloc_array(scratch, count, sizeof(*text->cluster_of));
	text->runs = tn_arena_alloc_array(scratch, count, sizeof(*text->runs));
	return text->codes && text->origins && text->clusters && text->cluster_of && text->runs;
}

static bool tell_clusters(struct text *text)
{
	text->told = tn_arena_alloc_array(text->arena, text->cluster_count, sizeof(*text->told));
	for (size_t i = 0; text->told && i < text->cluster_count; i++) {
		text->clusters[i].script = script_of(text, &text->clusters[i]);
		text->told[i].first = (uint32_t)text->origins[text->clusters[i].first];
		text->told[i].breaks = breaks_before(text, i);
	}
	return text->told != NULL;
}

static bool set(struct text *text, const uint32_t *codes, size_t count)
{
	if (!make_room(text, count))
		return false;
	part(text, codes, count);
	if (!order(text) || !tell_clusters(text))
		return false;
	choose_fonts(text);
	make_runs(text);
	turn_runs(text);
	for (size_t i = 0; i < text->run_count; i++) {
		const struct run *run = &text->runs[i];

		if (!(text->clusters[run->first].font ? set_shaped : set_embedded)(text, run))
			return false;
	}
	return true;
}

static bool is_first_of(const struct text *text, size_t at)
{
	const char *family = text->clusters[at].font->face->family;

	for (size_t i = 0; i < at; i++)
		if (text->clusters[i].font &&
		    strcmp(text->clusters[i].font->face->family, family) == 0)
			return false;
	return true;
}

/* The first few, in order of reading. False: no memory. */
static bool tell_families(const struct text *text, const char **ret)
{
	int told = 0;

	for (size_t i = 0; i < text->cluster_count && told < FAMILIES_MAX; i++) {
		if (!text->clusters[i].font ||
		    (i > 0 && text->clusters[i].font == text->clusters[i - 1].font) ||
		    !is_first_of(text, i))
			continue;
		*ret = tn_arena_format(text->arena, "%s%s%s", told > 0 ? *ret : "",
				       told > 0 ? ", " : "", text->clusters[i].font->face->family);
		if (!*ret)
			return false;
		told++;
	}
	return true;
}

enum tenon_code shaping_set(struct tn_shaper *shaper, enum tn_draw_weight weight,
			    const uint32_t *codes, size_t count, struct tn_arena *arena,
			    struct tn_set_text *ret, struct tenon_error *err)
{
	struct text text = {.shaper = shaper, .weight = weight, .arena = arena};
	const char *families = NULL;
	bool ok, starved;

	*ret = (struct tn_set_text){.glyphs = NULL};
	tn_arena_init(&text.scratch, TN_SHAPING_SCRATCH_BYTES_MAX);
	ok = count == 0 || (set(&text, codes, count) && tell_families(&text, &families));
	starved = arena->starved || text.scratch.starved;
	tn_arena_finish(&text.scratch);
	if (!ok)
		return tn_fail(err, starved ? TENON_NO_MEMORY : TENON_LIMIT,
			       "no memory for the letters of a picture");
	*ret = (struct tn_set_text){.glyphs = text.glyphs,
				    .clusters = text.told,
				    .glyph_count = text.glyph_count,
				    .cluster_count = text.cluster_count,
				    .width = text.pen,
				    .leftward = text.leftward,
				    .families = families};
	return TENON_OK;
}
