#include "cli/install/install_edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/limits.h"
#include "host/limits.h"
#include "host/settings/hosts_environment.h"
#include "store/file.h"

static const char suffix[] = ".tenon-backup";

const char *tn_install_action_name(enum tn_install_action action)
{
	static const char *const names[] = {
		[TN_INSTALL_UNCHANGED] = "unchanged", [TN_INSTALL_ADDED] = "added",
		[TN_INSTALL_UPDATED] = "updated",     [TN_INSTALL_REMOVED] = "removed",
		[TN_INSTALL_RESTORED] = "restored",   [TN_INSTALL_DELETED] = "deleted",
	};

	return names[action];
}

/* ---- reading ---- */

static enum tenon_code find_file(struct tn_install_plan *plan, struct tenon_error *err)
{
	struct stat status;

	if (realpath(plan->host->path, plan->path)) {
		if (stat(plan->path, &status) != 0)
			return tn_fail_errno(err, errno, "look at the file");
		plan->exists = true;
		plan->mode = status.st_mode & 07777;
	} else if (lstat(plan->host->path, &status) == 0) {
		return tn_fail(err, TENON_INVALID, "the file is a link that leads nowhere");
	} else if (errno != ENOENT && errno != ENOTDIR) {
		return tn_fail_errno(err, errno, "look for the file");
	} else {
		(void)snprintf(plan->path, sizeof(plan->path), "%s", plan->host->path);
		plan->mode = 0600;
	}
	if (snprintf(plan->backup, sizeof(plan->backup), "%s%s", plan->path, suffix) >=
	    (int)sizeof(plan->backup))
		return tn_fail(err, TENON_INVALID, "the path is too long");
	return TENON_OK;
}

static enum tenon_code begin(struct tn_install_plan *plan, const struct tn_host *host,
			     struct tenon_error *err)
{
	enum tenon_code code;

	*plan = (struct tn_install_plan){.host = host};
	tn_buf_init(&plan->before, TN_HOST_FILE_BYTES_MAX);
	tn_buf_init(&plan->after, TN_HOST_FILE_BYTES_MAX + TN_HOST_PROFILE_BYTES_MAX);
	code = find_file(plan, err);
	if (code == TENON_OK && plan->exists)
		code = tn_file_read(plan->path, TN_FILE_REGULAR_ONLY, &plan->before, err);
	return code;
}

void tn_install_plan_finish(struct tn_install_plan *plan)
{
	tn_buf_finish(&plan->before);
	tn_buf_finish(&plan->after);
}

/* The backup's text; *ret_there is false when there is none. */
static enum tenon_code read_backup(const struct tn_install_plan *plan, struct tn_buf *text,
				   bool *ret_there, struct tenon_error *err)
{
	enum tenon_code code = tn_file_read(plan->backup, TN_FILE_REGULAR_ONLY, text, err);

	*ret_there = code == TENON_OK;
	return code == TENON_NOT_FOUND ? TENON_OK : code;
}

/* ---- adding ---- */

static void move(struct tn_buf *to, struct tn_buf *from)
{
	struct tn_buf swap = *to;

	*to = *from;
	*from = swap;
	tn_buf_clear(from);
}

/* Variables that an earlier installation wrote and that say nothing any more go; the user's stay.
 * The key of what is empty then, in the arena, or nothing. */
static enum tenon_code mend_environment(const struct tn_install_plan *plan, struct tn_str old,
					struct tn_arena *arena, struct tn_buf *json,
					struct tn_str *ret_empty, struct tenon_error *err)
{
	struct tn_json *entry = NULL;

	*ret_empty = tn_str("", 0);
	if (old.size == 0)
		return TENON_OK;
	if (tn_json_parse_copy(arena, old, &entry, err) != TENON_OK)
		return err->code;
	tn_host_keep_environment(plan->host->stdio, entry, json, ret_empty);
	return tn_buf_check(json, err);
}

