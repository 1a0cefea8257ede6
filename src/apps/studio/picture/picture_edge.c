/* Edges: a line by category with round corners, an arrow, a label. */
#include <math.h>
#include <stdlib.h>

#include "apps/studio/picture/internal.h"

#define CORNER 8.0
#define ARROW 9.0
#define LABEL_WIDTH 160.0

static double between(struct tn_studio_point a, struct tn_studio_point b)
{
	return abs(a.x - b.x) + abs(a.y - b.y); /* they share x or y */
}

struct place {
	double x, y;
};

/* `far` pixels from a towards b. */
static struct place towards(struct tn_studio_point a, struct tn_studio_point b, double far)
{
	double length = between(a, b);

	if (length == 0)
		return (struct place){a.x, a.y};
	return (struct place){a.x + (b.x - a.x) / length * far, a.y + (b.y - a.y) / length * far};
}

/* `short_by` is what the arrow takes of the end. */
static void draw_polyline(struct tn_display *display, const struct tn_studio_point *points,
			  unsigned count, double short_by, const struct tn_draw_style *style)
{
	struct place end = towards(points[count - 1], points[count - 2], short_by);
	unsigned i;

	tn_draw_begin(display, style);
	tn_draw_move(display, points[0].x, points[0].y);
	for (i = 1; i + 1 < count; i++) {
		double before = between(points[i - 1], points[i]) / 2;
		double after = between(points[i], points[i + 1]) / 2;
		double radius = fmin(CORNER, fmin(before, after));
		struct place in = towards(points[i], points[i - 1], radius);
		struct place out = towards(points[i], points[i + 1], radius);
		double k = 0.4477;

		tn_draw_line(display, in.x, in.y);
		tn_draw_curve(display, points[i].x + (in.x - points[i].x) * k,
			      points[i].y + (in.y - points[i].y) * k,
			      points[i].x + (out.x - points[i].x) * k,
			      points[i].y + (out.y - points[i].y) * k, out.x, out.y);
	}
	tn_draw_line(display, end.x, end.y);
	tn_draw_end(display);
}

static tn_colour edge_colour(const struct tn_studio_picture *picture,
			     enum tn_studio_edge_category category)
{
	switch (category) {
	case TN_STUDIO_BINDING:
		return picture->colours->binding;
	case TN_STUDIO_STRUCTURAL:
		return picture->colours->edge;
	default:
		return picture->colours->edge_quiet;
	}
}

/* Solid structural, double binding, dashed reference, dotted annotation (15.4). */
static void draw_styled(struct tn_studio_picture *picture, enum tn_studio_edge_category category,
			const struct tn_studio_point *points, unsigned count, double short_by)
{
	struct tn_draw_style style = {.stroke = edge_colour(picture, category),
				      .stroke_width = 1.6};

	if (category == TN_STUDIO_BINDING) {
		style.stroke_width = 4.2;
		draw_polyline(picture->display, points, count, short_by, &style);
		style.stroke = picture->colours->page;
		style.stroke_width = 1.6;
	} else if (category == TN_STUDIO_REFERENCE_EDGE) {
		style.dash[0] = 6;
		style.dash[1] = 4;
	} else if (category == TN_STUDIO_ANNOTATION) {
		style.stroke_width = 2;
		style.round = true;
		style.dash[0] = 0.1;
		style.dash[1] = 5;
	}
	draw_polyline(picture->display, points, count, short_by, &style);
}

static void draw_arrow(struct tn_studio_picture *picture, enum tn_studio_edge_category category,
		       struct tn_studio_point from, struct tn_studio_point to)
{
	const struct tn_draw_style style = {.fill = edge_colour(picture, category)};
	struct place base = towards(to, from, ARROW);
	double length = between(from, to);
	double nx = length > 0 ? (to.y - from.y) / length * ARROW * 0.5 : 0;
	double ny = length > 0 ? (from.x - to.x) / length * ARROW * 0.5 : 0;

	tn_draw_begin(picture->display, &style);
	tn_draw_move(picture->display, to.x, to.y);
	tn_draw_line(picture->display, base.x + nx, base.y + ny);
	tn_draw_line(picture->display, base.x - nx, base.y - ny);
	tn_draw_close(picture->display);
	tn_draw_end(picture->display);
}

void tn_studio_draw_line(struct tn_studio_picture *picture, enum tn_studio_edge_category category,
			 const struct tn_studio_point *points, unsigned count)
{
	bool arrow = category != TN_STUDIO_ANNOTATION;

	draw_styled(picture, category, points, count, arrow ? ARROW - 2 : 0);
	if (arrow)
		draw_arrow(picture, category, points[count - 2], points[count - 1]);
}

void tn_studio_draw_edge(struct tn_studio_picture *picture, const struct tn_studio_route *route)
{
	struct tn_str id = route->edge->id, title = tn_str("", 0);
	char *text = tn_arena_format(
		&picture->arena, "%.*s \xe2\x86\x92 %.*s", (int)route->edge->source->label.size,
		route->edge->source->label.data, (int)route->edge->target->label.size,
		route->edge->target->label.data);

	if (text)
		title = tn_str_from(text);
	tn_draw_group_begin(picture->display, id, title);
	tn_studio_draw_line(picture, route->edge->category, route->points, route->point_count);
	tn_draw_group_end(picture->display);
}

/* In the middle of its longest piece; level ones are preferred, for the text is. */
void tn_studio_draw_edge_label(struct tn_studio_picture *picture,
			       const struct tn_studio_route *route)
{
	struct tn_draw_text how = {.size = 10.5,
				   .anchor = TN_DRAW_MIDDLE,
				   .colour = picture->colours->text,
				   .halo = picture->colours->page,
				   .max_width = LABEL_WIDTH};
	double best = -1;
	unsigned i;

	if (route->edge->label.size == 0)
		return;
	for (i = 0; i + 1 < route->point_count; i++) {
		const struct tn_studio_point *a = &route->points[i], *b = a + 1;
		double length = between(*a, *b) * (a->y == b->y ? 1.5 : 1);

		if (length <= best)
			continue;
		best = length;
		/* Along a level piece it stays between the boxes at its ends. */
		how.max_width = a->y == b->y && between(*a, *b) < LABEL_WIDTH ? between(*a, *b) - 4
									      : LABEL_WIDTH;
		how.x = (a->x + b->x) / 2.0;
		how.y = (a->y + b->y) / 2.0 + (a->y == b->y ? -5 : 3.6);
	}
	tn_draw_put_text(picture->display, route->edge->label, &how);
}
