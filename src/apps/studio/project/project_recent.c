#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/studio/project/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* What this machine remembers of projects, in the user's state folder and not in them: a project
 * that came from elsewhere cannot claim to be trusted. */
enum { TRUSTED_MAX = 1000 };

bool tn_studio_state_path(const struct tn_studio_projects *projects, bool create, const char *name,
			  struct tn_buf *ret)
{
	if (projects->options.state_folder)
		tn_buf_append_text(ret, projects->options.state_folder);
	else if (tn_dir_state(ret, create, NULL) != TENON_OK)
		return false;
	tn_buf_format(ret, "/%s", name);
	tn_buf_append_byte(ret, '\0');
	return !ret->failed;
}

static bool path_of(const struct tn_studio_projects *projects, bool create, struct tn_buf *ret)
{
	return tn_studio_state_path(projects, create, "studio-projects.json", ret);
}

/* ---- lists ---- */

static void entry_free(struct tn_studio_recent *entry)
{
	if (!entry)
		return;
	tn_mem_free(entry->name);
	tn_mem_free(entry->path);
	tn_mem_free(entry->id);
	tn_mem_free(entry);
}

static void list_free(struct tn_studio_recent **list)
{
	while (*list) {
		struct tn_studio_recent *next = (*list)->next;

		entry_free(*list);
		*list = next;
	}
}

void tn_studio_recent_free(struct tn_studio_projects *projects)
{
	list_free(&projects->recent);
	list_free(&projects->trusted);
}

static struct tn_studio_recent *entry_make(struct tn_str name, struct tn_str path, struct tn_str id,
					   const char *opened)
{
	struct tn_studio_recent *entry = tn_mem_alloc(sizeof(*entry));

	if (!entry)
		return NULL;
	entry->name = tn_mem_copy_text(name.data ? name.data : "", name.size);
	entry->path = tn_mem_copy_text(path.data ? path.data : "", path.size);
	entry->id = tn_mem_copy_text(id.data ? id.data : "", id.size);
	(void)snprintf(entry->opened, sizeof(entry->opened), "%s", opened);
	if (entry->name && entry->path && entry->id)
		return entry;
	entry_free(entry);
	return NULL;
}

/* In front; an older one of the same folder goes, and what is too many. */
static void list_add(struct tn_studio_recent **list, struct tn_studio_recent *entry, size_t max)
{
	struct tn_studio_recent **link = &entry->next;
	size_t count = 1;

	entry->next = *list;
	*list = entry;
	while (*link) {
		struct tn_studio_recent *at = *link;

		if (count < max && strcmp(at->path, entry->path) != 0) {
			link = &at->next;
			count++;
		} else {
			*link = at->next;
			entry_free(at);
		}
	}
}

/* ---- the file ---- */

static void read_list(const struct tn_json *array, struct tn_studio_recent **list, size_t max)
{
	struct tn_studio_recent **end = list;
	size_t count = 0;

	for (const struct tn_json *at = tn_json_is(array, TN_JSON_ARRAY) ? array->first : NULL;
	     at && count < max; at = at->next) {
		struct tn_str name = {"", 0}, path, id = {"", 0}, opened = {"", 0};
		struct tn_str trusted = {"", 0};

		(void)tn_json_to_str(tn_json_get(at, "name"), &name);
		(void)tn_json_to_str(tn_json_get(at, "id"), &id);
		(void)tn_json_to_str(tn_json_get(at, "lastOpened"), &opened);
		if (!tn_json_to_str(tn_json_get(at, "path"), &path) || path.size == 0)
			continue;
		*end = entry_make(name, path, id, opened.data);
		if (!*end)
			return;
		(void)tn_json_to_str(tn_json_get(at, "trusted"), &trusted);
		(void)snprintf((*end)->trusted, sizeof((*end)->trusted), "%.*s", (int)trusted.size,
			       trusted.data);
		end = &(*end)->next;
		count++;
	}
}

