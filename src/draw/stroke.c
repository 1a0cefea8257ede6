#include <math.h>
#include <string.h>

#include "draw/outline.h"

#define MITER_LIMIT 4.0 /* SVG's: beyond it the corner is cut */
#define NEARLY 1e-9
#define DASHES_MAX 20000 /* of one contour: with more of them a line is drawn whole */

struct stroke {
	struct tn_outline *to;
	double half;
	bool round;
};

static struct tn_point minus(struct tn_point a, struct tn_point b)
{
	return (struct tn_point){a.x - b.x, a.y - b.y};
}

static struct tn_point along(struct tn_point from, struct tn_point by, double times)
{
	return (struct tn_point){from.x + by.x * times, from.y + by.y * times};
}

static double length_of(struct tn_point v)
{
	return sqrt(v.x * v.x + v.y * v.y);
}

/* One polygon, turned so that all run the same way round: what overlaps then adds up. */
static void polygon(struct stroke *stroke, const struct tn_point *points, size_t count)
{
	double area = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct tn_point *a = &points[i], *b = &points[(i + 1) % count];

		area += a->x * b->y - b->x * a->y;
	}
	for (i = 0; i < count; i++) {
		const struct tn_point *p = &points[area < 0 ? count - 1 - i : i];

		if (i == 0)
			tn_outline_move(stroke->to, p->x, p->y);
		else
			tn_outline_line(stroke->to, p->x, p->y);
	}
	tn_outline_close(stroke->to);
}

static void dot(struct stroke *stroke, struct tn_point at)
{
	const struct tn_draw_item circle = {.kind = TN_DRAW_ELLIPSE,
					    .x = at.x,
					    .y = at.y,
					    .width = stroke->half,
					    .height = stroke->half};

	tn_outline_add_shape(stroke->to, &circle);
}

/* The pen's way from a to b, without its ends. */
static void segment(struct stroke *stroke, struct tn_point a, struct tn_point b)
{
	struct tn_point d = minus(b, a), n;
	double length = length_of(d);

	if (length < NEARLY)
		return;
	n = (struct tn_point){-d.y / length * stroke->half, d.x / length * stroke->half};
	polygon(stroke,
		(const struct tn_point[]){along(a, n, 1), along(b, n, 1), along(b, n, -1),
					  along(a, n, -1)},
		4);
}

/* The outer side of a corner at b. */
static void join(struct stroke *stroke, struct tn_point a, struct tn_point b, struct tn_point c)
{
	struct tn_point u = minus(b, a), v = minus(c, b), m, n, tip;
	double lu = length_of(u), lv = length_of(v), cross, dot_product, side;

	if (lu < NEARLY || lv < NEARLY)
		return;
	u = (struct tn_point){u.x / lu, u.y / lu};
	v = (struct tn_point){v.x / lv, v.y / lv};
	cross = u.x * v.y - u.y * v.x;
	dot_product = u.x * v.x + u.y * v.y;
	if (fabs(cross) < NEARLY && dot_product > 0)
		return;
	if (stroke->round && dot_product < 0.9) {
		dot(stroke, b);
		return;
	}
	side = cross > 0 ? -stroke->half : stroke->half;
	m = (struct tn_point){b.x - u.y * side, b.y + u.x * side};
	n = (struct tn_point){b.x - v.y * side, b.y + v.x * side};
	/* A miter is 1 / sin(half the angle inside) pens long: squared, 2 / (1 + u . v). */
	if (2 <= MITER_LIMIT * MITER_LIMIT * (1 + dot_product)) {
		tip = along(m, u, stroke->half * fabs(cross) / (1 + dot_product));
		polygon(stroke, (const struct tn_point[]){b, m, tip, n}, 4);
	} else {
		polygon(stroke, (const struct tn_point[]){b, m, n}, 3);
	}
}

