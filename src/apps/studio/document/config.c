#include "apps/studio/document/declared.h"
#include "apps/studio/document/config.h"

#include <stdio.h>

#include "apps/studio/document/value.h"
#include "apps/studio/registry/property_check.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- what there is (4.3) ---- */

static const char *const backend_types[] = {"local",  "azurerm", "s3",         "gcs",    "http",
					    "consul", "pg",      "kubernetes", "remote", NULL};
static const char *const algorithms[] = {"layered", "hybrid", NULL};
static const char *const directions[] = {"LR", "RL", "TB", "BT", NULL};
static const char *const edge_styles[] = {"bezier", "smoothstep", "step", "straight", NULL};

static const struct tn_studio_config_rule naming_rules[] = {
	{.key = "enabled", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "false"},
	{.key = "template",
	 .kind = TN_STUDIO_CONFIG_TEMPLATE,
	 .fallback = "\"{type}-{env}-{region}-{name}\""},
	{.key = "env", .kind = TN_STUDIO_CONFIG_TEXT, .fallback = "\"dev\""},
	{.key = "region", .kind = TN_STUDIO_CONFIG_TEXT, .fallback = "\"\""},
	{.key = "org", .kind = TN_STUDIO_CONFIG_TEXT, .fallback = "\"\""},
};
static const struct tn_studio_config_rule backend_rules[] = {
	{.key = "type",
	 .kind = TN_STUDIO_CONFIG_CHOICE,
	 .fallback = "\"local\"",
	 .choices = backend_types},
	{.key = "config", .kind = TN_STUDIO_CONFIG_ANY, .fallback = "{}"},
};
static const struct tn_studio_config_rule layout_rules[] = {
	{.key = "algorithm",
	 .kind = TN_STUDIO_CONFIG_CHOICE,
	 .fallback = "\"layered\"",
	 .choices = algorithms},
	{.key = "direction",
	 .kind = TN_STUDIO_CONFIG_CHOICE,
	 .fallback = "\"LR\"",
	 .choices = directions},
	{.key = "gridSize", .kind = TN_STUDIO_CONFIG_COUNT, .fallback = "20", .min = 1, .max = 200},
	{.key = "snap", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "true"},
};
static const struct tn_studio_config_rule show_rules[] = {
	{.key = "structural", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "true"},
	{.key = "binding", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "true"},
	{.key = "reference", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "true"},
	{.key = "annotation", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "true"},
};
static const struct tn_studio_config_rule edges_rules[] = {
	{.key = "style",
	 .kind = TN_STUDIO_CONFIG_CHOICE,
	 .fallback = "\"bezier\"",
	 .choices = edge_styles},
	{.key = "show",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = show_rules,
	 .part_count = TN_COUNT(show_rules)},
};
static const struct tn_studio_config_rule terraform_rules[] = {
	{.key = "autoInit", .kind = TN_STUDIO_CONFIG_SWITCH, .fallback = "true"},
	{.key = "parallelism",
	 .kind = TN_STUDIO_CONFIG_COUNT,
	 .fallback = "10",
	 .min = 1,
	 .max = 256},
	{.key = "lockTimeout", .kind = TN_STUDIO_CONFIG_DURATION, .fallback = "\"0s\""},
};
static const struct tn_studio_config_rule cost_rules[] = {
	{.key = "priceRegion", .kind = TN_STUDIO_CONFIG_TEXT_OR_NULL, .fallback = "null"},
};
static const struct tn_studio_config_rule root_rules[] = {
	{.key = "region", .kind = TN_STUDIO_CONFIG_TEXT_OR_NULL, .fallback = "null"},
	{.key = "tags", .kind = TN_STUDIO_CONFIG_TEXTS_BY_KEY, .fallback = "{}"},
	{.key = "naming",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = naming_rules,
	 .part_count = TN_COUNT(naming_rules)},
	{.key = "activeProviders",
	 .kind = TN_STUDIO_CONFIG_PROVIDER_NAMES,
	 .fallback = "[\"azurerm\"]"},
	{.key = "providers", .kind = TN_STUDIO_CONFIG_PROVIDERS, .fallback = "{}"},
	{.key = "backend",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = backend_rules,
	 .part_count = TN_COUNT(backend_rules)},
	{.key = "variableValues", .kind = TN_STUDIO_CONFIG_VALUES, .fallback = "{}"},
	{.key = "layout",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = layout_rules,
	 .part_count = TN_COUNT(layout_rules)},
	{.key = "edges",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = edges_rules,
	 .part_count = TN_COUNT(edges_rules)},
	{.key = "terraform",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = terraform_rules,
	 .part_count = TN_COUNT(terraform_rules)},
	{.key = "cost",
	 .kind = TN_STUDIO_CONFIG_OBJECT,
	 .parts = cost_rules,
	 .part_count = TN_COUNT(cost_rules)},
	{.key = "policies", .kind = TN_STUDIO_CONFIG_ANY, .fallback = "{}"},
	{.key = "sensitiveKeys", .kind = TN_STUDIO_CONFIG_TEXTS, .fallback = "[]"},
};
const struct tn_studio_config_rule tn_studio_config_root = {
	.kind = TN_STUDIO_CONFIG_OBJECT,
	.parts = root_rules,
	.part_count = TN_COUNT(root_rules),
};

