/* What the sessions say of the overrides, and how it is told (O16 to O18, section 15.1). */
#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_file.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static const char *const reasons[] = {
	[TN_WB_UNREPORTED] = NULL,
	[TN_WB_APPLIED] = NULL,
	[TN_WB_INSTANCE_NOT_FOUND] = "instance_not_found",
	[TN_WB_AMBIGUOUS_LOCATOR] = "ambiguous_locator",
	[TN_WB_PATH_INVALID_THERE] = "path_invalid",
};

enum tn_wb_report tn_wb_report_of(struct tn_str reason)
{
	for (size_t i = 0; i < TN_COUNT(reasons); i++) {
		if (reasons[i] && tn_str_is(reason, reasons[i]))
			return (enum tn_wb_report)i;
	}
	return TN_WB_UNREPORTED;
}

/* Applied in one session is applied; else the first that misses it says why. */
static enum tn_wb_report summary(const struct tn_wb_slot *slot)
{
	enum tn_wb_report found = TN_WB_UNREPORTED;

	for (size_t i = 0; i < TN_WB_SESSIONS_MAX; i++) {
		enum tn_wb_report report = (enum tn_wb_report)slot->reports[i];

		if (report == TN_WB_APPLIED)
			return report;
		if (found == TN_WB_UNREPORTED)
			found = report;
	}
	return found;
}

bool tn_wb_drafts_report(struct tn_wb_drafts *drafts, unsigned session,
			 const struct tn_wb_address *address, enum tn_wb_report report)
{
	struct tn_wb_slot *slot = tn_wb_document_find(&drafts->document, address);
	enum tn_wb_report before;

	if (!slot || session >= TN_WB_SESSIONS_MAX)
		return false;
	before = summary(slot);
	slot->reports[session] = (uint8_t)report;
	return summary(slot) != before;
}

bool tn_wb_drafts_forget(struct tn_wb_drafts *drafts, unsigned session)
{
	bool changed = false;

	for (size_t i = 0; i < drafts->document.count && session < TN_WB_SESSIONS_MAX; i++) {
		struct tn_wb_slot *slot = &drafts->document.slots[i];
		enum tn_wb_report before = summary(slot);

		slot->reports[session] = TN_WB_UNREPORTED;
		changed = changed || summary(slot) != before;
	}
	return changed;
}

const char *tn_wb_slot_status(const struct tn_wb_slot *slot, const struct tn_wb_registry *registry,
			      const char **ret_reason)
{
	enum tn_wb_report report = summary(slot);
	struct tn_str type_id = slot->draft->type_id;
	const char *reason = reasons[report];

	if (reason && registry && type_id.size) {
		if (tn_wb_registry_is_disabled(registry, type_id))
			reason = "component_disabled";
		else if (!tn_wb_registry_find(registry, type_id))
			reason = "unknown_component";
	}
	if (ret_reason)
		*ret_reason = reason;
	if (report == TN_WB_UNREPORTED)
		return "pending";
	return reason ? "orphaned" : "applied";
}

/* ---- writing ---- */

void tn_wb_slot_put(struct tn_buf *out, const struct tn_wb_slot *slot,
		    const struct tn_wb_registry *registry)
{
	const struct tn_wb_draft *draft = slot->draft;
	const char *reason, *status = tn_wb_slot_status(slot, registry, &reason);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "group", tn_wb_group_name(draft->address.group));
	tn_wb_draft_put_members(out, draft);
	tn_json_put_member_text(out, "status", status);
	if (reason)
		tn_json_put_member_text(out, "reason", reason);
	if (draft->rebound_from.size)
		tn_json_put_member_str(out, "reboundFrom", draft->rebound_from);
	tn_json_end_object(out);
}

static void put_file(struct tn_buf *out, const struct tn_wb_drafts *drafts, bool fits)
{
	bool has = drafts->file_exists && !drafts->file_invalid;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "path", TN_WB_OVERRIDE_PATH);
	tn_json_put_member_bool(out, "exists", drafts->file_exists);
	tn_json_put_key(out, "content");
	if (has && fits)
		tn_wb_override_file_put_compact(out, &drafts->document, drafts->updated_at);
	else
		tn_json_put_null(out);
	if (has && !fits)
		tn_json_put_member_bool(out, "truncated", true);
	tn_json_end_object(out);
}

void tn_wb_drafts_name_changer(struct tn_wb_drafts *drafts, const char *client, bool is_person)
{
	struct tn_str name = tn_utf8_cut(tn_str_from(client), sizeof(drafts->changer) - 1);

	memcpy(drafts->changer, name.data, name.size);
	drafts->changer[name.size] = '\0';
	drafts->changer_revision = drafts->revision;
	drafts->changer_is_person = is_person;
}

