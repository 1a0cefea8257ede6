/* follow.h - what has changed in a project since its reader looked last (studio-canvas.md SC-011).
 *
 * Of each node, edge and part of an open project it is kept what its texts were (a hash of each
 * facet) and when a reading first found them different: at which tick. Every reading of the diagram
 * is noted, so whatever a reader saw is known here, also what changes without a revision (status,
 * problems, costs). What is newer than a reader's tick is what it has not seen. A facet that it has
 * not asked for counts as new (a cursor says what was; a revision cannot: there it is one that
 * nobody had asked for), so a reader may get too much and never too little.
 *
 * Ownership: the door's, by project; memory only. Threads: loop. */
#ifndef TN_STUDIO_FOLLOW_H
#define TN_STUDIO_FOLLOW_H

#include "apps/studio/mcp/reading.h"

struct tn_studio_follow;

/* The one of this project, made when first needed. NULL: no memory. */
struct tn_studio_follow *tn_studio_follow_of(struct tn_studio_follow **list,
					     const struct tn_studio_project *project);
/* Something has changed that its document may not show; NULL: of every project. */
void tn_studio_follow_outside(struct tn_studio_follow *list, const char *project_id);
/* Forgets those of projects that are not open; NULL: all. */
void tn_studio_follow_sweep(struct tn_studio_follow **list,
			    const struct tn_studio_projects *projects);

/* ---- what a reader has seen ---- */

struct tn_studio_seen {
	uint64_t revision;
	uint64_t ticks[TN_STUDIO_FACETS]; /* by the facet of a node; edges and parts: the first */
	uint64_t route_tick;
	bool nothing; /* everything is new to it */
};
/* False: it cannot be said any more what has changed since. */
bool tn_studio_seen_revision(const struct tn_studio_follow *follow, uint64_t revision,
			     struct tn_studio_seen *ret);
/* The same of a cursor; *ret_known false: it is no cursor at all. */
bool tn_studio_seen_cursor(const struct tn_studio_follow *follow, struct tn_str cursor,
			   struct tn_studio_seen *ret, bool *ret_known);
#define TN_STUDIO_CURSOR_SIZE 64
/* Of who has read it as it is now, with these (TN_STUDIO_WITH_...). */
void tn_studio_follow_cursor(const struct tn_studio_follow *follow, uint64_t revision,
			     unsigned with, char out[TN_STUDIO_CURSOR_SIZE]);

/* ---- noting ---- */

/* Notes a reading, and says of each of its entries what is news to who has `seen` that (NULL:
 * everything is). `cursor` is what the reader has then. False: what is known already is newer; a
 * reading of the project as it is now is needed. */
bool tn_studio_follow_note(struct tn_studio_follow **list, struct tn_studio_reading *reading,
			   const struct tn_studio_seen *seen, char cursor[TN_STUDIO_CURSOR_SIZE]);
/* Ids of nodes, or of edges, that the reader has and that are gone, as members of an open array. */
void tn_studio_follow_put_gone(const struct tn_studio_follow *follow,
			       const struct tn_studio_seen *seen, bool edges, struct tn_buf *out);
/* It cannot be said in changes: too much has gone since, or the order of nodes is another. */
bool tn_studio_follow_needs_reset(const struct tn_studio_follow *follow,
				  const struct tn_studio_seen *seen);

#endif
