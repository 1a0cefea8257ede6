/* internal.h - how a graph is kept: things, the claims on them, and what the last update touched.
 *
 * A thing is a node or an edge. It is there while somebody claims it, and a node also while an edge
 * that somebody claims begins or ends at it. Nothing is freed between the two halves of an update
 * (claims change; what is seen is settled), so that the patch can be made of both states. */
#ifndef TN_WB_GRAPH_INTERNAL_H
#define TN_WB_GRAPH_INTERNAL_H

#include "apps/workbench/graph/item.h"
#include "base/map.h"

struct tn_wb_producer;

enum tn_wb_planned { TN_WB_NOT_PLANNED, TN_WB_PLANNED_CLAIM, TN_WB_PLANNED_NONE };

struct tn_wb_claim {
	struct tn_wb_claim *next;              /* on the same thing */
	struct tn_wb_claim *prev_of, *next_of; /* of the same producer */
	struct tn_wb_producer *producer;
	struct tn_wb_node *thing;
	uint64_t stamp; /* of the last snapshot that made it */
	struct tn_str text;
};

struct tn_wb_producer {
	char *id;
	uint32_t rank;
	int64_t revision; /* of its own last update; -1: none */
	bool edited;      /* what it claims is not its last snapshot any more */
	struct tn_wb_claim *claims;
	size_t count;
};

/* An edge stands in a list of each of its ends. */
struct tn_wb_link {
	struct tn_wb_node *edge;
	struct tn_wb_link *prev, *next;
};

struct tn_wb_node {
	enum tn_wb_kind kind;
	bool seen, withheld, touched;
	uint8_t planned;    /* enum tn_wb_planned, while an update is counted */
	struct tn_str key;  /* behind the struct */
	struct tn_str text; /* as it is seen */
	struct tn_wb_claim *claims;
	struct tn_wb_node *ends[2]; /* of an edge */
	struct tn_wb_link links[2]; /* of an edge: in the lists of its ends */
	struct tn_wb_link *edges;   /* of a node */
	struct tn_wb_node *next_touched;
	struct tn_wb_node *older, *newer; /* all things, as they were made */
};

struct tn_wb_patch {
	uint64_t revision;
	char *text;
	size_t size;
	struct tn_wb_patch *next;
};

struct tn_wb_graph {
	enum tn_wb_graph_holds holds;
	struct tn_map things;                           /* key to struct tn_wb_node */
	struct tn_wb_node *oldest_thing, *newest_thing; /* in the order they were made */
	struct tn_map producers;                        /* id to struct tn_wb_producer */
	size_t claims, withheld, bytes;
	uint64_t revision, stamp;
	uint64_t turn;    /* one more with every update, also where nothing else is seen */
	size_t steps_max; /* of one update; 0: any number */
	struct tn_wb_node *touched;
	struct tn_wb_claim *gone; /* freed when the update is settled */
	struct tn_wb_patch *oldest, *newest;
	size_t patch_count, patch_bytes;
};

/* Whose document it is, and who wants to know what is wrong of it. */
struct tn_wb_sender {
	const char *producer;
	enum tn_wb_graph_holds holds;
	struct tn_wb_diagnostics *diagnostics;
};
struct tn_wb_place {
	const char *list; /* "nodes" */
	size_t index;
};

struct tn_wb_snapshot {
	struct tn_arena arena;
	struct tn_wb_item **items; /* in the order of keys, each once */
	size_t count;
	int64_t revision;
	bool is_compared;
	const struct tn_wb_item **made, **gone; /* since the one before; `gone` are that one's */
	size_t made_count, gone_count;
};

/* ---- sender.c: documents are refused as a whole, with a diagnostic ---- */

/* INVALID, always. */
enum tenon_code tn_wb_sender_refuse(const struct tn_wb_sender *from, const char *code,
				    const char *pointer, const char *message);
enum tenon_code tn_wb_sender_refuse_item(const struct tn_wb_sender *from, struct tn_arena *arena,
					 struct tn_wb_place place,
					 const struct tn_wb_item_fault *fault);
/* The version, the revision and the lists. Fails: INVALID. */
enum tenon_code tn_wb_sender_head(const struct tn_wb_sender *from, const struct tn_json *document,
				  const char *first, const char *second, int64_t *ret_revision);
/* Reads an item of it. Fails: INVALID, NO_MEMORY. */
enum tenon_code tn_wb_sender_item(const struct tn_wb_sender *from, struct tn_arena *arena,
				  const struct tn_json *json, enum tn_wb_item_form form,
				  struct tn_wb_place place, struct tn_wb_item *ret);

/* ---- things.c ---- */

/* Finds or makes it, and the ends of an edge. NULL: out of memory. */
struct tn_wb_node *tn_wb_thing_need(struct tn_wb_graph *graph, const struct tn_wb_item *item);
struct tn_wb_node *tn_wb_thing_find(const struct tn_wb_graph *graph, struct tn_str key);
void tn_wb_thing_touch(struct tn_wb_graph *graph, struct tn_wb_node *thing);
/* Frees it where nobody claims it and no edge needs it; then its ends. */
void tn_wb_thing_prune(struct tn_wb_graph *graph, struct tn_wb_node *thing);
struct tn_wb_claim *tn_wb_claim_create(struct tn_str text);
/* Takes the claim over: it replaces the producer's earlier one, or goes where that is equal. */
void tn_wb_claim_make(struct tn_wb_graph *graph, struct tn_wb_producer *producer,
		      struct tn_wb_node *thing, struct tn_wb_claim *claim);
void tn_wb_claim_end(struct tn_wb_graph *graph, struct tn_wb_claim *claim);
struct tn_wb_claim *tn_wb_claim_of(const struct tn_wb_node *thing,
				   const struct tn_wb_producer *producer);
void tn_wb_claims_free_gone(struct tn_wb_graph *graph);

/* ---- settle.c ---- */

/* What is seen after the claims have changed; fills *ret. */
void tn_wb_graph_settle(struct tn_wb_graph *graph, struct tn_wb_update *ret);

/* ---- patches.c ---- */

/* NULL text: everybody has to read anew. */
void tn_wb_patch_keep(struct tn_wb_graph *graph, struct tn_str text);
void tn_wb_patches_drop(struct tn_wb_graph *graph);
/* Those of a graph whose place this one takes come before its own. */
void tn_wb_patches_follow(struct tn_wb_graph *graph, struct tn_wb_graph *before);

#endif
