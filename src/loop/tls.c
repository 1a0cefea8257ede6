#include "loop/tls.h"

#include "loop/http_plugin.h"

enum tenon_code tn_tls_load(const char *folder, const struct tn_tls_library **ret,
			    struct tenon_error *err)
{
	const struct tn_http_plugin *plugin = NULL;
	enum tenon_code code = tn_http_plugin_load(folder, &plugin, err);

	if (code == TENON_OK)
		*ret = plugin->tls;
	return code;
}
