/* registry.h - resource types as data (studio.md section 5): what there is, what may contain and
 * connect to what, which values are right, what HCL it becomes and what it costs.
 *
 * Nothing of the catalogue is known to C. A registry is made of JSON texts (the built-in files, the
 * user's, the project's) and never changes afterwards; templates, conditions and cost models stay
 * the checked JSON they were written as. Ownership: reference-counted; everything handed out lives
 * as long as the registry. Threads: any, because it never changes. */
#ifndef TN_STUDIO_REGISTRY_H
#define TN_STUDIO_REGISTRY_H

#include <stdatomic.h>

#include "apps/studio/fault.h"
#include "base/digest.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "jsonrpc/json.h"
#include "jsonrpc/pattern.h"

enum tn_studio_value_type {
	TN_STUDIO_STRING,
	TN_STUDIO_NUMBER,
	TN_STUDIO_BOOLEAN,
	TN_STUDIO_ENUM,
	TN_STUDIO_ENUM_LIST,
	TN_STUDIO_CIDR,
	TN_STUDIO_ARRAY,
	TN_STUDIO_MAP, /* key-value-map */
	TN_STUDIO_REFERENCE,
	TN_STUDIO_OBJECT,
	TN_STUDIO_NODE /* a field of an object item: an instanceId */
};
const char *tn_studio_value_type_name(enum tn_studio_value_type type);

enum tn_studio_emit { /* studio.md 5.5 */
		      TN_STUDIO_EMIT_ALWAYS,
		      TN_STUDIO_EMIT_SET,
		      TN_STUDIO_EMIT_CHANGED,
		      TN_STUDIO_EMIT_TRUE,
		      TN_STUDIO_EMIT_FALSE,
		      TN_STUDIO_EMIT_NEVER
};

struct tn_studio_type;

struct tn_studio_property {                           /* 5.3; also a field of an object item */
	struct tn_str key, label, description, group; /* label is always there, derived or not */
	enum tn_studio_value_type type, item_type;    /* item_type: of ARRAY and ENUM_LIST */
	enum tn_studio_emit emit;
	bool required, open, sensitive, many, edge, from_edge;
	bool in_region; /* its value begins with the provider's region: a zone of it */
	bool implicit;  /* pep_subresources, pep_dns_zone_id (8.6) */
	const struct tn_json *required_when, *visible_when; /* conditions; NULL: none */
	const struct tn_json *default_value;                /* NULL: none */
	const struct tn_json *default_by, *allowed;         /* as written; NULL: none */
	const struct tn_json *to;                           /* array of type ids; NULL: any */
	double min, max;                                    /* NaN: none */
	int64_t min_length, max_length;                     /* -1: none */
	const struct tn_pattern *pattern;                   /* NULL: none */
	struct tn_str pattern_text;
	const struct tn_studio_property *fields; /* of an object item or object */
	size_t field_count;
	const struct tn_json *source; /* as written; NULL when implicit */
};

enum tn_studio_side { TN_STUDIO_TOP, TN_STUDIO_RIGHT, TN_STUDIO_BOTTOM, TN_STUDIO_LEFT };

struct tn_studio_handle {
	struct tn_str id, label;
	bool source;                /* otherwise a target */
	bool accepts_outputs, dead; /* dead: no rule can use it (ST-047) */
	enum tn_studio_side side;
	int max; /* edges; 0: any number */
};

struct tn_studio_output {
	struct tn_str key, attribute;
	bool sensitive;
};

struct tn_studio_provider {
	struct tn_str id, display_name, source, version; /* source empty: built into the engine */
	const struct tn_studio_property *config;
	size_t config_count;
	const struct tn_json *body, *scopes, *alias; /* as written; NULL: none */
};

struct tn_studio_type { /* 5.2 */
	struct tn_str id, display_name, description, category, provider_id;
	const struct tn_studio_provider *provider; /* NULL: annotations and the like */
	const struct tn_json *terraform; /* {"type":...}, by property, or {"virtual":true} */
	bool is_virtual, is_annotation, container, hidden;
	int min_width, min_height;             /* 0: the usual (geometry.h) */
	const struct tn_json *can_be_child_of; /* array; NULL: anywhere */
	const struct tn_json *parent_reference, *visual_parents, *needs; /* NULL: none */
	const struct tn_json *naming, *naming_tokens, *private_endpoint, *cost;
	const struct tn_studio_handle *handles;
	size_t handle_count;
	const struct tn_studio_output *outputs;
	size_t output_count;
	const struct tn_studio_property *properties; /* the implicit ones at the end */
	size_t property_count;
	const struct tn_json *data, *body, *extra; /* of hcl; NULL: none */
	bool no_primary;
	bool has_secrets; /* a property is sensitive, or a variable of its templates */
	struct tn_str docs_url, icon;
	const struct tn_json *source; /* as written */
	unsigned order;               /* in the palette */
	bool from_project;
	/* From a project, and by what it writes the engine can run or read what it chooses: `raw`,
	 * provisioners, functions that read files, other providers than those known here (ST-143).
	 */
	bool needs_trust;
};

struct tn_studio_rule { /* 5.8 */
	const struct tn_studio_type *from, *to;
	struct tn_str from_handle, to_handle, label;
	bool sets, sets_on_source, append; /* sets: `reference` on one of the ends */
	struct tn_str reference;
};

