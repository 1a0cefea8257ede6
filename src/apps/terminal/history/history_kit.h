/* history_kit.h - what tests and measurements of the history share: a loop that is run until an
 * answer is there. Threads: one. */
#ifndef TN_TERM_HISTORY_KIT_H
#define TN_TERM_HISTORY_KIT_H

#include "apps/terminal/history/history.h"

struct history_kit {
	struct tn_loop *loop;
	struct tn_history *history;
	struct tn_redactor *secrets; /* NULL, or given with every command */
	char folder[64], path[96];
	char state[512]; /* what the history has said of itself, joined by `|` */
	unsigned changes;
	unsigned number; /* commands recorded */
	int64_t time_ms; /* of the next command */
	uint64_t bytes_max;
};
void history_kit_open(struct history_kit *kit); /* in a new folder */
void history_kit_open_again(struct history_kit *kit);
void history_kit_close(struct history_kit *kit); /* the folder stays */
void history_kit_remove(struct history_kit *kit);

void history_kit_session(struct history_kit *kit, const char *id, const char *owner,
			 const char *project);
/* Its id is cmd_N, counting from 1. */
void history_kit_command(struct history_kit *kit, const char *session, const char *text,
			 const char *output, int exit_code);

/* The same for one of several processes: its id has the process in it. */
void history_kit_command_of(struct history_kit *kit, const char *session, unsigned process,
			    const char *text, const char *output, int exit_code);

/* The result is finished by the caller (tn_arena_finish of its arena). */
struct tn_history_found history_kit_search(struct history_kit *kit,
					   const struct tn_history_search *search);
/* Words in all that there is, limit 20. */
struct tn_history_found history_kit_words(struct history_kit *kit, const char *query);
uint64_t history_kit_purge(struct history_kit *kit, int64_t before_ms, const char *matching);
void history_kit_retain(struct history_kit *kit); /* what is due hourly, now */
void history_kit_flush(struct history_kit *kit);  /* until all is written */
void history_kit_wait(struct history_kit *kit, unsigned ms);

#endif
