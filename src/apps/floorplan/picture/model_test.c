/* Plans in space: sizes, holes, steps, and pictures as they have been looked at (floorplan.md
 * 10.3). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/floorplan/picture/model.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/picture/picture_test_kit.h"
#include "base/mem.h"
#include "base/size.h"
#include "draw/png_test_kit.h"

#define PAGE 0xFFFFFF /* of the default theme */

struct kit {
	struct tn_floor_plan *plan;
	struct tn_floor_picture_options options;
	struct tn_floor_view view;
	struct tn_floor_picture picture;
	struct tn_arena arena;
	struct tn_buf png;
	uint8_t *pixels; /* RGB */
	uint32_t width, height;
	struct tenon_error err;
};

static void begin(struct kit *kit, struct tn_str text)
{
	memset(kit, 0, sizeof(*kit));
	kit->options = tn_picture_kit_options();
	kit->options.all_floors = true;
	kit->view.fov = 50;
	tn_arena_init(&kit->arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&kit->png, TN_FLOOR_OUTPUT_BYTES_MAX);
	assert_int_equal(tn_floor_plan_create(text, false, &kit->plan, &kit->err), TENON_OK);
	assert_true(kit->plan->valid);
}

static enum tenon_code draw(struct kit *kit)
{
	enum tenon_code code =
		tn_floor_draw_model(kit->plan, &kit->options, &kit->view, &kit->arena, &kit->png,
				    &kit->picture, &kit->err);

	if (code == TENON_OK)
		kit->pixels = tn_png_kit_decode(tn_buf_str(&kit->png), &kit->width, &kit->height);
	return code;
}

static void draw_well(struct kit *kit)
{
	if (draw(kit) != TENON_OK)
		fail_msg("%s", kit->err.message);
	assert_int_equal(kit->width, kit->options.width);
	assert_int_equal(kit->height, kit->options.height);
}

static void finish(struct kit *kit)
{
	tn_arena_finish(&kit->arena);
	tn_floor_plan_free(kit->plan);
	tn_buf_finish(&kit->png);
	tn_mem_free(kit->pixels);
}

