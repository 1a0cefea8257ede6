/* The door without the protocol: documents, folders, the pages that are made from tables, and how
 * actions answer (floorplan.md section 7). */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/floorplan/mcp/documents.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/roots.h"
#include "apps/floorplan/mcp/schema_page.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "base/limits.h"
#include "base/size.h"

/* ---- pages (7.7) ---- */

static void run_action(const struct tn_floor_action *action, struct tn_str text,
		       const char *arguments, struct tn_floor_act *act, struct tn_arena *arena)
{
	struct tn_json *tree = NULL;

	tn_arena_init(arena, TN_FLOOR_ARENA_MAX);
	assert_int_equal(tn_json_parse_copy(arena, tn_str_from(arguments), &tree, NULL), TENON_OK);
	tn_floor_act_init(act, text, tree);
	action->run(act);
	assert_true(tn_floor_act_end(act));
}

static void test_examples(void **state) /* floorplan.md 7.7 */
{
	struct tn_floor_example example;
	size_t count = 0;

	(void)state;
	for (; tn_floor_example_at(count, &example); count++) {
		struct tn_floor_act act;
		struct tn_arena arena;

		run_action(&tn_floor_action_render, example.text, "{\"width\":200,\"height\":150}",
			   &act, &arena);
		assert_true(act.success);
		assert_true(act.file.size > 100);
		assert_int_equal(act.plan->diagnostics.counts[TN_FLOOR_ERROR], 0);
		assert_int_equal(act.plan->diagnostics.counts[TN_FLOOR_WARNING], 0);
		tn_floor_act_finish(&act);
		tn_arena_finish(&arena);
	}
	assert_true(count >= 3);
}

static bool has(const struct tn_buf *page, const char *text)
{
	return tn_str_find(tn_buf_str(page), tn_str_from(text)) != TN_STR_NONE;
}

static void test_schema_page(void **state) /* floorplan.md 7.7 */
{
	struct tn_floor_config_key key;
	struct tn_floor_example example;
	struct tn_buf page;
	char cell[80];

	(void)state;
	tn_buf_init(&page, TN_RESULT_BYTES_MAX);
	tn_floor_put_schema_page(&page);
	assert_false(page.failed);
	assert_true(page.size <= TN_FLOOR_PAGE_BYTES_MAX);
	assert_false(has(&page, "{{"));
	for (size_t i = 0; tn_floor_config_at(i, &key); i++) {
		(void)snprintf(cell, sizeof(cell), "| `%s` | ", key.key);
		assert_true(has(&page, cell));
	}
	for (int word = 0; word < TN_WORD_COUNT; word++) {
		(void)snprintf(cell, sizeof(cell), "`%s`",
			       tn_floor_word_text((enum tn_floor_word)word));
		assert_true(has(&page, cell));
	}
	for (size_t i = 0; tn_floor_example_at(i, &example); i++) {
		(void)snprintf(cell, sizeof(cell), "`%s`", example.name);
		assert_true(has(&page, cell));
	}
	tn_buf_finish(&page);
}

static void test_code_page(void **state)
{
	const char *severity = NULL, *when = NULL;
	struct tn_buf page;
	char cell[40];
	int code = 0;

	(void)state;
	tn_buf_init(&page, TN_RESULT_BYTES_MAX);
	tn_floor_put_code_page(&page);
	for (size_t i = 0; tn_floor_code_at(i, &code, &severity, &when); i++) {
		(void)snprintf(cell, sizeof(cell), "| FP%04d | %s | ", code, severity);
		assert_true(has(&page, cell));
	}
	tn_buf_finish(&page);
}

/* ---- answers ---- */

