/* terrastudio://hcl/{filename}: the generated files, fresh on every read (FR-30, ST-121). */
#include <stdio.h>
#include <string.h>

#include "apps/studio/mcp/resource.h"
#include "apps/studio/limits.h"
#include "base/digest.h"
#include "base/mem.h"
#include "mcp/server.h"

enum { GENERATE_MS = 250, URI_SIZE = 600 };

#define PREFIX "terrastudio://hcl/"
#define OWN_PREFIX "studio://hcl/"

struct listed_file {
	char *uri;
	char digest[TN_DIGEST_HEX_SIZE];
	bool there; /* while the list is compared */
	struct listed_file *next;
};

struct tn_studio_files {
	struct tn_timer *timer;
	struct listed_file *first;
	const struct tenon_resource *const *of_project;
	bool project; /* those are listed */
};

/* ---- reading ---- */

static void read_file(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	const struct tn_studio_project *project = tn_studio_project_current(door->projects);
	const char *uri = tenon_call_uri(call);
	struct tn_str name = tn_str_from(tenon_call_text(call, "filename"));
	struct tn_studio_generated generated = {.file_count = 0};
	struct tn_studio_diagnostics list;
	struct tn_arena arena;

	if (!project) {
		tenon_call_not_found(call);
		return;
	}
	if (name.size == 0 && uri && strncmp(uri, PREFIX, sizeof(PREFIX) - 1) == 0)
		name = tn_str_from(uri + sizeof(PREFIX) - 1); /* one that is listed */
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (!tn_studio_generate_project(project, &arena, &list, &generated)) {
		tenon_call_fail(call, "Out of memory.");
		tn_arena_finish(&arena);
		return;
	}
	for (size_t i = 0; i < generated.file_count; i++) {
		if (!tn_str_equal(generated.files[i].name, name))
			continue;
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "text/plain", generated.files[i].text.data,
					     generated.files[i].text.size);
		tenon_call_finish(call);
		tn_arena_finish(&arena);
		return;
	}
	tenon_call_not_found(call);
	tn_arena_finish(&arena);
}

const struct tenon_resource_template tn_studio_template_hcl = {
	.uri_template = PREFIX "{+filename}",
	.name = "hcl",
	.title = "A generated file",
	.description = "One Terraform file of the current project, e.g. main.tf, as it would be "
		       "generated now, whatever is on disk",
	.mime_type = "text/plain",
	.read = read_file,
	.complete = tn_studio_complete,
};

/* The same by the app's own name (ST-120), found and followed but not listed twice. */
const struct tenon_resource_template tn_studio_template_own_hcl = {
	.uri_template = OWN_PREFIX "{+filename}",
	.name = "own-hcl",
	.title = "A generated file",
	.description = "The same as " PREFIX "{+filename}",
	.mime_type = "text/plain",
	.read = read_file,
	.complete = tn_studio_complete,
};

/* ---- the list ---- */

/* ST-121: what there is only with a project. */
static void list_project(struct tn_studio_door *door, bool there)
{
	if (door->files->project == there)
		return;
	door->files->project = there;
	for (size_t i = 0; door->files->of_project[i]; i++) {
		struct tenon_resource resource = *door->files->of_project[i];

		resource.data = door;
		if (!there)
			tn_server_remove_resource_of(door->server, resource.uri, true);
		else if (tn_server_add_resource_of(door->server, door->app, &resource, true,
						   NULL) != TENON_OK)
			door->files->project = false; /* tried again with the next change */
	}
}

static void forget(struct listed_file *file)
{
	tn_mem_free(file->uri);
	tn_mem_free(file);
}

static struct listed_file *find(const struct tn_studio_files *files, const char *uri)
{
	struct listed_file *at = files->first;

	while (at && strcmp(at->uri, uri) != 0)
		at = at->next;
	return at;
}

