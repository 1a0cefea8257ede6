/* How the effective registry comes about (workbench.md sections 7.2 to 7.4, in their order). */
#include <stdlib.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/registry/entry.h"
#include "apps/workbench/registry/registry_parts.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

struct slot { /* one type; no tree: it is disabled */
	struct tn_str type_id, module;
	const struct tn_json *tree;
	bool disabled;
};

struct composition {
	struct tn_arena arena; /* of what is made on the way */
	struct tn_map by_type; /* to slots */
	struct tn_buf slots;   /* pointers to them, in the order of their coming */
	struct tn_wb_diagnostics *diagnostics;
	struct tn_wb_reading reading;
	bool failed, limited;
	bool starved; /* of maps and lists, which do not say so themselves */
};

static struct slot **slots_of(const struct composition *c)
{
	return (struct slot **)(void *)c->slots.data;
}

static size_t slot_count(const struct composition *c)
{
	return c->slots.size / sizeof(struct slot *);
}

/* A reading fails for want of memory alone, its own or the arena's. */
static void note_failure(struct composition *c)
{
	c->failed = c->failed || c->reading.failed;
	c->starved = c->starved || c->reading.starved;
}

/* ---- contributions ---- */

static struct slot *new_slot(struct composition *c, struct tn_str type_id)
{
	struct slot *slot;

	if (slot_count(c) == TN_WB_ENTRIES_MAX) {
		if (!c->limited)
			tn_wb_reading_say(&c->reading, TN_WB_ERROR, "registry_limit",
					  "there are more than %d component types; this one and "
					  "those after it are left out",
					  TN_WB_ENTRIES_MAX);
		c->limited = true;
		return NULL;
	}
	slot = tn_arena_alloc(&c->arena, sizeof(*slot));
	if (!slot || tn_map_put(&c->by_type, type_id, slot, NULL) != TENON_OK) {
		c->failed = c->starved = true;
		return NULL;
	}
	tn_buf_append(&c->slots, &slot, sizeof(slot));
	slot->type_id = type_id;
	return slot;
}

/* R5: a later entry of the same type replaces the earlier one whole. */
static void add_entry(struct composition *c, struct tn_str module, const struct tn_json *entry)
{
	size_t mark = tn_wb_reading_enter(&c->reading, entry->key);
	const struct tn_json *tree = tn_wb_entry_read(&c->reading, entry->key, entry);
	struct slot *slot = tree ? tn_map_get(&c->by_type, entry->key) : NULL;

	if (tree && !slot)
		slot = new_slot(c, entry->key);
	if (slot) {
		slot->tree = tree;
		slot->module = module;
	}
	note_failure(c);
	tn_wb_reading_leave(&c->reading, mark);
}

/* R1 */
static const char *contribution_fault(const struct tn_json *tree)
{
	const struct tn_json *version = tn_json_get(tree, "schemaVersion");

	if (!tn_json_is(tree, TN_JSON_OBJECT))
		return "it must be an object";
	if (!tn_json_is(version, TN_JSON_STRING) || !tn_str_is(version->text, "v0"))
		return "its \"schemaVersion\" must be \"v0\"";
	return tn_json_is(tn_json_get(tree, "components"), TN_JSON_OBJECT)
		       ? NULL
		       : "it needs \"components\", an object";
}

static void contribute(struct composition *c, const struct tn_wb_contribution *contribution)
{
	static const struct tn_wb_field fields[] = {
		{"schemaVersion", TN_WB_TEXT}, {"components", TN_WB_OBJECT}, {NULL, 0}};
	const char *fault = contribution_fault(contribution->tree);
	struct tn_str module = tn_utf8_cut(contribution->module, TN_WB_ID_BYTES_MAX);

	tn_wb_reading_init(&c->reading, &c->arena, c->diagnostics, contribution->file,
			   contribution->pointer);
	if (fault) {
		tn_wb_reading_say(&c->reading, TN_WB_ERROR, "registry_invalid",
				  "the registry of module \"%.*s\" is left out: %s",
				  (int)module.size, module.size ? module.data : "", fault);
	} else {
		const struct tn_json *components = tn_json_get(contribution->tree, "components");
		size_t mark = tn_wb_reading_enter(&c->reading, TN_STR("components"));

		for (const struct tn_json *at = components->first; at && !c->failed; at = at->next)
			add_entry(c, contribution->module, at);
		tn_wb_reading_leave(&c->reading, mark);
		tn_wb_reading_unknown(&c->reading, contribution->tree, "a registry", fields, NULL);
	}
	tn_wb_reading_finish(&c->reading);
}

