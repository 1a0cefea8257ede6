#include "host/settings/serve_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "host/limits.h"
#include "host/settings/config_key.h"
#include "host/settings/runtime.h"
#include "host/settings/terminal_setup.h"
#include "mcp/consent.h"
#include "store/file.h"

enum { EXIT_USAGE = 1, PATH_SIZE = PATH_MAX + 32 };

int tn_serve_complain(const char *format, ...)
{
	va_list args;

	(void)fputs("tenon serve: ", stderr);
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
	return EXIT_USAGE;
}

void tn_serve_settings_init(struct tn_serve_settings *s)
{
	*s = (struct tn_serve_settings){.lock_fd = -1};
	tn_buf_init(&s->roots, TN_CONFIG_BYTES_MAX);
}

void tn_serve_settings_finish(struct tn_serve_settings *s)
{
	tn_buf_finish(&s->roots);
	tn_config_free(s->config);
	if (s->lock_fd >= 0)
		(void)close(s->lock_fd); /* which frees it */
}

/* ---- options ---- */

static int add_flag(struct tn_serve_settings *s, const char *key, const char *value)
{
	if (s->flag_count == TN_SERVE_FLAGS_MAX)
		return tn_serve_complain("at most %d settings", TN_SERVE_FLAGS_MAX);
	s->flags[2 * s->flag_count] = key;
	s->flags[2 * s->flag_count + 1] = value;
	s->flag_count++;
	return 0;
}

/* The terminal's keys may leave its name out: max_sessions=10. */
static int take_set(struct tn_serve_settings *s, char *word)
{
	char *equals = strchr(word, '=');
	char longer[TN_CONFIG_VARIABLE_MAX];
	const struct tn_setting *key;

	if (!equals)
		return tn_serve_complain("--set needs KEY=VALUE, got %s", word);
	*equals = '\0';
	(void)snprintf(longer, sizeof(longer), "terminal.%s", word);
	key = tn_config_key_find(tn_str_from(word));
	if (!key)
		key = tn_config_key_find(tn_str_from(longer));
	if (!key && !tn_config_key_near(tn_str_from(word)) &&
	    tn_config_key_near(tn_str_from(longer)))
		return tn_serve_complain("--set %s: there is no such setting; did you mean %s?",
					 word, tn_config_key_near(tn_str_from(longer)));
	return add_flag(s, key ? key->key : word, equals + 1);
}

static int take_root(struct tn_serve_settings *s, const char *path)
{
	char real[PATH_MAX];
	struct stat status;

	if (!realpath(path, real) || stat(real, &status) != 0)
		return tn_serve_complain("--root: %s: %s", path,
					 errno == EACCES ? "it may not be entered"
							 : "there is no such directory");
	if (!S_ISDIR(status.st_mode))
		return tn_serve_complain("--root: %s is not a directory", path);
	if (strchr(real, ':'))
		return tn_serve_complain("--root: %s: a colon separates roots, and cannot be in "
					 "one",
					 path);
	if (s->roots.size)
		s->roots.data[s->roots.size - 1] = ':';
	tn_buf_append(&s->roots, real, strlen(real) + 1);
	return s->roots.failed ? tn_serve_complain("too many roots") : 0;
}

bool tn_serve_settings_take(struct tn_serve_settings *s, const char *name, char *value,
			    int *ret_code)
{
	static const struct {
		const char *name, *key;
		bool terminal;
	} rows[] = {
		{"--log-level", "log.level", false},
		{"--backend", "terminal.backend", true},
		{"--persist", "terminal.persist", true},
	};

	*ret_code = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(name, rows[i].name) != 0)
			continue;
		s->own = rows[i].terminal && !s->own ? rows[i].name : s->own;
		*ret_code = add_flag(s, rows[i].key, value);
		return true;
	}
	if (strcmp(name, "--config") == 0) {
		s->config_file = value;
	} else if (strcmp(name, "--policy") == 0) {
		s->policy_file = value;
	} else if (strcmp(name, "--set") == 0) {
		*ret_code = take_set(s, value);
	} else if (strcmp(name, "--root") == 0) {
		s->own = s->own ? s->own : "--root";
		*ret_code = take_root(s, value);
	} else {
		return false;
	}
	return true;
}

/* ---- reading ---- */

