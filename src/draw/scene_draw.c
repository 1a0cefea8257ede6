/* Scenes as pixels: in bands, so that memory does not grow with the picture; each pixel is the mean
 * of its samples, of which lines are those where planes change. */
#include "draw/scene.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "draw/limits.h"
#include "draw/scene_faces.h"

#define FINEST 4 /* samples in a pixel, either way */

/* ---- samples into pixels ---- */

/* Lines are where planes change. */
static bool differ(const struct tn_scene_band *band, uint32_t a, uint32_t b)
{
	const struct tn_scene_face *faces = band->scene->faces;

	if (a == b)
		return false;
	return a == TN_SCENE_NO_FACE || b == TN_SCENE_NO_FACE ||
	       !tn_scene_same_plane(&faces[a], &faces[b]);
}

static bool is_line(const struct tn_scene_band *band, int32_t x, int32_t row)
{
	const uint32_t *at = &band->face[(size_t)row * (size_t)band->stride + (size_t)x];
	int32_t right = x + band->reach < band->width ? band->reach : 0,
		down = band->first + row + band->reach < band->height ? band->reach : 0;

	return differ(band, at[0], at[right]) ||
	       differ(band, at[0], at[(size_t)down * (size_t)band->stride]);
}

struct sum {
	uint32_t rgb[3], count; /* of samples that are not the ground's */
};

static void add_sample(const struct tn_scene_band *band, int32_t x, int32_t row, struct sum *sum)
{
	uint32_t face = band->face[(size_t)row * (size_t)band->stride + (size_t)x];
	const uint8_t *rgb = is_line(band, x, row)      ? band->line
			     : face == TN_SCENE_NO_FACE ? NULL
							: band->scene->faces[face].rgb;

	if (!rgb)
		return;
	for (unsigned i = 0; i < 3; i++)
		sum->rgb[i] += rgb[i];
	sum->count++;
}

static void mix_pixel(const struct tn_scene_band *band, uint8_t *pixel, int32_t x, int32_t row)
{
	uint32_t all = band->fine * band->fine;
	struct sum sum = {{0, 0, 0}, 0};

	for (int32_t i = 0; i < (int32_t)all; i++)
		add_sample(band, x + i % (int32_t)band->fine, row + i / (int32_t)band->fine, &sum);
	for (unsigned i = 0; i < 3 && sum.count > 0; i++)
		pixel[i] = (uint8_t)((sum.rgb[i] + pixel[i] * (all - sum.count) + all / 2) / all);
}

static void put_pixels(const struct tn_scene_band *band, int32_t rows)
{
	int32_t fine = (int32_t)band->fine;

	for (int32_t row = 0; row < rows && band->first + row < band->height; row += fine) {
		uint8_t *pixel = band->raster->pixels +
				 (size_t)((band->first + row) / fine) * band->raster->width * 4;

		for (int32_t x = 0; x < band->width; x += fine, pixel += 4)
			mix_pixel(band, pixel, x, row);
	}
}

static void look_at_marks(const struct tn_scene_band *band, int32_t rows)
{
	struct tn_scene *scene = band->scene;

	for (size_t i = 0; i < scene->mark_count; i++) {
		struct tn_scene_mark *mark = &scene->marks[i];
		double x = floor(mark->at.x * band->fine),
		       row = floor(mark->at.y * band->fine) - band->first;

		if (x < 0 || x >= band->width || row < 0 || row >= rows ||
		    row + band->first >= band->height)
			continue;
		mark->seen = band->nearness[(size_t)row * (size_t)band->stride + (size_t)x] <=
			     mark->nearness;
	}
}

/* ---- all bands ---- */

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_plane(const void *left, const void *right)
{
	const struct tn_scene_face *a = left, *b = right;
	int order = compare(a->a, b->a);

	if (order == 0)
		order = compare(a->b, b->b);
	return order != 0 ? order : compare(a->c, b->c);
}

static int by_nearness(const void *left, const void *right)
{
	const struct tn_scene_face *a = left, *b = right;
	int order = compare(b->nearest, a->nearest);

	if (order == 0)
		order = by_plane(a, b);
	return order != 0 ? order : compare(b->number, a->number);
}

