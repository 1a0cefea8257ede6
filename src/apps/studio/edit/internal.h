/* internal.h - what the actions of edit.h share, for the files edit*.c. Threads: loop. */
#ifndef TN_STUDIO_EDIT_INTERNAL_H
#define TN_STUDIO_EDIT_INTERNAL_H

#include "apps/studio/document/connection.h"
#include "apps/studio/document/diagnostic.h"
#include "apps/studio/document/internal.h"
#include "apps/studio/edit/edit.h"
#include "apps/studio/document/geometry.h"
#include "apps/studio/id.h"
#include "apps/studio/document/node_name.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

/* Everything here returns false with edit->fault filled. Nodes are known by their ids, because a
 * record lives until the next operation; ids in arguments and the arena live longer. */

/* ---- edit.c ---- */

/* Runs one step: indexed before, taken back whole when it fails. */
bool tn_studio_edit_run(struct tn_studio_edit *edit, tn_studio_edit_fn *step,
			const struct tn_json *arguments, struct tn_buf *result);
bool tn_studio_edit_step(struct tn_studio_edit *edit, const struct tn_json *operation);
bool tn_studio_edit_index(struct tn_studio_edit *edit);
bool tn_studio_edit_no_memory(struct tn_studio_edit *edit);
void tn_studio_edit_say(struct tn_studio_edit *edit, const char *format, ...) TN_PRINTF(2, 3);
/* NULL: NOT_FOUND, with the value. */
struct tn_studio_node *tn_studio_edit_node(struct tn_studio_edit *edit,
					   const struct tn_json *arguments, const char *key);
/* A member that is text; empty: there is none. */
struct tn_str tn_studio_edit_text(const struct tn_json *object, const char *key);
/* The first one in an array or an object; NULL: it is none, or has nothing. */
const struct tn_json *tn_studio_edit_first(const struct tn_json *value);
struct tn_str tn_studio_keep(struct tn_studio_edit *edit, struct tn_str text); /* in the arena */
/* An id that no node and no edge has; empty: no memory. */
struct tn_str tn_studio_edit_new_id(struct tn_studio_edit *edit);
/* `diagnostics` of an answer. */
bool tn_studio_edit_put_diagnostics(struct tn_studio_edit *edit, struct tn_str node_id,
				    bool renamed, struct tn_buf *result);

/* ---- edit_record.c: operations ---- */

/* Members of a node or an edge that change; NULL values take them out. */
struct tn_studio_draft {
	struct tn_studio_edit *edit;
	const struct tn_json *record; /* NULL: no memory */
};
void tn_studio_draft_begin(struct tn_studio_draft *draft, struct tn_studio_edit *edit,
			   const struct tn_studio_node *node); /* NULL: a new one */
void tn_studio_draft_set(struct tn_studio_draft *draft, const char *key,
			 const struct tn_json *value);
void tn_studio_draft_text(struct tn_studio_draft *draft, const char *key, struct tn_str text);
void tn_studio_draft_pair(struct tn_studio_draft *draft, const char *key, const char *a_key,
			  int64_t a, const char *b_key, int64_t b);
bool tn_studio_draft_put(struct tn_studio_draft *draft); /* putNode, unless nothing changed */
bool tn_studio_edit_remove_by_id(struct tn_studio_edit *edit, const char *op, struct tn_str id);
bool tn_studio_edit_put_edge(struct tn_studio_edit *edit, const struct tn_studio_edge *edge);
bool tn_studio_edit_place(struct tn_studio_edit *edit, struct tn_str id, struct tn_studio_rect rect,
			  bool with_size);
/* Many at once, each once; sizes stay. */
bool tn_studio_edit_place_all(struct tn_studio_edit *edit, const struct tn_studio_placed *placed,
			      size_t count);
bool tn_studio_edit_set_usage(struct tn_studio_edit *edit, struct tn_str id,
			      const struct tn_json *usage);
/* The container, and what holds it, get as large as what they hold needs, and push aside what would
 * be covered; or `alone` they do not: an undo moves only what its change has moved. */
bool tn_studio_edit_grow(struct tn_studio_edit *edit, struct tn_str container_id);
bool tn_studio_edit_grow_alone(struct tn_studio_edit *edit, struct tn_str container_id);
/* By config.layout: to the grid, unless snapping is off. */
int32_t tn_studio_edit_snap(const struct tn_studio_edit *edit, double value);

