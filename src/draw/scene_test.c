/* Scenes against rays: what a picture shows is what the nearest face along a ray is. */
#include "draw/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "draw/limits.h"

#define GROUND 0x102030FFu
#define LINE 0x00FF00FFu

static uint32_t seed;

static double chance(void) /* 0 to 1 */
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) / 16777216.0;
}

/* ---- boxes, so that rays are easily followed ---- */

struct box {
	struct tn_point3 low, high;
	tn_colour top, side;
};

static void add(struct tn_scene *scene, const struct box *box)
{
	const struct tn_point base[4] = {{box->low.x, box->low.y},
					 {box->high.x, box->low.y},
					 {box->high.x, box->high.y},
					 {box->low.x, box->high.y}};

	tn_scene_add(scene, &(struct tn_prism){.base = base,
					       .count = 4,
					       .bottom = box->low.z,
					       .top = box->high.z,
					       .top_colour = box->top,
					       .side_colour = box->side});
}

static struct tn_raster draw(struct tn_scene *scene, uint32_t width, uint32_t height)
{
	struct tn_raster raster;
	struct tenon_error err;

	assert_int_equal(tn_raster_init(&raster, width, height, GROUND, &err), TENON_OK);
	if (tn_scene_draw(scene, &raster, LINE, 0.5, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return raster;
}

static uint32_t pixel_at(const struct tn_raster *raster, double x, double y)
{
	const uint8_t *pixel;

	assert_true(x >= 0 && y >= 0 && x < raster->width && y < raster->height);
	pixel = raster->pixels + 4 * ((size_t)y * raster->width + (size_t)x);
	return (uint32_t)pixel[0] << 24 | (uint32_t)pixel[1] << 16 | (uint32_t)pixel[2] << 8 | 0xFF;
}

static tn_colour shaded(tn_colour colour, unsigned shade)
{
	tn_colour made = 0xFF;

	for (unsigned shift = 8; shift < 32; shift += 8)
		made |= ((colour >> shift & 255) * shade + 50) / 100 << shift;
	return made;
}

/* ---- where things are ---- */

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

static struct tn_camera corner_camera(void)
{
	return (struct tn_camera){
		.from = {10, 10, 10}, .to = {0, 0, 0}, .x = 100, .y = 80, .scale = 20};
}

static void test_places(void **state)
{
	struct tn_camera camera = corner_camera();
	struct tn_scene scene;
	struct tn_point at;

	(void)state;
	assert_true(tn_scene_init(&scene, &camera, 200, 160));
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){0, 0, 0}, &at));
	assert_near(at.x, 100);
	assert_near(at.y, 80);
	/* The plan's x goes to the right and down, at 30 degrees; its y to the left; z up. */
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){1, 0, 0}, &at));
	assert_near(at.x, 100 + 20 / sqrt(2));
	assert_near((at.y - 80) / (at.x - 100), tan(30 * 0.017453292519943295));
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){0, 1, 0}, &at));
	assert_near(at.x, 100 - 20 / sqrt(2));
	assert_true(at.y > 80);
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){0, 0, 1}, &at));
	assert_near(at.x, 100);
	assert_near(at.y, 80 - 20 * sqrt(2.0 / 3));
	tn_scene_finish(&scene);
}

/* From above a plan is as it is drawn, from below it is turned over. */
static void test_upright(void **state)
{
	struct tn_camera camera = {.from = {0, 0, 9}, .scale = 1};
	struct tn_scene scene;
	struct tn_point at;

	(void)state;
	assert_true(tn_scene_init(&scene, &camera, 9, 9));
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){1, 2, 3}, &at));
	assert_true(at.x == 1 && at.y == 2);
	camera.from.z = -9;
	assert_true(tn_scene_init(&scene, &camera, 9, 9));
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){1, 2, 3}, &at));
	assert_true(at.x == -1 && at.y == 2);
	camera.from = camera.to;
	assert_false(tn_scene_init(&scene, &camera, 9, 9));
	camera = (struct tn_camera){.perspective = true, .from = {0, 0, 9}, .scale = 9};
	assert_true(tn_scene_init(&scene, &camera, 9, 9));
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){1, 2, 6}, &at));
	assert_true(at.x == 3 && at.y == 6);
	assert_false(tn_scene_pixel(&scene, (struct tn_point3){1, 2, 9}, &at));
	assert_false(tn_scene_pixel(&scene, (struct tn_point3){1, 2, 10}, &at));
}

static void test_cube(void **state)
{
	const struct box cube = {{-1, -1, -1}, {1, 1, 1}, 0xC86432FF, 0x6496C8FF};
	struct tn_camera camera = corner_camera();
	struct tn_scene scene;
	struct tn_raster raster;

	(void)state;
	assert_true(tn_scene_init(&scene, &camera, 200, 160));
	add(&scene, &cube);
	raster = draw(&scene, 200, 160);
	assert_int_equal(pixel_at(&raster, 100, 64), cube.top);
	/* To the right what looks along x, to the left what looks along y. */
	assert_int_equal(pixel_at(&raster, 114, 88), shaded(cube.side, 73));
	assert_int_equal(pixel_at(&raster, 86, 88), shaded(cube.side, 92));
	assert_int_equal(pixel_at(&raster, 20, 20), GROUND);
	assert_int_equal(pixel_at(&raster, 199, 159), GROUND);
	tn_raster_finish(&raster);
	tn_scene_finish(&scene);
}

