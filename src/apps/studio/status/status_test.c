/* What exists (studio.md section 10). */
#include "apps/studio/status/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "jsonrpc/json_write.h"
#include "store/file.h"

static struct tn_studio_node one = {.id = {"n1", 2}}, two = {.id = {"n2", 2}};
static const struct tn_studio_address addresses[] = {
	{.address = {"a.extra", 7}, .node = &one},
	{.address = {"a.one", 5}, .node = &one, .primary = true},
	{.address = {"a.two", 5}, .node = &two, .primary = true},
	{.address = {"module.m.a.deep", 15}, .node = &two},
};
static const struct tn_studio_generated generated = {.addresses = addresses, .address_count = 4};

static const struct tn_studio_part part_one = {{"n1", 2}, {"a.one", 5}, true};
static const struct tn_studio_part part_extra = {{"n1", 2}, {"a.extra", 7}, false};
static const struct tn_studio_part part_two = {{"n2", 2}, {"a.two", 5}, true};

struct kit {
	struct tn_studio_status *status;
	char told[256];
};

static void told(struct tn_str node_id, void *data)
{
	struct kit *kit = data;
	size_t used = strlen(kit->told);

	(void)snprintf(kit->told + used, sizeof(kit->told) - used, "%.*s=%s ", (int)node_id.size,
		       node_id.data, tn_studio_status_of(kit->status, node_id));
}

static void set_up(struct kit *kit, const char *path)
{
	const struct tn_studio_status_options options = {
		.path = path, .clock = &tn_clock_system, .changed = told, .data = kit};

	*kit = (struct kit){.status = NULL};
	assert_int_equal(tn_studio_status_create(&options, &kit->status, NULL), TENON_OK);
}

static void expect(struct kit *kit, struct tn_str id, const char *status)
{
	assert_string_equal(tn_studio_status_of(kit->status, id), status);
}

static bool read_state(struct kit *kit, const char *state, const char *run_id)
{
	struct tn_json *json = NULL;
	struct tn_arena arena;
	bool good;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(state), &json, NULL), TENON_OK);
	good = tn_studio_status_read(kit->status, &generated, json, run_id);
	tn_arena_finish(&arena);
	return good;
}

static void put(struct kit *kit, const struct tn_studio_node *node, char *out, size_t size)
{
	struct tn_buf buf;

	tn_buf_init(&buf, TN_MIB);
	tn_studio_status_put(&buf, kit->status, node, NULL);
	assert_false(buf.failed);
	(void)snprintf(out, size, "%.*s", (int)buf.size, buf.data);
	tn_buf_finish(&buf);
}

static void six_words(void **state) /* section 10, the table */
{
	char text[1024];
	struct kit kit;

	(void)state;
	set_up(&kit, NULL);
	expect(&kit, TN_STR("n1"), "pending");
	expect(&kit, TN_STR("unheard of"), "pending");
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_CREATE, "run_1");
	expect(&kit, TN_STR("n1"), "creating");
	tn_studio_status_complete(kit.status, &part_one, TN_STUDIO_CREATE);
	expect(&kit, TN_STR("n1"), "created");
	/* Something of it is there: another block of it is an update of the node. */
	tn_studio_status_begin(kit.status, &part_extra, TN_STUDIO_CREATE, "run_1");
	expect(&kit, TN_STR("n1"), "updating");
	tn_studio_status_complete(kit.status, &part_extra, TN_STUDIO_CREATE);
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_UPDATE, "run_2");
	expect(&kit, TN_STR("n1"), "updating");
	tn_studio_status_fail(kit.status, &part_one, TN_STR("quota"));
	expect(&kit, TN_STR("n1"), "failed");
	put(&kit, &one, text, sizeof(text));
	assert_non_null(strstr(text, "\"status\":\"failed\",\"error\":\"quota\""));
	assert_non_null(strstr(text, "\"lastRunId\":\"run_2\""));
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_DELETE, "run_3");
	expect(&kit, TN_STR("n1"), "updating");
	put(&kit, &one, text, sizeof(text));
	assert_non_null(strstr(text, "\"phase\":\"destroying\""));
	tn_studio_status_complete(kit.status, &part_one, TN_STUDIO_DELETE);
	expect(&kit, TN_STR("n1"), "destroyed"); /* the primary one is gone by a run */
	tn_studio_status_complete(kit.status, &part_extra, TN_STUDIO_DELETE);
	expect(&kit, TN_STR("n1"), "destroyed");
	assert_string_equal(kit.told, "n1=creating n1=created n1=updating n1=created n1=updating "
				      "n1=failed n1=updating n1=destroyed ");
	tn_studio_status_destroy(kit.status);
	tn_studio_status_destroy(NULL);
}

