#include "loop/http_client.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "loop/http_plugin.h"

#define PLUGIN_FILE "tenon-client.so"

#ifndef TN_PLUGIN_DIR
#define TN_PLUGIN_DIR "/usr/local/lib/tenon"
#endif

struct tn_http_client {
	/* The one lock: two workers may want the plug-in at the same time. */
	pthread_mutex_t lock;
	const struct tn_http_plugin *plugin; /* NULL until the first batch */
	char folder[PATH_MAX];               /* empty: the usual places */
};

enum tenon_code tn_http_client_open(const char *folder, struct tn_http_client **ret,
				    struct tenon_error *err)
{
	struct tn_http_client *client;

	if (folder && strlen(folder) >= sizeof(client->folder))
		return tn_fail(err, TENON_INVALID, "the plug-in folder's path is too long");
	client = tn_mem_alloc(sizeof(*client));
	if (!client)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (folder)
		memcpy(client->folder, folder, strlen(folder) + 1);
	if (pthread_mutex_init(&client->lock, NULL) != 0) {
		tn_mem_free(client);
		return tn_fail(err, TENON_SYSTEM, "no lock to be had");
	}
	*ret = client;
	return TENON_OK;
}

void tn_http_client_close(struct tn_http_client *client)
{
	if (!client)
		return;
	/* The plug-in stays loaded: its library keeps threads and locks of its own. */
	(void)pthread_mutex_destroy(&client->lock); /* unlocked, as nobody uses the client now */
	tn_mem_free(client);
}

/* "folder/tenon-client.so", or false when there is no such file. */
static bool plugin_in(const char *folder, char ret_path[PATH_MAX])
{
	int size = snprintf(ret_path, PATH_MAX, "%s/%s", folder, PLUGIN_FILE);

	return size > 0 && size < PATH_MAX && access(ret_path, R_OK) == 0;
}

static bool beside_executable(char ret_path[PATH_MAX])
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
	return plugin_in(folder, ret_path);
}

/* Beside the library that this code is part of, or in its folder "tenon": wherever a program that
 * links it may lie. */
static bool beside_library(char ret_path[PATH_MAX])
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
	if (plugin_in(folder, ret_path))
		return true;
	memcpy(folder + size, "/tenon", sizeof("/tenon"));
	return plugin_in(folder, ret_path);
}

enum tenon_code tn_http_plugin_load(const char *folder, const struct tn_http_plugin **ret,
				    struct tenon_error *err)
{
	const struct tn_http_plugin *plugin;
	char path[PATH_MAX];
	enum tenon_code code;
	void *library;
	bool found;

	if (folder && folder[0])
		found = plugin_in(folder, path);
	else
		found = beside_executable(path) || beside_library(path) ||
			plugin_in(TN_PLUGIN_DIR, path);
	if (!found)
		return tn_fail(err, TENON_NOT_FOUND,
			       "the plug-in " PLUGIN_FILE " is not installed");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!library)
		return tn_fail(err, TENON_SYSTEM, "the plug-in " PLUGIN_FILE " does not load");
	plugin = dlsym(library, TN_HTTP_PLUGIN_SYMBOL);
	if (!plugin || plugin->version != TN_HTTP_PLUGIN_VERSION) {
		(void)dlclose(library); /* never used */
		return tn_fail(err, TENON_INTERNAL, PLUGIN_FILE " is another version's");
	}
	code = plugin->open(err);
	if (code == TENON_OK)
		*ret = plugin;
	return code;
}

enum tenon_code tn_http_client_run(struct tn_http_client *client, const struct tn_http_batch *batch,
				   struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	(void)pthread_mutex_lock(&client->lock); /* fails only on a broken lock */
	if (!client->plugin)
		code = tn_http_plugin_load(client->folder, &client->plugin, err);
	(void)pthread_mutex_unlock(&client->lock);
	return code == TENON_OK ? client->plugin->run(batch, err) : code;
}
