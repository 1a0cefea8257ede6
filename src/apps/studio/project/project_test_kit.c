#include "apps/studio/project/project_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

static void told(struct tn_studio_project *project, const char *what, void *data)
{
	struct kit *kit = data;
	size_t used = strlen(kit->told);

	(void)project;
	(void)snprintf(kit->told + used, sizeof(kit->told) - used, "%s%s", used ? "," : "", what);
}

struct tn_studio_projects *kit_table(struct kit *kit)
{
	const struct tn_studio_projects_options options = {.clock = &tn_clock_system,
							   .state_folder = kit->state,
							   .data_folder = kit->data,
							   .roots = kit->roots,
							   .changed = told,
							   .data = kit};
	struct tn_studio_projects *projects = NULL;

	assert_int_equal(tn_studio_projects_create(&options, &projects, NULL), TENON_OK);
	return projects;
}

int kit_set_up(void **state)
{
	struct kit *kit = tn_mem_alloc(sizeof(*kit));

	assert_non_null(kit);
	(void)snprintf(kit->folder, sizeof(kit->folder), "%s/tenon-studio-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(kit->folder));
	(void)snprintf(kit->home, sizeof(kit->home), "%s/home", kit->folder);
	(void)snprintf(kit->state, sizeof(kit->state), "%s/state", kit->folder);
	(void)snprintf(kit->data, sizeof(kit->data), "%s/data", kit->folder);
	assert_int_equal(mkdir(kit->home, 0700), 0);
	assert_int_equal(mkdir(kit->state, 0700), 0);
	kit->roots[0] = kit->home;
	kit->projects = kit_table(kit);
	*state = kit;
	return 0;
}

static void remove_tree(const char *folder)
{
	char command[128];

	/* Only ever below the folder made above. */
	(void)snprintf(command, sizeof(command), "%s", folder);
	if (fork() == 0) {
		(void)execl("/bin/rm", "rm", "-rf", command, (char *)NULL);
		_exit(1);
	}
	(void)wait(NULL);
}

int kit_tear_down(void **state)
{
	struct kit *kit = *state;

	tn_studio_projects_destroy(kit->projects);
	remove_tree(kit->folder);
	tn_mem_free(kit);
	return 0;
}

void kit_restart(struct kit *kit)
{
	tn_studio_projects_destroy(kit->projects);
	kit->told[0] = '\0';
	kit->projects = kit_table(kit);
}

struct tn_studio_project *kit_new(struct kit *kit, const char *name)
{
	kit->fault = (struct tn_studio_fault){.code = NULL};
	return tn_studio_project_new(kit->projects, name, kit->home, NULL, &kit->fault);
}

struct tn_studio_project *kit_open(struct kit *kit, const char *name)
{
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/%s", kit->home, name);
	kit->fault = (struct tn_studio_fault){.code = NULL};
	return tn_studio_project_open(kit->projects, path, NULL, &kit->fault);
}

static void path_of(const struct kit *kit, const char *name, char out[256])
{
	(void)snprintf(out, 256, "%s/shop/%s", kit->home, name);
}

char *kit_read(const struct kit *kit, const char *name)
{
	char path[256];
	struct tn_buf text;
	char *copy = NULL;

	path_of(kit, name, path);
	tn_buf_init(&text, 64 * 1024 * 1024);
	if (tn_file_read(path, TN_FILE_NO_FOLLOW, &text, NULL) == TENON_OK)
		copy = tn_mem_copy_text(text.data ? text.data : "", text.size);
	tn_buf_finish(&text);
	return copy;
}

void kit_write(const struct kit *kit, const char *name, const char *text)
{
	char path[256];

	path_of(kit, name, path);
	assert_int_equal(tn_file_write(path, 0644, tn_str_from(text), NULL), TENON_OK);
}

bool kit_exists(const struct kit *kit, const char *name)
{
	char path[256];
	struct stat status;

	path_of(kit, name, path);
	return lstat(path, &status) == 0;
}

bool kit_commit(struct tn_studio_project *project, const char *operations)
{
	struct tn_json *list = NULL;
	struct tn_arena arena;
	struct tn_change change;
	bool done;

	tn_arena_init(&arena, 16 * 1024 * 1024);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(operations), &list, NULL),
			 TENON_OK);
	const struct tn_commit commit = {
		.actor = "test", .label = "test", .operations = list, .expected_revision = -1};
	done = tn_oplog_commit(project->log, &commit, &change, NULL) == TENON_OK;
	tn_arena_finish(&arena);
	return done;
}

bool kit_add(struct tn_studio_project *project, const char *id, const char *name)
{
	char text[512];

	(void)snprintf(text, sizeof(text),
		       "[{\"op\":\"putNode\",\"node\":{\"id\":\"%s\",\"typeId\":"
		       "\"azurerm/core/resource_group\",\"label\":\"%s\",\"terraformName\":\"%s\","
		       "\"position\":{\"x\":0,\"y\":0}}}]",
		       id, name, name);
	return kit_commit(project, text);
}

void kit_ids(const struct tn_studio_project *project, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < project->document.node_count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%.*s", i ? "," : "",
					 (int)project->document.nodes[i]->id.size,
					 project->document.nodes[i]->id.data);
}

const char *kit_find_secret(struct tn_str text, const char *const *secrets)
{
	for (; *secrets; secrets++) {
		struct tn_buf form;
		bool found;

		tn_buf_init(&form, 1024 * 1024);
		found = tn_str_find(text, tn_str_from(*secrets)) != TN_STR_NONE;
		tn_json_put_escaped(&form, tn_str_from(*secrets));
		found = found || tn_str_find(text, tn_buf_str(&form)) != TN_STR_NONE;
		tn_buf_clear(&form);
		tn_json_put_base64(&form, *secrets, strlen(*secrets));
		/* Without the quotes, and without the end, which depends on what follows. */
		if (form.size > 10)
			found = found || tn_str_find(text, tn_str(form.data + 1, form.size - 6)) !=
						 TN_STR_NONE;
		tn_buf_finish(&form);
		if (found)
			return *secrets;
	}
	return NULL;
}

void kit_expect_file(const struct kit *kit, const char *name, const char *wanted)
{
	char *text = kit_read(kit, name);

	assert_string_equal(text ? text : "(none)", wanted);
	tn_mem_free(text);
}

void kit_expect_ids(const struct tn_studio_project *project, const char *wanted)
{
	char ids[256];

	kit_ids(project, ids, sizeof(ids));
	assert_string_equal(ids, wanted);
}

bool kit_save(struct kit *kit, struct tn_studio_project *project, bool force, bool reload)
{
	struct tn_buf files;
	bool done;

	tn_buf_init(&files, 4096);
	kit->fault = (struct tn_studio_fault){.code = NULL};
	done = tn_studio_project_save(project, force, reload, &files, &kit->fault);
	tn_buf_finish(&files);
	return done;
}