/* The faces of one plane count as near as the nearest of them. */
static void sort_faces(struct tn_scene *scene)
{
	struct tn_scene_face *faces = scene->faces;
	size_t count = scene->face_count;

	if (count == 0)
		return;
	qsort(faces, count, sizeof(*faces), by_plane);
	for (size_t first = 0, end; first < count; first = end) {
		double nearest = -INFINITY;

		for (end = first; end < count && tn_scene_same_plane(&faces[first], &faces[end]);
		     end++)
			nearest = fmax(nearest, faces[end].nearest);
		for (size_t i = first; i < end; i++)
			faces[i].nearest = nearest;
	}
	qsort(faces, count, sizeof(*faces), by_nearness);
}

/* As fine as there is time for. */
static uint32_t how_fine(const struct tn_scene *scene)
{
	double pixels = scene->width * scene->height, area = 0;
	uint32_t fine = FINEST;

	for (size_t i = 0; i < scene->face_count; i++) {
		const struct tn_scene_face *face = &scene->faces[i];

		area += (face->right - face->left) * (face->bottom - face->top) / 2;
	}
	while (fine > 1 && (pixels * fine * fine > TN_SCENE_SAMPLES_MAX ||
			    area * fine * fine > TN_SCENE_WORK_MAX))
		fine--;
	return fine;
}

static void draw_bands(struct tn_scene_band *band)
{
	int32_t rows =
		TN_SCENE_BAND_TILES * TN_SCENE_TILE / (int32_t)band->fine * (int32_t)band->fine;

	for (band->first = 0; band->first < band->height && band->work <= TN_SCENE_WORK_MAX;
	     band->first += rows) {
		tn_scene_fill_band(band);
		look_at_marks(band, rows);
		put_pixels(band, rows);
	}
}

static bool prepare(struct tn_scene_band *band, double line)
{
	size_t samples;

	band->width = (int32_t)(band->raster->width * band->fine);
	band->height = (int32_t)(band->raster->height * band->fine);
	band->stride = (band->width + TN_SCENE_TILE - 1) / TN_SCENE_TILE * TN_SCENE_TILE;
	band->reach = (int32_t)fmin(fmax(floor(line * band->fine + 0.5), 1), TN_SCENE_TILE);
	band->rows = TN_SCENE_ROWS * TN_SCENE_TILE;
	samples = (size_t)band->stride * (size_t)band->rows;
	band->nearness = tn_mem_alloc_array(samples, sizeof(*band->nearness));
	band->face = tn_mem_alloc_array(samples, sizeof(*band->face));
	band->tiles = tn_mem_alloc_array(samples / ((size_t)TN_SCENE_TILE * TN_SCENE_TILE),
					 sizeof(*band->tiles));
	band->blocks =
		tn_mem_alloc_array((size_t)band->stride / (TN_SCENE_COLUMNS * TN_SCENE_TILE) + 1,
				   sizeof(*band->blocks));
	band->next = tn_mem_alloc_array(samples + (size_t)band->rows, sizeof(*band->next));
	return band->nearness && band->face && band->tiles && band->blocks && band->next;
}

enum tenon_code tn_scene_draw(struct tn_scene *scene, struct tn_raster *raster,
			      tn_colour line_colour, double line, struct tenon_error *err)
{
	struct tn_scene_band band = {.scene = scene, .raster = raster, .fine = how_fine(scene)};

	for (unsigned i = 0; i < 3; i++)
		band.line[i] = (uint8_t)(line_colour >> (24 - 8 * i));
	if (scene->failed == TENON_OK && !prepare(&band, line))
		scene->failed = TENON_NO_MEMORY;
	if (scene->failed == TENON_OK) {
		sort_faces(scene);
		draw_bands(&band);
		if (band.work > TN_SCENE_WORK_MAX)
			scene->failed = TENON_LIMIT;
	}
	tn_mem_free(band.nearness);
	tn_mem_free(band.face);
	tn_mem_free(band.tiles);
	tn_mem_free(band.blocks);
	tn_mem_free(band.next);
	if (scene->failed == TENON_OK)
		return TENON_OK;
	return scene->failed == TENON_LIMIT
		       ? tn_fail(err, TENON_LIMIT,
				 "too many faces lie before each other for a picture of this size")
		       : tn_fail(err, TENON_NO_MEMORY, "no memory for a picture");
}