static void without_a_project(void **state)
{
	(void)state;
	tn_studio_status_begin(NULL, &part_one, TN_STUDIO_CREATE, "run_1");
	tn_studio_status_complete(NULL, &part_one, TN_STUDIO_CREATE);
	tn_studio_status_fail(NULL, &part_one, TN_STR("x"));
	tn_studio_status_unknown(NULL);
	assert_string_equal(tn_studio_status_of(NULL, TN_STR("n1")), "pending");
	assert_false(tn_studio_status_deployed(NULL, TN_STR("n1"), NULL));
}

#define RESOURCE(address, more) "{\"address\":\"" address "\",\"mode\":\"managed\"" more "}"
#define STATE(resources, children)                                                           \
	"{\"format_version\":\"1.0\",\"values\":{\"root_module\":{\"resources\":[" resources \
	"],\"child_modules\":[" children "]}}}"

static void truth(void **state) /* ST-100: from the state, with keys and modules */
{
	struct tn_buf list;
	struct kit kit;

	(void)state;
	set_up(&kit, NULL);
	assert_true(read_state(
		&kit,
		STATE(RESOURCE("a.one[0]", "") "," RESOURCE("a.extra", "") "," RESOURCE(
			      "foreign.x", "") ",{\"address\":\"data.a.two\",\"mode\":\"data\"}",
		      "{\"resources\":[" RESOURCE("module.m.a.deep[\\\"k\\\"]", "") "]}"),
		NULL));
	expect(&kit, TN_STR("n1"), "created");
	expect(&kit, TN_STR("n2"), "pending"); /* an extra alone does not make it */
	tn_buf_init(&list, TN_KIB);
	tn_json_begin_array(&list);
	assert_true(tn_studio_status_deployed(kit.status, TN_STR("n1"), &list));
	tn_buf_append_byte(&list, '\0');
	assert_string_equal(list.data, "[\"a.one[0]\",\"a.extra\"");
	tn_buf_finish(&list);
	/* Gone behind our back: nobody's run did it. */
	assert_true(read_state(&kit, "{\"format_version\":\"1.0\"}", NULL));
	expect(&kit, TN_STR("n1"), "pending");
	assert_true(read_state(&kit, STATE(RESOURCE("a.one", ""), ""), NULL));
	assert_true(read_state(&kit, "{\"format_version\":\"1.0\"}", "run_1"));
	expect(&kit, TN_STR("n1"), "destroyed");
	assert_false(read_state(&kit, "{}", NULL));
	assert_false(read_state(&kit, "[]", NULL));
	tn_studio_status_destroy(kit.status);
}

