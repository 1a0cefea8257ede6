/* Projects on disk: made, opened, saved, closed, locked (studio.md 4.2, 12.4; ST-020 to ST-027). */
#include "apps/studio/project/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "apps/studio/project/project_test_kit.h"
#include "base/mem.h"
#include "loop/loop.h"

static mode_t mode_of(const struct kit *kit, const char *name)
{
	char path[256];
	struct stat status;

	(void)snprintf(path, sizeof(path), "%s/shop/%s", kit->home, name);
	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode & 0777;
}

/* 4.2, FR-19: the files of a new project, and their modes (ST-022). */
static void a_new_project_has_its_files(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char *studio;

	assert_non_null(project);
	assert_false(tn_studio_project_is_dirty(project));
	assert_ptr_equal(tn_studio_project_current(kit->projects), project);
	assert_true(project->made_here);
	assert_int_equal(tn_oplog_revision(project->log), 1); /* 4.1: starts at 1 */
	kit_expect_file(kit, ".gitignore",
			".tenon/\n.terraform/\n*.tfstate\n*.tfstate.*\n*.tfplan\ncrash.log\n");
	kit_expect_file(kit, "diagram.json",
			"{\n  \"formatVersion\": 1,\n  \"revision\": 1,\n  \"nodes\": [],\n"
			"  \"edges\": [],\n  \"modules\": [],\n  \"instances\": []\n}\n");
	studio = kit_read(kit, "studio.json");
	assert_non_null(studio);
	assert_non_null(strstr(studio, "{\n  \"formatVersion\": 1,\n  \"id\": \""));
	assert_non_null(strstr(studio, "\n  \"name\": \"shop\",\n  \"created\": \"20"));
	assert_int_equal(studio[strlen(studio) - 1], '\n');
	tn_mem_free(studio);
	assert_int_equal(mode_of(kit, ".tenon"), 0700);
	assert_false(kit_exists(kit, "cost.json"));
}

/* 12.4: names that folders may not have. */
static void names_are_checked(void **state)
{
	static const char *const wrong[] = {"",    ".",   "..",  " a",  "a ",  "a/b", "a\\b", "a:b",
					    "a*b", "a?b", "a\"", "a<b", "a>b", "a|b", "a\nb"};
	struct kit *kit = *state;
	char longest[400] = "", too_long[402] = "";

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_null(kit_new(kit, wrong[i]));
		CODE(kit, "INVALID_INPUT");
	}
	for (int i = 0; i < 100; i++)
		strncat(longest, "\xC3\xA9", sizeof(longest) - strlen(longest) - 1);
	(void)snprintf(too_long, sizeof(too_long), "%sx", longest);
	assert_null(kit_new(kit, too_long));
	CODE(kit, "INVALID_INPUT");
	assert_non_null(kit_new(kit, longest)); /* 100 characters, 200 bytes */
	assert_non_null(kit_new(kit, "a.b c-d"));
}

