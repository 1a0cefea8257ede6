#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/limits.h"
#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/settings/config_key.h"
#include "jsonrpc/jsonc.h"
#include "store/file.h"

enum { NAME_MAX_BYTES = 128 };

/* ---- faults: all are told, not only the first ---- */

struct faults {
	struct tn_buf *out; /* a line each; may be NULL */
	struct tenon_error *err;
	enum tenon_code code; /* of the first */
	size_t count;
};

static void add_fault(struct faults *faults, enum tenon_code code, const char *format, ...)
	TN_PRINTF(3, 4);
static void add_fault(struct faults *faults, enum tenon_code code, const char *format, ...)
{
	char line[TENON_ERROR_MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (faults->count++ == 0)
		faults->code = tn_fail(faults->err, code, "%s", line);
	if (faults->out && faults->count <= TN_CONFIG_FAULTS_MAX)
		tn_buf_format(faults->out, "%s\n", line);
}

/* The first fault's sentence, and how many more there are. */
static enum tenon_code end_faults(const struct faults *faults)
{
	char first[TENON_ERROR_MESSAGE_MAX];

	if (faults->count > 1 && faults->err) {
		memcpy(first, faults->err->message, sizeof(first));
		(void)tn_fail(faults->err, faults->code, "%.200s (and %zu more)", first,
			      faults->count - 1);
	}
	return faults->count ? faults->code : TENON_OK;
}

static void add_reading_fault(struct faults *faults, const struct tn_config_reading *reading,
			      const char *where)
{
	add_fault(faults, reading->starved ? TENON_NO_MEMORY : TENON_INVALID, "%s: %s", where,
		  reading->why);
}

/* ---- the file ---- */

struct walk {
	struct tn_config *config;
	struct faults *faults;
	struct tn_str text; /* as written */
	const char *base;   /* what the tree's slices point into */
	const char *name;   /* of the file, without its folder */
	char key[NAME_MAX_BYTES];
};

const char *tn_config_name(const struct tn_config *config)
{
	const char *slash = strrchr(config->path, '/');

	return slash ? slash + 1 : config->path;
}

static void unknown_key(struct walk *walk, size_t line)
{
	const char *near = tn_config_key_near(tn_str_from(walk->key));
	const char *dot = strchr(walk->key, '.');

	if (tn_config_key_find(tn_str_from(walk->key)) && dot)
		add_fault(walk->faults, TENON_INVALID,
			  "%s:%zu: \"%s\" is not written with a dot; send {\"%.*s\": {...}}",
			  walk->name, line, walk->key, (int)(dot - walk->key), walk->key);
	else if (near)
		add_fault(walk->faults, TENON_INVALID,
			  "%s:%zu: %s: there is no such setting; did you mean %s?", walk->name,
			  line, walk->key, near);
	else
		add_fault(walk->faults, TENON_INVALID,
			  "%s:%zu: %s: there is no such setting; docs/configuration.md lists them",
			  walk->name, line, walk->key);
}

static void take_member(struct walk *walk, const struct tn_setting *key, const struct tn_json *json,
			size_t line)
{
	struct tn_config_reading reading = {.key = key, .arena = &walk->config->arena};
	struct tn_setting_value value = {.source = TN_SETTING_FILE};
	char where[NAME_MAX_BYTES * 2];

	if (tn_config_value_from_json(&reading, json, &value)) {
		walk->config->values[tn_config_key_index(key)] = value;
		return;
	}
	(void)snprintf(where, sizeof(where), "%.80s:%zu: %s", walk->name, line, key->key);
	add_reading_fault(walk->faults, &reading, where);
}

static void walk_object(struct walk *walk, const struct tn_json *object, size_t used)
{
	for (const struct tn_json *child = object->first; child; child = child->next) {
		size_t line = tn_jsonc_line(walk->text, (size_t)(child->key.data - walk->base));
		struct tn_str name = child->key;
		const struct tn_setting *key;
		bool dotted = tn_str_find_byte(name, '.') != TN_STR_NONE;
		size_t room = sizeof(walk->key) - used - 1;

		(void)snprintf(walk->key + used, sizeof(walk->key) - used, "%.*s",
			       (int)(name.size < room ? name.size : room), name.data);
		key = tn_config_key_find(tn_str_from(walk->key));
		if (key && !dotted) {
			take_member(walk, key, child, line);
		} else if (!dotted && tn_config_key_is_group(tn_str_from(walk->key))) {
			size_t end = strlen(walk->key);

			if (child->type != TN_JSON_OBJECT) {
				add_fault(walk->faults, TENON_INVALID,
					  "%s:%zu: %s: this is of type %s; send an object",
					  walk->name, line, walk->key, tn_json_type_name(child));
				continue;
			}
			walk->key[end] = '.';
			walk_object(walk, child, end + 1);
		} else {
			unknown_key(walk, line);
		}
	}
}

/* "line 4: why" is told as "config.json:4: why". */
static void add_text_fault(struct walk *walk, const struct tenon_error *err)
{
	bool has_line = strncmp(err->message, "line ", 5) == 0;

	add_fault(walk->faults, err->code, has_line ? "%s:%s" : "%s: %s", walk->name,
		  err->message + (has_line ? 5 : 0));
}

/* The tree has only the last of two members with one key; which was meant nobody knows. */
static void refuse_doubles(struct walk *walk)
{
	struct tenon_error err, last = {.code = TENON_OK};
	struct tn_jsonc_member member;
	struct tn_str keys[TN_CONFIG_DEPTH_MAX];

	for (size_t i = 0; i < tn_config_key_count(); i++) {
		struct tn_jsonc_path path = tn_config_key_path(tn_config_key_at(i)->key, keys);

		if (tn_jsonc_find(walk->text, path, &member, &err) != TENON_INVALID ||
		    !strstr(err.message, "a second time") || strcmp(err.message, last.message) == 0)
			continue;
		add_text_fault(walk, &err);
		last = err;
	}
}

static void take_file(struct tn_config *config, struct tn_str text, struct faults *faults)
{
	struct walk walk = {
		.config = config, .faults = faults, .text = text, .name = tn_config_name(config)};
	struct tn_json *root = NULL;
	struct tn_arena arena;
	struct tenon_error err;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_jsonc_parse(&arena, text, &root, &walk.base, &err) != TENON_OK) {
		add_text_fault(&walk, &err);
	} else if (root->type != TN_JSON_OBJECT) {
		add_fault(faults, TENON_INVALID, "%s:1: send an object: {\"http\": {...}}",
			  walk.name);
	} else {
		walk_object(&walk, root, 0);
		refuse_doubles(&walk);
	}
	tn_arena_finish(&arena);
}

