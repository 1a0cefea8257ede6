#include "loop/plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "folder/file", or false when there is no such file. */
static bool is_in(const char *folder, const char *file, char ret_path[PATH_MAX])
{
	int size = snprintf(ret_path, PATH_MAX, "%s/%s", folder, file);

	return size > 0 && size < PATH_MAX && access(ret_path, R_OK) == 0;
}

static bool beside_executable(const char *file, char ret_path[PATH_MAX])
{
	char folder[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	char *slash;

	if (size <= 0)
		return false;
	folder[size] = '\0';
	slash = strrchr(folder, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return is_in(folder, file, ret_path);
}

/* Beside the library that this code is part of, or in its folder "tenon": wherever a program that
 * links it may lie. */
static bool beside_library(const char *file, char ret_path[PATH_MAX])
{
	static const char here = 0;
	char folder[PATH_MAX];
	const char *slash;
	Dl_info info;
	int size;

	if (!dladdr(&here, &info) || !info.dli_fname)
		return false;
	slash = strrchr(info.dli_fname, '/');
	if (!slash)
		return false;
	size = snprintf(folder, sizeof(folder), "%.*s", (int)(slash - info.dli_fname),
			info.dli_fname);
	if (size <= 0 || size >= (int)(sizeof(folder) - sizeof("/tenon")))
		return false;
	if (is_in(folder, file, ret_path))
		return true;
	memcpy(folder + size, "/tenon", sizeof("/tenon"));
	return is_in(folder, file, ret_path);
}

enum tenon_code tn_plugin_load(const struct tn_plugin *plugin, const char *folder, const void **ret,
			       struct tenon_error *err)
{
	const uint32_t *version;
	char path[PATH_MAX];
	void *library;
	bool found;

	if (folder && folder[0])
		found = is_in(folder, plugin->file, path);
	else
		found = beside_executable(plugin->file, path) ||
			beside_library(plugin->file, path) ||
			is_in(tn_plugin_dir, plugin->file, path);
	if (!found)
		return tn_fail(err, TENON_NOT_FOUND, "the plug-in %s is not installed",
			       plugin->file);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!library)
		return tn_fail(err, TENON_SYSTEM, "the plug-in %s does not load", plugin->file);
	version = dlsym(library, plugin->symbol);
	if (!version || *version != plugin->version) {
		(void)dlclose(library); /* never used */
		return tn_fail(err, TENON_INTERNAL, "%s is another version's", plugin->file);
	}
	*ret = version;
	return TENON_OK;
}
