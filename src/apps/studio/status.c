#include "apps/studio/status.h"

#include <stdio.h>

#include "apps/studio/run_line.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { ERROR_BYTES_MAX = 4096, ARENA_MAX = 64 * 1024 * 1024, MODULE_DEPTH_MAX = 64 };

enum flight { GROUNDED, CREATING, UPDATING, DELETING };

struct part {
	char *address, *error; /* error NULL: none */
	enum flight flight;
	bool primary, present;
	bool removed; /* it was there, and a run took it away */
	bool tainted; /* the error is the state's own, and goes with its mark */
	struct part *next;
};

struct entry { /* one node */
	char *node_id, *run_id;
	char applied[65]; /* empty: never */
	int64_t updated_ms;
	struct part *parts;
};

struct tn_studio_status {
	struct tn_studio_status_options options;
	char *path;
	struct tn_map entries;
};

/* ---- six words ---- */

static const char *word_of(const struct entry *entry, const char **ret_phase)
{
	bool any = false, primary = false, removed = false, creating = false, flying = false;
	bool has_primary = false, deleting = false;

	*ret_phase = NULL;
	for (const struct part *part = entry->parts; part; part = part->next)
		has_primary = has_primary || part->primary;
	for (const struct part *part = entry->parts; part; part = part->next) {
		if (part->error)
			return "failed";
		flying = flying || part->flight != GROUNDED;
		creating = creating || part->flight == CREATING;
		deleting = deleting || part->flight == DELETING;
		any = any || part->present;
		if (part->primary || !has_primary) { /* some types have extras only */
			primary = primary || part->present;
			removed = removed || part->removed;
		}
	}
	if (deleting)
		*ret_phase = "destroying";
	if (flying)
		return creating && !any ? "creating" : "updating";
	if (primary)
		return "created";
	return removed ? "destroyed" : "pending";
}

static const char *error_of(const struct entry *entry)
{
	for (const struct part *part = entry->parts; part; part = part->next) {
		if (part->error)
			return part->error;
	}
	return NULL;
}

/* ---- entries ---- */

static struct entry *find(const struct tn_studio_status *status, struct tn_str node_id)
{
	return status ? tn_map_get(&status->entries, node_id) : NULL;
}

static void free_part(struct part *part)
{
	tn_mem_free(part->address);
	tn_mem_free(part->error);
	tn_mem_free(part);
}

static void free_entry(struct entry *entry)
{
	while (entry->parts) {
		struct part *part = entry->parts;

		entry->parts = part->next;
		free_part(part);
	}
	tn_mem_free(entry->node_id);
	tn_mem_free(entry->run_id);
	tn_mem_free(entry);
}

static struct entry *make(struct tn_studio_status *status, struct tn_str node_id)
{
	struct entry *entry = find(status, node_id);

	if (entry)
		return entry;
	entry = tn_mem_alloc(sizeof(*entry));
	if (!entry)
		return NULL;
	entry->node_id = tn_mem_copy_text(node_id.data, node_id.size);
	if (entry->node_id && tn_map_put(&status->entries, node_id, entry, NULL) == TENON_OK)
		return entry;
	free_entry(entry);
	return NULL;
}

static struct part *make_part(struct entry *entry, struct tn_str address)
{
	struct part **end = &entry->parts;

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

static void set_error(struct part *part, struct tn_str why)
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

/* What a reader saw before a change, to see whether it is another now. */
struct seen {
	const char *word, *phase;
	bool has_error;
};

static struct seen look(const struct entry *entry)
{
	struct seen seen;