static void test_bad_plan(void **state) /* floorplan.md 7.2: no picture of a bad plan */
{
	static const char bad[] = "floorplan\nfloor G { room A size (2 x 2) right-of B }\n";
	struct tn_floor_act act;
	struct tn_arena arena;

	(void)state;
	run_action(&tn_floor_action_render, TN_STR(bad), "{}", &act, &arena);
	assert_false(act.success);
	assert_int_equal(act.file.size, 0);
	assert_true(has(&act.json, "\"success\":false"));
	assert_true(has(&act.json, "FP2004"));
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
	run_action(&tn_floor_action_validate, TN_STR(bad), "{}", &act, &arena);
	assert_true(act.success); /* 7.1: validating it is a successful call */
	assert_true(act.invalid);
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
}

/* 6.2: never a blank picture, and what could be asked for instead. */
static void test_no_floor(void **state)
{
	static const struct {
		const struct tn_floor_action *action;
		const char *arguments, *path, *message;
	} cases[] = {{&tn_floor_action_render, "{\"floors\":[\"Z\"]}", "/floors/0",
		      "no floor 'Z'; it has 'Ground', 'Upper'\""},
		     {&tn_floor_action_render,
		      "{\"floors\":[\"Upper\",\"Grund\"],\"format\":\"svg\"}", "/floors/1",
		      "no floor 'Grund'; did you mean 'Ground'?"},
		     {&tn_floor_action_render, "{\"floorIndex\":3}", "/floorIndex",
		      "no floor of index 3, counted from 0; it has 'Ground', 'Upper'\""},
		     {&tn_floor_action_render, "{\"floorIndex\":2,\"format\":\"3d-png\"}",
		      "/floorIndex", "of index 2"},
		     {&tn_floor_action_render, "{\"floors\":[\"Z\"],\"format\":\"pdf\"}",
		      "/floors/0", "no floor 'Z'"},
		     {&tn_floor_action_export, "{\"floors\":[\"Z\"],\"format\":\"svg\"}",
		      "/floors/0", "no floor 'Z'"},
		     {&tn_floor_action_export, "{\"floorIndex\":9,\"format\":\"pdf\"}",
		      "/floorIndex", "of index 9"}};
	const struct tn_str text = TN_STR("%%{version: 1.0}%%\nfloorplan\n"
					  "floor Ground { room A at (0,0) size (2 x 2) }\n"
					  "floor Upper { room A at (0,0) size (2 x 2) }\n");
	struct tn_floor_act act;
	struct tn_arena arena;
	char path[40];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_action(cases[i].action, text, cases[i].arguments, &act, &arena);
		assert_false(act.success);
		(void)snprintf(path, sizeof(path), "\"path\":\"%s\"", cases[i].path);
		if (!has(&act.json, "FP9002") || !has(&act.json, path) ||
		    !has(&act.json, cases[i].message))
			fail_msg("%s: %.*s", cases[i].arguments, (int)act.json.size, act.json.data);
		tn_floor_act_finish(&act);
		tn_arena_finish(&arena);
	}
	run_action(&tn_floor_action_render, TN_STR("%%{version: 1.0}%%\nfloorplan"),
		   "{\"floors\":[\"Z\"]}", &act, &arena);
	assert_true(has(&act.json, "no floor 'Z'; it has no floors"));
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
}

/* 5.1: whoever cuts a list says how much there is. */
static void test_cut(void **state)
{
	static const struct {
		const struct tn_floor_action *action;
		const char *arguments;
	} cases[] = {{&tn_floor_action_render, "{\"width\":64,\"height\":64}"},
		     {&tn_floor_action_analyze, "{}"},
		     {&tn_floor_action_export, "{\"format\":\"csv\"}"},
		     {&tn_floor_action_modify, "{\"operations\":[]}"}};
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "%%{version: 1.0}%%\nfloorplan\nfloor F {\n");
	for (unsigned i = 0; i < 102; i++)
		tn_buf_format(&text, "room R%u at (%u,0) size (3 x 3) height 99\n", i, 3 * i);
	tn_buf_append_text(&text, "}\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_floor_act act;
		struct tn_arena arena;

		run_action(cases[i].action, tn_buf_str(&text), cases[i].arguments, &act, &arena);
		assert_true(has(&act.json, "\"counts\":{\"errors\":0,\"warnings\":102,\"infos\":0},"
					   "\"truncated\":true"));
		tn_floor_act_finish(&act);
		tn_arena_finish(&arena);
	}
	tn_buf_finish(&text);
}

