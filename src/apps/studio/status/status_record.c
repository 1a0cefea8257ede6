/* Records of what runs did to each node: its parts, and the word that they make together. */
#include "apps/studio/status/internal.h"
#include "base/mem.h"

enum { ERROR_BYTES_MAX = 4096 };

struct sums {
	bool any, primary, removed, creating, flying, deleting, failed;
};

static void add(struct sums *sums, const struct tn_studio_record *entry,
		const struct tn_studio_record_part *part)
{
	bool counts = part->primary || !entry->has_primary;

	sums->failed |= part->error != NULL;
	sums->flying |= part->flight != TN_STUDIO_GROUNDED;
	sums->creating |= part->flight == TN_STUDIO_FLY_CREATE;
	sums->deleting |= part->flight == TN_STUDIO_FLY_DELETE;
	sums->any |= part->present;
	sums->primary |= counts && part->present;
	sums->removed |= counts && part->removed;
}

const char *tn_studio_record_word(const struct tn_studio_record *entry, const char **ret_phase)
{
	struct sums sums = {.any = false};

	for (const struct tn_studio_record_part *part = entry->parts; part; part = part->next)
		add(&sums, entry, part);
	*ret_phase = sums.deleting && !sums.failed ? "destroying" : NULL;
	if (sums.failed)
		return "failed";
	if (sums.flying)
		return sums.creating && !sums.any ? "creating" : "updating";
	if (sums.primary)
		return "created";
	return sums.removed ? "destroyed" : "pending";
}

struct tn_studio_record *tn_studio_record_find(const struct tn_studio_status *status,
					       struct tn_str node_id)
{
	return status ? tn_map_get(&status->entries, node_id) : NULL;
}

void tn_studio_record_free_part(struct tn_studio_record_part *part)
{
	tn_mem_free(part->address);
	tn_mem_free(part->error);
	tn_mem_free(part);
}

void tn_studio_record_free(struct tn_studio_record *entry)
{
	while (entry->parts) {
		struct tn_studio_record_part *part = entry->parts;

		entry->parts = part->next;
		tn_studio_record_free_part(part);
	}
	tn_mem_free(entry->node_id);
	tn_mem_free(entry->run_id);
	tn_mem_free(entry->look.type_id);
	tn_mem_free(entry->look.label);
	tn_mem_free(entry->look.parent_id);
	tn_mem_free(entry);
}

struct tn_studio_record *tn_studio_record_make(struct tn_studio_status *status,
					       struct tn_str node_id)
{
	struct tn_studio_record *entry = tn_studio_record_find(status, node_id);

	if (entry)
		return entry;
	entry = tn_mem_alloc(sizeof(*entry));
	if (!entry)
		return NULL;
	entry->node_id = tn_mem_copy_text(node_id.data, node_id.size);
	if (entry->node_id && tn_map_put(&status->entries, node_id, entry, NULL) == TENON_OK)
		return entry;
	tn_studio_record_free(entry);
	return NULL;
}

struct tn_studio_record_part *tn_studio_record_part(struct tn_studio_record *entry,
						    struct tn_str address)
{
	struct tn_studio_record_part **end = &entry->parts;

	for (; *end; end = &(*end)->next) {
		if (tn_str_is(address, (*end)->address))
			return *end;
	}
	*end = tn_mem_alloc(sizeof(**end));
	if (!*end)
		return NULL;
	(*end)->address = tn_mem_copy_text(address.data, address.size);
	if (!(*end)->address) {
		tn_mem_free(*end);
		*end = NULL;
	}
	return *end;
}

void tn_studio_record_set_error(struct tn_studio_record_part *part, struct tn_str why)
{
	char *copy = NULL;

	if (why.data) {
		why = why.size > ERROR_BYTES_MAX ? tn_str(why.data, ERROR_BYTES_MAX) : why;
		copy = tn_mem_copy_text(why.data, why.size);
		if (!copy)
			return; /* the older one stays */
	}
	tn_mem_free(part->error);
	part->error = copy;
	part->tainted = false;
}

const char *tn_studio_record_error(const struct tn_studio_record *entry)
{
	for (const struct tn_studio_record_part *part = entry->parts; part; part = part->next) {
		if (part->error)
			return part->error;
	}
	return NULL;
}

struct tn_studio_record_look tn_studio_record_look(const struct tn_studio_record *entry)
{
	struct tn_studio_record_look seen;

	seen.word = tn_studio_record_word(entry, &seen.phase);
	seen.has_error = tn_studio_record_error(entry) != NULL;
	return seen;
}

void tn_studio_record_touched(struct tn_studio_status *status, struct tn_studio_record *entry,
			      struct tn_studio_record_look before)
{
	struct tn_studio_record_look now = tn_studio_record_look(entry);

	entry->updated_ms = tn_clock_wall_ms(status->options.clock);
	if ((now.word != before.word || now.phase != before.phase || now.has_error) &&
	    status->options.changed)
		status->options.changed(tn_str_from(entry->node_id), status->options.data);
}
