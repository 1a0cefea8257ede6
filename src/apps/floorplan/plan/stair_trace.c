/* A stair laid out piece by piece, as one climbs it (floorplan.md 4.6). */
#include <math.h>

#include "apps/floorplan/plan/resolve.h"

struct tracer {
	struct tn_floor_circulation *stair;
	struct tn_floor_point here; /* the middle of where the next flight begins */
	struct tn_floor_point ahead, right;
	double width; /* of the flight before, or the stair's */
	struct tn_floor_point low, high;
};

static struct tn_floor_point go(struct tn_floor_point from, struct tn_floor_point direction,
				double length)
{
	return (struct tn_floor_point){from.x + direction.x * length,
				       from.y + direction.y * length};
}

static struct tn_floor_point reverse(struct tn_floor_point direction)
{
	return (struct tn_floor_point){-direction.x, -direction.y};
}

/* What is at the right hand of one who goes that way; y grows downwards. */
static struct tn_floor_point right_of(struct tn_floor_point ahead)
{
	return (struct tn_floor_point){-ahead.y, ahead.x};
}

static void head(struct tracer *tracer, struct tn_floor_point ahead)
{
	tracer->ahead = ahead;
	tracer->right = right_of(ahead);
}

static enum tn_floor_side side_of(struct tn_floor_point ahead)
{
	if (ahead.x != 0)
		return ahead.x > 0 ? TN_FLOOR_RIGHT : TN_FLOOR_LEFT;
	return ahead.y > 0 ? TN_FLOOR_BOTTOM : TN_FLOOR_TOP;
}

static void mark(struct tracer *tracer, struct tn_floor_point point)
{
	tracer->stair->path[tracer->stair->path_count++] = point;
}

/* A rectangle from `left` and `right`, the ends of its first edge, `length` ahead. */
static struct tn_floor_flight *add_flight(struct tracer *tracer, struct tn_floor_point left,
					  struct tn_floor_point right, double length, double steps)
{
	struct tn_floor_flight *flight = &tracer->stair->flights[tracer->stair->flight_count++];

	*flight =
		(struct tn_floor_flight){.corners = {left, right, go(right, tracer->ahead, length),
						     go(left, tracer->ahead, length)},
					 .steps = (unsigned)steps,
					 .toward = side_of(tracer->ahead)};
	for (unsigned i = 0; i < 4; i++) {
		tracer->low.x = fmin(tracer->low.x, flight->corners[i].x);
		tracer->low.y = fmin(tracer->low.y, flight->corners[i].y);
		tracer->high.x = fmax(tracer->high.x, flight->corners[i].x);
		tracer->high.y = fmax(tracer->high.y, flight->corners[i].y);
	}
	return flight;
}

static void trace_flight(struct tracer *tracer, const struct tn_stair_piece *piece)
{
	const double length = piece->steps * tracer->stair->tread;

	tracer->width = piece->width;
	(void)add_flight(tracer, go(tracer->here, tracer->right, -piece->width / 2),
			 go(tracer->here, tracer->right, piece->width / 2), length, piece->steps);
	tracer->here = go(tracer->here, tracer->ahead, length);
	mark(tracer, tracer->here);
}

/* Behind the landing the next flight is `next_width` wide: its far side is flush with the landing's
 * after a quarter turn, its outer one with the landing's inner end after a half turn. */
static void trace_turn(struct tracer *tracer, const struct tn_stair_piece *piece, double next_width)
{
	const bool to_right = piece->hand == TN_FLOOR_HAND_RIGHT, along_x = tracer->ahead.x != 0;
	const double deep = along_x ? piece->landing_x : piece->landing_y;
	const double across = along_x ? piece->landing_y : piece->landing_x;
	const struct tn_floor_point inward = to_right ? tracer->right : reverse(tracer->right);
	const struct tn_floor_point outer = go(tracer->here, inward, -tracer->width / 2);
	const struct tn_floor_point inner = go(outer, inward, across);
	const double turn_at = piece->back ? deep / 2 : deep - next_width / 2;
	struct tn_floor_flight *landing = add_flight(tracer, to_right ? outer : inner,
						     to_right ? inner : outer, deep, piece->steps);

	landing->winds = piece->steps > 0;
	landing->pivot = inner;
	mark(tracer, go(tracer->here, tracer->ahead, turn_at));
	if (piece->back) {
		tracer->here = go(inner, inward, -next_width / 2);
		mark(tracer, go(tracer->here, tracer->ahead, turn_at));
		head(tracer, reverse(tracer->ahead));
	} else {
		tracer->here = go(inner, tracer->ahead, turn_at);
		head(tracer, inward);
	}
	mark(tracer, tracer->here);
	tracer->width = next_width;
}

static void move_to_origin(struct tracer *tracer)
{
	struct tn_floor_circulation *stair = tracer->stair;

	for (unsigned i = 0; i < stair->flight_count; i++) {
		struct tn_floor_flight *flight = &stair->flights[i];

		for (unsigned k = 0; k < 4; k++) {
			flight->corners[k].x -= tracer->low.x;
			flight->corners[k].y -= tracer->low.y;
		}
		flight->pivot.x -= tracer->low.x;
		flight->pivot.y -= tracer->low.y;
	}
	for (unsigned i = 0; i < stair->path_count; i++) {
		stair->path[i].x -= tracer->low.x;
		stair->path[i].y -= tracer->low.y;
	}
}

struct tn_floor_point tn_stair_trace(struct tn_resolver *r, struct tn_floor_circulation *stair,
				     enum tn_floor_side from, const struct tn_stair_piece *pieces,
				     unsigned count)
{
	static const struct tn_floor_point aheads[] = {[TN_FLOOR_TOP] = {0, 1},
						       [TN_FLOOR_RIGHT] = {-1, 0},
						       [TN_FLOOR_BOTTOM] = {0, -1},
						       [TN_FLOOR_LEFT] = {1, 0}};
	struct tracer tracer = {.stair = stair, .width = stair->width};

	stair->flights = tn_resolve_new(r, count, sizeof(*stair->flights));
	stair->path = tn_resolve_new(r, 1 + 3 * (size_t)count, sizeof(*stair->path));
	if (!stair->flights || !stair->path)
		return tracer.high;
	head(&tracer, aheads[from]);
	mark(&tracer, tracer.here);
	for (unsigned i = 0; i < count; i++) {
		bool flight_next = i + 1 < count && !pieces[i + 1].turn;

		if (pieces[i].turn)
			trace_turn(&tracer, &pieces[i],
				   flight_next ? pieces[i + 1].width : stair->width);
		else
			trace_flight(&tracer, &pieces[i]);
	}
	move_to_origin(&tracer);
	return (struct tn_floor_point){tracer.high.x - tracer.low.x, tracer.high.y - tracer.low.y};
}

void tn_stair_trace_arc(struct tn_resolver *r, struct tn_floor_circulation *stair,
			struct tn_floor_point center, double radius, double from, double sweep)
{
	enum { POINTS = 33 };

	stair->path = tn_resolve_new(r, POINTS, sizeof(*stair->path));
	if (!stair->path)
		return;
	for (unsigned i = 0; i < POINTS; i++) {
		double angle = from + sweep * i / (POINTS - 1);

		stair->path[stair->path_count++] = (struct tn_floor_point){
			center.x + radius * cos(angle), center.y + radius * sin(angle)};
	}
}
