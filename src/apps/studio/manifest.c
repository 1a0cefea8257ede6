#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/generate.h"
#include "apps/studio/project_private.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* ST-071: only what .tenon/manifest.json lists is ours. It is written before the files, with the
 * digests of what was and of what is to be, and again after them: whenever a crash comes, no file
 * of ours is taken for one that somebody edited. */
#define MANIFEST_FILE ".tenon/manifest.json"
#define OVERWRITTEN ".tenon/overwritten/"

enum { FORMAT = 1, FOLDERS_MAX = 4, DIGESTS_MAX = 2, NAME_MAX_BYTES = 255, FILES_MAX = 10000 };

struct entry {
	const char *name; /* below terraform/ */
	struct tn_str text;
	char digest[TN_DIGEST_HEX_SIZE];             /* of the text; empty: to be removed */
	char known[DIGESTS_MAX][TN_DIGEST_HEX_SIZE]; /* of the manifest */
	char now[TN_DIGEST_HEX_SIZE];                /* of what is there; empty: nothing */
	bool exists, same, edited;
	struct entry *next;
};

struct writing {
	struct tn_studio_project *project;
	struct tn_studio_fault *fault;
	struct tn_arena arena;
	struct entry *first, *last;
	struct tn_map by_name;
	size_t edited, count;
	struct tn_buf path; /* of the file that is looked at */
};

/* ---- names ---- */

/* "modules/net/main.tf": whatever a manifest says, nothing above terraform/ is meant. */
static bool is_name(const char *name)
{
	unsigned folders = 0;

	if (strlen(name) == 0 || strlen(name) > NAME_MAX_BYTES)
		return false;
	for (const char *part = name; *part;) {
		size_t size = strcspn(part, "/");

		if (size == 0 || part[0] == '.' || ++folders > FOLDERS_MAX)
			return false;
		for (size_t i = 0; i < size; i++) {
			if (!tn_is_alpha(part[i]) && !tn_is_digit(part[i]) &&
			    !strchr("_-.", part[i]))
				return false;
		}
		part += size;
		if (*part == '/' && *++part == '\0')
			return false;
	}
	return true;
}

static bool set_path(struct writing *writing, const char *folder, const char *name)
{
	tn_buf_clear(&writing->path);
	tn_buf_format(&writing->path, "%s/%s%s", writing->project->path, folder, name);
	tn_buf_append_byte(&writing->path, '\0');
	return !writing->path.failed || tn_studio_fail_memory(writing->fault);
}

static bool fail_link(struct writing *writing, const char *what)
{
	return tn_studio_fail(
		writing->fault, "PATH_NOT_ALLOWED",
		"terraform/%s is a link or not a folder: nothing is written through it", what);
}

/* The folders of a name, from terraform/ down; each a folder and no link (ST-142). `make`: those
 * that are missing. *ret_there: all of them exist. */
static bool walk_folders(struct writing *writing, const char *base, const char *name, bool make,
			 bool *ret_there)
{
	const char *slash = name;
	struct stat status;
	size_t start;

	*ret_there = true;
	if (!set_path(writing, base, name))
		return false;
	start = writing->path.size - 1 - strlen(name);
	for (;;) {
		char *end = writing->path.data + start + (slash - name);

		if (slash == name)
			end--; /* terraform itself, without its slash */
		*end = '\0';
		if (make && mkdir(writing->path.data, 0777) != 0 && errno != EEXIST)
			return tn_studio_fail(writing->fault, "IO_ERROR",
					      "a folder for %s cannot be made: %s", name,
					      strerror(errno));
		if (lstat(writing->path.data, &status) != 0) {
			*ret_there = false;
			return errno == ENOENT ||
			       tn_studio_fail(writing->fault, "IO_ERROR", "terraform/%s: %s", name,
					      strerror(errno));
		}
		if (!S_ISDIR(status.st_mode))
			return fail_link(writing, slash == name ? "" : name);
		*end = '/';
		slash = strchr(slash == name ? name : slash + 1, '/');
		if (!slash)
			return true;
	}
}

/* ---- what there is ---- */

static struct entry *add(struct writing *writing, const char *name)
{
	struct entry *entry = tn_map_get(&writing->by_name, tn_str_from(name));

	if (entry)
		return entry;
	entry = tn_arena_alloc(&writing->arena, sizeof(*entry));
	if (!entry || tn_map_put(&writing->by_name, tn_str_from(name), entry, NULL) != TENON_OK)
		return NULL;
	entry->name = tn_arena_copy(&writing->arena, tn_str_from(name));
	if (!entry->name)
		return NULL;
	if (writing->last)
		writing->last->next = entry;
	else
		writing->first = entry;
	writing->last = entry;
	writing->count++;
	return entry;
}

static bool add_generated(struct writing *writing, const struct tn_studio_generated *generated)
{
	for (size_t i = 0; i < generated->file_count; i++) {
		const struct tn_studio_file *file = &generated->files[i];
		const char *name = tn_arena_copy(&writing->arena, file->name);
		struct entry *entry = name && is_name(name) ? add(writing, name) : NULL;

		if (name && !is_name(name))
			return tn_studio_fail(writing->fault, "PATH_NOT_ALLOWED",
					      "'%.200s' is no name of a generated file", name);
		if (!entry)
			return tn_studio_fail_memory(writing->fault);
		entry->text = file->text;
		tn_digest_hex(file->text, entry->digest);
	}
	return true;
}

