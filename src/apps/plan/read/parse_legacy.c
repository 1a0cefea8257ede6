/* Entries of Terraform 0.11 (plan.md section 4.6):
 *
 *   -/+ module.a.aws_instance.web.0 (tainted) (new resource required)
 *       ami:   "ami-1" => "ami-2" (forces new resource)
 *       id:    "i-1" => <computed>
 *
 * They have no header line, no braces and no nesting: a name is a path already. */
#include "apps/plan/read/escape.h"
#include "apps/plan/limits.h"
#include "apps/plan/read/text_reader.h"
#include "base/utf8.h"

/* ---- headers ---- */

struct legacy_header {
	struct tn_plan_address address;
	bool tainted, deposed, replaced;
};

/* ".0" behind a name is the index of count. */
static size_t read_dotted_index(struct tn_str text, size_t at, struct tn_plan_address *address)
{
	size_t end = at + 1;

	if (at >= text.size || text.data[at] != '.' || address->key_kind != TN_PLAN_KEY_NONE)
		return at;
	while (end < text.size && tn_is_digit(text.data[end]))
		end++;
	if (end == at + 1)
		return at;
	address->key = tn_str(text.data + at + 1, end - at - 1);
	address->key_kind = TN_PLAN_KEY_INT;
	address->text = tn_str(text.data, end);
	return end;
}

static bool read_remark(struct tn_str *rest, struct legacy_header *ret)
{
	static const struct tn_str tainted = {"(tainted)", 9}, deposed = {"(deposed)", 9},
				   required = {"(new resource required)", 23};

	*rest = tn_str_trim(*rest);
	if (tn_str_starts(*rest, tainted)) {
		ret->tainted = true;
		*rest = tn_str_from_offset(*rest, tainted.size);
	} else if (tn_str_starts(*rest, deposed)) {
		ret->deposed = true;
		*rest = tn_str_from_offset(*rest, deposed.size);
	} else if (tn_str_starts(*rest, required)) {
		ret->replaced = true;
		*rest = tn_str_from_offset(*rest, required.size);
	} else {
		return false;
	}
	return true;
}

static bool read_header(struct tn_str text, struct legacy_header *ret)
{
	size_t size = tn_plan_address_read(text, &ret->address);
	struct tn_str rest;

	if (size == 0)
		return false;
	size = read_dotted_index(text, size, &ret->address);
	rest = tn_str_from_offset(text, size);
	if (rest.size && rest.data[0] != ' ')
		return false;
	while (rest.size && read_remark(&rest, ret))
		continue;
	return rest.size == 0;
}

static uint8_t find_action(uint8_t symbol, uint8_t *ret_order)
{
	*ret_order = TN_PLAN_ORDER_NONE;
	switch (symbol) {
	case TN_PLAN_SYMBOL_ADD:
		return TN_PLAN_CREATE;
	case TN_PLAN_SYMBOL_REMOVE:
		return TN_PLAN_DELETE;
	case TN_PLAN_SYMBOL_UPDATE:
		return TN_PLAN_UPDATE;
	case TN_PLAN_SYMBOL_READ:
		return TN_PLAN_READ;
	case TN_PLAN_SYMBOL_DESTROY_CREATE:
		*ret_order = TN_PLAN_DESTROY_FIRST;
		return TN_PLAN_REPLACE;
	case TN_PLAN_SYMBOL_CREATE_DESTROY:
		*ret_order = TN_PLAN_CREATE_FIRST;
		return TN_PLAN_REPLACE;
	default:
		return TN_PLAN_ACTION_UNKNOWN;
	}
}

bool tn_plan_legacy_header(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	struct tn_plan_build *build = reader->build;
	struct legacy_header header = {.tainted = false};
	struct tn_plan_entry *entry;
	uint8_t action, order;

	if (reader->section != TN_PLAN_SECTION_LIST || row->column > 2)
		return false;
	tn_plan_row_split(row);
	action = find_action(row->symbol, &order);
	if (action == TN_PLAN_ACTION_UNKNOWN || !read_header(row->rest, &header))
		return false;
	tn_plan_text_end_entry(reader, row->number - 1, true);
	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_HEADER);
	entry = tn_plan_add_entry(build);
	if (!entry || !tn_plan_entry_set_address(entry, &header.address, &build->plan->arena))
		return true;
	reader->evidence = reader->unit.listed = true;
	build->plan->format = TN_PLAN_LEGACY_0_11;
	entry->action = action;
	entry->order = order;
	entry->unit = build->plan->unit_count - 1;
	entry->line_first = entry->line_last = row->number;
	/* 0.11 does not tell the key of a deposed object. */
	if (header.deposed)
		entry->deposed = TN_STR("deposed");
	if (header.tainted)
		tn_plan_add_reason(build, entry, "tainted", TN_STR("tainted"));
	tn_plan_body_open(&reader->body, false);
	reader->target = TN_PLAN_TARGET_CHANGE;
	reader->target_index = build->plan->change_count - 1;
	reader->entry_state = TN_PLAN_ENTRY_LEGACY;
	return true;
}

