#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/project/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project_types.h"
#include "apps/studio/status/status.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { FORMAT = 1, NAME_BYTES_MAX = 400 };

/* ---- the three files ---- */

bool tn_studio_texts_read(const struct tn_studio_project *project, struct tn_studio_texts *ret,
			  struct tn_studio_fault *fault)
{
	bool good = true;

	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
		tn_studio_text_init(&ret->files[i]);
	for (int i = 0; i < TN_STUDIO_FILE_COUNT && good; i++)
		good = tn_studio_text_read(project, tn_studio_project_file_name(i), &ret->files[i],
					   fault);
	return good;
}

void tn_studio_texts_finish(struct tn_studio_texts *texts)
{
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
		tn_studio_text_finish(&texts->files[i]);
}

static bool fail_head(struct tn_studio_fault *fault, const char *what)
{
	return tn_studio_fail(fault, "PROJECT_INVALID", "studio.json: %s", what);
}

static bool is_id(struct tn_str id)
{
	for (size_t i = 0; i < id.size; i++) {
		if (!tn_is_alpha(id.data[i]) && !tn_is_digit(id.data[i]) && id.data[i] != '-' &&
		    id.data[i] != '_')
			return false;
	}
	return id.size > 0 && id.size < TN_STUDIO_ID_SIZE;
}

static bool check_head(const struct tn_json *head, struct tn_studio_fault *fault)
{
	const struct tn_json *config = tn_json_get(head, "config");
	struct tn_str id, name;
	int64_t format = 0;

	if (!tn_json_is(head, TN_JSON_OBJECT))
		return fail_head(fault, "it is not an object");
	if (!tn_json_to_int(tn_json_get(head, "formatVersion"), &format) || format < 1)
		return fail_head(fault, "formatVersion is missing or is no number from 1 on");
	if (format > FORMAT)
		return tn_studio_fail(fault, "FORMAT_TOO_NEW",
				      "the project has format %lld and this program knows %d: open "
				      "it with a newer one",
				      (long long)format, FORMAT);
	if (!tn_json_to_str(tn_json_get(head, "id"), &id) || !is_id(id))
		return fail_head(fault, "id is missing or is not 1 to 64 of A-Z a-z 0-9 _ -");
	if (!tn_json_to_str(tn_json_get(head, "name"), &name) || name.size == 0 ||
	    name.size > NAME_BYTES_MAX || strlen(name.data) != name.size)
		return fail_head(fault, "name is missing or is not 1 to 100 characters");
	if (config && config->type != TN_JSON_OBJECT)
		return fail_head(fault, "config is not an object");
	return true;
}

/* Takes id, name and what else stands in studio.json. */
static bool take_head(struct tn_studio_project *project, const struct tn_studio_text *text,
		      struct tn_studio_fault *fault)
{
	struct tn_json *head = NULL;
	struct tn_arena arena;

	if (!text->exists)
		return tn_studio_fail(fault, "PROJECT_NOT_FOUND", "there is no studio.json");
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (!tn_studio_text_parse(text, "studio.json", &arena, &head, fault) ||
	    !check_head(head, fault)) {
		/* Its details are the caller's from here on. */
		if (fault && fault->details.size > 0)
			fault->details =
				tn_str_from(tn_arena_copy(project->own->scratch, fault->details));
		tn_arena_finish(&arena);
		return false;
	}
	tn_arena_finish(&project->own->head_arena);
	project->own->head_arena = arena;
	project->own->head = head;
	(void)snprintf(project->id, sizeof(project->id), "%s", tn_json_get(head, "id")->text.data);
	(void)snprintf(project->name, sizeof(project->name), "%s",
		       tn_json_get(head, "name")->text.data);
	return true;
}

/* ---- files to document ---- */

/* The elements of a JSON array after those of another. */
static void add_warnings(struct tn_buf *warnings, struct tn_str array)
{
	if (array.size <= 2)
		return;
	if (array.data[0] == '[')
		array = tn_str(array.data + 1, array.size - 2);
	if (warnings->size > 0)
		tn_buf_append_byte(warnings, ',');
	tn_buf_append_str(warnings, array);
}

static void warn(struct tn_studio_project *project, const char *code, const char *message)
{
	struct tn_buf *out = &project->own->warnings;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", code);
	tn_json_put_member_text(out, "message", message);
	tn_json_end_object(out);
}

struct taking {
	struct tn_arena arena;
	struct tn_json *operation;
	int64_t revision; /* of diagram.json; 1 when it says none */
	bool repaired;
};