static void take_digests(struct entry *entry, const struct tn_json *digests)
{
	const struct tn_json *at = tn_json_is(digests, TN_JSON_ARRAY) ? digests->first : digests;

	for (int i = 0; i < DIGESTS_MAX && at; i++, at = at->next) {
		if (at->type == TN_JSON_STRING && at->text.size == TN_DIGEST_HEX_SIZE - 1)
			memcpy(entry->known[i], at->text.data, TN_DIGEST_HEX_SIZE);
	}
}

/* A manifest that cannot be read lists nothing: then everything in the way counts as edited. */
static bool add_listed(struct writing *writing)
{
	struct tn_studio_text text;
	struct tn_json *manifest = NULL;
	const struct tn_json *files;
	bool good = true;

	tn_studio_text_init(&text);
	if (tn_studio_text_read(writing->project, MANIFEST_FILE, &text, NULL) && text.exists)
		(void)tn_studio_text_parse(&text, MANIFEST_FILE, &writing->arena, &manifest, NULL);
	tn_studio_text_finish(&text);
	files = tn_json_get(manifest, "files");
	for (const struct tn_json *at = tn_json_is(files, TN_JSON_OBJECT) ? files->first : NULL;
	     at && good && writing->count < FILES_MAX; at = at->next) {
		struct entry *entry;

		if (strlen(at->key.data) != at->key.size || !is_name(at->key.data))
			continue;
		entry = add(writing, at->key.data);
		if (entry && tn_json_is(at, TN_JSON_ARRAY))
			take_digests(entry, at);
		good = entry != NULL;
	}
	return good || tn_studio_fail_memory(writing->fault);
}

static bool is_known(const struct entry *entry, const char *digest)
{
	for (int i = 0; i < DIGESTS_MAX; i++) {
		if (entry->known[i][0] && strcmp(entry->known[i], digest) == 0)
			return true;
	}
	return false;
}

static bool look(struct writing *writing, struct entry *entry)
{
	struct tenon_error err = {0};
	struct tn_buf now;
	enum tenon_code code;
	bool there;

	if (!walk_folders(writing, "terraform/", entry->name, false, &there))
		return false;
	if (!there)
		return true;
	tn_buf_init(&now, TN_STUDIO_FILE_BYTES_MAX);
	code = tn_file_read(writing->path.data, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &now,
			    &err);
	tn_digest_hex(tn_buf_str(&now), entry->now);
	tn_buf_finish(&now);
	if (code == TENON_NOT_FOUND)
		return true;
	if (code != TENON_OK)
		return tn_studio_fail(writing->fault,
				      code == TENON_DENIED ? "PATH_NOT_ALLOWED" : "IO_ERROR",
				      "terraform/%s: %s", entry->name, err.message);
	entry->exists = true;
	entry->same = entry->digest[0] && strcmp(entry->now, entry->digest) == 0;
	entry->edited = !entry->same && !is_known(entry, entry->now);
	writing->edited += entry->edited;
	return true;
}

/* ---- writing ---- */

static bool fail_edited(struct writing *writing)
{
	struct tn_buf details, names;

	tn_buf_init(&details, TN_MIB);
	tn_buf_init(&names, 512);
	tn_buf_append_text(&details, "{\"files\":[");
	for (const struct entry *at = writing->first; at; at = at->next) {
		if (!at->edited)
			continue;
		tn_json_put_text(&details, at->name);
		tn_buf_format(&names, "%s%s", names.size ? ", " : "", at->name);
	}
	tn_buf_append_text(&details, "]}");
	(void)tn_studio_fail(writing->fault, "GENERATED_FILE_EDITED",
			     "%.*s%s in terraform/ %s not as written by this project. overwrite "
			     "replaces %s; the present text is kept in " OVERWRITTEN,
			     (int)names.size, names.data ? names.data : "",
			     names.failed ? ", ..." : "", writing->edited == 1 ? "is" : "are",
			     writing->edited == 1 ? "it" : "them");
	if (writing->fault && !details.failed)
		writing->fault->details = tn_str_from(
			tn_arena_copy(&writing->project->projects->scratch, tn_buf_str(&details)));
	tn_buf_finish(&details);
	tn_buf_finish(&names);
	return false;
}

/* Into .tenon/overwritten/, by name and content: the same text is kept once. */
static bool keep_copy(struct writing *writing, const struct entry *entry)
{
	struct tenon_error err = {0};
	struct tn_buf text;
	char digest[TN_DIGEST_HEX_SIZE], name[NAME_MAX_BYTES + 32];
	bool there, done = false;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	if (!set_path(writing, "terraform/", entry->name) ||
	    tn_file_read(writing->path.data, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &text,
			 &err) != TENON_OK) {
		tn_buf_finish(&text);
		return tn_studio_fail_error(writing->fault, &err);
	}
	tn_digest_hex(tn_buf_str(&text), digest);
	(void)snprintf(name, sizeof(name), "%s.%.12s", entry->name, digest);
	if (walk_folders(writing, OVERWRITTEN, name, true, &there))
		done = tn_file_write(writing->path.data, 0600, tn_buf_str(&text), &err) ==
			       TENON_OK ||
		       tn_studio_fail_error(writing->fault, &err);
	tn_buf_finish(&text);
	return done;
}