/* ---- the project's overrides ---- */

static bool says_disabled(const struct tn_json *over)
{
	return tn_json_is(tn_json_get(over, "disabled"), TN_JSON_TRUE);
}

/* R9, R10 */
static void override_one(struct composition *c, const struct tn_json *over)
{
	struct slot *slot = tn_map_get(&c->by_type, over->key);

	if (!slot) {
		tn_wb_reading_say(&c->reading, TN_WB_WARNING, "override_unknown_component",
				  "there is no component of this type; overrides make none");
	} else if (over->type != TN_JSON_OBJECT) {
		tn_wb_reading_say(&c->reading, TN_WB_WARNING, "override_invalid",
				  "it is ignored: it must be an object");
	} else if (says_disabled(over)) {
		slot->disabled = true;
	} else {
		slot->tree = tn_wb_entry_override(&c->reading, slot->tree, over);
		c->failed = c->failed || !slot->tree;
		note_failure(c);
	}
}

static void begin_config(struct composition *c, const struct tn_wb_registry_inputs *inputs,
			 const char *pointer)
{
	tn_wb_reading_init(&c->reading, &c->arena, c->diagnostics, inputs->config_file, pointer);
}

static void apply_overrides(struct composition *c, const struct tn_wb_registry_inputs *inputs)
{
	const struct tn_json *overrides = inputs->overrides;

	if (!tn_json_is(overrides, TN_JSON_OBJECT))
		return;
	begin_config(c, inputs, "/components/overrides");
	for (const struct tn_json *at = overrides->first; at && !c->failed; at = at->next) {
		size_t mark = tn_wb_reading_enter(&c->reading, at->key);

		override_one(c, at);
		tn_wb_reading_leave(&c->reading, mark);
	}
	tn_wb_reading_finish(&c->reading);
}

/* ---- guardrails ---- */

static void lock_one(struct composition *c, const struct tn_json *props)
{
	struct slot *slot = tn_map_get(&c->by_type, props->key);

	if (!tn_wb_shape_is(TN_WB_TEXTS, props))
		tn_wb_reading_say(&c->reading, TN_WB_WARNING, "override_invalid",
				  "it is ignored: it must be an array of names of props");
	else if (!slot)
		tn_wb_reading_say(&c->reading, TN_WB_WARNING, "locked_unknown_component",
				  "there is no component of this type");
	else if (!slot->disabled)
		slot->tree = tn_wb_entry_lock(&c->reading, slot->tree, props);
	c->failed = c->failed || (slot && !slot->tree);
}

static void apply_locks(struct composition *c, const struct tn_wb_registry_inputs *inputs)
{
	const struct tn_json *locked = inputs->locked;

	if (!tn_json_is(locked, TN_JSON_OBJECT))
		return;
	begin_config(c, inputs, "/guardrails/lockedProps");
	for (const struct tn_json *at = locked->first; at && !c->failed; at = at->next) {
		size_t mark = tn_wb_reading_enter(&c->reading, at->key);

		lock_one(c, at);
		tn_wb_reading_leave(&c->reading, mark);
	}
	tn_wb_reading_finish(&c->reading);
}

/* ---- the result ---- */

static int by_type_id(const void *a, const void *b)
{
	const struct slot *const *x = a, *const *y = b;

	return tn_str_compare((*x)->type_id, (*y)->type_id);
}

static struct tn_str own(struct tn_wb_registry *registry, struct tn_str text, bool *failed)
{
	const char *copy = tn_arena_copy(&registry->arena, text);

	*failed = *failed || !copy;
	return tn_str(copy, copy ? text.size : 0);
}

static size_t count_hints(const struct tn_json *hints)
{
	if (!hints)
		return 0;
	return hints->type == TN_JSON_ARRAY ? hints->count : 1;
}

static void add_hints(struct tn_wb_registry *registry, const struct tn_wb_entry *entry)
{
	const struct tn_json *hints = tn_json_get(entry->tree, "implementation");
	const struct tn_json *at = hints && hints->type == TN_JSON_ARRAY ? hints->first : hints;

	for (size_t left = count_hints(hints); left; left--, at = at->next)
		registry->hints[registry->hint_count++] = tn_wb_hint_of(entry->type_id, at);
}

