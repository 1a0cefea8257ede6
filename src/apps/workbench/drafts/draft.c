#include "apps/workbench/drafts/draft.h"

#include "apps/workbench/drafts/json_text.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static const char *const group_names[] = {"app", "component"};

const char *tn_wb_group_name(enum tn_wb_group group)
{
	return group_names[group];
}

bool tn_wb_group_of(struct tn_str name, enum tn_wb_group *ret)
{
	for (size_t i = 0; i < TN_COUNT(group_names); i++) {
		if (tn_str_is(name, group_names[i])) {
			*ret = (enum tn_wb_group)i;
			return true;
		}
	}
	return false;
}

int tn_wb_address_compare(const struct tn_wb_address *a, const struct tn_wb_address *b)
{
	int order;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	order = tn_str_compare(a->instance_id, b->instance_id);
	return order ? order : tn_str_compare(a->path, b->path);
}

bool tn_wb_locator_is_valid(const struct tn_json *locator)
{
	struct tn_buf text;
	bool fits;

	if (!tn_wb_json_is_finite(locator) || tn_wb_json_depth(locator) > TN_WB_VALUE_DEPTH_MAX)
		return false;
	tn_buf_init(&text, TN_WB_LOCATOR_BYTES_MAX);
	tn_wb_json_put_compact(&text, locator);
	fits = !text.failed;
	tn_buf_finish(&text);
	return fits;
}

static struct tn_str place(char **at, struct tn_str text)
{
	char *start = *at;

	if (text.size)
		memcpy(start, text.data, text.size);
	*at += text.size;
	return tn_str(start, text.size);
}

static struct tn_wb_draft *assemble(const struct tn_wb_draft_parts *parts, struct tn_str value,
				    struct tn_str locator)
{
	const struct tn_str texts[] = {
		parts->address.instance_id, parts->address.path, value, parts->type_id, locator,
		parts->rebound_from};
	size_t bytes = sizeof(struct tn_wb_draft);
	struct tn_wb_draft *draft;
	char *at;

	for (size_t i = 0; i < TN_COUNT(texts); i++)
		bytes += texts[i].size;
	draft = tn_mem_alloc(bytes);
	if (!draft)
		return NULL;
	at = draft->data;
	draft->refs = 1;
	draft->bytes = bytes;
	draft->address.group = parts->address.group;
	draft->address.instance_id = place(&at, texts[0]);
	draft->address.path = place(&at, texts[1]);
	draft->value = place(&at, texts[2]);
	draft->type_id = place(&at, texts[3]);
	draft->locator = place(&at, texts[4]);
	draft->rebound_from = place(&at, texts[5]);
	return draft;
}

enum tenon_code tn_wb_draft_make(const struct tn_wb_draft_parts *parts, struct tn_wb_draft **ret,
				 struct tenon_error *err)
{
	struct tn_buf value, locator;
	enum tenon_code code;

	tn_buf_init(&value, TN_WB_OVERRIDES_BYTES_MAX);
	tn_buf_init(&locator, TN_WB_OVERRIDES_BYTES_MAX);
	tn_wb_json_put_compact(&value, parts->value);
	if (parts->locator)
		tn_wb_json_put_compact(&locator, parts->locator);
	code = tn_buf_check(&value, err);
	if (code == TENON_OK)
		code = tn_buf_check(&locator, err);
	if (code == TENON_OK) {
		*ret = assemble(parts, tn_buf_str(&value), tn_buf_str(&locator));
		if (!*ret)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	tn_buf_finish(&locator);
	tn_buf_finish(&value);
	return code;
}

struct tn_wb_draft *tn_wb_draft_ref(struct tn_wb_draft *draft)
{
	if (draft)
		draft->refs++;
	return draft;
}

void tn_wb_draft_unref(struct tn_wb_draft *draft)
{
	if (draft && --draft->refs == 0)
		tn_mem_free(draft);
}

bool tn_wb_draft_equal(const struct tn_wb_draft *a, const struct tn_wb_draft *b)
{
	if (!a || !b)
		return a == b;
	return tn_wb_address_compare(&a->address, &b->address) == 0 &&
	       tn_str_equal(a->value, b->value) && tn_str_equal(a->type_id, b->type_id) &&
	       tn_str_equal(a->locator, b->locator) &&
	       tn_str_equal(a->rebound_from, b->rebound_from);
}

bool tn_wb_draft_equal_in_file(const struct tn_wb_draft *a, const struct tn_wb_draft *b)
{
	return tn_str_equal(a->value, b->value) && tn_str_equal(a->type_id, b->type_id) &&
	       tn_str_equal(a->locator, b->locator);
}

void tn_wb_draft_put_members(struct tn_buf *out, const struct tn_wb_draft *draft)
{
	tn_json_put_member_str(out, "instanceId", draft->address.instance_id);
	tn_json_put_member_str(out, "path", draft->address.path);
	tn_json_put_member_raw(out, "value", draft->value);
	if (draft->type_id.size)
		tn_json_put_member_str(out, "componentTypeId", draft->type_id);
	if (draft->locator.size)
		tn_json_put_member_raw(out, "instanceLocator", draft->locator);
}