	seen.word = word_of(entry, &seen.phase);
	seen.has_error = error_of(entry) != NULL;
	return seen;
}

static void touched(struct tn_studio_status *status, struct entry *entry, struct seen before)
{
	struct seen now = look(entry);

	entry->updated_ms = tn_clock_wall_ms(status->options.clock);
	if ((now.word != before.word || now.phase != before.phase || now.has_error) &&
	    status->options.changed)
		status->options.changed(tn_str_from(entry->node_id), status->options.data);
}

/* ---- life ---- */

static void read_part(struct entry *entry, const struct tn_json *from)
{
	struct tn_str address = {NULL, 0}, text = {NULL, 0};
	struct part *part;

	if (!tn_json_to_str(tn_json_get(from, "address"), &address) || address.size == 0)
		return;
	part = make_part(entry, address);
	if (!part)
		return;
	(void)tn_json_to_bool(tn_json_get(from, "present"), &part->present);
	(void)tn_json_to_bool(tn_json_get(from, "primary"), &part->primary);
	(void)tn_json_to_bool(tn_json_get(from, "removed"), &part->removed);
	(void)tn_json_to_bool(tn_json_get(from, "tainted"), &part->tainted);
	if (tn_json_to_str(tn_json_get(from, "action"), &text))
		part->flight = tn_str_is(text, "create")   ? CREATING
			       : tn_str_is(text, "update") ? UPDATING
			       : tn_str_is(text, "delete") ? DELETING
							   : GROUNDED;
	if (tn_json_to_str(tn_json_get(from, "error"), &text)) {
		bool tainted = part->tainted;

		set_error(part, text);
		part->tainted = tainted;
	}
}

static void read_entry(struct tn_studio_status *status, const struct tn_json *from)
{
	const struct tn_json *parts = tn_json_get(from, "addresses");
	struct entry *entry = make(status, from->key);
	struct tn_str text = {NULL, 0};

	if (!entry)
		return;
	if (tn_json_to_str(tn_json_get(from, "lastRunId"), &text) && text.size > 0)
		entry->run_id = tn_mem_copy_text(text.data, text.size);
	if (tn_json_to_str(tn_json_get(from, "appliedDigest"), &text) && text.size == 64)
		memcpy(entry->applied, text.data, text.size);
	if (tn_json_to_str(tn_json_get(from, "updatedAt"), &text))
		(void)tn_clock_parse_iso(text, &entry->updated_ms);
	for (const struct tn_json *one = tn_json_is(parts, TN_JSON_ARRAY) ? parts->first : NULL;
	     one; one = one->next)
		read_part(entry, one);
}

static enum tenon_code read_file(struct tn_studio_status *status, struct tenon_error *err)
{
	const struct tn_json *nodes;
	struct tn_json *file = NULL;
	struct tn_arena arena;
	struct tn_buf text;
	enum tenon_code code;

	tn_arena_init(&arena, ARENA_MAX);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	code = tn_file_read(status->path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &text, err);
	if (code == TENON_OK)
		code = tn_json_parse(&arena, text.data, text.size, &file, err);
	if (code == TENON_OK) {
		nodes = tn_json_get(file, "nodes");
		for (const struct tn_json *one = tn_json_is(nodes, TN_JSON_OBJECT) ? nodes->first
										   : NULL;
		     one; one = one->next)
			read_entry(status, one);
	}
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	return code;
}

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
		if (read_file(status, &trouble) != TENON_OK && trouble.code != TENON_NOT_FOUND &&
		    err)
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
		free_entry(entry);
	tn_map_finish(&status->entries);
	tn_mem_free(status->path);
	tn_mem_free(status);
}

/* ---- asking ---- */

const char *tn_studio_status_of(const struct tn_studio_status *status, struct tn_str node_id)
{
	const struct entry *entry = find(status, node_id);
	const char *phase;

	return entry ? word_of(entry, &phase) : "pending";
}

bool tn_studio_status_deployed(const void *data, struct tn_str node_id,
			       struct tn_buf *ret_addresses)
{
	const struct tn_studio_status *status = data;
	const struct entry *entry = find(status, node_id);
	bool any = false;

	for (const struct part *part = entry ? entry->parts : NULL; part; part = part->next) {
		if (!part->present)
			continue;
		any = true;
		if (ret_addresses)
			tn_json_put_text(ret_addresses, part->address);
	}
	return any;
}

