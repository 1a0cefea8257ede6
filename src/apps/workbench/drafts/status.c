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

static void put_file(struct tn_buf *out, const struct tn_wb_drafts *drafts)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "path", TN_WB_OVERRIDE_PATH);
	tn_json_put_member_bool(out, "exists", drafts->file_exists);
	tn_json_put_key(out, "content");
	if (drafts->file_exists && !drafts->file_invalid)
		tn_wb_override_file_put_compact(out, &drafts->document, drafts->updated_at);
	else
		tn_json_put_null(out);
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

void tn_wb_drafts_put_state(struct tn_buf *out, const struct tn_wb_drafts *drafts,
			    const struct tn_wb_registry *registry)
{
	const struct tn_wb_document *document = &drafts->document;
	int64_t orphaned = 0;

	tn_json_begin_object(out);
	tn_json_put_member_int(out, "revision", (int64_t)drafts->revision);
	tn_json_put_member_text(out, "storeState", drafts->file_invalid ? "file_invalid" : "ok");
	tn_json_put_key(out, "overrides");
	tn_json_begin_array(out);
	for (size_t i = 0; i < document->count; i++) {
		tn_wb_slot_put(out, &document->slots[i], registry);
		orphaned += summary(&document->slots[i]) > TN_WB_APPLIED;
	}
	tn_json_end_array(out);
	tn_json_put_member_int(out, "orphaned", orphaned);
	put_changer(out, drafts);
	tn_json_put_key(out, "file");
	put_file(out, drafts);
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &drafts->diagnostics);
	tn_json_end_object(out);
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