static uint32_t pixel_at(const struct kit *kit, double x, double y)
{
	const uint8_t *pixel;

	assert_true(x >= 0 && y >= 0 && x < kit->width && y < kit->height);
	pixel = kit->pixels + 3 * ((size_t)y * kit->width + (size_t)x);
	return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

static void assert_place(struct tn_point3 place, double x, double y, double z)
{
	if (fabs(place.x - x) > 1e-6 || fabs(place.y - y) > 1e-6 || fabs(place.z - z) > 1e-6)
		fail_msg("%g, %g, %g is not %g, %g, %g", place.x, place.y, place.z, x, y, z);
}

/* ---- sizes ---- */

#define CONFIG                                                                            \
	"floorplan config { default_unit: m, wall_thickness: 0.2, floor_thickness: 0.3, " \
	"show_labels: false }\n"

static void test_bounds(void **state)
{
	struct kit kit;

	(void)state;
	begin(&kit, TN_STR(CONFIG "floor G height 3 { room A at (1,2) size (4 x 5) }\n"
				  "floor H height 2.5 { room B at (1,2) size (2 x 2)\n"
				  "room C at (3,2) size (1 x 1) height 4 elevation 1 }"));
	draw_well(&kit);
	assert_place(kit.view.min, 0.9, 1.9, -0.3);
	assert_place(kit.view.max, 5.1, 7.1, 3 + 1 + 4);
	assert_place(kit.view.to, 3, 4.5, (8 - 0.3) / 2);
	assert_int_equal(kit.picture.transform_count, 2);
	finish(&kit);
	/* An upper floor alone is where it is. */
	begin(&kit, TN_STR(CONFIG "floor G height 3 { room A at (1,2) size (4 x 5) }\n"
				  "floor H height 2.5 { room B at (1,2) size (2 x 2) }"));
	kit.options.all_floors = false;
	kit.options.floor_index = 1;
	draw_well(&kit);
	assert_place(kit.view.min, 0.9, 1.9, 2.7);
	assert_place(kit.view.max, 3.1, 4.1, 5.5);
	finish(&kit);
}

/* ---- elevations: seen level, from the plan's lower side, a unit is a number of pixels ---- */

struct elevation {
	double scale, left, floor; /* pixels a unit; of x 0; of z 0 */
};

static struct elevation draw_elevation(struct kit *kit)
{
	struct elevation made;

	kit->view.has_from = kit->view.has_to = true;
	kit->view.from = (struct tn_point3){0, 100, 0};
	draw_well(kit);
	made.scale = fmin((kit->width - 32) / (kit->view.max.x - kit->view.min.x),
			  (kit->height - 32) / (kit->view.max.z - kit->view.min.z));
	made.left = kit->width / 2.0 - made.scale * (kit->view.min.x + kit->view.max.x) / 2;
	made.floor = kit->height / 2.0 + made.scale * (kit->view.min.z + kit->view.max.z) / 2;
	return made;
}

static bool is_open(const struct kit *kit, const struct elevation *by, double x, double z)
{
	return pixel_at(kit, by->left + by->scale * x, by->floor - by->scale * z) == PAGE;
}

static void test_holes(void **state)
{
	struct elevation by;
	struct kit kit;

	(void)state;
	begin(&kit,
	      TN_STR(CONFIG "floor G height 3 { room A at (0,0) size (4 x 4) walls [top: open, "
			    "bottom: door at 1 size (1 x 2)]\n"
			    "room B at (4,0) size (4 x 4) walls [top: open, bottom: window at 2 "
			    "size (1 x 1)] }"));
	by = draw_elevation(&kit);
	assert_true(is_open(&kit, &by, 1, 0.1));
	assert_true(is_open(&kit, &by, 1.25, 1.9));
	assert_false(is_open(&kit, &by, 1.25, 2.1)); /* the lintel */
	assert_false(is_open(&kit, &by, 0.2, 1));
	assert_false(is_open(&kit, &by, 3, 1));
	assert_true(is_open(&kit, &by, 6.25, kit.plan->settings.window_sill + 0.5));
	assert_false(is_open(&kit, &by, 6.25, kit.plan->settings.window_sill - 0.1));
	assert_false(is_open(&kit, &by, 6.25, kit.plan->settings.window_sill + 1.1));
	assert_false(is_open(&kit, &by, 5, 1.5));
	finish(&kit);
}

/* A wall is as high as the higher of the rooms that have it, and only as far as that room goes. */
static void test_heights(void **state)
{
	struct elevation by;
	struct kit kit;

	(void)state;
	begin(&kit, TN_STR(CONFIG "floor G height 2 { room A at (0,0) size (4 x 4) height 4\n"
				  "room B at (4,0) size (4 x 4) }"));
	by = draw_elevation(&kit);
	assert_false(is_open(&kit, &by, 2, 3.9));
	assert_false(is_open(&kit, &by, 4, 3.9));
	assert_true(is_open(&kit, &by, 4.2, 2.1));
	assert_true(is_open(&kit, &by, 7.9, 2.1));
	assert_false(is_open(&kit, &by, 7.9, 1.9));
	finish(&kit);
}

/* A wall may have a height of its own; what stands in an opening ends with it. */
static void test_own_heights(void **state)
{
	struct elevation by;
	struct kit kit;

	(void)state;
	begin(&kit,
	      TN_STR(CONFIG "floor G height 3 { room A at (0,0) size (8 x 4) walls [top: open, "
			    "right: open, bottom: door at 2 size (1 x 2) height 1, left: open] "
			    "}"));
	by = draw_elevation(&kit);
	assert_place(kit.view.max, 8.1, 4.1, 1);
	assert_false(is_open(&kit, &by, 5, 0.9));
	assert_true(is_open(&kit, &by, 5, 1.1));
	assert_true(is_open(&kit, &by, 1.75, 0.9));
	finish(&kit);
}

/* Each tread one riser above the one before, whatever the stair's shape. */
static void test_steps(void **state)
{
	struct elevation by;
	struct kit kit;

	(void)state;
	begin(&kit,
	      TN_STR(CONFIG "floor G height 3 { room A at (0,0) size (9 x 9) walls [top: open, "
			    "right: open, bottom: open, left: open]\n"
			    "stair S at (1,4) shape straight toward right rise 2.8m "
			    "riser 20cm tread 30cm }"));
	by = draw_elevation(&kit);
	for (int i = 0; i < 14; i++) {
		double x = 1 + 0.3 * (i + 0.5);

		assert_false(is_open(&kit, &by, x, 0.2 * (i + 1) - 0.04));
		assert_true(is_open(&kit, &by, x, 0.2 * (i + 1) + 0.04));
	}
	finish(&kit);
}

static const char *const shapes[] = {
	"L-shaped from bottom turn left",
	"L-shaped from top turn right runs 4, 6",
	"U-shaped from left turn right",
	"double-L from bottom turn left",
	"winder from left turn right winders 3",
	"winder from bottom turn left winders 4 runs 3, 4",
	"spiral rotation clockwise outer-radius 1",
	"spiral rotation counterclockwise inner-radius 0.2 outer-radius 1",
	"curved from bottom radius 2",
	"curved from left arc 180 radius 2",
	"custom from bottom [flight 4, turn left winders 3, flight 4]",
	"custom from bottom [flight 4, turn left winders 5 180\xc2\xb0, flight 4]",
};

/* All shapes rise to their rise and no higher, within their box. */
static void test_shapes(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(shapes); i++) {
		char text[512];
		struct kit kit;
		const struct tn_floor_rect *box;

		(void)snprintf(text, sizeof(text),
			       CONFIG "floor G { stair S at (2,3) shape %s rise 2.6m }", shapes[i]);
		begin(&kit, tn_str_from(text));
		draw_well(&kit);
		box = &kit.plan->floors->circulation->rect;
		if (fabs(kit.view.max.z - 2.6) > 1e-6 || kit.view.min.z != 0 ||
		    kit.view.min.x < box->x - 1e-5 || kit.view.max.x > box->x + box->width + 1e-5 ||
		    kit.view.min.y < box->y - 1e-5 || kit.view.max.y > box->y + box->height + 1e-5)
			fail_msg("%s: %g to %g, %g to %g, %g to %g", shapes[i], kit.view.min.x,
				 kit.view.max.x, kit.view.min.y, kit.view.max.y, kit.view.min.z,
				 kit.view.max.z);
		finish(&kit);
	}
}