enum tenon_code tn_config_read_text(const struct tn_config *config, struct tn_buf *text,
				    struct tenon_error *err)
{
	enum tenon_code code;

	if (!*config->path)
		return TENON_OK;
	code = tn_file_read(config->path, TN_FILE_REGULAR_ONLY, text, err);
	if (code == TENON_NOT_FOUND && !config->named)
		return TENON_OK;
	if (code != TENON_OK && err) {
		struct tenon_error inner = *err;

		code = tn_fail(err, code, "%.100s: %.120s", tn_config_name(config), inner.message);
	}
	return code;
}

/* ---- variables and flags ---- */

static void take_outside(struct tn_config *config, const struct tn_setting *key, const char *text,
			 const char *where, enum tn_setting_source source, struct faults *faults)
{
	struct tn_config_reading reading = {.key = key, .arena = &config->arena};
	struct tn_setting_value value = {.source = source};

	if (tn_config_value_from_text(&reading, text, &value))
		config->values[tn_config_key_index(key)] = value;
	else
		add_reading_fault(faults, &reading, where);
}

static void take_defaults(struct tn_config *config, struct faults *faults)
{
	char apps[TENON_ERROR_MESSAGE_MAX];

	tn_apps_list(apps, sizeof(apps));
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);

		take_outside(config, key, key->fallback ? key->fallback : apps, key->key,
			     TN_SETTING_DEFAULT, faults);
	}
	memcpy(config->defaults, config->values, tn_config_key_count() * sizeof(*config->values));
}

static void take_environment(struct tn_config *config, struct faults *faults)
{
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);
		char scratch[TN_CONFIG_VARIABLE_MAX];

		if (config->environment[i])
			take_outside(config, key, config->environment[i],
				     tn_config_key_variable(key, scratch), TN_SETTING_ENVIRONMENT,
				     faults);
	}
}

static void take_flags(struct tn_config *config, struct faults *faults)
{
	for (size_t i = 0; config->flags[i]; i += 2) {
		const char *name = config->flags[i];
		const struct tn_setting *key = tn_config_key_find(tn_str_from(name));
		const char *near = tn_config_key_near(tn_str_from(name));
		char where[NAME_MAX_BYTES];

		if (key) {
			(void)snprintf(where, sizeof(where), "--set %s", key->key);
			take_outside(config, key, config->flags[i + 1], where, TN_SETTING_FLAG,
				     faults);
		} else if (near) {
			add_fault(faults, TENON_INVALID,
				  "--set %.60s: there is no such setting; did you mean %s?", name,
				  near);
		} else {
			add_fault(faults, TENON_INVALID, "--set %.60s: there is no such setting",
				  name);
		}
	}
}

