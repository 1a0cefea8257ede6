/* Generated files on disk: which are ours, and what happens to the others (studio.md 8.9). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/generate/generate.h"
#include "apps/studio/project/project_test_kit.h"
#include "base/mem.h"

struct wrote {
	bool done;
	struct tn_studio_fault fault;
	char result[1024];
};

/* Pairs of name and text; NULL ends them. */
static struct wrote write_files(struct tn_studio_project *project, bool overwrite,
				const char *const *files)
{
	struct wrote wrote = {.done = false};
	struct tn_studio_file list[8];
	struct tn_studio_generated generated = {.files = list};
	struct tn_buf result;

	for (; *files; files += 2) {
		list[generated.file_count].name = tn_str_from(files[0]);
		list[generated.file_count++].text = tn_str_from(files[1]);
	}
	tn_buf_init(&result, TN_MIB);
	wrote.done = tn_studio_project_write(project, &generated, overwrite, &result, &wrote.fault);
	(void)snprintf(wrote.result, sizeof(wrote.result), "%.*s", (int)result.size,
		       result.data ? result.data : "");
	tn_buf_finish(&result);
	return wrote;
}

#define WRITE(project, overwrite, ...) \
	write_files(project, overwrite, (const char *const[]){__VA_ARGS__, NULL})

static void expect_file(const struct kit *kit, const char *name, const char *wanted)
{
	char *text = kit_read(kit, name);

	assert_string_equal(text ? text : "(none)", wanted);
	tn_mem_free(text);
}

static struct timespec time_of(const struct kit *kit, const char *name)
{
	char path[256];
	struct stat status;

	(void)snprintf(path, sizeof(path), "%s/shop/%s", kit->home, name);
	assert_int_equal(stat(path, &status), 0);
	return status.st_mtim;
}

static void files_are_written_and_kept(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct wrote wrote = WRITE(project, false, "main.tf", "a\n", "modules/net/main.tf", "n\n");
	struct timespec before, after;

	assert_true(wrote.done);
	assert_string_equal(wrote.result, "\"written\":[\"main.tf\",\"modules/net/main.tf\"],"
					  "\"unchanged\":[],\"removed\":[]");
	expect_file(kit, "terraform/main.tf", "a\n");
	expect_file(kit, "terraform/modules/net/main.tf", "n\n");
	before = time_of(kit, "terraform/main.tf");
	wrote = WRITE(project, false, "main.tf", "a\n", "variables.tf", "v\n");
	assert_string_equal(wrote.result,
			    "\"written\":[\"variables.tf\"],\"unchanged\":[\"main.tf\"],"
			    "\"removed\":[\"modules/net/main.tf\"]");
	after = time_of(kit, "terraform/main.tf");
	assert_true(before.tv_sec == after.tv_sec && before.tv_nsec == after.tv_nsec);
	assert_false(kit_exists(kit, "terraform/modules")); /* empty folders go, too */
	wrote = WRITE(project, false, "main.tf", "b\n");
	assert_string_equal(wrote.result, "\"written\":[\"main.tf\"],\"unchanged\":[],"
					  "\"removed\":[\"variables.tf\"]");
	/* One that was deleted is made again. */
	char path[256];
	(void)snprintf(path, sizeof(path), "%s/terraform/main.tf", project->path);
	assert_int_equal(unlink(path), 0);
	wrote = WRITE(project, false, "main.tf", "b\n");
	assert_true(wrote.done);
	expect_file(kit, "terraform/main.tf", "b\n");
}

