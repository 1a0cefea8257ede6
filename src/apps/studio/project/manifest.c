#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/generate/generate.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/internal.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* ST-071: only what .tenon/manifest.json lists is ours. It is written before the files, with the
 * digests of what was and of what is to be, and again after them: whenever a crash comes, no file
 * of ours is taken for one that somebody edited. */
#define MANIFEST_FILE ".tenon/manifest.json"
#define OVERWRITTEN ".tenon/overwritten/"

enum {
	FORMAT = 1,
	FOLDERS_MAX = 4,
	DIGESTS_MAX = 2,
	NAME_MAX_BYTES = 255,
	FILES_MAX = 10000,
	OTHERS_MAX = 1000
};

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

/* A file below the project, through no link (ST-142); the caller closes the place. */
static bool find_file(struct writing *writing, const char *folder, const char *name,
		      struct tn_place *ret)
{
	char path[NAME_MAX_BYTES + 64];
	struct tenon_error err = {0};
	enum tenon_code code;

	(void)snprintf(path, sizeof(path), "%s%s", folder, name);
	code = tn_studio_project_place(writing->project, path, ret, &err);
	if (code == TENON_OK)
		return true;
	if (code == TENON_DENIED || code == TENON_NOT_FOUND)
		return tn_studio_fail(writing->fault, "PATH_NOT_ALLOWED",
				      "%s is a link or not in a folder: nothing is written "
				      "through it",
				      path);
	return tn_studio_fail(writing->fault, "IO_ERROR", "%s: %s", path, err.message);
}

/* With the folders that are missing. */
static bool write_file(struct writing *writing, struct tn_place *place, mode_t mode,
		       struct tn_str text)
{
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;

	if (!place->exists)
		code = tn_place_make(place, TN_PLACE_FILE, 0777, &err);
	if (code == TENON_OK)
		code = tn_place_write(place, mode, text, &err);
	return code == TENON_OK ||
	       tn_studio_fail(writing->fault, "IO_ERROR", "%s cannot be written: %s", place->name,
			      err.message);
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
	struct tn_place place;
	struct tn_buf now;
	enum tenon_code code;

	if (!find_file(writing, "terraform/", entry->name, &place))
		return false;
	tn_buf_init(&now, TN_STUDIO_FILE_BYTES_MAX);
	code = place.exists ? tn_place_read(&place, &now, &err) : TENON_NOT_FOUND;
	tn_place_close(&place);
	tn_digest_hex(tn_buf_str(&now), entry->now);
	tn_buf_finish(&now);
	if (code == TENON_NOT_FOUND)
		return true;
	if (code != TENON_OK)
		return tn_studio_fail(writing->fault,
				      code == TENON_DENIED || code == TENON_INVALID
					      ? "PATH_NOT_ALLOWED"
					      : "IO_ERROR",
				      "terraform/%s: %s", entry->name, err.message);
	entry->exists = true;
	entry->same = entry->digest[0] && strcmp(entry->now, entry->digest) == 0;
	entry->edited = !entry->same && !is_known(entry, entry->now);
	writing->edited += entry->edited;
	return true;
}

/* ---- what others have there (SC-103) ---- */

