#include "apps/terminal/history/history_kit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/terminal/history/history_queue.h"
#include "base/sanitized.h"

static void check(bool good, const char *what)
{
	if (good)
		return;
	(void)fprintf(stderr, "history kit: %s\n", what);
	abort();
}

static void note_state(const char *problem, void *data)
{
	struct history_kit *kit = data;
	size_t used = strlen(kit->state);

	(void)snprintf(kit->state + used, sizeof(kit->state) - used, "%s|",
		       problem ? problem : "works");
}

static void note_change(void *data)
{
	struct history_kit *kit = data;

	kit->changes++;
}

void history_kit_open_again(struct history_kit *kit)
{
	struct tenon_error err = {0};
	const struct tn_history_options options = {.path = kit->path,
						   .keep_days = 30,
						   .bytes_max = kit->bytes_max ? kit->bytes_max
									       : 512 * TN_MIB,
						   .state = note_state,
						   .changed = note_change,
						   .data = kit};

	check(tn_loop_create(&kit->loop, &err) == TENON_OK, "loop");
	check(tn_history_open(kit->loop, &options, &kit->history, &err) == TENON_OK, err.message);
}

void history_kit_open(struct history_kit *kit)
{
	*kit = (struct history_kit){.time_ms = tn_clock_wall_ms(&tn_clock_system) - 1000000};
	(void)snprintf(kit->folder, sizeof(kit->folder), "/tmp/tenon-history-XXXXXX");
	check(mkdtemp(kit->folder) != NULL, "folder");
	(void)snprintf(kit->path, sizeof(kit->path), "%s/below/history.db", kit->folder);
	history_kit_open_again(kit);
}

void history_kit_close(struct history_kit *kit)
{
	tn_history_close(kit->history);
	tn_loop_destroy(kit->loop);
	kit->history = NULL;
	kit->loop = NULL;
}

void history_kit_remove(struct history_kit *kit)
{
	char below[96], name[400];
	DIR *folder;

	(void)snprintf(below, sizeof(below), "%s/below", kit->folder);
	folder = opendir(below);
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		(void)snprintf(name, sizeof(name), "%s/%s", below, entry->d_name);
		(void)unlink(name); /* not `.` and `..` */
	}
	if (folder)
		(void)closedir(folder);
	(void)rmdir(below);
	(void)rmdir(kit->folder);
	tn_redactor_destroy(kit->secrets);
	kit->secrets = NULL;
}

void history_kit_session(struct history_kit *kit, const char *id, const char *owner,
			 const char *project)
{
	const struct tn_history_session session = {.id = id,
						   .name = "work",
						   .project_id = project,
						   .shell = "bash",
						   .owner = owner,
						   .created_ms = kit->time_ms,
						   .exit_code = -1};

	tn_history_record_session(kit->history, &session);
}

void history_kit_command(struct history_kit *kit, const char *session, const char *text,
			 const char *output, int exit_code)
{
	history_kit_command_of(kit, session, 0, text, output, exit_code);
}

void history_kit_command_of(struct history_kit *kit, const char *session, unsigned process,
			    const char *text, const char *output, int exit_code)
{
	char id[48];
	const struct tn_history_command command = {.id = id,
						   .session_id = session,
						   .caller = "alice",
						   .number = ++kit->number,
						   .text = tn_str_from(text),
						   .cwd = TN_STR("/srv/app"),
						   .cwd_after = TN_STR("/srv/app"),
						   .started_ms = kit->time_ms,
						   .ended_ms = kit->time_ms + 250,
						   .exit_code = exit_code,
						   .status = "completed",
						   .completion = "marks",
						   .bytes = output ? strlen(output) : 0,
						   .output = tn_str_from(output),
						   .secrets = kit->secrets};

	if (process)
		(void)snprintf(id, sizeof(id), "cmd_%u_%u", process, kit->number);
	else
		(void)snprintf(id, sizeof(id), "cmd_%u", kit->number);
	kit->time_ms += 1000;
	tn_history_record_command(kit->history, &command);
}

struct answer {
	struct history_kit *kit;
	struct tn_history_found found;
	enum tenon_code code;
	uint64_t removed;
	bool inside, there;
};

static void take_found(struct tn_history_found *found, void *data)
{
	struct answer *answer = data;

	check(!answer->inside, "answered inside");
	answer->found = *found;
	found->arena = (struct tn_arena){0}; /* ours now */
	answer->there = true;
	tn_loop_stop(answer->kit->loop);
}

struct tn_history_found history_kit_search(struct history_kit *kit,
					   const struct tn_history_search *search)
{
	struct answer answer = {.kit = kit, .inside = true};
	struct tenon_error err = {0};

	check(tn_history_search(kit->history, search, take_found, &answer, &err) == TENON_OK,
	      err.message);
	answer.inside = false;
	while (!answer.there)
		tn_loop_run(kit->loop);
	return answer.found;
}

struct tn_history_found history_kit_words(struct history_kit *kit, const char *query)
{
	const struct tn_history_search search = {.query = tn_str_from(query),
						 .types = TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS,
						 .limit = 20,
						 .time_ms = TN_SANITIZED ? 60000 : 0};

	return history_kit_search(kit, &search);
}

static void take_removed(enum tenon_code code, const struct tenon_error *error, uint64_t removed,
			 void *data)
{
	struct answer *answer = data;

	check(code == TENON_OK, error->message);
	answer->removed = removed;
	answer->there = true;
	tn_loop_stop(answer->kit->loop);
}

uint64_t history_kit_purge(struct history_kit *kit, int64_t before_ms, const char *matching)
{
	struct answer answer = {.kit = kit};
	struct tenon_error err = {0};

	check(tn_history_purge(kit->history, before_ms, tn_str_from(matching), take_removed,
			       &answer, &err) == TENON_OK,
	      err.message);
	while (!answer.there)
		tn_loop_run(kit->loop);
	return answer.removed;
}

void history_kit_retain(struct history_kit *kit)
{
	kit->history->retain_due = true;
	(void)history_kit_purge(kit, 1, "");
}

void history_kit_flush(struct history_kit *kit)
{
	struct tn_history_found found = history_kit_words(kit, "nothing-of-this-kind");

	tn_arena_finish(&found.arena);
}

static void stop(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

void history_kit_wait(struct history_kit *kit, unsigned ms)
{
	struct tn_timer *timer = NULL;
	struct tenon_error err;

	check(tn_timer_open(kit->loop, stop, kit->loop, &timer, &err) == TENON_OK, "timer");
	tn_timer_start(timer, ms);
	tn_loop_run(kit->loop);
	tn_timer_close(timer);
}