/* ---- edit_fault.c: INVALID_INPUT with every mistake ---- */

struct tn_studio_mistakes {
	struct tn_studio_edit *edit;
	struct tn_buf list, text;
	unsigned count;
	struct tn_str suggestions[TN_STUDIO_SUGGESTIONS_MAX];
	unsigned suggestion_count;
	const char *code; /* NULL: INVALID_INPUT */
};
void tn_studio_mistakes_begin(struct tn_studio_mistakes *mistakes, struct tn_studio_edit *edit);
void tn_studio_mistake(struct tn_studio_mistakes *mistakes, struct tn_str key, const char *format,
		       ...) TN_PRINTF(3, 4);
/* "is no property of", with what may have been meant. */
void tn_studio_mistake_unknown(struct tn_studio_mistakes *mistakes,
			       const struct tn_studio_type *type, struct tn_str key,
			       bool reference);
/* False when there was one; frees everything. */
bool tn_studio_mistakes_end(struct tn_studio_mistakes *mistakes);

/* ---- edit_name.c ---- */

/* Whether a node of this type may be called so; `id` is its own, empty: it is a new one. */
bool tn_studio_edit_check_name(struct tn_studio_mistakes *mistakes, struct tn_str type_id,
			       struct tn_str id, struct tn_str name);
/* What will be named after it then begins with (document.h, `own`); data NULL: no memory. */
struct tn_str tn_studio_edit_own(struct tn_studio_edit *edit, struct tn_str type_id,
				 struct tn_str id, struct tn_str name);
void tn_studio_draft_names(struct tn_studio_draft *draft, struct tn_str name, struct tn_str own);

/* ---- edit_value.c: properties ---- */

struct tn_studio_values {
	struct tn_studio_mistakes *mistakes; /* while values are taken */
	const struct tn_studio_type *type;
	const struct tn_json *stored; /* as they will be; NULL: empty */
	struct tn_json_maker secrets; /* by property key, to be set once there is a name */
	struct tn_json_maker updated; /* keys */
};
/* Checks and converts `given` (an object or NULL) over `values->stored`. */
void tn_studio_values_take(struct tn_studio_values *values, const struct tn_json *given);
/* Puts the secrets that were taken into the project's store. */
bool tn_studio_values_keep_secrets(struct tn_studio_values *values, struct tn_str node_id,
				   struct tn_studio_edit *edit);
/* Configured values of a node's variables, when its own name changes. */
bool tn_studio_edit_rename_variables(struct tn_studio_edit *edit, struct tn_str from,
				     struct tn_str to);

/* ---- edit_link.c: references and the edges that set them (ST-034) ---- */

/* Checks `given` for a node of this type, as it will stand in `references`: key to id or list. */
void tn_studio_links_check(struct tn_studio_mistakes *mistakes, const struct tn_studio_type *type,
			   struct tn_str node_id, const struct tn_json *given);
/* Sets one reference (checked; NULL or null clears it), and puts and removes the edges of rules. */
bool tn_studio_link_set(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			const struct tn_json *value);
bool tn_studio_links_set(struct tn_studio_edit *edit, struct tn_str node_id,
			 const struct tn_json *given);
/* One more, or one less, target. */
bool tn_studio_link_add(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			struct tn_str target_id);
bool tn_studio_link_drop(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			 struct tn_str target_id);
bool tn_studio_link_has(const struct tn_studio_node *node, struct tn_str key, struct tn_str target);
/* Remembers, or forgets, that the reference was drawn (TN_STUDIO_DRAWN). */
bool tn_studio_link_draw(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			 bool drawn);
const struct tn_studio_edge *tn_studio_edge_between(const struct tn_studio_document *document,
						    struct tn_str source,
						    struct tn_str source_handle,
						    struct tn_str target,
						    struct tn_str target_handle);
/* HANDLE_FULL when a handle of the edge has as many as it takes. */
bool tn_studio_edit_check_handles(struct tn_studio_edit *edit, const struct tn_studio_edge *edge);

/* ---- edit_switch.c: what references depend on (5.3) ---- */