/* ---- rays ---- */

struct hit {
	double along;
	tn_colour colour; /* GROUND: nothing */
};

static double part(const struct tn_point3 *place, int axis)
{
	return axis == 0 ? place->x : axis == 1 ? place->y : place->z;
}

/* Where a ray comes into a box; nothing when it begins inside. */
static void follow(const struct box *box, const struct tn_point3 *from, const struct tn_point3 *way,
		   struct hit *nearest)
{
	double in = -INFINITY, out = INFINITY;
	int axis_in = 0;
	tn_colour colour;

	for (int axis = 0; axis < 3; axis++) {
		double a = (part(&box->low, axis) - part(from, axis)) / part(way, axis),
		       b = (part(&box->high, axis) - part(from, axis)) / part(way, axis);

		if (fmin(a, b) > in) {
			in = fmin(a, b);
			axis_in = axis;
		}
		out = fmin(out, fmax(a, b));
	}
	if (in > out || in <= 0 || in >= nearest->along)
		return;
	colour = axis_in == 2 && way->z < 0 ? box->top
		 : axis_in == 2             ? shaded(box->side, 60)
		 : axis_in == 0             ? shaded(box->side, way->x > 0 ? 87 : 73)
					    : shaded(box->side, way->y > 0 ? 68 : 92);
	*nearest = (struct hit){in, colour};
}

static tn_colour seen_at(const struct tn_scene *scene, const struct box *boxes, size_t count,
			 double x, double y)
{
	const struct tn_camera *camera = &scene->camera;
	const struct tn_point3 *r = &scene->right, *d = &scene->down, *f = &scene->forward;
	double u = (x - camera->x) / camera->scale, v = (y - camera->y) / camera->scale;
	struct tn_point3 side = {u * r->x + v * d->x, u * r->y + v * d->y, u * r->z + v * d->z},
			 from = camera->from, way = *f;
	struct hit hit = {INFINITY, GROUND};

	if (camera->perspective) {
		way = (struct tn_point3){f->x + side.x, f->y + side.y, f->z + side.z};
	} else { /* from far before everything */
		from = (struct tn_point3){camera->to.x + side.x - 1000 * f->x,
					  camera->to.y + side.y - 1000 * f->y,
					  camera->to.z + side.z - 1000 * f->z};
	}
	for (size_t i = 0; i < count; i++)
		follow(&boxes[i], &from, &way, &hit);
	return hit.colour;
}

/* Only where all rays around a pixel tell the same: lines and mixtures are elsewhere. */
static unsigned compare(const struct tn_scene *scene, const struct tn_raster *raster,
			const struct box *boxes, size_t count)
{
	unsigned compared = 0;

	for (uint32_t i = 0; i < 400; i++) {
		uint32_t x = 2 + (uint32_t)(chance() * (raster->width - 4)),
			 y = 2 + (uint32_t)(chance() * (raster->height - 4));
		tn_colour colour = seen_at(scene, boxes, count, x + 0.5, y + 0.5);
		bool alike = true;

		for (int k = 0; k < 25 && alike; k++)
			alike = seen_at(scene, boxes, count, x - 1 + 0.75 * (k % 5),
					y - 1 + 0.75 * (k / 5)) == colour;
		if (!alike)
			continue;
		compared++;
		if (pixel_at(raster, x, y) != colour)
			fail_msg("seed %u: %u, %u is #%08x, not #%08x", seed, x, y,
				 pixel_at(raster, x, y), colour);
	}
	return compared;
}

static double between(double low, double high)
{
	return low + chance() * (high - low);
}

static struct box random_box(void)
{
	struct box box = {.low = {between(-9, 8), between(-9, 8), between(-9, 8)},
			  .top = (tn_colour)(chance() * 0xFFFFFF) << 8 | 0xFF,
			  .side = (tn_colour)(chance() * 0xFFFFFF) << 8 | 0xFF};

	box.high = (struct tn_point3){box.low.x + between(0.5, 9), box.low.y + between(0.5, 9),
				      box.low.z + between(0.5, 9)};
	return box;
}

