#include "apps/studio/registry/property_check.h"
#include "apps/studio/document/config.h"
#include "apps/studio/document/value.h"
#include "jsonrpc/json_write.h"

struct merge {
	const struct tn_studio_document *document;
	struct tn_arena *arena;
	struct tn_studio_config_path path;
	struct tn_buf *changed; /* members of an array; NULL: nobody asks */
};

static void put_changed(struct merge *merge)
{
	struct tn_buf text;

	if (!merge->changed)
		return;
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	tn_studio_config_put_path(&text, &merge->path);
	tn_json_put_str(merge->changed, tn_buf_str(&text));
	tn_buf_inherit_failure(merge->changed, &text);
	tn_buf_finish(&text);
}

/* ST-028: what was read as [redacted] and comes back leaves the value alone. */
static bool is_kept(const struct merge *merge, const struct tn_json *patch)
{
	return patch->type == TN_JSON_STRING && tn_str_is(patch->text, TN_STUDIO_REDACTED) &&
	       tn_studio_config_is_sensitive(merge->document, &merge->path);
}

static const struct tn_json *element(const struct tn_json *array, size_t index)
{
	const struct tn_json *item = tn_json_is(array, TN_JSON_ARRAY) ? array->first : NULL;

	while (item && index-- > 0)
		item = item->next;
	return item;
}

/* A setting of a provider in the form it is stored in: "5" for 5 and the like. */
static const struct tn_json *converted(const struct merge *merge, const struct tn_json *value)
{
	const struct tn_studio_provider *provider;
	char why[128];

	if (merge->path.count != 3 || !tn_str_is(merge->path.parts[0], "providers"))
		return value;
	provider = tn_studio_provider_find(merge->document->registry, merge->path.parts[1]);
	for (size_t i = 0; provider && i < provider->config_count; i++) {
		const struct tn_json *stored;

		if (tn_str_equal(provider->config[i].key, merge->path.parts[2]) &&
		    tn_studio_check_value(&provider->config[i], value, merge->arena, &stored, why,
					  sizeof(why)))
			return stored;
	}
	return value;
}

static void put_merged(struct merge *merge, struct tn_buf *out,
		       const struct tn_studio_config_rule *rule, const struct tn_json *stored,
		       const struct tn_json *patch);

/* Arrays replace; an element that was shown as [redacted] stands for the stored one. The built-in
 * sensitive keys are shown in their list and are not stored. */
static void put_array(struct merge *merge, struct tn_buf *out, const struct tn_json *stored,
		      const struct tn_json *patch)
{
	size_t index = 0;

	tn_json_begin_array(out);
	for (const struct tn_json *item = patch->first; item; item = item->next, index++) {
		const struct tn_json *old = element(stored, index);

		if (!tn_studio_config_enter_number(&merge->path, index))
			break;
		tn_json_put_value(out, old && is_kept(merge, item) ? old : item);
		tn_studio_config_leave(&merge->path);
	}
	tn_json_end_array(out);
}

static bool is_built_in_key(struct tn_str text)
{
	return tn_str_starts(text, TN_STR("providers.*.")) ||
	       tn_str_starts(text, TN_STR("backend.config."));
}

static void put_sensitive_keys(struct tn_buf *out, const struct tn_json *patch)
{
	tn_json_begin_array(out);
	for (const struct tn_json *item = patch->first; item; item = item->next) {
		if (!is_built_in_key(item->text))
			tn_json_put_value(out, item);
	}
	tn_json_end_array(out);
}

static void put_leaf(struct merge *merge, struct tn_buf *out,
		     const struct tn_studio_config_rule *rule, const struct tn_json *stored,
		     const struct tn_json *patch)
{
	size_t start;
	struct tn_str before, after;
	struct tn_buf old;

	/* Compared as it is written: conversions and what was kept are no change. */
	if (out->size > 0 && out->data[out->size - 1] == ':')
		start = out->size;
	else
		start = 0;
	if (stored && is_kept(merge, patch))
		tn_json_put_value(out, stored);
	else if (patch->type != TN_JSON_ARRAY)
		tn_json_put_value(out, converted(merge, patch));
	else if (rule && rule->kind == TN_STUDIO_CONFIG_TEXTS)
		put_sensitive_keys(out, patch);
	else
		put_array(merge, out, stored, patch);
	tn_buf_init(&old, TN_STUDIO_FILE_BYTES_MAX);
	if (stored)
		tn_json_put_value(&old, stored);
	before = tn_buf_str(&old);
	after = out->failed ? before : tn_str(out->data + start, out->size - start);
	if (!tn_str_equal(before, after))
		put_changed(merge);
	tn_buf_finish(&old);
}

static void put_member(struct merge *merge, struct tn_buf *out,
		       const struct tn_studio_config_rule *rule, struct tn_str key,
		       const struct tn_json *stored, const struct tn_json *patch)
{
	if (!tn_studio_config_enter(&merge->path, key))
		return;
	if (tn_json_is(patch, TN_JSON_NULL)) {
		if (stored)
			put_changed(merge);
	} else if (stored || patch) {
		tn_json_put_key_str(out, key);
		if (!patch)
			tn_json_put_value(out, stored);
		else
			put_merged(merge, out, tn_studio_config_part(rule, key), stored, patch);
	}
	tn_studio_config_leave(&merge->path);
}

/* RFC 7396, in the order of the table; what it does not know keeps its own. */
static void put_merged(struct merge *merge, struct tn_buf *out,
		       const struct tn_studio_config_rule *rule, const struct tn_json *stored,
		       const struct tn_json *patch)
{
	if (patch->type != TN_JSON_OBJECT) {
		put_leaf(merge, out, rule, stored, patch);
		return;
	}
	if (!tn_json_is(stored, TN_JSON_OBJECT))
		stored = NULL;
	tn_json_begin_object(out);
	for (size_t i = 0; rule && i < rule->part_count; i++)
		put_member(merge, out, rule, tn_str_from(rule->parts[i].key),
			   tn_json_get(stored, rule->parts[i].key),
			   tn_json_get(patch, rule->parts[i].key));
	for (const struct tn_json *old = stored ? stored->first : NULL; old; old = old->next) {
		if (!tn_studio_config_part(rule, old->key))
			put_member(merge, out, rule, old->key, old,
				   tn_json_get_str(patch, old->key));
	}
	for (const struct tn_json *made = patch->first; made; made = made->next) {
		if (!tn_studio_config_part(rule, made->key) && !tn_json_get_str(stored, made->key))
			put_member(merge, out, rule, made->key, NULL, made);
	}
	tn_json_end_object(out);
}

bool tn_studio_config_merge(const struct tn_studio_document *document, const struct tn_json *patch,
			    struct tn_arena *arena, const struct tn_json **ret,
			    struct tn_buf *ret_changed, struct tn_studio_fault *fault)
{
	struct merge merge = {.document = document, .arena = arena, .changed = ret_changed};
	struct tn_json *merged = NULL;
	struct tenon_error err = {0};
	struct tn_buf text;
	bool done;

	if (!tn_studio_config_check(document, patch, arena, fault))
		return false;
	if (ret_changed)
		tn_json_begin_array(ret_changed);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	put_merged(&merge, &text, &tn_studio_config_root, document->config, patch);
	if (ret_changed)
		tn_json_end_array(ret_changed);
	done = tn_buf_check(&text, &err) == TENON_OK &&
	       tn_json_parse_copy(arena, tn_buf_str(&text), &merged, &err) == TENON_OK;
	tn_buf_finish(&text);
	*ret = merged;
	return done || tn_studio_fail_error(fault, &err);
}
