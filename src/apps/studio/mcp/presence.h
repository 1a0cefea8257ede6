/* presence.h - who is here, and what they look at, hold and point at, without changing anything
 * (studio-canvas.md SC-017, SC-018).
 *
 * In memory alone: one for each connection, gone with it or TN_STUDIO_PRESENCE_MS after it was told
 * last; never in the log of changes, the audit, or a file. Ownership: the door's. Threads: loop. */
#ifndef TN_STUDIO_PRESENCE_H
#define TN_STUDIO_PRESENCE_H

#include "apps/studio/mcp/resource.h"
#include "store/limits.h"

struct tn_studio_here; /* everybody who is */

TN_MUST_USE enum tenon_code tn_studio_here_open(struct tn_studio_door *door,
						struct tenon_error *err);
void tn_studio_here_close(struct tn_studio_door *door);

/* One who is here. */
struct tn_studio_presence {
	char id[TN_OPLOG_WHO_MAX + 1], name[65]; /* whose it is */
	bool person;
	const char *way; /* "websocket", "relay": static */
	char project[TN_STUDIO_ID_SIZE];
	char *text; /* {"selection":[...],"view":{...},...}: what they said last; own memory */
	int64_t since_wall_ms, seen_wall_ms;
	uint64_t peer; /* its number; 0: a client without a connection */
	uint64_t until_ms;
	struct tn_studio_presence *next; /* the latest active first */
};

/* Takes what the call says instead of what was said before. */
bool tn_studio_here_set(struct tn_studio_door *door, struct tenon_call *call,
			const struct tn_studio_project *project, struct tn_str text,
			struct tn_studio_fault *fault);
/* The latest active of this project, or the one after; NULL: there are no more. */
const struct tn_studio_presence *tn_studio_here_next(const struct tn_studio_door *door,
						     const struct tn_studio_project *project,
						     const struct tn_studio_presence *after);
/* 0 to 7, by order of appearance: tn_studio_colour_fn of a struct tn_studio_here. */
unsigned tn_studio_here_colour(void *here, const char *actor_id);
/* {"id","name","person","colour"} */
void tn_studio_put_here(struct tn_buf *out, const struct tn_studio_door *door,
			const struct tn_studio_presence *one);
/* Marks nodes on every page for a while. `said`: members of an object. Returns how many pages have
 * the project open. */
size_t tn_studio_here_show(struct tn_studio_door *door, const struct tn_studio_project *project,
			   struct tn_str said);
/* The part `presence`; ends the call. */
void tn_studio_read_presence(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project);

#endif
