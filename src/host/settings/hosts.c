#include "host/settings/hosts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/near.h"
#include "host/limits.h"
#include "host/settings/config.h"
#include "host/settings/hosts_text.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/jsonc.h"
#include "store/file.h"

extern const char tn_hosts_data[]; /* src/host/data/hosts.json */
extern const size_t tn_hosts_data_size;

#if defined(__APPLE__)
static const char system_name[] = "macos";
#elif defined(_WIN32)
static const char system_name[] = "windows";
#else
static const char system_name[] = "linux";
#endif

/* ---- paths ---- */

/* False: a variable that is asked for is not set. */
static bool put_place(struct tn_str name, struct tn_buf *out)
{
	const char *home = getenv("HOME"), *value = NULL;
	char variable[TN_HOST_VARIABLE_MAX];

	if (tn_str_is(name, "home") || tn_str_is(name, "config") || tn_str_is(name, "appdata")) {
		value = tn_str_is(name, "config")    ? getenv("XDG_CONFIG_HOME")
			: tn_str_is(name, "appdata") ? getenv("APPDATA")
						     : home;
		if ((!value || *value != '/') && home) {
			tn_buf_append_text(out, home);
			tn_buf_append_text(out, tn_str_is(name, "config") ? "/.config" : "");
			return true;
		}
	} else if (tn_str_starts(name, TN_STR("env:")) && name.size - 4 < sizeof(variable)) {
		(void)snprintf(variable, sizeof(variable), "%.*s", (int)(name.size - 4),
			       name.data + 4);
		value = getenv(variable);
	}
	if (!value || !*value)
		return false;
	tn_buf_append_text(out, value);
	return true;
}

