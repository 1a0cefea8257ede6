/* A workspace is read aside, kept up to date, and tells of what changed (L3 to L6, R7, G7, T21). */
#include "apps/workbench/workspace/workspace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/values/folder_kit.h"
#include "loop/loop.h"

static struct tn_loop *loop;
static struct tn_wb_workspaces set;
static unsigned changes; /* what was told since it was looked at last */
static unsigned awaited; /* 0: nothing */
static struct tn_timer *patience;

static void note(void *data, struct tn_wb_workspace *workspace, unsigned what)
{
	(void)data;
	(void)workspace;
	changes |= what;
	if (awaited && (changes & awaited) == awaited)
		tn_loop_stop(loop);
}

static void end_patience(struct tn_timer *timer, void *data)
{
	(void)timer;
	(void)data;
	tn_loop_stop(loop);
}

static int set_up(void **state)
{
	struct tenon_error err;

	changes = awaited = 0;
	if (folder_set_up(state) != 0 || tn_loop_create(&loop, &err) != TENON_OK ||
	    tn_timer_open(loop, end_patience, NULL, &patience, &err) != TENON_OK)
		return -1;
	tn_wb_workspaces_init(&set, loop, &tn_clock_system, folder_path());
	set.changed = note;
	return 0;
}

static void run_for(unsigned ms)
{
	tn_timer_start(patience, ms);
	tn_loop_run(loop);
	tn_timer_stop(patience);
}

static int tear_down(void **state)
{
	tn_wb_workspaces_finish(&set);
	run_for(50);
	tn_timer_close(patience);
	tn_loop_destroy(loop);
	return folder_tear_down(state);
}

static void wait_for(unsigned what)
{
	awaited = what;
	if ((changes & what) != what)
		run_for(20000);
	assert_true((changes & what) == what);
	awaited = changes = 0;
}

static struct tn_wb_workspace *open_folder(const char *below, bool trusted)
{
	struct tn_wb_workspace *workspace = NULL;
	struct tenon_error err;
	char path[1024];

	assert_true(snprintf(path, sizeof(path), "%s/%s", folder_path(), below) < 1024);
	if (tn_wb_workspace_open(&set, path, trusted, &workspace, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return workspace;
}

#define CONFIG "{\"modules\":[\"./m.module.json\"]}"
#define MODULE(name, graph)                                                                   \
	"{\"schemaVersion\":\"v0\",\"registry\":{\"schemaVersion\":\"v0\",\"components\":{"   \
	"\"ui.a\":{\"displayName\":\"" name "\",\"props\":{}}}},\"graph\":{\"nodes\":[" graph \
	"],\"edges\":[]}}"
#define NODE "{\"kind\":\"componentType\",\"id\":\"ui.a\",\"displayName\":\"A\"}"

/* A worker that was faster than who had started it lost what sources are read with: the daemon
 * crashed on a busy machine. */
static void a_look_keeps_its_sources_however_fast_it_begins(void **state)
{
	(void)state;
	folder_write("shop/src/A.tsx", "export function A() { return null; }");
	for (int i = 0; i < 40; i++) {
		struct tn_wb_workspace *workspace = open_folder("shop", false);

		wait_for(TN_WB_CHANGED_STATE | TN_WB_CHANGED_CONFIG);
		assert_non_null(workspace->source);
		tn_wb_workspace_close(workspace);
		changes = 0;
	}
}

static void a_folder_is_loading_then_loaded(void **state)
{
	struct tn_wb_workspace *workspace;

	(void)state;
	folder_write("shop/skaffa.config.json", CONFIG);
	folder_write("shop/m.module.json", MODULE("A", NODE));
	workspace = open_folder("shop", false);
	assert_int_equal(workspace->state, TN_WB_LOADING);
	assert_string_equal(workspace->name, "shop");
	assert_int_equal(strlen(workspace->epoch), 32);
	wait_for(TN_WB_CHANGED_STATE | TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH);
	assert_int_equal(workspace->state, TN_WB_LOADED);
	assert_int_equal(workspace->registry_revision, 1);
	assert_non_null(tn_wb_registry_find(workspace->registry, TN_STR("ui.a")));
	assert_int_equal(tn_wb_graph_revision(workspace->graph), 1);
}

static void a_changed_file_is_read_and_an_equal_one_changes_nothing(void **state)
{
	struct tn_wb_workspace *workspace;

	(void)state;
	folder_write("shop/skaffa.config.json", CONFIG);
	folder_write("shop/m.module.json", MODULE("A", NODE));
	workspace = open_folder("shop", false);
	wait_for(TN_WB_CHANGED_REGISTRY);
	folder_write("shop/m.module.json", MODULE("A", NODE));
	run_for(TN_WB_DEBOUNCE_MS * 4);
	assert_int_equal(changes & (TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH), 0);
	assert_int_equal(workspace->registry_revision, 1);
	folder_write("shop/m.module.json", MODULE("B", ""));
	wait_for(TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH);
	assert_int_equal(workspace->registry_revision, 2);
	assert_int_equal(tn_wb_graph_revision(workspace->graph), 2);
	folder_write("shop/skaffa.config.json", "{\"modules\":[]}");
	wait_for(TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_CONFIG);
	assert_int_equal(tn_wb_registry_count(workspace->registry), 0);
}

static const struct tn_wb_node *type(const struct tn_wb_workspace *workspace, const char *id)
{
	return tn_wb_graph_find(workspace->graph, "componentType", tn_str_from(id));
}

static bool has_diagnostic(const struct tn_wb_diagnostics *list, const char *code)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].code, code) == 0)
			return true;
	return false;
}

