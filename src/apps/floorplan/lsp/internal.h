/* internal.h - the inside of the language server, for the files lsp*.c: open documents, places,
 * and what each name in a plan stands for. Threads: one at a time. */
#ifndef TN_FLOORPLAN_LSP_INTERNAL_H
#define TN_FLOORPLAN_LSP_INTERNAL_H

#include "apps/floorplan/lsp/lsp.h"
#include "apps/floorplan/plan/plan.h"
#include "jsonrpc/json.h"

struct tn_lsp_mark { /* the first character at or behind a multiple of so many bytes */
	size_t at;
	int64_t line, column; /* in UTF-16 units */
};

struct tn_lsp_document {
	char *uri;
	struct tn_buf text;
	struct tn_lsp_mark *marks; /* of the text as it is; NULL: no memory, so it is slow */
	size_t mark_count;
	int64_t version;
	struct tn_floor_plan *plan; /* of the text as it is; NULL: no memory for it */
	struct tn_lsp_document *next;
};

/* The open ones, the latest first; for tests. */
const struct tn_lsp_document *tn_lsp_documents(const struct tn_lsp *lsp);

/* What asked, and where the answer goes. */
struct tn_lsp_request {
	struct tn_lsp_document *document;
	const struct tn_json *params;
	size_t offset; /* of params.position, in bytes; 0: none */
	struct tn_arena *arena;
	struct tn_buf *result; /* one JSON value; empty: null */
	const char *refusal;   /* set: the request failed, and why */
};

/* ---- places (lsp_place.c) ---- */

size_t tn_lsp_offset(struct tn_str text, const struct tn_json *position);
/* To be called when the text is another one: a plan of 1 MiB may have 5,000 names and 100,000
 * faults, and counting lines from the top for each would take minutes. */
void tn_lsp_mark_text(struct tn_lsp_document *document);
void tn_lsp_put_position(struct tn_buf *out, const struct tn_lsp_document *document, size_t offset);
/* Each a member: "range":{...}. */
void tn_lsp_put_range(struct tn_buf *out, const char *key, const struct tn_lsp_document *document,
		      size_t start, size_t end);
/* {"range":..,"newText":..}: what makes another text of the document's. */
void tn_lsp_put_edit(struct tn_buf *out, const struct tn_lsp_document *document,
		     struct tn_str after);

/* ---- names (lsp_names.c) ---- */

enum tn_lsp_kind { TN_LSP_ROOM, TN_LSP_FLOOR, TN_LSP_CIRCULATION, TN_LSP_STYLE, TN_LSP_SIZE };
struct tn_lsp_mention { /* of a name: its definition is a mention as well */
	enum tn_lsp_kind kind;
	uint32_t token, definition; /* tokens */
	const void *what;           /* tn_floor_room, _floor, _circulation, _style; size: NULL */
	const struct tn_floor_floor *floor; /* on which the name counts; NULL: all */
};
struct tn_lsp_mentions {
	struct tn_lsp_mention *list;
	size_t count, room;
	struct tn_arena *arena;
	bool starved;
};
/* In no order. Empty when the text does not parse. */
void tn_lsp_find_mentions(const struct tn_floor_plan *plan, struct tn_arena *arena,
			  struct tn_lsp_mentions *ret);
/* At a place of the text; NULL: none. */
const struct tn_lsp_mention *tn_lsp_mention_at(const struct tn_floor_plan *plan,
					       const struct tn_lsp_mentions *mentions,
					       size_t offset);

/* ---- requests: each fills `result` ---- */

void tn_lsp_hover(struct tn_lsp_request *request);      /* lsp_hover.c */
void tn_lsp_symbols(struct tn_lsp_request *request);    /* lsp_hover.c */
void tn_lsp_complete(struct tn_lsp_request *request);   /* lsp_complete.c */
void tn_lsp_definition(struct tn_lsp_request *request); /* lsp_refer.c */
void tn_lsp_references(struct tn_lsp_request *request);
void tn_lsp_prepare_rename(struct tn_lsp_request *request);
void tn_lsp_rename(struct tn_lsp_request *request);
void tn_lsp_format(struct tn_lsp_request *request);  /* lsp_change.c */
void tn_lsp_actions(struct tn_lsp_request *request); /* lsp_change.c */

/* The notification's params; the document may be gone (no plan): nothing is wrong with it. */
void tn_lsp_put_diagnostics(struct tn_buf *out, const struct tn_lsp_document *document);
void tn_lsp_put_diagnostic(struct tn_buf *out, const struct tn_lsp_document *document,
			   const struct tn_floor_diagnostic *one);

#endif