/* One that cannot be read counts as none: it is a convenience. */
static void read_file(struct tn_studio_projects *projects)
{
	struct tn_buf path, text;
	struct tn_arena arena;
	struct tn_json *value = NULL;

	if (projects->recent_read)
		return;
	projects->recent_read = true;
	tn_buf_init(&path, TN_MIB);
	tn_buf_init(&text, TN_MIB);
	tn_arena_init(&arena, 64 * TN_MIB);
	if (path_of(projects, false, &path) &&
	    tn_file_read(path.data, TN_FILE_REGULAR_ONLY, &text, NULL) == TENON_OK &&
	    tn_json_parse(&arena, text.data, text.size, &value, NULL) == TENON_OK) {
		read_list(tn_json_get(value, "recent"), &projects->recent, TN_STUDIO_RECENT_MAX);
		read_list(tn_json_get(value, "trusted"), &projects->trusted, TRUSTED_MAX);
	}
	tn_arena_finish(&arena);
	tn_buf_finish(&path);
	tn_buf_finish(&text);
}

static void put_list(struct tn_buf *out, const struct tn_studio_recent *list)
{
	tn_json_begin_array(out);
	for (; list; list = list->next) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "name", list->name);
		tn_json_put_member_text(out, "path", list->path);
		tn_json_put_member_text(out, "id", list->id);
		tn_json_put_member_text(out, "lastOpened", list->opened);
		if (list->trusted[0])
			tn_json_put_member_text(out, "trusted", list->trusted);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static bool write_file(const struct tn_studio_projects *projects, struct tenon_error *err)
{
	struct tn_buf path, text;
	bool done = false;

	tn_buf_init(&path, TN_MIB);
	tn_buf_init(&text, 4 * TN_MIB);
	tn_json_begin_object(&text);
	tn_json_put_member_int(&text, "formatVersion", 1);
	tn_json_put_key(&text, "recent");
	put_list(&text, projects->recent);
	tn_json_put_key(&text, "trusted");
	put_list(&text, projects->trusted);
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\n');
	if (!path_of(projects, true, &path))
		(void)tn_fail(err, TENON_NOT_FOUND, "there is no state folder");
	else if (tn_buf_check(&text, err) == TENON_OK)
		done = tn_file_write(path.data, 0600, tn_buf_str(&text), err) == TENON_OK;
	tn_buf_finish(&path);
	tn_buf_finish(&text);
	return done;
}

/* ---- what is asked ---- */

static struct tn_studio_recent *entry_of(const struct tn_studio_project *project)
{
	char now[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(tn_clock_wall_ms(project->projects->options.clock), now);
	return entry_make(tn_str_from(project->name), tn_str_from(project->path),
			  tn_str_from(project->id), now);
}

void tn_studio_recent_add(struct tn_studio_projects *projects,
			  const struct tn_studio_project *project)
{
	struct tn_studio_recent *entry;

	read_file(projects);
	entry = entry_of(project);
	if (!entry)
		return;
	list_add(&projects->recent, entry, TN_STUDIO_RECENT_MAX);
	(void)write_file(projects, NULL); /* the list is there as long as the process */
}

bool tn_studio_is_trusted(struct tn_studio_projects *projects, struct tn_studio_project *project)
{
	read_file(projects);
	for (const struct tn_studio_recent *at = projects->trusted; at; at = at->next) {
		if (strcmp(at->path, project->path) != 0 || strcmp(at->id, project->id) != 0)
			continue;
		memcpy(project->trusted, at->trusted, sizeof(project->trusted));
		return true;
	}
	return false;
}

bool tn_studio_trust_add(struct tn_studio_projects *projects,
			 const struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_recent *entry;
	struct tenon_error err = {0};

	read_file(projects);
	entry = entry_of(project);
	if (!entry)
		return tn_studio_fail_memory(fault);
	memcpy(entry->trusted, project->trusted, sizeof(entry->trusted));
	list_add(&projects->trusted, entry, TRUSTED_MAX);
	return write_file(projects, &err) || tn_studio_fail_error(fault, &err);
}

void tn_studio_projects_put_recent(struct tn_buf *out, struct tn_studio_projects *projects)
{
	read_file(projects);
	tn_json_begin_array(out);
	for (const struct tn_studio_recent *at = projects->recent; at; at = at->next) {
		char path[4200];
		struct stat status;

		(void)snprintf(path, sizeof(path), "%s/studio.json", at->path);
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "name", at->name);
		tn_json_put_member_text(out, "path", at->path);
		tn_json_put_member_text(out, "lastOpened", at->opened);
		tn_json_put_member_bool(out, "missing", stat(path, &status) != 0); /* ST-027 */
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}