/* Claims that are as they were stay, what changes is another, and a module takes along what it had.
 */
static void a_look_claims_what_differs_from_the_one_before(void **state)
{
	static const char more[] =
		",{\"kind\":\"componentType\",\"id\":\"ui.b\",\"displayName\":\"B\"}";
	struct tn_wb_workspace *workspace;
	uint64_t revision;
	char text[1024];

	(void)state;
	folder_write("shop/skaffa.config.json", CONFIG);
	folder_write("shop/m.module.json", MODULE("A", NODE));
	workspace = open_folder("shop", false);
	wait_for(TN_WB_CHANGED_GRAPH);
	assert_non_null(type(workspace, "ui.a"));
	revision = tn_wb_graph_revision(workspace->graph);
	(void)snprintf(text, sizeof(text), MODULE("A", NODE "%s"), more);
	folder_write("shop/m.module.json", text);
	wait_for(TN_WB_CHANGED_GRAPH);
	assert_int_equal(tn_wb_graph_revision(workspace->graph), revision + 1);
	assert_non_null(type(workspace, "ui.a"));
	assert_non_null(type(workspace, "ui.b"));
	folder_write("shop/m.module.json", MODULE("A", NODE));
	wait_for(TN_WB_CHANGED_GRAPH);
	assert_null(type(workspace, "ui.b"));
	folder_write("shop/m.module.json", MODULE("A", "{\"kind\":7}"));
	wait_for(TN_WB_CHANGED_GRAPH);
	assert_non_null(type(workspace, "ui.a")); /* G9: refused as a whole */
	assert_true(has_diagnostic(&workspace->graph_diagnostics, "graph_update_invalid"));
	folder_write("shop/m.module.json", text);
	wait_for(TN_WB_CHANGED_GRAPH);
	assert_non_null(type(workspace, "ui.b"));
	folder_write("shop/skaffa.config.json", "{\"modules\":[]}");
	wait_for(TN_WB_CHANGED_GRAPH | TN_WB_CHANGED_CONFIG);
	assert_null(type(workspace, "ui.b"));
}

/* The first look brings a graph of its own; what somebody put meanwhile is not lost with the other.
 */
static void what_is_put_while_it_is_loading_stays(void **state)
{
	static const char text[] =
		"{\"schemaVersion\":\"v0\",\"revision\":1,\"nodes\":[{\"kind\":"
		"\"componentType\",\"id\":\"x\",\"displayName\":\"X\"}],\"edges\":[]}";
	struct tn_wb_workspace *workspace;
	struct tn_wb_update update;
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *json;

	(void)state;
	folder_write("shop/skaffa.config.json", CONFIG);
	folder_write("shop/m.module.json", MODULE("A", NODE));
	workspace = open_folder("shop", false);
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, TN_STR(text), &json, &err), TENON_OK);
	assert_int_equal(tn_wb_graph_put(workspace->graph, "outside:x", TN_WB_RANK_OUTSIDE, json,
					 &update, NULL, &err),
			 TENON_OK);
	tn_arena_finish(&arena);
	wait_for(TN_WB_CHANGED_CONFIG | TN_WB_CHANGED_GRAPH);
	assert_non_null(type(workspace, "x"));
	assert_non_null(type(workspace, "ui.a"));
}

#define LAUNCHES(name)                                                                   \
	"{\"schemaVersion\":\"v0\",\"launchers\":[{\"id\":\"l\",\"displayName\":\"" name \
	"\",\"supportedSessionTypes\":[\"app\"],\"command\":[\"serve\"],\"inject\":\"gateway\"}]}"

/* N3: what preview/sessions lists of launchers is another, and the configuration is not. */
static void a_launcher_that_changes_is_told(void **state)
{
	(void)state;
	folder_write("shop/skaffa.config.json", CONFIG);
	folder_write("shop/m.module.json", LAUNCHES("Serve"));
	(void)open_folder("shop", false);
	wait_for(TN_WB_CHANGED_CONFIG | TN_WB_CHANGED_LAUNCHERS);
	folder_write("shop/m.module.json", LAUNCHES("Serve it"));
	awaited = TN_WB_CHANGED_LAUNCHERS;
	run_for(20000);
	assert_int_equal(changes, TN_WB_CHANGED_LAUNCHERS);
}

