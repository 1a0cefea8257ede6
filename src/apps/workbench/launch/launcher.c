#include "apps/workbench/launch/launcher.h"

#include "base/size.h"
#include "jsonrpc/json_write.h"

static const struct tn_json *described(const struct tn_wb_config *config, struct tn_str id)
{
	for (size_t i = 0; i < config->module_count; i++) {
		const struct tn_json *list = config->modules[i].launchers;

		for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next) {
			struct tn_str own;

			if (tn_json_to_str(tn_json_get(at, "id"), &own) && tn_str_equal(own, id))
				return at;
		}
	}
	return NULL;
}

bool tn_wb_launcher_find(const struct tn_wb_config *config, struct tn_str id,
			 struct tn_wb_launcher *ret)
{
	*ret = (struct tn_wb_launcher){.id = id, .described = described(config, id)};
	return ret->described || tn_str_is(id, TN_WB_VITE);
}

struct tn_str tn_wb_launcher_default(const struct tn_wb_config *config)
{
	struct tn_str id = {"", 0};

	(void)tn_json_to_str(tn_json_get(tn_wb_config_get(config, "preview", "launcher"), "id"),
			     &id);
	return id;
}

/* Values may be secrets. */
static void put_names(struct tn_buf *out, const struct tn_json *object)
{
	tn_json_begin_array(out);
	for (const struct tn_json *at = object->first; at; at = at->next)
		tn_json_put_str(out, at->key);
	tn_json_end_array(out);
}

static void put_described(struct tn_buf *out, const struct tn_json *launcher)
{
	static const char *const members[] = {
		"id", "displayName", "description", "supportedSessionTypes", "command", "cwd"};
	const struct tn_json *env = tn_json_get(launcher, "env");

	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_COUNT(members); i++) {
		const struct tn_json *member = tn_json_get(launcher, members[i]);

		if (!member)
			continue;
		tn_json_put_key(out, members[i]);
		tn_json_put_value(out, member);
	}
	if (env) {
		tn_json_put_key(out, "env");
		put_names(out, env);
	}
	tn_json_end_object(out);
}

void tn_wb_launchers_put(struct tn_buf *out, const struct tn_wb_config *config)
{
	tn_json_begin_array(out);
	if (tn_str_is(tn_wb_launcher_default(config), TN_WB_VITE) &&
	    !described(config, TN_STR(TN_WB_VITE)))
		tn_json_put_raw(out, TN_STR("{\"id\":\"" TN_WB_VITE "\",\"displayName\":\"Vite\","
					    "\"description\":\"The project's own Vite, with the "
					    "adapter in its pages\","
					    "\"supportedSessionTypes\":[\"app\",\"component\"]}"));
	for (size_t i = 0; i < config->module_count; i++) {
		const struct tn_json *list = config->modules[i].launchers;

		for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next)
			put_described(out, at);
	}
	tn_json_end_array(out);
}