/* The same of a plan that cannot be read. */
static void test_cut_errors(void **state)
{
	const char counts[] = "\"counts\":{\"errors\":101,\"warnings\":0,\"infos\":1},"
			      "\"truncated\":true";
	struct tn_floor_act act;
	struct tn_arena arena;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "floorplan\nfloor F {\n");
	for (unsigned i = 0; i < 101; i++)
		tn_buf_append_text(&text, "room A\n");
	tn_buf_append_text(&text, "}\n");
	run_action(&tn_floor_action_modify, tn_buf_str(&text), "{\"operations\":[]}", &act, &arena);
	assert_true(has(&act.json, counts));
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
	run_action(&tn_floor_action_render, tn_buf_str(&text), "{}", &act, &arena);
	assert_true(has(&act.json, counts));
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
}

/* ---- folders (7.8) ---- */

struct folders {
	char top[64], inside[80], outside[80];
	struct tn_roots roots;
};

static void write_text(const char *folder, const char *name)
{
	char path[160];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(name, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void begin_folders(struct folders *f)
{
	char link[160];

	(void)snprintf(f->top, sizeof(f->top), "/tmp/tenon-floor-XXXXXX");
	assert_non_null(mkdtemp(f->top));
	(void)snprintf(f->inside, sizeof(f->inside), "%s/in", f->top);
	(void)snprintf(f->outside, sizeof(f->outside), "%s/in-not", f->top);
	assert_int_equal(mkdir(f->inside, 0700), 0);
	assert_int_equal(mkdir(f->outside, 0700), 0);
	write_text(f->inside, "a");
	write_text(f->outside, "b");
	(void)snprintf(link, sizeof(link), "%s/link", f->inside);
	assert_int_equal(symlink(f->outside, link), 0);
	assert_int_equal(
		tn_floor_roots_read(&f->roots, (const char *const[]){f->inside, NULL}, NULL),
		TENON_OK);
}

static void end_folders(struct folders *f)
{
	static const char *const names[] = {"in/a",     "in/new", "in/link",
					    "in-not/b", "in",     "in-not"};
	char path[160];

	tn_roots_finish(&f->roots);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", f->top, names[i]);
		(void)remove(path); /* not all of them are there */
	}
	assert_int_equal(rmdir(f->top), 0);
}

static enum tenon_code find(const struct folders *f, const char *path, struct tn_place *ret)
{
	char whole[200];

	(void)snprintf(whole, sizeof(whole), "%s%s", path[0] == '/' ? f->top : "", path);
	return tn_floor_place_find(&f->roots, whole, ret, NULL);
}

static void test_roots(void **state)
{
	static const struct {
		const char *path;
		enum tenon_code code;
	} cases[] = {{"/in/a", TENON_OK},
		     {"/in/new", TENON_OK},
		     {"a", TENON_OK},
		     {"/in/../in/a", TENON_OK},
		     {"/in-not/b", TENON_DENIED},
		     {"/in/link/b", TENON_DENIED},
		     {"/in/link/new", TENON_DENIED},
		     {"/in/../in-not/b", TENON_DENIED},
		     {"/in", TENON_OK}, /* a folder: neither read nor written, below */
		     {"../in-not/b", TENON_DENIED},
		     {"/in-not/none/x", TENON_DENIED},
		     {"/in/none/x", TENON_NOT_FOUND}};
	struct folders f;

	(void)state;
	begin_folders(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_place place;

		if (find(&f, cases[i].path, &place) != cases[i].code)
			fail_msg("%s", cases[i].path);
		if (cases[i].code == TENON_OK)
			tn_place_close(&place);
	}
	end_folders(&f);
}

static void test_files(void **state)
{
	struct tn_place place;
	struct tn_buf text;
	struct folders f;

	(void)state;
	begin_folders(&f);
	tn_buf_init(&text, 16);
	assert_int_equal(find(&f, "/in/new", &place), TENON_OK);
	assert_int_equal(tn_place_read(&place, &text, NULL), TENON_NOT_FOUND);
	assert_int_equal(tn_place_write(&place, 0644, TN_STR("hello"), NULL), TENON_OK);
	tn_place_close(&place);
	assert_int_equal(find(&f, "/in/new", &place), TENON_OK);
	assert_int_equal(tn_place_read(&place, &text, NULL), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&text), "hello"));
	tn_place_close(&place);
	assert_int_equal(find(&f, "/in", &place), TENON_OK);
	assert_int_equal(tn_place_read(&place, &text, NULL), TENON_INVALID);
	assert_int_equal(tn_place_write(&place, 0644, TN_STR("x"), NULL), TENON_INVALID);
	tn_place_close(&place);
	tn_buf_finish(&text);
	end_folders(&f);
}

