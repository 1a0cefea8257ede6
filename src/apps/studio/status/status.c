#include "apps/studio/status/status.h"

#include <stdio.h>
#include <string.h>

#include "apps/studio/status/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
/* ---- life ---- */

enum tenon_code tn_studio_status_create(const struct tn_studio_status_options *options,
					struct tn_studio_status **ret, struct tenon_error *err)
{
	struct tn_studio_status *status = tn_mem_alloc(sizeof(*status));
	struct tenon_error trouble = {0};

	if (!status)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	status->options = *options;
	tn_map_init(&status->entries);
	if (options->path) {
		status->path = tn_mem_copy_text(options->path, strlen(options->path));
		if (!status->path) {
			tn_mem_free(status);
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		}
		if (tn_studio_status_read_file(status, &trouble) != TENON_OK &&
		    trouble.code != TENON_NOT_FOUND && err)
			*err = trouble;
	}
	*ret = status;
	return TENON_OK;
}

void tn_studio_status_destroy(struct tn_studio_status *status)
{
	size_t cursor = 0;
	struct tn_str key;
	void *entry;

	if (!status)
		return;
	while (tn_map_next(&status->entries, &cursor, &key, &entry))
		tn_studio_record_free(entry);
	tn_map_finish(&status->entries);
	tn_mem_free(status->path);
	tn_mem_free(status);
}

/* ---- a copy ---- */

static bool copy_parts(const struct tn_studio_record *from, struct tn_studio_record *to)
{
	for (const struct tn_studio_record_part *at = from->parts; at; at = at->next) {
		struct tn_studio_record_part *part =
			tn_studio_record_part(to, tn_str_from(at->address));

		if (!part)
			return false;
		part->flight = at->flight;
		part->primary = at->primary;
		part->present = at->present;
		part->removed = at->removed;
		if (at->error)
			tn_studio_record_set_error(part, tn_str_from(at->error));
		if (at->error && !part->error)
			return false;
		part->tainted = at->tainted;
	}
	return true;
}

static bool copy_text(const char *from, char **to)
{
	*to = from ? tn_mem_copy_text(from, strlen(from)) : NULL;
	return !from || *to;
}

static bool copy_look(const struct tn_studio_record_look_of *from,
		      struct tn_studio_record_look_of *to)
{
	to->x = from->x;
	to->y = from->y;
	to->width = from->width;
	to->height = from->height;
	return copy_text(from->type_id, &to->type_id) && copy_text(from->label, &to->label) &&
	       copy_text(from->parent_id, &to->parent_id);
}

static bool copy_record(const struct tn_studio_record *from, struct tn_studio_status *to)
{
	struct tn_studio_record *record = tn_studio_record_make(to, tn_str_from(from->node_id));

	if (!record)
		return false;
	if (from->run_id) {
		record->run_id = tn_mem_copy_text(from->run_id, strlen(from->run_id));
		if (!record->run_id)
			return false;
	}
	memcpy(record->applied, from->applied, sizeof(record->applied));
	record->cents = from->cents;
	record->is_priced = from->is_priced;
	record->updated_ms = from->updated_ms;
	record->has_primary = from->has_primary;
	return copy_look(&from->look, &record->look) && copy_parts(from, record);
}

enum tenon_code tn_studio_status_copy(const struct tn_studio_status *from,
				      struct tn_studio_status **ret, struct tenon_error *err)
{
	const struct tn_studio_status_options options = {.clock = from->options.clock};
	struct tn_studio_status *copy = NULL;
	enum tenon_code code = tn_studio_status_create(&options, &copy, err);
	bool whole = true;
	size_t cursor = 0;
	struct tn_str key;
	void *entry;

