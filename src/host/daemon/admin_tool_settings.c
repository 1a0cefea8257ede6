/* change_settings: keys of config.json, wholly or not at all. */
#include "host/daemon/admin_app.h"
#include "host/record/audit_file.h"
#include "mcp/fit.h"

enum { EDITS_MAX = 64 };

struct edits {
	struct tn_config_edit list[EDITS_MAX];
	size_t count;
	struct tn_buf names; /* for the audit */
};

/* Keys and values live in the call's arena. False: no memory. */
static bool read_edits(struct tenon_call *call, struct edits *edits)
{
	const struct tn_json *settings = tn_json_get(tn_call_arguments(call), "settings");

	for (const struct tn_json *s = settings->first; s && edits->count < EDITS_MAX;
	     s = s->next) {
		struct tn_config_edit *edit = &edits->list[edits->count++];

		edit->key = tn_arena_copy(&call->arena, s->key);
		edit->value = s->type == TN_JSON_NULL ? NULL : tn_call_json_text(call, s);
		if (!edit->key || (!edit->value && s->type != TN_JSON_NULL))
			return false;
		tn_buf_format(&edits->names, "%s%s", edits->count > 1 ? ", " : "", edit->key);
	}
	return true;
}

static void reply(struct tenon_call *call, const struct edits *edits, const char *problem)
{
	struct tn_buf out;

	tn_buf_init(&out, 64 * TN_KIB);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "changed");
	tn_json_begin_array(&out);
	for (size_t i = 0; i < edits->count; i++)
		tn_json_put_text(&out, edits->list[i].key);
	tn_json_end_array(&out);
	tn_json_put_member_text(&out, "problem", problem);
	tn_json_end_object(&out);
	tn_call_put_structured(call, &out);
	tenon_call_reply_text(call, problem ? problem : "The settings have been changed.");
	tn_buf_finish(&out);
}

static void change(struct tenon_call *call, struct tn_daemon *daemon, struct edits *edits)
{
	struct tenon_error err;
	bool applied;

	if (!read_edits(call, edits)) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	tn_audit_detail(call, "%.*s", (int)edits->names.size, edits->names.data);
	if (tn_config_change_all(daemon->config, edits->list, edits->count, &err) != TENON_OK) {
		tenon_call_fail(call, "%s", err.message);
		return;
	}
	applied = tn_daemon_apply(daemon, &err) == TENON_OK;
	reply(call, edits, applied ? NULL : err.message);
}

static void change_proven(struct tenon_call *call, void *data)
{
	struct edits edits = {.count = 0};

	tn_buf_init(&edits.names, 64 * TN_KIB);
	change(call, ((struct tn_admin *)data)->daemon, &edits);
	tn_buf_finish(&edits.names);
}

/* Settings can let in more than a policy does. */
void tn_admin_call_settings(struct tenon_call *call, void *data)
{
	struct tn_admin *admin = data;
	const char *settings =
		tn_call_json_text(call, tn_json_get(tn_call_arguments(call), "settings"));

	if (!admin->daemon->config)
		tenon_call_fail(call, "there is no settings file here");
	else if (!settings)
		tenon_call_fail(call, "out of memory");
	else
		tn_admin_prove(call, admin, "Change the settings", settings, change_proven);
}