static bool parse_file(struct tn_studio_project *project, const struct tn_studio_texts *texts,
		       int file, struct tn_arena *arena, struct tn_json **ret,
		       struct tn_studio_fault *fault)
{
	*ret = NULL;
	if (!texts->files[file].exists)
		return true;
	if (tn_studio_text_parse(&texts->files[file], tn_studio_project_file_name(file), arena, ret,
				 fault))
		return true;
	if (fault && fault->details.size > 0)
		fault->details = tn_str_from(tn_arena_copy(project->own->scratch, fault->details));
	return false;
}

/* One operation out of the three files. */
static bool make_operation(struct tn_studio_project *project, const struct tn_studio_texts *texts,
			   struct taking *ret, struct tn_studio_fault *fault)
{
	struct tn_json *diagram = NULL, *cost = NULL;
	struct tenon_error err = {0};
	struct tn_buf repairs;
	bool good;

	if (!parse_file(project, texts, TN_STUDIO_FILE_DIAGRAM, &ret->arena, &diagram, fault) ||
	    !parse_file(project, texts, TN_STUDIO_FILE_COST, &ret->arena, &cost, fault))
		return false;
	if (!diagram) {
		warn(project, "DIAGRAM_MISSING", "there is no diagram.json: the diagram is empty");
		if (tn_json_parse_copy(&ret->arena,
				       TN_STR("{\"formatVersion\":1,\"nodes\":[],\"edges\":[]}"),
				       &diagram, &err) != TENON_OK)
			return tn_studio_fail_error(fault, &err);
	}
	ret->revision = 1;
	if (!tn_json_to_int(tn_json_get(diagram, "revision"), &ret->revision) || ret->revision < 1)
		ret->revision = 1;
	tn_buf_init(&repairs, TN_STUDIO_RESULT_BYTES_MAX);
	good = tn_studio_document_read(project->document.registry, diagram, cost,
				       tn_json_get(project->own->head, "config"), &ret->arena,
				       &ret->operation, &repairs, fault);
	ret->repaired = good && repairs.size > 2;
	if (good)
		add_warnings(&project->own->warnings, tn_buf_str(&repairs));
	else if (fault && fault->details.size > 0)
		fault->details = tn_str_from(tn_arena_copy(project->own->scratch, fault->details));
	tn_buf_finish(&repairs);
	return good;
}

/* What stands in the files is what the log has now, but for what was repaired. */
static void note_taken(struct tn_studio_project *project, const struct tn_studio_texts *texts,
		       bool repaired)
{
	struct tn_studio_project_private *own = project->own;
	uint64_t revision = tn_oplog_revision(project->log);

	own->saved.revision = repaired ? revision - 1 : revision;
	project->saved_revision = own->saved.revision;
	project->disk_changed = false;
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		memcpy(own->saved.digests[i], texts->files[i].digest, TN_DIGEST_HEX_SIZE);
		own->marks[i] = tn_studio_mark_of(project, i);
	}
	/* Where it cannot be written the files are taken once more at the next opening. */
	(void)tn_studio_saved_write(project, &own->saved, NULL);
}

static bool commit(struct tn_studio_project *project, const struct taking *taking,
		   const char *label, struct tn_studio_fault *fault)
{
	struct tn_json list = {.type = TN_JSON_ARRAY, .count = 1, .first = taking->operation};
	const struct tn_commit commit = {
		.actor = "files", .label = label, .operations = &list, .expected_revision = -1};
	struct tn_change change;
	struct tenon_error err = {0};

	if (tn_oplog_commit(project->log, &commit, &change, &err) != TENON_OK)
		return tn_studio_fail_error(fault, &err);
	return true;
}

bool tn_studio_project_take(struct tn_studio_project *project, const struct tn_studio_texts *texts,
			    const char *label, struct tn_studio_fault *fault)
{
	struct taking taking = {.revision = 1};
	bool done;

	tn_buf_clear(&project->own->warnings);
	tn_arena_init(&taking.arena, TN_STUDIO_ARENA_MAX);
	done = take_head(project, &texts->files[TN_STUDIO_FILE_STUDIO], fault) &&
	       make_operation(project, texts, &taking, fault) &&
	       commit(project, &taking, label, fault);
	tn_arena_finish(&taking.arena);
	if (!done)
		return false;
	note_taken(project, texts, taking.repaired);
	tn_studio_project_tell(project, "diagram");
	tn_studio_project_tell(project, "config");
	return true;
}

/* The beginning of a log: nothing that could be undone. */
static bool begin_log(struct tn_studio_project *project, const struct tn_studio_texts *texts,
		      struct tn_studio_fault *fault)
{
	struct taking taking = {.revision = 1};
	struct tenon_error err = {0};
	struct tn_buf inverse;
	bool done = false;

