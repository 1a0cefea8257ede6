#include "apps/plan/read/escape.h"
#include "apps/plan/limits.h"
#include "apps/plan/read/text_reader.h"
#include "base/size.h"
#include "base/utf8.h"

/* Of a text in a message. */
static int shown_size(struct tn_str text)
{
	return (int)tn_utf8_cut(text, 100).size;
}

/* ---- headers ---- */

static uint32_t unit_index(const struct tn_plan_text_reader *reader)
{
	uint32_t count = reader->build->plan->unit_count;

	return count ? count - 1 : 0;
}

static void set_deposed(struct tn_plan_entry *entry, struct tn_str deposed)
{
	if (deposed.size)
		entry->deposed = deposed;
}

static void add_change(struct tn_plan_text_reader *reader, const struct tn_plan_header *header,
		       const struct tn_plan_row *row)
{
	struct tn_plan_build *build = reader->build;
	struct tn_plan_entry *entry;

	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_HEADER);
	reader->unit.listed = true;
	if (reader->section != TN_PLAN_SECTION_LIST)
		reader->section = TN_PLAN_SECTION_LIST;
	entry = tn_plan_add_entry(build);
	if (!entry || !tn_plan_entry_set_address(entry, &header->address, &build->plan->arena))
		return;
	set_deposed(entry, header->deposed);
	entry->action = header->action;
	entry->order = header->order;
	entry->unit = unit_index(reader);
	entry->line_first = entry->line_last = row->number;
	if (header->previous_address.data)
		entry->previous_address = header->previous_address;
	if (header->reason)
		tn_plan_add_reason(build, entry, header->reason, header->phrase);
	if (header->kind == TN_PLAN_PHRASE_UNKNOWN)
		tn_plan_warn(build, "unknown_phrase", row->number,
			     "what happens to %.*s is said in words this version does not know",
			     shown_size(header->address.text), header->address.text.data);
	reader->target = TN_PLAN_TARGET_CHANGE;
	reader->target_index = build->plan->change_count - 1;
}

static void add_drift(struct tn_plan_text_reader *reader, const struct tn_plan_header *header)
{
	struct tn_plan_drift *drift;

	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_OTHER);
	drift = tn_plan_add_drift(reader->build);
	if (!drift)
		return;
	drift->address = header->address.text;
	drift->previous_address = header->previous_address;
	drift->action = header->action;
	reader->target = TN_PLAN_TARGET_DRIFT;
	reader->target_index = reader->build->plan->drift_count - 1;
}

static void add_deferred(struct tn_plan_text_reader *reader, const struct tn_plan_header *header)
{
	struct tn_plan_deferred *deferred;

	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_OTHER);
	deferred = tn_plan_add_deferred(reader->build);
	if (!deferred)
		return;
	deferred->address = header->address.text;
	deferred->action = TN_PLAN_ACTION_UNKNOWN;
	deferred->reason = "deferred_unknown";
	reader->target = TN_PLAN_TARGET_DEFERRED;
	reader->target_index = reader->build->plan->deferred_count - 1;
}

static void add_invocation(struct tn_plan_text_reader *reader, struct tn_str address,
			   const char *when, struct tn_str resource)
{
	struct tn_plan_invocation *invocation;

	tn_plan_text_need_unit(reader, TN_PLAN_UNIT_OTHER);
	invocation = tn_plan_add_invocation(reader->build);
	if (!invocation)
		return;
	invocation->address = address;
	invocation->when = when;
	invocation->resource = resource;
	reader->target = TN_PLAN_TARGET_INVOCATION;
	reader->target_index = reader->build->plan->invocation_count - 1;
}

static bool is_drift(const struct tn_plan_text_reader *reader, const struct tn_plan_header *header)
{
	return header->kind == TN_PLAN_PHRASE_DRIFT ||
	       (header->kind == TN_PLAN_PHRASE_MOVED && reader->section == TN_PLAN_SECTION_DRIFT);
}

