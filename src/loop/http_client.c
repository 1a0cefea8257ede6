#include "loop/http_client.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "loop/http_plugin.h"
#include "loop/plugin.h"

#define PLUGIN_FILE "tenon-client.so"

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

enum tenon_code tn_http_plugin_load(const char *folder, const struct tn_http_plugin **ret,
				    struct tenon_error *err)
{
	static const struct tn_plugin what = {PLUGIN_FILE, TN_HTTP_PLUGIN_SYMBOL,
					      TN_HTTP_PLUGIN_VERSION};
	const struct tn_http_plugin *plugin;
	const void *table = NULL;
	enum tenon_code code = tn_plugin_load(&what, folder, &table, err);

	if (code != TENON_OK)
		return code;
	plugin = table;
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
