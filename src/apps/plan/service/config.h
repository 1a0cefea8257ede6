/* config.h - what the operator of the plan server has decided (settings_table.c), as it is used.
 *
 * Ownership: texts are the host's and live as long as its views. Threads: any, after reading. */
#ifndef TN_PLAN_CONFIG_H
#define TN_PLAN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/settings.h"
#include "base/str.h"

enum tn_plan_source {
	TN_PLAN_SOURCE_BUILTIN,
	TN_PLAN_SOURCE_SAMPLING,
	TN_PLAN_SOURCE_CLIENT,
	TN_PLAN_SOURCE_OPENAI,
	TN_PLAN_SOURCE_AUTO
};

enum tn_plan_switch { TN_PLAN_SWITCH_DEFAULT, TN_PLAN_SWITCH_ON, TN_PLAN_SWITCH_OFF };

struct tn_plan_config {
	/* The model. */
	const char *base_url; /* never NULL, no slash at its end counts */
	const char *model;
	const char *api_key;        /* NULL: none */
	const char *const *headers; /* ends with NULL; itself NULL: none */
	uint32_t timeout_ms, max_tokens;
	bool keyless, allow_remote, context_is_system;
	enum tn_plan_switch context_details;
	enum tn_plan_source preference; /* of "auto", resolved: never AUTO */
	/* Files. */
	const char *const *paths; /* ends with NULL; none: plan_path is off */
	bool paths_over_http;
	/* What is kept. */
	bool store_raw;
	uint32_t keep_days; /* 0: memory only */
	uint64_t handle_idle_ms;
};

/* `views`: the host's; NULL: every setting has its default, and there is no key. */
void tn_plan_config_read(struct tn_plan_config *config, const struct tn_settings *views);

/* "builtin" and so on; NULL text or another word gives false. */
bool tn_plan_source_from_name(const char *name, enum tn_plan_source *ret);
const char *tn_plan_source_name(enum tn_plan_source source);

#endif