static void take_slot(struct composition *c, struct tn_wb_registry *registry,
		      const struct slot *slot)
{
	struct tn_str type_id = own(registry, slot->type_id, &c->failed);
	struct tn_wb_entry *entry = &registry->entries[registry->count];
	const void *found = slot->disabled ? (const void *)registry : entry;

	if (tn_map_put(&registry->by_type, type_id, (void *)found, NULL) != TENON_OK)
		c->failed = c->starved = true;
	if (slot->disabled) {
		registry->disabled[registry->disabled_count++] = type_id;
		return;
	}
	*entry = (struct tn_wb_entry){.type_id = type_id,
				      .module = own(registry, slot->module, &c->failed),
				      .tree = tn_json_copy(&registry->arena, slot->tree)};
	c->failed = c->failed || !entry->tree;
	if (c->failed)
		return;
	registry->count++;
	(void)tn_json_to_str(tn_json_get(entry->tree, "displayName"), &entry->display_name);
	add_hints(registry, entry);
}

static void make_room(struct composition *c, struct tn_wb_registry *registry)
{
	size_t count = slot_count(c), hints = 0;

	for (size_t i = 0; i < count; i++)
		hints += count_hints(tn_json_get(slots_of(c)[i]->tree, "implementation"));
	registry->entries =
		tn_arena_alloc_array(&registry->arena, count + 1, sizeof(*registry->entries));
	registry->disabled =
		tn_arena_alloc_array(&registry->arena, count + 1, sizeof(*registry->disabled));
	registry->hints =
		tn_arena_alloc_array(&registry->arena, hints + 1, sizeof(*registry->hints));
	c->failed = !registry->entries || !registry->disabled || !registry->hints;
}

static void write_text(struct tn_wb_registry *registry)
{
	struct tn_buf *out = &registry->text;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_key(out, "components");
	tn_json_begin_object(out);
	for (size_t i = 0; i < registry->count; i++) {
		tn_json_put_key_str(out, registry->entries[i].type_id);
		tn_json_put_value(out, registry->entries[i].tree);
	}
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static void finish_registry(struct composition *c, struct tn_wb_registry *registry)
{
	size_t count = slot_count(c);

	c->starved = c->starved || c->slots.starved;
	c->failed = c->failed || c->slots.failed;
	if (!c->failed)
		make_room(c, registry);
	if (c->failed)
		return;
	if (count)
		qsort(slots_of(c), count, sizeof(struct slot *), by_type_id);
	for (size_t i = 0; i < count && !c->failed; i++)
		take_slot(c, registry, slots_of(c)[i]);
	write_text(registry);
	c->failed = c->failed || registry->text.failed;
}

static void compose(struct composition *c, const struct tn_wb_registry_inputs *inputs,
		    struct tn_wb_registry *registry)
{
	const struct tn_wb_contribution inferred = {.module = TN_STR("inferred"),
						    .tree = inputs->inferred};

	if (inputs->inferred)
		contribute(c, &inferred);
	for (size_t i = 0; i < inputs->count && !c->failed; i++)
		contribute(c, &inputs->contributions[i]);
	if (!c->failed)
		apply_overrides(c, inputs);
	if (!c->failed)
		apply_locks(c, inputs);
	finish_registry(c, registry);
}

enum tenon_code tn_wb_registry_compose(const struct tn_wb_registry_inputs *inputs,
				       struct tn_wb_diagnostics *diagnostics,
				       struct tn_wb_registry **ret, struct tenon_error *err)
{
	struct tn_wb_registry *registry = tn_mem_alloc(sizeof(*registry));
	struct composition c = {.diagnostics = diagnostics};
	bool starved;

	if (!registry)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&registry->arena, TN_WB_REGISTRY_BYTES_MAX);
	tn_map_init(&registry->by_type);
	tn_buf_init(&registry->text, TN_WB_REGISTRY_BYTES_MAX);
	tn_arena_init(&c.arena, TN_WB_REGISTRY_BYTES_MAX);
	tn_map_init(&c.by_type);
	tn_buf_init(&c.slots, TN_WB_ENTRIES_MAX * sizeof(struct slot *));
	compose(&c, inputs, registry);
	starved = c.starved || c.arena.starved || registry->arena.starved || registry->text.starved;
	tn_buf_finish(&c.slots);
	tn_map_finish(&c.by_type);
	tn_arena_finish(&c.arena);
	if (!c.failed) {
		*ret = registry;
		return TENON_OK;
	}
	tn_wb_registry_free(registry);
	return tn_fail(err, starved ? TENON_NO_MEMORY : TENON_LIMIT,
		       "the registry needs too much memory");
}
