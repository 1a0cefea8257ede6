/* config_key.h - the table of settings, and values as they are read by it (config.h).
 *
 * Ownership: values live in the arena that they are read into. Threads: any. */
#ifndef TN_HOST_CONFIG_KEY_H
#define TN_HOST_CONFIG_KEY_H

#include "base/buf.h"
#include "host/config.h"
#include "jsonrpc/jsonc.h"

enum tn_config_type {
	TN_CONFIG_BOOLEAN,
	TN_CONFIG_INTEGER,
	TN_CONFIG_STRING,
	TN_CONFIG_LIST /* of strings */
};

enum tn_config_rule {
	TN_CONFIG_ANY,
	TN_CONFIG_ADDRESS,  /* an IP address */
	TN_CONFIG_HOST,     /* a name, with a port or without */
	TN_CONFIG_APP,      /* an app of this program */
	TN_CONFIG_ABSOLUTE, /* an absolute path, or nothing */
	TN_CONFIG_LOG,      /* the same, or "-" */
	TN_CONFIG_URL,      /* http:// or https:// */
	TN_CONFIG_HEADER,   /* "Name: value" */
	TN_CONFIG_VARIABLE, /* the name of an environment variable */
	TN_CONFIG_PATTERN   /* the same, or with * for any letters */
};

struct tn_config_key {
	const char *key; /* "http.port" */
	enum tn_config_type type;
	const char *fallback; /* as a variable would say it; NULL: every app there is */
	const char *description;
	int64_t least, most; /* INTEGER */
	const char *values;  /* STRING: "a|b", or NULL */
	enum tn_config_rule rule;
	const char *variable; /* NULL: TENON_ and the key in capitals */
	char separator;       /* LIST, in a variable or flag; 0: a comma */
	bool restart;         /* a running daemon does not take it over */
	bool app;             /* an app reads it, from its variable */
	bool secret;          /* elements are shown up to their colon only */
};

extern const struct tn_config_key tn_config_keys[];
extern const size_t tn_config_key_count;

enum { TN_CONFIG_VARIABLE_MAX = 64, TN_CONFIG_WHY_MAX = 176 };

/* NULL: there is none. */
const struct tn_config_key *tn_config_key_find(struct tn_str name);
/* True when the word begins keys: "http" of "http.port". */
bool tn_config_key_is_group(struct tn_str name);
/* "did you mean" for a name that is no key: the nearest one, or NULL. */
const char *tn_config_key_near(struct tn_str name);
/* The variable's name. */
const char *tn_config_key_variable(const struct tn_config_key *key,
				   char scratch[TN_CONFIG_VARIABLE_MAX]);
const char *tn_config_type_name(enum tn_config_type type);

struct tn_config_value {
	enum tn_config_source source;
	union {
		bool on;
		int64_t number;
		const char *text;
		const char *const *list; /* ends with NULL */
	};
};

/* False: `why` says what is wrong and what to send, without the key: "70000; send 1024 to 65535".
 * *starved is set when it was memory that failed. */
struct tn_config_reading {
	const struct tn_config_key *key;
	struct tn_arena *arena;
	char why[TN_CONFIG_WHY_MAX];
	bool starved;
};
bool tn_config_value_from_text(struct tn_config_reading *reading, const char *text,
			       struct tn_config_value *ret);
bool tn_config_value_from_json(struct tn_config_reading *reading, const struct tn_json *json,
			       struct tn_config_value *ret);

/* As a variable says it. */
void tn_config_value_put_text(const struct tn_config_key *key, const struct tn_config_value *value,
			      struct tn_buf *out);
/* As JSON; without the secret part of secrets. */
void tn_config_value_put_json(const struct tn_config_key *key, const struct tn_config_value *value,
			      struct tn_buf *out);

/* "http.port" as a path into the file. */
enum { TN_CONFIG_DEPTH_MAX = 4 };
struct tn_jsonc_path tn_config_key_path(const char *key, struct tn_str keys[TN_CONFIG_DEPTH_MAX]);

/* What reading and changing share. */
struct tn_config {
	struct tn_arena arena;
	struct tn_config_value *values, *defaults; /* one a key, in the table's order */
	char *path;                                /* "" when there is no folder for it */
	bool named;                                /* the caller named the file */
	const char **flags;                        /* pairs, NULL-terminated */
	const char **environment; /* one a key: its variable at the start, or NULL */
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