static void a_broken_configuration_degrades_and_a_mended_one_ends_it(void **state)
{
	struct tn_wb_workspace *workspace;

	(void)state;
	folder_write("shop/skaffa.config.json", "{");
	workspace = open_folder("shop", false);
	wait_for(TN_WB_CHANGED_STATE | TN_WB_CHANGED_CONFIG);
	assert_int_equal(workspace->state, TN_WB_DEGRADED);
	folder_write("shop/skaffa.config.json", "{}");
	wait_for(TN_WB_CHANGED_STATE | TN_WB_CHANGED_CONFIG);
	assert_int_equal(workspace->state, TN_WB_LOADED);
}

static void a_caller_has_the_nearest_workspace_above(void **state)
{
	struct tn_wb_workspace *outer, *inner;
	const char *why;
	char path[1024];

	(void)state;
	folder_write("shop/apps/web/x", "");
	folder_write("shop/app/x", "");
	assert_null(tn_wb_workspaces_of(&set, folder_path(), &why));
	outer = open_folder("shop", false);
	assert_ptr_equal(tn_wb_workspaces_of(&set, "/elsewhere", &why), outer);
	assert_string_equal(why, "it is the only one that is open");
	inner = open_folder("shop/app", false);
	assert_ptr_equal(tn_wb_workspaces_of(&set, NULL, &why), inner);
	(void)snprintf(path, sizeof(path), "%s/shop/apps/web", folder_path());
	assert_ptr_equal(tn_wb_workspaces_of(&set, path, &why), outer);
	(void)snprintf(path, sizeof(path), "%s/shop/app", folder_path());
	assert_ptr_equal(tn_wb_workspaces_of(&set, path, &why), inner);
	assert_ptr_equal(open_folder("shop/./app/..", false), outer);
	assert_int_equal(set.count, 2);
	assert_ptr_equal(tn_wb_workspaces_of(&set, NULL, &why), outer);
	tn_wb_workspace_close(outer);
	assert_ptr_equal(tn_wb_workspaces_of(&set, NULL, &why), inner);
}

static void opened_again_it_has_another_epoch(void **state)
{
	struct tn_wb_workspace *workspace;
	char epoch[TN_WB_EPOCH_SIZE];

	(void)state;
	folder_write("shop/x", "");
	workspace = open_folder("shop", false);
	memcpy(epoch, workspace->epoch, sizeof(epoch));
	tn_wb_workspace_close(workspace);
	assert_string_not_equal(open_folder("shop", false)->epoch, epoch);
}

static void trust_is_kept_outside_and_may_be_taken_back(void **state)
{
	struct tn_wb_workspace *workspace;
	struct tenon_error err;

	(void)state;
	folder_write("shop/skaffa.config.mjs", "export default {}");
	workspace = open_folder("shop", false);
	assert_false(workspace->trusted);
	assert_int_equal(tn_wb_workspace_trust(workspace, true, &err), TENON_OK);
	tn_wb_workspaces_finish(&set);
	tn_wb_workspaces_init(&set, loop, &tn_clock_system, folder_path());
	set.changed = note;
	workspace = open_folder("shop", false);
	assert_true(workspace->trusted);
	assert_int_equal(tn_wb_workspace_trust(workspace, false, &err), TENON_OK);
	tn_wb_workspace_close(workspace);
	assert_false(open_folder("shop", false)->trusted);
}

static void what_is_no_folder_is_refused_in_words(void **state)
{
	static const struct {
		const char *path;
		enum tenon_code code;
	} wrong[] = {{"shop", TENON_INVALID}, {"/nowhere/at/all", TENON_NOT_FOUND}};
	struct tn_wb_workspace *workspace;
	struct tenon_error err;
	char path[1024];

	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(tn_wb_workspace_open(&set, wrong[i].path, false, &workspace, &err),
				 wrong[i].code);
	folder_write("file", "");
	(void)snprintf(path, sizeof(path), "%s/file", folder_path());
	assert_int_equal(tn_wb_workspace_open(&set, path, false, &workspace, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "NOT_A_DIRECTORY"));
	for (int i = 0; i < TN_WB_WORKSPACES_MAX; i++) {
		(void)snprintf(path, sizeof(path), "w%d/x", i);
		folder_write(path, "");
		path[2] = '\0';
		(void)open_folder(path, false);
	}
	assert_int_equal(tn_wb_workspace_open(&set, folder_path(), false, &workspace, &err),
			 TENON_LIMIT);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_folder_is_loading_then_loaded),
		CASE(a_look_keeps_its_sources_however_fast_it_begins),
		CASE(a_changed_file_is_read_and_an_equal_one_changes_nothing),
		CASE(a_look_claims_what_differs_from_the_one_before),
		CASE(what_is_put_while_it_is_loading_stays),
		CASE(a_launcher_that_changes_is_told),
		CASE(a_broken_configuration_degrades_and_a_mended_one_ends_it),
		CASE(a_caller_has_the_nearest_workspace_above),
		CASE(opened_again_it_has_another_epoch),
		CASE(trust_is_kept_outside_and_may_be_taken_back),
		CASE(what_is_no_folder_is_refused_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