	tn_arena_init(&taking.arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&inverse, TN_STUDIO_FILE_BYTES_MAX);
	if (make_operation(project, texts, &taking, fault)) {
		done = tn_studio_document_ops.apply(&project->document, taking.operation, &inverse,
						    &err) == TENON_OK &&
		       tn_oplog_start(project->log, (uint64_t)taking.revision, &err) == TENON_OK;
		if (!done)
			(void)tn_studio_fail_error(fault, &err);
	}
	tn_buf_finish(&inverse);
	tn_arena_finish(&taking.arena);
	if (done)
		note_taken(project, texts, taking.repaired);
	return done;
}

/* ---- log or files? ---- */

static bool is_as_saved(const struct tn_studio_texts *texts, const struct tn_studio_saved *saved)
{
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (strcmp(texts->files[i].digest, saved->digests[i]) != 0)
			return false;
	}
	return true;
}

/* The log is the truth (ST-023). */
static void keep_log(struct tn_studio_project *project, const struct tn_studio_saved *saved,
		     bool disk_changed)
{
	project->own->saved = *saved;
	project->saved_revision = saved->revision;
	project->disk_changed = disk_changed;
	project->recovered = tn_oplog_revision(project->log) != saved->revision;
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
		project->own->marks[i] = tn_studio_mark_of(project, i);
	if (project->recovered)
		warn(project, "RECOVERED", "changes that had not been saved are there again");
	if (disk_changed)
		warn(project, "DISK_CHANGED",
		     "files changed on disk while there were unsaved changes; saving will ask");
}

static bool decide(struct tn_studio_project *project, const struct tn_studio_texts *texts,
		   struct tn_studio_fault *fault)
{
	struct tn_studio_saved saved;
	uint64_t revision = tn_oplog_revision(project->log);
	bool known = tn_studio_saved_read(project, &saved), same;

	if (revision == 0)
		return begin_log(project, texts, fault);
	same = known && is_as_saved(texts, &saved);
	/* A log that is behind what was saved has lost its end: the files have more. */
	if (same && revision >= saved.revision) {
		keep_log(project, &saved, false);
		return true;
	}
	if (known && revision <= saved.revision)
		return tn_studio_project_take(project, texts, "Take files that changed on disk",
					      fault);
	keep_log(project, &saved, true);
	return true;
}

/* ---- opening ---- */

/* A folder of ours and nobody's link to elsewhere (ST-142). */
static bool make_private_folder(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	struct tn_place place;
	enum tenon_code code = tn_studio_project_place(project, ".tenon", &place, &err);
	int fd = -1;

	if (code == TENON_DENIED ||
	    (code == TENON_OK && place.exists && !tn_place_is_folder(&place))) {
		if (code == TENON_OK)
			tn_place_close(&place);
		return tn_studio_fail(fault, "PROJECT_INVALID",
				      ".tenon is not a folder; links are not followed");
	}
	if (code == TENON_OK)
		code = tn_place_make(&place, TN_PLACE_FOLDER, 0700, &err);
	if (code != TENON_OK) {
		tn_place_close(&place);
		return tn_studio_fail(fault, "IO_ERROR", ".tenon cannot be made: %s", err.message);
	}
	project->own->private_fd = place.folder;
	/* One that came out of an archive may be open to others. */
	if ((place.status.st_mode & 077) != 0 &&
	    (tn_place_folder(&place, &fd, NULL) != TENON_OK || fchmod(fd, 0700) != 0))
		warn(project, "FOLDER_MODE", ".tenon can be read by others");
	if (fd >= 0)
		(void)close(fd); /* nothing was written */
	return true;
}

/* ST-024: "pid 12 on host since 2026-11-21T10:15:30.000Z". */
static bool fail_locked(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_text text;
	char host[65] = "", since[33] = "";
	long pid = 0;

	tn_studio_text_init(&text);
	if (tn_studio_text_read(project, ".tenon/document.lock", &text, NULL) && text.exists &&
	    text.bytes.size < 256) {
		tn_buf_append_byte(&text.bytes, '\0');
		if (sscanf(text.bytes.data, "pid %ld on %64s since %32s", &pid, host, since) < 3)
			pid = 0;
	}
	tn_studio_text_finish(&text);
	if (pid == 0)
		return tn_studio_fail(fault, "PROJECT_LOCKED",
				      "another process has the project open");
	(void)tn_studio_fail(fault, "PROJECT_LOCKED",
			     "process %ld on %s has had the project open since %s: close it there "
			     "first",
			     pid, host, since);
	if (fault) {
		struct tn_buf details;

		tn_buf_init(&details, TN_MIB);
		tn_json_begin_object(&details);
		tn_json_put_member_int(&details, "pid", pid);
		tn_json_put_member_text(&details, "host", host);
		tn_json_put_member_text(&details, "since", since);
		tn_json_end_object(&details);
		fault->details =
			tn_str_from(tn_arena_copy(project->own->scratch, tn_buf_str(&details)));
		fault->retryable = true;
		tn_buf_finish(&details);
	}
	return false;
}