static void put_parts(struct tn_buf *out, const struct entry *entry, bool all)
{
	static const char *const actions[] = {NULL, "create", "update", "delete"};

	tn_json_begin_array(out);
	for (const struct part *part = entry ? entry->parts : NULL; part; part = part->next) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "address", part->address);
		tn_json_put_member_bool(out, "present", part->present);
		if (part->flight != GROUNDED)
			tn_json_put_member_text(out, "action", actions[part->flight]);
		if (part->error)
			tn_json_put_member_text(out, "error", part->error);
		if (all && part->primary)
			tn_json_put_member_bool(out, "primary", true);
		if (all && part->removed)
			tn_json_put_member_bool(out, "removed", true);
		if (all && part->tainted)
			tn_json_put_member_bool(out, "tainted", true);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_times(struct tn_buf *out, const struct entry *entry)
{
	char time[TN_CLOCK_ISO_SIZE];

	if (entry->run_id)
		tn_json_put_member_text(out, "lastRunId", entry->run_id);
	if (entry->updated_ms > 0) {
		tn_clock_format_iso(entry->updated_ms, time);
		tn_json_put_member_text(out, "updatedAt", time);
	}
}

void tn_studio_status_put(struct tn_buf *out, const struct tn_studio_status *status,
			  const struct tn_studio_node *node,
			  const struct tn_studio_generated *generated)
{
	const struct entry *entry = find(status, node->id);
	const char *phase = NULL, *error = entry ? error_of(entry) : NULL;
	char now[65];

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "status", entry ? word_of(entry, &phase) : "pending");
	if (phase)
		tn_json_put_member_text(out, "phase", phase);
	if (error)
		tn_json_put_member_text(out, "error", error);
	tn_json_put_key(out, "addresses");
	put_parts(out, entry, false);
	if (entry)
		put_times(out, entry);
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

static struct part *begin_change(struct tn_studio_status *status, const struct tn_studio_part *of,
				 struct entry **ret_entry, struct seen *ret_seen)
{
	struct part *part;

	*ret_entry = status && of->node_id.size > 0 ? make(status, of->node_id) : NULL;
	if (!*ret_entry)
		return NULL;
	*ret_seen = look(*ret_entry);
	part = make_part(*ret_entry, of->address);
	if (part)
		part->primary = of->primary;
	return part;
}

void tn_studio_status_begin(struct tn_studio_status *status, const struct tn_studio_part *of,
			    enum tn_studio_phase phase, const char *run_id)
{
	struct entry *entry;
	struct seen before;
	struct part *part = begin_change(status, of, &entry, &before);
	char *run = part && run_id ? tn_mem_copy_text(run_id, strlen(run_id)) : NULL;

	if (!part)
		return;
	part->flight = phase == TN_STUDIO_CREATE   ? CREATING
		       : phase == TN_STUDIO_DELETE ? DELETING
						   : UPDATING;
	set_error(part, tn_str(NULL, 0));
	if (run) {
		tn_mem_free(entry->run_id);
		entry->run_id = run;
	}
	touched(status, entry, before);
}

void tn_studio_status_complete(struct tn_studio_status *status, const struct tn_studio_part *of,
			       enum tn_studio_phase phase)
{
	struct entry *entry;
	struct seen before;
	struct part *part = begin_change(status, of, &entry, &before);

	if (!part)
		return;
	part->flight = GROUNDED;
	part->present = phase != TN_STUDIO_DELETE;
	part->removed = phase == TN_STUDIO_DELETE;
	touched(status, entry, before);
}

void tn_studio_status_fail(struct tn_studio_status *status, const struct tn_studio_part *of,
			   struct tn_str why)
{
	struct entry *entry;
	struct seen before;
	struct part *part = begin_change(status, of, &entry, &before);

	if (!part)
		return;
	part->flight = GROUNDED;
	set_error(part, why.size > 0 ? why : TN_STR("failed"));
	touched(status, entry, before);
}

