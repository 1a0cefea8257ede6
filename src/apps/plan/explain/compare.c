#include "apps/plan/explain/compare.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/map.h"
#include "jsonrpc/json_write.h"

enum { KEY_BYTES_MAX = 1 << 20 };

struct comparison {
	const struct tn_plan *plan, *other;
	struct tn_map ours, theirs; /* address and deposed key -> struct tn_plan_entry */
	bool by_unit;               /* several projects: an address may stand in each of them */
	struct tn_buf key;
	uint32_t added, removed, changed, same;
};

/* ---- matching ---- */

static struct tn_str make_key(struct comparison *comparison, const struct tn_plan_entry *entry)
{
	struct tn_buf *key = &comparison->key;

	tn_buf_clear(key);
	if (comparison->by_unit)
		tn_buf_format(key, "%u ", entry->unit);
	tn_buf_append_str(key, entry->address);
	tn_buf_append_byte(key, '\0');
	tn_buf_append_str(key, entry->deposed);
	return tn_buf_str(key);
}

static enum tenon_code index_plan(struct comparison *comparison, struct tn_map *map,
				  const struct tn_plan *plan, struct tenon_error *err)
{
	for (uint32_t i = 0; i < plan->change_count; i++) {
		struct tn_str key = make_key(comparison, &plan->changes[i]);
		enum tenon_code code = tn_buf_check(&comparison->key, err);

		if (code == TENON_OK)
			code = tn_map_put(map, key, &plan->changes[i], err);
		if (code != TENON_OK)
			return code;
	}
	return TENON_OK;
}

static const struct tn_plan_entry *counterpart(struct comparison *comparison,
					       const struct tn_map *map,
					       const struct tn_plan_entry *entry)
{
	return tn_map_get(map, make_key(comparison, entry));
}

/* ---- differences ---- */

static bool same_attribute(const struct tn_plan_attribute *a, const struct tn_plan_attribute *b)
{
	return a->change == b->change && a->unknown == b->unknown && a->sensitive == b->sensitive &&
	       a->write_only == b->write_only && a->forces_replacement == b->forces_replacement &&
	       tn_plan_value_equal(&a->before, &b->before) &&
	       tn_plan_value_equal(&a->after, &b->after);
}

static bool counts(const struct tn_plan_attribute *attribute)
{
	return attribute->change != TN_PLAN_ATTR_UNCHANGED;
}

/* Mostly it stands at the same place, so that is where the search begins. */
static const struct tn_plan_attribute *find_path(const struct tn_plan_entry *entry,
						 struct tn_str path, uint32_t hint)
{
	uint32_t count = entry->attributes.count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = hint < count ? (hint + i) % count : i;
		const struct tn_plan_attribute *attribute = &entry->attributes.items[at];

		if (counts(attribute) && tn_str_equal(attribute->path, path))
			return attribute;
	}
	return NULL;
}

typedef void difference_fn(struct tn_buf *out, const struct tn_plan_attribute *ours,
			   const struct tn_plan_attribute *theirs);

/* Calls `put` (may be NULL) for every attribute that differs; `ours` or `theirs` may be NULL.
 * Returns how many there are. */
static uint32_t for_each_difference(struct tn_buf *out, const struct tn_plan_entry *ours,
				    const struct tn_plan_entry *theirs, difference_fn *put)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < ours->attributes.count; i++) {
		const struct tn_plan_attribute *a = &ours->attributes.items[i], *b;

		if (!counts(a))
			continue;
		b = find_path(theirs, a->path, i);
		if (b && same_attribute(a, b))
			continue;
		count++;
		if (put)
			put(out, a, b);
	}
	for (uint32_t i = 0; i < theirs->attributes.count; i++) {
		const struct tn_plan_attribute *b = &theirs->attributes.items[i];

		if (!counts(b) || find_path(ours, b->path, i))
			continue;
		count++;
		if (put)
			put(out, NULL, b);
	}
	return count;
}

static bool same_entry(const struct tn_plan_entry *a, const struct tn_plan_entry *b)
{
	return a->action == b->action && a->order == b->order &&
	       tn_str_equal(a->previous_address, b->previous_address) &&
	       tn_str_equal(a->import_id, b->import_id) &&
	       for_each_difference(NULL, a, b, NULL) == 0;
}

