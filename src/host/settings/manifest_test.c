/* FR-34, FR-35, ST-016: the manifest is valid JSON, its command is absolute, every app is in it. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/settings/apps.h"
#include "host/settings/manifest.h"
#include "jsonrpc/json.h"
#include "store/file.h"

static char folder[] = "/tmp/tenon-manifest-XXXXXX";
static char path[PATH_MAX], inner[PATH_MAX];
static struct tenon_error err;

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(inner, sizeof(inner), "%s/tenon", folder);
	(void)snprintf(path, sizeof(path), "%s/tenon/mcp.json", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	(void)unlink(path);
	(void)rmdir(inner);
	return rmdir(folder);
}

static void read_back(struct tn_arena *arena, struct tn_json **ret)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, &text, &err), TENON_OK);
	assert_int_equal(tn_json_parse_copy(arena, tn_buf_str(&text), ret, &err), TENON_OK);
	/* The relay reads the discovery file: no secret is needed here. */
	assert_int_equal(tn_str_find(tn_buf_str(&text), TN_STR("oken")), TN_STR_NONE);
	tn_buf_finish(&text);
}

static void test_manifest(void **state)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	const struct tn_json *servers, *entry;
	struct stat status;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_manifest_write(inner, "/opt/bin/tenon", &err), TENON_OK);
	read_back(&arena, &root);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	servers = tn_json_get(root, "mcpServers");
	entry = tn_json_get(servers, "tenon");
	assert_true(tn_str_is(tn_json_get(entry, "command")->text, "/opt/bin/tenon"));
	assert_int_equal(tn_json_get(entry, "args")->count, 1);
	for (size_t i = 0; tn_apps_at(i); i++) {
		char name[64];

		(void)snprintf(name, sizeof(name), "tenon-%s", tn_apps_at(i)->name);
		entry = tn_json_get(servers, name);
		assert_non_null(entry);
		assert_true(tn_str_is(tn_json_get(entry, "args")->first->text, "mcp"));
		assert_true(tn_str_is(tn_json_get(entry, "args")->first->next->text,
				      tn_apps_at(i)->name));
		assert_true(tn_json_get(entry, "description")->text.size > 20);
	}
	tn_arena_finish(&arena);
}

/* Written again only when it would say something else. */
static void test_changes(void **state)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	struct stat first, second, third;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_manifest_write(inner, "/opt/bin/tenon", &err), TENON_OK);
	assert_int_equal(stat(path, &first), 0);
	assert_int_equal(tn_manifest_write(inner, "/opt/bin/tenon", &err), TENON_OK);
	assert_int_equal(stat(path, &second), 0);
	assert_int_equal(first.st_ino, second.st_ino);
	assert_int_equal(tn_manifest_write(inner, NULL, &err), TENON_OK);
	assert_int_equal(stat(path, &third), 0);
	assert_int_not_equal(second.st_ino, third.st_ino);
	read_back(&arena, &root);
	assert_int_equal(
		tn_json_get(tn_json_get(tn_json_get(root, "mcpServers"), "tenon"), "command")
			->text.data[0],
		'/');
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_manifest),
		cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
