/* terrastudio://hcl/{filename}: the generated files, fresh on every read (FR-30, ST-121). */
#include <stdio.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/aside.h"
#include "apps/studio/mcp/resource.h"
#include "base/digest.h"
#include "base/mem.h"
#include "loop/loop.h"
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

/* What would be generated, and the digests of its files: made at once, or of a large diagram aside.
 */
struct listing {
	struct tn_studio_door *door;      /* NULL: it has been closed meanwhile */
	struct tn_studio_project *frozen; /* NULL: made at once */
	struct tn_job *job;
	struct tn_arena arena;
	struct tn_studio_generated generated;
	char (*digests)[TN_DIGEST_HEX_SIZE]; /* NULL: it could not be made */
};

struct tn_studio_files {
	struct tn_timer *timer;
	struct listed_file *first;
	struct listing *listing; /* aside, now; NULL: none */
	bool again;              /* something has changed since it began */
	const struct tenon_resource *const *of_project;
	bool project; /* those are listed */
};

/* ---- reading ---- */

static bool generate(struct tn_studio_aside *aside)
{
	struct tn_studio_generated *generated =
		tn_arena_alloc(&aside->turn.arena, sizeof(*generated));
	struct tn_studio_diagnostics list;

	aside->data = generated;
	return generated && tn_studio_generate_project(aside->frozen, &aside->turn.arena, NULL,
						       &list, generated);
}

static void answer_file(struct tenon_call *call, struct tn_studio_aside *aside)
{
	const struct tn_studio_generated *generated = aside->data;
	const char *uri = tenon_call_uri(call);
	struct tn_str name = tn_str_from(tenon_call_text(call, "filename"));

	if (!aside->good) {
		tenon_call_fail(call, "Out of memory.");
		return;
	}
	if (name.size == 0 && uri && strncmp(uri, PREFIX, sizeof(PREFIX) - 1) == 0)
		name = tn_str_from(uri + sizeof(PREFIX) - 1); /* one that is listed */
	for (size_t i = 0; i < generated->file_count; i++) {
		const struct tn_studio_file *file = &generated->files[i];

		if (!tn_str_equal(file->name, name))
			continue;
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "text/plain", file->text.data,
					     file->text.size);
		tenon_call_finish(call);
		return;
	}
	tenon_call_not_found(call);
}

static void read_file(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_current(door->projects);
	struct tn_studio_aside *aside;

	if (!project) {
		tenon_call_not_found(call);
		return;
	}
	aside = tn_studio_aside_begin(call, door, project);
	if (aside)
		tn_studio_aside_start(call, aside, generate, answer_file);
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

static void compare(struct tn_studio_door *door, const struct tn_studio_file *generated,
		    const char digest[TN_DIGEST_HEX_SIZE])
{
	char uri[URI_SIZE];
	struct listed_file *file;

	(void)snprintf(uri, sizeof(uri), PREFIX "%.*s", (int)generated->name.size,
		       generated->name.data);
	file = find(door->files, uri);
	if (!file)
		file = list_file(door, uri);
	else if (strcmp(file->digest, digest) != 0)
		tell(door, uri);
	if (!file)
		return;
	memcpy(file->digest, digest, sizeof(file->digest));
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

/* ---- what would be generated now ---- */

static void make_listing(struct listing *listing, const struct tn_studio_project *project)
{
	struct tn_studio_generated *generated = &listing->generated;
	struct tn_studio_diagnostics list;

	if (!tn_studio_generate_project(project, &listing->arena, NULL, &list, generated))
		return;
	listing->digests = tn_arena_alloc_array(&listing->arena, generated->file_count + 1,
						sizeof(*listing->digests));
	for (size_t i = 0; listing->digests && i < generated->file_count; i++)
		tn_digest_hex(generated->files[i].text, listing->digests[i]);
}

/* What could not be made leaves the list as it is. */
static void take_listing(struct tn_studio_door *door, const struct listing *listing)
{
	for (size_t i = 0; listing->digests && i < listing->generated.file_count; i++)
		compare(door, &listing->generated.files[i], listing->digests[i]);
	if (listing->digests)
		drop_missing(door);
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct listing *listing = data;

	if (!atomic_load(cancelled))
		make_listing(listing, listing->frozen);
}

static void done(void *data, bool cancelled)
{
	struct listing *listing = data;
	struct tn_studio_door *door = listing->door;
	const struct tn_studio_project *current =
		door ? tn_studio_project_current(door->projects) : NULL;

	if (door) {
		door->files->listing = NULL;
		if (!cancelled && current && strcmp(current->id, listing->frozen->id) == 0)
			take_listing(door, listing);
		if (door->files->again && !tn_timer_active(door->files->timer))
			tn_timer_start(door->files->timer, GENERATE_MS);
		door->files->again = false;
	}
	tn_studio_project_thaw(listing->frozen);
	tn_arena_finish(&listing->arena);
	tn_mem_free(listing);
}

/* Without memory the next change tries again. */
static void list_aside(struct tn_studio_door *door, struct tn_studio_project *project)
{
	struct listing *listing;

	if (door->files->listing) {
		door->files->again = true;
		return;
	}
	listing = tn_mem_alloc(sizeof(*listing));
	if (!listing)
		return;
	tn_arena_init(&listing->arena, TN_STUDIO_ARENA_MAX);
	listing->door = door;
	if (tn_studio_project_freeze(project, &listing->frozen, NULL) == TENON_OK &&
	    tn_job_start(door->server->loop, work, done, listing, &listing->job, NULL) ==
		    TENON_OK) {
		door->files->listing = listing;
		return;
	}
	tn_studio_project_thaw(listing->frozen);
	tn_mem_free(listing);
}

static void list_again(struct tn_timer *timer, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_current(door->projects);
	struct listing listing = {.door = door};

	(void)timer;
	list_project(door, project != NULL);
	if (!project) {
		drop_missing(door);
		return;
	}
	if (tn_studio_is_large(project)) {
		list_aside(door, project);
		return;
	}
	tn_arena_init(&listing.arena, TN_STUDIO_ARENA_MAX);
	make_listing(&listing, project);
	take_listing(door, &listing);
	tn_arena_finish(&listing.arena);
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
	if (door->files->listing) {
		door->files->listing->door = NULL;
		tn_job_cancel(door->files->listing->job);
	}
	tn_timer_close(door->files->timer);
	tn_mem_free(door->files);
}

/* Whoever lists finds what would be generated now; of a large diagram what was lately, and is told
 * when that is another list. */
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

const char *tn_studio_files_name(const struct tn_studio_door *door, size_t index)
{
	const struct listed_file *at = door->files->first;

	while (at && index-- > 0)
		at = at->next;
	return at ? at->uri + sizeof(PREFIX) - 1 : NULL;
}
