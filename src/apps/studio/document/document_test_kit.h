/* document_test_kit.h - a diagram in memory with its log, for tests of what edits and reads it. */
#ifndef TN_STUDIO_DOCUMENT_TEST_KIT_H
#define TN_STUDIO_DOCUMENT_TEST_KIT_H

#include "apps/studio/edit/edit.h"

struct studio_kit {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	struct tn_oplog *log;
	struct tn_arena arena; /* of answers and what the tests parse; until close */
	struct tn_studio_fault fault;
	struct tn_change change; /* the last one */
	/* For edits; NULL: no secrets, nothing deployed. */
	struct tn_studio_project *project;
	bool (*deployed)(const void *status, struct tn_str node_id, struct tn_buf *ret_addresses);
	struct tenon_error err;
};

/* With the built-in types and an empty diagram; `path` NULL: in memory. */
void studio_kit_open(struct studio_kit *kit, const char *path);
void studio_kit_close(struct studio_kit *kit);

/* A test whose *state is an open kit. */
#define STUDIO_KIT_TEST(test) \
	cmocka_unit_test_setup_teardown(test, studio_kit_set_up, studio_kit_tear_down)
int studio_kit_set_up(void **state);
int studio_kit_tear_down(void **state);

struct tn_json *studio_kit_parse(struct studio_kit *kit, const char *text);
/* Commits operations (an array as text). */
enum tenon_code studio_kit_commit(struct studio_kit *kit, const char *operations);
/* The same, and it has to succeed. */
void studio_kit_change(struct studio_kit *kit, const char *operations);
/* The document as the log saves it, without revisions of nodes and edges, which undoing does not
 * bring back; with them, what whatever is refused leaves. Both live until close. */
const char *studio_kit_saved(struct studio_kit *kit);
const char *studio_kit_kept(struct studio_kit *kit);
void studio_kit_undo(struct studio_kit *kit);
void studio_kit_redo(struct studio_kit *kit);
void studio_kit_index(struct studio_kit *kit);

/* The diagram's file at this revision; lives until close. */
const char *studio_kit_written(struct studio_kit *kit, uint64_t revision);
/* Reads a file over what there is, and one of costs (NULL: none). Returns the repairs, an array as
 * text that lives until close; NULL: kit->fault. */
const char *studio_kit_read(struct studio_kit *kit, const char *diagram, const char *cost);

/* One step of an edit, committed as a change: the answer as a tree, or NULL and kit->fault. */
struct tn_json *studio_kit_edit(struct studio_kit *kit, tn_studio_edit_fn *edit,
				const char *arguments);
/* The same, and it has to succeed. */
struct tn_json *studio_kit_done(struct studio_kit *kit, tn_studio_edit_fn *edit,
				const char *arguments);
/* Has to be refused with this code, with nothing changed. Returns the message. */
const char *studio_kit_refused(struct studio_kit *kit, tn_studio_edit_fn *edit,
			       const char *arguments, const char *code);

/* Adds a node of this type and gives its id; `parent` NULL: at top level. */
const char *studio_kit_add(struct studio_kit *kit, const char *type, const char *parent);
/* Indexed; it has to be there. */
const struct tn_studio_node *studio_kit_node(struct studio_kit *kit, const char *id);
/* A value as compact JSON; lives until close. */
const char *studio_kit_json(struct studio_kit *kit, const struct tn_json *value);
const char *studio_kit_format(struct studio_kit *kit, const char *format, ...) TN_PRINTF(2, 3);
/* The same numbers for the same seed, which is not 0; its low bits are the least random. */
uint64_t studio_kit_random(uint64_t *seed);

/* A member of an answer as NUL-terminated text; fails the test when it is none. */
const char *studio_kit_text(const struct tn_json *object, const char *key);

#endif