static bool open_log(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_oplog_options log = {.ops = &tn_studio_document_ops,
				       .document = &project->document,
				       .clock = project->projects->options.clock};
	struct tenon_error err = {0};
	struct tn_buf path;
	enum tenon_code code;

	tn_buf_init(&path, TN_STUDIO_FILE_BYTES_MAX);
	if (!tn_studio_project_private(project, "document", &path, fault)) {
		tn_buf_finish(&path);
		return false;
	}
	log.path = path.data;
	code = tn_oplog_open(&log, &project->log, &err);
	tn_buf_finish(&path);
	/* A log that others have written to may hold edges without ends. */
	if (code == TENON_OK && tn_studio_document_index(&project->document, &err) != TENON_OK)
		code = TENON_INVALID;
	if (code == TENON_OK)
		return true;
	if (code == TENON_BUSY)
		return fail_locked(project, fault);
	if (code == TENON_INVALID)
		return tn_studio_fail(
			fault, "PROJECT_INVALID",
			".tenon/document: %s. `tenon doctor --repair FOLDER` with the project's "
			"folder keeps the changes before that line, and a copy of the file; or "
			"move .tenon/document* away to open what was saved last.",
			err.message);
	return tn_studio_fail(fault, code == TENON_LIMIT ? "LIMIT_EXCEEDED" : "IO_ERROR",
			      ".tenon/document: %s", err.message);
}

static bool has_studio_json(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_mark mark = tn_studio_mark_of(project, TN_STUDIO_FILE_STUDIO);

	if (mark.exists)
		return true;
	return tn_studio_fail(fault, "PROJECT_NOT_FOUND",
			      "%s is no project: there is no studio.json in it", project->path);
}

static void status_changed(struct tn_str node_id, void *project)
{
	(void)node_id;
	tn_studio_project_tell(project, "status");
}

/* Section 10: what runs have told; a broken file counts as none. */
static bool open_status(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_status_options options = {.clock = project->projects->options.clock,
						   .changed = status_changed,
						   .data = project};
	struct tenon_error err = {.code = TENON_OK};
	struct tn_buf path;
	bool done;

	tn_buf_init(&path, TN_STUDIO_STRING_BYTES_MAX);
	done = tn_studio_project_private(project, "deployment.json", &path, fault);
	options.path = path.data;
	if (done && tn_studio_status_create(&options, &project->status, &err) != TENON_OK)
		done = tn_studio_fail_error(fault, &err);
	tn_buf_finish(&path);
	return done;
}

static bool load(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry;
	struct tn_studio_texts texts;
	bool done;

	if (!has_studio_json(project, fault) || !make_private_folder(project, fault))
		return false;
	registry = tn_studio_project_registry(project, fault);
	if (!registry)
		return false;
	tn_studio_document_init(&project->document, registry);
	tn_studio_registry_unref(registry); /* the document has its own reference */
	project->own->has_document = true;
	if (!open_log(project, fault) || !tn_studio_project_finish_save(project, fault))
		return false;
	done = tn_studio_texts_read(project, &texts, fault) &&
	       take_head(project, &texts.files[TN_STUDIO_FILE_STUDIO], fault) &&
	       decide(project, &texts, fault);
	tn_studio_texts_finish(&texts);
	if (!done)
		return false;
	tn_studio_secrets_read(project);
	return open_status(project, fault);
}

static bool open_root(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	const char *folders[] = {project->path, NULL};
	struct tenon_error err = {0};

	if (tn_roots_init(&project->own->root, folders, &err) != TENON_OK)
		return tn_studio_fail_error(fault, &err);
	project->own->root.no_links = true;
	/* It was resolved: a link that is there now has come since. */
	project->own->root.list[0].is_loose = false;
	return true;
}

struct tn_studio_project *tn_studio_project_load(struct tn_studio_projects *projects, char *path,
						 struct tn_arena *scratch,
						 struct tn_studio_fault *fault)
{
	struct tn_studio_project *project = tn_mem_alloc(sizeof(*project));

	if (project)
		project->own = tn_mem_alloc(sizeof(*project->own));
	if (!project || !project->own) {
		tn_mem_free(project);
		tn_mem_free(path);
		(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	project->projects = projects;
	project->path = path;
	project->own->scratch = scratch;
	project->own->watch = -1;
	project->own->private_fd = -1;
	tn_arena_init(&project->secrets_arena, TN_STUDIO_ARENA_MAX);
	tn_arena_init(&project->own->secrets_before_arena, TN_STUDIO_ARENA_MAX);
	tn_arena_init(&project->own->head_arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&project->own->warnings, TN_STUDIO_RESULT_BYTES_MAX);
	if (open_root(project, fault) && load(project, fault))
		return project;
	tn_studio_project_free(project);
	return NULL;
}
