#include "draw/outline.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "draw/limits.h"

#define TOLERANCE 0.04     /* pixels between a curve and its lines */
#define KAPPA 0.5522847498 /* of a quarter circle as a curve */
#define LINES_MAX 200      /* of one curve */

void tn_outline_init(struct tn_outline *outline)
{
	memset(outline, 0, sizeof(*outline));
	outline->ax = 1;
	outline->by = 1;
}

void tn_outline_finish(struct tn_outline *outline)
{
	tn_mem_free(outline->points);
	tn_mem_free(outline->contours);
	memset(outline, 0, sizeof(*outline));
}

void tn_outline_clear(struct tn_outline *outline)
{
	outline->point_count = 0;
	outline->contour_count = 0;
}

static bool has_room(struct tn_outline *outline, void **memory, size_t *room, size_t count,
		     size_t size)
{
	void *more;

	if (outline->failed)
		return false;
	if (count < *room)
		return true;
	more = count < TN_DRAW_POINTS_MAX ? tn_mem_resize(*memory, (*room ? *room * 2 : 256) * size)
					  : NULL;
	if (!more) {
		outline->failed = true;
		return false;
	}
	*memory = more;
	*room = *room ? *room * 2 : 256;
	return true;
}

static void add_point(struct tn_outline *outline, double x, double y)
{
	struct tn_point point = {outline->ax * x + outline->bx * y + outline->x,
				 outline->ay * x + outline->by * y + outline->y};
	void *memory = outline->points;
	bool room = has_room(outline, &memory, &outline->point_room, outline->point_count,
			     sizeof(point));

	outline->points = memory;
	if (!room)
		return;
	outline->points[outline->point_count++] = point;
	outline->contours[outline->contour_count - 1].count++;
}

void tn_outline_move(struct tn_outline *outline, double x, double y)
{
	void *memory = outline->contours;
	bool room = has_room(outline, &memory, &outline->contour_room, outline->contour_count,
			     sizeof(*outline->contours));

	outline->contours = memory;
	if (!room)
		return;
	outline->contours[outline->contour_count++] =
		(struct tn_contour){outline->point_count, 0, false};
	outline->at = (struct tn_point){x, y};
	add_point(outline, x, y);
}

void tn_outline_line(struct tn_outline *outline, double x, double y)
{
	if (outline->failed || outline->contour_count == 0)
		return;
	outline->at = (struct tn_point){x, y};
	add_point(outline, x, y);
}

/* How many lines a curve needs: `bend` is the square of its largest second difference, before the
 * transformation. */
static int lines_for(const struct tn_outline *outline, double bend, double factor)
{
	double scale = outline->ax * outline->ax + outline->ay * outline->ay;
	double lines = ceil(sqrt(sqrt(bend * scale) * factor / TOLERANCE));

	if (!(lines > 1))
		return 1;
	return lines < LINES_MAX ? (int)lines : LINES_MAX;
}

static double bend_of(double x0, double y0, double x1, double y1, double x2, double y2)
{
	double dx = x0 - 2 * x1 + x2, dy = y0 - 2 * y1 + y2;

	return dx * dx + dy * dy;
}

void tn_outline_quadratic(struct tn_outline *outline, double cx, double cy, double x, double y)
{
	struct tn_point from = outline->at;
	int count, i;

	if (outline->failed || outline->contour_count == 0)
		return;
	count = lines_for(outline, bend_of(from.x, from.y, cx, cy, x, y), 0.25);
	for (i = 1; i < count; i++) {
		double t = (double)i / count, s = 1 - t;

		add_point(outline, s * s * from.x + 2 * s * t * cx + t * t * x,
			  s * s * from.y + 2 * s * t * cy + t * t * y);
	}
	outline->at = (struct tn_point){x, y};
	add_point(outline, x, y);
}