struct tn_studio_binding { /* 5.9 */
	const struct tn_studio_type *to;
	struct tn_str handle;
	const struct tn_json *emits;
};

struct tn_studio_category {
	struct tn_str id, label;
	int order;
};

struct tn_studio_registry {
	struct tn_arena arena;
	atomic_uint refs;
	struct tn_studio_type **types; /* in palette order */
	size_t type_count;
	struct tn_map by_id;
	const struct tn_studio_provider *providers;
	size_t provider_count;
	const struct tn_studio_category *categories; /* in palette order */
	size_t category_count;
	const struct tn_studio_rule *rules;
	size_t rule_count;
	const struct tn_studio_binding *bindings;
	size_t binding_count;
	const struct tn_json *region_shortcodes, *cost_regions, *prices; /* merged */
	const struct tn_json *faults; /* array of {"file","pointer","message"} (ST-041) */
	/* Of a project's own files: what they are, for the trust in them (empty: it has none), and
	 * whether they bring providers or bindings, which act without a type. */
	char project_digest[TN_DIGEST_HEX_SIZE];
	bool project_brings;
};

struct tn_studio_source {         /* one registry file */
	struct tn_str name, text; /* name: "azurerm/networking.json", for faults */
	bool from_project;
};
/* Built in first, then `sources` in order. What is broken is left out and told in `faults`; the
 * others load. `sources` may be NULL. Fails: NO_MEMORY, INTERNAL (a built-in file is broken). */
TN_MUST_USE enum tenon_code tn_studio_registry_create(const struct tn_studio_source *sources,
						      size_t count, struct tn_studio_registry **ret,
						      struct tenon_error *err);
/* Built in, and the user's files ($XDG_DATA_HOME/tenon/studio/types). Blocks for as long as reading
 * small files takes. */
TN_MUST_USE enum tenon_code tn_studio_registry_with_users(struct tn_studio_registry **ret,
							  struct tenon_error *err);
/* Where the user's types and refreshed prices are: $XDG_DATA_HOME/tenon/studio. NULL: no home, or
 * no memory. */
const char *tn_studio_data_folder(struct tn_arena *arena);
/* The same with the user's files elsewhere (NULL: the usual folder) and those of a project (its
 * folder of types, open; -1: none), whose links are not followed. */
TN_MUST_USE enum tenon_code tn_studio_registry_with_folders(const char *users, int project,
							    struct tn_studio_registry **ret,
							    struct tenon_error *err);
/* The built-in files alone. Making it takes some milliseconds, so who needs it often keeps it. */
TN_MUST_USE enum tenon_code tn_studio_registry_built_in(struct tn_studio_registry **ret,
							struct tenon_error *err);
struct tn_studio_registry *tn_studio_registry_ref(struct tn_studio_registry *registry);
void tn_studio_registry_unref(struct tn_studio_registry *registry); /* accepts NULL */

/* NULL: unknown. */
const struct tn_studio_type *tn_studio_type_find(const struct tn_studio_registry *registry,
						 struct tn_str type_id);
const struct tn_studio_property *tn_studio_property_find(const struct tn_studio_type *type,
							 struct tn_str key);
const struct tn_studio_handle *tn_studio_handle_find(const struct tn_studio_type *type,
						     struct tn_str id);
const struct tn_studio_output *tn_studio_output_find(const struct tn_studio_type *type,
						     struct tn_str key);
const struct tn_studio_provider *tn_studio_provider_find(const struct tn_studio_registry *registry,
							 struct tn_str id);
/* The Terraform types of which the primary block of such a node can be, from 0; empty: no more. */
struct tn_str tn_studio_type_makes(const struct tn_studio_type *type, size_t at);
/* Whether an array of type ids names this type; NULL names none. */
bool tn_studio_ids_have(const struct tn_json *ids, const struct tn_studio_type *type);
/* ST-042: containment of types alone; annotations go anywhere, top level is always allowed. */
bool tn_studio_may_contain(const struct tn_studio_type *parent, const struct tn_studio_type *child);

/* UNKNOWN_RESOURCE_TYPE with up to five ids, best first, scored as 6.2 says. False. */
bool tn_studio_fail_unknown_type(struct tn_studio_fault *fault,
				 const struct tn_studio_registry *registry, struct tn_str type_id);
/* The same order of matches for a search over id, name and description: 0 is no match. */
unsigned tn_studio_match_score(const struct tn_studio_type *type, struct tn_str search);

enum tn_studio_detail { TN_STUDIO_NAMES, TN_STUDIO_STANDARD, TN_STUDIO_FULL };
/* ResourceTypeInfo (12.2), as members of an open object. */
void tn_studio_type_put(struct tn_buf *out, const struct tn_studio_registry *registry,
			const struct tn_studio_type *type, enum tn_studio_detail detail);
/* {"id","displayName","source","version","config": its properties}; the handles that take outputs
 * and write something for it, an array of {"typeId","handle"}. */
void tn_studio_provider_put(struct tn_buf *out, const struct tn_studio_provider *provider);
void tn_studio_bindings_put(struct tn_buf *out, const struct tn_studio_registry *registry);

#endif
