/* Any plan as every kind of drawing, with any options and seen from anywhere: what is made is
 * whole, of the size asked for, and has no number that is none (floorplan.md 11).
 *
 * The first byte chooses the drawing, the next seven its options; the rest is the plan. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/picture/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OPTIONS = 8 };

struct drawing {
	struct tn_floor_plan *plan;
	struct tn_floor_picture_options options;
	struct tn_floor_picture picture;
	struct tn_arena arena;
	struct tn_buf out;
	struct tenon_error err;
};

static void read_options(struct drawing *d, const uint8_t *bytes)
{
	static const char *const themes[] = {"", "default", "dark", "blueprint"};

	d->options = (struct tn_floor_picture_options){
		.width = 64 + bytes[1],
		.height = 64 + bytes[2],
		.all_floors = bytes[3] & 1,
		.layout = bytes[3] & 2 ? TN_FLOOR_STACKED : TN_FLOOR_SIDE_BY_SIDE,
		.area = bytes[3] & 4,
		.summary = bytes[3] & 8,
		.legend = bytes[3] & 16,
		.no_scale_bar = bytes[3] & 32,
		.dimensions_in_rooms = bytes[3] & 64,
		.architectural = bytes[3] & 128,
		.theme = tn_str_from(themes[bytes[4] & 3]),
		.labels = bytes[4] & 4 ? 1 : -1,
		.dimensions = bytes[4] & 8 ? 1 : -1,
		.diagnostics = bytes[4] & 16,
		.area_in_sqm = -1};
}

static void check_png(const struct drawing *d)
{
	const uint8_t *head = (const uint8_t *)d->out.data + 16;

	tn_assert(d->out.size > 60 && memcmp(d->out.data, "\x89PNG\r\n\x1a\n", 8) == 0);
	tn_assert(((uint32_t)head[2] << 8 | head[3]) == d->options.width);
	tn_assert(((uint32_t)head[6] << 8 | head[7]) == d->options.height);
}

/* After ` x="` and the like stands a number. */
static void check_numbers(struct tn_str svg)
{
	static const char *const names[] = {" x=\"", " y=\"", " width=\"", " height=\"", " d=\"M"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct tn_str name = tn_str_from(names[i]), rest = svg;
		size_t at;

		while ((at = tn_str_find(rest, name)) != TN_STR_NONE) {
			rest = tn_str_from_offset(rest, at + name.size);
			tn_assert(rest.size > 0 && (tn_is_digit(rest.data[0]) ||
						    rest.data[0] == '-' || rest.data[0] == '.'));
		}
	}
}

static struct tn_str next_line(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\n');
	struct tn_str line = end == TN_STR_NONE ? *rest : tn_str(rest->data, end);

	*rest = end == TN_STR_NONE ? tn_str(NULL, 0) : tn_str_from_offset(*rest, end + 1);
	return tn_str_trim(line);
}

/* Lines in pairs, a code and a value; numbers where the code says so. */
static void check_pairs(struct tn_str dxf)
{
	while (dxf.size > 0) {
		struct tn_str name = next_line(&dxf), value = next_line(&dxf);
		uint64_t code = 0;

		tn_assert(tn_str_to_uint(name, &code));
		if (code < 10 || code > 59)
			continue;
		tn_assert(value.size > 0);
		tn_assert(tn_is_digit(value.data[0]) ||
			  (value.size > 1 && value.data[0] == '-' && tn_is_digit(value.data[1])));
	}
}

static void draw_flat(struct drawing *d, bool svg)
{
	if (tn_floor_draw(d->plan, &d->options, &d->arena, &d->picture, &d->err) != TENON_OK)
		return;
	if (svg && tn_draw_svg(d->picture.display, &d->out, &d->err) == TENON_OK)
		check_numbers(tn_buf_str(&d->out));
	else if (!svg && tn_draw_png(d->picture.display, 1, &d->out, &d->err) == TENON_OK)
		check_png(d);
	tn_display_free(d->picture.display);
}

static double part_of(uint8_t byte) /* -8 to 8 */
{
	return (byte - 128) / 16.0;
}

static void draw_space(struct drawing *d, const uint8_t *bytes)
{
	struct tn_floor_view view = {.perspective = bytes[5] & 1,
				     .has_from = bytes[5] & 2,
				     .has_to = bytes[5] & 4,
				     .fov = 10 + bytes[5] % 111,
				     .from = {part_of(bytes[6]), part_of(bytes[7]), 2},
				     .to = {part_of(bytes[7]), part_of(bytes[6]), 1}};

	if (tn_floor_draw_model(d->plan, &d->options, &view, &d->arena, &d->out, &d->picture,
				&d->err) == TENON_OK) {
		check_png(d);
		tn_assert(isfinite(view.from.x) && isfinite(view.to.z) && isfinite(view.max.x));
		tn_assert(view.min.x <= view.max.x && view.min.z <= view.max.z);
	}
}

static void draw(struct drawing *d, const uint8_t *bytes)
{
	const struct tn_floor_pdf_options pdf = {.paper = bytes[5] & 1 ? "A4" : "Letter",
						 .scale = bytes[5] & 2 ? bytes[6] + 1 : 0,
						 .all_on_one = bytes[5] & 4,
						 .picture = &d->options};

	switch (bytes[0] % 5) {
	case 0:
		draw_flat(d, false);
		break;
	case 1:
		draw_flat(d, true);
		break;
	case 2:
		draw_space(d, bytes);
		break;
	case 3:
		if (tn_floor_put_pdf(&d->out, d->plan, &pdf, &d->err) == TENON_OK)
			tn_assert(tn_str_starts(tn_buf_str(&d->out), TN_STR("%PDF-")));
		break;
	default:
		if (tn_floor_put_dxf(&d->out, d->plan, &d->err) == TENON_OK)
			check_pairs(tn_buf_str(&d->out));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drawing d = {.plan = NULL};

	if (size < OPTIONS ||
	    tn_floor_plan_create(tn_str((const char *)data + OPTIONS, size - OPTIONS), false,
				 &d.plan, &d.err) != TENON_OK)
		return 0;
	if (d.plan->tree.parses && (d.plan->valid || data[4] & 16)) {
		tn_arena_init(&d.arena, TN_FLOOR_ARENA_MAX);
		tn_buf_init(&d.out, TN_FLOOR_OUTPUT_BYTES_MAX);
		read_options(&d, data);
		draw(&d, data);
		tn_buf_finish(&d.out);
		tn_arena_finish(&d.arena);
	}
	tn_floor_plan_free(d.plan);
	return 0;
}
