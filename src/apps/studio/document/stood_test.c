/* studio-canvas.md SC-141: where what a change has to do with stood, when it is there no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/document/geometry.h"
#include "apps/studio/document/stood.h"
#include "apps/studio/edit/edit.h"
#include "apps/studio/limits.h"

#define GROUP "azurerm/core/resource_group"
#define NETWORK "azurerm/networking/virtual_network"
#define SUBNET "azurerm/networking/subnet"
#define PLAN "azurerm/compute/app_service_plan"

static struct tn_studio_rect rect_now(struct studio_kit *kit, const char *id)
{
	studio_kit_index(kit);
	return tn_studio_absolute_rect(tn_studio_node_find(&kit->document, tn_str_from(id)));
}

static const struct tn_json *stood(struct studio_kit *kit, uint64_t change)
{
	struct tn_json *list;
	struct tn_buf out;

	studio_kit_index(kit);
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_studio_put_stood(&out, &kit->document, kit->log, change, &kit->err),
			 TENON_OK);
	tn_buf_append_byte(&out, '\0');
	list = studio_kit_parse(kit, out.data);
	tn_buf_finish(&out);
	return list;
}

static int number(const struct tn_json *object, const char *key)
{
	int64_t value = 0;

	assert_true(tn_json_to_int(tn_json_get(object, key), &value));
	return (int)value;
}

/* Of that one; what else there may be is no matter. */
static void expect(struct studio_kit *kit, uint64_t change, const char *id,
		   struct tn_studio_rect rect)
{
	const struct tn_json *list = stood(kit, change), *at = list->first, *is;

	while (at && !tn_str_is(tn_json_get(at, "instanceId")->text, id))
		at = at->next;
	assert_non_null(at);
	is = tn_json_get(at, "rect");
	assert_int_equal(number(is, "x"), rect.x);
	assert_int_equal(number(is, "y"), rect.y);
	assert_int_equal(number(is, "width"), rect.width);
	assert_int_equal(number(is, "height"), rect.height);
}

static uint64_t edit(struct studio_kit *kit, tn_studio_edit_fn *how, const char *form,
		     const char *id)
{
	char arguments[TN_STUDIO_NOTES_BYTES_MAX + 300];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	(void)snprintf(arguments, sizeof(arguments), form, id);
#pragma GCC diagnostic pop
	(void)studio_kit_done(kit, how, arguments);
	return kit->change.id;
}
static uint64_t take_away(struct studio_kit *kit, const char *id)
{
	return edit(kit, tn_studio_edit_remove, "{\"instanceId\":\"%s\"}", id);
}
static uint64_t move(struct studio_kit *kit, const char *id)
{
	return edit(kit, tn_studio_edit_move,
		    "{\"instanceId\":\"%s\",\"position\":{\"x\":800,\"y\":1000}}", id);
}

static void what_is_there_is_not_gone(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);

	assert_int_equal(stood(kit, kit->change.id)->count, 0);
	assert_int_equal(stood(kit, kit->change.id + 70)->count, 0); /* no such change */
	(void)take_away(kit, group);
	assert_int_equal(stood(kit, kit->change.id)->count, 1);
	studio_kit_undo(kit);
	assert_int_equal(stood(kit, kit->change.id)->count, 0);
}

/* As the change left it, also one that was taken back since; as it was, where it was removed. */
static void it_stood_where_it_was_then(void **state)
{
	struct studio_kit *kit = *state;
	const char *plan = studio_kit_add(kit, PLAN, NULL);
	struct tn_studio_rect first = rect_now(kit, plan), then;
	uint64_t made = kit->change.id, moved = move(kit, plan), removed;

	then = rect_now(kit, plan);
	assert_int_not_equal(first.x, then.x);
	removed = take_away(kit, plan);
	expect(kit, made, plan, first);
	expect(kit, moved, plan, then);
	expect(kit, removed, plan, then);
	studio_kit_undo(kit);
	studio_kit_undo(kit);
	studio_kit_undo(kit);
	expect(kit, made, plan, first);
}

static void it_stood_in_what_stands_elsewhere_now(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, group);
	struct tn_studio_rect was = rect_now(kit, network), around = rect_now(kit, group), now;
	uint64_t removed = take_away(kit, network);

	(void)move(kit, group);
	now = rect_now(kit, group);
	was.x += now.x - around.x;
	was.y += now.y - around.y;
	expect(kit, removed, network, was);
}

/* One change took the subnet, the next the network, the next the group. */
static void what_it_stood_in_went_by_another_change(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *network = studio_kit_add(kit, NETWORK, group);
	const char *subnet = studio_kit_add(kit, SUBNET, network);
	struct tn_studio_rect was;
	uint64_t removed;

	(void)move(kit, group);
	was = rect_now(kit, subnet);
	removed = take_away(kit, subnet);
	(void)take_away(kit, network);
	(void)take_away(kit, group);
	expect(kit, removed, subnet, was);
	assert_int_equal(stood(kit, removed)->count, 1); /* not what it stood in */
}

static void both_were_taken_back(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *plan = studio_kit_add(kit, PLAN, group);
	struct tn_studio_rect was = rect_now(kit, plan);
	uint64_t made = kit->change.id;

	studio_kit_undo(kit);
	studio_kit_undo(kit);
	expect(kit, made, plan, was);
	assert_int_equal(stood(kit, made)->count, 1);
}

/* The log gives back no change of so long ago: nobody knows, and nothing is said. */
static void it_is_forgotten(void **state)
{
	struct studio_kit *kit = *state;
	const char *plan = studio_kit_add(kit, PLAN, NULL),
		   *other = studio_kit_add(kit, PLAN, NULL);
	uint64_t removed = take_away(kit, plan);

	for (int i = 0; i < 199; i++)
		(void)edit(kit, tn_studio_edit_update,
			   i % 2 ? "{\"instanceId\":\"%s\",\"properties\":{},\"label\":\"one\"}"
				 : "{\"instanceId\":\"%s\",\"properties\":{},\"label\":\"other\"}",
			   other);
	assert_int_equal(stood(kit, removed)->count, 1);
	(void)move(kit, other);
	assert_int_equal(stood(kit, removed)->count, 0);
}

/* What it stood in is too much to be read: where it was is not guessed. */
static void nothing_is_guessed(void **state)
{
	struct studio_kit *kit = *state;
	const char *group = studio_kit_add(kit, GROUP, NULL);
	const char *plan = studio_kit_add(kit, PLAN, group);
	uint64_t removed = take_away(kit, plan);

	for (size_t i = 0; i * 15000 < TN_STUDIO_STOOD_BYTES_MAX; i++) {
		char notes[TN_STUDIO_NOTES_BYTES_MAX + 200];

		(void)snprintf(notes, sizeof(notes),
			       "{\"instanceId\":\"%%s\",\"properties\":{},\"notes\":\"%015000d\"}",
			       0);
		(void)edit(kit, tn_studio_edit_update, notes, studio_kit_add(kit, PLAN, group));
	}
	assert_int_equal(stood(kit, removed)->count, 1);
	(void)take_away(kit, group);
	assert_int_equal(stood(kit, removed)->count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(what_is_there_is_not_gone),
		STUDIO_KIT_TEST(it_stood_where_it_was_then),
		STUDIO_KIT_TEST(it_stood_in_what_stands_elsewhere_now),
		STUDIO_KIT_TEST(what_it_stood_in_went_by_another_change),
		STUDIO_KIT_TEST(both_were_taken_back),
		STUDIO_KIT_TEST(it_is_forgotten),
		STUDIO_KIT_TEST(nothing_is_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