static void print_faults(const struct tn_serve_settings *s, const char *const *flags)
{
	struct tn_buf faults;

	tn_buf_init(&faults, TN_CONFIG_BYTES_MAX);
	tn_config_faults(s->config_file, flags, &faults);
	for (struct tn_str rest = tn_buf_str(&faults); rest.size;) {
		size_t end = tn_str_find_byte(rest, '\n');
		size_t size = end == TN_STR_NONE ? rest.size : end;

		(void)tn_serve_complain("%.*s", (int)size, rest.data);
		rest = tn_str_from_offset(rest, size + 1);
	}
	tn_buf_finish(&faults);
}

/* What others have written down is wrong in another way than what was just typed. */
static int read_config(struct tn_serve_settings *s)
{
	struct tn_config *without = NULL;
	struct tenon_error err;

	if (tn_config_read(s->config_file, NULL, &without, &err) != TENON_OK) {
		print_faults(s, NULL);
		return TN_SERVE_EXIT_FILE;
	}
	tn_config_free(without);
	if (tn_config_read(s->config_file, s->flags, &s->config, &err) != TENON_OK) {
		print_faults(s, s->flags);
		return EXIT_USAGE;
	}
	return 0;
}

/* The daemon's sessions and ours have nothing to do with each other, nor have those of two of us.
 */
static int take_place(struct tn_serve_settings *s)
{
	char *folder = s->runtime_folder;
	struct tn_runtime_paths paths;
	struct tenon_error err = {0};
	char lock[sizeof(s->runtime_folder) + 16];
	enum tenon_code code = tn_runtime_find(&paths, true, &err);

	(void)snprintf(folder, sizeof(s->runtime_folder), "%s/serve", paths.folder);
	(void)snprintf(lock, sizeof(lock), "%s/lock", folder);
	if (code == TENON_OK)
		code = tn_dir_create(folder, 0700, &err);
	if (code != TENON_OK)
		return tn_serve_complain("--persist host: the runtime folder: %s", err.message);
	s->lock_fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock_fd < 0 || flock(s->lock_fd, LOCK_EX | LOCK_NB) != 0)
		return tn_serve_complain("--persist host: another tenon serve has its sessions "
					 "kept already");
	return 0;
}

/* terminal.md 12.4: "none" is the default here; what the file says is meant for the daemon. */
static bool wants_persist(const struct tn_serve_settings *s)
{
	enum tn_setting_source source = tn_config_source(s->config, "terminal.persist");

	return (source == TN_SETTING_FLAG || source == TN_SETTING_ENVIRONMENT) &&
	       strcmp(tn_config_text(s->config, "terminal.persist"), "host") == 0;
}

int tn_serve_settings_read(struct tn_serve_settings *s, bool terminal)
{
	int code;

	if (s->own && !terminal)
		return tn_serve_complain("%s is for the app terminal", s->own);
	code = s->roots.size ? add_flag(s, "terminal.roots", s->roots.data) : 0;
	if (code == 0)
		code = read_config(s);
	if (code != 0)
		return code;
	return terminal && wants_persist(s) ? take_place(s) : 0;
}

/* ---- the policy ---- */

enum tenon_code tn_serve_settings_policy(const struct tn_serve_settings *s,
					 struct tenon_server *server, const char *said,
					 struct tenon_error *err)
{
	char folder[PATH_MAX], path[PATH_SIZE] = "";
	struct tn_buf text;
	enum tenon_code code = tn_consent_open(server, said, err);

	if (code != TENON_OK)
		return code;
	tn_consent_set_timeout(server,
			       (uint64_t)tn_config_int(s->config, "consent.timeout_s") * 1000);
	if (!s->policy_file && tn_config_folder(folder, NULL) == TENON_OK)
		(void)snprintf(path, sizeof(path), "%s/policy.json", folder);
	if (!s->policy_file && !path[0])
		return tn_consent_set_policy(server, NULL, err);
	tn_buf_init(&text, TN_POLICY_BYTES_MAX);
	code = tn_file_read(s->policy_file ? s->policy_file : path, TN_FILE_REGULAR_ONLY, &text,
			    err);
	tn_buf_append_byte(&text, '\0');
	if (code == TENON_OK)
		code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_consent_set_policy(server, text.data, err);
	else if (code == TENON_NOT_FOUND && !s->policy_file)
		code = tn_consent_set_policy(server, NULL, err);
	else
		code = tn_fail(err, TENON_INVALID, "policy.json: %s",
			       code == TENON_NOT_FOUND ? "there is no such file"
						       : "it cannot be read, or is too long");
	tn_buf_finish(&text);
	return code;
}
