/* Files of a project that change behind our back: taken, a conflict, or broken (studio.md 4.2;
 * ST-025). */
#include "apps/studio/project/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/project/project_test_kit.h"
#include "base/mem.h"
#include "loop/loop.h"

/* Their diagram: one node. */
#define THEIRS                                                                                  \
	"{\"formatVersion\":1,\"revision\":9,\"nodes\":[{\"id\":\"t1\",\"typeId\":"             \
	"\"azurerm/core/resource_group\",\"label\":\"T\",\"terraformName\":\"t\",\"position\":" \
	"{\"x\":0,\"y\":0}}],\"edges\":[]}"

/* ST-025 */
static void files_that_change_are_taken_when_nothing_is_unsaved(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_change change;

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	kit->told[0] = '\0';
	tn_studio_project_look(project);
	assert_string_equal(kit->told, "");
	kit_write(kit, "diagram.json", THEIRS);
	tn_studio_project_look(project);
	kit_expect_ids(project, "t1");
	assert_non_null(strstr(kit->told, "diagram"));
	assert_false(tn_studio_project_is_dirty(project));
	kit_expect_file(kit, "diagram.json", THEIRS);
	/* It is one change, and can be undone. */
	assert_int_equal(tn_oplog_undo(project->log, "x", -1, &change, NULL), TENON_OK);
	kit_expect_ids(project, "n1");
	assert_true(tn_studio_project_is_dirty(project));
	assert_true(kit_save(kit, project, false, false));
	/* While it was closed. */
	assert_true(tn_studio_project_close(project, false, NULL));
	kit_write(kit, "diagram.json", THEIRS);
	project = kit_open(kit, "shop");
	assert_non_null(project);
	kit_expect_ids(project, "t1");
	assert_false(tn_studio_project_is_dirty(project));
}

/* ST-025 */
static void files_that_change_are_a_conflict_when_something_is(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(kit_add(project, "n1", "g1"));
	kit_write(kit, "diagram.json", THEIRS);
	tn_studio_project_look(project);
	kit_expect_ids(project, "n1");
	assert_true(project->disk_changed);
	assert_false(kit_save(kit, project, false, false));
	CODE(kit, "DISK_CHANGED");
	assert_non_null(strstr(kit->fault.details.data, "diagram.json"));
	kit_expect_file(kit, "diagram.json", THEIRS);
	/* Over a restart, too. */
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_non_null(project);
	assert_true(project->recovered && project->disk_changed);
	assert_false(kit_save(kit, project, false, false));
	CODE(kit, "DISK_CHANGED");
	assert_true(kit_save(kit, project, false, true)); /* reload takes theirs */
	kit_expect_ids(project, "t1");
	assert_false(tn_studio_project_is_dirty(project));
	kit_expect_file(kit, "diagram.json", THEIRS);
	/* force overwrites */
	assert_true(kit_add(project, "n2", "g2"));
	kit_write(kit, "diagram.json", "{}");
	assert_false(kit_save(kit, project, false, false));
	assert_true(kit_save(kit, project, true, false));
	assert_false(project->disk_changed);
	char *text = kit_read(kit, "diagram.json");
	assert_non_null(strstr(text, "\"n2\""));
	tn_mem_free(text);
}

static void expect_details(const struct kit *kit, const char *wanted)
{
	if (!strstr(kit->fault.details.data, wanted))
		fail_msg("%s is not in %s", wanted, kit->fault.details.data);
}

