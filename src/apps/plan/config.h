/* config.h - what the operator of the plan server has decided, read once from the environment.
 *
 * Ownership: texts point into what the getter returned and live as long as that (the environment:
 * for ever, as nobody changes it). Threads: any, after reading.
 *
 *   OPENAI_API_KEY             key of the hosted model; also selects it for source "auto"
 *   OPENAI_BASE_URL            any endpoint that speaks chat completions
 *   TENON_PLAN_SOURCE          what "auto" means: builtin, openai or sampling
 *   TENON_PLAN_MODEL           model name, gpt-4o-mini
 *   TENON_PLAN_API_KEY_ENV     name of the variable that holds the key, OPENAI_API_KEY
 *   TENON_PLAN_KEYLESS         1: the endpoint wants no key, although it is not this machine
 *   TENON_PLAN_TIMEOUT_MS      of one request to the model, 30000
 *   TENON_PLAN_MAX_TOKENS      of one answer, 1000
 *   TENON_PLAN_HEADERS         further request headers, separated by newlines
 *   TENON_PLAN_CONTEXT_ROLE    user (default) or system: which message holds the document
 *   TENON_PLAN_ALLOW_REMOTE    0: only endpoints on this machine
 *   TENON_PLAN_CONTEXT_DETAILS 1 or 0: key facts in the document; default on for local sources
 *   TENON_PLAN_PATHS           folders, separated by colons, that plan_path may name files in
 *   TENON_PLAN_PATHS_OVER_HTTP 1: also for clients that come by HTTP
 *   TENON_PLAN_STORE_RAW       1: keep the plan's text, so that handles survive a restart
 *   TENON_PLAN_KEEP_DAYS       how long explanations are kept, 30; 0: in memory only
 *   TENON_PLAN_HANDLE_HOURS    how long an unused plan_id lives, 24 */
#ifndef TN_PLAN_CONFIG_H
#define TN_PLAN_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
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
	const char *api_key; /* NULL: none */
	const char *headers; /* NULL, or lines */
	uint32_t timeout_ms, max_tokens;
	bool keyless, allow_remote, context_is_system;
	enum tn_plan_switch context_details;
	enum tn_plan_source preference; /* of "auto", resolved: never AUTO */
	/* Files. */
	const char *paths; /* NULL: plan_path is off */
	bool paths_over_http;
	/* What is kept. */
	bool store_raw;
	uint32_t keep_days; /* 0: memory only */
	uint64_t handle_idle_ms;
};

typedef const char *tn_plan_getter(const char *name); /* getenv, or a test's own */

/* Fails: INVALID; the message names the variable and what it may be. */
TN_MUST_USE enum tenon_code tn_plan_config_read(struct tn_plan_config *config, tn_plan_getter *get,
						struct tenon_error *err);

/* "builtin" and so on; NULL text or another word gives false. */
bool tn_plan_source_from_name(const char *name, enum tn_plan_source *ret);
const char *tn_plan_source_name(enum tn_plan_source source);

/* True when the URL's host is this machine: localhost, 127.x.x.x or [::1]. */
bool tn_plan_url_is_local(const char *url);

#endif