	if (code != TENON_OK)
		return code;
	while (whole && tn_map_next(&from->entries, &cursor, &key, &entry))
		whole = copy_record(entry, copy);
	if (!whole) {
		tn_studio_status_destroy(copy);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = copy;
	return TENON_OK;
}

/* ---- asking ---- */

const char *tn_studio_status_of(const struct tn_studio_status *status, struct tn_str node_id)
{
	const struct tn_studio_record *entry = tn_studio_record_find(status, node_id);
	const char *phase;

	return entry ? tn_studio_record_word(entry, &phase) : "pending";
}

bool tn_studio_status_deployed(const void *data, struct tn_str node_id,
			       struct tn_buf *ret_addresses)
{
	const struct tn_studio_status *status = data;
	const struct tn_studio_record *entry = tn_studio_record_find(status, node_id);
	bool any = false;

	for (const struct tn_studio_record_part *part = entry ? entry->parts : NULL; part;
	     part = part->next) {
		if (!part->present)
			continue;
		any = true;
		if (ret_addresses)
			tn_json_put_text(ret_addresses, part->address);
	}
	return any;
}

void tn_studio_status_put(struct tn_buf *out, const struct tn_studio_status *status,
			  const struct tn_studio_node *node,
			  const struct tn_studio_generated *generated)
{
	const struct tn_studio_record *entry = tn_studio_record_find(status, node->id);
	const char *phase = NULL, *error = entry ? tn_studio_record_error(entry) : NULL;
	char now[65];

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "status",
				entry ? tn_studio_record_word(entry, &phase) : "pending");
	if (phase)
		tn_json_put_member_text(out, "phase", phase);
	if (error)
		tn_json_put_member_text(out, "error", error);
	tn_json_put_key(out, "addresses");
	tn_studio_record_put_parts(out, entry, false);
	if (entry)
		tn_studio_record_put_times(out, entry);
	if (generated) {
		bool changed = false;

		if (entry && entry->applied[0] &&
		    tn_studio_status_deployed(status, node->id, NULL)) {
			tn_studio_node_digest(generated, node, now);
			changed = strcmp(now, entry->applied) != 0;
		}
		tn_json_put_member_bool(out, "changed", changed);
	}
	if (node->type && (node->type->is_virtual || node->type->is_annotation))
		tn_json_put_member_bool(out, "applicable", false);
	tn_json_end_object(out);
}

/* ---- fed by runs ---- */

static struct tn_studio_record_part *begin_change(struct tn_studio_status *status,
						  const struct tn_studio_part *of,
						  struct tn_studio_record **ret_entry,
						  struct tn_studio_record_look *ret_seen)
{
	struct tn_studio_record_part *part;

	*ret_entry =
		status && of->node_id.size > 0 ? tn_studio_record_make(status, of->node_id) : NULL;
	if (!*ret_entry)
		return NULL;
	*ret_seen = tn_studio_record_look(*ret_entry);
	part = tn_studio_record_part(*ret_entry, of->address);
	if (part)
		part->primary = of->primary;
	(*ret_entry)->has_primary = (*ret_entry)->has_primary || of->primary;
	return part;
}

void tn_studio_status_begin(struct tn_studio_status *status, const struct tn_studio_part *of,
			    enum tn_studio_phase phase, const char *run_id)
{
	struct tn_studio_record *entry;
	struct tn_studio_record_look before;
	struct tn_studio_record_part *part = begin_change(status, of, &entry, &before);
	char *run = part && run_id ? tn_mem_copy_text(run_id, strlen(run_id)) : NULL;

	if (!part)
		return;
	part->flight = phase == TN_STUDIO_CREATE   ? TN_STUDIO_FLY_CREATE
		       : phase == TN_STUDIO_DELETE ? TN_STUDIO_FLY_DELETE
						   : TN_STUDIO_FLY_UPDATE;
	tn_studio_record_set_error(part, tn_str(NULL, 0));
	if (run) {
		tn_mem_free(entry->run_id);
		entry->run_id = run;
	}
	tn_studio_record_touched(status, entry, before);
}

void tn_studio_status_complete(struct tn_studio_status *status, const struct tn_studio_part *of,
			       enum tn_studio_phase phase)
{
	struct tn_studio_record *entry;
	struct tn_studio_record_look before;
	struct tn_studio_record_part *part = begin_change(status, of, &entry, &before);