/* ---- attributes ---- */

struct legacy_value {
	struct tn_plan_value value;
	bool computed, sensitive;
};

static bool read_value(struct tn_plan_build *build, struct tn_str *rest, struct legacy_value *ret)
{
	static const struct tn_str computed = {"<computed>", 10}, sensitive = {"<sensitive>", 11};
	struct tn_str plain;
	size_t end;

	*ret = (struct legacy_value){.computed = false};
	if (tn_str_starts(*rest, computed)) {
		ret->computed = true;
		*rest = tn_str_trim(tn_str_from_offset(*rest, computed.size));
		return true;
	}
	if (tn_str_starts(*rest, sensitive)) {
		ret->sensitive = true;
		*rest = tn_str_trim(tn_str_from_offset(*rest, sensitive.size));
		return true;
	}
	if (rest->size == 0 || rest->data[0] != '"')
		return false;
	end = tn_plan_quote_end(*rest, 1);
	if (end == TN_STR_NONE)
		return false;
	plain = tn_str(rest->data + 1, end - 1);
	if (tn_plan_build_has_room(build))
		(void)tn_plan_unescape(plain, &build->plan->arena, &plain);
	ret->value = tn_plan_string_value(build, plain);
	*rest = tn_str_trim(tn_str_from_offset(*rest, end + 1));
	return true;
}

static uint8_t change_of(uint8_t action, const struct legacy_value *before,
			 const struct legacy_value *after)
{
	if (action == TN_PLAN_CREATE || action == TN_PLAN_READ)
		return TN_PLAN_ATTR_ADD;
	if (!after->computed && !after->sensitive && before->value.kind == after->value.kind &&
	    tn_str_equal(before->value.text, after->value.text))
		return TN_PLAN_ATTR_UNCHANGED;
	return TN_PLAN_ATTR_UPDATE;
}

static void add_attribute(struct tn_plan_text_reader *reader, struct tn_str name,
			  const struct legacy_value *before, const struct legacy_value *after,
			  struct tn_str suffix)
{
	struct tn_plan_attribute_list *list = &reader->body.list;
	struct tn_plan_entry *entry = &reader->build->plan->changes[reader->target_index];
	struct tn_plan_path path = {tn_utf8_cut(name, TN_PLAN_PATH_BYTES_MAX), false};
	uint8_t change = change_of(entry->action, before, after);
	bool forces = tn_str_find(suffix, TN_STR("(forces new resource)")) != TN_STR_NONE;
	struct tn_plan_attribute *attribute;

	if (change == TN_PLAN_ATTR_UNCHANGED &&
	    (forces || tn_str_find(suffix, TN_STR("(attribute changed)")) != TN_STR_NONE))
		change = TN_PLAN_ATTR_UPDATE;
	attribute = tn_plan_attribute_list_add(list, path, change);
	if (!attribute)
		return;
	attribute->forces_replacement = forces;
	attribute->unknown = after->computed;
	attribute->sensitive = before->sensitive || after->sensitive;
	if (attribute->sensitive)
		return;
	if (change != TN_PLAN_ATTR_ADD)
		attribute->before = before->value;
	attribute->after = after->value;
}

/* The colon behind the name: names hold dots, %, # and the keys of maps. */
static size_t name_end(struct tn_str text)
{
	static const struct tn_str colon = {": ", 2};

	return tn_str_find(text, colon);
}

bool tn_plan_legacy_attribute(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_plan_build *build = reader->build;
	struct legacy_value before, after;
	size_t end = name_end(row->text);
	struct tn_str rest;

	if (end == TN_STR_NONE || end == 0)
		return false;
	rest = tn_str_trim(tn_str_from_offset(row->text, end + 1));
	if (!read_value(build, &rest, &before))
		return false;
	after = before;
	if (tn_str_starts(rest, TN_STR("=>"))) {
		rest = tn_str_trim(tn_str_from_offset(rest, 2));
		if (!read_value(build, &rest, &after))
			return false;
	}
	add_attribute(reader, tn_str(row->text.data, end), &before, &after, rest);
	return true;
}
