/* Scenes as pixels: in bands, every sample keeps the nearest face; then each pixel is the mean of
 * its samples.
 *
 * Faces come nearest first, those of one plane together and the last of them first; tiles of
 * samples and blocks of tiles know what covers them, so that what is hidden costs a look at its
 * blocks. */
#include "draw/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "draw/scene_work.h"

enum {
	TILE = 16,             /* samples, either way */
	BAND_TILES = 4,        /* from top to bottom, without what lines need below */
	ROWS = BAND_TILES + 1, /* of tiles, with that */
	COLUMNS = 4,           /* of tiles in a block, which is as high as the band */
	FINEST = 4,            /* samples in a pixel, either way */
	CROWD = 8              /* faces of one plane: from here on each sample is visited once */
};
#define NO_FACE UINT32_MAX

struct tile {
	const struct tn_scene_face *cover; /* covers it whole; NULL: none does */
	double farthest;                   /* of all its samples at least this */
};

struct block {             /* of tiles */
	struct tile whole; /* cover: the first of them all; NULL: they are of several planes */
	bool known;        /* otherwise to be found again */
	bool open;         /* the face that is drawn may be seen in it */
};

struct span { /* of a row of samples: first <= sample < end */
	int32_t first, end;
};

struct band {
	struct tn_scene *scene;
	struct tn_raster *raster;
	uint32_t fine;         /* samples in a pixel, either way */
	int32_t width, height; /* of the picture, in samples */
	int32_t first, rows;   /* samples, with those that lines need below */
	int32_t stride;        /* of tiles whole */
	int32_t reach;         /* of a line, in samples */
	double *nearness;      /* by sample */
	uint32_t *face;        /* by sample: index, NO_FACE */
	struct tile *tiles;
	struct block *blocks; /* from left to right */
	int32_t *next;        /* of a crowd, by sample: itself or one further right, unvisited */
	double work;          /* samples looked at, and tiles */
	uint8_t line[3];
};

/* ---- faces into samples ---- */

static double nearness_at(const struct tn_scene_face *face, double x, double y)
{
	return face->a + face->b * x + face->c * y;
}

/* The most or the least of it in an area of samples. */
static double extreme_in(const struct band *band, const struct tn_scene_face *face,
			 const struct tn_point size, double x, double y, bool most)
{
	return nearness_at(face, (x + ((face->b > 0) == most ? size.x : 0)) / band->fine,
			   (y + ((face->c > 0) == most ? size.y : 0)) / band->fine);
}

static bool same_plane(const struct tn_scene_face *a, const struct tn_scene_face *b)
{
	return a->a == b->a && a->b == b->b && a->c == b->c;
}

static bool is_hidden(const struct band *band, const struct tn_scene_face *face,
		      const struct tile *tile, struct tn_point size, double x, double y)
{
	if (tile->cover && same_plane(tile->cover, face) && tile->cover->number > face->number)
		return true;
	return extreme_in(band, face, size, x, y, true) < tile->farthest;
}

/* Tiles of a block that are in the picture. */
static void find_block(struct band *band, int32_t index)
{
	struct block *block = &band->blocks[index];
	struct tile *whole = &block->whole;
	int32_t columns = band->stride / TILE;
	bool one_plane = true;

	*whole = (struct tile){.farthest = INFINITY};
	for (int32_t i = 0; i < ROWS * COLUMNS; i++) {
		int32_t column = index * COLUMNS + i % COLUMNS, row = i / COLUMNS;
		const struct tile *tile = &band->tiles[row * columns + column];

		if (column >= columns || band->first + row * TILE >= band->height)
			continue;
		whole->farthest = fmin(whole->farthest, tile->farthest);
		one_plane = one_plane && tile->cover &&
			    (!whole->cover || same_plane(tile->cover, whole->cover));
		if (one_plane && (!whole->cover || tile->cover->number < whole->cover->number))
			whole->cover = tile->cover;
	}
	if (!one_plane)
		whole->cover = NULL;
	block->known = true;
}

/* False: a face is seen in none of them. */
static bool open_blocks(struct band *band, const struct tn_scene_face *face)
{
	const struct tn_point size = {COLUMNS * TILE, ROWS * TILE};
	int32_t block = (int32_t)(face->left * band->fine) / (COLUMNS * TILE);
	bool open = false;

	for (; block * COLUMNS * TILE < band->stride &&
	       block * COLUMNS * TILE < face->right * band->fine;
	     block++) {
		struct block *at = &band->blocks[block];

		if (!at->known)
			find_block(band, block);
		at->open = !is_hidden(band, face, &at->whole, size, block * COLUMNS * TILE,
				      band->first);
		open = open || at->open;
		band->work += 4;
	}
	return open;
}

