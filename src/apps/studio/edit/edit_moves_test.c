/* move_resources: many nodes in one change, and gestures (studio-canvas.md SC-013). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/document/geometry.h"
#include "apps/studio/edit/edit.h"

#define GROUP "azurerm/core/resource_group"
#define NETWORK "azurerm/networking/virtual_network"
#define SUBNET "azurerm/networking/subnet"
#define PLAN "azurerm/compute/app_service_plan"

static struct tn_json *moves(struct studio_kit *kit, const char *list)
{
	return studio_kit_done(kit, tn_studio_edit_moves,
			       studio_kit_format(kit, "{\"moves\":%s}", list));
}

static struct tn_studio_rect board(struct studio_kit *kit, const char *id)
{
	return tn_studio_absolute_rect(studio_kit_node(kit, id));
}

/* The entry of a list of the answer, or NULL. */
static const struct tn_json *entry(const struct tn_json *answer, const char *list, const char *id)
{
	const struct tn_json *at = tn_json_get(answer, list)->first;

	while (at && strcmp(studio_kit_text(at, "instanceId"), id) != 0)
		at = at->next;
	return at;
}

static void many_are_one_change(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *one = studio_kit_add(kit, PLAN, group),
		   *other = studio_kit_add(kit, PLAN, group);
	uint64_t before = tn_oplog_revision(kit->log);
	const char *saved = studio_kit_saved(kit);
	struct tn_json *answer = moves(
		kit,
		studio_kit_format(kit,
				  "[{\"instanceId\":\"%s\",\"position\":{\"x\":900,\"y\":300}},"
				  "{\"instanceId\":\"%s\",\"position\":{\"x\":20,\"y\":700}}]",
				  one, other));

	assert_int_equal(tn_oplog_revision(kit->log), before + 1);
	assert_int_equal(tn_json_get(answer, "moved")->count, 2);
	assert_int_equal(studio_kit_node(kit, one)->x, 900);
	assert_int_equal(studio_kit_node(kit, other)->y, 700);
	assert_string_equal(
		studio_kit_json(kit, tn_json_get(entry(answer, "grown", group), "size")),
		"{\"width\":1160,\"height\":800}");
	assert_string_equal(kit->change.label, "Move 2 resources");
	studio_kit_undo(kit);
	assert_string_equal(studio_kit_saved(kit), saved);
}

static void all_or_none(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, group);
	const char *subnet = studio_kit_add(kit, SUBNET, network);
	const char *plan = studio_kit_add(kit, PLAN, group);
	const char *message = studio_kit_refused(
		kit, tn_studio_edit_moves,
		studio_kit_format(kit,
				  "{\"moves\":[{\"instanceId\":\"%s\",\"position\":{\"x\":400,"
				  "\"y\":400}},{\"instanceId\":\"%s\",\"parentId\":\"%s\"}]}",
				  network, plan, subnet),
		"CONTAINMENT_ERROR");

	assert_non_null(strstr(message, "moves[1]"));
	message = studio_kit_refused(
		kit, tn_studio_edit_moves,
		studio_kit_format(
			kit,
			"{\"moves\":[{\"instanceId\":\"%s\",\"position\":{\"x\":0,\"y\":0}},"
			"{\"instanceId\":\"%s\",\"position\":{\"x\":40,\"y\":40}}]}",
			plan, plan),
		"INVALID_INPUT");
	assert_non_null(strstr(message, "named twice"));
	(void)studio_kit_refused(kit, tn_studio_edit_moves,
				 "{\"moves\":[{\"instanceId\":\"nobody\"}]}", "NOT_FOUND");
	/* Each into the other: the second is refused, and so is the first. */
	message = studio_kit_refused(
		kit, tn_studio_edit_moves,
		studio_kit_format(kit,
				  "{\"moves\":[{\"instanceId\":\"%s\",\"parentId\":null},"
				  "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}]}",
				  network, group, subnet),
		"CONTAINMENT_ERROR");
	assert_non_null(message);
}