bool tn_plan_text_header(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	struct tn_plan_header header;

	if (row->column > 2 || !tn_plan_header_read(row->text, &header))
		return false;
	/* Prose and headings of documents look like this too; only a change list vouches for it. */
	if (header.kind == TN_PLAN_PHRASE_UNKNOWN && reader->section != TN_PLAN_SECTION_LIST)
		return false;
	tn_plan_text_end_entry(reader, row->number - 1, true);
	reader->evidence = true;
	reader->target = TN_PLAN_TARGET_NONE;
	if (is_drift(reader, &header))
		add_drift(reader, &header);
	else if (header.kind == TN_PLAN_PHRASE_DEFERRED)
		add_deferred(reader, &header);
	else if (header.kind == TN_PLAN_PHRASE_INVOKED)
		add_invocation(reader, header.address.text, "direct", (struct tn_str){NULL, 0});
	else
		add_change(reader, &header, row);
	reader->address = header.address;
	reader->entry_state = TN_PLAN_ENTRY_OPENING;
	reader->identity = false;
	reader->invoke_when = NULL;
	return true;
}

/* ---- notes ---- */

static void add_identity(struct tn_plan_text_reader *reader, struct tn_plan_entry *entry,
			 struct tn_str text)
{
	const char *joined;

	if (entry->import_id.size == 0) {
		entry->import_id = text;
		return;
	}
	if (entry->import_id.size + text.size > TN_PLAN_VALUE_BYTES_MAX)
		return;
	joined = tn_arena_format(&reader->build->plan->arena, "%.*s, %.*s",
				 (int)entry->import_id.size, entry->import_id.data, (int)text.size,
				 text.data);
	if (joined)
		entry->import_id = tn_str_from(joined);
}

static void note_change(struct tn_plan_text_reader *reader, const struct tn_plan_note *note)
{
	struct tn_plan_build *build = reader->build;
	struct tn_plan_entry *entry = &build->plan->changes[reader->target_index];

	switch (note->effect) {
	case TN_PLAN_NOTE_REASON:
		tn_plan_add_reason(build, entry, note->code, note->text);
		break;
	case TN_PLAN_NOTE_MOVED_FROM:
		entry->previous_address = note->value;
		break;
	case TN_PLAN_NOTE_IMPORTED:
		if (!tn_plan_unescape(note->value, &build->plan->arena, &entry->import_id))
			entry->import_id = note->value;
		break;
	case TN_PLAN_NOTE_IDENTITY:
		entry->import_id = note->value;
		reader->identity = true;
		break;
	default:
		if (reader->identity && tn_str_find(note->text, TN_STR(" = ")) != TN_STR_NONE)
			add_identity(reader, entry, note->text);
		break;
	}
}

bool tn_plan_text_note(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_plan *plan = reader->build->plan;
	struct tn_plan_note note;

	if (reader->entry_state != TN_PLAN_ENTRY_OPENING || row->column > 4 ||
	    !tn_plan_note_read(row->text, &note))
		return false;
	if (reader->target == TN_PLAN_TARGET_CHANGE)
		note_change(reader, &note);
	else if (reader->target == TN_PLAN_TARGET_DRIFT && note.effect == TN_PLAN_NOTE_MOVED_FROM)
		plan->drift[reader->target_index].previous_address = note.value;
	else if (reader->target == TN_PLAN_TARGET_DEFERRED && note.effect == TN_PLAN_NOTE_REASON)
		plan->deferred[reader->target_index].reason = note.code;
	return true;
}

/* ---- opening lines ---- */

struct opening {
	struct tn_str type, name;
	bool closed;
};

static bool read_quoted(struct tn_str *text, struct tn_str *ret)
{
	size_t end;

	if (text->size < 2 || text->data[0] != '"')
		return false;
	end = tn_plan_quote_end(*text, 1);
	if (end == TN_STR_NONE)
		return false;
	*ret = tn_str(text->data + 1, end - 1);
	*text = tn_str_trim(tn_str_from_offset(*text, end + 1));
	return true;
}

