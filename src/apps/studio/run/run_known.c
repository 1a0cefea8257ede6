/* What the files say that a run stands on beside ours, and the state (ST-083): read and hashed by a
 * worker; on the loop a file is compared with that, and only what is small is read there. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { FOREIGN_MAX = 1000, OURS_MAX = 64, STATE_BYTES_MAX = TN_STUDIO_RUN_DOCUMENT_BYTES_MAX };

struct known_file {
	const char *name;
	struct tn_studio_stamp stamp;
	char digest[TN_DIGEST_HEX_SIZE];
};

struct tn_studio_known {
	struct tn_arena arena; /* names */
	struct known_file *files;
	size_t count; /* sorted by name */
	struct tn_studio_stamp state_stamp;
	char state_mark[TN_DIGEST_HEX_SIZE];
};

/* ---- files that are not ours ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct tn_studio_stamp stamp_at(const char *path)
{
	struct stat about;

	if (stat(path, &about) != 0)
		return (struct tn_studio_stamp){0};
	return tn_studio_stamp_from(&about);
}

static const struct known_file *find(const struct tn_studio_known *known, const char *name)
{
	return known ? bsearch(&name, known->files, known->count, sizeof(*known->files), by_name)
		     : NULL;
}

/* One that was not read, and is too large to be read now, is known by inode, size and times. */
static void put_file(struct tn_buf *out, const struct tn_studio_known *known, const char *directory,
		     const char *name, size_t *room)
{
	const struct known_file *one = find(known, name);
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_stamp stamp = {0};
	struct tn_held file;

	tn_buf_format(out, "%zu %s ", strlen(name), name);
	tn_held_init(&file);
	if (tn_studio_run_path(path, directory, name))
		stamp = stamp_at(path);
	if (one && tn_studio_stamps_equal(&one->stamp, &stamp)) {
		tn_buf_append_text(out, one->digest);
	} else if (stamp.inode && stamp.size <= *room &&
		   tn_held_file(&file, AT_FDCWD, path, *room, NULL) == TENON_OK) {
		*room -= (size_t)file.size_bytes;
		tn_buf_append_text(out, file.digest);
	} else {
		tn_buf_format(out, "%llu %llu %llu", (unsigned long long)stamp.inode,
			      (unsigned long long)stamp.size, (unsigned long long)stamp.changed);
	}
	tn_buf_append_byte(out, '\n');
	tn_held_finish(&file);
}

bool tn_studio_foreign_put(struct tn_buf *out, const struct tn_studio_known *known,
			   const struct tn_studio_generated *generated, const char *directory,
			   void (*each)(void *data, const char *name), void *data)
{
	size_t room = TN_STUDIO_LOOP_BYTES_MAX, count = 0;
	struct tn_arena arena;
	const char **names;
	bool all = false;

	tn_arena_init(&arena, TN_MIB);
	names = tn_arena_alloc_array(&arena, FOREIGN_MAX, sizeof(*names));
	if (names)
		all = tn_studio_own_files(generated, directory, FOREIGN_MAX, &arena, names, &count);
	for (size_t i = 0; i < count; i++) {
		if (each)
			each(data, names[i]);
		put_file(out, known, directory, names[i], &room);
	}
	tn_arena_finish(&arena);
	return all;
}

/* ---- what a plan stands on ---- */

