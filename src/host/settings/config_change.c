#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "host/settings/config_key.h"
#include "host/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* ---- for the apps ---- */

const struct tn_settings *tn_config_views(struct tn_config *config)
{
	if (config->opened_with)
		return config->opened_with->views;
	config->lent = true;
	return config->views;
}

struct tn_settings tn_config_opened(struct tn_config *config)
{
	return tn_settings_of(tn_config_views(config), tn_config_table_at(0));
}

/* ---- changing ---- */

static enum tenon_code edit_text(struct tn_str text, const char *name, const char *value,
				 struct tn_buf *out, struct tenon_error *err)
{
	struct tn_str keys[TN_CONFIG_DEPTH_MAX];
	struct tn_jsonc_path path = tn_config_key_path(name, keys);
	enum tenon_code code;

	if (value)
		return tn_jsonc_set(text, path, tn_str_from(value), out, err);
	code = tn_jsonc_remove(text, path, out, err);
	if (code == TENON_NOT_FOUND) { /* it is at its default already */
		tn_buf_append_str(out, text);
		return tn_buf_check(out, err);
	}
	return code;
}

/* The file keeps its mode; a new one, and a folder for it, is the user's alone. A symbolic link
 * stays one: what it points to is replaced. */
static enum tenon_code write_text(const struct tn_config *config, struct tn_str text,
				  struct tenon_error *err)
{
	const char *path = config->path;
	char target[PATH_MAX], folder[PATH_MAX];
	struct stat status;
	enum tenon_code code;

	if (!*path)
		return tn_fail(err, TENON_NOT_FOUND, "neither XDG_CONFIG_HOME nor HOME is set");
	if (realpath(path, target) && stat(target, &status) == 0)
		return tn_file_write(target, status.st_mode & 07777, text, err);
	if (errno != ENOENT)
		return tn_fail_errno(err, errno, "find the file");
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)(tn_config_name(config) - path), path);
	code = *folder ? tn_dir_create(folder, 0700, err) : TENON_OK;
	return code == TENON_OK ? tn_file_write(path, 0600, text, err) : code;
}

static enum tenon_code check_change(const struct tn_config *config, const char *name,
				    struct tenon_error *err)
{
	const struct tn_setting *key = tn_config_key_find(tn_str_from(name));
	const char *near = tn_config_key_near(tn_str_from(name));
	char scratch[TN_CONFIG_VARIABLE_MAX];

	if (!key)
		return tn_fail(err, TENON_INVALID, "%.60s: there is no such setting%s%s%s", name,
			       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	switch (config->values[tn_config_key_index(key)].source) {
	case TN_SETTING_ENVIRONMENT:
		return tn_fail(err, TENON_DENIED,
			       "%s: the variable %s decides; the file would change nothing", name,
			       tn_config_key_variable(key, scratch));
	case TN_SETTING_FLAG:
		return tn_fail(err, TENON_DENIED,
			       "%s: a flag at the start decides; the file would change nothing",
			       name);
	default:
		return TENON_OK;
	}
}

static enum tenon_code check_changes(const struct tn_config *config,
				     const struct tn_config_edit *edits, size_t count,
				     struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = check_change(config, edits[i].key, err);
	return code;
}

/* Each edit is made in what the ones before it left. */
static enum tenon_code edit_all(struct tn_str text, const struct tn_config_edit *edits,
				size_t count, struct tn_buf *out, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_buf before;

	tn_buf_init(&before, TN_CONFIG_BYTES_MAX);
	tn_buf_append_str(out, text);
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		struct tn_buf swap = before;

		before = *out;
		*out = swap;
		tn_buf_clear(out);
		code = edit_text(tn_buf_str(&before), edits[i].key, edits[i].value, out, err);
	}
	if (code == TENON_OK)
		code = tn_buf_check(out, err);
	tn_buf_finish(&before);
	return code;
}