/* One more entry in plan->after. */
static enum tenon_code add_entry(struct tn_install_plan *plan, const struct tn_host_entry *entry,
				 bool *ret_was_there, struct tenon_error *err)
{
	struct tn_buf json, old, next;
	struct tn_arena arena;
	struct tn_str empty = {NULL, 0};
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_buf_init(&json, TN_HOST_PROFILE_BYTES_MAX);
	tn_buf_init(&old, TN_HOST_FILE_BYTES_MAX);
	tn_buf_init(&next, plan->after.limit);
	tn_host_put_entry(plan->host, entry, false, &json);
	code = tn_buf_check(&json, err);
	if (code == TENON_OK)
		code = tn_host_get(plan->host, tn_buf_str(&plan->after), entry->name, &old, err);
	if (code == TENON_OK)
		code = mend_environment(plan, tn_buf_str(&old), &arena, &json, &empty, err);
	if (code == TENON_OK)
		code = tn_host_add(plan->host, tn_buf_str(&plan->after), entry->name,
				   tn_buf_str(&json), &next, err);
	*ret_was_there = old.size > 0;
	if (code == TENON_OK)
		move(&plan->after, &next);
	if (code == TENON_OK && empty.size > 0) {
		code = tn_host_drop_member(plan->host, tn_buf_str(&plan->after), entry->name, empty,
					   &next, err);
		if (code == TENON_OK)
			move(&plan->after, &next);
	}
	tn_arena_finish(&arena);
	tn_buf_finish(&json);
	tn_buf_finish(&old);
	tn_buf_finish(&next);
	return code;
}

/* Nothing is written that we could not read ourselves. */
static enum tenon_code check_after(const struct tn_install_plan *plan, const char *name,
				   struct tenon_error *err)
{
	struct tn_buf json;
	enum tenon_code code;

	tn_buf_init(&json, TN_HOST_FILE_BYTES_MAX);
	code = tn_host_get(plan->host, tn_buf_str(&plan->after), name, &json, err);
	if (code != TENON_OK || json.size == 0)
		code = tn_fail(err, TENON_INTERNAL,
			       "the changed file would be wrong, so it stays as it is");
	tn_buf_finish(&json);
	return code;
}

enum tenon_code tn_install_plan_add(struct tn_install_plan *plan, const struct tn_host *host,
				    const struct tn_host_entry *entries, size_t count,
				    struct tenon_error *err)
{
	bool any = false, was_there = false;
	enum tenon_code code = begin(plan, host, err);

	tn_buf_append_str(&plan->after, tn_buf_str(&plan->before));
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		code = add_entry(plan, &entries[i], &was_there, err);
		any = any || was_there;
	}
	if (code == TENON_OK && count)
		code = check_after(plan, entries[count - 1].name, err);
	if (code != TENON_OK)
		return code;
	if (tn_str_equal(tn_buf_str(&plan->before), tn_buf_str(&plan->after)))
		return TENON_OK;
	plan->action = any ? TN_INSTALL_UPDATED : TN_INSTALL_ADDED;
	/* The backup is from before our first change: later ones do not touch it. */
	plan->keep = plan->exists && !any;
	return TENON_OK;
}

/* ---- undoing ---- */

/* Puts the entries of `from` into `base`, one after the other, as installing would have. */
static enum tenon_code repeat(const struct tn_host *host, struct tn_str from, struct tn_str base,
			      const char *const *names, size_t count, struct tn_buf *out)
{
	struct tn_buf json, next;
	enum tenon_code code = TENON_OK;

	tn_buf_init(&json, TN_HOST_FILE_BYTES_MAX);
	tn_buf_init(&next, out->limit);
	tn_buf_append_str(out, base);
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		tn_buf_clear(&json);
		code = tn_host_get(host, from, names[i], &json, NULL);
		if (code != TENON_OK || json.size == 0)
			continue;
		code = tn_host_add(host, tn_buf_str(out), names[i], tn_buf_str(&json), &next, NULL);
		if (code == TENON_OK)
			move(out, &next);
	}
	tn_buf_finish(&json);
	tn_buf_finish(&next);
	return code;
}

/* True when the file is `base` and our entries, nothing else. */
static bool is_ours_on(const struct tn_install_plan *plan, struct tn_str base,
		       const char *const *names, size_t count)
{
	struct tn_buf again;
	bool same;

	tn_buf_init(&again, plan->after.limit);
	same = repeat(plan->host, tn_buf_str(&plan->before), base, names, count, &again) ==
		       TENON_OK &&
	       tn_str_equal(tn_buf_str(&again), tn_buf_str(&plan->before));
	tn_buf_finish(&again);
	return same;
}

static enum tenon_code take_out(struct tn_install_plan *plan, const char *const *names,
				size_t count, struct tenon_error *err)
{
	struct tn_buf next;
	enum tenon_code code = TENON_OK;

	tn_buf_init(&next, plan->after.limit);
	tn_buf_append_str(&plan->after, tn_buf_str(&plan->before));
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		code = tn_host_remove(plan->host, tn_buf_str(&plan->after), names[i], &next, err);
		if (code == TENON_OK) {
			move(&plan->after, &next);
			plan->action = TN_INSTALL_REMOVED;
		} else if (code == TENON_NOT_FOUND) {
			code = TENON_OK;
		}
	}
	tn_buf_finish(&next);
	return code;
}

