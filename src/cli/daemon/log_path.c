#include "cli/daemon/log_path.h"

#include <stdio.h>

#include "host/settings/config.h"
#include "store/file.h"

static bool from_config(char ret[PATH_MAX])
{
	struct tn_config *config = NULL;
	const char *path;
	bool is_set;

	if (tn_config_read(NULL, NULL, &config, NULL) != TENON_OK)
		return false;
	path = tn_config_text(config, "log.file");
	is_set = path[0] == '/';
	if (is_set)
		(void)snprintf(ret, PATH_MAX, "%s", path);
	tn_config_free(config);
	return is_set;
}

enum tenon_code tn_cli_log_path(char ret[PATH_MAX], struct tenon_error *err)
{
	struct tn_buf folder;
	enum tenon_code code;
	int size;

	if (from_config(ret))
		return TENON_OK;
	tn_buf_init(&folder, PATH_MAX);
	code = tn_dir_state(&folder, false, err);
	size = snprintf(ret, PATH_MAX, "%.*s/tenond.log", (int)folder.size,
			folder.data ? folder.data : "");
	tn_buf_finish(&folder);
	if (code == TENON_OK && (size < 0 || size >= PATH_MAX))
		code = tn_fail(err, TENON_LIMIT, "the path of the log is too long");
	return code;
}
