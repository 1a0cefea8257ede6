/* A frozen project stays as it is while other threads read it and the project goes on (SC-028). */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/generate/generate.h"
#include "apps/studio/limits.h"
#include "apps/studio/picture/export.h"
#include "apps/studio/project/project.h"
#include "base/digest.h"

enum { GROUPS = 20, THREADS = 3, EDITS = 60 };

#define GROUP "azurerm/core/resource_group"
#define NETWORK "azurerm/networking/virtual_network"
#define PLAN "azurerm/compute/app_service_plan"
#define APP "azurerm/compute/app_service"
#define SERVER "azurerm/database/mssql_server"

struct reader {
	const struct tn_studio_project *project;
	char digest[2 * TN_DIGEST_HEX_SIZE]; /* of all that was made of it */
};

static void take_export(struct reader *reader, enum tn_studio_format format, struct tn_arena *arena,
			struct tn_buf *out)
{
	const struct tn_studio_export_options options = {
		.format = format,
		.project_name = tn_str_from(reader->project->name),
		.revision = tn_studio_project_revision(reader->project),
		.status = reader->project->status,
		.secrets = reader->project->secrets,
		.legend = true};
	struct tn_studio_export_facts facts;
	struct tn_studio_fault fault;

	if (!tn_studio_export(&reader->project->document, &options, arena, out, &facts, &fault))
		tn_buf_append_text(out, fault.message);
}

static void *read_all(void *data)
{
	struct reader *reader = data;
	const struct tn_studio_document *document = &reader->project->document;
	const struct tn_studio_generate_options options = {.secrets = reader->project->secrets};
	const struct tn_studio_check_options check = {.deployed = tn_studio_status_deployed,
						      .status = reader->project->status};
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	struct tn_arena arena;
	struct tn_buf out;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&out, 64 * TN_MIB);
	tn_studio_diagnostics_init(&list, &arena);
	if (tn_studio_generate(document, &options, &arena, &list, &generated))
		tn_buf_append_str(&out, generated.digest);
	tn_studio_check(document, &check, &list);
	tn_studio_diagnostics_put(&out, &list);
	take_export(reader, TN_STUDIO_SVG, &arena, &out);
	take_export(reader, TN_STUDIO_MARKDOWN, &arena, &out);
	tn_digest_hex(tn_buf_str(&out), reader->digest);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return NULL;
}

static void build(struct studio_kit *kit)
{
	for (int i = 0; i < GROUPS; i++) {
		const char *group = studio_kit_add(kit, GROUP, NULL);
		const char *plan = studio_kit_add(kit, PLAN, group);
		const char *app = studio_kit_add(kit, APP, group);

		(void)studio_kit_add(kit, NETWORK, group);
		(void)studio_kit_add(kit, SERVER, group);
		studio_kit_done(kit, tn_studio_edit_update,
				studio_kit_format(kit,
						  "{\"instanceId\":\"%s\",\"references\":{"
						  "\"service_plan_id\":\"%s\"}}",
						  app, plan));
	}
}

/* Whatever can be: values, places, removals, the configuration, all of it undone again. */
static void go_on(struct studio_kit *kit, struct tn_studio_status *status)
{
	for (int i = 0; i < EDITS; i++) {
		const struct tn_studio_node *node =
			kit->document.nodes[(size_t)i * 7 % kit->document.node_count];
		const struct tn_studio_part part = {node->id,
						    TN_STR("azurerm_resource_group.other"), true};
		const char *id = tn_arena_copy(&kit->arena, node->id);

		tn_studio_status_complete(status, &part, TN_STUDIO_CREATE);
		studio_kit_done(
			kit, tn_studio_edit_update,
			studio_kit_format(kit, "{\"instanceId\":\"%s\",\"label\":\"n%d\"}", id, i));
		studio_kit_done(kit, tn_studio_edit_move,
				studio_kit_format(kit,
						  "{\"instanceId\":\"%s\",\"position\":{\"x\":%d,"
						  "\"y\":%d}}",
						  id, i * 20, i * 40));
		if (i % 5 == 0)
			studio_kit_done(kit, tn_studio_edit_remove,
					studio_kit_format(kit, "{\"instanceId\":\"%s\"}", id));
		if (i % 7 == 0)
			studio_kit_undo(kit);
		(void)studio_kit_add(kit, GROUP, NULL);
	}
}

/* Of the first server. */
static const char *secret_key(struct studio_kit *kit)
{
	size_t at = 0;

	while (!tn_str_is(kit->document.nodes[at]->type_id, SERVER))
		at++;
	return tn_studio_secret_key(&kit->arena, kit->document.nodes[at]->id,
				    TN_STR("administrator_login_password"));
}

static void open_project(struct studio_kit *kit, struct tn_studio_project *project)
{
	const struct tn_studio_status_options status = {.clock = &tn_clock_system};

	*project = (struct tn_studio_project){.name = "frozen"};
	project->log = kit->log;
	project->document = kit->document;
	tn_arena_init(&project->secrets_arena, TN_MIB);
	project->path = tn_arena_copy(&project->secrets_arena, TN_STR("/nowhere"));
	project->secrets = studio_kit_parse(
		kit, studio_kit_format(kit, "{\"%s\":\"hunter2hunter2\"}", secret_key(kit)));
	assert_int_equal(tn_studio_status_create(&status, &project->status, NULL), TENON_OK);
}

static void stays_as_it_is(void **state)
{
	struct tn_studio_project project, *frozen = NULL;
	struct reader readers[THREADS], before;
	pthread_t threads[THREADS];
	struct studio_kit kit;
	struct tenon_error err;
	const char *key;

	(void)state;
	studio_kit_open(&kit, NULL);
	build(&kit);
	studio_kit_index(&kit);
	open_project(&kit, &project);
	key = secret_key(&kit);
	before = (struct reader){.project = &project};
	read_all(&before);
	assert_int_equal(tn_studio_project_freeze(&project, &frozen, &err), TENON_OK);
	assert_int_equal(tn_studio_project_revision(frozen), tn_oplog_revision(kit.log));
	for (int i = 0; i < THREADS; i++) {
		readers[i] = (struct reader){.project = frozen};
		assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
	}
	go_on(&kit, project.status);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_string_equal(readers[i].digest, before.digest);
	}
	/* What has no secret in it cannot tell one. */
	assert_true(tn_json_is(tn_json_get(frozen->secrets, key), TN_JSON_TRUE));
	/* The project may be gone before its frozen form is. */
	tn_studio_status_destroy(project.status);
	tn_arena_finish(&project.secrets_arena);
	studio_kit_close(&kit);
	readers[0] = (struct reader){.project = frozen};
	read_all(&readers[0]);
	assert_string_equal(readers[0].digest, before.digest);
	tn_studio_project_thaw(frozen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
