/* Directories and shells as the settings allow them. */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/settings/config.h"
#include "base/size.h"

enum { PATH_SIZE = 4096 };

/* ---- directories ---- */

static bool is_inside(const char *path, const char *folder)
{
	size_t size = strlen(folder);

	while (size > 1 && folder[size - 1] == '/')
		size--;
	if (size == 1) /* "/" */
		return true;
	return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

/* A root may be a link, and may be there only later on: it is looked up each time. */
static bool is_allowed(const struct tn_term_config *config, const char *path)
{
	char real[PATH_MAX];

	for (size_t i = 0; config->roots[i]; i++) {
		if (realpath(config->roots[i], real) && is_inside(path, real))
			return true;
	}
	return !config->roots[0];
}

static enum tenon_code explain_directory(int number, struct tenon_error *err)
{
	switch (number) {
	case ENOENT:
		return tn_fail(err, TENON_NOT_FOUND, "there is no such directory");
	case ENOTDIR:
		return tn_fail(err, TENON_INVALID, "that is not a directory");
	case EACCES:
		return tn_fail(err, TENON_DENIED,
			       "the user that sessions run as may not go into that directory");
	case ENAMETOOLONG:
	case ELOOP:
		return tn_fail(err, TENON_NOT_FOUND, "the directory's path leads nowhere: %s",
			       number == ELOOP ? "its symbolic links go in circles"
					       : "it is too long");
	default:
		return tn_fail_errno(err, number, "look for the directory");
	}
}

static enum tenon_code resolve(const char *path, char out[PATH_SIZE], struct tenon_error *err)
{
	struct stat status;

	if (!realpath(path, out))
		return explain_directory(errno, err);
	if (stat(out, &status) != 0)
		return explain_directory(errno, err);
	if (!S_ISDIR(status.st_mode))
		return explain_directory(ENOTDIR, err);
	return access(out, X_OK) == 0 ? TENON_OK : explain_directory(errno, err);
}

/* Absolute, or below `base`. False: it is too long. */
static bool join(const char *base, const char *wanted, char path[PATH_SIZE])
{
	int size = wanted[0] == '/' ? snprintf(path, PATH_SIZE, "%s", wanted)
				    : snprintf(path, PATH_SIZE, "%s/%s", base, wanted);

	return size >= 0 && size < PATH_SIZE;
}

enum tenon_code tn_term_config_directory(const struct tn_term_config *config, const char *base,
					 const char *wanted, char out[4096],
					 struct tenon_error *err)
{
	char path[PATH_SIZE], start[PATH_SIZE] = "";
	enum tenon_code code = TENON_OK;

	if (wanted && !*wanted)
		return tn_fail(err, TENON_NOT_FOUND, "an empty path is no directory");
	if (!base && (!wanted || wanted[0] != '/'))
		code = tn_term_config_start_directory(config, start, err);
	if (code != TENON_OK)
		return code;
	if (!join(base ? base : start, wanted ? wanted : ".", path))
		return explain_directory(ENAMETOOLONG, err);
	code = resolve(path, out, err);
	if (code == TENON_OK && !is_allowed(config, out))
		return tn_fail(err, TENON_DENIED,
			       "that directory is outside the allowed ones (terminal.roots). They "
			       "limit where commands start, not what they reach; only a sandbox "
			       "does that");
	return code;
}

enum tenon_code tn_term_config_start_directory(const struct tn_term_config *config, char out[4096],
					       struct tenon_error *err)
{
	for (size_t i = 0; config->roots[i]; i++) {
		if (resolve(config->roots[i], out, NULL) == TENON_OK)
			return TENON_OK;
	}
	if (config->roots[0])
		return tn_fail(err, TENON_NOT_FOUND,
			       "none of the directories of terminal.roots is there");
	/* A daemon stands at the top of everything, where nobody works. */
	if (resolve(".", out, NULL) == TENON_OK && strcmp(out, "/") != 0)
		return TENON_OK;
	if (config->home[0] && resolve(config->home, out, NULL) == TENON_OK)
		return TENON_OK;
	return resolve(".", out, err);
}

/* ---- shells ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_program(const char *path)
{
	struct stat status;

	/* What stands for "no shell" in a system's list of users starts, and ends at once. */
	return path[0] == '/' && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       access(path, X_OK) == 0 && strcmp(base_name(path), "nologin") != 0 &&
	       strcmp(base_name(path), "false") != 0;
}