/* ---- all of it ---- */

static const struct tn_setting_value *value_of(const struct tn_config *config, const char *name,
					       enum tn_setting_type type)
{
	const struct tn_setting *key = tn_config_key_find(tn_str_from(name));

	tn_assert(key && key->type == type);
	return &config->values[tn_config_key_index(key)];
}

/* What single values cannot say: reaching beyond this machine takes two settings. */
static void check_together(const struct tn_config *config, struct faults *faults)
{
	const char *address = tn_config_text(config, "http.listen");
	bool local = strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;

	if (!local && !tn_config_bool(config, "http.allow_remote"))
		add_fault(faults, TENON_INVALID,
			  "http.listen: other machines reach %s; set http.allow_remote to true as "
			  "well, or send 127.0.0.1",
			  address);
}

/* What the variables hold that settings name: here, so that nobody else looks for secrets. */
static void take_secrets(struct tn_config *config, struct faults *faults)
{
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);
		struct tn_setting_value *value = &config->values[i];
		const char *secret = key->rule == TN_SETTING_VARIABLE ? getenv(value->text) : NULL;

		if (!secret || !*secret)
			continue;
		value->secret = tn_arena_copy(&config->arena, tn_str_from(secret));
		if (!value->secret)
			add_fault(faults, TENON_NO_MEMORY, "%s: no memory for the value", key->key);
	}
}

static void fill(struct tn_config *config, struct tn_str text, struct faults *faults)
{
	take_defaults(config, faults);
	if (text.size)
		take_file(config, text, faults);
	take_environment(config, faults);
	take_flags(config, faults);
	if (faults->count == 0)
		take_secrets(config, faults);
	if (faults->count == 0)
		check_together(config, faults);
}

static bool copy_flags(struct tn_config *config, const char *const *flags)
{
	size_t count = 0;

	while (flags && flags[count])
		count += 2;
	config->flags = tn_arena_alloc_array(&config->arena, count + 1, sizeof(*config->flags));
	for (size_t i = 0; config->flags && i < count; i++) {
		config->flags[i] = tn_arena_copy(&config->arena, tn_str_from(flags[i]));
		if (!config->flags[i])
			return false;
	}
	return config->flags != NULL;
}

static bool copy_environment(struct tn_config *config)
{
	config->environment = tn_arena_alloc_array(&config->arena, tn_config_key_count(),
						   sizeof(*config->environment));
	for (size_t i = 0; config->environment && i < tn_config_key_count(); i++) {
		char scratch[TN_CONFIG_VARIABLE_MAX];
		const char *text = getenv(tn_config_key_variable(tn_config_key_at(i), scratch));

		if (!text || !*text) /* set to nothing is not set */
			continue;
		config->environment[i] = tn_arena_copy(&config->arena, tn_str_from(text));
		if (!config->environment[i])
			return false;
	}
	return config->environment != NULL;
}

static bool take_over(struct tn_config *config, const struct tn_config *old)
{
	config->environment = tn_arena_alloc_array(&config->arena, tn_config_key_count(),
						   sizeof(*config->environment));
	for (size_t i = 0; config->environment && i < tn_config_key_count(); i++) {
		if (!old->environment[i])
			continue;
		config->environment[i] =
			tn_arena_copy(&config->arena, tn_str_from(old->environment[i]));
		if (!config->environment[i])
			return false;
	}
	return config->environment != NULL;
}

/* A view of each table's part of the values. */
static bool make_views(struct tn_config *config)
{
	const struct tn_setting_value *values = config->values;
	size_t count = 0;

	while (tn_config_table_at(count))
		count++;
	config->views = tn_arena_alloc_array(&config->arena, count + 1, sizeof(*config->views));
	for (size_t i = 0; config->views && i < count; i++) {
		config->views[i] =
			(struct tn_settings){.table = tn_config_table_at(i), .values = values};
		values += tn_config_table_at(i)->count;
	}
	return config->views != NULL;
}

/* An empty config with its path and flags; the environment is that of `old`, if there is one. */
static enum tenon_code create(const char *path, bool named, const char *const *flags,
			      const struct tn_config *old, struct tn_config **ret,
			      struct tenon_error *err)
{
	struct tn_config *config = tn_mem_alloc(sizeof(*config));

	if (!config)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the settings");
	tn_arena_init(&config->arena, TN_CONFIG_ARENA_MAX);
	config->named = named;
	config->path = tn_arena_copy(&config->arena, tn_str_from(path));
	config->values = tn_arena_alloc_array(&config->arena, tn_config_key_count(),
					      sizeof(*config->values));
	config->defaults = tn_arena_alloc_array(&config->arena, tn_config_key_count(),
						sizeof(*config->defaults));
	if (!config->path || !config->values || !config->defaults || !make_views(config) ||
	    !copy_flags(config, flags) ||
	    !(old ? take_over(config, old) : copy_environment(config))) {
		tn_config_free(config);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the settings");
	}
	*ret = config;
	return TENON_OK;
}

