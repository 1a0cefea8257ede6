/* Glyphs of the machine's fonts: outlines as the font has them, unhinted, and pictures of those
 * that have colours of their own. A font may be broken or made to harm: every glyph has its bounds.
 */
#include <hb-ot.h>
#include <math.h>
#include <png.h>
#include <string.h>

#include "draw/font.h"
#include "plugins/shaping.h"

/* ---- outlines ---- */

struct outline {
	struct tn_glyph_step *steps; /* TN_SHAPING_STEPS_MAX in a list that grows */
	size_t count, room;
	struct tn_arena *arena;
	bool broken, starved;
};

/* Places far outside are a broken font's. */
static int32_t place(struct outline *outline, float value)
{
	if (!(value > -32.0f * TN_FONT_EM && value < 32.0f * TN_FONT_EM)) {
		outline->broken = true;
		return 0;
	}
	return (int32_t)floorf(value + 0.5f);
}

static void add(struct outline *outline, enum tn_glyph_kind kind, const float *at, size_t count)
{
	struct tn_glyph_step *step;

	if (outline->count == TN_SHAPING_STEPS_MAX)
		outline->broken = true;
	if (outline->broken || outline->starved)
		return;
	if (outline->count == outline->room) {
		size_t room = outline->room > 0 ? 2 * outline->room : 64;
		struct tn_glyph_step *more =
			tn_arena_alloc_array(outline->arena, room, sizeof(*more));

		if (!more) {
			outline->starved = true;
			return;
		}
		if (outline->count > 0)
			memcpy(more, outline->steps, outline->count * sizeof(*more));
		outline->steps = more;
		outline->room = room;
	}
	step = &outline->steps[outline->count++];
	step->kind = kind;
	for (size_t i = 0; i < count; i++)
		step->at[i] = i % 2 ? -place(outline, at[i]) : place(outline, at[i]);
}

static void on_move(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float x, float y,
		    void *user)
{
	(void)funcs;
	(void)state;
	(void)user;
	add(data, TN_GLYPH_MOVE, (const float[]){x, y}, 2);
}

static void on_line(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float x, float y,
		    void *user)
{
	(void)funcs;
	(void)state;
	(void)user;
	add(data, TN_GLYPH_LINE, (const float[]){x, y}, 2);
}

static void on_quadratic(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float cx,
			 float cy, float x, float y, void *user)
{
	(void)funcs;
	(void)state;
	(void)user;
	add(data, TN_GLYPH_QUADRATIC, (const float[]){cx, cy, x, y}, 4);
}

static void on_cubic(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float ax, float ay,
		     float bx, float by, float x, float y, void *user)
{
	(void)funcs;
	(void)state;
	(void)user;
	add(data, TN_GLYPH_CUBIC, (const float[]){ax, ay, bx, by, x, y}, 6);
}

hb_draw_funcs_t *shaping_pen_create(void)
{
	hb_draw_funcs_t *pen = hb_draw_funcs_create();

	hb_draw_funcs_set_move_to_func(pen, on_move, NULL, NULL);
	hb_draw_funcs_set_line_to_func(pen, on_line, NULL, NULL);
	hb_draw_funcs_set_quadratic_to_func(pen, on_quadratic, NULL, NULL);
	hb_draw_funcs_set_cubic_to_func(pen, on_cubic, NULL, NULL);
	hb_draw_funcs_make_immutable(pen);
	return pen;
}

static bool take_outline(const struct tn_shaper *shaper, hb_font_t *font, uint32_t id,
			 struct tn_arena *arena, struct tn_glyph *ret)
{
	struct outline outline = {.arena = arena};

#if HB_VERSION_ATLEAST(7, 0, 0)
	hb_font_draw_glyph(font, id, shaper->pen, &outline);
#else
	hb_font_get_glyph_shape(font, id, shaper->pen, &outline);
#endif
	if (outline.starved)
		return false;
	if (!outline.broken) {
		ret->steps = outline.steps;
		ret->step_count = outline.count;
	}
	return true;
}

/* ---- pictures ---- */

static bool unpack(struct tn_arena *arena, struct tn_str png, struct tn_glyph_image *ret,
		   bool *starved)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	uint8_t *pixels = NULL;
	bool ok;

	if (!png_image_begin_read_from_memory(&image, png.data, png.size))
		return false;
	ok = image.width > 0 && image.height > 0 && image.width <= TN_SHAPING_IMAGE_SIDE_MAX &&
	     image.height <= TN_SHAPING_IMAGE_SIDE_MAX;
	image.format = PNG_FORMAT_RGBA;
	if (ok) {
		pixels = tn_arena_alloc(arena, PNG_IMAGE_SIZE(image));
		*starved = !pixels;
	}
	ok = pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL);
	ret->pixels = pixels;
	ret->columns = image.width;
	ret->rows = image.height;
	png_image_free(&image);
	return ok;
}

/* A picture that cannot be read leaves the glyph empty. False: no memory. */
static bool take_image(hb_font_t *font, uint32_t id, hb_blob_t *blob, struct tn_arena *arena,
		       struct tn_glyph *ret)
{
	struct tn_glyph_image *image;
	hb_glyph_extents_t extents;
	unsigned size = 0;
	const char *bytes = hb_blob_get_data(blob, &size), *copy;
	bool starved = false;

	if (size > TN_SHAPING_IMAGE_BYTES_MAX || !hb_font_get_glyph_extents(font, id, &extents) ||
	    extents.width <= 0 || extents.height >= 0 || extents.width > 32 * TN_FONT_EM ||
	    extents.height < -32 * TN_FONT_EM)
		return true;
	image = tn_arena_alloc(arena, sizeof(*image));
	copy = tn_arena_copy(arena, tn_str(bytes, size));
	if (!image || !copy)
		return false;
	*image = (struct tn_glyph_image){.x = extents.x_bearing,
					 .y = -extents.y_bearing,
					 .width = extents.width,
					 .height = -extents.height,
					 .png = tn_str(copy, size)};
	if (unpack(arena, image->png, image, &starved))
		ret->image = image;
	return !starved;
}

/* Blanks are empty in every font; of a font of layers there is nothing to tell them by but the
 * embedded font, which has them. */
bool shaping_is_drawn(const struct tn_shaper *shaper, const struct shaping_open *font, uint32_t id)
{
	struct tn_arena scratch;
	struct tn_glyph glyph = {.steps = NULL};

	if (!font->face->layers)
		return true;
	tn_arena_init(&scratch, TN_SHAPING_SCRATCH_BYTES_MAX);
	(void)take_outline(shaper, font->font, id, &scratch, &glyph);
	tn_arena_finish(&scratch);
	return glyph.step_count > 0;
}

enum tenon_code shaping_glyph(struct tn_shaper *shaper, uint32_t font, uint32_t id,
			      struct tn_arena *arena, struct tn_glyph *ret, struct tenon_error *err)
{
	const struct shaping_open *open = shaper->used[font - 1];
	hb_font_t *from = open->font;
	hb_blob_t *blob = hb_ot_color_glyph_reference_png(from, id);
	bool ok;

	*ret = (struct tn_glyph){.font = font, .id = id};
	if (hb_blob_get_length(blob) > 0)
		ok = take_image(from, id, blob, arena, ret);
	else
		ok = take_outline(shaper, from, id, arena, ret);
	hb_blob_destroy(blob);
	if (open->reader.changed)
		return tn_fail(err, TENON_BUSY, "a font changed while a picture was made with it");
	return ok ? TENON_OK
		  : tn_fail(err, arena->starved ? TENON_NO_MEMORY : TENON_LIMIT,
			    "no memory for the picture's letters");
}