const struct tn_studio_config_rule *tn_studio_config_part(const struct tn_studio_config_rule *rule,
							  struct tn_str key)
{
	for (size_t i = 0; rule && i < rule->part_count; i++) {
		if (tn_str_is(key, rule->parts[i].key))
			return &rule->parts[i];
	}
	return NULL;
}

/* ---- paths ---- */

bool tn_studio_config_enter(struct tn_studio_config_path *path, struct tn_str key)
{
	if (path->count == TN_STUDIO_DEPTH_MAX)
		return false;
	path->parts[path->count++] = key;
	return true;
}

bool tn_studio_config_enter_number(struct tn_studio_config_path *path, size_t number)
{
	char *text;

	if (path->count == TN_STUDIO_DEPTH_MAX)
		return false;
	text = path->numbers[path->count];
	(void)snprintf(text, sizeof(path->numbers[0]), "%u", (unsigned)number);
	return tn_studio_config_enter(path, tn_str_from(text));
}

void tn_studio_config_leave(struct tn_studio_config_path *path)
{
	path->count--;
}

void tn_studio_config_put_path(struct tn_buf *out, const struct tn_studio_config_path *path)
{
	for (unsigned i = 0; i < path->count; i++) {
		if (i > 0)
			tn_buf_append_byte(out, '.');
		tn_buf_append_str(out, path->parts[i]);
	}
}

/* ---- what is shown to nobody (ST-028) ---- */

/* Of every provider and every backend, whether a registry file remembers to say so or not. */
static const char *const always_sensitive[] = {
	"subscription_id", "tenant_id", "client_id", "client_secret", "access_key",
	"secret_key",      "sas_token", "token",     "password",      "connection_string",
	"conn_str",        "kms_key",   NULL};

static bool is_always_sensitive(struct tn_str key)
{
	for (const char *const *at = always_sensitive; *at; at++) {
		if (tn_str_is(key, *at))
			return true;
	}
	return false;
}

static const struct tn_studio_property *provider_property(const struct tn_studio_registry *registry,
							  struct tn_str provider, struct tn_str key)
{
	const struct tn_studio_provider *found = tn_studio_provider_find(registry, provider);

	for (size_t i = 0; found && i < found->config_count; i++) {
		if (tn_str_equal(found->config[i].key, key))
			return &found->config[i];
	}
	return NULL;
}

static bool is_built_in(const struct tn_studio_document *document,
			const struct tn_studio_config_path *path)
{
	const struct tn_studio_property *property;

	if (path->count < 3)
		return false;
	if (tn_str_is(path->parts[0], "backend") && tn_str_is(path->parts[1], "config"))
		return is_always_sensitive(path->parts[path->count - 1]);
	if (!tn_str_is(path->parts[0], "providers"))
		return false;
	if (is_always_sensitive(path->parts[path->count - 1]))
		return true;
	property = provider_property(document->registry, path->parts[1], path->parts[2]);
	return property && property->sensitive;
}

