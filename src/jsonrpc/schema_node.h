/* schema_node.h - a compiled schema, and what its compiler and its checker share. Private to
 * schema*.c; schema.h says what may be relied on.
 *
 * Everything here lives in the schema's own arena and does not change after compiling. */
#ifndef TN_JSONRPC_SCHEMA_NODE_H
#define TN_JSONRPC_SCHEMA_NODE_H

#include "base/arena.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/pattern.h"
#include "jsonrpc/schema.h"

/* ---- compiled form ---- */

enum tn_schema_kind {
	TN_SCHEMA_ANY,     /* true, {} */
	TN_SCHEMA_NEVER,   /* false */
	TN_SCHEMA_RULES,   /* everything else */
	TN_SCHEMA_EXTERNAL /* the target of a reference that leaves the schema */
};

enum { /* bits of tn_schema_node.types */
       TN_SCHEMA_NULL = 1,
       TN_SCHEMA_BOOLEAN = 2,
       TN_SCHEMA_INTEGER = 4,
       TN_SCHEMA_NUMBER = 8,
       TN_SCHEMA_STRING = 16,
       TN_SCHEMA_ARRAY = 32,
       TN_SCHEMA_OBJECT = 64
};

enum tn_schema_format {
	TN_SCHEMA_FORMAT_OTHER,
	TN_SCHEMA_FORMAT_EMAIL,
	TN_SCHEMA_FORMAT_URI,
	TN_SCHEMA_FORMAT_DATE,
	TN_SCHEMA_FORMAT_DATE_TIME
};

#define TN_SCHEMA_NO_MAX INT64_MAX

struct tn_schema_node;

struct tn_schema_list {
	const struct tn_schema_node **nodes;
	uint32_t count;
};

struct tn_schema_number {
	struct tn_str minimum, maximum, above, below; /* data NULL: absent */
	struct tn_str multiple_text;
	struct tn_json_divisor multiple;
};

struct tn_schema_text {
	int64_t min, max; /* characters */
	const struct tn_pattern *pattern;
	struct tn_str pattern_source;
	enum tn_schema_format format;
};

struct tn_schema_array {
	struct tn_schema_list prefix;
	const struct tn_schema_node *items;    /* of those behind the prefix; NULL: anything */
	const struct tn_schema_node *contains; /* NULL: absent */
	int64_t contains_min, contains_max;
	int64_t min, max;
	bool unique;
	const struct tn_schema_node *unevaluated;
};

struct tn_schema_property {
	struct tn_str name;
	const struct tn_schema_node *node; /* NULL: only required */
	bool required;
};

struct tn_schema_pattern_property {
	const struct tn_pattern *pattern;
	const struct tn_schema_node *node;
};

struct tn_schema_dependent { /* what a member asks for when it is there */
	struct tn_str trigger;
	struct tn_str *required;
	uint32_t required_count;
	const struct tn_schema_node *node; /* NULL: only required */
};

struct tn_schema_object {
	struct tn_schema_property *properties; /* sorted: tn_schema_name_compare */
	struct tn_schema_pattern_property *patterns;
	struct tn_schema_dependent *dependents;
	uint32_t properties_count, required_count, patterns_count, dependents_count;
	const struct tn_schema_node *additional; /* NULL: anything */
	const struct tn_schema_node *names;
	const struct tn_schema_node *unevaluated;
	int64_t min, max;
};

struct tn_schema_logic {
	struct tn_schema_list all, any, one;
	const struct tn_schema_node *not_node;
	const struct tn_schema_node *if_node, *then_node, *else_node;
	const struct tn_schema_node *ref;
	const struct tn_schema_node
		*dynamic_ref;       /* where it leads when read as a plain reference */
	struct tn_str dynamic_name; /* data NULL: it is a plain reference */
};

struct tn_schema_anchor {
	struct tn_str name;
	const struct tn_schema_node *node;
	const struct tn_schema_anchor *next;
};

/* What an $id opens: dynamic references look for their anchor resource by resource. */
struct tn_schema_resource {
	const struct tn_schema_anchor *dynamic_anchors;
};

struct tn_schema_node {
	uint8_t kind;
	uint8_t types; /* 0: any */
	uint8_t color; /* while compiling: looking for reference cycles */
	const struct tn_schema_resource *resource;
	const struct tn_json *constant; /* NULL: absent */
	const struct tn_json *values;   /* enum: an array; NULL: absent */
	struct tn_schema_number *number;
	struct tn_schema_text *text;
	struct tn_schema_array *array;
	struct tn_schema_object *object;
	struct tn_schema_logic *logic;
	struct tn_str external; /* EXTERNAL: the reference */
};

