/* toml_scan.h - TOML statement by statement, as far as an edit needs it: where each stands and what
 * its keys are; values are skipped.
 *
 * Slices are the text's or the arena's. Threads: any, one at a time. */
#ifndef TN_HOST_SETTINGS_TOML_SCAN_H
#define TN_HOST_SETTINGS_TOML_SCAN_H

#include "host/settings/toml_edit.h"

enum tn_toml_kind { TN_TOML_TABLE_HEADER, TN_TOML_TABLES_HEADER, TN_TOML_PAIR };

struct tn_toml_statement {
	enum tn_toml_kind kind;
	size_t at, next; /* from the start of its line to that of the next */
	size_t value_at, value_end;
	struct tn_str keys[TN_TOML_KEYS_MAX];
	size_t count;
};

struct tn_toml_scan {
	struct tn_arena *arena;
	struct tn_str text;
	size_t at;
	struct tenon_error *err;
	enum tenon_code code;
	/* The header that pairs stand below. */
	struct tn_str table[TN_TOML_KEYS_MAX];
	size_t table_count;
};

struct tn_toml_scan tn_toml_scan_begin(struct tn_arena *arena, struct tn_str text,
				       struct tenon_error *err);
/* False: there is no more, or scan->code says what is wrong. */
bool tn_toml_next(struct tn_toml_scan *scan, struct tn_toml_statement *ret);
/* A key of such characters needs no quotes. */
bool tn_toml_is_bare(char c);
/* "line 3: why"; always false. */
bool tn_toml_refuse(struct tn_toml_scan *scan, const char *why);

#endif
