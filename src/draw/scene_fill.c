/* Faces into samples: every sample of a band keeps the nearest.
 *
 * Tiles of samples and blocks of tiles know what covers them, so that what is hidden costs a look
 * at its blocks. */
#include <math.h>
#include <string.h>

#include "draw/scene_faces.h"

#define CROWD 8 /* faces of one plane: from here on each sample is visited once */

struct span { /* of a row of samples: first <= sample < end */
	int32_t first, end;
};

static double nearness_at(const struct tn_scene_face *face, double x, double y)
{
	return face->a + face->b * x + face->c * y;
}

/* The most or the least of it in an area of samples. */
static double extreme_in(const struct tn_scene_band *band, const struct tn_scene_face *face,
			 const struct tn_point size, double x, double y, bool most)
{
	return nearness_at(face, (x + ((face->b > 0) == most ? size.x : 0)) / band->fine,
			   (y + ((face->c > 0) == most ? size.y : 0)) / band->fine);
}

static bool is_hidden(const struct tn_scene_band *band, const struct tn_scene_face *face,
		      const struct tn_scene_tile *tile, struct tn_point size, double x, double y)
{
	if (tile->cover && tn_scene_same_plane(tile->cover, face) &&
	    tile->cover->number > face->number)
		return true;
	return extreme_in(band, face, size, x, y, true) < tile->farthest;
}

/* Tiles of a block that are in the picture. */
static void find_block(struct tn_scene_band *band, int32_t index)
{
	struct tn_scene_block *block = &band->blocks[index];
	struct tn_scene_tile *whole = &block->whole;
	int32_t columns = band->stride / TN_SCENE_TILE;
	bool one_plane = true;

	*whole = (struct tn_scene_tile){.farthest = INFINITY};
	for (int32_t i = 0; i < TN_SCENE_ROWS * TN_SCENE_COLUMNS; i++) {
		int32_t column = index * TN_SCENE_COLUMNS + i % TN_SCENE_COLUMNS,
			row = i / TN_SCENE_COLUMNS;
		const struct tn_scene_tile *tile = &band->tiles[row * columns + column];

		if (column >= columns || band->first + row * TN_SCENE_TILE >= band->height)
			continue;
		whole->farthest = fmin(whole->farthest, tile->farthest);
		one_plane = one_plane && tile->cover &&
			    (!whole->cover || tn_scene_same_plane(tile->cover, whole->cover));
		if (one_plane && (!whole->cover || tile->cover->number < whole->cover->number))
			whole->cover = tile->cover;
	}
	if (!one_plane)
		whole->cover = NULL;
	block->known = true;
}

/* False: a face is seen in none of them. */
static bool open_blocks(struct tn_scene_band *band, const struct tn_scene_face *face)
{
	const struct tn_point size = {TN_SCENE_COLUMNS * TN_SCENE_TILE,
				      TN_SCENE_ROWS * TN_SCENE_TILE};
	int32_t block = (int32_t)(face->left * band->fine) / (TN_SCENE_COLUMNS * TN_SCENE_TILE);
	bool open = false;

	for (; block * TN_SCENE_COLUMNS * TN_SCENE_TILE < band->stride &&
	       block * TN_SCENE_COLUMNS * TN_SCENE_TILE < face->right * band->fine;
	     block++) {
		struct tn_scene_block *at = &band->blocks[block];

		if (!at->known)
			find_block(band, block);
		at->open = !is_hidden(band, face, &at->whole, size,
				      block * TN_SCENE_COLUMNS * TN_SCENE_TILE, band->first);
		open = open || at->open;
		band->work += 4;
	}
	return open;
}

static void put_sample(struct tn_scene_band *band, const struct tn_scene_face *face, size_t at,
		       double nearness)
{
	if (nearness < band->nearness[at])
		return;
	if (nearness == band->nearness[at] && band->face[at] != TN_SCENE_NO_FACE &&
	    band->scene->faces[band->face[at]].number > face->number)
		return;
	band->nearness[at] = nearness;
	band->face[at] = (uint32_t)(face - band->scene->faces);
}