static struct listed_file *list_file(struct tn_studio_door *door, const char *uri)
{
	struct tenon_resource resource = {.uri = uri,
					  .name = uri + sizeof(PREFIX) - 1,
					  .title = uri + sizeof(PREFIX) - 1,
					  .description = "A generated Terraform file",
					  .mime_type = "text/plain",
					  .size_bytes = -1,
					  .read = read_file,
					  .data = door};
	struct listed_file *file = tn_mem_alloc(sizeof(*file));

	if (!file)
		return NULL;
	file->uri = tn_mem_copy_text(uri, strlen(uri));
	if (!file->uri ||
	    tn_server_add_resource_of(door->server, door->app, &resource, true, NULL) != TENON_OK) {
		/* Without memory it is found by its template all the same. */
		forget(file);
		return NULL;
	}
	file->next = door->files->first;
	door->files->first = file;
	return file;
}

static void tell(struct tn_studio_door *door, const char *uri)
{
	char own[URI_SIZE];

	tenon_server_resource_updated(door->server, uri);
	(void)snprintf(own, sizeof(own), OWN_PREFIX "%s", uri + sizeof(PREFIX) - 1);
	tenon_server_resource_updated(door->server, own);
}

static void compare(struct tn_studio_door *door, const struct tn_studio_file *generated)
{
	char uri[URI_SIZE], digest[TN_DIGEST_HEX_SIZE];
	struct listed_file *file;

	(void)snprintf(uri, sizeof(uri), PREFIX "%.*s", (int)generated->name.size,
		       generated->name.data);
	tn_digest_hex(generated->text, digest);
	file = find(door->files, uri);
	if (!file)
		file = list_file(door, uri);
	else if (strcmp(file->digest, digest) != 0)
		tell(door, uri);
	if (!file)
		return;
	memcpy(file->digest, digest, sizeof(digest));
	file->there = true;
}

static void drop_missing(struct tn_studio_door *door)
{
	struct listed_file **at = &door->files->first;

	while (*at) {
		struct listed_file *file = *at;

		if (file->there) {
			file->there = false;
			at = &file->next;
			continue;
		}
		tn_server_remove_resource_of(door->server, file->uri, true);
		*at = file->next;
		forget(file);
	}
}

static void list_again(struct tn_timer *timer, void *data)
{
	struct tn_studio_door *door = data;
	const struct tn_studio_project *project = tn_studio_project_current(door->projects);
	struct tn_studio_generated generated = {.file_count = 0};
	struct tn_studio_diagnostics list;
	struct tn_arena arena;

	(void)timer;
	list_project(door, project != NULL);
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (!project || tn_studio_generate_project(project, &arena, &list, &generated)) {
		for (size_t i = 0; i < generated.file_count; i++)
			compare(door, &generated.files[i]);
		drop_missing(door);
	}
	tn_arena_finish(&arena);
}

/* ---- life ---- */

enum tenon_code tn_studio_files_open(struct tn_studio_door *door,
				     const struct tenon_resource *const *of_project,
				     struct tenon_error *err)
{
	door->files = tn_mem_alloc(sizeof(*door->files));
	if (!door->files)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	door->files->of_project = of_project;
	return tn_timer_open(door->server->loop, list_again, door, &door->files->timer, err);
}

void tn_studio_files_close(struct tn_studio_door *door)
{
	if (!door->files)
		return;
	while (door->files->first) {
		struct listed_file *file = door->files->first;

		door->files->first = file->next;
		forget(file);
	}
	tn_timer_close(door->files->timer);
	tn_mem_free(door->files);
}

/* Whoever lists finds what would be generated now. */
void tn_studio_files_refresh(void *state)
{
	struct tn_studio_door *door = state;

	if (!tn_timer_active(door->files->timer))
		return;
	tn_timer_stop(door->files->timer);
	list_again(door->files->timer, door);
}

void tn_studio_files_changed(struct tn_studio_door *door)
{
	list_project(door, tn_studio_project_current(door->projects) != NULL);
	if (!tn_timer_active(door->files->timer))
		tn_timer_start(door->files->timer, GENERATE_MS);
}