/* FR-19, ST-142: where a project can be made. */
static void folders_are_checked(void **state)
{
	struct kit *kit = *state;
	char path[256];
	struct tn_studio_fault fault;

	assert_non_null(kit_new(kit, "shop"));
	assert_null(kit_new(kit, "shop"));
	CODE(kit, "PROJECT_EXISTS");
	(void)snprintf(path, sizeof(path), "%s/a", kit->home);
	assert_non_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	(void)snprintf(path, sizeof(path), "%s/b/c", kit->home);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PROJECT_NOT_FOUND");
	assert_null(tn_studio_project_new(kit->projects, "x", "relative", NULL, &fault));
	assert_string_equal(fault.code, "INVALID_INPUT");
	assert_null(tn_studio_project_new(kit->projects, "x", kit->state, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	(void)snprintf(path, sizeof(path), "%s/../state", kit->home);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	(void)snprintf(path, sizeof(path), "%s/link", kit->home);
	assert_int_equal(symlink(kit->state, path), 0);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	(void)snprintf(path, sizeof(path), "%s/none/../../state", kit->home);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
}

/* ~/.bashrc.d/x.csv would be run, and ~/.config/autostart, and ~/.config/tenon is ours. */
static void hidden_folders_are_no_place(void **state)
{
	struct kit *kit = *state;
	char path[256];
	struct tn_studio_fault fault;

	assert_null(kit_new(kit, ".bashrc.d"));
	CODE(kit, "PATH_NOT_ALLOWED");
	(void)snprintf(path, sizeof(path), "%s/.config", kit->home);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_null(tn_studio_project_new(kit->projects, "autostart", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	(void)snprintf(path, sizeof(path), "%s/a/.b/c", kit->home);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	/* The demo of "make start" lies in the folder of states, and nothing else does. */
	(void)snprintf(path, sizeof(path), "%s/.local/state/tenon/demonic", kit->home);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	(void)snprintf(path, sizeof(path), "%s/.local/state/tenon/demo/.x", kit->home);
	assert_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	assert_string_equal(fault.code, "PATH_NOT_ALLOWED");
	static const char *const folders[] = {".local", ".local/state", ".local/state/tenon",
					      ".local/state/tenon/demo"};

	for (size_t i = 0; i < TN_COUNT(folders); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", kit->home, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	assert_non_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	/* But where the operator says so. */
	(void)snprintf(path, sizeof(path), "%s/.config", kit->home);
	kit->roots[0] = path;
	tn_studio_projects_destroy(kit->projects);
	kit->projects = kit_table(kit);
	assert_non_null(tn_studio_project_new(kit->projects, "x", path, NULL, &fault));
	kit->roots[0] = kit->home;
}

/* ST-020: a save without change leaves every byte, whoever wrote it and however. */
static void saving_without_change_changes_nothing(void **state)
{
	static const char diagram[] = "{\"revision\": 7, \"formatVersion\":1,\n\t\"nodes\":[], "
				      "\"edges\":[],\"mine\":{\"a\":1}}";
	static const char studio[] = "{\"name\":\"shop\",\"x\":[1,2],\"id\":\"abc\","
				     "\"formatVersion\":1}";
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(tn_studio_project_close(project, false, NULL));
	kit_write(kit, "diagram.json", diagram);
	kit_write(kit, "studio.json", studio);
	project = kit_open(kit, "shop");
	assert_non_null(project);
	assert_false(tn_studio_project_is_dirty(project));
	assert_true(kit_save(kit, project, false, false));
	assert_true(kit_save(kit, project, true, false));
	kit_expect_file(kit, "diagram.json", diagram);
	kit_expect_file(kit, "studio.json", studio);
	/* A change of the diagram is none of studio.json; unknown members are kept (ST-026). */
	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	kit_expect_file(kit, "studio.json", studio);
	char *text = kit_read(kit, "diagram.json");
	assert_non_null(strstr(text, "\"mine\": {\n    \"a\": 1\n  }"));
	tn_mem_free(text);
	assert_true(kit_commit(project, "[{\"op\":\"setConfig\",\"config\":{\"region\":\"eu\"}}]"));
	assert_true(kit_save(kit, project, false, false));
	kit_expect_file(kit, "studio.json",
			"{\n  \"formatVersion\": 1,\n  \"id\": \"abc\",\n  \"name\": \"shop\",\n"
			"  \"config\": {\n    \"region\": \"eu\"\n  },\n  \"x\": [1, 2]\n}\n");
}

/* 4.1: a diagram from elsewhere goes on from its revision; being opened is nothing to undo. */
static void a_revision_goes_on(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_change change;

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_add(project, "n2", "g2"));
	assert_true(kit_save(kit, project, false, false));
	assert_true(tn_studio_project_close(project, false, NULL));
	/* As a clone: without .tenon. */
	char from[256], to[256];
	(void)snprintf(from, sizeof(from), "%s/shop/.tenon", kit->home);
	(void)snprintf(to, sizeof(to), "%s/gone", kit->folder);
	assert_int_equal(rename(from, to), 0);
	project = kit_open(kit, "shop");
	assert_non_null(project);
	kit_expect_ids(project, "n1,n2");
	assert_int_equal(tn_oplog_revision(project->log), 3);
	assert_false(tn_studio_project_is_dirty(project));
	assert_false(project->recovered);
	assert_int_equal(tn_oplog_undo(project->log, "x", -1, &change, NULL), TENON_NOT_FOUND);
}

/* ST-023: what was committed and not saved is there again. */
static void unsaved_changes_survive(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	assert_true(kit_add(project, "n2", "g2"));
	assert_true(tn_studio_project_is_dirty(project));
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_non_null(project);
	assert_true(project->recovered);
	assert_true(tn_studio_project_is_dirty(project));
	kit_expect_ids(project, "n1,n2");
	assert_true(kit_save(kit, project, false, false));
	assert_false(project->recovered);
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_false(tn_studio_project_is_dirty(project));
	assert_false(project->recovered);
	kit_expect_ids(project, "n1,n2");
}

static void two_daemons_do_not_share_a_project(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_projects *other = kit_table(kit);
	struct tn_studio_project *project = kit_new(kit, "shop"), *second;
	struct tn_studio_fault fault;
	char path[256], pid[32];

	(void)snprintf(path, sizeof(path), "%s/shop", kit->home);
	second = tn_studio_project_open(other, path, NULL, &fault);
	assert_null(second);
	assert_string_equal(fault.code, "PROJECT_LOCKED");
	(void)snprintf(pid, sizeof(pid), "\"pid\":%ld", (long)getpid());
	assert_non_null(strstr(fault.details.data, pid));
	assert_non_null(strstr(fault.details.data, "\"host\":\""));
	assert_non_null(strstr(fault.details.data, "\"since\":\"20"));
	assert_true(tn_studio_project_close(project, false, NULL));
	assert_non_null(tn_studio_project_open(other, path, NULL, &fault));
	tn_studio_projects_destroy(other);
}

/* FR-17, section 21 */
static void projects_are_found_and_counted(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *first = kit_new(kit, "p0"), *project = NULL;
	char name[16], path[256];

	assert_null(tn_studio_project_find(kit->projects, "nothing", &kit->fault));
	CODE(kit, "PROJECT_NOT_FOUND");
	for (int i = 1; i < TN_STUDIO_PROJECTS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "p%d", i);
		project = kit_new(kit, name);
		assert_non_null(project);
	}
	assert_null(kit_new(kit, "one-more"));
	CODE(kit, "LIMIT_EXCEEDED");
	assert_ptr_equal(tn_studio_project_find(kit->projects, NULL, NULL), project);
	assert_ptr_equal(tn_studio_project_find(kit->projects, first->id, NULL), first);
	(void)snprintf(path, sizeof(path), "%s/./p0/../p0", kit->home);
	assert_ptr_equal(tn_studio_project_find(kit->projects, path, NULL), first);
	/* Already open: current again, and the same one. */
	assert_true(kit_add(first, "n1", "g1"));
	assert_ptr_equal(kit_open(kit, "p0"), first);
	assert_ptr_equal(kit_open(kit, "p0/studio.json"), first);
	assert_ptr_equal(tn_studio_project_current(kit->projects), first);
	assert_true(tn_studio_project_is_dirty(first));
	assert_null(kit_open(kit, "none"));
	CODE(kit, "PROJECT_NOT_FOUND");
}

/* 12.4 */
static void unsaved_changes_are_not_dropped_by_accident(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(kit_add(project, "n1", "g1"));
	assert_true(kit_save(kit, project, false, false));
	assert_true(kit_add(project, "n2", "g2"));
	assert_false(tn_studio_project_close(project, false, &kit->fault));
	CODE(kit, "UNSAVED_CHANGES");
	assert_true(tn_studio_project_close(project, true, &kit->fault));
	assert_null(tn_studio_project_find(kit->projects, NULL, &kit->fault));
	CODE(kit, "NO_PROJECT");
	project = kit_open(kit, "shop");
	kit_expect_ids(project, "n1");
	assert_false(tn_studio_project_is_dirty(project));
	assert_false(project->recovered);
	/* The history has what was dropped. */
	struct tn_change change;
	assert_int_equal(tn_oplog_undo(project->log, "x", -1, &change, NULL), TENON_OK);
	kit_expect_ids(project, "n1,n2");
}

/* ST-027 */
static void recent_projects_are_listed(void **state)
{
	struct kit *kit = *state;
	struct tn_buf list;
	char name[16], from[256], to[256];

	for (int i = 0; i < 12; i++) {
		(void)snprintf(name, sizeof(name), "p%d", i);
		assert_non_null(kit_new(kit, name));
	}
	assert_non_null(kit_open(kit, "p5"));
	kit_restart(kit);
	(void)snprintf(from, sizeof(from), "%s/p11", kit->home);
	(void)snprintf(to, sizeof(to), "%s/moved", kit->folder);
	assert_int_equal(rename(from, to), 0);
	tn_buf_init(&list, 65536);
	tn_studio_projects_put_recent(&list, kit->projects);
	tn_buf_append_byte(&list, '\0');
	assert_non_null(strstr(list.data, "[{\"name\":\"p5\""));
	assert_null(strstr(list.data, "\"p1\""));
	assert_non_null(strstr(list.data, "\"p2\"")); /* the tenth */
	assert_null(strstr(list.data, "\"p0\""));
	assert_non_null(strstr(strstr(list.data, "\"p11\""), "\"missing\":true"));
	assert_non_null(strstr(list.data, "\"missing\":false"));
	tn_buf_finish(&list);
}

/* ST-085: an archive cannot say of itself that it was made here. */
static void trust_is_of_this_machine(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char from[256], to[256];

	assert_true(project->made_here);
	kit_restart(kit);
	project = kit_open(kit, "shop");
	assert_true(project->made_here);
	assert_true(tn_studio_project_close(project, false, NULL));
	(void)snprintf(from, sizeof(from), "%s/shop", kit->home);
	(void)snprintf(to, sizeof(to), "%s/copy", kit->home);
	assert_int_equal(rename(from, to), 0);
	project = kit_open(kit, "copy");
	assert_false(project->made_here);
	assert_true(tn_studio_project_trust(project, NULL, NULL));
	kit_restart(kit);
	assert_true(kit_open(kit, "copy")->made_here);
}

/* ST-142: nothing of a project leads out of it. */
static void links_are_not_followed(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char from[256], to[256];

	assert_true(tn_studio_project_close(project, false, NULL));
	(void)snprintf(from, sizeof(from), "%s/shop/.tenon", kit->home);
	(void)snprintf(to, sizeof(to), "%s/elsewhere", kit->folder);
	assert_int_equal(rename(from, to), 0);
	assert_int_equal(symlink(to, from), 0);
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "PROJECT_INVALID");
	assert_int_equal(unlink(from), 0);
	assert_int_equal(rename(to, from), 0);
	(void)snprintf(from, sizeof(from), "%s/shop/diagram.json", kit->home);
	assert_int_equal(rename(from, to), 0);
	assert_int_equal(symlink(to, from), 0);
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "PROJECT_INVALID");
	assert_int_equal(unlink(from), 0);
	assert_int_equal(mkfifo(from, 0600), 0);
	assert_null(kit_open(kit, "shop"));
	CODE(kit, "PROJECT_INVALID");
}

/* ST-142: where an export may be written. */
static void paths_stay_in_the_project(void **state)
{
	static const char *const wrong[] = {"../x.svg",
					    "/etc/x.svg",
					    "a/../../x",
					    ".tenon/x",
					    ".git/hooks/x",
					    "studio.json",
					    "terraform/x.tf",
					    "types/x.json",
					    "./diagram.json",
					    "a/.hidden/x.svg",
					    ".",
					    "link/x.svg"};
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_place place;
	char wanted[256];

	(void)snprintf(wanted, sizeof(wanted), "%s/link", project->path);
	assert_int_equal(symlink(kit->state, wanted), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(tn_studio_project_path(project, NULL, wrong[i], &place, &kit->fault));
		CODE(kit, "PATH_NOT_ALLOWED");
	}
	assert_true(
		tn_studio_project_path(project, NULL, "docs/./picture.svg", &place, &kit->fault));
	(void)snprintf(wanted, sizeof(wanted), "%s/docs/picture.svg", project->path);
	assert_string_equal(place.path, wanted);
	tn_place_close(&place);
}

/* 5.1, ST-041, ST-143: types of the project's own, marked as such; what is wrong is a warning. */
static void a_project_brings_types(void **state)
{
	static const char types[] =
		"{\"formatVersion\":1,\"types\":[{\"typeId\":\"builtin/core/box\",\"displayName\":"
		"\"Box\",\"description\":\"A box.\",\"category\":\"core\",\"terraform\":{\"type\":"
		"\"terraform_data\"},\"properties\":[],\"hcl\":{\"body\":[{\"attr\":\"input\","
		"\"value\":"
		"{\"raw\":\"1\"}}]}}]}";
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop"), *other;
	const struct tn_studio_type *type;
	struct tn_buf warnings;
	char path[256];

	assert_true(tn_studio_project_close(project, false, NULL));
	(void)snprintf(path, sizeof(path), "%s/shop/types", kit->home);
	assert_int_equal(mkdir(path, 0700), 0);
	kit_write(kit, "types/box.json", types);
	kit_write(kit, "types/wrong.json", "{\"formatVersion\":");
	(void)snprintf(path, sizeof(path), "%s/shop", kit->home);
	tn_buf_init(&warnings, TN_MIB);
	project = tn_studio_project_open(kit->projects, path, &warnings, &kit->fault);
	assert_non_null(project);
	tn_buf_append_byte(&warnings, '\0');
	assert_non_null(strstr(warnings.data, "\"code\":\"TYPE_FILE\""));
	assert_non_null(strstr(warnings.data, "wrong.json"));
	type = tn_studio_type_find(project->document.registry, TN_STR("builtin/core/box"));
	assert_non_null(type);
	assert_true(type->from_project && type->needs_trust);
	assert_non_null(tn_studio_type_find(project->document.registry,
					    TN_STR("azurerm/core/resource_group")));
	/* They are this project's alone. */
	other = kit_new(kit, "other");
	assert_null(tn_studio_type_find(other->document.registry, TN_STR("builtin/core/box")));
	assert_ptr_equal(other->document.registry,
			 tn_studio_projects_registry(kit->projects, NULL));
	tn_buf_finish(&warnings);
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(a_new_project_has_its_files),
		KIT(names_are_checked),
		KIT(folders_are_checked),
		KIT(hidden_folders_are_no_place),
		KIT(saving_without_change_changes_nothing),
		KIT(a_revision_goes_on),
		KIT(unsaved_changes_survive),
		KIT(two_daemons_do_not_share_a_project),
		KIT(projects_are_found_and_counted),
		KIT(unsaved_changes_are_not_dropped_by_accident),
		KIT(recent_projects_are_listed),
		KIT(trust_is_of_this_machine),
		KIT(links_are_not_followed),
		KIT(paths_stay_in_the_project),
		KIT(a_project_brings_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