static enum tenon_code create_for(const char *path, const char *const *flags,
				  struct tn_config **ret, struct tenon_error *err)
{
	char folder[PATH_MAX], own[PATH_MAX + sizeof("/config.json")] = "";

	if (path)
		return create(path, true, flags, NULL, ret, err);
	if (tn_config_folder(folder, NULL) == TENON_OK)
		(void)snprintf(own, sizeof(own), "%s/config.json", folder);
	return create(own, false, flags, NULL, ret, err);
}

/* What config would be with the file `text`. */
enum tenon_code tn_config_read_again(const struct tn_config *config, struct tn_str text,
				     struct tn_config **ret, struct tenon_error *err)
{
	struct faults faults = {.err = err};
	struct tn_config *again = NULL;
	enum tenon_code code =
		create(config->path, config->named, config->flags, config, &again, err);

	if (code != TENON_OK)
		return code;
	fill(again, text, &faults);
	code = end_faults(&faults);
	if (code == TENON_OK)
		*ret = again;
	else
		tn_config_free(again);
	return code;
}

static enum tenon_code read_all(struct tn_config *config, struct faults *faults)
{
	struct tn_buf text;
	struct tenon_error err;
	enum tenon_code code;

	tn_buf_init(&text, TN_CONFIG_BYTES_MAX);
	code = tn_config_read_text(config, &text, &err);
	if (code != TENON_OK)
		add_fault(faults, code, "%s", err.message);
	fill(config, tn_buf_str(&text), faults);
	tn_buf_finish(&text);
	return end_faults(faults);
}

enum tenon_code tn_config_read(const char *path, const char *const *flags, struct tn_config **ret,
			       struct tenon_error *err)
{
	struct faults faults = {.err = err};
	struct tn_config *config = NULL;
	enum tenon_code code = create_for(path, flags, &config, err);

	if (code == TENON_OK)
		code = read_all(config, &faults);
	if (code == TENON_OK)
		*ret = config;
	else
		tn_config_free(config);
	return code;
}

void tn_config_faults(const char *path, const char *const *flags, struct tn_buf *out)
{
	struct tenon_error err;
	struct faults faults = {.err = &err, .out = out};
	struct tn_config *config = NULL;

	if (create_for(path, flags, &config, &err) == TENON_OK)
		(void)read_all(config, &faults);
	else
		tn_buf_format(out, "%s\n", err.message);
	if (faults.count > TN_CONFIG_FAULTS_MAX)
		tn_buf_format(out, "and %zu more\n", faults.count - TN_CONFIG_FAULTS_MAX);
	tn_config_free(config);
}

enum tenon_code tn_config_folder(char ret[PATH_MAX], struct tenon_error *err)
{
	const char *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	int size = 0;

	/* The specification of these folders: a relative path is invalid and must be ignored. */
	if (base && base[0] == '/')
		size = snprintf(ret, PATH_MAX, "%s/tenon", base);
	else if (home && home[0] == '/')
		size = snprintf(ret, PATH_MAX, "%s/.config/tenon", home);
	else
		return tn_fail(err, TENON_NOT_FOUND, "neither XDG_CONFIG_HOME nor HOME is set");
	if (size >= PATH_MAX)
		return tn_fail(err, TENON_INVALID, "the path of the settings is too long");
	return TENON_OK;
}

void tn_config_free(struct tn_config *config)
{
	if (!config)
		return;
	tn_config_free(config->opened_with);
	tn_arena_finish(&config->arena);
	tn_mem_free(config);
}

bool tn_config_bool(const struct tn_config *config, const char *key)
{
	return value_of(config, key, TN_SETTING_BOOLEAN)->on;
}

int64_t tn_config_int(const struct tn_config *config, const char *key)
{
	return value_of(config, key, TN_SETTING_INTEGER)->number;
}

const char *tn_config_text(const struct tn_config *config, const char *key)
{
	return value_of(config, key, TN_SETTING_STRING)->text;
}

const char *const *tn_config_list(const struct tn_config *config, const char *key)
{
	return value_of(config, key, TN_SETTING_LIST)->list;
}

enum tn_setting_source tn_config_source(const struct tn_config *config, const char *key)
{
	const struct tn_setting *row = tn_config_key_find(tn_str_from(key));

	tn_assert(row);
	return config->values[tn_config_key_index(row)].source;
}

const char *tn_config_path(const struct tn_config *config)
{
	return config->path;
}
