/* Solids of a plan in space: measured, looked at and drawn by the same numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>

#include <cmocka.h>

#include "apps/floorplan/picture/model_faces.h"
#include "draw/limits.h"

static const struct tn_model_colours colours = {.top = 0x808080FF, .side = 0x404040FF};

static struct tn_floor_view no_view(void)
{
	return (struct tn_floor_view){.min = {INFINITY, INFINITY, INFINITY},
				      .max = {-INFINITY, -INFINITY, -INFINITY}};
}

static void colours_are_mixed_by_channel(void **state)
{
	(void)state;
	assert_int_equal(tn_model_mix(0x000000FF, 0xFFFFFFFF, 0), 0x000000FF);
	assert_int_equal(tn_model_mix(0x000000FF, 0xFFFFFFFF, 1), 0xFFFFFFFF);
	assert_int_equal(tn_model_mix(0x000000FF, 0xFFFFFFFF, 0.5), 0x808080FF);
	assert_int_equal(tn_model_mix(0x204060FF, 0x402000FF, 0.25), 0x283848FF);
	/* A solid is never seen through, whatever it was mixed of. */
	assert_int_equal(tn_model_mix(0x10203000, 0x10203000, 0.3), 0x102030FF);
}

static void the_last_bits_of_builds_are_gone(void **state)
{
	(void)state;
	assert_true(tn_model_steady(0.1 + 0.2) == tn_model_steady(0.3));
	assert_true(tn_model_steady(1.0000004) == 1);
	assert_true(tn_model_steady(-2.5) == -2.5);
}

static void measuring_takes_in_every_corner(void **state)
{
	struct tn_floor_view view = no_view();
	struct tn_model model = {.act = TN_MODEL_MEASURE, .view = &view, .base = 3};
	const struct tn_floor_rect rect = {1, 2, 4, 5}, other = {-1, 3, 1, 1};

	(void)state;
	tn_model_put_box(&model, &rect, -0.5, 2.5, colours);
	assert_true(view.min.x == 1 && view.min.y == 2 && view.min.z == 2.5);
	assert_true(view.max.x == 5 && view.max.y == 7 && view.max.z == 5.5);
	tn_model_put_box(&model, &other, 0, 1, colours);
	assert_true(view.min.x == -1 && view.max.x == 5 && view.max.z == 5.5);
	assert_int_equal(model.scene.face_count, 0); /* nothing is drawn by that */
}

/* What has no height or no base is no solid: nobody's view grows by it. */
static void what_is_flat_is_nothing(void **state)
{
	struct tn_floor_view view = no_view();
	struct tn_model model = {.act = TN_MODEL_MEASURE, .view = &view};
	const struct tn_point base[TN_SCENE_CORNERS_MAX + 1] = {{0, 0}, {1, 0}, {1, 1}};

	(void)state;
	tn_model_put(&model, base, 3, 1, 1, colours);
	tn_model_put(&model, base, 3, 2, 1, colours);
	tn_model_put(&model, base, 3, 1, 1.0000000001, colours); /* less than a millionth */
	tn_model_put(&model, base, 2, 0, 1, colours);
	tn_model_put(&model, base, TN_SCENE_CORNERS_MAX + 1, 0, 1, colours);
	assert_true(isinf(view.min.x) && isinf(view.max.x));
	tn_model_put(&model, base, TN_SCENE_CORNERS_MAX, 0, 1, colours);
	assert_true(view.max.x == 1);
}

static void open_scene(struct tn_model *model, bool perspective)
{
	const struct tn_camera camera = {.perspective = perspective,
					 .from = {0, 10, 0},
					 .to = {0, 0, 0},
					 .x = 50,
					 .y = 50,
					 .scale = 10};

	assert_true(tn_scene_init(&model->scene, &camera, 100, 100));
	model->act = TN_MODEL_LOOK;
	model->look = (struct tn_floor_box){INFINITY, INFINITY, -INFINITY, -INFINITY};
}

/* While it is looked at, `width` and `height` are the right and lower edges. */
static void looking_takes_in_what_is_seen(void **state)
{
	struct tn_model model = {.base = 0};
	const struct tn_floor_rect rect = {-1, -1, 3, 1};

	(void)state;
	open_scene(&model, false);
	tn_model_put_box(&model, &rect, 0, 2, colours);
	assert_true(fabs(model.look.x - 40) < 1e-9 && fabs(model.look.width - 70) < 1e-9);
	assert_true(fabs(model.look.y - 30) < 1e-9 && fabs(model.look.height - 50) < 1e-9);
	tn_scene_finish(&model.scene);
}

static void what_is_behind_the_camera_looks_as_large_as_can_be(void **state)
{
	struct tn_model model = {.base = 0};

	(void)state;
	open_scene(&model, true);
	tn_model_look_at(&model, (struct tn_point3){0, 0, 0});
	assert_true(isfinite(model.look.x) && isfinite(model.look.width));
	tn_model_look_at(&model, (struct tn_point3){0, 20, 0});
	assert_true(model.look.x < 0 && isinf(model.look.x) && isinf(model.look.height));
	tn_scene_finish(&model.scene);
}

static void drawing_adds_faces_and_measures_nothing(void **state)
{
	struct tn_floor_view view = no_view();
	struct tn_model model = {.view = &view};
	const struct tn_floor_rect rect = {-1, -1, 2, 2};

	(void)state;
	open_scene(&model, false);
	model.act = TN_MODEL_DRAW;
	tn_model_put_box(&model, &rect, 0, 2, colours);
	assert_true(model.scene.face_count > 0);
	assert_int_equal(model.scene.failed, TENON_OK);
	assert_true(isinf(view.min.x) && isinf(model.look.x));
	tn_scene_finish(&model.scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_are_mixed_by_channel),
		cmocka_unit_test(the_last_bits_of_builds_are_gone),
		cmocka_unit_test(measuring_takes_in_every_corner),
		cmocka_unit_test(what_is_flat_is_nothing),
		cmocka_unit_test(looking_takes_in_what_is_seen),
		cmocka_unit_test(what_is_behind_the_camera_looks_as_large_as_can_be),
		cmocka_unit_test(drawing_adds_faces_and_measures_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