void tn_studio_run_inputs(const struct tn_studio_project *project,
			  const struct tn_studio_known *known,
			  const struct tn_studio_generated *generated, const char *directory,
			  char ret[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf all;

	tn_buf_init(&all, TN_STUDIO_FILE_BYTES_MAX);
	tn_buf_append_str(&all, generated->digest);
	tn_buf_append_byte(&all, '\n');
	tn_json_put_value(&all, project->secrets);
	for (size_t i = 0; i < generated->env_count; i++) {
		tn_buf_append_byte(&all, '\n');
		tn_buf_append_str(&all, generated->env[i]);
	}
	tn_buf_append_byte(&all, '\n');
	tn_buf_append_str(&all, generated->backend_config);
	tn_buf_append_byte(&all, '\n');
	(void)tn_studio_foreign_put(&all, known, generated, directory, NULL, NULL);
	tn_digest_hex(tn_buf_str(&all), ret);
	tn_buf_finish(&all);
}

static void mark_state(const char *path, size_t bytes_max, char ret[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf text;

	ret[0] = '\0';
	tn_buf_init(&text, bytes_max);
	if (tn_file_read(path, TN_FILE_REGULAR_ONLY, &text, NULL) == TENON_OK)
		tn_digest_hex(tn_buf_str(&text), ret);
	tn_buf_finish(&text);
}

void tn_studio_run_state_mark(const char *directory, char ret[TN_DIGEST_HEX_SIZE])
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	ret[0] = '\0';
	if (tn_studio_run_path(path, directory, "terraform.tfstate"))
		mark_state(path, STATE_BYTES_MAX, ret);
}

void tn_studio_known_state(const struct tn_studio_known *known, const char *directory,
			   char ret[TN_DIGEST_HEX_SIZE])
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_stamp now = {0};

	ret[0] = '\0';
	if (tn_studio_run_path(path, directory, "terraform.tfstate"))
		now = stamp_at(path);
	if (known && tn_studio_stamps_equal(&now, &known->state_stamp))
		memcpy(ret, known->state_mark, TN_DIGEST_HEX_SIZE);
	else if (now.inode && now.size <= TN_STUDIO_LOOP_BYTES_MAX)
		mark_state(path, TN_STUDIO_LOOP_BYTES_MAX, ret);
	else if (now.inode)
		(void)snprintf(ret, TN_DIGEST_HEX_SIZE, TN_STUDIO_STATE_UNREAD);
}

/* ---- in the worker ---- */

/* One that changes meanwhile is not known. */
static bool read_one(struct known_file *file, const char *directory)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_stamp after;
	struct tn_held held;

	if (!tn_studio_run_path(path, directory, file->name))
		return false;
	file->stamp = stamp_at(path);
	if (tn_held_file(&held, AT_FDCWD, path, TN_HCL_BYTES_MAX, NULL) != TENON_OK)
		return false;
	memcpy(file->digest, held.digest, sizeof(file->digest));
	tn_held_finish(&held);
	after = stamp_at(path);
	return tn_studio_stamps_equal(&after, &file->stamp);
}

static void read_state(struct tn_studio_known *known, const char *directory)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_stamp after;

	if (!tn_studio_run_path(path, directory, "terraform.tfstate"))
		return;
	known->state_stamp = stamp_at(path);
	mark_state(path, STATE_BYTES_MAX, known->state_mark);
	after = stamp_at(path);
	if (!tn_studio_stamps_equal(&after, &known->state_stamp))
		known->state_stamp = (struct tn_studio_stamp){.inode = 0, .size = 1};
}

struct tn_studio_known *tn_studio_known_new(void)
{
	struct tn_studio_known *known = tn_mem_alloc(sizeof(*known));

	if (known)
		tn_arena_init(&known->arena, TN_MIB);
	return known;
}

void tn_studio_known_read(struct tn_studio_known *known, const char *directory,
			  const atomic_bool *cancelled)
{
	const size_t max = FOREIGN_MAX + OURS_MAX;
	const char **names = tn_arena_alloc_array(&known->arena, max, sizeof(*names));
	size_t count = 0;

	read_state(known, directory);
	known->files = tn_arena_alloc_array(&known->arena, max, sizeof(*known->files));
	if (names && known->files)
		(void)tn_studio_own_files(NULL, directory, max, &known->arena, names, &count);
	for (size_t i = 0; i < count && !atomic_load(cancelled); i++) {
		struct known_file *file = &known->files[known->count];

		file->name = names[i];
		known->count += read_one(file, directory);
	}
}

void tn_studio_known_free(struct tn_studio_known *known)
{
	if (!known)
		return;
	tn_arena_finish(&known->arena);
	tn_mem_free(known);
}
