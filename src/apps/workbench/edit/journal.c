/* What is under way, in the root: begun (JOURNAL), or made and not tidied up yet (MADE). Whoever
 * works on it holds a lock, which ends with the process. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "apps/workbench/edit/parts.h"
#include "apps/workbench/edit/recover.h"
#include "apps/workbench/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

#define JOURNAL ".tenon-save.json"
#define MADE ".tenon-save.done"
enum { STEP_MS = 10 };

/* ---- recovering ---- */

/* Everything in the file is somebody else's word: nothing outside the root is touched, and nothing
 * but names of ours and the files beside them. */
static void recover_one(const struct tn_wb_transaction *t, const char *token, size_t number,
			const struct tn_json *entry, bool is_made)
{
	struct tn_str path = {0};
	int64_t made = 0;
	char whole[PATH_MAX];
	struct tn_place place;
	int size;

	if (!tn_json_to_str(tn_json_get(entry, "path"), &path))
		return;
	(void)tn_json_to_int(tn_json_get(entry, "made"), &made);
	size = snprintf(whole, sizeof(whole), "%s/%.*s", t->root, (int)path.size, path.data);
	if (size <= 0 || size >= (int)sizeof(whole) ||
	    tn_place_find(&t->roots, whole, &place, NULL) != TENON_OK)
		return;
	if (!tn_place_is_folder(&place) && !strchr(place.name, '/')) {
		if (is_made)
			tn_wb_tidy_file(place.folder, token, number);
		else
			tn_wb_undo_file(place.folder, place.name, token, number);
		(void)!tn_wb_sync_folder(place.folder, NULL); /* as well as it goes */
	}
	tn_place_close(&place);
	if (!is_made && made > 0 && made < PATH_MAX)
		tn_wb_undo_folders(&t->roots, t->root, whole + strlen(t->root) + 1, (unsigned)made);
}

static bool is_token(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++)
		if (!tn_is_alpha(text.data[i]) && !tn_is_digit(text.data[i]) &&
		    text.data[i] != '-' && text.data[i] != '_')
			return false;
	return text.size > 0 && text.size < TN_WB_EDIT_TOKEN_SIZE;
}

/* A journal that was not written to its end: nothing had been done yet. */
static void recover_all(const struct tn_wb_transaction *t, int fd, bool is_made)
{
	const struct tn_json *list;
	struct tn_json *json = NULL;
	struct tn_str token = {0};
	char name[TN_WB_EDIT_TOKEN_SIZE];
	struct tn_arena arena;
	struct tn_buf text;
	size_t number = 0;

	tn_buf_init(&text, TN_WB_JOURNAL_BYTES_MAX);
	tn_arena_init(&arena, 16 * TN_WB_JOURNAL_BYTES_MAX);
	if (tn_buf_read_all(&text, fd, NULL) == TENON_OK &&
	    tn_json_parse_copy(&arena, tn_buf_str(&text), &json, NULL) == TENON_OK &&
	    tn_json_to_str(tn_json_get(json, "token"), &token) && is_token(token)) {
		(void)snprintf(name, sizeof(name), "%.*s", (int)token.size, token.data);
		list = tn_json_get(json, "files");
		for (const struct tn_json *at = tn_json_is(list, TN_JSON_ARRAY) ? list->first
										: NULL;
		     at; at = at->next)
			recover_one(t, name, number++, at, is_made);
	}
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
}

enum found { NOTHING, RECOVERED, AT_WORK };

/* Somebody else may have put it right, or gone on, before we had the lock. */
static bool is_still(const struct tn_wb_transaction *t, int fd, const char *name)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 &&
	       fstatat(t->root_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

static enum found recover_named(const struct tn_wb_transaction *t, const char *name)
{
	enum found found = AT_WORK;
	int fd = -1;

	if (tn_file_open_at(t->root_fd, name, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &fd,
			    NULL) != TENON_OK)
		return NOTHING;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		found = RECOVERED;
		if (is_still(t, fd, name)) {
			recover_all(t, fd, strcmp(name, MADE) == 0);
			(void)unlinkat(t->root_fd, name, 0); /* or it is gone */
		}
	}
	(void)close(fd); /* the lock with it */
	return found;
}

static enum found recover(const struct tn_wb_transaction *t)
{
	enum found begun = recover_named(t, JOURNAL), made = recover_named(t, MADE);

	return begun > made ? begun : made;
}

bool tn_wb_edits_recover(const char *root)
{
	struct tn_wb_transaction t;
	bool found;

	if (tn_wb_transaction_open(&t, root, NULL) != TENON_OK)
		return false;
	found = recover(&t) == RECOVERED;
	tn_wb_transaction_close(&t);
	return found;
}

/* ---- one's own ---- */

static void put(const struct tn_wb_transaction *t, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "what",
				"Files of this folder are being changed by tenon. If this file "
				"stays, its process was killed: tenon workbench edit or open puts "
				"everything right.");
	tn_json_put_member_text(out, "token", t->token);
	tn_json_put_key(out, "files");
	tn_json_begin_array(out);
	for (size_t i = 0; i < t->count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "path", t->files[i].relative);
		tn_json_put_member_int(out, "made", t->files[i].made);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

static enum tenon_code write_journal(struct tn_wb_transaction *t, struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_buf text;

	tn_buf_init(&text, TN_WB_JOURNAL_BYTES_MAX);
	put(t, &text);
	code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_file_write_all(t->journal, tn_buf_str(&text), err);
	if (code == TENON_OK)
		code = tn_wb_sync_folder(t->root_fd, err);
	if (code != TENON_OK)
		(void)unlinkat(t->root_fd, JOURNAL, 0); /* the failure itself is reported */
	tn_buf_finish(&text);
	return code;
}

/* False: somebody else is faster, or at work. */
static bool take(struct tn_wb_transaction *t, int *ret_errno)
{
	struct stat status;

	*ret_errno = 0;
	t->journal = openat(t->root_fd, JOURNAL,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (t->journal < 0) {
		*ret_errno = errno;
		return false;
	}
	/* Whoever opened it in between takes it for one that was left, and removes it. */
	if (flock(t->journal, LOCK_EX | LOCK_NB) == 0 && fstat(t->journal, &status) == 0 &&
	    status.st_nlink > 0)
		return true;
	(void)close(t->journal); /* nothing was written */
	t->journal = -1;
	return false;
}

enum tenon_code tn_wb_journal_begin(struct tn_wb_transaction *t, struct tenon_error *err)
{
	const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	int number = 0;

	tn_rng_token(t->token, 10);
	for (int waited = 0; waited < TN_WB_EDIT_WAIT_MS; waited += STEP_MS) {
		if (recover(t) != AT_WORK) {
			if (take(t, &number))
				return write_journal(t, err);
			if (number && number != EEXIST)
				return tn_fail_errno(err, number, "write in the root");
		}
		(void)nanosleep(&step, NULL);
	}
	return tn_fail(err, TENON_EXPIRED, "somebody else is changing files of this folder");
}

enum tenon_code tn_wb_journal_commit(struct tn_wb_transaction *t, struct tenon_error *err)
{
	if (renameat(t->root_fd, JOURNAL, t->root_fd, MADE) != 0)
		return tn_fail_errno(err, errno, "write in the root");
	return TENON_OK;
}

void tn_wb_journal_end(struct tn_wb_transaction *t)
{
	if (unlinkat(t->root_fd, MADE, 0) != 0)
		(void)unlinkat(t->root_fd, JOURNAL, 0); /* or it was not made */
}