	if (!part)
		return;
	part->flight = TN_STUDIO_GROUNDED;
	part->present = phase != TN_STUDIO_DELETE;
	part->removed = phase == TN_STUDIO_DELETE;
	tn_studio_record_touched(status, entry, before);
}

void tn_studio_status_fail(struct tn_studio_status *status, const struct tn_studio_part *of,
			   struct tn_str why)
{
	struct tn_studio_record *entry;
	struct tn_studio_record_look before;
	struct tn_studio_record_part *part = begin_change(status, of, &entry, &before);

	if (!part)
		return;
	part->flight = TN_STUDIO_GROUNDED;
	tn_studio_record_set_error(part, why.size > 0 ? why : TN_STR("failed"));
	tn_studio_record_touched(status, entry, before);
}

void tn_studio_status_applied(struct tn_studio_status *status, struct tn_str node_id,
			      const char *hex, const int64_t *cents)
{
	struct tn_studio_record *entry = status ? tn_studio_record_make(status, node_id) : NULL;

	if (!entry)
		return;
	(void)snprintf(entry->applied, sizeof(entry->applied), "%s", hex);
	entry->is_priced = cents != NULL;
	entry->cents = cents ? *cents : 0;
}

bool tn_studio_status_cost(const struct tn_studio_status *status, struct tn_str node_id,
			   int64_t *ret_cents)
{
	const struct tn_studio_record *entry = tn_studio_record_find(status, node_id);

	if (!entry || !entry->is_priced)
		return false;
	*ret_cents = entry->cents;
	return true;
}

struct tn_str tn_studio_status_node_of(const struct tn_studio_status *status, struct tn_str address,
				       bool *ret_primary)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (status && tn_map_next(&status->entries, &cursor, &key, &value)) {
		const struct tn_studio_record *entry = value;

		for (const struct tn_studio_record_part *part = entry->parts; part;
		     part = part->next) {
			if (!part->present || !tn_str_is(address, part->address))
				continue;
			*ret_primary = part->primary;
			return key;
		}
	}
	return tn_str("", 0);
}

void tn_studio_status_each(const struct tn_studio_status *status,
			   void (*each)(struct tn_str node_id, void *data), void *data)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (status && tn_map_next(&status->entries, &cursor, &key, &value)) {
		if (tn_studio_status_deployed(status, key, NULL))
			each(key, data);
	}
}

static bool has_part(const struct tn_studio_record *entry, const char *address)
{
	const struct tn_studio_record_part *part = entry->parts;

	while (part && !(part->present && strcmp(part->address, address) == 0))
		part = part->next;
	return part != NULL;
}

/* All that exists of the one exists of the other. */
static bool holds_all(const struct tn_studio_status *of, const struct tn_studio_status *in)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (of && tn_map_next(&of->entries, &cursor, &key, &value)) {
		const struct tn_studio_record *entry = value, *other;

		other = in ? tn_studio_record_find(in, key) : NULL;
		for (const struct tn_studio_record_part *part = entry->parts; part;
		     part = part->next) {
			if (part->present && !(other && has_part(other, part->address)))
				return false;
		}
	}
	return true;
}

bool tn_studio_status_agrees(const struct tn_studio_status *a, const struct tn_studio_status *b)
{
	return holds_all(a, b) && holds_all(b, a);
}

void tn_studio_status_unknown(struct tn_studio_status *status)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (status && tn_map_next(&status->entries, &cursor, &key, &value)) {
		struct tn_studio_record *entry = value;
		struct tn_studio_record_look before = tn_studio_record_look(entry);
		bool any = false;

		for (struct tn_studio_record_part *part = entry->parts; part; part = part->next) {
			if (part->flight == TN_STUDIO_GROUNDED)
				continue;
			part->flight = TN_STUDIO_GROUNDED;
			tn_studio_record_set_error(part, TN_STR("outcome unknown"));
			any = true;
		}
		if (any)
			tn_studio_record_touched(status, entry, before);
	}
}
