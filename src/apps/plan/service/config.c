#include "apps/plan/service/config.h"

#include <string.h>

#include "apps/plan/service/settings_table.h"
#include "base/size.h"

enum { HOUR_MS = 60 * 60 * 1000 };

static const char *const source_names[] = {
	[TN_PLAN_SOURCE_BUILTIN] = "builtin", [TN_PLAN_SOURCE_SAMPLING] = "sampling",
	[TN_PLAN_SOURCE_CLIENT] = "client",   [TN_PLAN_SOURCE_OPENAI] = "openai",
	[TN_PLAN_SOURCE_AUTO] = "auto",
};

bool tn_plan_source_from_name(const char *name, enum tn_plan_source *ret)
{
	for (size_t i = 0; name && i < TN_COUNT(source_names); i++) {
		if (strcmp(name, source_names[i]) == 0) {
			*ret = (enum tn_plan_source)i;
			return true;
		}
	}
	return false;
}

const char *tn_plan_source_name(enum tn_plan_source source)
{
	return source_names[source];
}

/* P-12: a key selects a hosted model, unless a preference is stated. */
static enum tn_plan_source preference_of(const struct tn_settings *settings, const char *api_key)
{
	enum tn_plan_source stated = TN_PLAN_SOURCE_AUTO;

	tn_assert(tn_plan_source_from_name(tn_settings_text(settings, "plan.source"), &stated));
	if (stated != TN_PLAN_SOURCE_AUTO)
		return stated;
	return api_key ? TN_PLAN_SOURCE_OPENAI : TN_PLAN_SOURCE_BUILTIN;
}

static enum tn_plan_switch details_of(const struct tn_settings *settings)
{
	if (tn_settings_is(settings, "plan.llm.context_details", "on"))
		return TN_PLAN_SWITCH_ON;
	return tn_settings_is(settings, "plan.llm.context_details", "off") ? TN_PLAN_SWITCH_OFF
									   : TN_PLAN_SWITCH_DEFAULT;
}

void tn_plan_config_read(struct tn_plan_config *config, const struct tn_settings *views)
{
	const struct tn_settings s = tn_settings_of(views, &tn_plan_setting_table);
	const char *key = tn_settings_secret(&s, "plan.llm.api_key_env");

	*config = (struct tn_plan_config){
		.base_url = tn_settings_text(&s, "plan.llm.base_url"),
		.model = tn_settings_text(&s, "plan.llm.model"),
		.api_key = key,
		.headers = tn_settings_list(&s, "plan.llm.headers"),
		.timeout_ms = tn_settings_u32(&s, "plan.llm.timeout_ms"),
		.max_tokens = tn_settings_u32(&s, "plan.llm.max_tokens"),
		.keyless = tn_settings_bool(&s, "plan.llm.keyless"),
		.allow_remote = tn_settings_bool(&s, "plan.llm.allow_remote"),
		.context_is_system = tn_settings_is(&s, "plan.llm.context_role", "system"),
		.context_details = details_of(&s),
		.preference = preference_of(&s, key),
		.paths = tn_settings_list(&s, "plan.paths"),
		.paths_over_http = tn_settings_bool(&s, "plan.paths_over_http"),
		.store_raw = tn_settings_bool(&s, "plan.store_raw"),
		.keep_days = tn_settings_u32(&s, "plan.keep_days"),
		.handle_idle_ms = tn_settings_u64(&s, "plan.handle_hours") * HOUR_MS,
	};
}