/* A dotted path of the user's, `*` for one level. */
static bool matches(struct tn_str pattern, const struct tn_studio_config_path *path)
{
	for (unsigned i = 0; i < path->count; i++) {
		size_t dot = tn_str_find_byte(pattern, '.');
		struct tn_str part = tn_str(pattern.data, dot == TN_STR_NONE ? pattern.size : dot);

		if (!tn_str_is(part, "*") && !tn_str_equal(part, path->parts[i]))
			return false;
		if (dot == TN_STR_NONE)
			return i + 1 == path->count;
		pattern = tn_str_from_offset(pattern, dot + 1);
	}
	return false;
}

bool tn_studio_config_is_sensitive(const struct tn_studio_document *document,
				   const struct tn_studio_config_path *path)
{
	const struct tn_json *keys = tn_json_get(document->config, "sensitiveKeys");
	struct tn_str pattern;

	if (is_built_in(document, path))
		return true;
	for (const struct tn_json *key = tn_json_is(keys, TN_JSON_ARRAY) ? keys->first : NULL; key;
	     key = key->next) {
		if (tn_json_to_str(key, &pattern) && matches(pattern, path))
			return true;
	}
	return path->count == 2 && tn_str_is(path->parts[0], "variableValues") &&
	       tn_studio_secret_owner(document, path->parts[1], NULL) != NULL;
}

struct secret_walk {
	const struct tn_studio_document *document;
	struct tn_studio_config_path path;
	void (*each)(struct tn_str value, void *data);
	void *data;
};

static bool enter_child(struct tn_studio_config_path *path, const struct tn_json *parent,
			const struct tn_json *child, size_t index)
{
	return parent->type == TN_JSON_OBJECT ? tn_studio_config_enter(path, child->key)
					      : tn_studio_config_enter_number(path, index);
}

/* Bounded by the room in a path. */
static void walk_secrets(struct secret_walk *walk, const struct tn_json *value, bool sensitive)
{
	size_t index = 0;

	sensitive = sensitive || tn_studio_config_is_sensitive(walk->document, &walk->path);
	if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER) {
		if (sensitive)
			walk->each(value->text, walk->data);
		return;
	}
	if (value->type != TN_JSON_OBJECT && value->type != TN_JSON_ARRAY)
		return;
	for (const struct tn_json *child = value->first; child; child = child->next, index++) {
		if (!enter_child(&walk->path, value, child, index))
			return;
		walk_secrets(walk, child, sensitive);
		tn_studio_config_leave(&walk->path);
	}
}

void tn_studio_config_each_secret(const struct tn_studio_document *document,
				  void (*each)(struct tn_str value, void *data), void *data)
{
	struct secret_walk walk = {.document = document, .each = each, .data = data};

	if (document->config)
		walk_secrets(&walk, document->config, false);
}

/* ---- showing it ---- */

struct showing {
	const struct tn_studio_document *document;
	struct tn_studio_config_path path;
	struct tn_buf *out, *paths, *hints; /* the last two may be NULL */
};

static void put_path_string(struct tn_buf *out, const struct tn_studio_config_path *path)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	tn_studio_config_put_path(&text, path);
	tn_json_put_str(out, tn_buf_str(&text));
	tn_buf_inherit_failure(out, &text);
	tn_buf_finish(&text);
}

