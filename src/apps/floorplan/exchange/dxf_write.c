#include "apps/floorplan/exchange/dxf_write.h"

#include <math.h>

#include "base/utf8.h"

#define DEGREE 0.017453292519943295

static const struct {
	const char *name;
	int colour;
} layers[TN_DXF_LAYER_COUNT] = {{"ROOMS", 7},  {"WALLS", 8},      {"DOORS", 4},  {"WINDOWS", 5},
				{"LABELS", 3}, {"DIMENSIONS", 2}, {"STAIRS", 6}, {"LIFTS", 1}};

const char *tn_dxf_layer_name(enum tn_dxf_layer layer)
{
	return layers[layer].name;
}

int tn_dxf_layer_colour(enum tn_dxf_layer layer)
{
	return layers[layer].colour;
}

/* ---- groups ---- */

void tn_dxf_word(const struct tn_dxf *dxf, int code, const char *word)
{
	tn_buf_format(dxf->out, "%3d\n%s\n", code, word);
}

void tn_dxf_count(const struct tn_dxf *dxf, int code, unsigned value)
{
	tn_buf_format(dxf->out, "%3d\n%6u\n", code, value);
}

/* Some readers tell a real number by its point. */
void tn_dxf_real(const struct tn_dxf *dxf, int code, double value)
{
	size_t before;

	tn_buf_format(dxf->out, "%3d\n", code);
	before = dxf->out->size;
	tn_floor_put_number(dxf->out, value);
	if (!dxf->out->failed && !memchr(dxf->out->data + before, '.', dxf->out->size - before))
		tn_buf_append_text(dxf->out, ".0");
	tn_buf_append_byte(dxf->out, '\n');
}

void tn_dxf_put_layer(const struct tn_dxf *dxf, enum tn_dxf_layer layer)
{
	if (dxf->prefixed) {
		tn_buf_append_str(dxf->out, dxf->floor->name);
		tn_buf_append_byte(dxf->out, '_');
	}
	tn_buf_append_text(dxf->out, layers[layer].name);
	tn_buf_append_byte(dxf->out, '\n');
}

static void begin(const struct tn_dxf *dxf, const char *entity)
{
	tn_dxf_word(dxf, 0, entity);
	tn_buf_append_text(dxf->out, "  8\n");
	tn_dxf_put_layer(dxf, dxf->layer);
}

static void reach(struct tn_dxf *dxf, double x, double y)
{
	dxf->low_x = fmin(dxf->low_x, x + dxf->aside);
	dxf->high_x = fmax(dxf->high_x, x + dxf->aside);
	dxf->low_y = fmin(dxf->low_y, -y);
	dxf->high_y = fmax(dxf->high_y, -y);
}

/* `axis`: 10 the first point of an entity, 11 the second. */
static void put_point(struct tn_dxf *dxf, int axis, double x, double y)
{
	reach(dxf, x, y);
	tn_dxf_real(dxf, axis, x + dxf->aside);
	tn_dxf_real(dxf, axis + 10, -y);
	tn_dxf_real(dxf, axis + 20, 0);
}

/* ---- entities ---- */

void tn_dxf_line(struct tn_dxf *dxf, double x1, double y1, double x2, double y2)
{
	begin(dxf, "LINE");
	put_point(dxf, 10, x1, y1);
	put_point(dxf, 11, x2, y2);
}

void tn_dxf_loop(struct tn_dxf *dxf, const struct tn_floor_point *points, size_t count)
{
	begin(dxf, "POLYLINE");
	tn_dxf_count(dxf, 66, 1); /* vertices follow */
	for (int axis = 10; axis <= 30; axis += 10)
		tn_dxf_real(dxf, axis, 0); /* the format wants a point that means nothing */
	tn_dxf_count(dxf, 70, 1);          /* closed */
	for (size_t i = 0; i < count; i++) {
		begin(dxf, "VERTEX");
		put_point(dxf, 10, points[i].x, points[i].y);
	}
	begin(dxf, "SEQEND");
}