/* Takes over what was read again; the old values go, or stay for those who have views of them. */
static void replace(struct tn_config *config, struct tn_config *again)
{
	struct tn_config old = *config;

	*config = *again;
	*again = old;
	config->opened_with = old.lent ? again : old.opened_with;
	again->opened_with = NULL;
	if (!old.lent)
		tn_config_free(again);
}

enum tenon_code tn_config_change(struct tn_config *config, const char *key, const char *value,
				 struct tenon_error *err)
{
	const struct tn_config_edit edit = {key, value};

	return tn_config_change_all(config, &edit, 1, err);
}

enum tenon_code tn_config_change_all(struct tn_config *config, const struct tn_config_edit *edits,
				     size_t count, struct tenon_error *err)
{
	struct tn_buf old, text;
	struct tn_config *again = NULL;
	enum tenon_code code = check_changes(config, edits, count, err);

	if (code != TENON_OK)
		return code;
	tn_buf_init(&old, TN_CONFIG_BYTES_MAX);
	tn_buf_init(&text, TN_CONFIG_BYTES_MAX);
	code = tn_config_read_text(config, &old, err);
	if (code == TENON_OK)
		code = edit_all(tn_buf_str(&old), edits, count, &text, err);
	if (code == TENON_OK)
		code = tn_config_read_again(config, tn_buf_str(&text), &again, err);
	if (code == TENON_OK && !tn_str_equal(tn_buf_str(&old), tn_buf_str(&text)))
		code = write_text(config, tn_buf_str(&text), err);
	if (code == TENON_OK)
		replace(config, again);
	else
		tn_config_free(again);
	tn_buf_finish(&old);
	tn_buf_finish(&text);
	return code;
}

enum tenon_code tn_config_reload(struct tn_config *config, struct tenon_error *err)
{
	struct tn_config *again = NULL;
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_CONFIG_BYTES_MAX);
	code = tn_config_read_text(config, &text, err);
	if (code == TENON_OK)
		code = tn_config_read_again(config, tn_buf_str(&text), &again, err);
	if (code == TENON_OK)
		replace(config, again);
	else
		tn_config_free(again);
	tn_buf_finish(&text);
	return code;
}

/* ---- tenon://settings ---- */

static void write_values(const struct tn_setting *key, struct tn_buf *out)
{
	tn_json_put_key(out, "values");
	tn_json_begin_array(out);
	for (const char *at = key->values; *at; at += *at == '|') {
		size_t size = strcspn(at, "|");

		tn_json_put_str(out, tn_str(at, size));
		at += size;
	}
	tn_json_end_array(out);
}

static void write_setting(const struct tn_setting *key, const struct tn_setting_value *value,
			  const struct tn_setting_value *fallback, struct tn_buf *out)
{
	static const char *const sources[] = {
		[TN_SETTING_DEFAULT] = "default",
		[TN_SETTING_FILE] = "file",
		[TN_SETTING_ENVIRONMENT] = "environment",
		[TN_SETTING_FLAG] = "flag",
	};

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "key", key->key);
	tn_json_put_key(out, "value");
	tn_config_value_put_json(key, value, out);
	tn_json_put_key(out, "default");
	tn_config_value_put_json(key, fallback, out);
	tn_json_put_member_text(out, "source", sources[value->source]);
	tn_json_put_member_text(out, "type", tn_config_type_name(key->type));
	tn_json_put_member_text(out, "description", key->description);
	tn_json_put_member_bool(out, "restart", key->restart);
	if (key->type == TN_SETTING_INTEGER) {
		tn_json_put_member_int(out, "minimum", key->least);
		tn_json_put_member_int(out, "maximum", key->most);
	}
	if (key->values)
		write_values(key, out);
	tn_json_end_object(out);
}

void tn_config_write(const struct tn_config *config, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "path", config->path);
	tn_json_put_key(out, "settings");
	tn_json_begin_array(out);
	for (size_t i = 0; i < tn_config_key_count(); i++)
		write_setting(tn_config_key_at(i), &config->values[i], &config->defaults[i], out);
	tn_json_end_array(out);
	tn_json_end_object(out);
}