static void into_another_container(void **state)
{
	struct studio_kit *kit = *state;
	const char *from = studio_kit_add(kit, GROUP, NULL), *to = studio_kit_add(kit, GROUP, NULL);
	const char *one = studio_kit_add(kit, PLAN, from), *other = studio_kit_add(kit, PLAN, from);
	struct tn_studio_rect before = board(kit, other), after;
	struct tn_json *answer = moves(
		kit, studio_kit_format(
			     kit,
			     "[{\"instanceId\":\"%s\",\"parentId\":\"%s\",\"position\":{\"x\":40,"
			     "\"y\":80}},{\"instanceId\":\"%s\",\"parentId\":null}]",
			     one, to, other));

	assert_string_equal(studio_kit_text(entry(answer, "moved", one), "parentId"), to);
	assert_null(tn_json_get(entry(answer, "moved", other), "parentId"));
	assert_int_equal(studio_kit_node(kit, one)->x, 40);
	after = board(kit, other); /* without a position it stays where it is on the board */
	assert_memory_equal(&before, &after, sizeof(before));
}

static void resize(struct studio_kit *kit, const char *id, struct tn_studio_rect rect, bool keep)
{
	(void)studio_kit_done(
		kit, tn_studio_edit_moves,
		studio_kit_format(
			kit,
			"{\"moves\":[{\"instanceId\":\"%s\",\"position\":{\"x\":%d,\"y\":%d},"
			"\"size\":{\"width\":%d,\"height\":%d}}],\"keepContentPlaces\":%s}",
			id, rect.x, rect.y, rect.width, rect.height, keep ? "true" : "false"));
}

/* SC-065 */
static void contents_stay_when_the_border_moves(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL),
		   *plan = studio_kit_add(kit, PLAN, group);
	struct tn_studio_rect rect = {200, 200, 800, 600}, before, after;

	resize(kit, group, rect, true);
	(void)moves(
		kit,
		studio_kit_format(
			kit, "[{\"instanceId\":\"%s\",\"position\":{\"x\":300,\"y\":200}}]", plan));
	before = board(kit, plan);
	resize(kit, group, (struct tn_studio_rect){100, 120, 900, 680}, true); /* to left and top */
	after = board(kit, plan);
	assert_memory_equal(&before, &after, sizeof(before));
	rect = board(kit, group);
	assert_int_equal(rect.x, 100);
	assert_int_equal(rect.width, 900);
	/* Into the contents from the left: as far as they allow, and the right edge stays. */
	resize(kit, group, (struct tn_studio_rect){700, 120, 300, 680}, true);
	after = board(kit, plan);
	assert_memory_equal(&before, &after, sizeof(before));
	rect = board(kit, group);
	assert_int_equal(rect.x, before.x - TN_STUDIO_PADDING);
	assert_int_equal(rect.x + rect.width, 1000);
	resize(kit, group, (struct tn_studio_rect){rect.x, 60, rect.width, 740}, false);
	after = board(kit, plan); /* along */
	assert_int_equal(after.y, before.y - 60);
	/* The same size is a move, and what it holds goes along. */
	rect = board(kit, group);
	rect.x += 100;
	before = board(kit, plan);
	resize(kit, group, rect, true);
	assert_int_equal(board(kit, plan).x, before.x + 100);
}

static void whatever_is_asked_contents_stay(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL),
		   *plan = studio_kit_add(kit, PLAN, group);
	unsigned seed = 7;

	(void)studio_kit_add(kit, NETWORK, group);
	for (int i = 0; i < 500; i++) {
		struct tn_studio_rect before = board(kit, plan), after, old = board(kit, group),
				      rect;

		seed = seed * 1103515245u + 12345u;
		rect.x = (int32_t)(seed >> 8) % 2000 - 600;
		rect.y = (int32_t)(seed >> 12) % 2000 - 600;
		rect.width = (int32_t)(seed >> 5) % 2000 + 20;
		rect.height = (int32_t)(seed >> 16) % 2000 + 21;
		resize(kit, group, rect, true);
		after = board(kit, plan);
		rect = board(kit, group);
		if (rect.width != old.width || rect.height != old.height)
			assert_memory_equal(&before, &after, sizeof(before));
		for (const struct tn_studio_node *at = studio_kit_node(kit, group)->first_child; at;
		     at = at->next_sibling) {
			struct tn_studio_rect inside = tn_studio_rect_of(at);

			assert_true(inside.x >= TN_STUDIO_PADDING && inside.y >= TN_STUDIO_HEADER);
			assert_true(inside.x + inside.width <= rect.width &&
				    inside.y + inside.height <= rect.height);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(many_are_one_change),
		STUDIO_KIT_TEST(all_or_none),
		STUDIO_KIT_TEST(into_another_container),
		STUDIO_KIT_TEST(contents_stay_when_the_border_moves),
		STUDIO_KIT_TEST(whatever_is_asked_contents_stay),
	};

	return cmocka_run_group_tests_name("studio_edit_moves", tests, NULL, NULL);
}