/* Their diagram is ours with another label. */
static void relabel(const struct kit *kit, const char *from, const char *to)
{
	char *text = kit_read(kit, "diagram.json"), *at = strstr(text, from);
	struct tn_buf changed;

	assert_non_null(at);
	tn_buf_init(&changed, TN_MIB);
	tn_buf_format(&changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	tn_buf_append_byte(&changed, '\0');
	kit_write(kit, "diagram.json", changed.data);
	tn_buf_finish(&changed);
	tn_mem_free(text);
}

/* SC-189: whoever has to choose is told between what. */
static void a_conflict_says_what_differs(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	assert_true(kit_add(project, "n2", "g2"));
	relabel(kit, "\"label\": \"g1\"", "\"label\": \"Theirs\"");
	assert_false(kit_save(kit, project, false, false));
	expect_details(kit,
		       "{\"files\":[\"diagram.json\"],\"differences\":{\"nodes\":[{\"instanceId\":"
		       "\"n1\",\"label\":\"g1\",\"typeId\":\"azurerm/core/resource_group\","
		       "\"change\":\"changed\",\"members\":[{\"member\":\"label\",\"here\":\"g1\","
		       "\"there\":\"Theirs\"}]},{\"instanceId\":\"n2\",\"label\":\"g2\","
		       "\"typeId\":\"azurerm/core/resource_group\",\"change\":\"removed\"}],"
		       "\"edges\":{\"added\":0,\"removed\":0,\"changed\":0},\"config\":[]}}");
	kit_write(kit, "diagram.json", THEIRS);
	assert_false(kit_save(kit, project, false, false));
	expect_details(kit, "\"instanceId\":\"t1\",\"label\":\"T\",\"typeId\":"
			    "\"azurerm/core/resource_group\",\"change\":\"added\"}");
	kit_write(kit, "diagram.json", "<<<<<<< HEAD\n");
	assert_false(kit_save(kit, project, false, false));
	expect_details(kit, "\"unreadable\":\"diagram.json, line 1, column 1");
}

/* SC-189: back at the saved state is saved, over a restart, too. */
static void undone_to_what_was_saved_is_saved(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_change change;

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	assert_true(kit_add(project, "n2", "g2"));
	tn_studio_project_settle(project);
	assert_true(tn_studio_project_is_dirty(project));
	assert_int_equal(tn_oplog_undo(project->log, "x", -1, &change, NULL), TENON_OK);
	kit->told[0] = '\0';
	tn_studio_project_settle(project);
	assert_false(tn_studio_project_is_dirty(project));
	assert_string_equal(kit->told, "projects");
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_non_null(project);
	assert_false(project->recovered || tn_studio_project_is_dirty(project));
	/* What was saved and is undone is not. */
	assert_int_equal(tn_oplog_redo(project->log, "x", -1, &change, NULL), TENON_OK);
	assert_true(kit_save(kit, project, false, false));
	assert_int_equal(tn_oplog_undo(project->log, "x", -1, &change, NULL), TENON_OK);
	tn_studio_project_settle(project);
	assert_true(tn_studio_project_is_dirty(project));
	/* Files of others are asked about, whatever is undone. */
	kit_write(kit, "diagram.json", THEIRS);
	tn_studio_project_look(project);
	assert_int_equal(tn_oplog_redo(project->log, "x", -1, &change, NULL), TENON_OK);
	tn_studio_project_settle(project);
	assert_true(tn_studio_project_is_dirty(project));
}

/* SC-240: a folder that is gone is said as that; what is in hand is saved when it is back. */
static void a_folder_that_is_gone_is_said(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char from[256], to[256];

	(void)snprintf(from, sizeof(from), "%s/shop", kit->home);
	(void)snprintf(to, sizeof(to), "%s/away", kit->home);
	assert_true(kit_add(project, "n1", "g1"));
	assert_int_equal(rename(from, to), 0);
	for (int force = 0; force < 2; force++) {
		assert_false(kit_save(kit, project, force, false));
		CODE(kit, "IO_ERROR");
		assert_non_null(strstr(kit->fault.message, "is not there any more"));
	}
	assert_true(tn_studio_project_is_dirty(project));
	assert_int_equal(rename(to, from), 0);
	assert_true(kit_save(kit, project, false, false));
	assert_false(tn_studio_project_is_dirty(project));
}

/* SC-032: another name is saved at once; what is none changes nothing. */
static void a_project_gets_another_name(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_buf files;

	tn_buf_init(&files, TN_MIB);
	assert_false(tn_studio_project_rename(project, "a/b", false, &files, &kit->fault));
	CODE(kit, "INVALID_INPUT");
	assert_string_equal(project->name, "shop");
	assert_true(tn_studio_project_rename(project, "Market", false, &files, &kit->fault));
	assert_false(tn_studio_project_is_dirty(project));
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_string_equal(project->name, "Market");
	/* Others have changed the files: the name stays as it is. */
	assert_true(kit_add(project, "n1", "g1"));
	kit_write(kit, "diagram.json", THEIRS);
	assert_false(tn_studio_project_rename(project, "Bazaar", false, &files, &kit->fault));
	CODE(kit, "DISK_CHANGED");
	assert_string_equal(project->name, "Market");
	tn_buf_finish(&files);
}

/* ST-026: told with line and column, closed, untouched. */
static void broken_files_are_never_overwritten(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(tn_studio_project_close(project, false, NULL));
	kit_write(kit, "diagram.json", "{\n  \"nodes\": [\n    {\xC3\xA9}\n");
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "PROJECT_INVALID");
	assert_non_null(strstr(kit->fault.message, "diagram.json, line 3, column 6"));
	assert_non_null(strstr(kit->fault.details.data, "\"line\":3,\"column\":6"));
	kit_expect_file(kit, "diagram.json", "{\n  \"nodes\": [\n    {\xC3\xA9}\n");
	assert_null(tn_studio_project_current(kit->projects));
	kit_write(kit, "diagram.json", "{\"formatVersion\":2}");
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "FORMAT_TOO_NEW");
	kit_write(kit, "diagram.json", "{\"formatVersion\":1,\"nodes\":[],\"edges\":[]}");
	char *good = kit_read(kit, "studio.json");
	kit_write(kit, "studio.json", "{\"formatVersion\":3}");
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "FORMAT_TOO_NEW");
	kit_write(kit, "studio.json", "{\"formatVersion\":1,\"id\":\"../x\",\"name\":\"n\"}");
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "PROJECT_INVALID");
	kit_write(kit, "studio.json", good);
	tn_mem_free(good);
	assert_non_null(kit_open(kit, "shop"));
}

