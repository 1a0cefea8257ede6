/* config.h - what the configuration of a project may hold (studio.md 4.3), and which of it is
 * shown to nobody (ST-028).
 *
 * Threads: loop. */
#ifndef TN_STUDIO_CONFIG_H
#define TN_STUDIO_CONFIG_H

#include "apps/studio/document/document.h"
#include "apps/studio/limits.h"

#define TN_STUDIO_REDACTED "[redacted]"

/* Where a value stands: "providers", "azurerm", "subscription_id". Elements of arrays count by
 * their number. What lies deeper than there is room is not looked at: it was refused on writing. */
struct tn_studio_config_path {
	struct tn_str parts[TN_STUDIO_DEPTH_MAX];
	unsigned count;
	char numbers[TN_STUDIO_DEPTH_MAX][12]; /* texts of parts that are numbers */
};
/* False: there is no room. */
bool tn_studio_config_enter(struct tn_studio_config_path *path, struct tn_str key);
bool tn_studio_config_enter_number(struct tn_studio_config_path *path, size_t number);
void tn_studio_config_leave(struct tn_studio_config_path *path);
/* "providers.azurerm.subscription_id" */
void tn_studio_config_put_path(struct tn_buf *out, const struct tn_studio_config_path *path);

/* By the built-in list, the registry, the document's `sensitiveKeys`, or because it is the value
 * of a sensitive variable. */
bool tn_studio_config_is_sensitive(const struct tn_studio_document *document,
				   const struct tn_studio_config_path *path);
/* Every string that stands at or below a sensitive path. */
void tn_studio_config_each_secret(const struct tn_studio_document *document,
				  void (*each)(struct tn_str value, void *data), void *data);

enum tn_studio_config_kind {
	TN_STUDIO_CONFIG_ANY, /* an object, whatever is in it */
	TN_STUDIO_CONFIG_TEXT,
	TN_STUDIO_CONFIG_TEXT_OR_NULL,
	TN_STUDIO_CONFIG_TEMPLATE,
	TN_STUDIO_CONFIG_DURATION,
	TN_STUDIO_CONFIG_SWITCH,
	TN_STUDIO_CONFIG_COUNT,
	TN_STUDIO_CONFIG_CHOICE,
	TN_STUDIO_CONFIG_OBJECT,         /* the keys of the table and no others */
	TN_STUDIO_CONFIG_TEXTS_BY_KEY,   /* any keys, texts */
	TN_STUDIO_CONFIG_VALUES,         /* any keys that are identifiers, any values */
	TN_STUDIO_CONFIG_PROVIDERS,      /* by provider, see the registry */
	TN_STUDIO_CONFIG_PROVIDER,       /* one of them: the registry's keys */
	TN_STUDIO_CONFIG_PROVIDER_NAMES, /* an array of them */
	TN_STUDIO_CONFIG_TEXTS           /* an array */
};

struct tn_studio_config_rule {
	const char *key;
	enum tn_studio_config_kind kind;
	const char *fallback; /* JSON: what counts when it is not there; NULL: an object's parts */
	const struct tn_studio_config_rule *parts;
	size_t part_count;
	const char *const *choices; /* NULL-terminated */
	int64_t min, max;           /* of a count */
};
extern const struct tn_studio_config_rule tn_studio_config_root; /* in the order of 4.3 */

/* NULL: unknown, or not a rule with parts. */
const struct tn_studio_config_rule *tn_studio_config_part(const struct tn_studio_config_rule *rule,
							  struct tn_str key);

/* The region that this provider works in: its own setting, else the project's where the provider
 * knows such regions, else its default (4.3). NULL: none. */
const struct tn_json *tn_studio_config_region(const struct tn_studio_document *document,
					      const struct tn_studio_provider *provider,
					      struct tn_arena *arena);

/* ST-030: everything of a patch, checked; all mistakes are told at once. */
bool tn_studio_config_check(const struct tn_studio_document *document, const struct tn_json *patch,
			    struct tn_arena *arena, struct tn_studio_fault *fault);

/* Redacted; `ret_paths` gets the array `redacted`, `ret_hints` the object `hints`; either may be
 * NULL. */
void tn_studio_config_put(struct tn_buf *out, const struct tn_studio_document *document,
			  struct tn_buf *ret_paths, struct tn_buf *ret_hints);
/* The same of what is set alone, without what it is by itself. */
void tn_studio_config_put_set(struct tn_buf *out, const struct tn_studio_document *document);
/* JSON Merge Patch with every check; *ret is the new configuration in the arena; `ret_changed` gets
 * the array of changed paths. */
bool tn_studio_config_merge(const struct tn_studio_document *document, const struct tn_json *patch,
			    struct tn_arena *arena, const struct tn_json **ret,
			    struct tn_buf *ret_changed, struct tn_studio_fault *fault);

#endif