static void tainted(void **state)
{
	struct kit kit;

	(void)state;
	set_up(&kit, NULL);
	assert_true(read_state(&kit, STATE(RESOURCE("a.one", ",\"tainted\":true"), ""), NULL));
	expect(&kit, TN_STR("n1"), "failed");
	assert_true(tn_studio_status_deployed(kit.status, TN_STR("n1"), NULL));
	assert_true(read_state(&kit, STATE(RESOURCE("a.one", ""), ""), NULL));
	expect(&kit, TN_STR("n1"), "created");
	/* What a run has said stays although the object is there (a failed postcondition). */
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_UPDATE, "run_1");
	tn_studio_status_fail(kit.status, &part_one, TN_STR("postcondition"));
	assert_true(read_state(&kit, STATE(RESOURCE("a.one", ""), ""), "run_1"));
	expect(&kit, TN_STR("n1"), "failed");
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_UPDATE, "run_2");
	tn_studio_status_complete(kit.status, &part_one, TN_STUDIO_UPDATE);
	expect(&kit, TN_STR("n1"), "created");
	tn_studio_status_destroy(kit.status);
}

static void in_the_middle(void **state) /* ST-100: killed, read again or unknown */
{
	struct kit kit;

	(void)state;
	set_up(&kit, NULL);
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_CREATE, "run_1");
	tn_studio_status_begin(kit.status, &part_two, TN_STUDIO_CREATE, "run_1");
	assert_true(read_state(&kit, STATE(RESOURCE("a.one", ""), ""), NULL));
	expect(&kit, TN_STR("n1"), "created");
	expect(&kit, TN_STR("n2"), "pending");
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_DELETE, "run_2");
	assert_true(read_state(&kit, "{\"format_version\":\"1.0\"}", NULL));
	expect(&kit, TN_STR("n1"), "destroyed"); /* a run was about to do that */
	tn_studio_status_begin(kit.status, &part_two, TN_STUDIO_UPDATE, "run_3");
	tn_studio_status_unknown(kit.status);
	expect(&kit, TN_STR("n2"), "failed");
	expect(&kit, TN_STR("n1"), "destroyed");
	tn_studio_status_destroy(kit.status);
}

static void on_disk(void **state) /* 4.8: the record survives */
{
	char folder[] = "/tmp/status-test-XXXXXX", path[64], before[1024], after[1024], hex[65];
	struct tenon_error err = {0};
	struct stat file;
	struct kit kit;
	const struct tn_studio_status_options broken = {.path = path, .clock = &tn_clock_system};

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/deployment.json", folder);
	set_up(&kit, path);
	memset(hex, 'a', 64);
	hex[64] = '\0';
	tn_studio_status_begin(kit.status, &part_one, TN_STUDIO_CREATE, "run_1");
	tn_studio_status_complete(kit.status, &part_one, TN_STUDIO_CREATE);
	tn_studio_status_applied(kit.status, TN_STR("n1"), hex, NULL);
	tn_studio_status_begin(kit.status, &part_two, TN_STUDIO_CREATE, "run_1");
	tn_studio_status_fail(kit.status, &part_two, TN_STR("no \"quota\""));
	tn_studio_status_begin(kit.status, &part_extra, TN_STUDIO_CREATE, "run_2");
	put(&kit, &one, before, sizeof(before));
	assert_int_equal(tn_studio_status_save(kit.status, &err), TENON_OK);
	assert_int_equal(stat(path, &file), 0);
	assert_int_equal(file.st_mode & 0777, 0600);
	tn_studio_status_destroy(kit.status);
	set_up(&kit, path);
	put(&kit, &one, after, sizeof(after));
	assert_string_equal(after, before);
	expect(&kit, TN_STR("n1"), "updating");
	expect(&kit, TN_STR("n2"), "failed");
	tn_studio_status_destroy(kit.status);
	assert_int_equal(tn_file_write(path, 0600, TN_STR("{\"nodes\":{"), &err), TENON_OK);
	assert_int_equal(tn_studio_status_create(&broken, &kit.status, &err), TENON_OK);
	assert_int_equal(err.code, TENON_INVALID); /* told, and counts as none */
	expect(&kit, TN_STR("n1"), "pending");
	tn_studio_status_destroy(kit.status);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(six_words),     cmocka_unit_test(without_a_project),
		cmocka_unit_test(truth),         cmocka_unit_test(tainted),
		cmocka_unit_test(in_the_middle), cmocka_unit_test(on_disk),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