void tn_outline_cubic(struct tn_outline *outline, const double at[6])
{
	struct tn_point from = outline->at;
	double first, second;
	int count, i;

	if (outline->failed || outline->contour_count == 0)
		return;
	first = bend_of(from.x, from.y, at[0], at[1], at[2], at[3]);
	second = bend_of(at[0], at[1], at[2], at[3], at[4], at[5]);
	count = lines_for(outline, first > second ? first : second, 0.75);
	for (i = 1; i < count; i++) {
		double t = (double)i / count, s = 1 - t;
		double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;

		add_point(outline, a * from.x + b * at[0] + c * at[2] + d * at[4],
			  a * from.y + b * at[1] + c * at[3] + d * at[5]);
	}
	outline->at = (struct tn_point){at[4], at[5]};
	add_point(outline, at[4], at[5]);
}

void tn_outline_close(struct tn_outline *outline)
{
	if (!outline->failed && outline->contour_count > 0)
		outline->contours[outline->contour_count - 1].closed = true;
}

/* ---- shapes ---- */

/* A quarter of an ellipse from where the outline is: first along (dx, dy), then (ex, ey). */
static void quarter(struct tn_outline *outline, double dx, double dy, double ex, double ey)
{
	struct tn_point p = outline->at;
	const double at[6] = {p.x + dx * KAPPA,
			      p.y + dy * KAPPA,
			      p.x + dx + ex * (1 - KAPPA),
			      p.y + dy + ey * (1 - KAPPA),
			      p.x + dx + ex,
			      p.y + dy + ey};

	tn_outline_cubic(outline, at);
}

static void add_rect(struct tn_outline *outline, const struct tn_draw_item *item)
{
	double left = item->x, top = item->y, r = item->radius;
	double right = left + item->width, bottom = top + item->height;

	tn_outline_move(outline, left + r, top);
	tn_outline_line(outline, right - r, top);
	if (r > 0)
		quarter(outline, r, 0, 0, r);
	tn_outline_line(outline, right, bottom - r);
	if (r > 0)
		quarter(outline, 0, r, -r, 0);
	tn_outline_line(outline, left + r, bottom);
	if (r > 0)
		quarter(outline, -r, 0, 0, -r);
	tn_outline_line(outline, left, top + r);
	if (r > 0)
		quarter(outline, 0, -r, r, 0);
	tn_outline_close(outline);
}

static void add_ellipse(struct tn_outline *outline, const struct tn_draw_item *item)
{
	double rx = item->width, ry = item->height;

	tn_outline_move(outline, item->x + rx, item->y);
	quarter(outline, 0, ry, -rx, 0);
	quarter(outline, -rx, 0, 0, -ry);
	quarter(outline, 0, -ry, rx, 0);
	quarter(outline, rx, 0, 0, ry);
	tn_outline_close(outline);
}

static void add_path(struct tn_outline *outline, const struct tn_draw_item *item)
{
	const struct tn_draw_piece *piece;
	bool closed = false;
	struct tn_point start = {0, 0};

	for (piece = item->pieces; piece; piece = piece->next) {
		if (piece->step == TN_DRAW_CLOSE) {
			tn_outline_close(outline);
			closed = true;
			continue;
		}
		/* After a close, the path goes on from where its contour began. */
		if (closed && piece->step != TN_DRAW_MOVE)
			tn_outline_move(outline, start.x, start.y);
		closed = false;
		if (piece->step == TN_DRAW_MOVE) {
			start = (struct tn_point){piece->at[0], piece->at[1]};
			tn_outline_move(outline, start.x, start.y);
		} else if (piece->step == TN_DRAW_LINE) {
			tn_outline_line(outline, piece->at[0], piece->at[1]);
		} else {
			tn_outline_cubic(outline, piece->at);
		}
	}
}

void tn_outline_add_shape(struct tn_outline *outline, const struct tn_draw_item *item)
{
	if (item->kind == TN_DRAW_RECT)
		add_rect(outline, item);
	else if (item->kind == TN_DRAW_ELLIPSE)
		add_ellipse(outline, item);
	else if (item->kind == TN_DRAW_PATH)
		add_path(outline, item);
}
