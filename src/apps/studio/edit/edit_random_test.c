/* What holds after any edit, at random or with hostile values: it can be undone, and the file needs
 * no repair (studio.md 21, ST-033, ST-065). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"

/* ---- edits at random ---- */

static const char *some_node(struct studio_kit *kit, uint64_t *seed)
{
	if (kit->document.node_count == 0)
		return "nobody";
	return kit->document.nodes[(studio_kit_random(seed) >> 20) % kit->document.node_count]
		->id.data;
}

static const char *some_edge(struct studio_kit *kit, uint64_t *seed)
{
	const struct tn_studio_edge *edges = NULL;
	size_t count = 0;

	studio_kit_index(kit);
	assert_int_equal(
		tn_studio_edges_all(&kit->document, &kit->arena, &edges, &count, &kit->err),
		TENON_OK);
	return count ? edges[(studio_kit_random(seed) >> 20) % count].id.data : "nothing";
}

static const char *random_join(struct studio_kit *kit, uint64_t *seed)
{
	const struct tn_studio_rule *rule =
		&kit->registry->rules[(studio_kit_random(seed) >> 20) % kit->registry->rule_count];
	const char *source = "x", *target = "x";

	for (size_t i = 0; i < kit->document.node_count; i++) {
		const struct tn_studio_node *at = kit->document.nodes[i];

		if (at->type == rule->from && studio_kit_random(seed) >> 63)
			source = at->id.data;
		if (at->type == rule->to && studio_kit_random(seed) >> 63)
			target = at->id.data;
	}
	return studio_kit_format(kit,
				 "{\"sourceInstanceId\":\"%s\",\"sourceHandle\":\"%s\","
				 "\"targetInstanceId\":\"%s\",\"targetHandle\":\"%s\"}",
				 source, rule->from_handle.data, target, rule->to_handle.data);
}

static const char *random_update(struct studio_kit *kit, uint64_t *seed)
{
	const char *id = some_node(kit, seed), *other = some_node(kit, seed);

	switch (studio_kit_random(seed) >> 62) {
	case 0:
		return studio_kit_format(
			kit, "{\"instanceId\":\"%s\",\"properties\":{\"name\":\"n%u\"}}", id,
			(unsigned)(studio_kit_random(seed) >> 50));
	case 1:
		return studio_kit_format(kit,
					 "{\"instanceId\":\"%s\",\"properties\":{},\"references\":{"
					 "\"service_plan_id\":\"%s\"}}",
					 id, other);
	case 2:
		return studio_kit_format(kit,
					 "{\"instanceId\":\"%s\",\"properties\":{\"name\":null},"
					 "\"terraformName\":\"t%u\",\"label\":\"\xc3\xa9 ${x}\"}",
					 id, (unsigned)(studio_kit_random(seed) >> 55));
	default:
		return studio_kit_format(
			kit, "{\"instanceId\":\"%s\",\"properties\":{},\"notes\":\"%u\"}", id,
			(unsigned)(studio_kit_random(seed) >> 50));
	}
}

/* Most are accepted, some refused; both leave a diagram that holds its promises. Each random choice
 * is a statement of its own: arguments are evaluated in any order. */
static void random_edit(struct studio_kit *kit, uint64_t *seed)
{
	uint64_t way = (studio_kit_random(seed) >> 20) % 16;
	size_t number = (studio_kit_random(seed) >> 20) % kit->registry->type_count;
	const char *type = kit->registry->types[number]->id.data;
	const char *node = some_node(kit, seed);
	const char *other = some_node(kit, seed);

	if (way < 9) {
		(void)studio_kit_edit(
			kit, tn_studio_edit_add,
			studio_kit_random(seed) >> 62
				? studio_kit_format(kit, "{\"typeId\":\"%s\",\"parentId\":\"%s\"}",
						    type, node)
				: studio_kit_format(kit, "{\"typeId\":\"%s\"}", type));
	} else if (way == 9) {
		(void)studio_kit_edit(kit, tn_studio_edit_remove,
				      studio_kit_format(kit, "{\"instanceId\":\"%s\"}", node));
	} else if (way == 10) {
		(void)studio_kit_edit(
			kit, tn_studio_edit_disconnect,
			studio_kit_format(kit, "{\"edgeId\":\"%s\"}", some_edge(kit, seed)));
	} else if (way == 11) {
		(void)studio_kit_edit(
			kit, tn_studio_edit_move,
			studio_kit_format(kit, "{\"instanceId\":\"%s\",\"parentId\":\"%s\"}", node,
					  other));
	} else if (way < 14) {
		(void)studio_kit_edit(kit, tn_studio_edit_update, random_update(kit, seed));
	} else {
		(void)studio_kit_edit(kit, tn_studio_edit_connect, random_join(kit, seed));
	}
}

