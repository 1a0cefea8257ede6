/* Addresses, headers, notes and the Plan: line (plan.md sections 4.3, 4.4 and 4.9). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/read/address.h"
#include "apps/plan/read/anchor.h"
#include "apps/plan/read/phrase.h"
#include "apps/plan/read/plan_line.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

static void addresses_are_tokenized(void **state)
{
	static const struct {
		const char *text, *module, *type, *name, *key;
		unsigned mode, kind;
	} good[] = {
		{"a.b", "", "a", "b", "", TN_PLAN_MANAGED, TN_PLAN_KEY_NONE},
		{"a.b[0]", "", "a", "b", "0", TN_PLAN_MANAGED, TN_PLAN_KEY_INT},
		{"a.b[*]", "", "a", "b", "", TN_PLAN_MANAGED, TN_PLAN_KEY_NONE},
		{"data.a.b[\"x\"]", "", "a", "b", "x", TN_PLAN_DATA, TN_PLAN_KEY_STRING},
		{"ephemeral.a.b", "", "a", "b", "", TN_PLAN_EPHEMERAL, TN_PLAN_KEY_NONE},
		{"action.a.b", "", "a", "b", "", TN_PLAN_ACTION_ADDRESS, TN_PLAN_KEY_NONE},
		{"module.m.a.b", "module.m", "a", "b", "", TN_PLAN_MANAGED, TN_PLAN_KEY_NONE},
		{"module.m[\"x.y\"].module.n[1].data.a.b", "module.m[\"x.y\"].module.n[1]", "a",
		 "b", "", TN_PLAN_DATA, TN_PLAN_KEY_NONE},
		{"a.b[\"] will be destroyed\"]", "", "a", "b", "] will be destroyed",
		 TN_PLAN_MANAGED, TN_PLAN_KEY_STRING},
		{"a.b[\"say \\\"hi\\\"\"]", "", "a", "b", "say \"hi\"", TN_PLAN_MANAGED,
		 TN_PLAN_KEY_STRING},
		{"a.b[\"\\u00e9\\n$${x}%%{y}\"]", "", "a", "b", "\xC3\xA9\n${x}%{y}",
		 TN_PLAN_MANAGED, TN_PLAN_KEY_STRING},
		{"a-1.\xC3\xA9", "", "a-1", "\xC3\xA9", "", TN_PLAN_MANAGED, TN_PLAN_KEY_NONE},
	};
	static const char *const bad[] = {"",         "a",           "a.",       ".b",
					  "a.b[",     "a.b[x]",      "a.b[\"x]", "a.b[\"x\\\"]",
					  "module.m", "module.m[0]", "1a.b",     "a.b[]"};
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(good); i++) {
		struct tn_plan_address address;
		struct tn_plan_entry entry = {.unit = 0};

		assert_int_equal(tn_plan_address_read(tn_str_from(good[i].text), &address),
				 strlen(good[i].text));
		assert_true(tn_plan_entry_set_address(&entry, &address, &arena));
		assert_str(entry.module, good[i].module);
		assert_str(entry.type, good[i].type);
		assert_str(entry.name, good[i].name);
		assert_str(entry.key_text, good[i].key);
		assert_int_equal(address.mode, good[i].mode);
		assert_int_equal(entry.key_kind, good[i].kind);
		assert_int_equal(entry.is_data, good[i].mode == TN_PLAN_DATA);
	}
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		struct tn_plan_address address;

		if (tn_plan_address_read(tn_str_from(bad[i]), &address) != 0)
			fail_msg("%s was read", bad[i]);
	}
	tn_arena_finish(&arena);
}

static void headers_say_what_happens(void **state)
{
	static const struct {
		const char *phrase;
		unsigned kind, action, order;
		const char *reason;
	} known[] = {
		{"will be created", TN_PLAN_PHRASE_PLANNED, TN_PLAN_CREATE, 0, NULL},
		{"will be updated in-place", TN_PLAN_PHRASE_PLANNED, TN_PLAN_UPDATE, 0, NULL},
		{"will be destroyed", TN_PLAN_PHRASE_PLANNED, TN_PLAN_DELETE, 0, NULL},
		{"must be replaced", TN_PLAN_PHRASE_PLANNED, TN_PLAN_REPLACE, 0, NULL},
		{"is tainted, so must be replaced", TN_PLAN_PHRASE_PLANNED, TN_PLAN_REPLACE, 0,
		 "tainted"},
		{"is tainted, so it must be replaced", TN_PLAN_PHRASE_PLANNED, TN_PLAN_REPLACE, 0,
		 "tainted"},
		{"will be replaced, as requested", TN_PLAN_PHRASE_PLANNED, TN_PLAN_REPLACE, 0,
		 "requested"},
		{"will be replaced due to changes in replace_triggered_by", TN_PLAN_PHRASE_PLANNED,
		 TN_PLAN_REPLACE, 0, "replace_triggered_by"},
		{"must be replaced - older instance will not be destroyed (lifecycle.destroy = "
		 "false)",
		 TN_PLAN_PHRASE_PLANNED, TN_PLAN_REPLACE, TN_PLAN_FORGET_FIRST, NULL},
		{"must be replaced, but the existing object will not be destroyed",
		 TN_PLAN_PHRASE_PLANNED, TN_PLAN_REPLACE, TN_PLAN_FORGET_OLD, NULL},
		{"will be read during apply", TN_PLAN_PHRASE_PLANNED, TN_PLAN_READ, 0, NULL},
		{"will be imported", TN_PLAN_PHRASE_PLANNED, TN_PLAN_IMPORT, 0, NULL},
		{"will no longer be managed by Terraform, but will not be destroyed",
		 TN_PLAN_PHRASE_PLANNED, TN_PLAN_FORGET, 0, NULL},
		{"will be removed from Terraform state, but will not be destroyed",
		 TN_PLAN_PHRASE_PLANNED, TN_PLAN_FORGET, 0, NULL},
		{"will be removed from the OpenTofu state but will not be destroyed",
		 TN_PLAN_PHRASE_PLANNED, TN_PLAN_FORGET, 0, NULL},
		{"has moved to a.c[\"will be created\"]", TN_PLAN_PHRASE_MOVED, TN_PLAN_MOVE, 0,
		 NULL},
		{"has changed", TN_PLAN_PHRASE_DRIFT, TN_PLAN_UPDATE, 0, NULL},
		{"has been changed", TN_PLAN_PHRASE_DRIFT, TN_PLAN_UPDATE, 0, NULL},
		{"has been deleted", TN_PLAN_PHRASE_DRIFT, TN_PLAN_DELETE, 0, NULL},
		{"was deferred", TN_PLAN_PHRASE_DEFERRED, TN_PLAN_ACTION_UNKNOWN, 0, NULL},
		{"will be invoked", TN_PLAN_PHRASE_INVOKED, TN_PLAN_ACTION_UNKNOWN, 0, NULL},
		{"will be invoked (called from a.b)", TN_PLAN_PHRASE_INVOKED,
		 TN_PLAN_ACTION_UNKNOWN, 0, NULL},
		{"will be created tomorrow", TN_PLAN_PHRASE_UNKNOWN, TN_PLAN_ACTION_UNKNOWN, 0,
		 NULL},
		{"has moved to", TN_PLAN_PHRASE_UNKNOWN, TN_PLAN_ACTION_UNKNOWN, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(known); i++) {
		struct tn_plan_header header;
		char text[256];

		(void)snprintf(text, sizeof(text), "# a.b[\"x\"] %s", known[i].phrase);
		assert_true(tn_plan_header_read(tn_str_from(text), &header));
		assert_int_equal(header.kind, known[i].kind);
		assert_int_equal(header.action, known[i].action);
		assert_int_equal(header.order, known[i].order);
		assert_str(tn_str_from(header.reason), known[i].reason ? known[i].reason : "");
	}
}

static void deposed_objects_have_a_key(void **state)
{
	struct tn_plan_header header;

	(void)state;
	assert_true(tn_plan_header_read(TN_STR("# a.b (deposed object 9c1d2e3f) will be destroyed"),
					&header));
	assert_str(header.deposed, "9c1d2e3f");
	assert_int_equal(header.action, TN_PLAN_DELETE);
	assert_false(
		tn_plan_header_read(TN_STR("# (because a.b is not in configuration)"), &header));
	assert_false(tn_plan_header_read(TN_STR("# a.b"), &header));
	assert_false(tn_plan_header_read(TN_STR("# a.b: will be created"), &header));
	assert_false(tn_plan_header_read(TN_STR("a.b will be created"), &header));
}

static void notes_have_codes(void **state)
{
	static const char *const notes[][2] = {
		{"# (because a.b is not in configuration)", "not_in_configuration"},
		{"# (because module.x.a.b is not in configuration)", "not_in_configuration"},
		{"# (because module.x[\"a.b\"] is not in configuration)", "module_removed"},
		{"# (because a.b was moved to c.d, which is not in configuration)",
		 "no_move_target"},
		{"# (because index [2] is out of range for count)", "count_index"},
		{"# (because key [\"is not\"] is not in for_each map)", "for_each_key"},
		{"# (because resource uses count or for_each)", "wrong_repetition"},
		{"# (because resource does not use count)", "wrong_repetition"},
		{"# (because resource does not use for_each)", "wrong_repetition"},
		{"(because enabled is false)", "enabled_false"},
		{"# (because lifecycle.destroy = false is set)", "destroy_false"},
		{"# (destroy = false is set in the configuration)", "destroy_false"},
		{"# (left over from a partially-failed replacement of this instance)",
		 "deposed_leftover"},
		{"# (config will be generated)", "config_generated"},
		{"# Warning: this will destroy the imported resource", "imported_destroyed"},
		{"# (config refers to values not yet known)", "config_unknown"},
		{"# (depends on a resource or a module with changes pending)",
		 "dependency_pending"},
		{"# (config will be reloaded to verify a check block)", "check_nested"},
		{"# (because the number of resource instances is unknown)",
		 "deferred_instance_count"},
		{"# (because the resource configuration is unknown)", "deferred_resource_config"},
		{"# (because the provider configuration is unknown)", "deferred_provider_config"},
		{"# (because a prerequisite for this resource is deferred)",
		 "deferred_prerequisite"},
		{"# (because a prerequisite for this resource has not yet been created)",
		 "deferred_absent_prerequisite"},
		{"# (for an unknown reason)", "deferred_unknown"},
	};
	struct tn_plan_note note;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(notes); i++) {
		assert_true(tn_plan_note_read(tn_str_from(notes[i][0]), &note));
		if (note.effect != TN_PLAN_NOTE_REASON)
			fail_msg("%s is no reason", notes[i][0]);
		assert_string_equal(note.code, notes[i][1]);
	}
	assert_true(tn_plan_note_read(TN_STR("# (moved from module.a.b.c)"), &note));
	assert_int_equal(note.effect, TN_PLAN_NOTE_MOVED_FROM);
	assert_str(note.value, "module.a.b.c");
	assert_true(tn_plan_note_read(TN_STR("# (imported from \"a \\\"b\\\"\")"), &note));
	assert_int_equal(note.effect, TN_PLAN_NOTE_IMPORTED);
	assert_str(note.value, "a \\\"b\\\"");
	assert_true(tn_plan_note_read(TN_STR("# (will be imported first)"), &note));
	assert_int_equal(note.effect, TN_PLAN_NOTE_IMPORTED);
	assert_false(tn_plan_note_read(TN_STR("because a.b is not in configuration"), &note));
}

static void plan_lines_are_read_whole(void **state)
{
	static const char *const bad[] = {"Plan: ",
					  "Plan: 1 to add",
					  "Plan: a lot to add.",
					  "Plan: 1 to add, 2 to change, 3 to destroy, and more",
					  "Plan: 1 to add, 1 to add, 2 to change, 3 to destroy.",
					  "Plans: 1 to add, 2 to change, 3 to destroy."};
	struct tn_plan_line line = TN_PLAN_LINE_ABSENT, sum = TN_PLAN_LINE_ABSENT;

	(void)state;
	assert_true(tn_plan_line_read(TN_STR("Plan: 4 to import, 1 to add, 2 to change, 3 to "
					     "destroy, 5 to forget. Actions: 6 to invoke."),
				      &line));
	assert_true(line.present && line.import == 4 && line.add == 1 && line.change == 2 &&
		    line.destroy == 3 && line.forget == 5 && line.invoke == 6);
	assert_true(tn_plan_line_read(TN_STR("Plan: 0 to add, 0 to change, 7 to destroy."), &line));
	assert_true(line.import == -1 && line.forget == -1 && line.invoke == -1);
	tn_plan_line_add(&sum, &line);
	tn_plan_line_add(&sum, &line);
	assert_true(sum.present && sum.destroy == 14 && sum.import == -1);
	assert_true(tn_plan_line_read(
			    TN_STR("Plan: 99999999999999999999 to add, 0 to change, 0 to destroy."),
			    &line) == false);
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		if (tn_plan_line_read(tn_str_from(bad[i]), &line))
			fail_msg("%s was read", bad[i]);
	}
}

static void anchors_are_sentences(void **state)
{
	static const struct {
		const char *text;
		enum tn_plan_anchor anchor;
	} lines[] = {
		{"Note: Objects have changed outside of OpenTofu", TN_PLAN_ANCHOR_DRIFT},
		{"Terraform will perform the following actions:", TN_PLAN_ANCHOR_LIST},
		{"OpenTofu planned the following actions, but then encountered a problem:",
		 TN_PLAN_ANCHOR_LIST_ERRORED},
		{"Something will perform the following actions:", TN_PLAN_ANCHOR_NONE},
		{"No changes. Something new.", TN_PLAN_ANCHOR_NO_CHANGES},
		{"a.b[\"x: y\"]: Refreshing state... [id=1]", TN_PLAN_ANCHOR_REFRESH},
		{"a.b (deposed object 1234): Destroying... [id=1]", TN_PLAN_ANCHOR_APPLY},
		{"a.b: Opening...", TN_PLAN_ANCHOR_NOISE},
		{"a.b will be created", TN_PLAN_ANCHOR_NONE},
		{"Apply complete! Resources: 1 added", TN_PLAN_ANCHOR_APPLY},
	};
	struct tn_plan_anchor_hit hit;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(lines); i++)
		assert_int_equal(tn_plan_anchor_find(tn_str_from(lines[i].text)).anchor,
				 lines[i].anchor);
	hit = tn_plan_anchor_find(TN_STR("OpenTofu v1.8.0"));
	assert_int_equal(hit.tool, TN_PLAN_OPENTOFU);
	assert_str(hit.version, "1.8.0");
	assert_true(tn_plan_is_rule(TN_STR("--------------------")));
	assert_true(tn_plan_is_rule(TN_STR("\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2"
					   "\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94"
					   "\x80\xE2\x94\x80")));
	assert_true(tn_plan_is_rule(TN_STR("=-+=-+=-+=-+=-+=-+=-+=-+=-+=-+")));
	assert_false(tn_plan_is_rule(TN_STR("---------")));
	assert_false(tn_plan_is_rule(TN_STR("aaaaaaaaaaaaaaaaaaaa")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_tokenized),
		cmocka_unit_test(headers_say_what_happens),
		cmocka_unit_test(deposed_objects_have_a_key),
		cmocka_unit_test(notes_have_codes),
		cmocka_unit_test(plan_lines_are_read_whole),
		cmocka_unit_test(anchors_are_sentences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
