/* edit_run_kit.h - operations on a plan's text, and what comes of them: for the tests of editing.
 * For cmocka tests. Threads: one at a time. */
#ifndef TN_FLOOR_EDIT_RUN_KIT_H
#define TN_FLOOR_EDIT_RUN_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/edit/edit.h"
#include "base/size.h"

#define PLAN(body) "floorplan\nfloor F {\n" body "}\n"
#define OP(action, target, params) \
	"{\"action\":\"" action "\",\"target\":\"" target "\",\"params\":{" params "}}"
#define SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"

struct run {
	struct tn_arena arena;
	struct tn_floor_edited edited;
	struct tn_json *changes, *errors;
};

/* NULL: there is none. In the arena. */
struct tn_json *read_json(struct tn_arena *arena, struct tn_str text);
/* The caller ends it with finish. */
void run_with(struct run *run, struct tn_str text, const char *operations, bool atomic,
	      const char *floor);
void finish(struct run *run);
/* The text after all operations. */
void expect_text(const struct run *run, const char *text);
/* All operations succeed and make this text. */
void gives(const char *text, const char *operations, const char *result);
/* Of the first error; NULL: there is none. */
const char *code_of(const struct run *run);
/* The only operation fails with the code and the path, and the text stays. */
void fails(const char *text, const char *operation, const char *code, const char *path);
/* The n-th change, as JSON. */
void change_is(const struct run *run, size_t n, const char *json);

#endif