/* What a page shows with a change in the very moment that it shows the change. */
static void put_changer(struct tn_buf *out, const struct tn_wb_drafts *drafts)
{
	if (!drafts->changer_revision)
		return;
	tn_json_put_key(out, "lastChange");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "revision", (int64_t)drafts->changer_revision);
	tn_json_put_member_text(out, "client", drafts->changer);
	tn_json_put_member_bool(out, "person", drafts->changer_is_person);
	tn_json_end_object(out);
}

/* The cursor is the address of the last draft that was shown: "app:2:b1/label". So it leads on
 * whatever has changed since. */
static void put_cursor(struct tn_buf *out, const struct tn_wb_address *last)
{
	struct tn_buf cursor;

	tn_buf_init(&cursor, TN_WB_PATH_BYTES_MAX + TN_WB_ID_BYTES_MAX + 64);
	tn_buf_format(&cursor, "%s:%zu:", tn_wb_group_name(last->group), last->instance_id.size);
	tn_buf_append_str(&cursor, last->instance_id);
	tn_buf_append_str(&cursor, last->path);
	tn_json_put_member_str(out, "nextCursor", tn_buf_str(&cursor));
	tn_buf_inherit_failure(out, &cursor);
	tn_buf_finish(&cursor);
}

static bool read_cursor(struct tn_str cursor, struct tn_wb_address *ret)
{
	size_t colon = tn_str_find_byte(cursor, ':');
	struct tn_str rest;
	uint64_t size;

	if (colon == TN_STR_NONE || !tn_wb_group_of(tn_str(cursor.data, colon), &ret->group))
		return false;
	rest = tn_str_from_offset(cursor, colon + 1);
	colon = tn_str_find_byte(rest, ':');
	if (colon == TN_STR_NONE || !tn_str_to_uint(tn_str(rest.data, colon), &size))
		return false;
	rest = tn_str_from_offset(rest, colon + 1);
	if (size > rest.size)
		return false;
	ret->instance_id = tn_str(rest.data, (size_t)size);
	ret->path = tn_str_from_offset(rest, (size_t)size);
	return true;
}

static bool find_start(const struct tn_wb_document *document, struct tn_str cursor, size_t *ret)
{
	struct tn_wb_address last = {.group = TN_WB_GROUP_APP};

	*ret = 0;
	if (!cursor.size)
		return true;
	if (!read_cursor(cursor, &last))
		return false;
	*ret = tn_wb_document_place(document, &last);
	if (*ret < document->count &&
	    tn_wb_address_compare(&document->slots[*ret].draft->address, &last) == 0)
		++*ret;
	return true;
}

/* Those that fit, one at least; the place behind them. */
static size_t put_drafts(struct tn_buf *out, const struct tn_wb_document *document, size_t at,
			 const struct tn_wb_registry *registry,
			 const struct tn_wb_drafts_page *page)
{
	size_t start = out->size, first = at;

	tn_json_put_key(out, "overrides");
	tn_json_begin_array(out);
	for (; at < document->count && (!page->limit || at - first < page->limit); at++) {
		size_t before = out->size;

		if (page->bytes_max && at > first && before - start > page->bytes_max)
			break;
		tn_wb_slot_put(out, &document->slots[at], registry);
	}
	tn_json_end_array(out);
	return at;
}

bool tn_wb_drafts_put_state(struct tn_buf *out, const struct tn_wb_drafts *drafts,
			    const struct tn_wb_registry *registry,
			    const struct tn_wb_drafts_page *page)
{
	const struct tn_wb_document *document = &drafts->document;
	size_t first, end, mark = out->size;
	int64_t orphaned = 0;
	bool whole;

	if (!find_start(document, page->cursor, &first))
		return false;
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "revision", (int64_t)drafts->revision);
	tn_json_put_member_text(out, "storeState", drafts->file_invalid ? "file_invalid" : "ok");
	end = put_drafts(out, document, first, registry, page);
	whole = first == 0 && end == document->count;
	if (!whole)
		tn_json_put_member_int(out, "total", (int64_t)document->count);
	if (end < document->count)
		put_cursor(out, &document->slots[end - 1].draft->address);
	for (size_t i = 0; i < document->count; i++)
		orphaned += summary(&document->slots[i]) > TN_WB_APPLIED;
	tn_json_put_member_int(out, "orphaned", orphaned);
	put_changer(out, drafts);
	tn_json_put_key(out, "file");
	put_file(out, drafts,
		 whole && (!page->bytes_max || (out->size - mark) * 2 <= page->bytes_max));
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &drafts->diagnostics);
	tn_json_end_object(out);
	return true;
}

void tn_wb_drafts_put_initial(struct tn_buf *out, const struct tn_wb_drafts *drafts,
			      enum tn_wb_group group)
{
	size_t first, count = tn_wb_document_group(&drafts->document, group, &first);

	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "op", "set");
		tn_wb_draft_put_members(out, drafts->document.slots[first + i].draft);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}