struct tn_schema {
	struct tn_arena arena;
	unsigned flags;
	const struct tn_schema_node *root;
};

/* The order of properties: by length, then bytes. Cheaper than the alphabet. */
static inline int tn_schema_name_compare(struct tn_str a, struct tn_str b)
{
	if (a.size != b.size)
		return a.size < b.size ? -1 : 1;
	return a.size ? memcmp(a.data, b.data, a.size) : 0;
}

/* ---- references (schema_uri.c) ---- */

/* RFC 3986 section 5.2. NULL data: no memory. */
struct tn_str tn_uri_resolve(struct tn_arena *arena, struct tn_str base, struct tn_str reference);

/* ---- checking ---- */

/* Where in the value we are; each lives on the stack of the visit that made it. */
struct tn_schema_spot {
	const struct tn_schema_spot *up; /* NULL: the root */
	const struct tn_json *value;
	uint32_t index; /* in an array */
	bool in_array;
	bool is_name; /* the value is the name of a member of `up` */
};

struct tn_schema_scope { /* the resources that were entered to get here */
	const struct tn_schema_scope *up;
	const struct tn_schema_resource *resource;
};

struct tn_schema_run {
	const struct tn_schema *schema;
	struct tn_schema_faults *faults; /* may be NULL */
	bool quiet;                      /* only the answer matters now: stop at the first fault */
	uint64_t steps, pattern_steps;   /* left */
	uint32_t frames;
	enum tenon_code stop; /* not OK: everything fails from here on */
};

/* Does the value fit the schema? */
bool tn_schema_visit(struct tn_schema_run *run, const struct tn_schema_node *node,
		     const struct tn_schema_spot *spot, const struct tn_schema_scope *scope);

/* The same without telling faults. */
bool tn_schema_fits(struct tn_schema_run *run, const struct tn_schema_node *node,
		    const struct tn_schema_spot *spot, const struct tn_schema_scope *scope);

/* Takes `count` steps; false, and the run stops, when there are not as many left. */
bool tn_schema_spend(struct tn_schema_run *run, uint64_t count, const struct tn_schema_spot *spot);

bool tn_schema_matches(struct tn_schema_run *run, const struct tn_pattern *pattern,
		       struct tn_str text, const struct tn_schema_spot *spot);

const struct tn_schema_property *tn_schema_find_property(const struct tn_schema_object *object,
							 struct tn_str name);
const struct tn_schema_node *tn_schema_dynamic_target(const struct tn_schema_logic *logic,
						      const struct tn_schema_scope *scope);
bool tn_schema_type_fits(uint8_t types, const struct tn_json *value);

/* unevaluatedProperties and unevaluatedItems (schema_unevaluated.c). */
bool tn_schema_check_unevaluated(struct tn_schema_run *run, const struct tn_schema_node *node,
				 const struct tn_schema_spot *spot,
				 const struct tn_schema_scope *scope);

/* Two equal elements, by index. False: there are none, or the run stopped (schema_unique.c). */
bool tn_schema_find_equal(struct tn_schema_run *run, const struct tn_schema_spot *array,
			  uint32_t *ret_first, uint32_t *ret_second);

/* RFC 5321, 3986 and 3339, as far as a form needs them (schema_format.c). */
bool tn_schema_format_holds(enum tn_schema_format format, struct tn_str text);

/* ---- telling (schema_fault.c); each does nothing in a quiet run and returns false ---- */

bool tn_schema_fault(struct tn_schema_run *run, const struct tn_schema_spot *spot,
		     const char *keyword, const char *format, ...) TN_PRINTF(4, 5);
bool tn_schema_fault_type(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			  uint8_t types);
bool tn_schema_fault_value(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			   const struct tn_schema_node *node); /* enum, const */
bool tn_schema_fault_missing(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			     struct tn_str name, const struct tn_schema_node *node);
bool tn_schema_fault_dependent(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			       struct tn_str name, struct tn_str trigger);
bool tn_schema_fault_unknown(struct tn_schema_run *run, const struct tn_schema_spot *member,
			     const char *keyword, const struct tn_schema_object *known);
/* `value` is told as part of the sentence: "<value> <text>". */
bool tn_schema_fault_about(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			   const char *keyword, struct tn_str text, const char *more);
bool tn_schema_fault_none(struct tn_schema_run *run, const struct tn_schema_spot *spot,
			  const char *keyword,
			  const struct tn_schema_list *list); /* anyOf, oneOf */
/* Ends the run: told even in a quiet one. */
bool tn_schema_stop(struct tn_schema_run *run, const struct tn_schema_spot *spot,
		    enum tenon_code code, const char *keyword, const char *format, ...)
	TN_PRINTF(5, 6);

#endif
