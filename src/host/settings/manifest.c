#include "host/settings/manifest.h"

#include <limits.h>
#include <stdio.h>

#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/settings/hosts.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/jsonc.h"
#include "mcp/limits.h"
#include "store/file.h"

/* What people read in a host's list of servers; instructions are for models. */
static const struct {
	const char *app, *words;
} descriptions[] = {
	{"terminal", "Shells and programs on real terminals, with screens and searchable history"},
	{"plan", "Terraform and OpenTofu plans read, checked and explained in plain English"},
	{"floorplan", "Floor plans as text: checked, rendered to pictures, edited without loss"},
	{"studio", "Visual infrastructure diagrams with configuration generation, engine runs and "
		   "cost estimates"},
	{"workbench", "A running web page: its components, selection and live previews"},
};

static const char *describe(const struct tenon_app *app)
{
	for (size_t i = 0; i < sizeof(descriptions) / sizeof(descriptions[0]); i++) {
		if (strcmp(descriptions[i].app, app->name) == 0)
			return descriptions[i].words;
	}
	return app->name;
}

static void put_entry(const char *name, const char *command, const char *app, const char *words,
		      struct tn_buf *out)
{
	tn_json_put_key_str(out, tn_str_from(name));
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "command", command);
	tn_json_put_key(out, "args");
	tn_json_begin_array(out);
	tn_json_put_text(out, "mcp");
	if (app)
		tn_json_put_text(out, app);
	tn_json_end_array(out);
	tn_json_put_member_text(out, "description", words);
	tn_json_end_object(out);
}

void tn_manifest_put(const char *command, struct tn_buf *out)
{
	const struct tn_str key = TN_STR("mcpServers");
	struct tn_buf servers;
	char name[TN_NAME_BYTES_MAX];

	tn_buf_init(&servers, TN_HOST_PROFILE_BYTES_MAX);
	tn_json_begin_object(&servers);
	put_entry("tenon", command, NULL, "All apps of Tenon in one server", &servers);
	for (size_t i = 0; tn_apps_at(i); i++) {
		(void)snprintf(name, sizeof(name), "tenon-%s", tn_apps_at(i)->name);
		put_entry(name, command, tn_apps_at(i)->name, describe(tn_apps_at(i)), &servers);
	}
	tn_json_end_object(&servers);
	/* For people, too: a line each. */
	if (servers.failed || tn_jsonc_set(tn_str("", 0), (struct tn_jsonc_path){&key, 1},
					   tn_buf_str(&servers), out, NULL) != TENON_OK)
		out->failed = true;
	tn_buf_finish(&servers);
}

enum tenon_code tn_manifest_write(const char *folder, const char *command, struct tenon_error *err)
{
	char own[PATH_MAX], path[PATH_MAX];
	struct tn_buf now, text;
	enum tenon_code code = TENON_OK;

	if (!command)
		code = tn_hosts_command(own, err);
	if (code != TENON_OK)
		return code;
	if (snprintf(path, sizeof(path), "%s/mcp.json", folder) >= (int)sizeof(path))
		return tn_fail(err, TENON_INVALID, "the path of mcp.json is too long");
	tn_buf_init(&now, TN_HOST_PROFILE_BYTES_MAX);
	tn_buf_init(&text, TN_HOST_PROFILE_BYTES_MAX);
	tn_manifest_put(command ? command : own, &text);
	code = tn_buf_check(&text, err);
	if (code == TENON_OK && (tn_file_read(path, TN_FILE_REGULAR_ONLY, &now, NULL) != TENON_OK ||
				 !tn_str_equal(tn_buf_str(&now), tn_buf_str(&text)))) {
		code = tn_dir_create(folder, 0700, err);
		if (code == TENON_OK)
			code = tn_file_write(path, 0600, tn_buf_str(&text), err);
	}
	tn_buf_finish(&now);
	tn_buf_finish(&text);
	return code;
}