static void put_sample(struct band *band, const struct tn_scene_face *face, size_t at,
		       double nearness)
{
	if (nearness < band->nearness[at])
		return;
	if (nearness == band->nearness[at] && band->face[at] != NO_FACE &&
	    band->scene->faces[band->face[at]].number > face->number)
		return;
	band->nearness[at] = nearness;
	band->face[at] = (uint32_t)(face - band->scene->faces);
}

static void fill_row(struct band *band, const struct tn_scene_face *face, int32_t row,
		     struct span span)
{
	size_t at = (size_t)row * (size_t)band->stride + (size_t)span.first;
	double step = face->b / band->fine,
	       base = nearness_at(face, 0, (band->first + row + 0.5) / band->fine);

	for (int32_t x = span.first; x < span.end; x++, at++)
		put_sample(band, face, at, base + step * (x + 0.5));
}

static void cover_tile(struct band *band, const struct tn_scene_face *face, int32_t column,
		       int32_t row)
{
	struct tile *tile = &band->tiles[row / TILE * (band->stride / TILE) + column];
	const struct tn_point size = {TILE, TILE};
	double farthest = extreme_in(band, face, size, column * TILE, band->first + row, false);

	if (tile->cover && farthest < tile->farthest)
		return;
	*tile = (struct tile){.cover = face, .farthest = farthest};
	band->blocks[column / COLUMNS].known = false;
}

/* The part of a face in one tile: the rows' spans are of all samples from left to right. */
static void fill_tile(struct band *band, const struct tn_scene_face *face,
		      const struct span spans[TILE], int32_t column, int32_t row)
{
	const struct tile *tile = &band->tiles[row / TILE * (band->stride / TILE) + column];
	int32_t left = column * TILE, right = left + TILE;
	const struct tn_point size = {TILE, TILE};
	bool whole = true;

	band->work += 4;
	if (is_hidden(band, face, tile, size, left, band->first + row))
		return;
	for (int32_t i = 0; i < TILE; i++) {
		struct span span = spans[i];

		whole = whole && span.first <= left && span.end >= right;
		span.first = span.first > left ? span.first : left;
		span.end = span.end < right ? span.end : right;
		if (span.first < span.end) {
			fill_row(band, face, row + i, span);
			band->work += span.end - span.first;
		}
	}
	if (whole)
		cover_tile(band, face, column, row);
}

struct crossing { /* of rows of samples with the edges of a face, in samples */
	double left[TILE], right[TILE];
};

static void cross(struct crossing *crossing, int32_t row, struct tn_point a, struct tn_point b,
		  double fine)
{
	double step, x;
	int32_t from, to;

	if (a.y > b.y) { /* the same numbers for both faces that have this edge */
		struct tn_point swap = a;

		a = b;
		b = swap;
	}
	from = (int32_t)ceil(a.y * fine - 0.5) - row;
	to = (int32_t)ceil(b.y * fine - 0.5) - row;
	from = from > 0 ? from : 0;
	to = to < TILE ? to : TILE;
	if (from >= to)
		return;
	step = (b.x - a.x) / (b.y - a.y);
	for (int32_t i = from; i < to; i++) {
		x = (a.x + ((row + i + 0.5) / fine - a.y) * step) * fine - 0.5;
		if (x < crossing->left[i])
			crossing->left[i] = x;
		if (x > crossing->right[i])
			crossing->right[i] = x;
	}
}

/* Which samples of rows are in a face: those whose middles are. */
static void find_spans(const struct band *band, const struct tn_scene_face *face, int32_t row,
		       struct span spans[TILE])
{
	const struct tn_point *corners = band->scene->corners + face->first_corner;
	struct crossing crossing;

	for (int32_t i = 0; i < TILE; i++) {
		crossing.left[i] = INFINITY;
		crossing.right[i] = -INFINITY;
	}
	for (unsigned i = 0, count = face->corner_count; i < count; i++)
		cross(&crossing, band->first + row, corners[i], corners[i + 1 < count ? i + 1 : 0],
		      band->fine);
	for (int32_t i = 0; i < TILE; i++) {
		double left = crossing.left[i], right = crossing.right[i];

		spans[i] = (struct span){0, 0};
		if (left >= right)
			continue;
		left = left > -0.5 ? left : -0.5;
		right = right < band->width - 0.5 ? right : band->width - 0.5;
		spans[i] = (struct span){(int32_t)ceil(left), (int32_t)ceil(right)};
	}
}

