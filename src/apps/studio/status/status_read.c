/* What exists, from the engine's own state: show -json (ST-100). */
#include "apps/studio/status/internal.h"

/* The engine nests modules; so deep nobody nests them. */
enum { MODULE_DEPTH_MAX = 64 };

struct reading {
	struct tn_studio_status *status;
	const struct tn_studio_generated *generated;
	const char *run_id;
	struct tn_map seen; /* addresses in the state: to NULL-less marks */
};

static void see(struct reading *reading, const struct tn_json *resource)
{
	const struct tn_studio_address *block;
	struct tn_str address = {NULL, 0}, mode = {NULL, 0};
	struct tn_studio_record *entry = NULL;
	struct tn_studio_record_part *part;
	bool tainted = false;

	(void)tn_json_to_str(tn_json_get(resource, "mode"), &mode);
	if (!tn_json_to_str(tn_json_get(resource, "address"), &address) || address.size == 0 ||
	    tn_str_is(mode, "data"))
		return;
	(void)tn_json_to_bool(tn_json_get(resource, "tainted"), &tainted);
	if (tn_map_put(&reading->seen, address, (void *)(uintptr_t)(tainted ? 2 : 1), NULL) !=
	    TENON_OK)
		return;
	block = tn_studio_address_find(reading->generated, address);
	if (block && block->node)
		entry = tn_studio_record_make(reading->status, block->node->id);
	part = entry ? tn_studio_record_part(entry, address) : NULL;
	if (part)
		part->primary = block->primary;
}

static void see_module(struct reading *reading, const struct tn_json *module, unsigned depth)
{
	const struct tn_json *resources = tn_json_get(module, "resources");
	const struct tn_json *children = tn_json_get(module, "child_modules");

	for (const struct tn_json *one = tn_json_is(resources, TN_JSON_ARRAY) ? resources->first
									      : NULL;
	     one; one = one->next)
		see(reading, one);
	for (const struct tn_json *one =
		     tn_json_is(children, TN_JSON_ARRAY) && depth < MODULE_DEPTH_MAX
			     ? children->first
			     : NULL;
	     one; one = one->next)
		see_module(reading, one, depth + 1);
}

static void judge(const struct reading *reading, struct tn_studio_record_part *part)
{
	uintptr_t mark = (uintptr_t)tn_map_get(&reading->seen, tn_str_from(part->address));
	bool was = part->present, deleting = part->flight == TN_STUDIO_FLY_DELETE;

	part->flight = TN_STUDIO_GROUNDED;
	part->present = mark != 0;
	if (part->present)
		part->removed = false;
	else if (deleting || (was && reading->run_id))
		part->removed = true;
	if (mark == 2 && !part->error) {
		tn_studio_record_set_error(
			part, TN_STR("It is marked as tainted: the next apply replaces it."));
		part->tainted = true;
	} else if (part->tainted && mark != 2) {
		tn_studio_record_set_error(part, tn_str(NULL, 0));
	}
}

/* What is not there, never was, and did not fail need not be remembered. */
static void forget_nothing(struct tn_studio_record *entry)
{
	struct tn_studio_record_part **at = &entry->parts;

	while (*at) {
		struct tn_studio_record_part *part = *at;

		if (part->present || part->removed || part->error) {
			at = &part->next;
			continue;
		}
		*at = part->next;
		tn_studio_record_free_part(part);
	}
}

static void judge_all(struct reading *reading)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&reading->status->entries, &cursor, &key, &value)) {
		struct tn_studio_record *entry = value;
		struct tn_studio_record_look before = tn_studio_record_look(entry);

		for (struct tn_studio_record_part *part = entry->parts; part; part = part->next)
			judge(reading, part);
		forget_nothing(entry);
		if (tn_studio_record_look(entry).word != before.word)
			tn_studio_record_touched(reading->status, entry, before);
		if (!entry->parts && !entry->applied[0]) {
			(void)tn_map_remove(&reading->status->entries, key);
			tn_studio_record_free(entry);
		}
	}
}

bool tn_studio_status_read(struct tn_studio_status *status,
			   const struct tn_studio_generated *generated, const struct tn_json *state,
			   const char *run_id)
{
	const struct tn_json *values = tn_json_get(state, "values");
	struct reading reading = {.status = status, .generated = generated, .run_id = run_id};

	if (!status)
		return true;
	if (!tn_json_is(state, TN_JSON_OBJECT) || !tn_json_get(state, "format_version"))
		return false;
	tn_map_init(&reading.seen);
	see_module(&reading, tn_json_get(values, "root_module"), 0);
	for (size_t i = 0; i < generated->address_count; i++) {
		const struct tn_studio_address *one = &generated->addresses[i];
		struct tn_studio_record *entry =
			one->node && one->primary ? tn_studio_record_find(status, one->node->id)
						  : NULL;

		if (entry)
			entry->has_primary = true;
	}
	judge_all(&reading);
	tn_map_finish(&reading.seen);
	return true;
}