/* OQ-03: of an id, never of a secret, the end may be seen. */
static void put_hint(struct showing *showing, const struct tn_json *value)
{
	enum { ENDS = 4, LONG_ENOUGH = 12 };
	struct tn_buf *out = showing->hints, path;
	struct tn_str text = {NULL, 0}, key = showing->path.parts[showing->path.count - 1];

	if (!out)
		return;
	tn_buf_init(&path, TN_STUDIO_FILE_BYTES_MAX);
	tn_studio_config_put_path(&path, &showing->path);
	tn_json_put_key_str(out, tn_buf_str(&path));
	tn_buf_inherit_failure(out, &path);
	tn_buf_finish(&path);
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "set", value != NULL);
	if (value && tn_json_to_str(value, &text) && tn_str_ends(key, TN_STR("_id")) &&
	    text.size >= LONG_ENOUGH) {
		struct tn_buf ends;

		tn_buf_init(&ends, 64);
		tn_buf_append_text(&ends, "\xE2\x80\xA6");
		tn_buf_append(&ends, text.data + text.size - ENDS, ENDS);
		tn_json_put_member_str(out, "ends", tn_buf_str(&ends));
		tn_buf_finish(&ends);
	}
	tn_json_end_object(out);
}

static void put_redacted(struct showing *showing, const struct tn_json *value)
{
	if (tn_studio_value_is_empty(value)) {
		tn_json_put_value(showing->out, value); /* nothing is nobody's secret */
		return;
	}
	tn_json_put_text(showing->out, TN_STUDIO_REDACTED);
	if (showing->paths)
		put_path_string(showing->paths, &showing->path);
	put_hint(showing, value);
}

/* Bounded by the room in a path: what lies deeper is left out. */
static void put_shown(struct showing *showing, const struct tn_json *value)
{
	size_t index = 0;
	bool object = value->type == TN_JSON_OBJECT;

	if (tn_studio_config_is_sensitive(showing->document, &showing->path)) {
		put_redacted(showing, value);
		return;
	}
	if (!object && value->type != TN_JSON_ARRAY) {
		tn_json_put_value(showing->out, value);
		return;
	}
	if (object)
		tn_json_begin_object(showing->out);
	else
		tn_json_begin_array(showing->out);
	for (const struct tn_json *child = value->first; child; child = child->next, index++) {
		if (!enter_child(&showing->path, value, child, index))
			break;
		if (object)
			tn_json_put_key_str(showing->out, child->key);
		put_shown(showing, child);
		tn_studio_config_leave(&showing->path);
	}
	if (object)
		tn_json_end_object(showing->out);
	else
		tn_json_end_array(showing->out);
}

/* ST-028: the list always contains what is built in. */
static void put_sensitive_keys(struct showing *showing, const struct tn_json *stored)
{
	const struct tn_studio_registry *registry = showing->document->registry;
	struct tn_buf *out = showing->out;
	char text[256];

	tn_json_begin_array(out);
	for (const char *const *key = always_sensitive; *key; key++) {
		(void)snprintf(text, sizeof(text), "providers.*.%s", *key);
		tn_json_put_text(out, text);
		(void)snprintf(text, sizeof(text), "backend.config.%s", *key);
		tn_json_put_text(out, text);
	}
	for (size_t i = 0; i < registry->provider_count; i++) {
		const struct tn_studio_provider *provider = &registry->providers[i];

		for (size_t k = 0; k < provider->config_count; k++) {
			const struct tn_studio_property *property = &provider->config[k];

			if (!property->sensitive || is_always_sensitive(property->key))
				continue;
			(void)snprintf(text, sizeof(text), "providers.%.*s.%.*s",
				       (int)provider->id.size, provider->id.data,
				       (int)property->key.size, property->key.data);
			tn_json_put_text(out, text);
		}
	}
	for (const struct tn_json *key = tn_json_is(stored, TN_JSON_ARRAY) ? stored->first : NULL;
	     key; key = key->next)
		tn_json_put_value(out, key);
	tn_json_end_array(out);
}