static void polyline(struct stroke *stroke, const struct tn_point *points, size_t count,
		     bool closed)
{
	size_t i;

	if (count == 0)
		return;
	if (closed && count > 1 && length_of(minus(points[0], points[count - 1])) < NEARLY)
		count--; /* it has come back by itself: the corner there is one like the others */
	for (i = 0; i + 1 < count; i++)
		segment(stroke, points[i], points[i + 1]);
	for (i = 1; i + 1 < count; i++)
		join(stroke, points[i - 1], points[i], points[i + 1]);
	if (closed && count > 2) {
		segment(stroke, points[count - 1], points[0]);
		join(stroke, points[count - 2], points[count - 1], points[0]);
		join(stroke, points[count - 1], points[0], points[1]);
	} else if (stroke->round) {
		dot(stroke, points[0]);
		dot(stroke, points[count - 1]);
	}
}

/* ---- dashes ---- */

struct dasher {
	struct stroke *stroke;
	const double *dash;
	int place; /* in the pattern; even: the pen is down */
	double left;
	struct tn_outline piece; /* one contour: the dash being drawn */
};

static void lift(struct dasher *dasher)
{
	if (dasher->piece.point_count > 0)
		polyline(dasher->stroke, dasher->piece.points, dasher->piece.point_count, false);
	tn_outline_clear(&dasher->piece);
}

static void next_dash(struct dasher *dasher, struct tn_point at)
{
	if (dasher->place % 2 == 0)
		lift(dasher);
	dasher->place = (dasher->place + 1) % 4;
	if (dasher->dash[dasher->place] <= 0 && dasher->place == 2)
		dasher->place = 0;
	dasher->left = dasher->dash[dasher->place];
	if (dasher->place % 2 == 0)
		tn_outline_move(&dasher->piece, at.x, at.y);
}

static void dash_line(struct dasher *dasher, struct tn_point a, struct tn_point b)
{
	struct tn_point d = minus(b, a);
	double length = length_of(d), gone = 0;

	while (length - gone > dasher->left && !dasher->stroke->to->failed) {
		struct tn_point at;

		gone += dasher->left;
		at = along(a, d, gone / length);
		if (dasher->place % 2 == 0)
			tn_outline_line(&dasher->piece, at.x, at.y);
		next_dash(dasher, at);
	}
	dasher->left -= length - gone;
	if (dasher->place % 2 == 0)
		tn_outline_line(&dasher->piece, b.x, b.y);
}

static void dashed(struct stroke *stroke, const struct tn_point *points, size_t count, bool closed,
		   const double dash[4])
{
	struct dasher dasher = {.stroke = stroke, .dash = dash, .left = dash[0]};
	size_t i;

	tn_outline_init(&dasher.piece);
	tn_outline_move(&dasher.piece, points[0].x, points[0].y);
	for (i = 0; i + 1 < count; i++)
		dash_line(&dasher, points[i], points[i + 1]);
	if (closed)
		dash_line(&dasher, points[count - 1], points[0]);
	if (dasher.place % 2 == 0)
		lift(&dasher);
	if (dasher.piece.failed)
		stroke->to->failed = true;
	tn_outline_finish(&dasher.piece);
}

static bool has_dashes(const struct tn_point *points, size_t count, const double dash[4])
{
	double length = 0;
	size_t i;

	if (dash[0] <= 0 || dash[1] <= 0 || dash[2] < 0 || dash[3] < 0)
		return false;
	for (i = 0; i + 1 < count; i++)
		length += length_of(minus(points[i + 1], points[i]));
	return count > 1 && length / (dash[0] + dash[1]) < DASHES_MAX;
}

void tn_outline_stroke(const struct tn_outline *from, double width, const double dash[4],
		       bool round, struct tn_outline *to)
{
	struct stroke stroke = {to, width / 2, round};
	size_t i;

	if (from->failed)
		to->failed = true;
	for (i = 0; i < from->contour_count && !to->failed; i++) {
		const struct tn_contour *contour = &from->contours[i];
		const struct tn_point *points = from->points + contour->first;

		if (has_dashes(points, contour->count, dash))
			dashed(&stroke, points, contour->count, contour->closed, dash);
		else
			polyline(&stroke, points, contour->count, contour->closed);
	}
}