static void fill_row(struct tn_scene_band *band, const struct tn_scene_face *face, int32_t row,
		     struct span span)
{
	size_t at = (size_t)row * (size_t)band->stride + (size_t)span.first;
	double step = face->b / band->fine,
	       base = nearness_at(face, 0, (band->first + row + 0.5) / band->fine);

	for (int32_t x = span.first; x < span.end; x++, at++)
		put_sample(band, face, at, base + step * (x + 0.5));
}

static void cover_tile(struct tn_scene_band *band, const struct tn_scene_face *face, int32_t column,
		       int32_t row)
{
	struct tn_scene_tile *tile =
		&band->tiles[row / TN_SCENE_TILE * (band->stride / TN_SCENE_TILE) + column];
	const struct tn_point size = {TN_SCENE_TILE, TN_SCENE_TILE};
	double farthest =
		extreme_in(band, face, size, column * TN_SCENE_TILE, band->first + row, false);

	if (tile->cover && farthest < tile->farthest)
		return;
	*tile = (struct tn_scene_tile){.cover = face, .farthest = farthest};
	band->blocks[column / TN_SCENE_COLUMNS].known = false;
}

/* The part of a face in one tile: the rows' spans are of all samples from left to right. */
static void fill_tile(struct tn_scene_band *band, const struct tn_scene_face *face,
		      const struct span spans[TN_SCENE_TILE], int32_t column, int32_t row)
{
	const struct tn_scene_tile *tile =
		&band->tiles[row / TN_SCENE_TILE * (band->stride / TN_SCENE_TILE) + column];
	int32_t left = column * TN_SCENE_TILE, right = left + TN_SCENE_TILE;
	const struct tn_point size = {TN_SCENE_TILE, TN_SCENE_TILE};
	bool whole = true;

	band->work += 4;
	if (is_hidden(band, face, tile, size, left, band->first + row))
		return;
	for (int32_t i = 0; i < TN_SCENE_TILE; i++) {
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
	double left[TN_SCENE_TILE], right[TN_SCENE_TILE];
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
	to = to < TN_SCENE_TILE ? to : TN_SCENE_TILE;
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
static void find_spans(const struct tn_scene_band *band, const struct tn_scene_face *face,
		       int32_t row, struct span spans[TN_SCENE_TILE])
{
	const struct tn_point *corners = band->scene->corners + face->first_corner;
	struct crossing crossing;

	for (int32_t i = 0; i < TN_SCENE_TILE; i++) {
		crossing.left[i] = INFINITY;
		crossing.right[i] = -INFINITY;
	}
	for (unsigned i = 0, count = face->corner_count; i < count; i++)
		cross(&crossing, band->first + row, corners[i], corners[i + 1 < count ? i + 1 : 0],
		      band->fine);
	for (int32_t i = 0; i < TN_SCENE_TILE; i++) {
		double left = crossing.left[i], right = crossing.right[i];

		spans[i] = (struct span){0, 0};
		if (left >= right)
			continue;
		left = left > -0.5 ? left : -0.5;
		right = right < band->width - 0.5 ? right : band->width - 0.5;
		spans[i] = (struct span){(int32_t)ceil(left), (int32_t)ceil(right)};
	}
}

static void fill_tile_row(struct tn_scene_band *band, const struct tn_scene_face *face, int32_t row)
{
	struct span spans[TN_SCENE_TILE], all = {INT32_MAX, 0};

	find_spans(band, face, row, spans);
	for (int32_t i = 0; i < TN_SCENE_TILE; i++) {
		if (spans[i].first >= spans[i].end)
			continue;
		all.first = spans[i].first < all.first ? spans[i].first : all.first;
		all.end = spans[i].end > all.end ? spans[i].end : all.end;
	}
	for (int32_t x = all.first / TN_SCENE_TILE; x * TN_SCENE_TILE < all.end; x++)
		if (band->blocks[x / TN_SCENE_COLUMNS].open)
			fill_tile(band, face, spans, x, row);
}

static void fill_face(struct tn_scene_band *band, const struct tn_scene_face *face)
{
	double top = face->top * band->fine - band->first,
	       bottom = face->bottom * band->fine - band->first;

	if (bottom <= 0 || top >= band->rows || !open_blocks(band, face))
		return;
	for (int32_t row = top > 0 ? (int32_t)top / TN_SCENE_TILE * TN_SCENE_TILE : 0;
	     row < band->rows && row < bottom; row += TN_SCENE_TILE)
		fill_tile_row(band, face, row);
}

/* ---- crowds: many faces of one plane, the last first ---- */

struct area { /* of samples, in whole tiles */
	int32_t left, right, top, bottom;
};

static struct area area_of(const struct tn_scene_band *band, size_t first, size_t end)
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
	area.left = area.left / TN_SCENE_TILE * TN_SCENE_TILE;
	area.top = area.top / TN_SCENE_TILE * TN_SCENE_TILE;
	area.right = (area.right + TN_SCENE_TILE - 1) / TN_SCENE_TILE * TN_SCENE_TILE;
	area.bottom = (area.bottom + TN_SCENE_TILE - 1) / TN_SCENE_TILE * TN_SCENE_TILE;
	area.right = area.right < band->stride ? area.right : band->stride;
	area.bottom = area.bottom < band->rows ? area.bottom : band->rows;
	return area;
}

/* Rows have one more place, which is never visited. */
static int32_t *next_of(const struct tn_scene_band *band, int32_t row)
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

static void fill_unvisited(struct tn_scene_band *band, const struct tn_scene_face *face,
			   int32_t row, struct span span)
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

static void cover_tiles(struct tn_scene_band *band, const struct tn_scene_face *face,
			const struct area *area)
{
	for (int32_t row = area->top; row < area->bottom; row += TN_SCENE_TILE)
		for (int32_t left = area->left; left < area->right; left += TN_SCENE_TILE) {
			int32_t i = 0;

			while (i < TN_SCENE_TILE &&
			       unvisited(next_of(band, row + i), left) >= left + TN_SCENE_TILE)
				i++;
			if (i == TN_SCENE_TILE)
				cover_tile(band, face, left / TN_SCENE_TILE, row);
		}
}

static void fill_crowd(struct tn_scene_band *band, size_t first, size_t end)
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
		for (int32_t row = top > 0 ? (int32_t)top / TN_SCENE_TILE * TN_SCENE_TILE : 0;
		     row < band->rows && row < bottom; row += TN_SCENE_TILE) {
			struct span spans[TN_SCENE_TILE];

			find_spans(band, face, row, spans);
			for (int32_t k = 0; k < TN_SCENE_TILE; k++)
				fill_unvisited(band, face, row + k, spans[k]);
		}
	}
	cover_tiles(band, &band->scene->faces[end - 1], &area);
}

void tn_scene_fill_band(struct tn_scene_band *band)
{
	size_t samples = (size_t)band->stride * (size_t)band->rows,
	       tiles = samples / ((size_t)TN_SCENE_TILE * TN_SCENE_TILE),
	       count = band->scene->face_count;
	const struct tn_scene_face *faces = band->scene->faces;

	for (size_t i = 0; i < samples; i++)
		band->nearness[i] = -INFINITY;
	memset(band->face, 0xFF, samples * sizeof(*band->face));
	for (size_t i = 0; i < tiles; i++)
		band->tiles[i] = (struct tn_scene_tile){.farthest = -INFINITY};
	for (int32_t i = 0; i * TN_SCENE_COLUMNS * TN_SCENE_TILE < band->stride; i++)
		band->blocks[i].known = false;
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1;
		     end < count && tn_scene_same_plane(&faces[first], &faces[end]);)
			end++;
		if (end - first >= CROWD)
			fill_crowd(band, first, end);
		else
			for (size_t i = first; i < end; i++)
				fill_face(band, &faces[i]);
	}
}