/* ---- the camera ---- */

#define ONE CONFIG "floor G { room A at (0,0) size (4 x 4) }"

static void refuse(struct tn_point3 from, struct tn_point3 to, bool perspective)
{
	struct kit kit;

	begin(&kit, TN_STR(ONE));
	kit.view.perspective = perspective;
	kit.view.has_from = kit.view.has_to = true;
	kit.view.from = from;
	kit.view.to = to;
	assert_int_equal(draw(&kit), TENON_INVALID);
	assert_int_equal(kit.png.size, 0);
	finish(&kit);
}

static void test_camera(void **state)
{
	const struct tn_point3 here = {2, 2, 9}, away = {2, 2, 99}, far = {1e7, -1e7, 1e7};
	struct kit kit;

	(void)state;
	refuse(here, here, false);
	refuse(here, here, true);
	refuse(here, away, true);
	for (int fov = 10; fov <= 120; fov += 55)
		for (int i = 0; i < 2; i++) {
			begin(&kit, TN_STR(ONE));
			kit.view.perspective = true;
			kit.view.fov = fov;
			kit.view.has_to = i;
			kit.view.to = (struct tn_point3){2, 2, 1};
			draw_well(&kit);
			/* The whole is in the picture: nothing at the edges. */
			for (uint32_t x = 0; x < kit.width; x++)
				assert_int_equal(pixel_at(&kit, x, 0) & pixel_at(&kit, x, 599),
						 PAGE);
			for (uint32_t y = 0; y < kit.height; y++)
				assert_int_equal(pixel_at(&kit, 0, y) & pixel_at(&kit, 799, y),
						 PAGE);
			finish(&kit);
		}
	begin(&kit, TN_STR(ONE));
	kit.view.has_from = true;
	kit.view.from = far;
	draw_well(&kit);
	finish(&kit);
}