/* resource "TYPE" "NAME" { */
static bool read_opening(struct tn_str text, struct opening *ret)
{
	static const struct tn_str words[] = {
		{"resource ", 9}, {"data ", 5}, {"ephemeral ", 10}, {"action ", 7}};
	size_t i = 0;

	while (i < TN_COUNT(words) && !tn_str_starts(text, words[i]))
		i++;
	if (i == TN_COUNT(words))
		return false;
	text = tn_str_from_offset(text, words[i].size);
	if (!read_quoted(&text, &ret->type) || !read_quoted(&text, &ret->name))
		return false;
	ret->closed = text.size >= 2 && text.data[0] == '{' && text.data[1] == '}';
	return text.size > 0 && text.data[0] == '{' &&
	       (ret->closed || text.size == 1 || tn_str_starts(text, TN_STR("{ #")));
}

static const struct {
	uint8_t symbol, order;
} orders[] = {{TN_PLAN_SYMBOL_DESTROY_CREATE, TN_PLAN_DESTROY_FIRST},
	      {TN_PLAN_SYMBOL_CREATE_DESTROY, TN_PLAN_CREATE_FIRST},
	      {TN_PLAN_SYMBOL_CREATE_FORGET, TN_PLAN_FORGET_OLD},
	      {TN_PLAN_SYMBOL_FORGET_CREATE, TN_PLAN_FORGET_FIRST}};

static uint8_t expected_symbol(uint8_t action)
{
	static const uint8_t symbols[TN_PLAN_ACTION_COUNT] = {
		[TN_PLAN_CREATE] = TN_PLAN_SYMBOL_ADD,    [TN_PLAN_UPDATE] = TN_PLAN_SYMBOL_UPDATE,
		[TN_PLAN_DELETE] = TN_PLAN_SYMBOL_REMOVE, [TN_PLAN_READ] = TN_PLAN_SYMBOL_READ,
		[TN_PLAN_FORGET] = TN_PLAN_SYMBOL_FORGET,
	};
	return symbols[action];
}

/* The phrase decides what happens; the symbol decides the order and is a second opinion. */
static void check_symbol(struct tn_plan_text_reader *reader, struct tn_plan_entry *entry,
			 const struct tn_plan_row *row)
{
	bool agrees = false;

	if (entry->action == TN_PLAN_ACTION_UNKNOWN)
		return;
	if (entry->action != TN_PLAN_REPLACE) {
		agrees = row->symbol == expected_symbol(entry->action);
	} else {
		for (size_t i = 0; i < TN_COUNT(orders); i++) {
			if (orders[i].symbol != row->symbol)
				continue;
			entry->order = orders[i].order;
			agrees = true;
		}
	}
	if (!agrees)
		tn_plan_warn(reader->build, "symbol_mismatch", row->number,
			     "the symbol in front of %.*s does not fit its header",
			     shown_size(entry->type), entry->type.data);
}

static uint8_t action_of_symbol(uint8_t symbol)
{
	switch (symbol) {
	case TN_PLAN_SYMBOL_ADD:
		return TN_PLAN_CREATE;
	case TN_PLAN_SYMBOL_REMOVE:
		return TN_PLAN_DELETE;
	case TN_PLAN_SYMBOL_UPDATE:
		return TN_PLAN_UPDATE;
	case TN_PLAN_SYMBOL_READ:
		return TN_PLAN_READ;
	case TN_PLAN_SYMBOL_FORGET:
		return TN_PLAN_FORGET;
	case TN_PLAN_SYMBOL_NONE:
		return TN_PLAN_ACTION_UNKNOWN;
	default:
		return TN_PLAN_REPLACE;
	}
}

static void open_target(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	struct tn_plan *plan = reader->build->plan;

	if (reader->target == TN_PLAN_TARGET_CHANGE)
		check_symbol(reader, &plan->changes[reader->target_index], row);
	else if (reader->target == TN_PLAN_TARGET_DEFERRED)
		plan->deferred[reader->target_index].action = action_of_symbol(row->symbol);
}