void tn_studio_status_applied(struct tn_studio_status *status, struct tn_str node_id,
			      const char *hex)
{
	struct entry *entry = status ? make(status, node_id) : NULL;

	if (entry)
		(void)snprintf(entry->applied, sizeof(entry->applied), "%s", hex);
}

/* ---- the truth ---- */

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
	struct entry *entry = NULL;
	struct part *part;
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
		entry = make(reading->status, block->node->id);
	part = entry ? make_part(entry, address) : NULL;
	if (part)
		part->primary = block->primary;
}

/* The engine nests modules; so deep nobody nests them. */
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

static void judge(const struct reading *reading, struct part *part)
{
	uintptr_t mark = (uintptr_t)tn_map_get(&reading->seen, tn_str_from(part->address));
	bool was = part->present, deleting = part->flight == DELETING;

	part->flight = GROUNDED;
	part->present = mark != 0;
	if (part->present)
		part->removed = false;
	else if (deleting || (was && reading->run_id))
		part->removed = true;
	if (mark == 2 && !part->error) {
		set_error(part, TN_STR("It is marked as tainted: the next apply replaces it."));
		part->tainted = true;
	} else if (part->tainted && mark != 2) {
		set_error(part, tn_str(NULL, 0));
	}
}

/* What is not there, never was, and did not fail need not be remembered. */
static void forget_nothing(struct entry *entry)
{
	struct part **at = &entry->parts;

	while (*at) {
		struct part *part = *at;

		if (part->present || part->removed || part->error) {
			at = &part->next;
			continue;
		}
		*at = part->next;
		free_part(part);
	}
}

static void judge_all(struct reading *reading)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&reading->status->entries, &cursor, &key, &value)) {
		struct entry *entry = value;
		struct seen before = look(entry);

		for (struct part *part = entry->parts; part; part = part->next)
			judge(reading, part);
		forget_nothing(entry);
		if (look(entry).word != before.word)
			touched(reading->status, entry, before);
		if (!entry->parts && !entry->applied[0]) {
			(void)tn_map_remove(&reading->status->entries, key);
			free_entry(entry);
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
	judge_all(&reading);
	tn_map_finish(&reading.seen);
	return true;
}

void tn_studio_status_unknown(struct tn_studio_status *status)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (status && tn_map_next(&status->entries, &cursor, &key, &value)) {
		struct entry *entry = value;
		struct seen before = look(entry);
		bool any = false;

		for (struct part *part = entry->parts; part; part = part->next) {
			if (part->flight == GROUNDED)
				continue;
			part->flight = GROUNDED;
			set_error(part, TN_STR("outcome unknown"));
			any = true;
		}
		if (any)
			touched(status, entry, before);
	}
}

enum tenon_code tn_studio_status_save(struct tn_studio_status *status, struct tenon_error *err)
{
	const char *phase;
	enum tenon_code code;
	struct tn_buf out;
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	if (!status || !status->path)
		return TENON_OK;
	tn_buf_init(&out, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_int(&out, "formatVersion", 1);
	tn_json_put_key(&out, "nodes");
	tn_json_begin_object(&out);
	while (tn_map_next(&status->entries, &cursor, &key, &value)) {
		const struct entry *entry = value;

		tn_json_put_key_str(&out, key);
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "status", word_of(entry, &phase));
		tn_json_put_key(&out, "addresses");
		put_parts(&out, entry, true);
		put_times(&out, entry);
		if (entry->applied[0])
			tn_json_put_member_text(&out, "appliedDigest", entry->applied);
		tn_json_end_object(&out);
	}
	tn_json_end_object(&out);
	tn_json_end_object(&out);
	tn_buf_append_byte(&out, '\n');
	code = tn_buf_check(&out, err);
	if (code == TENON_OK)
		code = tn_file_write(status->path, 0600, tn_buf_str(&out), err);
	tn_buf_finish(&out);
	return code;
}

void tn_studio_status_keep(struct tn_studio_status *status)
{
	if (tn_studio_status_save(status, NULL) != TENON_OK)
		return;
}
