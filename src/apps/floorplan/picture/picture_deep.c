/* Fills of floors whose rooms lie over each other many times: only what is seen in the end is
 * drawn, so that thousands of rooms at one place take no longer than a few (floorplan.md 11). */
#include "apps/floorplan/picture/internal.h"

#define DEEP 8 /* pages of fills: with fewer, each room is drawn as it is */

struct deep {
	struct tn_painter *painter;
	const struct tn_floor_box *boxes; /* whole pixels, in the order of drawing */
	const tn_colour *colours;
	size_t count;
	uint32_t width;
	uint32_t left, right;  /* pixels between which all boxes lie */
	uint32_t *next;        /* by pixel of a row: the next that is still free */
	tn_colour *row, *last; /* 0: none */
};

bool tn_paint_is_deep(const struct tn_painter *painter, const struct tn_floor_box *boxes,
		      size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += boxes[i].width * boxes[i].height;
	return sum > DEEP * (double)painter->options->width * painter->options->height;
}

static uint32_t free_from(struct deep *deep, uint32_t x)
{
	uint32_t end = x;

	while (deep->next[end] != end)
		end = deep->next[end];
	while (deep->next[x] != end) {
		uint32_t step = deep->next[x];

		deep->next[x] = end;
		x = step;
	}
	return end;
}

static uint32_t pixel_of(const struct deep *deep, double x)
{
	if (x <= 0)
		return 0;
	return x >= deep->width ? deep->width : (uint32_t)x;
}

/* What is drawn last is taken first; when nothing is free any more, nothing further is seen. */
static void fill_row(struct deep *deep, uint32_t y)
{
	for (uint32_t x = 0; x <= deep->width; x++)
		deep->next[x] = x;
	memset(deep->row, 0, deep->width * sizeof(*deep->row));
	for (size_t i = deep->count; i > 0 && free_from(deep, deep->left) < deep->right; i--) {
		const struct tn_floor_box *box = &deep->boxes[i - 1];
		uint32_t end = pixel_of(deep, box->x + box->width), x;

		if (y < box->y || y >= box->y + box->height)
			continue;
		for (x = free_from(deep, pixel_of(deep, box->x)); x < end; x = free_from(deep, x)) {
			deep->row[x] = deep->colours[i - 1];
			deep->next[x] = x + 1;
		}
	}
}

static void put_rows(struct deep *deep, uint32_t from, uint32_t to)
{
	for (uint32_t x = 0, end; x < deep->width; x = end) {
		const struct tn_draw_style style = {.fill = deep->last[x]};

		for (end = x + 1; end < deep->width && deep->last[end] == deep->last[x];)
			end++;
		if (deep->last[x] != 0)
			tn_draw_rect(deep->painter->display, x, from, end - x, to - from, 0,
				     &style);
	}
}

void tn_paint_deep(struct tn_painter *painter, const struct tn_floor_box *boxes,
		   const tn_colour *colours, size_t count)
{
	uint32_t width = painter->options->width, height = painter->options->height, from = 0;
	struct deep deep = {.painter = painter,
			    .boxes = boxes,
			    .colours = colours,
			    .count = count,
			    .width = width,
			    .left = width};

	deep.next = tn_paint_new(painter, (size_t)width + 1, sizeof(*deep.next));
	deep.row = tn_paint_new(painter, width, sizeof(*deep.row));
	deep.last = tn_paint_new(painter, width, sizeof(*deep.last));
	if (painter->starved)
		return;
	for (size_t i = 0; i < count; i++) {
		const uint32_t left = pixel_of(&deep, boxes[i].x);
		const uint32_t right = pixel_of(&deep, boxes[i].x + boxes[i].width);

		deep.left = left < deep.left ? left : deep.left;
		deep.right = right > deep.right ? right : deep.right;
	}
	for (uint32_t y = 0; y < height; y++) {
		tn_colour *swap = deep.last;

		fill_row(&deep, y);
		if (memcmp(deep.row, deep.last, width * sizeof(*deep.row)) == 0)
			continue;
		put_rows(&deep, from, y);
		from = y;
		deep.last = deep.row;
		deep.row = swap;
	}
	put_rows(&deep, from, height);
}
