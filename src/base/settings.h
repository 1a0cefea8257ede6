/* settings.h - a setting is described once, in a row of its folder's table, and read by its type.
 *
 * The host collects the tables, takes values from flags, variables and config.json, checks them by
 * their rows, and hands out views (host/settings/config.h). Who has no host, a test or a program
 * with one app, reads the rows' own defaults. Reading allocates nothing and cannot fail, so that
 * no setting is ever replaced by a looser one. Ownership: a view's values are the host's and live
 * as long as its apps. Threads: any. */
#ifndef TN_BASE_SETTINGS_H
#define TN_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tn_setting_type {
	TN_SETTING_BOOLEAN,
	TN_SETTING_INTEGER,
	TN_SETTING_STRING,
	TN_SETTING_LIST /* of strings */
};

enum tn_setting_rule {
	TN_SETTING_ANY,
	TN_SETTING_ADDRESS,  /* an IP address */
	TN_SETTING_HOST,     /* a name, with a port or without */
	TN_SETTING_APP,      /* an app of this program */
	TN_SETTING_ABSOLUTE, /* an absolute path, or nothing */
	TN_SETTING_LOG,      /* the same, or "-" */
	TN_SETTING_URL,      /* http:// or https://, or nothing if that is the default */
	TN_SETTING_HEADER,   /* "Name: value" */
	TN_SETTING_VARIABLE, /* the name of an environment variable; see tn_settings_secret */
	TN_SETTING_PATTERN,  /* the same, or with * for any letters */
	TN_SETTING_REGEX,    /* a regular expression */
	TN_SETTING_FIT       /* "NAME=PROFILE", see mcp/fit.h */
};

struct tn_setting {
	const char *key; /* "http.port" */
	enum tn_setting_type type;
	const char *fallback; /* the default, as a variable would say it; NULL: every app there is;
			       * of a LIST: nothing */
	const char *description;
	int64_t least, most; /* INTEGER; LIST: at most so many, 0: 256 */
	const char *values;  /* STRING: "a|b", or NULL */
	enum tn_setting_rule rule;
	const char *variable; /* NULL: TENON_ and the key in capitals */
	char separator;       /* LIST, in a variable or flag; 0: a comma */
	bool restart;         /* a running daemon does not take it over */
	bool secret;          /* elements are shown up to their colon only */
};

struct tn_setting_table {
	const struct tn_setting *rows;
	size_t count;
};

enum tn_setting_source {
	TN_SETTING_DEFAULT,
	TN_SETTING_FILE,
	TN_SETTING_ENVIRONMENT,
	TN_SETTING_FLAG
};

struct tn_setting_value {
	enum tn_setting_source source;
	union {
		bool on;
		int64_t number;
		const char *text;
		const char *const *list; /* ends with NULL */
	};
	const char *secret; /* rule VARIABLE: the value of the variable it names; NULL: not set */
};

/* Values of one table. */
struct tn_settings {
	const struct tn_setting_table *table;  /* NULL: the end of an array of views */
	const struct tn_setting_value *values; /* one a row; NULL: the defaults */
};

/* The view of a table among those of a host, which may be NULL; else its defaults. */
struct tn_settings tn_settings_of(const struct tn_settings *views,
				  const struct tn_setting_table *table);

/* The key is one of the table's, of that type; anything else is a mistake of ours. */
bool tn_settings_bool(const struct tn_settings *settings, const char *key);
int64_t tn_settings_int(const struct tn_settings *settings, const char *key);
/* The same, for rows whose bounds lie within these types. */
uint32_t tn_settings_u32(const struct tn_settings *settings, const char *key);
uint64_t tn_settings_u64(const struct tn_settings *settings, const char *key);
const char *tn_settings_text(const struct tn_settings *settings, const char *key); /* never NULL */
/* Whether it is that word, one of the row's `values`. */
bool tn_settings_is(const struct tn_settings *settings, const char *key, const char *word);
const char *const *tn_settings_list(const struct tn_settings *settings,
				    const char *key); /* NULL at end */
/* What the variable holds that the setting names, as it was when the host started; NULL: nothing,
 * or there is no host. */
const char *tn_settings_secret(const struct tn_settings *settings, const char *key);

#endif