bool tn_plan_text_opening(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	struct opening opening;

	if (row->column > 5)
		return false;
	tn_plan_row_split(row);
	if (!read_opening(row->rest, &opening))
		return false;
	tn_plan_text_note_layout(reader, row);
	if (reader->entry_state != TN_PLAN_ENTRY_OPENING ||
	    !tn_str_equal(opening.type, reader->address.type) ||
	    !tn_str_equal(opening.name, reader->address.name)) {
		/* Its header was lost. It cannot be counted, but its lines must not be misread. */
		tn_plan_text_end_entry(reader, row->number, false);
		reader->target = TN_PLAN_TARGET_NONE;
		tn_plan_warn(reader->build, "orphan_body", row->number,
			     "the lines of a %.*s stand without their header",
			     shown_size(opening.type), opening.type.data);
	}
	open_target(reader, row);
	tn_plan_body_open(&reader->body, false);
	reader->entry_state = TN_PLAN_ENTRY_BODY;
	if (opening.closed)
		tn_plan_text_end_entry(reader, row->number, false);
	return true;
}

/* ---- bodies ---- */

static void commit_change(struct tn_plan_text_reader *reader, uint32_t line)
{
	struct tn_plan_body *body = &reader->body;
	struct tn_plan_entry *entry = &reader->build->plan->changes[reader->target_index];

	tn_plan_body_commit(body, &entry->attributes);
	entry->hidden_attributes = body->hidden_attributes;
	entry->hidden_blocks = body->hidden_blocks;
	entry->hidden_elements = body->hidden_elements;
	entry->line_last = line;
	tn_plan_add_forced_reasons(reader->build, entry);
}

void tn_plan_text_end_entry(struct tn_plan_text_reader *reader, uint32_t line, bool abnormal)
{
	struct tn_plan_body *body = &reader->body;

	if (reader->entry_state == TN_PLAN_ENTRY_LEGACY)
		commit_change(reader, line);
	if (reader->entry_state != TN_PLAN_ENTRY_BODY) {
		reader->entry_state = TN_PLAN_ENTRY_NONE;
		return;
	}
	if (abnormal)
		tn_plan_warn(reader->build, "unterminated_body", line,
			     "the lines of a resource stop before its closing brace");
	reader->hidden |= body->hidden_attributes || body->hidden_blocks || body->hidden_elements;
	reader->old_heredoc |= body->old_heredoc;
	if (reader->target == TN_PLAN_TARGET_CHANGE)
		commit_change(reader, line);
	else if (reader->target == TN_PLAN_TARGET_DRIFT)
		tn_plan_body_commit(body,
				    &reader->build->plan->drift[reader->target_index].attributes);
	reader->entry_state = TN_PLAN_ENTRY_CLOSED;
}

void tn_plan_text_body(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	if (tn_plan_body_line(&reader->body, row))
		tn_plan_text_end_entry(reader, row->number, false);
	else if (row->shifted || row->moved)
		tn_plan_text_note_layout(reader, row);
}

/* ---- actions below a resource (1.14) ---- */

static struct tn_str action_address(struct tn_plan_text_reader *reader,
				    const struct opening *opening)
{
	const struct tn_str module = reader->address.module;
	const char *text = tn_arena_format(
		&reader->build->plan->arena, "%.*s%saction.%.*s.%.*s", (int)module.size,
		module.size ? module.data : "", module.size ? "." : "", (int)opening->type.size,
		opening->type.data, (int)opening->name.size, opening->name.data);

	return tn_str_from(text ? text : "action");
}

bool tn_plan_text_action(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	static const struct tn_str comment = {"# Actions to be invoked ", 24};
	const struct tn_plan *plan = reader->build->plan;
	struct opening opening;

	if (reader->entry_state != TN_PLAN_ENTRY_CLOSED || row->column != 4)
		return false;
	if (tn_str_starts(row->text, comment)) {
		reader->invoke_when =
			tn_str_starts(tn_str_from_offset(row->text, comment.size), TN_STR("before"))
				? "before"
				: "after";
		return true;
	}
	if (!reader->invoke_when || !tn_str_starts(row->text, TN_STR("action ")) ||
	    !read_opening(row->text, &opening) || opening.type.size + opening.name.size > 1024)
		return false;
	add_invocation(reader, action_address(reader, &opening), reader->invoke_when,
		       plan->change_count ? plan->changes[plan->change_count - 1].address
					  : (struct tn_str){NULL, 0});
	tn_plan_body_open(&reader->body, false);
	reader->body.close_column = 4;
	reader->entry_state = opening.closed ? TN_PLAN_ENTRY_CLOSED : TN_PLAN_ENTRY_BODY;
	return true;
}