static enum tenon_code begin(struct comparison *comparison, const struct tn_plan *plan,
			     const struct tn_plan *other, struct tenon_error *err)
{
	enum tenon_code code;

	*comparison = (struct comparison){.plan = plan, .other = other};
	comparison->by_unit = plan->unit_count > 1 && plan->unit_count == other->unit_count;
	tn_map_init(&comparison->ours);
	tn_map_init(&comparison->theirs);
	tn_buf_init(&comparison->key, KEY_BYTES_MAX);
	code = index_plan(comparison, &comparison->ours, plan, err);
	if (code == TENON_OK)
		code = index_plan(comparison, &comparison->theirs, other, err);
	for (uint32_t i = 0; i < plan->change_count && code == TENON_OK; i++) {
		const struct tn_plan_entry *theirs =
			counterpart(comparison, &comparison->theirs, &plan->changes[i]);

		if (!theirs)
			comparison->removed++;
		else if (same_entry(&plan->changes[i], theirs))
			comparison->same++;
		else
			comparison->changed++;
	}
	for (uint32_t i = 0; i < other->change_count && code == TENON_OK; i++)
		comparison->added +=
			counterpart(comparison, &comparison->ours, &other->changes[i]) == NULL;
	return code;
}

static void end(struct comparison *comparison)
{
	tn_buf_finish(&comparison->key);
	tn_map_finish(&comparison->theirs);
	tn_map_finish(&comparison->ours);
}

/* ---- JSON ---- */

static void put_side(struct tn_buf *out, const struct tn_plan_attribute *attribute,
		     const char *change, const char *before, const char *after)
{
	bool hidden = !attribute || attribute->sensitive || attribute->write_only;

	tn_json_put_member_text(out, change,
				attribute ? tn_plan_change_name(attribute->change) : NULL);
	tn_json_put_key(out, before);
	if (hidden)
		tn_json_put_null(out);
	else
		tn_plan_put_json_value(out, &attribute->before);
	tn_json_put_key(out, after);
	if (hidden)
		tn_json_put_null(out);
	else
		tn_plan_put_json_value(out, &attribute->after);
}

static void put_difference(struct tn_buf *out, const struct tn_plan_attribute *ours,
			   const struct tn_plan_attribute *theirs)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "path", ours ? ours->path : theirs->path);
	tn_json_put_member_text(out, "difference",
				!ours     ? "added"
				: !theirs ? "removed"
					  : "changed");
	put_side(out, ours, "change", "before", "after");
	put_side(out, theirs, "other_change", "other_before", "other_after");
	tn_json_put_member_bool(out, "sensitive",
				(ours && ours->sensitive) || (theirs && theirs->sensitive));
	tn_json_end_object(out);
}

static void put_identity(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	const char *words[2];
	unsigned count = tn_plan_action_words(entry, words);

	tn_json_put_member_str(out, "address", entry->address);
	tn_json_put_key(out, "deposed");
	tn_plan_put_json_text(out, entry->deposed);
	tn_json_put_member_str(out, "type", entry->type);
	tn_json_put_member_text(out, "action", tn_plan_action_name(entry->action));
	tn_json_put_key(out, "actions");
	tn_json_begin_array(out);
	for (unsigned i = 0; i < count; i++)
		tn_json_put_text(out, words[i]);
	tn_json_end_array(out);
}