static void test_random(void **state)
{
	unsigned compared = 0;

	(void)state;
	for (seed = 1; seed < 61; seed++) {
		uint32_t first = seed;
		struct box boxes[40];
		size_t count = 1 + (size_t)(chance() * 40);
		bool perspective = chance() < 0.5;
		struct tn_camera camera = {
			.perspective = perspective,
			/* Inside the heap, too. */
			.from = {between(-20, 20), between(-20, 20), between(-20, 20)},
			.to = {between(-5, 5), between(-5, 5), between(-5, 5)},
			.x = 75,
			.y = 50,
			.scale = perspective ? 80 : 5};
		struct tn_scene scene;
		struct tn_raster raster;

		assert_true(tn_scene_init(&scene, &camera, 150, 100));
		for (size_t i = 0; i < count; i++) {
			boxes[i] = random_box();
			add(&scene, &boxes[i]);
		}
		raster = draw(&scene, 150, 100);
		compared += compare(&scene, &raster, boxes, count);
		tn_raster_finish(&raster);
		tn_scene_finish(&scene);
		seed = first;
	}
	assert_true(compared > 10000);
}

/* ---- planes at one place ---- */

static tn_colour of_two(bool turned)
{
	struct box boxes[2] = {{{-3, -3, 0}, {3, 3, 1}, 0x111111FF, 0x222222FF},
			       {{-2, -2, 0}, {2, 2, 1}, 0x888888FF, 0x999999FF}};
	struct tn_camera camera = corner_camera();
	struct tn_scene scene;
	struct tn_raster raster;
	struct tn_point at;
	tn_colour colour;

	assert_true(tn_scene_init(&scene, &camera, 200, 160));
	add(&scene, &boxes[turned]);
	add(&scene, &boxes[!turned]);
	raster = draw(&scene, 200, 160);
	assert_true(tn_scene_pixel(&scene, (struct tn_point3){0.5, 0.5, 1}, &at));
	colour = pixel_at(&raster, at.x, at.y);
	/* No line where the two meet in one plane. */
	for (double x = 0; x < 2.5; x += 0.05) {
		uint32_t pixel;

		assert_true(tn_scene_pixel(&scene, (struct tn_point3){x, 0, 1}, &at));
		pixel = pixel_at(&raster, at.x, at.y);
		assert_int_equal(pixel >> 24, pixel >> 16 & 255);
	}
	tn_raster_finish(&raster);
	tn_scene_finish(&scene);
	return colour;
}

static void test_one_plane(void **state)
{
	(void)state;
	assert_int_equal(of_two(false), 0x888888FF);
	assert_int_equal(of_two(true), 0x111111FF);
}

/* ---- marks ---- */

static void test_marks(void **state)
{
	const struct box wall = {{2, 2, 0}, {3, 9, 4}, 0xFFFFFFFF, 0xFFFFFFFF};
	const struct tn_point3 places[] = {{1.5, 5, 0}, {1.5, 5, 5}, {4, 5, 0}, {900, 0, 0}};
	const bool seen[] = {false, true, true, false};
	struct tn_camera camera = corner_camera();
	struct tn_scene scene;
	struct tn_raster raster;
	size_t marks[4];

	(void)state;
	camera.y = 20;
	for (int perspective = 0; perspective < 2; perspective++) {
		camera.perspective = perspective;
		camera.from = (struct tn_point3){40, 40, 40};
		camera.scale = perspective ? 600 : 8;
		assert_true(tn_scene_init(&scene, &camera, 200, 160));
		for (int i = 0; i < 4; i++)
			marks[i] = tn_scene_mark(&scene, places[i]);
		add(&scene, &wall);
		raster = draw(&scene, 200, 160);
		for (int i = 0; i < 4; i++)
			assert_int_equal(tn_scene_is_seen(&scene, marks[i]), seen[i]);
		assert_false(tn_scene_is_seen(&scene, 4));
		tn_raster_finish(&raster);
		tn_scene_finish(&scene);
	}
}

/* ---- many ---- */

/* The last of thousands of slabs at one place, and what stands on it, in little work; more faces
 * than there may be are refused. */
static void test_many(void **state)
{
	struct tn_camera camera = {.from = {0, 0, 1}, .x = 150, .y = 150, .scale = 1};
	struct box slab = {{-200, -200, 0}, {200, 200, 1}, 0xFF, 0xFF};
	struct tn_scene scene;
	struct tn_raster raster;
	struct tenon_error err;

	(void)state;
	assert_true(tn_scene_init(&scene, &camera, 300, 300));
	for (uint32_t i = 0; i < 20000; i++) {
		slab.top = i << 8 | 0xFF;
		slab.high.x -=
			0.005; /* those below are larger: painting them all would take long */
		add(&scene, &slab);
	}
	raster = draw(&scene, 300, 300);
	assert_int_equal(pixel_at(&raster, 100, 100), slab.top);
	tn_raster_finish(&raster);
	while (scene.failed == TENON_OK)
		add(&scene, &slab);
	assert_int_equal(scene.face_count, TN_SCENE_FACES_MAX);
	assert_int_equal(tn_raster_init(&raster, 300, 300, GROUND, &err), TENON_OK);
	assert_int_equal(tn_scene_draw(&scene, &raster, LINE, 1, &err), TENON_LIMIT);
	tn_raster_finish(&raster);
	tn_scene_finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),    cmocka_unit_test(test_upright),
		cmocka_unit_test(test_cube),      cmocka_unit_test(test_random),
		cmocka_unit_test(test_one_plane), cmocka_unit_test(test_marks),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
