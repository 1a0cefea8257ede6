#include "cli/install/install_edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/limits.h"
#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/settings/hosts_entry.h"
#include "host/settings/hosts_environment.h"
#include "jsonrpc/json_write.h"
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

/* ---- entries ---- */

/* The entry as it stands in the text; NULL: there is none, or it cannot be read. */
static const struct tn_json *entry_in(const struct tn_host *host, struct tn_str text,
				      const char *name, struct tn_arena *arena)
{
	struct tn_json *entry = NULL;
	struct tn_buf json;

	tn_buf_init(&json, TN_HOST_FILE_BYTES_MAX);
	if (tn_host_get(host, text, name, &json, NULL) != TENON_OK || json.size == 0 ||
	    tn_json_parse_copy(arena, tn_buf_str(&json), &entry, NULL) != TENON_OK)
		entry = NULL;
	tn_buf_finish(&json);
	return entry;
}

enum stand { NO_ENTRY, STRANGE, OURS };

static enum stand stand_of(const struct tn_host *host, struct tn_str text, const char *name)
{
	const struct tn_json *entry;
	struct tn_arena arena;
	enum stand stand = NO_ENTRY;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	entry = entry_in(host, text, name, &arena);
	if (entry)
		stand = tn_host_entry_is_ours(host, entry) ? OURS : STRANGE;
	tn_arena_finish(&arena);
	return stand;
}

static bool is_same_in(const struct tn_host *host, struct tn_str a, struct tn_str b,
		       const char *name)
{
	struct tn_arena arena;
	bool same;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	same = tn_json_equal(entry_in(host, a, name, &arena), entry_in(host, b, name, &arena));
	tn_arena_finish(&arena);
	return same;
}

/* Whether Tenon has changed this file already, as far as the file shows. */
static bool has_ours(const struct tn_install_plan *plan)
{
	struct tn_str text = tn_buf_str(&plan->before);
	bool has = stand_of(plan->host, text, "tenon") == OURS;

	for (size_t i = 0; !has && tn_apps_at(i); i++) {
		char name[64];

		(void)snprintf(name, sizeof(name), "tenon-%s", tn_apps_at(i)->name);
		has = stand_of(plan->host, text, name) == OURS;
	}
	return has;
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
		code = tn_host_put_over(plan->host, tn_buf_str(&plan->after), entry->name,
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

/* The backup is the file before our first change: later ones do not touch it, unless they would
 * take an entry of the user's away that it has not. */
static enum tenon_code choose_backup(struct tn_install_plan *plan,
				     const struct tn_host_entry *entries, size_t count,
				     struct tenon_error *err)
{
	struct tn_str before = tn_buf_str(&plan->before);
	struct tn_buf backup;
	bool there = false;
	enum tenon_code code;

	plan->keep = plan->exists && !has_ours(plan);
	if (!plan->exists || plan->keep)
		return TENON_OK;
	tn_buf_init(&backup, TN_HOST_FILE_BYTES_MAX);
	code = read_backup(plan, &backup, &there, err);
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		if (stand_of(plan->host, before, entries[i].name) == STRANGE &&
		    !is_same_in(plan->host, before, tn_buf_str(&backup), entries[i].name))
			plan->keep = true;
	}
	tn_buf_finish(&backup);
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
	return choose_backup(plan, entries, count, err);
}

/* ---- undoing ---- */

/* What of the entry is not in `base` already: what installing has written there. */
static void put_difference(const struct tn_json *entry, const struct tn_json *base,
			   struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (const struct tn_json *m = entry->first; m; m = m->next) {
		const struct tn_json *there = tn_json_get_str(base, m->key);

		if (there && tn_json_equal(there, m))
			continue;
		tn_json_put_key_str(out, m->key);
		tn_json_put_value(out, m);
	}
	tn_json_end_object(out);
}

static enum tenon_code repeat_one(const struct tn_host *host, struct tn_str from, const char *name,
				  struct tn_buf *out)
{
	const struct tn_json *entry;
	struct tn_buf json, next;
	struct tn_arena arena;
	enum tenon_code code = TENON_OK;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	tn_buf_init(&json, TN_HOST_FILE_BYTES_MAX);
	tn_buf_init(&next, out->limit);
	entry = entry_in(host, from, name, &arena);
	if (entry) {
		put_difference(entry, entry_in(host, tn_buf_str(out), name, &arena), &json);
		code = tn_host_put_over(host, tn_buf_str(out), name, tn_buf_str(&json), &next,
					NULL);
		if (code == TENON_OK)
			move(out, &next);
	}
	tn_arena_finish(&arena);
	tn_buf_finish(&json);
	tn_buf_finish(&next);
	return code;
}

/* True when the file is `base` and our entries, nothing else: they are put into it, one after the
 * other, as installing would have. */
static bool is_ours_on(const struct tn_install_plan *plan, struct tn_str base,
		       const char *const *names, size_t count)
{
	struct tn_str before = tn_buf_str(&plan->before);
	struct tn_buf again;
	bool same = true;

	tn_buf_init(&again, plan->after.limit);
	tn_buf_append_str(&again, base);
	for (size_t i = 0; i < count && same; i++)
		same = stand_of(plan->host, base, names[i]) != OURS &&
		       repeat_one(plan->host, before, names[i], &again) == TENON_OK;
	same = same && tn_str_equal(tn_buf_str(&again), before);
	tn_buf_finish(&again);
	return same;
}

/* One of ours goes; what stood there before, says the backup, comes back. */
static enum tenon_code take_out_one(struct tn_install_plan *plan, struct tn_str backup,
				    const char *name, struct tenon_error *err)
{
	struct tn_buf next;
	enum tenon_code code;

	tn_buf_init(&next, plan->after.limit);
	code = tn_host_remove(plan->host, tn_buf_str(&plan->after), name, &next, err);
	if (code == TENON_OK) {
		move(&plan->after, &next);
		plan->action = TN_INSTALL_REMOVED;
	}
	if (code == TENON_OK && stand_of(plan->host, backup, name) == STRANGE) {
		code = tn_host_bring(plan->host, tn_buf_str(&plan->after), backup, name, &next,
				     err);
		move(&plan->after, &next);
		plan->brought_back = true;
	}
	tn_buf_finish(&next);
	return code;
}

static enum tenon_code take_out(struct tn_install_plan *plan, struct tn_str backup,
				const char *const *names, size_t count, struct tenon_error *err)
{
	struct tn_str before = tn_buf_str(&plan->before);
	enum tenon_code code = TENON_OK;

	tn_buf_append_str(&plan->after, before);
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		struct tn_buf ignored;

		/* A file that cannot be followed is said to be one. */
		tn_buf_init(&ignored, TN_HOST_FILE_BYTES_MAX);
		code = tn_host_get(plan->host, before, names[i], &ignored, err);
		tn_buf_finish(&ignored);
		if (code != TENON_OK)
			continue;
		switch (stand_of(plan->host, before, names[i])) {
		case OURS:
			code = take_out_one(plan, backup, names[i], err);
			break;
		case STRANGE:
			if (plan->kept_count < TN_INSTALL_KEPT_MAX)
				plan->kept[plan->kept_count++] = names[i];
			break;
		case NO_ENTRY:
			break;
		}
	}
	return code;
}

