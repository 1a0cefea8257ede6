#include "draw/raster_image.h"

#include <math.h>

enum { SAMPLES_MAX = 8 }; /* a pixel, in each direction */

struct laying {
	const struct tn_glyph_image *image;
	double ax, bx, x, ay, by, y; /* from a place in pixels to one in the image */
	unsigned samples;
	uint32_t left, top, right, bottom; /* pixels that it may cover */
};

/* ---- where ---- */

static uint32_t clamp(double value, uint32_t most)
{
	return value <= 0 ? 0 : value >= most ? most : (uint32_t)value;
}

static void find_bounds(struct laying *laying, const struct tn_raster *raster,
			const struct tn_outline *where)
{
	const struct tn_glyph_image *image = laying->image;
	double low_x = HUGE_VAL, low_y = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL;

	for (int corner = 0; corner < 4; corner++) {
		double u = image->x + (corner & 1 ? image->width : 0),
		       v = image->y + (corner & 2 ? image->height : 0);
		double x = where->ax * u + where->bx * v + where->x,
		       y = where->ay * u + where->by * v + where->y;

		low_x = fmin(low_x, x);
		low_y = fmin(low_y, y);
		high_x = fmax(high_x, x);
		high_y = fmax(high_y, y);
	}
	laying->left = clamp(floor(low_x), raster->width);
	laying->top = clamp(floor(low_y), raster->height);
	laying->right = clamp(ceil(high_x), raster->width);
	laying->bottom = clamp(ceil(high_y), raster->height);
}

/* False: it is so small that nothing of it is seen. */
static bool turn_back(struct laying *laying, const struct tn_outline *where)
{
	const struct tn_glyph_image *image = laying->image;
	double whole = where->ax * where->by - where->bx * where->ay;
	double wide = image->columns / (double)image->width,
	       high = image->rows / (double)image->height, step;

	if (!(fabs(whole) > 1e-12))
		return false;
	laying->ax = where->by / whole * wide;
	laying->bx = -where->bx / whole * wide;
	laying->x = -(laying->ax * where->x + laying->bx * where->y) - image->x * wide;
	laying->ay = -where->ay / whole * high;
	laying->by = where->ax / whole * high;
	laying->y = -(laying->ay * where->x + laying->by * where->y) - image->y * high;
	step = fmax(fabs(laying->ax) + fabs(laying->bx), fabs(laying->ay) + fabs(laying->by));
	laying->samples = step >= SAMPLES_MAX ? SAMPLES_MAX : (unsigned)ceil(fmax(1, step));
	return true;
}

/* ---- colours ---- */

struct sum { /* multiplied by alpha; of each 0 to 255 */
	double red, green, blue, alpha;
};

static void add_texel(struct sum *sum, const struct tn_glyph_image *image, double column,
		      double row, double share)
{
	const uint8_t *at;
	double alpha;

	if (share <= 0 || column < 0 || row < 0 || column >= image->columns || row >= image->rows)
		return;
	at = image->pixels + 4 * ((size_t)row * image->columns + (size_t)column);
	alpha = at[3] * share;
	sum->red += at[0] * alpha / 255;
	sum->green += at[1] * alpha / 255;
	sum->blue += at[2] * alpha / 255;
	sum->alpha += alpha;
}

/* Between the four nearest; outside it is clear. */
static void add_sample(struct sum *sum, const struct laying *laying, double x, double y)
{
	double u = laying->ax * x + laying->bx * y + laying->x - 0.5,
	       v = laying->ay * x + laying->by * y + laying->y - 0.5;
	double column = floor(u), row = floor(v), right = u - column, below = v - row;

	add_texel(sum, laying->image, column, row, (1 - right) * (1 - below));
	add_texel(sum, laying->image, column + 1, row, right * (1 - below));
	add_texel(sum, laying->image, column, row + 1, (1 - right) * below);
	add_texel(sum, laying->image, column + 1, row + 1, right * below);
}

static uint8_t over(double above, uint8_t below, double alpha)
{
	double value = above + below * (1 - alpha);

	return value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

static void put_pixel(struct tn_raster *raster, const struct laying *laying, uint32_t x, uint32_t y,
		      double share)
{
	uint8_t *at = raster->pixels + 4 * ((size_t)y * raster->width + x);
	struct sum sum = {0, 0, 0, 0};
	double alpha;

	for (unsigned i = 0; i < laying->samples; i++)
		for (unsigned k = 0; k < laying->samples; k++)
			add_sample(&sum, laying, x + (k + 0.5) / laying->samples,
				   y + (i + 0.5) / laying->samples);
	share /= (double)laying->samples * laying->samples;
	alpha = sum.alpha * share / 255;
	at[0] = over(sum.red * share, at[0], alpha);
	at[1] = over(sum.green * share, at[1], alpha);
	at[2] = over(sum.blue * share, at[2], alpha);
	at[3] = over(sum.alpha * share, at[3], alpha);
}

void tn_raster_put_image(struct tn_raster *raster, const struct tn_glyph_image *image,
			 const struct tn_outline *where, unsigned alpha)
{
	struct laying laying = {.image = image};

	if (alpha == 0 || !turn_back(&laying, where))
		return;
	find_bounds(&laying, raster, where);
	for (uint32_t y = laying.top; y < laying.bottom; y++)
		for (uint32_t x = laying.left; x < laying.right; x++)
			put_pixel(raster, &laying, x, y, alpha / 255.0);
}
