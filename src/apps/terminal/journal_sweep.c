/* What stands in the state folder of sessions that no server has any more: it becomes a lost
 * session that can still be read, or goes. What another server has is locked (spool.h) and left
 * alone. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/session.h"

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

	return lstat(journal, &status) == 0 && tn_term_wall(term) / 1000 - status.st_mtime <
						       (int64_t)term->config->closed_retention_s;
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

/* A server that leaves its sessions to the next one writes journals; only such a one may take them
 * over. */
static void sweep_session(struct tn_term *term, const char *id)
{
	char journal[PATH_MAX];
	bool left;

	(void)snprintf(journal, sizeof(journal), "%.3800s/spool/%.200s/journal",
		       term->config->state_folder, id);
	left = access(journal, F_OK) == 0;
	if (left && !term->config->persist)
		return;
	if (!left || !is_recent(term, journal)) {
		remove_session(term, id);
		return;
	}
	(void)tn_pty_sweep(id);
	if (!tn_journal_recover(term, NULL, id))
		remove_session(term, id);
}

/* Start files without a spool beside them. */
static void sweep_run(struct tn_term *term, const char *id)
{
	char spool[PATH_MAX], path[PATH_MAX];

	(void)snprintf(spool, sizeof(spool), "%.3800s/spool/%.200s", term->config->state_folder,
		       id);
	(void)snprintf(path, sizeof(path), "%.3800s/run/%.200s", term->config->state_folder, id);
	if (access(spool, F_OK) != 0)
		tn_shell_remove(path);
}

static void each_of(struct tn_term *term, const char *part,
		    void (*sweep)(struct tn_term *term, const char *id))
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *folder;

	(void)snprintf(path, sizeof(path), "%.4000s/%s", term->config->state_folder, part);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)) != NULL) {
		if (strncmp(entry->d_name, "ses_", 4) == 0 && strlen(entry->d_name) < 200 &&
		    !is_known(term, entry->d_name))
			sweep(term, entry->d_name);
	}
	if (folder)
		(void)closedir(folder);
}

void tn_journal_sweep(struct tn_term *term)
{
	each_of(term, "spool", sweep_session);
	if (term->config->persist)
		each_of(term, "run", sweep_run);
}