static void fill_tile_row(struct band *band, const struct tn_scene_face *face, int32_t row)
{
	struct span spans[TILE], all = {INT32_MAX, 0};

	find_spans(band, face, row, spans);
	for (int32_t i = 0; i < TILE; i++) {
		if (spans[i].first >= spans[i].end)
			continue;
		all.first = spans[i].first < all.first ? spans[i].first : all.first;
		all.end = spans[i].end > all.end ? spans[i].end : all.end;
	}
	for (int32_t x = all.first / TILE; x * TILE < all.end; x++)
		if (band->blocks[x / COLUMNS].open)
			fill_tile(band, face, spans, x, row);
}

static void fill_face(struct band *band, const struct tn_scene_face *face)
{
	double top = face->top * band->fine - band->first,
	       bottom = face->bottom * band->fine - band->first;

	if (bottom <= 0 || top >= band->rows || !open_blocks(band, face))
		return;
	for (int32_t row = top > 0 ? (int32_t)top / TILE * TILE : 0;
	     row < band->rows && row < bottom; row += TILE)
		fill_tile_row(band, face, row);
}

/* ---- crowds: many faces of one plane, the last first ---- */

struct area { /* of samples, in whole tiles */
	int32_t left, right, top, bottom;
};

static struct area area_of(const struct band *band, size_t first, size_t end)
{
	struct area area = {INT32_MAX, 0, INT32_MAX, 0};

	for (size_t i = first; i < end; i++) {
		const struct tn_scene_face *face = &band->scene->faces[i];
		double top = face->top * band->fine - band->first,
		       bottom = face->bottom * band->fine - band->first;
		int32_t left = (int32_t)(face->left * band->fine),
			right = (int32_t)ceil(face->right * band->fine);

		if (bottom <= 0 || top >= band->rows)
			continue;
		area.left = left < area.left ? left : area.left;
		area.right = right > area.right ? right : area.right;
		area.top = top < area.top ? (int32_t)fmax(top, 0) : area.top;
		area.bottom = bottom > area.bottom ? (int32_t)ceil(bottom) : area.bottom;
	}
	area.left = area.left / TILE * TILE;
	area.top = area.top / TILE * TILE;
	area.right = (area.right + TILE - 1) / TILE * TILE;
	area.bottom = (area.bottom + TILE - 1) / TILE * TILE;
	area.right = area.right < band->stride ? area.right : band->stride;
	area.bottom = area.bottom < band->rows ? area.bottom : band->rows;
	return area;
}

/* Rows have one more place, which is never visited. */
static int32_t *next_of(const struct band *band, int32_t row)
{
	return band->next + (size_t)row * ((size_t)band->stride + 1);
}

static int32_t unvisited(int32_t *next, int32_t x)
{
	while (next[x] != x) {
		next[x] = next[next[x]];
		x = next[x];
	}
	return x;
}

static void fill_unvisited(struct band *band, const struct tn_scene_face *face, int32_t row,
			   struct span span)
{
	int32_t *next = next_of(band, row);
	struct span part;

	band->work += 4;
	while (span.first < span.end && (part.first = unvisited(next, span.first)) < span.end) {
		for (part.end = part.first; part.end < span.end && next[part.end] == part.end;)
			next[part.end++] = span.end;
		fill_row(band, face, row, part);
		band->work += part.end - part.first;
		span.first = part.end;
	}
}

static void cover_tiles(struct band *band, const struct tn_scene_face *face,
			const struct area *area)
{
	for (int32_t row = area->top; row < area->bottom; row += TILE)
		for (int32_t left = area->left; left < area->right; left += TILE) {
			int32_t i = 0;

			while (i < TILE && unvisited(next_of(band, row + i), left) >= left + TILE)
				i++;
			if (i == TILE)
				cover_tile(band, face, left / TILE, row);
		}
}

static void fill_crowd(struct band *band, size_t first, size_t end)
{
	const struct area area = area_of(band, first, end);

	if (area.left >= area.right || area.top >= area.bottom)
		return;
	for (int32_t row = area.top; row < area.bottom; row++) {
		int32_t *next = next_of(band, row);

		for (int32_t x = area.left; x <= area.right; x++)
			next[x] = x;
	}
	for (size_t i = first; i < end; i++) {
		const struct tn_scene_face *face = &band->scene->faces[i];
		double top = face->top * band->fine - band->first,
		       bottom = face->bottom * band->fine - band->first;

		if (bottom <= 0 || top >= band->rows || !open_blocks(band, face))
			continue;
		for (int32_t row = top > 0 ? (int32_t)top / TILE * TILE : 0;
		     row < band->rows && row < bottom; row += TILE) {
			struct span spans[TILE];

			find_spans(band, face, row, spans);
			for (int32_t k = 0; k < TILE; k++)
				fill_unvisited(band, face, row + k, spans[k]);
		}
	}
	cover_tiles(band, &band->scene->faces[end - 1], &area);
}

