/* hcl.h - reading HCL native syntax: a recovering parser with exact ranges.
 *
 * Knows bodies, blocks, attributes and expressions (literals, templates, heredocs, lists, maps,
 * references, calls, operators, conditionals, for, splat); evaluates only what is constant.
 * Nesting is bounded and costs no C stack beyond that bound. Everything lives in the arena and
 * points into the text. Source: HCL native syntax specification (hclsyntax). Threads: any. */
#ifndef TN_STUDIO_HCL_H
#define TN_STUDIO_HCL_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "jsonrpc/json.h"

struct tn_hcl_range {
	uint32_t start, end;   /* bytes */
	uint32_t line, column; /* of the start, from 1; columns in characters */
};

enum tn_hcl_kind {
	TN_HCL_CONSTANT,  /* `value` has it as JSON: literals, and lists and maps of such */
	TN_HCL_REFERENCE, /* a plain traversal: `steps` "azurerm_subnet", "a", "id"; keys as [..] */
	TN_HCL_TEMPLATE,  /* "text ${...}": `items` are its pieces, texts as constants */
	TN_HCL_LIST,      /* [..] with something that is not constant: `items` */
	TN_HCL_MAP,       /* {..} likewise: `items` have keys */
	TN_HCL_CALL,      /* steps[0] is the function, `items` its arguments */
	TN_HCL_OTHER      /* operators, conditionals, for, splat, directives, heredocs with
			   * interpolation: text only */
};

struct tn_hcl_value {
	enum tn_hcl_kind kind;
	struct tn_hcl_range range;
	struct tn_str text; /* as written */
	const struct tn_json *value;
	struct tn_str *steps;
	size_t step_count;
	struct tn_str key;                 /* of an item of a map */
	struct tn_hcl_value *items, *next; /* first item; sibling. Constant lists have them, too */
	size_t item_count;
};

struct tn_hcl_attribute {
	struct tn_str name;
	struct tn_hcl_range range;
	struct tn_hcl_value *value;
	const void *mark; /* the reader's own; NULL at first */
	struct tn_hcl_attribute *next;
};

enum { TN_HCL_LABELS_MAX = 4 };

struct tn_hcl_body;
struct tn_hcl_block {
	struct tn_str type, text; /* text: as written, with its leading comments and the one that
				   * follows on its last line */
	struct tn_str labels[TN_HCL_LABELS_MAX];
	unsigned label_count;
	struct tn_hcl_range range;
	bool faulty; /* something in it could not be read; the rest is there */
	struct tn_hcl_body *body;
	const void *mark; /* the reader's own; NULL at first */
	struct tn_hcl_block *next;
};

struct tn_hcl_body {
	struct tn_hcl_attribute *attributes; /* in order */
	struct tn_hcl_block *blocks;         /* in order */
};

struct tn_hcl_fault {
	struct tn_hcl_range range; /* empty: where something was missing */
	const char *message;       /* static */
	struct tn_hcl_fault *next;
};

struct tn_hcl_file {
	struct tn_hcl_body *body;
	struct tn_hcl_fault *faults; /* NULL: it parses. At most TN_HCL_FAULTS_MAX */
};

/* Never refuses a text for its content: what cannot be read is a fault and is passed over (of a
 * text that is not UTF-8, or has a NUL, all of it). Fails: LIMIT (TN_HCL_BYTES_MAX,
 * TN_HCL_NODES_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_hcl_parse(struct tn_arena *arena, struct tn_str text,
					 struct tn_hcl_file **ret, struct tenon_error *err);
const struct tn_hcl_attribute *tn_hcl_attribute_find(const struct tn_hcl_body *body,
						     const char *name);

#endif