/* After a reference was set, by hand or by where the node stands: sets what hides it, unless that
 * was set otherwise on purpose, or would hide another one. */
bool tn_studio_switch_on(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key);
/* The same for the reference that it has by standing where it stands. */
bool tn_studio_switch_on_by_place(struct tn_studio_edit *edit, struct tn_str node_id);
/* After a node was moved: references of the private endpoint that it had where it stood go with it.
 */
bool tn_studio_drop_by_place(struct tn_studio_edit *edit, struct tn_str node_id);
/* After one was cleared: its toggle goes back to what it is by itself. */
bool tn_studio_switch_off(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key);
/* No reference that is set was written with the properties `before`, and is not any more. */
bool tn_studio_switches_check(struct tn_studio_edit *edit, struct tn_str node_id,
			      const struct tn_json *before);

/* ---- edit_range.c: address ranges (6.4) ---- */

/* The property that holds it; NULL: the type has none. */
const struct tn_studio_property *tn_studio_range_property(const struct tn_studio_type *type);
/* The range a new node of this type gets, as the value of *ret_property; false: none. */
bool tn_studio_fresh_range(const struct tn_studio_document *document,
			   const struct tn_studio_type *type, const struct tn_studio_node *parent,
			   struct tn_arena *arena, const struct tn_studio_property **ret_property,
			   const struct tn_json **ret);

/* ---- edit_move.c ---- */

/* What move_resource does but growing and answering: the node, and the container that it is in then
 * (empty: none). `keeps_contents`: when a container gets another size and another corner, what it
 * holds stays where it is on the board. */
bool tn_studio_edit_move_one(struct tn_studio_edit *edit, const struct tn_json *arguments,
			     bool keeps_contents, struct tn_str *ret_id, struct tn_str *ret_parent);
/* The node, with all it holds, may stand in this container (NULL: top level). */
bool tn_studio_edit_check_place(struct tn_studio_edit *edit, const struct tn_studio_node *node,
				const struct tn_studio_node *parent);
/* `instanceId`, `position`, `size` and `parentId` as members. */
void tn_studio_edit_put_place(const struct tn_studio_node *node, struct tn_buf *result);

/* ---- edit_place.c ---- */

/* ST-042: CONTAINMENT_ERROR with the legal parents. `parent` NULL: top level. */
bool tn_studio_edit_check_parent(struct tn_studio_edit *edit, const struct tn_studio_type *type,
				 const struct tn_studio_node *parent, unsigned levels_below);
/* moduleId of arguments names a module that is there. */
bool tn_studio_edit_check_module(struct tn_studio_edit *edit, struct tn_str module_id);
/* What a new node of this type measures. */
struct tn_studio_rect tn_studio_start_size(const struct tn_studio_type *type);
bool tn_studio_has_size(const struct tn_studio_type *type); /* it is always written down (4.4) */

/* ---- edit_copy.c: what copy_resources copies, for the files edit_copy*.c ---- */

struct tn_studio_copied {
	const struct tn_json *record;
	struct tn_str old_id, new_id;
	uint32_t parent; /* its place in the list + 1; 0: it is at the top of what is copied */
	bool done;
};

struct tn_studio_copy {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	const struct tn_studio_project *from; /* NULL: of a document */
	bool within;                          /* one project */
	struct tn_studio_copied *all;
	size_t count;
	struct tn_map by_id;          /* old id to struct tn_studio_copied */
	struct tn_json_maker dropped; /* {"instanceId","property","reason"} */
	struct tn_json_maker edges;   /* ids */
};

/* ---- edit_copy_node.c ---- */

/* Notes what did not go along. `reason` NULL: what the step said that was refused, which is
 * forgotten. */
void tn_studio_copy_drop(struct tn_studio_copy *copy, const struct tn_studio_copied *one,
			 struct tn_str property, const char *reason);
/* Adds a copy of each; they have their new ids then. */
bool tn_studio_copy_add_all(struct tn_studio_copy *copy);

/* ---- edit_copy_link.c: once all are there ---- */

/* Modes, outputs, slug, notes and references; what is refused is dropped. */
void tn_studio_copy_complete(struct tn_studio_copy *copy, const struct tn_studio_copied *one);
/* The edges among what is copied. */
bool tn_studio_copy_edges(struct tn_studio_copy *copy);

#endif