/* A file that breaks while the project is open leaves the project as it is. */
static void a_file_that_breaks_is_not_taken(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	kit_write(kit, "diagram.json", "<<<<<<< HEAD\n");
	tn_studio_project_look(project);
	kit_expect_ids(project, "n1");
	assert_true(project->disk_changed);
	assert_false(kit_save(kit, project, false, false));
	CODE(kit, "DISK_CHANGED");
	kit_expect_file(kit, "diagram.json", "<<<<<<< HEAD\n");
	assert_false(kit_save(kit, project, false, true));
	CODE(kit, "PROJECT_INVALID");
	kit_expect_ids(project, "n1");
}

/* ST-024 */

struct watching {
	struct tn_loop *loop;
	struct tn_timer *timer;
	bool told;
};

static void was_told(struct tn_studio_project *project, const char *what, void *data)
{
	struct watching *watching = data;

	(void)project;
	if (strcmp(what, "diagram") == 0 && watching->loop) {
		watching->told = true;
		tn_loop_stop(watching->loop);
	}
}

static void too_late(struct tn_timer *timer, void *data)
{
	struct watching *watching = data;

	(void)timer;
	tn_loop_stop(watching->loop);
}

/* ST-025: noticed by watching, without anybody asking. */
static void changed_files_are_noticed(void **state)
{
	struct kit *kit = *state;
	struct watching watching = {.told = false};
	struct tn_studio_projects_options options = {.clock = &tn_clock_system,
						     .state_folder = kit->state,
						     .data_folder = kit->data,
						     .roots = kit->roots,
						     .changed = was_told,
						     .data = &watching};
	struct tn_studio_projects *projects = NULL;
	struct tn_studio_project *project;

	assert_int_equal(tn_loop_create(&watching.loop, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(watching.loop, too_late, &watching, &watching.timer, NULL),
			 TENON_OK);
	options.loop = watching.loop;
	assert_int_equal(tn_studio_projects_create(&options, &projects, NULL), TENON_OK);
	project = tn_studio_project_new(projects, "shop", kit->home, NULL, &kit->fault);
	assert_non_null(project);
	watching.told = false;
	kit_write(kit, "diagram.json", THEIRS);
	tn_timer_start(watching.timer, 10000);
	tn_loop_run(watching.loop);
	assert_true(watching.told);
	kit_expect_ids(project, "t1");
	tn_studio_projects_destroy(projects);
	tn_timer_close(watching.timer);
	tn_loop_destroy(watching.loop);
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(files_that_change_are_taken_when_nothing_is_unsaved),
		KIT(files_that_change_are_a_conflict_when_something_is),
		KIT(a_conflict_says_what_differs),
		KIT(undone_to_what_was_saved_is_saved),
		KIT(a_folder_that_is_gone_is_said),
		KIT(a_project_gets_another_name),
		KIT(broken_files_are_never_overwritten),
		KIT(a_file_that_breaks_is_not_taken),
		KIT(changed_files_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