/* ST-071: the user's own files are the user's. */
static void other_files_are_left_alone(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct wrote wrote = WRITE(project, false, "main.tf", "a\n");

	kit_write(kit, "terraform/mine.tf", "# mine\n");
	wrote = WRITE(project, false, "outputs.tf", "o\n");
	assert_true(wrote.done);
	expect_file(kit, "terraform/mine.tf", "# mine\n");
	/* One in the way is not overwritten, but kept when it must be. */
	wrote = WRITE(project, false, "outputs.tf", "o\n", "mine.tf", "ours\n");
	assert_false(wrote.done);
	assert_string_equal(wrote.fault.code, "GENERATED_FILE_EDITED");
	assert_non_null(strstr(wrote.fault.details.data, "{\"files\":[\"mine.tf\"]}"));
	expect_file(kit, "terraform/mine.tf", "# mine\n");
	/* The same text is nobody's loss: a clone without .tenon. */
	kit_write(kit, "terraform/same.tf", "same\n");
	wrote = WRITE(project, false, "outputs.tf", "o\n", "same.tf", "same\n");
	assert_true(wrote.done);
	wrote = WRITE(project, false, "outputs.tf", "o\n", "same.tf", "newer\n");
	assert_true(wrote.done);
}

/* SC-103: what the engine reads beside them is named; what is generated, or was, is not. */
static void files_of_the_user_are_named(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct tn_studio_file list[] = {{.name = TN_STR("main.tf")}};
	const struct tn_studio_generated generated = {.files = list, .file_count = 1};
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_studio_project_put_others(project, &generated, &out);
	assert_true(tn_str_is(tn_buf_str(&out), "[]")); /* there is no folder */
	tn_buf_clear(&out);
	assert_true(WRITE(project, false, "main.tf", "a\n", "old.tf", "o\n").done);
	kit_write(kit, "terraform/mine.tf", "# mine\n");
	kit_write(kit, "terraform/also.tfvars.json", "{}\n");
	kit_write(kit, "terraform/.hidden.tf", "\n");
	kit_write(kit, "terraform/README.md", "\n");
	tn_studio_project_put_others(project, &generated, &out);
	assert_true(tn_str_is(tn_buf_str(&out), "[\"also.tfvars.json\",\"mine.tf\"]"));
	tn_buf_finish(&out);
}

/* ST-071 */
static void edited_files_are_not_lost(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	struct wrote wrote = WRITE(project, false, "main.tf", "a\n", "b.tf", "b\n");

	kit_write(kit, "terraform/main.tf", "edited\n");
	wrote = WRITE(project, false, "main.tf", "new\n", "b.tf", "new b\n");
	assert_false(wrote.done);
	assert_string_equal(wrote.fault.code, "GENERATED_FILE_EDITED");
	assert_non_null(strstr(wrote.fault.message, "main.tf"));
	assert_null(strstr(wrote.fault.message, "b.tf"));
	expect_file(kit, "terraform/main.tf", "edited\n");
	expect_file(kit, "terraform/b.tf", "b\n"); /* all or none */
	wrote = WRITE(project, true, "main.tf", "new\n", "b.tf", "new b\n");
	assert_true(wrote.done);
	expect_file(kit, "terraform/main.tf", "new\n");
	/* Its text is kept, under its name and content. */
	expect_file(kit, ".tenon/overwritten/main.tf.68f01b289aed", "edited\n");
	/* One that is to go and was edited is asked about as well. */
	kit_write(kit, "terraform/b.tf", "edited b\n");
	wrote = WRITE(project, false, "main.tf", "new\n");
	assert_false(wrote.done);
	assert_true(kit_exists(kit, "terraform/b.tf"));
	wrote = WRITE(project, true, "main.tf", "new\n");
	assert_true(wrote.done);
	assert_false(kit_exists(kit, "terraform/b.tf"));
	/* Edited into what it is to be: nothing to ask. */
	kit_write(kit, "terraform/main.tf", "newer\n");
	wrote = WRITE(project, false, "main.tf", "newer\n");
	assert_true(wrote.done);
}

