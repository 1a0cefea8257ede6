/* Ten plans of different kinds, in three themes, as they have been looked at: the same bytes in
 * every build, whatever the environment (floorplan.md 6.10); and what pixels are where geometry
 * says so (13, the last property). */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/floorplan/picture/internal.h"
#include "apps/floorplan/picture/picture_test_kit.h"
#include "base/size.h"

static const char *const names[] = {"bakery", "boat",   "clinic", "flat", "house",
				    "office", "school", "stairs", "tiny", "townhall"};
static const char *const themes[] = {"default", "dark", "blueprint"};

/* 6.10. With a folder in the environment they are written there, to be looked at and committed. */
static void test_golden(void **state)
{
	const char *folder = getenv("TN_GOLDEN_WRITE");

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names) * TN_COUNT(themes); i++) {
		struct tn_floor_picture_options options = tn_picture_kit_options();
		const char *name = names[i / 3], *theme = themes[i % 3];
		struct tn_picture_kit kit;
		struct tn_buf golden;
		char path[256];

		options.all_floors = true;
		options.theme = tn_str_from(theme);
		tn_picture_kit_file(&kit, name, &options);
		assert_null(kit.plan->diagnostics.first);
		if (folder) {
			FILE *file;

			(void)snprintf(path, sizeof(path), "%s/%s-%s.png", folder, name, theme);
			file = fopen(path, "wb");
			assert_non_null(file);
			assert_int_equal(fwrite(kit.png.data, 1, kit.png.size, file), kit.png.size);
			assert_int_equal(fclose(file), 0);
		} else {
			(void)snprintf(path, sizeof(path), "floorplan/%s-%s.png", name, theme);
			tn_picture_kit_read(path, &golden);
			if (!tn_str_equal(tn_buf_str(&golden), tn_buf_str(&kit.png)))
				fail_msg("%s is not what is drawn now", path);
			tn_buf_finish(&golden);
		}
		tn_picture_kit_finish(&kit);
	}
}

/* ---- pixels where geometry says so ---- */

static bool is_in(double x, double y, double left, double top, double right, double bottom)
{
	return x >= left && x <= right && y >= top && y <= bottom;
}

/* What is drawn over a room's fill: its sub-rooms with their walls, stairs, and the leaves of
 * doors, each with a pixel around. */
static bool is_covered(const struct tn_picture_kit *kit, const struct tn_floor_room *room, double x,
		       double y)
{
	double slack = 2 / kit->picture.transforms[0].scale;
	double half = kit->plan->settings.wall_thickness / 2 + slack;
	const struct tn_floor_rect *r;

	for (const struct tn_floor_room *sub = room->rooms; sub; sub = sub->next) {
		r = &sub->rect;
		if (is_in(x, y, r->x - half, r->y - half, r->x + r->width + half,
			  r->y + r->height + half))
			return true;
	}
	for (const struct tn_floor_circulation *c = room->floor->circulation; c; c = c->next) {
		r = &c->rect;
		if (is_in(x, y, r->x - slack * 2, r->y - slack * 2, r->x + r->width + slack * 2,
			  r->y + r->height + slack * 2))
			return true;
	}
	for (const struct tn_floor_opening *o = room->floor->openings; o; o = o->next) {
		double reach = o->width / 2 + slack, deep = o->width + half;

		if (o->horizontal ? is_in(x, y, o->center - reach, o->line - deep,
					  o->center + reach, o->line + deep)
				  : is_in(x, y, o->line - deep, o->center - reach, o->line + deep,
					  o->center + reach))
			return true;
	}
	return false;
}

/* How many pixels of the room's middle row were looked at. */
static size_t check_row(const struct tn_picture_kit *kit, const struct tn_floor_room *room,
			uint32_t fill)
{
	const struct tn_floor_transform *at = &kit->picture.transforms[0];
	double half = kit->plan->settings.wall_thickness / 2 + 2 / at->scale;
	double y = room->rect.y + room->rect.height / 2, x;
	size_t looked = 0;

	for (x = room->rect.x + half; x < room->rect.x + room->rect.width - half;
	     x += 1 / at->scale) {
		if (is_covered(kit, room, x, y))
			continue;
		looked++;
		if (tn_picture_kit_at(kit, x, y) != fill)
			fail_msg("room %.*s at %g, %g: #%06x, not #%06x", (int)room->name.size,
				 room->name.data, x, y, tn_picture_kit_at(kit, x, y), fill);
	}
	return looked;
}

/* The middles of walls, away from openings and joints, have a wall's colour. */
static size_t check_walls(struct tn_picture_kit *kit, const struct tn_floor_theme *theme)
{
	const struct tn_floor_wall_piece *pieces;
	size_t count, looked = 0;

	assert_true(tn_floor_walls(kit->picture.transforms[0].floor, kit->plan, false, &kit->arena,
				   &pieces, &count));
	for (size_t i = 0; i < count; i++) {
		const struct tn_floor_wall_piece *p = &pieces[i];
		double middle = (p->from + p->to) / 2;
		bool is_open = p->thickness * kit->picture.transforms[0].scale < 2;
		tn_colour colour = theme->wall;

		for (unsigned k = 0; k < p->opening_count; k++)
			is_open = is_open || fabs(p->openings[k]->center - middle) <
						     p->openings[k]->width / 2 + 0.1;
		for (size_t k = 0; k < count; k++)
			is_open = is_open || (pieces[k].horizontal != p->horizontal &&
					      fabs(pieces[k].line - middle) < p->thickness * 2);
		if (is_open)
			continue;
		if (p->style)
			colour = tn_paint_colour(p->style->wall_color, colour);
		assert_int_equal(p->horizontal ? tn_picture_kit_at(kit, middle, p->line)
					       : tn_picture_kit_at(kit, p->line, middle),
				 colour >> 8);
		looked++;
	}
	return looked;
}

/* floorplan.md 13: every pixel of a placed room's centre row that is not text, wall or symbol has
 * its fill colour. */
static void test_pixels(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(names) * TN_COUNT(themes); i++) {
		struct tn_floor_picture_options options = tn_picture_kit_options();
		struct tn_painter painter = {0};
		const struct tn_floor_room *room = NULL;
		struct tn_picture_kit kit;
		size_t looked = 0;

		options.theme = tn_str_from(themes[i % 3]);
		options.labels = 0;
		tn_picture_kit_file(&kit, names[i / 3], &options);
		painter.theme = tn_floor_theme_find(options.theme);
		while ((room = tn_paint_next_room(kit.plan->floors, room)))
			looked += check_row(&kit, room, tn_paint_room_colour(&painter, room) >> 8);
		assert_true(looked > 300);
		assert_true(check_walls(&kit, painter.theme) > 0);
		tn_picture_kit_finish(&kit);
	}
}

/* 6.10: rendering twice gives the same bytes. */
static void test_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_floor_picture_options options = tn_picture_kit_options();
		struct tn_picture_kit a, b;

		options.area = options.summary = options.legend = true;
		tn_picture_kit_file(&a, names[i], &options);
		tn_picture_kit_file(&b, names[i], &options);
		assert_true(tn_str_equal(tn_buf_str(&a.png), tn_buf_str(&b.png)));
		assert_true(tn_str_equal(tn_buf_str(&a.svg), tn_buf_str(&b.svg)));
		tn_picture_kit_finish(&a);
		tn_picture_kit_finish(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_pixels),
		cmocka_unit_test(test_twice),
	};

	(void)setlocale(LC_ALL, ""); /* what a program that embeds us may have done */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
