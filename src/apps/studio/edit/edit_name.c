/* Names of nodes as edits give them (studio.md 4.1, 6.2, 6.3). */
#include "apps/studio/edit/internal.h"

bool tn_studio_edit_check_name(struct tn_studio_mistakes *mistakes, struct tn_str type_id,
			       struct tn_str id, struct tn_str name)
{
	const struct tn_studio_node *holder;

	if (!tn_studio_terraform_name_is_valid(name)) {
		tn_studio_mistake(mistakes, TN_STR("terraformName"),
				  "'%.*s' is no HCL identifier: a letter or _, then at most 63 "
				  "letters, digits, _ or -",
				  (int)(name.size < 80 ? name.size : 80),
				  name.data ? name.data : "");
		return false;
	}
	holder = tn_studio_name_holder(mistakes->edit->document, type_id, name);
	if (!holder || tn_str_equal(holder->id, id))
		return true;
	tn_studio_mistake(mistakes, TN_STR("terraformName"),
			  "'%.*s' is taken by '%.*s' (%.*s, instanceId %.*s)", (int)name.size,
			  name.data, (int)holder->label.size, holder->label.data,
			  (int)holder->type_id.size, holder->type_id.data, (int)holder->id.size,
			  holder->id.data);
	return false;
}

struct wanted { /* an own name, for this node */
	const struct tn_studio_document *document;
	struct tn_str type_id, id;
};

static bool is_taken(const void *data, struct tn_str own)
{
	const struct wanted *wanted = data;
	const struct tn_studio_node *holder =
		tn_studio_own_holder(wanted->document, wanted->type_id, own);

	return holder && !tn_str_equal(holder->id, wanted->id);
}

struct tn_str tn_studio_edit_own(struct tn_studio_edit *edit, struct tn_str type_id,
				 struct tn_str id, struct tn_str name)
{
	struct wanted wanted = {edit->document, type_id, id};
	char own[TN_STUDIO_NAME_SIZE];

	tn_studio_derive_own(name, type_id, is_taken, &wanted, own);
	return tn_studio_keep(edit, tn_str_from(own));
}

void tn_studio_draft_names(struct tn_studio_draft *draft, struct tn_str name, struct tn_str own)
{
	tn_studio_draft_text(draft, "terraformName", name);
	tn_studio_draft_text(draft, TN_STUDIO_OWN, tn_str_equal(name, own) ? tn_str("", 0) : own);
}
