/* What stands in the state folder of sessions that no server has any more: it becomes a lost
 * session that can still be read, or goes. What another server has is locked (spool.h) and left
 * alone. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/session/session.h"

static bool is_known(const struct tn_term *term, const char *id)
{
	for (const struct tn_term_session *s = term->sessions; s; s = s->next) {
		if (strcmp(s->id, id) == 0)
			return true;
	}
	return false;
}

/* It was written to not longer ago than closed sessions are kept. */
static bool is_recent(const struct tn_term *term, const char *journal)
{
	struct stat status;

	return lstat(journal, &status) == 0 &&
	       tn_term_wall(term) / 1000 - status.st_mtime <
		       (int64_t)tn_settings_u32(&term->config->settings,
						"terminal.closed_retention_s");
}

static void remove_session(struct tn_term *term, const char *id)
{
	char path[PATH_MAX];
	struct tn_spool *spool;

	(void)snprintf(path, sizeof(path), "%.3800s/spool/%.200s", term->config->state_folder, id);
	if (tn_spool_open(path, 0, &term->budget, &spool, NULL) != TENON_OK)
		return; /* a server that lives has it */
	tn_spool_remove(spool);
	(void)tn_pty_sweep(id);
	(void)snprintf(path, sizeof(path), "%.3800s/run/%.200s", term->config->state_folder, id);
	tn_shell_remove(path);
}

static bool is_locked(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (fd >= 0)
		(void)close(fd); /* and what it has locked is free again */
	return locked;
}

/* Whether it is not ours, whatever became of its server: it lives on with a host in another place
 * than ours, until the next server there; and where no host is, only what no host has is lost for
 * sure. */
static bool is_kept_elsewhere(const struct tn_term *term, const char *folder)
{
	const char *ours = term->config->runtime_folder;
	char path[PATH_MAX + 16], place[PATH_MAX];
	ssize_t size;

	(void)snprintf(path, sizeof(path), "%s/place", folder);
	size = readlink(path, place, sizeof(place) - 16);
	if (size <= 0)
		return !ours;
	place[size] = '\0';
	if (strcmp(ours ? ours : TN_JOURNAL_NO_PLACE, place) == 0)
		return false;
	if (!ours)
		return true;
	(void)snprintf(place + size, sizeof(place) - (size_t)size, "/pty-host.sock");
	return access(place, F_OK) == 0;
}

static void sweep_session(struct tn_term *term, const char *id, tn_journal_recover_fn *recover)
{
	char folder[PATH_MAX], journal[PATH_MAX + 16];
	bool left;

	(void)snprintf(folder, sizeof(folder), "%.3800s/spool/%.200s", term->config->state_folder,
		       id);
	(void)snprintf(journal, sizeof(journal), "%s/journal", folder);
	left = access(journal, F_OK) == 0;
	if (is_locked(folder) || (left && is_kept_elsewhere(term, folder)))
		return;
	if (!left || !is_recent(term, journal)) {
		remove_session(term, id);
		return;
	}
	(void)tn_pty_sweep(id);
	if (!recover(term, NULL, id))
		remove_session(term, id);
}

/* Start files without a spool beside them. */
static void sweep_run(struct tn_term *term, const char *id, tn_journal_recover_fn *recover)
{
	char spool[PATH_MAX], path[PATH_MAX];

	(void)recover;
	(void)snprintf(spool, sizeof(spool), "%.3800s/spool/%.200s", term->config->state_folder,
		       id);
	(void)snprintf(path, sizeof(path), "%.3800s/run/%.200s", term->config->state_folder, id);
	if (access(spool, F_OK) != 0)
		tn_shell_remove(path);
}

static void each_of(struct tn_term *term, const char *part, tn_journal_recover_fn *recover,
		    void (*sweep)(struct tn_term *term, const char *id,
				  tn_journal_recover_fn *recover))
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *folder;

	(void)snprintf(path, sizeof(path), "%.4000s/%s", term->config->state_folder, part);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)) != NULL) {
		if (strncmp(entry->d_name, "ses_", 4) == 0 && strlen(entry->d_name) < 200 &&
		    !is_known(term, entry->d_name))
			sweep(term, entry->d_name, recover);
	}
	if (folder)
		(void)closedir(folder);
}

void tn_journal_sweep(struct tn_term *term, tn_journal_recover_fn *recover)
{
	each_of(term, "spool", recover, sweep_session);
	if (term->config->persist)
		each_of(term, "run", recover, sweep_run);
}
