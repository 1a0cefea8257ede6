/* internal.h - the parts of redact.h, each in a file of its own: what is found where.
 *
 * Finders look through a folded text (escapes and carriage returns are gone) and note spans of the
 * original one. Ownership: whoever inits or creates. Threads: any, one at a time per object; a
 * `struct tn_secrets` that two redactors share is never changed. */
#ifndef TN_TERMINAL_REDACT_INTERNAL_H
#define TN_TERMINAL_REDACT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"

/* ---- redact_fold.c: text without what stands between its letters ---- */

struct tn_fold_run {
	size_t at;   /* folded text from here on ... */
	size_t from; /* ... is the original one from here on */
};
struct tn_fold {
	struct tn_str text; /* the original when nothing had to go */
	struct tn_buf bytes;
	struct tn_fold_run *runs;
	size_t run_count, run_capacity;
};
/* `join`: line feeds go, too. False: no memory; `fold` is finished all the same. */
bool tn_fold_init(struct tn_fold *fold, struct tn_str text, bool join);
void tn_fold_finish(struct tn_fold *fold);            /* wipes its copy */
size_t tn_fold_escape(struct tn_str text, size_t at); /* bytes of the escape there; 0: none */

/* ---- what was found ---- */

struct tn_redact_span {
	size_t begin, end; /* of the original text */
	const char *kind;  /* static: "env", "jwt" */
};
struct tn_redact_spans {
	struct tn_redact_span *items;
	size_t count, capacity;
	bool failed; /* no memory: what was found is not all */
};
/* `begin` and `end` are of the folded text. */
void tn_redact_add(struct tn_redact_spans *spans, const struct tn_fold *fold, size_t begin,
		   size_t end, const char *kind);

/* ---- redact_values.c: (a) values that are known ---- */

struct tn_secrets; /* counted; NULL knows none */
struct tn_secrets *tn_secrets_ref(struct tn_secrets *secrets);
void tn_secrets_unref(struct tn_secrets *secrets); /* wipes with the last one; accepts NULL */
/* Adds a value; a shared set is copied first. Without memory the value stays unknown: false. */
bool tn_secrets_learn(struct tn_secrets **secrets, struct tn_str value);
/* `fold` is joined. */
void tn_secrets_find(const struct tn_secrets *secrets, const struct tn_fold *fold,
		     struct tn_redact_spans *spans);

/* ---- redact_shapes.c: (b) well-known shapes of keys ---- */

void tn_redact_find_shapes(const struct tn_fold *fold, struct tn_redact_spans *spans);

/* ---- redact_arguments.c: (c) arguments, headers, assignments ---- */

enum tn_argument { TN_ARGUMENT_ASSIGNED, TN_ARGUMENT_OPTION, TN_ARGUMENT_HEADER, TN_ARGUMENT_URL };
/* `value`: a slice of the text as it is written, with its quotes. */
typedef void tn_argument_fn(void *data, enum tn_argument what, struct tn_str value);
void tn_redact_scan_arguments(struct tn_str text, tn_argument_fn *found, void *data);
/* redact_words.c, which that one calls: options, and `set NAME value`. */
void tn_redact_scan_words(struct tn_str text, tn_argument_fn *found, void *data);

/* redact_config.c: values of files and statements; empty: there is none. `at` is the > of an
 * element, the quote of a statement's value; of a value on the next line what stands behind the
 * colon, of the name `name`. */
struct tn_str tn_redact_element(struct tn_str text, size_t at);
struct tn_str tn_redact_statement(struct tn_str text, size_t at);
struct tn_str tn_redact_next_line(struct tn_str text, size_t name, size_t at);
/* `at` is the Y of BY: ALTER USER x IDENTIFIED BY y */
struct tn_str tn_redact_bare_statement(struct tn_str text, size_t at);

/* The line that was asked about last, read once; all zero at first. */
struct tn_redact_line {
	size_t begin, end;
	bool is_connection;
};
/* The name stands in a connection string: Server=h;Pwd=x */
bool tn_redact_is_connection(struct tn_str text, size_t name, struct tn_redact_line *line);

/* What is no secret though it stands where one would: empty, `$NAME`, `<placeholder>`. */
bool tn_redact_is_reference(struct tn_str value);
#endif
