/* config.h - the settings of daemon and apps: one row a key, with a default, a line in the
 * file, a flag and a variable (docs/configuration.md is made from the table).
 *
 * A value comes from the flag, else the variable, else the file, else the default: key
 * `http.port` is `--set http.port=7000`, TENON_HTTP_PORT, and {"http": {"port": 7000}} in
 * config.json. Apps read theirs in views (base/settings.h). Ownership: the config owns its texts.
 * Threads: main, before the loop; afterwards loop. */
#ifndef TN_HOST_CONFIG_H
#define TN_HOST_CONFIG_H

#include <limits.h>

#include "base/error.h"
#include "base/settings.h"
#include "base/str.h"
#include "jsonrpc/json_write.h"

struct tn_config;

/* `path`: the file; NULL: the user's, which may be missing (a named one may not). `flags`: pairs of
 * key and value, NULL-terminated, or NULL. Fails: INVALID ("config.json:4: http.port: 70000; send
 * 1024 to 65535"), NOT_FOUND (a named file), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_config_read(const char *path, const char *const *flags,
					   struct tn_config **ret, struct tenon_error *err);
void tn_config_free(struct tn_config *config); /* accepts NULL */

/* After tn_config_read has failed: everything that is wrong, a line each, the first
 * TN_CONFIG_FAULTS_MAX. */
void tn_config_faults(const char *path, const char *const *flags, struct tn_buf *out);

/* The folder of config.json, policy.json and mcp.json: $XDG_CONFIG_HOME/tenon or
 * $HOME/.config/tenon. It is not made. Fails: NOT_FOUND (neither variable is set), INVALID. */
TN_MUST_USE enum tenon_code tn_config_folder(char ret[PATH_MAX], struct tenon_error *err);

/* The key is one of the table's, of that type; anything else is a mistake of ours. Texts and lists
 * live until the next change. */
bool tn_config_bool(const struct tn_config *config, const char *key);
int64_t tn_config_int(const struct tn_config *config, const char *key);
const char *tn_config_text(const struct tn_config *config, const char *key); /* never NULL */
const char *const *tn_config_list(const struct tn_config *config,
				  const char *key); /* NULL at end */
const char *tn_config_path(const struct tn_config *config);
enum tn_setting_source tn_config_source(const struct tn_config *config, const char *key);

/* Views of all tables, for tenon_server's `settings`: the values as they are now, whatever changes
 * later, because an app has what it was opened with until it is started again. They live as long
 * as the config. */
const struct tn_settings *tn_config_views(struct tn_config *config);
/* The host's own among them: for what it reads of settings with `restart` while it runs. */
struct tn_settings tn_config_opened(struct tn_config *config);

/* One key of the file changes, everything else in it stays byte for byte, comments too; then the
 * config is as if read again. `value`: JSON text; NULL: the key goes. Fails: as tn_config_read, and
 * DENIED (a flag or variable decides, so that the file would change nothing). */
TN_MUST_USE enum tenon_code tn_config_change(struct tn_config *config, const char *key,
					     const char *value, struct tenon_error *err);

/* Several at once, wholly or not at all: they are checked together, as the file will say them. */
struct tn_config_edit {
	const char *key, *value; /* as above */
};
TN_MUST_USE enum tenon_code tn_config_change_all(struct tn_config *config,
						 const struct tn_config_edit *edits, size_t count,
						 struct tenon_error *err);

/* The file is read again. Fails: as tn_config_read; the config is as it was. */
TN_MUST_USE enum tenon_code tn_config_reload(struct tn_config *config, struct tenon_error *err);

/* The value of tenon://settings (docs/daemon.md). */
void tn_config_write(const struct tn_config *config, struct tn_buf *out);

/* The keys: src/host/settings/config_key.c, and settings_table.c of each app. */

#endif
