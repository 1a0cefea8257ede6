/* hcl_tree.h - HCL that is about to be printed: bodies of attributes and blocks, values of atoms,
 * lists, objects and calls.
 *
 * Whatever makes an atom of a user's text goes through tn_studio_put_hcl_string, names through
 * tn_studio_hcl_is_identifier: nothing else writes syntax. Printing leaves the text as
 * `terraform fmt` would (studio.md 8.2, 8.3). Everything lives in the arena of its maker; a maker
 * returns NULL when that is full. Threads: any. */
#ifndef TN_STUDIO_HCL_TREE_H
#define TN_STUDIO_HCL_TREE_H

#include "base/arena.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

enum tn_studio_hcl_kind {
	TN_STUDIO_HCL_ATOM, /* `text` as it is printed: a literal, a reference */
	TN_STUDIO_HCL_LIST,
	TN_STUDIO_HCL_OBJECT,
	TN_STUDIO_HCL_CALL /* `text`: the function; items: its arguments */
};

struct tn_studio_hcl_value {
	enum tn_studio_hcl_kind kind;
	bool spread;       /* a list with each element on a line of its own */
	bool in_line;      /* an object on one line */
	bool is_string;    /* an atom that is a quoted literal */
	struct tn_str key; /* of an entry of an object, as printed */
	struct tn_str text;
	struct tn_studio_hcl_value *first, *last, *next;
};

struct tn_studio_hcl_item;
struct tn_studio_hcl_body {
	struct tn_studio_hcl_item *first, *last;
};

struct tn_studio_hcl_item { /* an attribute, a nested block, or a comment */
	struct tn_str name;
	struct tn_studio_hcl_value *value; /* NULL: a block, or a comment */
	bool comment;                      /* `name` is its text, in one line */
	bool meta;                         /* stands first, with an empty line after it */
	struct tn_str label;               /* of a nested block, as printed; empty: none */
	struct tn_studio_hcl_body body;
	struct tn_str property; /* the property it came from; empty: none */
	const void *source;     /* whose property that is; NULL: the block's */
	struct tn_studio_hcl_item *next;
};

/* ---- text ---- */

bool tn_studio_hcl_is_identifier(struct tn_str text);
/* "identity[0].principal_id": what may follow the dot of an address. */
bool tn_studio_hcl_is_path(struct tn_str text);
/* A string as an HCL literal with its quotes (8.3): no value breaks out of it. */
void tn_studio_put_hcl_string(struct tn_buf *out, struct tn_str text);
/* As a key of an object: bare where that is read as text, else quoted. */
void tn_studio_hcl_put_key(struct tn_buf *out, struct tn_str key);
/* Of a JSON number: an integer without fraction, else the shortest form that reads back equal. */
void tn_studio_hcl_put_number(struct tn_buf *out, const struct tn_json *number);
/* As `terraform fmt` counts: grapheme clusters. */
size_t tn_studio_hcl_columns(struct tn_str text);
/* Identifier from anything: characters that may not be in one become _. */
struct tn_str tn_studio_hcl_identifier(struct tn_arena *arena, struct tn_str text);

/* ---- making ---- */

struct tn_studio_hcl_value *tn_studio_hcl_atom(struct tn_arena *arena, struct tn_str text);
struct tn_studio_hcl_value *tn_studio_hcl_string(struct tn_arena *arena, struct tn_str text);
struct tn_studio_hcl_value *tn_studio_hcl_make(struct tn_arena *arena, enum tn_studio_hcl_kind kind,
					       struct tn_str text);
/* Any JSON value as a literal. */
struct tn_studio_hcl_value *tn_studio_hcl_literal(struct tn_arena *arena,
						  const struct tn_json *value);
/* An item or an entry (then with its key, printed by tn_studio_hcl_put_key). NULL adds nothing. */
void tn_studio_hcl_add(struct tn_studio_hcl_value *parent, struct tn_studio_hcl_value *item);
void tn_studio_hcl_entry(struct tn_arena *arena, struct tn_studio_hcl_value *object,
			 struct tn_str key, struct tn_studio_hcl_value *value);
bool tn_studio_hcl_has(const struct tn_studio_hcl_value *object,
		       struct tn_str key); /* as printed */
/* An attribute whose name is an identifier and not taken. */
struct tn_studio_hcl_item *tn_studio_hcl_define(struct tn_arena *arena,
						struct tn_studio_hcl_body *body, struct tn_str name,
						struct tn_studio_hcl_value *value);
/* An attribute; NULL when the value is, or when the name is taken or no identifier. */
struct tn_studio_hcl_item *tn_studio_hcl_attribute(struct tn_arena *arena,
						   struct tn_studio_hcl_body *body,
						   struct tn_str name,
						   struct tn_studio_hcl_value *value);
struct tn_studio_hcl_item *
tn_studio_hcl_nested(struct tn_arena *arena, struct tn_studio_hcl_body *body, struct tn_str name);
void tn_studio_hcl_comment(struct tn_arena *arena, struct tn_studio_hcl_body *body,
			   struct tn_str text);

/* ---- printing ---- */

struct tn_studio_hcl_writer {
	struct tn_buf *out;
	unsigned line; /* the one being written, from 1 */
	/* Told of each attribute that was written, with its first line and where it begins in
	 * `out`; NULL: nobody. */
	void (*placed)(void *data, const struct tn_studio_hcl_item *item, unsigned first_line,
		       size_t start);
	void *data;
};
void tn_studio_hcl_put(struct tn_studio_hcl_writer *writer, struct tn_str text); /* no newline */
void tn_studio_hcl_newline(struct tn_studio_hcl_writer *writer);
/* In the order they have: definitions of a file of values. */
void tn_studio_hcl_print_items(struct tn_studio_hcl_writer *writer,
			       const struct tn_studio_hcl_body *body, unsigned indent);
/* `head {` ... `}` and a newline; puts the body in the order of 8.2. */
void tn_studio_hcl_print_block(struct tn_studio_hcl_writer *writer, struct tn_str head,
			       struct tn_studio_hcl_body *body);
/* A value on one line, as it would be printed. */
void tn_studio_hcl_print_value(struct tn_studio_hcl_writer *writer,
			       const struct tn_studio_hcl_value *value, unsigned indent);

#endif