enum tenon_code tn_install_plan_undo(struct tn_install_plan *plan, const struct tn_host *host,
				     const char *const *names, size_t count,
				     struct tenon_error *err)
{
	struct tn_buf backup;
	bool there = false;
	enum tenon_code code = begin(plan, host, err);

	if (code != TENON_OK)
		return code;
	code = take_out(plan, names, count, err);
	if (code != TENON_OK || plan->action == TN_INSTALL_UNCHANGED)
		return code;
	tn_buf_init(&backup, TN_HOST_FILE_BYTES_MAX);
	code = read_backup(plan, &backup, &there, err);
	if (code == TENON_OK && there && is_ours_on(plan, tn_buf_str(&backup), names, count)) {
		plan->action = TN_INSTALL_RESTORED;
		tn_buf_clear(&plan->after);
		tn_buf_append_str(&plan->after, tn_buf_str(&backup));
	} else if (code == TENON_OK && is_ours_on(plan, tn_str("", 0), names, count)) {
		plan->action = TN_INSTALL_DELETED;
		tn_buf_clear(&plan->after);
	}
	tn_buf_finish(&backup);
	return code == TENON_OK ? tn_buf_check(&plan->after, err) : code;
}

/* ---- writing ---- */

/* Hosts write their files, too: what was shown must be what is replaced. */
static enum tenon_code check_still(const struct tn_install_plan *plan, struct tenon_error *err)
{
	struct tn_buf now;
	enum tenon_code code;

	tn_buf_init(&now, TN_HOST_FILE_BYTES_MAX);
	code = tn_file_read(plan->path, TN_FILE_REGULAR_ONLY, &now, err);
	if (code == TENON_NOT_FOUND && !plan->exists)
		code = TENON_OK;
	else if (code == TENON_OK &&
		 (!plan->exists || !tn_str_equal(tn_buf_str(&now), tn_buf_str(&plan->before))))
		code = tn_fail(err, TENON_BUSY,
			       "somebody else has changed the file meanwhile; run this again");
	tn_buf_finish(&now);
	return code;
}

static enum tenon_code make_folder(const char *path, struct tenon_error *err)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');

	(void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 0, path);
	return *folder ? tn_dir_create(folder, 0700, err) : TENON_OK;
}

enum tenon_code tn_install_carry_out(const struct tn_install_plan *plan, struct tenon_error *err)
{
	enum tenon_code code = check_still(plan, err);

	if (code != TENON_OK || plan->action == TN_INSTALL_UNCHANGED)
		return code;
	if (plan->action == TN_INSTALL_DELETED)
		return unlink(plan->path) == 0 ? TENON_OK
					       : tn_fail_errno(err, errno, "remove the file");
	if (!plan->exists)
		code = make_folder(plan->path, err);
	if (code == TENON_OK && plan->keep)
		code = tn_file_write(plan->backup, plan->mode, tn_buf_str(&plan->before), err);
	if (code == TENON_OK)
		code = tn_file_write(plan->path, plan->mode, tn_buf_str(&plan->after), err);
	if (code == TENON_OK && plan->action == TN_INSTALL_RESTORED)
		(void)unlink(plan->backup); /* it is the file again */
	return code;
}

/* ---- looking ---- */

enum tenon_code tn_install_has(const struct tn_host *host, const char *name, bool *ret,
			       struct tenon_error *err)
{
	struct tn_install_plan plan;
	struct tn_json *entry = NULL;
	const struct tn_json *args;
	struct tn_arena arena;
	enum tenon_code code = begin(&plan, host, err);

	*ret = false;
	tn_arena_init(&arena, TN_HOST_ARENA_MAX);
	if (code == TENON_OK)
		code = tn_host_get(host, tn_buf_str(&plan.before), name, &plan.after, err);
	if (code == TENON_OK && plan.after.size)
		code = tn_json_parse_copy(&arena, tn_buf_str(&plan.after), &entry, err);
	args = tn_json_get(entry, "args");
	*ret = code == TENON_OK && tn_json_is(args, TN_JSON_ARRAY) &&
	       tn_json_is(args->first, TN_JSON_STRING) && tn_str_is(args->first->text, "mcp");
	tn_arena_finish(&arena);
	tn_install_plan_finish(&plan);
	return code;
}
