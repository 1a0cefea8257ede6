/* hcl_lex.h - what the files of the HCL parser share: where it is, white space, names, numbers,
 * texts. Private to hcl_*.c.
 *
 * A function that returns NULL or false has noted a fault, or that it must give up (`code`); the
 * body that was being read passes over the item (hcl_recover.c). */
#ifndef TN_STUDIO_HCL_LEX_H
#define TN_STUDIO_HCL_LEX_H

#include "apps/studio/hcl/hcl.h"

struct tn_hcl_cursor { /* where a byte stands; only ever moves forward */
	size_t at;
	uint32_t line, column;
};

struct tn_hcl_reader {
	struct tn_arena *arena;
	struct tn_str text;
	size_t at;
	size_t last_end; /* where the last thing ended that was taken */
	bool newlines;   /* they end things (bodies, maps); otherwise they are white space */
	bool resync;     /* `at` is a block of the top level, whatever is open */
	bool ended;      /* the end of the text came too early, and it was said */
	unsigned depth;
	unsigned brackets; /* open within the item: where passing it over begins */
	unsigned rescans;  /* of texts without end */
	size_t nodes;
	struct tn_hcl_cursor cursor;
	struct tn_hcl_fault *faults, *last_fault;
	unsigned fault_count;
	enum tenon_code code; /* not OK: giving up */
	struct tenon_error *err;
};

/* ---- hcl_lex.c ---- */

/* NULL: `code` says why. */
void *tn_hcl_new(struct tn_hcl_reader *reader, size_t size);
struct tn_hcl_range tn_hcl_range_at(struct tn_hcl_reader *reader, size_t start);
/* Each returns false or NULL. */
bool tn_hcl_fault_at(struct tn_hcl_reader *reader, struct tn_hcl_range range, const char *message);
struct tn_hcl_value *tn_hcl_fail(struct tn_hcl_reader *reader, const char *message); /* here */

/* The byte `ahead` of here; NUL at the end. */
static inline char tn_hcl_byte(const struct tn_hcl_reader *reader, size_t ahead)
{
	return reader->text.size - reader->at > ahead ? reader->text.data[reader->at + ahead]
						      : '\0';
}
/* Passes over white space and comments, then the byte there. */
char tn_hcl_peek(struct tn_hcl_reader *reader);
/* Takes `size` bytes. */
static inline void tn_hcl_take(struct tn_hcl_reader *reader, size_t size)
{
	reader->at += size;
	reader->last_end = reader->at;
}
/* Takes one byte if it is what follows the white space. */
bool tn_hcl_accept(struct tn_hcl_reader *reader, char byte);
/* The end of a comment that begins here; 0: none begins here. A line's comment ends before its
 * line break. */
size_t tn_hcl_comment_end(struct tn_hcl_reader *reader);
/* The size of the name at this offset; 0: none. */
size_t tn_hcl_name_size(const struct tn_hcl_reader *reader, size_t at);
bool tn_hcl_at_name(struct tn_hcl_reader *reader, const char *name); /* exactly this one */
/* The text of a number literal, as JSON writes it. */
struct tn_str tn_hcl_take_number(struct tn_hcl_reader *reader);

struct tn_hcl_value *tn_hcl_value_new(struct tn_hcl_reader *reader, enum tn_hcl_kind kind,
				      struct tn_hcl_range start); /* ends at last_end */
struct tn_json *tn_hcl_json_new(struct tn_hcl_reader *reader, enum tn_json_type type);
struct tn_hcl_value *tn_hcl_text_value(struct tn_hcl_reader *reader, struct tn_hcl_range start,
				       struct tn_str text);

/* ---- hcl_template.c ---- */

struct tn_hcl_value *tn_hcl_read_quoted(struct tn_hcl_reader *reader);  /* at its quote */
struct tn_hcl_value *tn_hcl_read_heredoc(struct tn_hcl_reader *reader); /* at its << */

/* ---- hcl_expression.c ---- */

struct tn_hcl_value *tn_hcl_read_expression(struct tn_hcl_reader *reader);

/* ---- hcl_collection.c ---- */

struct tn_hcl_items {
	struct tn_hcl_value *first, *last;
	size_t count;
	bool constant;
};
void tn_hcl_items_add(struct tn_hcl_items *items, struct tn_hcl_value *value);
struct tn_hcl_value *tn_hcl_read_tuple(struct tn_hcl_reader *reader);  /* at its [ */
struct tn_hcl_value *tn_hcl_read_object(struct tn_hcl_reader *reader); /* at its { */

/* ---- hcl_recover.c ---- */

/* After a fault: back to the start of the line, when that begins a block of the top level and the
 * item began before it. */
bool tn_hcl_step_back(struct tn_hcl_reader *reader, size_t start);
/* Passes over the rest of the item that began at `start`, to the end of its line or of what it
 * left open; before the } of the body it stands in. */
void tn_hcl_pass_over(struct tn_hcl_reader *reader, size_t start, bool nested);

#endif