static void fill_band(struct band *band)
{
	size_t samples = (size_t)band->stride * (size_t)band->rows,
	       tiles = samples / ((size_t)TILE * TILE), count = band->scene->face_count;
	const struct tn_scene_face *faces = band->scene->faces;

	for (size_t i = 0; i < samples; i++)
		band->nearness[i] = -INFINITY;
	memset(band->face, 0xFF, samples * sizeof(*band->face));
	for (size_t i = 0; i < tiles; i++)
		band->tiles[i] = (struct tile){.farthest = -INFINITY};
	for (int32_t i = 0; i * COLUMNS * TILE < band->stride; i++)
		band->blocks[i].known = false;
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && same_plane(&faces[first], &faces[end]);)
			end++;
		if (end - first >= CROWD)
			fill_crowd(band, first, end);
		else
			for (size_t i = first; i < end; i++)
				fill_face(band, &faces[i]);
	}
}

/* ---- samples into pixels ---- */

/* Lines are where planes change. */
static bool differ(const struct band *band, uint32_t a, uint32_t b)
{
	const struct tn_scene_face *faces = band->scene->faces;

	if (a == b)
		return false;
	return a == NO_FACE || b == NO_FACE || !same_plane(&faces[a], &faces[b]);
}

static bool is_line(const struct band *band, int32_t x, int32_t row)
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

static void add_sample(const struct band *band, int32_t x, int32_t row, struct sum *sum)
{
	uint32_t face = band->face[(size_t)row * (size_t)band->stride + (size_t)x];
	const uint8_t *rgb = is_line(band, x, row) ? band->line
			     : face == NO_FACE     ? NULL
						   : band->scene->faces[face].rgb;

	if (!rgb)
		return;
	for (unsigned i = 0; i < 3; i++)
		sum->rgb[i] += rgb[i];
	sum->count++;
}

static void mix_pixel(const struct band *band, uint8_t *pixel, int32_t x, int32_t row)
{
	uint32_t all = band->fine * band->fine;
	struct sum sum = {{0, 0, 0}, 0};

	for (int32_t i = 0; i < (int32_t)all; i++)
		add_sample(band, x + i % (int32_t)band->fine, row + i / (int32_t)band->fine, &sum);
	for (unsigned i = 0; i < 3 && sum.count > 0; i++)
		pixel[i] = (uint8_t)((sum.rgb[i] + pixel[i] * (all - sum.count) + all / 2) / all);
}

static void put_pixels(const struct band *band, int32_t rows)
{
	int32_t fine = (int32_t)band->fine;

	for (int32_t row = 0; row < rows && band->first + row < band->height; row += fine) {
		uint8_t *pixel = band->raster->pixels +
				 (size_t)((band->first + row) / fine) * band->raster->width * 4;

		for (int32_t x = 0; x < band->width; x += fine, pixel += 4)
			mix_pixel(band, pixel, x, row);
	}
}

static void look_at_marks(const struct band *band, int32_t rows)
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

		for (end = first; end < count && same_plane(&faces[first], &faces[end]); end++)
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

static void draw_bands(struct band *band)
{
	int32_t rows = BAND_TILES * TILE / (int32_t)band->fine * (int32_t)band->fine;

	for (band->first = 0; band->first < band->height && band->work <= TN_SCENE_WORK_MAX;
	     band->first += rows) {
		fill_band(band);
		look_at_marks(band, rows);
		put_pixels(band, rows);
	}
}

static bool prepare(struct band *band, double line)
{
	size_t samples;

	band->width = (int32_t)(band->raster->width * band->fine);
	band->height = (int32_t)(band->raster->height * band->fine);
	band->stride = (band->width + TILE - 1) / TILE * TILE;
	band->reach = (int32_t)fmin(fmax(floor(line * band->fine + 0.5), 1), TILE);
	band->rows = ROWS * TILE;
	samples = (size_t)band->stride * (size_t)band->rows;
	band->nearness = tn_mem_alloc_array(samples, sizeof(*band->nearness));
	band->face = tn_mem_alloc_array(samples, sizeof(*band->face));
	band->tiles = tn_mem_alloc_array(samples / ((size_t)TILE * TILE), sizeof(*band->tiles));
	band->blocks = tn_mem_alloc_array((size_t)band->stride / (COLUMNS * TILE) + 1,
					  sizeof(*band->blocks));
	band->next = tn_mem_alloc_array(samples + (size_t)band->rows, sizeof(*band->next));
	return band->nearness && band->face && band->tiles && band->blocks && band->next;
}

enum tenon_code tn_scene_draw(struct tn_scene *scene, struct tn_raster *raster,
			      tn_colour line_colour, double line, struct tenon_error *err)
{
	struct band band = {.scene = scene, .raster = raster, .fine = how_fine(scene)};

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