/* After any number of edits: back to the start byte for byte, forward to the end, and the file
 * needs no repair, which is to say that every invariant holds. */
static void random_edits_can_be_undone(void **state)
{
	struct studio_kit *kit = *state;

	for (uint64_t round = 1; round <= 12; round++) {
		const char *start = studio_kit_saved(kit), *end;
		uint64_t seed = round * 7919;
		unsigned changes = 0;

		for (int i = 0; i < 150; i++) {
			uint64_t before = tn_oplog_revision(kit->log);

			random_edit(kit, &seed);
			changes += tn_oplog_revision(kit->log) != before;
		}
		assert_true(changes > 30 && changes < 200);
		end = studio_kit_saved(kit);
		for (unsigned i = 0; i < changes; i++)
			studio_kit_undo(kit);
		assert_string_equal(studio_kit_saved(kit), start);
		for (unsigned i = 0; i < changes; i++)
			studio_kit_redo(kit);
		assert_string_equal(studio_kit_saved(kit), end);
		assert_string_equal(studio_kit_read(kit, studio_kit_written(kit, 1), NULL), "[]");
		assert_string_equal(studio_kit_saved(kit), end);
		studio_kit_undo(kit);
	}
	assert_true(kit->document.node_count > 100);
}

/* ---- hostile values ---- */

/* studio.md 21: 1 MB is refused, in words; what fits stays as it is. */
static void hostile_values_stay_values(void **state)
{
	static const char *const texts[] = {"${file(\\\"/etc/passwd\\\")}",
					    "%{ if true }x%{ endif }",
					    "<<EOT\\nx\\nEOT",
					    "../../etc/passwd",
					    "\\\" } resource \\\"x\\\" \\\"y\\\" {",
					    "\\u0001\\u007f",
					    "\xf0\x9f\x92\xa9"};
	struct studio_kit *kit = *state;
	struct tn_buf big;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct tn_json *answer = studio_kit_done(
			kit, tn_studio_edit_add,
			studio_kit_format(kit,
					  "{\"typeId\":\"aws/networking/vpc\",\"label\":\"%s\","
					  "\"properties\":{\"name\":\"%s\"}}",
					  texts[i], texts[i]));
		struct tn_str name = tn_str_from(studio_kit_text(answer, "terraformName"));

		for (size_t j = 0; j < name.size; j++)
			assert_true(tn_is_alpha(name.data[j]) || tn_is_digit(name.data[j]) ||
				    name.data[j] == '_');
	}
	assert_string_equal(studio_kit_read(kit, studio_kit_written(kit, 1), NULL), "[]");
	tn_buf_init(&big, 4 * TN_MIB);
	tn_buf_append_text(&big, "{\"typeId\":\"aws/networking/vpc\",\"properties\":{\"name\":\"");
	for (size_t i = 0; i < TN_MIB; i++)
		tn_buf_append_byte(&big, 'x');
	tn_buf_append(&big, "\"}}", 4);
	(void)studio_kit_refused(kit, tn_studio_edit_add, big.data, "LIMIT_EXCEEDED");
	tn_buf_finish(&big);
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"aws/networking/vpc\",\"label\":\"a\\u0000b\"}",
				 "INVALID_INPUT");
	(void)studio_kit_refused(kit, tn_studio_edit_add,
				 "{\"typeId\":\"aws/networking/vpc\",\"properties\":{\"name\":"
				 "\"a\\u0000b\"}}",
				 "INVALID_INPUT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(random_edits_can_be_undone),
		STUDIO_KIT_TEST(hostile_values_stay_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