/* ST-142: terraform/ is a folder, and nothing in it leads out. */
static void nothing_is_written_through_links(void **state)
{
	static const char *const wrong[] = {"../x.tf", "/etc/x.tf", "a/../x.tf", ".terraform/x",
					    "a//b",    "a/",        "",          "a\nb"};
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char path[256], away[128];
	struct wrote wrote;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		wrote = WRITE(project, true, wrong[i], "x");
		assert_false(wrote.done);
		assert_string_equal(wrote.fault.code, "PATH_NOT_ALLOWED");
	}
	(void)snprintf(away, sizeof(away), "%s/away", kit->folder);
	(void)snprintf(path, sizeof(path), "%s/terraform", project->path);
	assert_int_equal(mkdir(away, 0700), 0);
	assert_int_equal(symlink(away, path), 0);
	wrote = WRITE(project, true, "main.tf", "x");
	assert_false(wrote.done);
	assert_string_equal(wrote.fault.code, "PATH_NOT_ALLOWED");
	assert_int_equal(rmdir(away), 0); /* nothing was written there */
	assert_int_equal(unlink(path), 0);
	assert_true(WRITE(project, true, "main.tf", "x").done);
	/* A file that is a link, a folder that is one. */
	(void)snprintf(path, sizeof(path), "%s/terraform/linked.tf", project->path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	wrote = WRITE(project, true, "main.tf", "x", "linked.tf", "y");
	assert_string_equal(wrote.fault.code, "PATH_NOT_ALLOWED");
	assert_int_equal(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/terraform/modules", project->path);
	assert_int_equal(mkdir(away, 0700), 0);
	assert_int_equal(symlink(away, path), 0);
	wrote = WRITE(project, true, "main.tf", "x", "modules/a/main.tf", "y");
	assert_string_equal(wrote.fault.code, "PATH_NOT_ALLOWED");
	assert_int_equal(rmdir(away), 0);
}

/* A manifest out of an archive cannot make us delete what is not below terraform/. */
static void a_hostile_manifest_names_nothing_else(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");

	assert_true(WRITE(project, false, "main.tf", "x").done);
	kit_write(kit, ".tenon/manifest.json",
		  "{\"formatVersion\":1,\"files\":{\"../studio.json\":[\"00\"],\"/etc/passwd\":[],"
		  "\"a/../../diagram.json\":[\"x\"],\"main.tf\":{\"a\":1},\"\":[1]}}");
	/* Nothing listed counts: what is there was not written by us as far as we know. */
	assert_false(WRITE(project, false, "main.tf", "y").done);
	assert_true(WRITE(project, true, "main.tf", "y").done);
	assert_true(kit_exists(kit, "studio.json"));
	assert_true(kit_exists(kit, "diagram.json"));
	kit_write(kit, ".tenon/manifest.json", "[[[");
	assert_true(WRITE(project, false, "main.tf", "y").done); /* the same text */
}

/* Digests of "one\n" and "two\n". */
#define ONE "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"
#define TWO "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a"

/* A crash between the manifest and the files: ours stay ours. */
static void a_crash_makes_no_edited_files(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_project *project = kit_new(kit, "shop");
	char *manifest;

	assert_true(WRITE(project, false, "main.tf", "one\n", "b.tf", "b one\n").done);
	assert_true(WRITE(project, false, "main.tf", "two\n", "b.tf", "b two\n").done);
	manifest = kit_read(kit, ".tenon/manifest.json");
	/* As it stands before the files are written: the digest that is to be, and the one that is.
	 */
	char between[2048];
	(void)snprintf(
		between, sizeof(between),
		"{\"formatVersion\":1,\"files\":{\"main.tf\":[\"%s\",\"%s\"],\"b.tf\":[\"%s\","
		"\"%s\"]}}",
		ONE, TWO, ONE, ONE);
	assert_non_null(strstr(manifest, "[\"" TWO "\"]"));
	kit_write(kit, ".tenon/manifest.json", between);
	/* main.tf is one of the two; b.tf is neither. */
	struct wrote wrote = WRITE(project, false, "main.tf", "three\n", "b.tf", "b three\n");
	assert_false(wrote.done);
	assert_non_null(strstr(wrote.fault.details.data, "{\"files\":[\"b.tf\"]}"));
	tn_mem_free(manifest);
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(files_are_written_and_kept),       KIT(other_files_are_left_alone),
		KIT(files_of_the_user_are_named),      KIT(edited_files_are_not_lost),
		KIT(nothing_is_written_through_links), KIT(a_hostile_manifest_names_nothing_else),
		KIT(a_crash_makes_no_edited_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
