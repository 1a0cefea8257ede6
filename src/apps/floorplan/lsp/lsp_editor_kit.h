/* lsp_editor_kit.h - an editor in tests: it says something to the language server, and keeps what
 * comes back. After every message the documents are compared with those of a plain model. For
 * cmocka tests. Threads: one at a time. */
#ifndef TN_FLOOR_LSP_EDITOR_KIT_H
#define TN_FLOOR_LSP_EDITOR_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/lsp/lsp_test_kit.h"
#include "apps/floorplan/lsp/internal.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

#define EDITOR_URI "file:///plan"

struct editor {
	struct tn_lsp *lsp;
	struct tn_lsp_model model;
	struct tn_arena arena;       /* of all messages that came */
	const struct tn_json *reply; /* the latest; NULL: none to the latest message */
	const struct tn_json *marks; /* params of the latest publishDiagnostics */
	const struct tn_json *shown; /* params of the latest showMessage */
	unsigned count;              /* of messages that came for the latest one sent */
	bool on;                     /* not told to exit */
	int exit;
};

void editor_create(struct editor *editor); /* a server that was told nothing */
void editor_start(struct editor *editor);  /* one that is initialized */
void editor_stop(struct editor *editor);

void editor_say(struct editor *editor, struct tn_str message);
void editor_say_text(struct editor *editor, const char *format, ...) TN_PRINTF(2, 3);
/* A plan with the URI above. */
void editor_open(struct editor *editor, struct tn_str text);
void editor_change(struct editor *editor, int from_line, int from, int to_line, int to,
		   const char *text);
struct tn_str editor_text(const struct editor *editor); /* as the server has it */

/* The result; fails the test when it is an error. `more`: further params, or "". */
const struct tn_json *editor_ask(struct editor *editor, const char *method, const char *more);
/* Where `needle` begins for the first time, `shift` bytes on. */
const struct tn_json *editor_ask_at(struct editor *editor, const char *method, const char *needle,
				    size_t shift, const char *more);
/* The code of the error; 0: none. */
int editor_error(const struct editor *editor);

/* "line:column text; ..." of a location, of ranges, or of edits, in the order of the text. */
const char *editor_places(struct editor *editor, const struct tn_json *list);
void editor_apply(struct editor *editor, const struct tn_json *edits); /* and sends all of it */
/* Faults of the latest diagnostics: "FP2004 FP2008". */
const char *editor_faults(struct editor *editor);

#endif
