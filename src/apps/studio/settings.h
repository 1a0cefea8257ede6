/* settings.h - what the operator of studio has decided, read once from the environment (which the
 * daemon fills from config.json). Never part of a project (ST-030).
 *
 *   TENON_TERRAFORM                       the engine; empty: terraform, then tofu on PATH
 *   TENON_STUDIO_ROOTS                    folders projects may lie in, by colons; empty: home, /tmp
 *   TENON_STUDIO_TOOLS                    all (default) or core: the 17 tools of the first version
 *   TENON_STUDIO_PLUGIN_CACHE             TF_PLUGIN_CACHE_DIR of the engine
 *   TENON_STUDIO_RUNS_AT_ONCE             over all projects, 2
 *   TENON_STUDIO_NOTIFICATIONS_DESTRUCTIVE  1 (default): the desktop is told of apply and destroy
 *   TENON_STUDIO_PRICES_URL               where prices are refreshed from; empty: the public list
 *
 * Ownership: texts live in the struct's arena. Threads: any, after reading. */
#ifndef TN_STUDIO_SETTINGS_H
#define TN_STUDIO_SETTINGS_H

#include "base/arena.h"
#include "base/error.h"

struct tn_studio_settings {
	const char *engine;       /* NULL: looked for */
	const char *const *roots; /* NULL: the usual */
	const char *plugin_cache; /* NULL: none */
	const char *prices_url;   /* NULL: the public list */
	bool core_tools, notify_desktop;
	unsigned runs_at_once;
	struct tn_arena arena;
};

typedef const char *tn_studio_getter(const char *name);
/* Fails: INVALID (which setting, what to send instead), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_settings_read(struct tn_studio_settings *settings,
						    tn_studio_getter *get, struct tenon_error *err);
void tn_studio_settings_finish(struct tn_studio_settings *settings);

#endif
