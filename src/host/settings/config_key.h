/* config_key.h - the tables of settings, and values as they are read by them (config.h).
 *
 * Ownership: values live in the arena that they are read into. Threads: any. */
#ifndef TN_HOST_CONFIG_KEY_H
#define TN_HOST_CONFIG_KEY_H

#include "base/buf.h"
#include "host/settings/config.h"
#include "jsonrpc/jsonc.h"

/* The daemon's own table and those of the apps, in the order of the documentation. NULL: past the
 * end. */
const struct tn_setting_table *tn_config_table_at(size_t index);
/* All of them in one row. */
size_t tn_config_key_count(void);
const struct tn_setting *tn_config_key_at(size_t index); /* below the count */
size_t tn_config_key_index(const struct tn_setting *key);

enum { TN_CONFIG_VARIABLE_MAX = 64, TN_CONFIG_WHY_MAX = 176 };

/* NULL: there is none. */
const struct tn_setting *tn_config_key_find(struct tn_str name);
/* True when the word begins keys: "http" of "http.port". */
bool tn_config_key_is_group(struct tn_str name);
/* "did you mean" for a name that is no key: the nearest one, or NULL. */
const char *tn_config_key_near(struct tn_str name);
/* The variable's name. */
const char *tn_config_key_variable(const struct tn_setting *key,
				   char scratch[TN_CONFIG_VARIABLE_MAX]);
const char *tn_config_type_name(enum tn_setting_type type);

/* False: `why` says what is wrong and what to send, without the key: "70000; send 1024 to 65535".
 * *starved is set when it was memory that failed. */
struct tn_config_reading {
	const struct tn_setting *key;
	struct tn_arena *arena;
	char why[TN_CONFIG_WHY_MAX];
	bool starved;
};
bool tn_config_value_from_text(struct tn_config_reading *reading, const char *text,
			       struct tn_setting_value *ret);
bool tn_config_value_from_json(struct tn_config_reading *reading, const struct tn_json *json,
			       struct tn_setting_value *ret);

/* As a variable says it. */
void tn_config_value_put_text(const struct tn_setting *key, const struct tn_setting_value *value,
			      struct tn_buf *out);
/* As JSON; without the secret part of secrets. */
void tn_config_value_put_json(const struct tn_setting *key, const struct tn_setting_value *value,
			      struct tn_buf *out);

/* "http.port" as a path into the file. */
enum { TN_CONFIG_DEPTH_MAX = 4 };
struct tn_jsonc_path tn_config_key_path(const char *key, struct tn_str keys[TN_CONFIG_DEPTH_MAX]);

/* What reading and changing share. */
struct tn_config {
	struct tn_arena arena;
	struct tn_setting_value *values, *defaults; /* one a key, in the table's order */
	char *path;                                 /* "" when there is no folder for it */
	bool named;                                 /* the caller named the file */
	const char **flags;                         /* pairs, NULL-terminated */
	const char **environment;      /* one a key: its variable at the start, or NULL */
	struct tn_settings *views;     /* one a table and an empty one; they live in the arena */
	bool lent;                     /* somebody has views of these values */
	struct tn_config *opened_with; /* the values that were lent, when these are later ones */
};
const char *tn_config_name(const struct tn_config *config); /* of the file, without its folder */

/* The file as it is; nothing when it is missing and may be. Fails: as tn_config_read. */
TN_MUST_USE enum tenon_code tn_config_read_text(const struct tn_config *config, struct tn_buf *text,
						struct tenon_error *err);
/* What `config` would be if `text` were the file. Fails: as tn_config_read. */
TN_MUST_USE enum tenon_code tn_config_read_again(const struct tn_config *config, struct tn_str text,
						 struct tn_config **ret, struct tenon_error *err);

/* docs/configuration.md, made from the table. */
void tn_config_docs(struct tn_buf *out);

#endif