/* By the table, what is not there as its fallback; then what a newer program put there. */
static void put_object(struct showing *showing, const struct tn_studio_config_rule *rule,
		       const struct tn_json *value)
{
	tn_json_begin_object(showing->out);
	for (size_t i = 0; i < rule->part_count; i++) {
		const struct tn_studio_config_rule *part = &rule->parts[i];
		const struct tn_json *stored = tn_json_get(value, part->key);

		(void)tn_studio_config_enter(&showing->path, tn_str_from(part->key));
		tn_json_put_key(showing->out, part->key);
		if (part->kind == TN_STUDIO_CONFIG_OBJECT &&
		    !tn_studio_config_is_sensitive(showing->document, &showing->path))
			put_object(showing, part, stored);
		else if (part->kind == TN_STUDIO_CONFIG_TEXTS)
			put_sensitive_keys(showing, stored);
		else if (stored)
			put_shown(showing, stored);
		else
			tn_json_put_raw(showing->out,
					tn_str_from(part->fallback ? part->fallback : "{}"));
		tn_studio_config_leave(&showing->path);
	}
	for (const struct tn_json *other = tn_json_is(value, TN_JSON_OBJECT) ? value->first : NULL;
	     other; other = other->next) {
		if (tn_studio_config_part(rule, other->key) ||
		    !tn_studio_config_enter(&showing->path, other->key))
			continue;
		tn_json_put_key_str(showing->out, other->key);
		put_shown(showing, other);
		tn_studio_config_leave(&showing->path);
	}
	tn_json_end_object(showing->out);
}

/* OQ-03: whether a key is set is said of those that are not, too. */
static void put_unset_hints(struct showing *showing)
{
	const struct tn_studio_registry *registry = showing->document->registry;
	const struct tn_json *providers = tn_json_get(showing->document->config, "providers");

	for (size_t i = 0; i < registry->provider_count; i++) {
		const struct tn_studio_provider *provider = &registry->providers[i];
		const struct tn_json *set = tn_json_get_str(providers, provider->id);

		for (size_t k = 0; k < provider->config_count; k++) {
			struct tn_str key = provider->config[k].key;

			if (!provider->config[k].sensitive ||
			    !tn_studio_value_is_empty(tn_json_get_str(set, key)))
				continue;
			(void)tn_studio_config_enter(&showing->path, TN_STR("providers"));
			(void)tn_studio_config_enter(&showing->path, provider->id);
			(void)tn_studio_config_enter(&showing->path, key);
			put_hint(showing, NULL);
			showing->path.count = 0;
		}
	}
}

void tn_studio_config_put(struct tn_buf *out, const struct tn_studio_document *document,
			  struct tn_buf *ret_paths, struct tn_buf *ret_hints)
{
	struct showing showing = {
		.document = document, .out = out, .paths = ret_paths, .hints = ret_hints};

	if (ret_paths)
		tn_json_begin_array(ret_paths);
	if (ret_hints)
		tn_json_begin_object(ret_hints);
	put_object(&showing, &tn_studio_config_root, document->config);
	if (ret_hints) {
		put_unset_hints(&showing);
		tn_json_end_object(ret_hints);
	}
	if (ret_paths)
		tn_json_end_array(ret_paths);
}

void tn_studio_config_put_set(struct tn_buf *out, const struct tn_studio_document *document)
{
	struct showing showing = {.document = document, .out = out};

	if (tn_json_is(document->config, TN_JSON_OBJECT))
		put_shown(&showing, document->config);
	else
		tn_buf_append_str(out, TN_STR("{}"));
}

/* ---- regions ---- */

const struct tn_json *tn_studio_config_region(const struct tn_studio_document *document,
					      const struct tn_studio_provider *provider,
					      struct tn_arena *arena)
{
	const struct tn_json *settings =
		tn_json_get_str(tn_json_get(document->config, "providers"), provider->id);
	const struct tn_json *own = tn_json_get(settings, "region");
	const struct tn_json *shared = tn_json_get(document->config, "region"), *fits;

	for (size_t i = 0; i < provider->config_count; i++) {
		const struct tn_studio_property *property = &provider->config[i];

		if (!tn_str_is(property->key, "region"))
			continue;
		if (!tn_studio_value_is_empty(own))
			return own;
		if (!tn_studio_value_is_empty(shared) &&
		    tn_studio_check_value(property, shared, arena, &fits, NULL, 0))
			return fits;
		return property->default_value;
	}
	return NULL;
}