static bool is_configuration(struct tn_str name)
{
	static const char *const ends[] = {".tf", ".tf.json", ".tofu", ".tfvars", ".tfvars.json"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (tn_str_ends(name, tn_str_from(ends[i])))
			return name.data[0] != '.';
	}
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t list_others(struct writing *writing, DIR *folder, const char **ret)
{
	const struct dirent *entry;
	size_t count = 0;

	while (count < OTHERS_MAX && (entry = readdir(folder)) != NULL) {
		struct tn_str name = tn_str_from(entry->d_name);

		if (!is_configuration(name) || !tn_utf8_valid(name.data, name.size) ||
		    tn_map_get(&writing->by_name, name))
			continue;
		ret[count] = tn_arena_copy(&writing->arena, name);
		count += ret[count] ? 1 : 0;
	}
	qsort(ret, count, sizeof(*ret), by_name);
	return count;
}

static void put_others(struct writing *writing, struct tn_buf *out)
{
	const char **names = tn_arena_alloc_array(&writing->arena, OTHERS_MAX, sizeof(*names));
	struct tn_place place;
	size_t count = 0;
	int fd = -1;
	DIR *folder;

	if (!names ||
	    tn_studio_project_place(writing->project, "terraform", &place, NULL) != TENON_OK)
		return;
	folder = tn_place_is_folder(&place) && tn_place_folder(&place, &fd, NULL) == TENON_OK
			 ? fdopendir(fd)
			 : NULL;
	if (folder) {
		count = list_others(writing, folder, names);
		(void)closedir(folder);
	} else if (fd >= 0) {
		(void)close(fd);
	}
	tn_place_close(&place);
	for (size_t i = 0; i < count; i++)
		tn_json_put_text(out, names[i]);
}

void tn_studio_project_put_others(struct tn_studio_project *project,
				  const struct tn_studio_generated *generated, struct tn_buf *out)
{
	struct writing writing = {.project = project};

	tn_arena_init(&writing.arena, TN_STUDIO_ARENA_MAX);
	tn_map_init(&writing.by_name);
	tn_json_begin_array(out);
	if (add_generated(&writing, generated) && add_listed(&writing))
		put_others(&writing, out);
	tn_json_end_array(out);
	tn_map_finish(&writing.by_name);
	tn_arena_finish(&writing.arena);
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
			tn_arena_copy(writing->project->own->scratch, tn_buf_str(&details)));
	tn_buf_finish(&details);
	tn_buf_finish(&names);
	return false;
}

/* Into .tenon/overwritten/, by name and content: the same text is kept once. */
static bool keep_copy(struct writing *writing, const struct entry *entry,
		      const struct tn_place *place)
{
	struct tenon_error err = {0};
	struct tn_place copy;
	struct tn_buf text;
	char digest[TN_DIGEST_HEX_SIZE], name[NAME_MAX_BYTES + 32];
	bool done = false;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	if (tn_place_read(place, &text, &err) != TENON_OK) {
		tn_buf_finish(&text);
		return tn_studio_fail_error(writing->fault, &err);
	}
	tn_digest_hex(tn_buf_str(&text), digest);
	(void)snprintf(name, sizeof(name), "%s.%.12s", entry->name, digest);
	if (find_file(writing, OVERWRITTEN, name, &copy)) {
		done = write_file(writing, &copy, 0600, tn_buf_str(&text));
		tn_place_close(&copy);
	}
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

/* Those of a name that are empty now, from the innermost to the last below terraform/. */
static void remove_folders(struct writing *writing, const char *name)
{
	char folder[NAME_MAX_BYTES + 1];
	char *slash;

	(void)snprintf(folder, sizeof(folder), "%s", name);
	while ((slash = strrchr(folder, '/'))) {
		const char *last;
		struct tn_place above;
		bool gone;

		*slash = '\0';
		slash = strrchr(folder, '/');
		last = slash ? slash + 1 : folder;
		if (slash)
			*slash = '\0';
		if (!find_file(writing, "terraform/", slash ? folder : ".", &above))
			return;
		if (slash)
			*slash = '/';
		gone = tn_place_is_folder(&above) &&
		       unlinkat(above.folder, last, AT_REMOVEDIR) == 0;
		tn_place_close(&above);
		if (!gone)
			return; /* something else is in it */
	}
}

static bool write_place(struct writing *writing, const struct entry *entry, struct tn_place *place)
{
	struct tenon_error err = {0};

	if (entry->edited && !keep_copy(writing, entry, place))
		return false;
	if (entry->digest[0])
		return write_file(writing, place, 0666, entry->text);
	if (tn_place_remove(place, &err) != TENON_OK)
		return tn_studio_fail(writing->fault, "IO_ERROR",
				      "terraform/%s cannot be removed: %s", entry->name,
				      err.message);
	remove_folders(writing, entry->name);
	return true;
}

static bool write_one(struct writing *writing, const struct entry *entry)
{
	struct tn_place place;
	bool done;

	if (entry->same)
		return true; /* its time stays */
	if (!entry->digest[0] && !entry->exists)
		return true;
	if (!find_file(writing, "terraform/", entry->name, &place))
		return false;
	done = write_place(writing, entry, &place);
	tn_place_close(&place);
	return done;
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
	done = write_all(&writing, generated, overwrite);
	if (done && result) {
		put_names(&writing, result, "written", is_written);
		put_names(&writing, result, "unchanged", is_unchanged);
		put_names(&writing, result, "removed", is_removed);
	}
	tn_map_finish(&writing.by_name);
	tn_arena_finish(&writing.arena);
	return done;
}