static void put_alone(struct comparison *comparison, struct tn_buf *out, const char *key,
		      const struct tn_plan *plan, const struct tn_map *others)
{
	tn_json_put_key(out, key);
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < plan->change_count; i++) {
		if (counterpart(comparison, others, &plan->changes[i]))
			continue;
		tn_json_begin_object(out);
		put_identity(out, &plan->changes[i]);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_changed(struct comparison *comparison, struct tn_buf *out)
{
	tn_json_put_key(out, "changed");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < comparison->plan->change_count; i++) {
		const struct tn_plan_entry *ours = &comparison->plan->changes[i];
		const struct tn_plan_entry *theirs =
			counterpart(comparison, &comparison->theirs, ours);

		if (!theirs || same_entry(ours, theirs))
			continue;
		tn_json_begin_object(out);
		put_identity(out, ours);
		tn_json_put_member_text(out, "other_action", tn_plan_action_name(theirs->action));
		tn_json_put_key(out, "attributes");
		tn_json_begin_array(out);
		(void)for_each_difference(out, ours, theirs, put_difference);
		tn_json_end_array(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_head(struct comparison *comparison, struct tn_buf *out)
{
	const struct tn_plan *plan = comparison->plan, *other = comparison->other;

	tn_json_put_member_bool(out, "identical",
				comparison->added + comparison->removed + comparison->changed == 0);
	tn_json_put_member_text(out, "plan_id", plan->id[0] ? plan->id : NULL);
	tn_json_put_member_text(out, "other_plan_id", other->id[0] ? other->id : NULL);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_put_member_int(out, "other_total_changes", other->total_changes);
	tn_json_put_key(out, "counts");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "added", comparison->added);
	tn_json_put_member_int(out, "removed", comparison->removed);
	tn_json_put_member_int(out, "changed", comparison->changed);
	tn_json_put_member_int(out, "same", comparison->same);
	tn_json_end_object(out);
}

enum tenon_code tn_plan_put_compare_json(struct tn_buf *out, const struct tn_plan *plan,
					 const struct tn_plan *other, struct tenon_error *err)
{
	struct comparison comparison;
	enum tenon_code code = begin(&comparison, plan, other, err);

	if (code == TENON_OK) {
		tn_json_begin_object(out);
		put_head(&comparison, out);
		put_alone(&comparison, out, "added", other, &comparison.ours);
		put_alone(&comparison, out, "removed", plan, &comparison.theirs);
		put_changed(&comparison, out);
		tn_json_end_object(out);
	}
	end(&comparison);
	return code;
}

/* ---- text ---- */

static void put_line(struct tn_buf *out, const char *sign, const struct tn_plan_entry *entry)
{
	tn_buf_format(out, "%s %-8s", sign, tn_plan_action_name(entry->action));
	tn_plan_put_clean(out, entry->address, 0);
	if (entry->deposed.data) {
		tn_buf_append_text(out, " (deposed ");
		tn_plan_put_clean(out, entry->deposed, 0);
		tn_buf_append_byte(out, ')');
	}
}

static void put_difference_line(struct tn_buf *out, const struct tn_plan_attribute *ours,
				const struct tn_plan_attribute *theirs)
{
	tn_buf_append_text(out, "\n    ");
	tn_plan_put_clean(out, ours ? ours->path : theirs->path, 0);
	tn_buf_append_text(out, ": ");
	if (ours)
		tn_plan_put_shown_value(out, ours, &ours->after);
	else
		tn_buf_append_text(out, "not changed");
	tn_buf_append_text(out, " in the first, ");
	if (theirs)
		tn_plan_put_shown_value(out, theirs, &theirs->after);
	else
		tn_buf_append_text(out, "not changed");
	tn_buf_append_text(out, " in the second");
}

static void put_text(struct comparison *comparison, struct tn_buf *out)
{
	const struct tn_plan *plan = comparison->plan, *other = comparison->other;

	tn_buf_format(out, "%u added, %u removed, %u changed, %u the same\n", comparison->added,
		      comparison->removed, comparison->changed, comparison->same);
	for (uint32_t i = 0; i < other->change_count; i++)
		if (!counterpart(comparison, &comparison->ours, &other->changes[i])) {
			put_line(out, "+", &other->changes[i]);
			tn_buf_append_byte(out, '\n');
		}
	for (uint32_t i = 0; i < plan->change_count; i++) {
		const struct tn_plan_entry *ours = &plan->changes[i];
		const struct tn_plan_entry *theirs =
			counterpart(comparison, &comparison->theirs, ours);

		if (theirs && same_entry(ours, theirs))
			continue;
		put_line(out, theirs ? "~" : "-", ours);
		if (theirs && theirs->action != ours->action)
			tn_buf_format(out, " (%s in the second)",
				      tn_plan_action_name(theirs->action));
		if (theirs)
			(void)for_each_difference(out, ours, theirs, put_difference_line);
		tn_buf_append_byte(out, '\n');
	}
}

enum tenon_code tn_plan_put_compare_text(struct tn_buf *out, const struct tn_plan *plan,
					 const struct tn_plan *other, struct tenon_error *err)
{
	struct comparison comparison;
	enum tenon_code code = begin(&comparison, plan, other, err);

	if (code == TENON_OK)
		put_text(&comparison, out);
	end(&comparison);
	return code;
}