/* What was told of a picture makes the same picture. */
static void test_told(void **state)
{
	struct kit one, two;

	(void)state;
	begin(&one, TN_STR(ONE));
	one.view.perspective = true;
	draw_well(&one);
	begin(&two, TN_STR(ONE));
	two.view = one.view;
	two.view.has_from = two.view.has_to = true;
	draw_well(&two);
	assert_true(tn_str_equal(tn_buf_str(&one.png), tn_buf_str(&two.png)));
	finish(&one);
	finish(&two);
}

static void test_empty(void **state)
{
	struct kit kit;
	size_t ink = 0;

	(void)state;
	begin(&kit, TN_STR("floorplan"));
	draw_well(&kit);
	for (uint32_t i = 0; i < kit.width * kit.height; i++)
		ink += kit.pixels[3 * i] < 128;
	assert_true(ink > 50); /* its words */
	finish(&kit);
	begin(&kit, TN_STR(ONE));
	kit.options.all_floors = false;
	kit.options.floor_index = 1;
	assert_int_equal(draw(&kit), TENON_NOT_FOUND);
	finish(&kit);
}

/* ---- as they have been looked at ---- */

static const struct {
	const char *plan, *theme;
	bool perspective;
} looked_at[] = {{"house", "default", false},   {"townhall", "dark", false},
		 {"boat", "blueprint", false},  {"school", "default", true},
		 {"stairs", "blueprint", true}, {"stairs", "dark", false}};

static void test_golden(void **state)
{
	const char *folder = getenv("TN_GOLDEN_WRITE");

	(void)state;
	for (size_t i = 0; i < TN_COUNT(looked_at); i++) {
		struct tn_buf text, golden;
		char path[256];
		struct kit kit;

		(void)snprintf(path, sizeof(path), "floorplan/%s.floorplan", looked_at[i].plan);
		tn_picture_kit_read(path, &text);
		begin(&kit, tn_buf_str(&text));
		kit.options.theme = tn_str_from(looked_at[i].theme);
		kit.view.perspective = looked_at[i].perspective;
		draw_well(&kit);
		(void)snprintf(path, sizeof(path), "%s/space-%s-%s.png",
			       folder ? folder : "floorplan", looked_at[i].plan,
			       looked_at[i].theme);
		if (folder) {
			FILE *file = fopen(path, "wb");

			assert_non_null(file);
			assert_int_equal(fwrite(kit.png.data, 1, kit.png.size, file), kit.png.size);
			assert_int_equal(fclose(file), 0);
		} else {
			tn_picture_kit_read(path, &golden);
			if (!tn_str_equal(tn_buf_str(&golden), tn_buf_str(&kit.png)))
				fail_msg("%s is not what is drawn now", path);
			tn_buf_finish(&golden);
		}
		finish(&kit);
		tn_buf_finish(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),  cmocka_unit_test(test_holes),
		cmocka_unit_test(test_heights), cmocka_unit_test(test_own_heights),
		cmocka_unit_test(test_steps),   cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_camera),  cmocka_unit_test(test_told),
		cmocka_unit_test(test_empty),   cmocka_unit_test(test_golden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