/* Calls `each` for every allowed shell until it says true; what it said at last. */
typedef bool each_shell_fn(const char *path, void *data);

static bool each_of_file(each_shell_fn *each, void *data)
{
	char line[PATH_SIZE];
	FILE *file = fopen("/etc/shells", "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "#\r\n")] = '\0';
		found = line[0] == '/' && each(line, data);
	}
	if (file)
		(void)fclose(file); /* only read */
	return found;
}

static bool each_shell(const struct tn_term_config *config, each_shell_fn *each, void *data)
{
	bool found = false;

	/* The one that the operator has chosen is allowed by that. */
	if (config->shell[0] && each(config->shell, data))
		return true;
	for (size_t i = 0; config->allowed_shells[i] && !found; i++)
		found = each(config->allowed_shells[i], data);
	if (found || config->allowed_shells[0])
		return found;
	return (config->user_shell[0] && each(config->user_shell, data)) || each("/bin/sh", data) ||
	       each_of_file(each, data);
}

struct search {
	const char *wanted;
	char *out;
};

/* A path as it is, or as what it is: /bin/bash and /usr/bin/bash are one. */
static bool is_wanted(const char *path, void *data)
{
	struct search *search = data;
	char wanted[PATH_MAX], real[PATH_MAX];

	if (strchr(search->wanted, '/')) {
		if (strcmp(path, search->wanted) != 0 &&
		    (!realpath(search->wanted, wanted) || !realpath(path, real) ||
		     strcmp(wanted, real) != 0 ||
		     strcmp(base_name(search->wanted), base_name(path)) != 0))
			return false;
	} else if (strcmp(base_name(path), search->wanted) != 0) {
		return false;
	}
	if (!is_program(path) || strlen(path) >= PATH_SIZE)
		return false;
	memcpy(search->out, path, strlen(path) + 1);
	return true;
}

struct listing {
	char text[160];
	size_t used;
};

static bool list_one(const char *path, void *data)
{
	struct listing *list = data;
	const char *name = base_name(path);
	size_t size = strlen(name), room = sizeof(list->text) - list->used;
	char quoted[64];

	/* Each name once, though several paths may end with it. */
	(void)snprintf(quoted, sizeof(quoted), " %.60s,", name);
	if (!is_program(path) || size + 3 > room || size > 60 || strstr(list->text, quoted))
		return false;
	list->used += (size_t)snprintf(list->text + list->used, room, "%s", quoted);
	return false;
}

static enum tenon_code refuse_shell(const struct tn_term_config *config, const char *wanted,
				    struct tenon_error *err)
{
	struct listing list = {.used = 0};
	bool is_there = strchr(wanted, '/') != NULL && is_program(wanted);

	(void)each_shell(config, list_one, &list);
	if (list.used) /* the last comma */
		list.text[list.used - 1] = '\0';
	if (is_there || !strchr(wanted, '/'))
		return tn_fail(err, TENON_DENIED, "%.60s is not among the allowed shells:%s",
			       wanted, list.used ? list.text : " there is none");
	return tn_fail(err, TENON_NOT_FOUND, "there is no shell %.60s; send one of:%s", wanted,
		       list.used ? list.text : " there is none");
}

static enum tenon_code default_shell(const struct tn_term_config *config, char out[PATH_SIZE],
				     struct tenon_error *err)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *choices[] = {config->shell, config->user_shell, user ? user->pw_shell : "",
				 config->allowed_shells[0], "/bin/sh"};

	for (size_t i = 0; i < TN_COUNT(choices); i++) {
		struct search search = {.wanted = choices[i], .out = out};

		if (choices[i] && choices[i][0] == '/' && each_shell(config, is_wanted, &search))
			return TENON_OK;
	}
	return tn_fail(err, TENON_NOT_FOUND,
		       "there is none of the allowed shells (terminal.allowed_shells)");
}

enum tenon_code tn_term_config_shell(const struct tn_term_config *config, const char *wanted,
				     char out[4096], struct tenon_error *err)
{
	struct search search = {.wanted = wanted, .out = out};

	if (!wanted || !*wanted)
		return default_shell(config, out, err);
	if (each_shell(config, is_wanted, &search))
		return TENON_OK;
	return refuse_shell(config, wanted, err);
}