static void test_no_roots(void **state)
{
	static const char *const relative[] = {"here", NULL};
	static const char *const missing[] = {"/nothing/there", NULL};
	struct tn_roots roots;
	struct tenon_error err = {0};
	struct tn_place place;

	(void)state;
	assert_int_equal(tn_floor_roots_read(&roots, relative, &err), TENON_INVALID);
	assert_int_equal(tn_floor_roots_read(&roots, missing, &err), TENON_OK);
	assert_int_equal(tn_floor_place_find(&roots, "/etc/passwd", &place, &err), TENON_DENIED);
	tn_roots_finish(&roots);
}

/* A user's service stands at home, and start files are no floor plans. */
static void test_home_is_no_root(void **state)
{
	static const char *const none[] = {NULL};
	struct folders f;
	struct tn_place place;
	const char *const stands[] = {f.inside, f.top, "/", f.outside};
	char home[PATH_MAX];

	(void)state;
	(void)snprintf(home, sizeof(home), "%s", getenv("HOME") ? getenv("HOME") : "");
	begin_folders(&f);
	assert_int_equal(setenv("HOME", f.inside, 1), 0);
	for (size_t i = 0; i < TN_COUNT(stands); i++) {
		tn_roots_finish(&f.roots);
		assert_int_equal(chdir(stands[i]), 0);
		assert_int_equal(tn_floor_roots_read(&f.roots, none, NULL), TENON_OK);
		assert_int_equal(f.roots.count, stands[i] == f.outside);
		assert_int_equal(find(&f, "/in/a", &place), TENON_DENIED);
	}
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(setenv("HOME", home, 1), 0);
	end_folders(&f);
}

/* 6.10: without fonts of the machine there are boxes, and they are told. */
static void test_boxes(void **state)
{
	static const char plan[] =
		"floorplan\n  floor G {\n    room A at (0,0) size (4 x 4) walls [top: solid, "
		"right: "
		"solid, bottom: solid, left: solid] label \"\u53a8 \u623f\"\n  }\n";
	static const char told[] = "2 characters are drawn as boxes with their numbers: fonts of "
				   "the machine are not used (U+53A8, U+623F)";
	struct tn_floor_act act;
	struct tn_arena arena;

	(void)state;
	run_action(&tn_floor_action_render, tn_str_from(plan), "{}", &act, &arena);
	assert_true(act.success);
	assert_true(has(&act.json, told));
	assert_false(has(&act.json, "\"fonts\""));
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
	run_action(&tn_floor_action_render, tn_str_from(plan), "{\"detail\":\"brief\"}", &act,
		   &arena);
	assert_true(has(&act.json, "\"boxCount\":2"));
	tn_floor_act_finish(&act);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes),      cmocka_unit_test(test_home_is_no_root),
		cmocka_unit_test(test_examples),   cmocka_unit_test(test_schema_page),
		cmocka_unit_test(test_code_page),  cmocka_unit_test(test_bad_plan),
		cmocka_unit_test(test_roots),      cmocka_unit_test(test_files),
		cmocka_unit_test(test_no_roots),   cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_errors), cmocka_unit_test(test_no_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