/* `between`: old and new digests, for the time in which either may be there. */
static bool write_manifest(struct writing *writing, bool between)
{
	struct tn_buf text;
	bool done;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_object(&text);
	tn_json_put_member_int(&text, "formatVersion", FORMAT);
	tn_json_put_member_text(&text, "generator", TENON_VERSION);
	tn_json_put_key(&text, "files");
	tn_json_begin_object(&text);
	for (const struct entry *at = writing->first; at; at = at->next) {
		if (!between && !at->digest[0])
			continue;
		tn_json_put_key(&text, at->name);
		tn_json_begin_array(&text);
		if (at->digest[0])
			tn_json_put_text(&text, at->digest);
		if (between && at->exists && !at->same)
			tn_json_put_text(&text, at->now);
		tn_json_end_array(&text);
	}
	tn_json_end_object(&text);
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\n');
	done = text.failed ? tn_studio_fail_memory(writing->fault)
			   : tn_studio_private_write(writing->project, MANIFEST_FILE,
						     tn_buf_str(&text), writing->fault);
	tn_buf_finish(&text);
	return done;
}

static void remove_folders(struct writing *writing, const char *name)
{
	size_t base = strlen(writing->project->path) + strlen("/terraform/");
	char *slash;

	if (!set_path(writing, "terraform/", name))
		return;
	while ((slash = strrchr(writing->path.data + base, '/'))) {
		*slash = '\0';
		if (rmdir(writing->path.data) != 0)
			return; /* something else is in it */
	}
}

static bool write_one(struct writing *writing, const struct entry *entry)
{
	struct tenon_error err = {0};
	bool there;

	if (entry->same)
		return true; /* its time stays */
	if (!entry->digest[0] && !entry->exists)
		return true;
	if (entry->edited && !keep_copy(writing, entry))
		return false;
	if (!walk_folders(writing, "terraform/", entry->name, entry->digest[0] != '\0', &there))
		return false;
	if (!entry->digest[0]) {
		if (unlink(writing->path.data) != 0 && errno != ENOENT)
			return tn_studio_fail(writing->fault, "IO_ERROR",
					      "terraform/%s cannot be removed: %s", entry->name,
					      strerror(errno));
		remove_folders(writing, entry->name);
		return true;
	}
	if (tn_file_write(writing->path.data, 0666, entry->text, &err) != TENON_OK)
		return tn_studio_fail(writing->fault, "IO_ERROR",
				      "terraform/%s cannot be written: %s", entry->name,
				      err.message);
	return true;
}

static void put_names(const struct writing *writing, struct tn_buf *out, const char *key,
		      bool (*is_one)(const struct entry *entry))
{
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	for (const struct entry *at = writing->first; at; at = at->next) {
		if (is_one(at))
			tn_json_put_text(out, at->name);
	}
	tn_json_end_array(out);
}

static bool is_written(const struct entry *entry)
{
	return entry->digest[0] && !entry->same;
}

static bool is_unchanged(const struct entry *entry)
{
	return entry->same;
}

static bool is_removed(const struct entry *entry)
{
	return !entry->digest[0] && entry->exists;
}

static bool write_all(struct writing *writing, const struct tn_studio_generated *generated,
		      bool overwrite)
{
	if (!add_generated(writing, generated) || !add_listed(writing))
		return false;
	for (struct entry *at = writing->first; at; at = at->next) {
		if (!look(writing, at))
			return false;
	}
	if (writing->edited > 0 && !overwrite)
		return fail_edited(writing);
	if (!write_manifest(writing, true))
		return false;
	for (const struct entry *at = writing->first; at; at = at->next) {
		if (!write_one(writing, at))
			return false;
	}
	return write_manifest(writing, false);
}

bool tn_studio_project_write(struct tn_studio_project *project,
			     const struct tn_studio_generated *generated, bool overwrite,
			     struct tn_buf *result, struct tn_studio_fault *fault)
{
	struct writing writing = {.project = project, .fault = fault};
	bool done;

	tn_arena_reset(&project->projects->scratch);
	tn_arena_init(&writing.arena, TN_STUDIO_ARENA_MAX);
	tn_map_init(&writing.by_name);
	tn_buf_init(&writing.path, TN_STUDIO_FILE_BYTES_MAX);
	done = write_all(&writing, generated, overwrite);
	if (done && result) {
		put_names(&writing, result, "written", is_written);
		put_names(&writing, result, "unchanged", is_unchanged);
		put_names(&writing, result, "removed", is_removed);
	}
	tn_buf_finish(&writing.path);
	tn_map_finish(&writing.by_name);
	tn_arena_finish(&writing.arena);
	return done;
}