void tn_dxf_rect(struct tn_dxf *dxf, const struct tn_floor_rect *rect)
{
	const struct tn_floor_point points[] = {{rect->x, rect->y},
						{rect->x + rect->width, rect->y},
						{rect->x + rect->width, rect->y + rect->height},
						{rect->x, rect->y + rect->height}};

	tn_dxf_loop(dxf, points, 4);
}

void tn_dxf_circle(struct tn_dxf *dxf, double x, double y, double radius)
{
	begin(dxf, "CIRCLE");
	put_point(dxf, 10, x, y);
	tn_dxf_real(dxf, 40, radius);
	reach(dxf, x - radius, y - radius);
	reach(dxf, x + radius, y + radius);
}

static double turn_over(double degrees)
{
	double turned = fmod(-degrees, 360);

	return turned < 0 ? turned + 360 : turned;
}

/* Its ends, and where it is farthest to a side. */
static void reach_along(struct tn_dxf *dxf, struct tn_floor_point middle, double radius,
			double from, double to)
{
	reach(dxf, middle.x + radius * cos(from * DEGREE), middle.y + radius * sin(from * DEGREE));
	reach(dxf, middle.x + radius * cos(to * DEGREE), middle.y + radius * sin(to * DEGREE));
	for (double turn = ceil(from / 90) * 90; turn < to; turn += 90)
		reach(dxf, middle.x + radius * round(cos(turn * DEGREE)),
		      middle.y + radius * round(sin(turn * DEGREE)));
}

/* DXF runs against the clock and y points up: what was the end is the start. */
void tn_dxf_arc(struct tn_dxf *dxf, double x, double y, double radius, double from, double to)
{
	begin(dxf, "ARC");
	put_point(dxf, 10, x, y);
	tn_dxf_real(dxf, 40, radius);
	tn_dxf_real(dxf, 50, turn_over(to));
	tn_dxf_real(dxf, 51, turn_over(from));
	reach_along(dxf, (struct tn_floor_point){x, y}, radius, from, to < from ? to + 360 : to);
}

/* ASCII only: \U+00E9 is what readers know for the rest, up to U+FFFF. `%%` and `^` begin codes of
 * the format's own. */
static void put_escaped(struct tn_buf *out, struct tn_str words)
{
	while (words.size > 0) {
		uint32_t code;
		size_t size = tn_utf8_decode(words.data, words.size, &code);

		if (size == 0) {
			size = 1;
			code = '?';
		}
		if (code < 0x20 || code == 0x7F)
			tn_buf_append_byte(out, ' ');
		else if (code == '%' && words.size > 1 && words.data[1] == '%')
			tn_buf_append_text(out, "%%%");
		else if (code == '^')
			tn_buf_append_text(out, "^ ");
		else if (code < 0x7F)
			tn_buf_append_byte(out, (char)code);
		else
			tn_buf_format(out, "\\U+%04X", code > 0xFFFF ? 0xFFFDu : (unsigned)code);
		words = tn_str_from_offset(words, size);
	}
}

void tn_dxf_text(struct tn_dxf *dxf, struct tn_str words, const struct tn_dxf_text *how)
{
	words = tn_str_trim(words);
	if (words.size == 0 || how->height <= 0)
		return;
	begin(dxf, "TEXT");
	put_point(dxf, 10, how->x, how->y);
	tn_dxf_real(dxf, 40, how->height);
	tn_buf_append_text(dxf->out, "  1\n");
	put_escaped(dxf->out, words);
	tn_buf_append_byte(dxf->out, '\n');
	if (how->angle != 0)
		tn_dxf_real(dxf, 50, how->angle);
	tn_dxf_count(dxf, 72, 1); /* around the middle of the second point, */
	put_point(dxf, 11, how->x, how->y);
	tn_dxf_count(dxf, 73, 2); /* in both directions */
}