/* "{home}/.cursor" with the folder in place; NULL: a variable is missing, or memory. */
static char *expand_path(struct tn_arena *arena, struct tn_str text, bool *ret_is_asked_for)
{
	struct tn_buf out;
	char *path = NULL;
	bool good = true;

	*ret_is_asked_for = tn_str_find(text, TN_STR("{env:")) != TN_STR_NONE;
	tn_buf_init(&out, PATH_MAX - 1);
	while (good && text.size) {
		size_t open = tn_str_find_byte(text, '{'), end = tn_str_find_byte(text, '}');

		if (open == TN_STR_NONE || end == TN_STR_NONE || end < open) {
			tn_buf_append_str(&out, text);
			break;
		}
		tn_buf_append(&out, text.data, open);
		good = put_place(tn_str(text.data + open + 1, end - open - 1), &out);
		text = tn_str_from_offset(text, end + 1);
	}
	if (good && !out.failed)
		path = tn_arena_copy(arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return path;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool has_folder(const char *path)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');

	(void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 0, path);
	return *folder && exists(folder);
}

static void choose_path(struct tn_arena *arena, struct tn_host *host, const struct tn_json *paths)
{
	char *by_folder = NULL, *first = NULL;

	for (const struct tn_json *item = paths->first; item; item = item->next) {
		bool asked_for = false;
		char *path = expand_path(arena, item->text, &asked_for);

		if (!path)
			continue;
		if (asked_for || exists(path)) {
			host->path = path;
			return;
		}
		if (!by_folder && has_folder(path))
			by_folder = path;
		if (!first)
			first = path;
	}
	host->path = by_folder ? by_folder : first;
}

static void look_for_signs(struct tn_arena *arena, struct tn_host *host,
			   const struct tn_json *signs)
{
	bool asked_for;

	host->is_here = exists(host->path) || (!signs && has_folder(host->path));
	for (const struct tn_json *item = signs ? signs->first : NULL; item; item = item->next) {
		const char *path = item->type == TN_JSON_STRING
					   ? expand_path(arena, item->text, &asked_for)
					   : NULL;

		host->is_here = host->is_here || (path && exists(path));
	}
}

/* ---- profiles ---- */

struct loading {
	struct tn_hosts *hosts;
	const char *file; /* for messages */
	struct tenon_error *err;
};

static bool is_texts(const struct tn_json *value)
{
	if (!tn_json_is(value, TN_JSON_ARRAY) || value->count == 0)
		return false;
	for (const struct tn_json *item = value->first; item; item = item->next) {
		if (item->type != TN_JSON_STRING)
			return false;
	}
	return true;
}

static enum tenon_code refuse(const struct loading *loading, const char *what)
{
	return tn_fail(loading->err, TENON_INVALID, "%.100s: a host needs %s", loading->file, what);
}

static enum tenon_code check_entries(const struct loading *loading, const struct tn_json *json)
{
	const struct tn_json *http = tn_json_get(json, "http");
	const struct tn_json *members = tn_json_get(json, "http_members");

	if (!tn_json_is(tn_json_get(json, "stdio"), TN_JSON_OBJECT))
		return refuse(loading, "\"stdio\": the entry");
	if (http && http->type != TN_JSON_OBJECT && http->type != TN_JSON_NULL)
		return refuse(loading, "\"http\" to be an entry or null");
	if (members && !is_texts(members))
		return refuse(loading, "\"http_members\" to be a list of names");
	return TENON_OK;
}

static enum tenon_code check_profile(const struct loading *loading, const struct tn_json *json)
{
	const struct tn_json *format = tn_json_get(json, "format");

	if (!tn_json_is(json, TN_JSON_OBJECT))
		return refuse(loading, "to be an object");
	if (!tn_json_is(tn_json_get(json, "id"), TN_JSON_STRING) ||
	    !tn_json_is(tn_json_get(json, "name"), TN_JSON_STRING))
		return refuse(loading, "\"id\" and \"name\"");
	if (!tn_json_is(format, TN_JSON_STRING) ||
	    (!tn_str_is(format->text, "json") && !tn_str_is(format->text, "toml")))
		return refuse(loading, "\"format\": \"json\" or \"toml\"");
	if (!is_texts(tn_json_get(json, "key")) ||
	    tn_json_get(json, "key")->count >= TN_HOST_KEYS_MAX)
		return refuse(loading, "\"key\": a list of one to seven keys");
	if (!is_texts(tn_json_get(tn_json_get(json, "paths"), system_name)))
		return refuse(loading, "\"paths\" with a list of paths for this system");
	if (!is_texts(tn_json_get(json, "steps")))
		return refuse(loading, "\"steps\": a list of sentences");
	return check_entries(loading, json);
}

static struct tn_host *slot_for(struct tn_hosts *hosts, const char *id)
{
	for (size_t i = 0; i < hosts->count; i++) {
		if (strcmp(hosts->list[i].id, id) == 0)
			return &hosts->list[i];
	}
	return hosts->count < TN_HOST_PROFILES_MAX ? &hosts->list[hosts->count++] : NULL;
}

static enum tenon_code add_profile(const struct loading *loading, const struct tn_json *json)
{
	struct tn_arena *arena = &loading->hosts->arena;
	const struct tn_json *http;
	struct tn_host host = {.key_count = 0}, *slot;
	enum tenon_code code = check_profile(loading, json);

	if (code != TENON_OK)
		return code;
	http = tn_json_get(json, "http");
	host.id = tn_arena_copy(arena, tn_json_get(json, "id")->text);
	host.name = tn_arena_copy(arena, tn_json_get(json, "name")->text);
	if (!host.id || !host.name)
		return tn_fail(loading->err, TENON_NO_MEMORY, "no memory for the hosts");
	host.toml = tn_str_is(tn_json_get(json, "format")->text, "toml");
	for (const struct tn_json *k = tn_json_get(json, "key")->first; k; k = k->next)
		host.keys[host.key_count++] = k->text;
	host.stdio = tn_json_get(json, "stdio");
	host.http = tn_json_is(http, TN_JSON_OBJECT) ? http : NULL;
	host.http_members = tn_json_get(json, "http_members");
	host.steps = tn_json_get(json, "steps");
	choose_path(arena, &host, tn_json_get(tn_json_get(json, "paths"), system_name));
	if (!host.path)
		return tn_fail(loading->err, TENON_NOT_FOUND,
			       "%.100s: the folder of %.40s is not known: HOME is not set",
			       loading->file, host.name);
	look_for_signs(arena, &host, tn_json_get(json, "signs"));
	slot = slot_for(loading->hosts, host.id);
	if (!slot)
		return tn_fail(loading->err, TENON_LIMIT, "more than %d hosts",
			       TN_HOST_PROFILES_MAX);
	*slot = host;
	return TENON_OK;
}

static enum tenon_code add_text(const struct loading *loading, struct tn_str text)
{
	struct tn_json *root = NULL;
	const struct tn_json *list;
	struct tenon_error why;
	enum tenon_code code = tn_jsonc_parse(&loading->hosts->arena, text, &root, NULL, &why);

	if (code != TENON_OK)
		return tn_fail(loading->err, code, "%.80s: %.160s", loading->file, why.message);
	list = tn_json_get(root, "hosts");
	if (!tn_json_is(list, TN_JSON_ARRAY))
		return add_profile(loading, root);
	for (const struct tn_json *item = list->first; item && code == TENON_OK; item = item->next)
		code = add_profile(loading, item);
	return code;
}

static enum tenon_code add_file(struct loading *loading, const char *folder, const char *name)
{
	char path[PATH_MAX], shown[PATH_MAX];
	struct tn_buf text;
	enum tenon_code code;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
		return TENON_OK;
	(void)snprintf(shown, sizeof(shown), "hosts.d/%s", name);
	loading->file = shown;
	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	code = tn_file_read(path, TN_FILE_REGULAR_ONLY, &text, loading->err);
	if (code == TENON_OK)
		code = add_text(loading, tn_buf_str(&text));
	tn_buf_finish(&text);
	return code;
}

static bool is_profile(const char *name)
{
	return name[0] != '.' && tn_str_ends(tn_str_from(name), TN_STR(".json"));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the user's files, sorted, so that what replaces what is the same every time. */
static size_t list_files(struct tn_hosts *hosts, const char *folder,
			 char *names[TN_HOST_PROFILES_MAX])
{
	DIR *open = opendir(folder);
	const struct dirent *entry;
	size_t count = 0;

	while (open && count < TN_HOST_PROFILES_MAX && (entry = readdir(open))) {
		if (!is_profile(entry->d_name))
			continue;
		names[count] = tn_arena_copy(&hosts->arena, tn_str_from(entry->d_name));
		count += names[count] != NULL;
	}
	if (open)
		(void)closedir(open); /* only read from */
	qsort(names, count, sizeof(*names), by_name);
	return count;
}

static enum tenon_code add_users(struct loading *loading)
{
	char config[PATH_MAX], folder[PATH_MAX + sizeof("/hosts.d")];
	char *names[TN_HOST_PROFILES_MAX];
	enum tenon_code code = TENON_OK;
	size_t count;

	if (tn_config_folder(config, NULL) != TENON_OK)
		return TENON_OK;
	(void)snprintf(folder, sizeof(folder), "%s/hosts.d", config);
	count = list_files(loading->hosts, folder, names);
	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = add_file(loading, folder, names[i]);
	return code;
}

static enum tenon_code load(bool users, struct tn_hosts **ret, struct tenon_error *err)
{
	struct tn_hosts *hosts = tn_mem_alloc(sizeof(*hosts));
	struct loading loading = {.hosts = hosts, .file = "hosts.json", .err = err};
	enum tenon_code code;

	if (!hosts)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the hosts");
	tn_arena_init(&hosts->arena, TN_HOST_ARENA_MAX);
	hosts->list =
		tn_arena_alloc_array(&hosts->arena, TN_HOST_PROFILES_MAX, sizeof(*hosts->list));
	code = hosts->list ? add_text(&loading, tn_str(tn_hosts_data, tn_hosts_data_size))
			   : tn_fail(err, TENON_NO_MEMORY, "no memory for the hosts");
	if (code == TENON_OK && users)
		code = add_users(&loading);
	if (code == TENON_OK)
		*ret = hosts;
	else
		tn_hosts_free(hosts);
	return code;
}

enum tenon_code tn_hosts_load(struct tn_hosts **ret, struct tenon_error *err)
{
	return load(true, ret, err);
}

void tn_hosts_free(struct tn_hosts *hosts)
{
	if (!hosts)
		return;
	tn_arena_finish(&hosts->arena);
	tn_mem_free(hosts);
}

const struct tn_host *tn_hosts_find(const struct tn_hosts *hosts, const char *id)
{
	for (size_t i = 0; i < hosts->count; i++) {
		if (strcmp(hosts->list[i].id, id) == 0)
			return &hosts->list[i];
	}
	return NULL;
}

const char *tn_hosts_near(const struct tn_hosts *hosts, const char *id)
{
	const char *ids[TN_HOST_PROFILES_MAX + 1] = {NULL};

	for (size_t i = 0; i < hosts->count; i++)
		ids[i] = hosts->list[i].id;
	return tn_near_find(tn_str_from(id), ids);
}

enum tenon_code tn_hosts_command(char ret[PATH_MAX], struct tenon_error *err)
{
	ssize_t size = readlink("/proc/self/exe", ret, PATH_MAX - sizeof("tenon"));
	char *slash;

	if (size <= 0)
		return tn_fail(err, TENON_SYSTEM, "the place of this program is not known");
	ret[size] = '\0';
	slash = strrchr(ret, '/');
	if (!slash)
		return tn_fail(err, TENON_SYSTEM, "the place of this program is not known");
	memcpy(slash + 1, "tenon", sizeof("tenon"));
	return TENON_OK;
}

/* ---- tenon://hosts ---- */

static enum tenon_code put_snippet(const struct tn_host *host, const struct tn_host_entry *entry,
				   bool http, struct tn_buf *out, struct tenon_error *err)
{
	struct tn_buf snippet;
	enum tenon_code code;

	tn_buf_init(&snippet, TN_HOST_PROFILE_BYTES_MAX);
	code = tn_host_put_snippet(host, entry, http, &snippet, err);
	if (code == TENON_OK)
		tn_json_put_member_str(out, http ? "httpSnippet" : "snippet", tn_buf_str(&snippet));
	tn_buf_finish(&snippet);
	return code;
}

static enum tenon_code put_host(const struct tn_host *host, const struct tn_host_entry *entry,
				struct tn_buf *out, struct tenon_error *err)
{
	enum tenon_code code;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", host->id);
	tn_json_put_member_text(out, "name", host->name);
	tn_json_put_member_text(out, "path", host->path);
	tn_json_put_member_text(out, "format", host->toml ? "toml" : "json");
	code = put_snippet(host, entry, false, out, err);
	if (code == TENON_OK && host->http)
		code = put_snippet(host, entry, true, out, err);
	else
		tn_json_put_member_null(out, "httpSnippet");
	tn_json_put_key(out, "steps");
	tn_json_begin_array(out);
	for (const struct tn_json *step = host->steps->first; step; step = step->next)
		tn_host_put_step(host, entry, step->text, out);
	tn_json_end_array(out);
	tn_json_end_object(out);
	return code;
}

enum tenon_code tn_hosts_write(const char *command, const char *url, bool users, struct tn_buf *out,
			       struct tenon_error *err)
{
	const struct tn_host_entry entry = {.name = "tenon", .command = command, .url = url};
	struct tn_hosts *hosts = NULL;
	enum tenon_code code = load(users, &hosts, err);

	if (code != TENON_OK)
		return code;
	tn_json_begin_object(out);
	tn_json_put_key(out, "hosts");
	tn_json_begin_array(out);
	for (size_t i = 0; i < hosts->count && code == TENON_OK; i++)
		code = put_host(&hosts->list[i], &entry, out, err);
	tn_json_end_array(out);
	tn_json_end_object(out);
	tn_hosts_free(hosts);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}