enum tenon_code tn_install_plan_undo(struct tn_install_plan *plan, const struct tn_host *host,
				     const char *const *names, size_t count,
				     struct tenon_error *err)
{
	struct tn_buf backup;
	struct tn_str old;
	bool there = false;
	enum tenon_code code = begin(plan, host, err);

	if (code != TENON_OK)
		return code;
	tn_buf_init(&backup, TN_HOST_FILE_BYTES_MAX);
	code = read_backup(plan, &backup, &there, err);
	old = tn_buf_str(&backup);
	if (code == TENON_OK)
		code = take_out(plan, old, names, count, err);
	if (code != TENON_OK || plan->action == TN_INSTALL_UNCHANGED) {
		tn_buf_finish(&backup);
		return code;
	}
	if (there && plan->kept_count == 0 && is_ours_on(plan, old, names, count)) {
		plan->action = TN_INSTALL_RESTORED;
		plan->brought_back = false; /* all of it is as it was */
		tn_buf_clear(&plan->after);
		tn_buf_append_str(&plan->after, old);
	} else if (!plan->brought_back && is_ours_on(plan, tn_str("", 0), names, count)) {
		plan->action = TN_INSTALL_DELETED;
		tn_buf_clear(&plan->after);
	}
	tn_buf_finish(&backup);
	return tn_buf_check(&plan->after, err);
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
	const struct tn_json *entry;
	struct tn_arena arena;
	enum tenon_code code = begin(&plan, host, err);

	*ret = false;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (code == TENON_OK)
		code = tn_host_get(host, tn_buf_str(&plan.before), name, &plan.after, err);
	entry = code == TENON_OK ? entry_in(host, tn_buf_str(&plan.before), name, &arena) : NULL;
	*ret = entry && tn_host_entry_starts_us(host, entry);
	tn_arena_finish(&arena);
	tn_install_plan_finish(&plan);
	return code;
}
