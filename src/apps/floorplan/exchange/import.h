/* import.h - the inside of tn_floor_import: JSON to text, with faults and warnings by path
 * (floorplan.md 10.1). Everything lives in the arena. Threads: one at a time. */
#ifndef TN_FLOOR_IMPORT_H
#define TN_FLOOR_IMPORT_H

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/exchange/internal.h"
#include "base/map.h"

struct tn_import_at { /* where in the JSON; on the C stack */
	const struct tn_import_at *outer;
	const char *key; /* NULL: an element */
	size_t index;
};

struct tn_import {
	struct tn_arena *arena;
	struct tn_buf text; /* as it grows; made canonical in the end */
	struct tn_buf *warnings, *faults;
	unsigned warning_count, fault_count;
	struct tn_map names; /* "scope name" -> the legal name */
	struct tn_map taken; /* "scope legal name" */
	bool starved;
};

/* Both do nothing past TN_IMPORT_TOLD_MAX. */
enum { TN_IMPORT_TOLD_MAX = 20 };
void tn_import_fault(struct tn_import *in, const struct tn_import_at *at, const char *format, ...)
	TN_PRINTF(3, 4);
void tn_import_warn(struct tn_import *in, const struct tn_import_at *at, const char *format, ...)
	TN_PRINTF(3, 4);

/* ---- reading; null counts as not there. A wrong type is told of. ---- */

/* Keys that are not among `known` (words with blanks between) are warned of. False: no object. */
bool tn_import_object(struct tn_import *in, const struct tn_json *json,
		      const struct tn_import_at *at, const char *known);
const struct tn_json *tn_import_get(const struct tn_json *object, const char *key);
/* Each: false: not there, or faulty. */
bool tn_import_number(struct tn_import *in, const struct tn_json *object,
		      const struct tn_import_at *at, const char *key, double *ret);
bool tn_import_text(struct tn_import *in, const struct tn_json *object,
		    const struct tn_import_at *at, const char *key, struct tn_str *ret);
bool tn_import_truth(struct tn_import *in, const struct tn_json *object,
		     const struct tn_import_at *at, const char *key);
/* One of `words` (with blanks between). */
bool tn_import_word(struct tn_import *in, const struct tn_json *object,
		    const struct tn_import_at *at, const char *key, const char *words,
		    struct tn_str *ret);
const struct tn_json *tn_import_array(struct tn_import *in, const struct tn_json *object,
				      const struct tn_import_at *at, const char *key);
void tn_import_missing(struct tn_import *in, const struct tn_import_at *at, const char *key);
/* Tells that it is missing, unless something is there, of which a fault has been told already. */
void tn_import_need(struct tn_import *in, const struct tn_json *object,
		    const struct tn_import_at *at, const char *key);

bool tn_import_not_below_zero(struct tn_import *in, const struct tn_import_at *at, const char *key,
			      double number);

/* ---- names ---- */

/* Registers the names of all; `scope` keeps kinds and floors apart. */
void tn_import_add_name(struct tn_import *in, const char *scope, struct tn_str name,
			const struct tn_import_at *at, bool legal_pass);
/* The legal form of a name, which may be in another scope (NULL: none), too; of an unknown one as
 * well. */
struct tn_str tn_import_legal_name(struct tn_import *in, const char *scope, const char *other,
				   struct tn_str name);
bool tn_import_knows(struct tn_import *in, const char *scope, struct tn_str name);
/* Scope of the rooms ('r') or stairs and lifts ('c') of a floor by its original name. */
const char *tn_import_scope(struct tn_import *in, char kind, struct tn_str floor);
#define TN_IMPORT_FLOORS "f"
#define TN_IMPORT_STYLES "s"

/* ---- writing ---- */

void tn_import_put(struct tn_import *in, const char *format, ...) TN_PRINTF(2, 3);
void tn_import_put_number(struct tn_import *in, double number);
/* In quotes; what no string of the language can hold is replaced and warned of. */
void tn_import_put_string(struct tn_import *in, const struct tn_import_at *at, struct tn_str text);
/* " word number", above zero if `positive`; nothing if it is not there. */
void tn_import_put_measure(struct tn_import *in, const struct tn_json *object,
			   const struct tn_import_at *at, const char *key, const char *word,
			   bool positive);
/* " word (W x H)" of "width" and "height" of the object. False: none. */
bool tn_import_put_size(struct tn_import *in, const struct tn_json *object,
			const struct tn_import_at *at, const char *word, bool full);
void tn_import_put_place(struct tn_import *in, const struct tn_json *object,
			 const struct tn_import_at *at);
void tn_import_put_relative(struct tn_import *in, const struct tn_json *object,
			    const struct tn_import_at *at, const char *floor_scope,
			    const char *other_scope);
void tn_import_put_label(struct tn_import *in, const struct tn_json *object,
			 const struct tn_import_at *at, const char *name_key,
			 struct tn_str legal_name);
void tn_import_put_style(struct tn_import *in, const struct tn_json *object,
			 const struct tn_import_at *at);

/* ---- parts ---- */

void tn_import_rooms(struct tn_import *in, const struct tn_json *list,
		     const struct tn_import_at *at, struct tn_str floor, unsigned depth);
void tn_import_stair(struct tn_import *in, const struct tn_json *json,
		     const struct tn_import_at *at, struct tn_str floor);
void tn_import_lift(struct tn_import *in, const struct tn_json *json, const struct tn_import_at *at,
		    struct tn_str floor);

#endif
