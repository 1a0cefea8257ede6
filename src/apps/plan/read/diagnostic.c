#include "apps/plan/read/diagnostic.h"

#include "apps/plan/limits.h"
#include "apps/plan/read/address.h"
#include "base/size.h"
#include "base/utf8.h"

void tn_plan_diagnostic_init(struct tn_plan_diagnostic_reader *reader, struct tn_plan_build *build)
{
	*reader = (struct tn_plan_diagnostic_reader){.build = build};
	tn_buf_init(&reader->detail, TN_PLAN_DETAIL_BYTES_MAX);
}

void tn_plan_diagnostic_finish(struct tn_plan_diagnostic_reader *reader)
{
	tn_plan_build_check_memory(reader->build, reader->detail.starved);
	tn_buf_finish(&reader->detail);
}

static const struct tn_str frame_top = {"\xE2\x95\xB7", 3};    /* ╷ */
static const struct tn_str frame_side = {"\xE2\x94\x82", 3};   /* │ */
static const struct tn_str frame_bottom = {"\xE2\x95\xB5", 3}; /* ╵ */
static const struct tn_str frame_inner = {"\xE2\x94\x9C", 3};  /* ├ */

static bool read_summary(struct tn_str text, struct tn_plan_diagnostic *ret)
{
	static const struct {
		struct tn_str word;
		const char *severity;
	} words[] = {{{"Error: ", 7}, "error"}, {{"Warning: ", 9}, "warning"}};

	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (!tn_str_starts(text, words[i].word) || text.size == words[i].word.size)
			continue;
		ret->severity = words[i].severity;
		ret->summary = tn_str_trim(tn_str_from_offset(text, words[i].word.size));
		return ret->summary.size > 0;
	}
	return false;
}

void tn_plan_diagnostic_end(struct tn_plan_diagnostic_reader *reader)
{
	struct tn_plan_diagnostic *diagnostic;
	struct tn_str detail = tn_str_trim(tn_buf_str(&reader->detail));

	reader->state = TN_PLAN_DIAGNOSTIC_NONE;
	if (!reader->filled)
		return;
	reader->filled = false;
	diagnostic = tn_plan_add_diagnostic(reader->build);
	if (!diagnostic)
		return;
	*diagnostic = reader->current;
	diagnostic->in_apply = reader->in_apply;
	if (detail.size)
		diagnostic->detail = tn_plan_keep(reader->build, detail);
}

static void start(struct tn_plan_diagnostic_reader *reader, const struct tn_plan_diagnostic *first,
		  enum tn_plan_diagnostic_state state)
{
	if (reader->filled)
		tn_plan_diagnostic_end(reader);
	reader->current = *first;
	reader->filled = true;
	reader->located = false;
	reader->state = state;
	tn_buf_clear(&reader->detail);
}

/* "on FILE line 12, in resource ...:" */
static bool read_place(struct tn_str text, struct tn_plan_diagnostic *ret)
{
	static const struct tn_str on = {"on ", 3}, line = {" line ", 6};
	size_t at, end;
	uint64_t number;

	if (!tn_str_starts(text, on))
		return false;
	at = tn_str_find(text, line);
	if (at == TN_STR_NONE)
		return false;
	for (end = at + line.size; end < text.size && tn_is_digit(text.data[end]);)
		end++;
	if (!tn_str_to_uint(tn_str(text.data + at + line.size, end - at - line.size), &number))
		return false;
	ret->file = tn_str(text.data + on.size, at - on.size);
	ret->line = number > UINT32_MAX ? 0 : (uint32_t)number;
	return true;
}

/* "with ADDRESS," */
static bool read_subject(struct tn_str text, struct tn_plan_diagnostic *ret)
{
	static const struct tn_str with = {"with ", 5};
	struct tn_plan_address address;
	struct tn_str rest;
	size_t size;

	if (!tn_str_starts(text, with))
		return false;
	rest = tn_str_from_offset(text, with.size);
	size = tn_plan_address_read(rest, &address);
	if (size == 0 || (size < rest.size && rest.data[size] != ','))
		return false;
	ret->address = address.text;
	return true;
}

/* "  12: resource ..." below the place, and the values shown under it. */
static bool is_snippet(struct tn_str text)
{
	size_t digits = 0;

	if (tn_str_starts(text, frame_side) || tn_str_starts(text, frame_inner) ||
	    tn_str_starts(text, TN_STR("(source code not available)")))
		return true;
	while (digits < text.size && tn_is_digit(text.data[digits]))
		digits++;
	return digits > 0 && digits < text.size && text.data[digits] == ':';
}

static void add_detail(struct tn_plan_diagnostic_reader *reader, struct tn_str text)
{
	struct tn_buf *detail = &reader->detail;
	size_t room = detail->limit - detail->size;

	if (detail->size == 0 && text.size == 0)
		return;
	if (text.size + 1 > room)
		text = tn_utf8_cut(text, room ? room - 1 : 0);
	if (room == 0)
		return;
	tn_buf_append_str(detail, text);
	tn_buf_append_byte(detail, '\n');
}

/* One line of content, without its frame. */
static void take(struct tn_plan_diagnostic_reader *reader, struct tn_str line,
		 enum tn_plan_diagnostic_state state)
{
	struct tn_plan_diagnostic first = {.severity = NULL};
	struct tn_str text = tn_str_trim(line);

	if (read_summary(line, &first)) {
		start(reader, &first, state);
		return;
	}
	if (!reader->filled)
		return;
	if (reader->detail.size == 0) {
		if (!reader->located && read_subject(text, &reader->current))
			return;
		if (read_place(text, &reader->current)) {
			reader->located = true;
			return;
		}
		if (reader->located && is_snippet(text))
			return;
	}
	add_detail(reader, text);
}

/* The content of a framed line; the frame may be drawn with | where the characters were lost. */
static bool unframe(struct tn_str line, struct tn_str *ret)
{
	if (tn_str_starts(line, frame_side))
		line = tn_str_from_offset(line, frame_side.size);
	else if (tn_str_starts(line, TN_STR("|")))
		line = tn_str_from_offset(line, 1);
	else
		return false;
	if (line.size && line.data[0] == ' ')
		line = tn_str_from_offset(line, 1);
	*ret = line;
	return true;
}

bool tn_plan_diagnostic_begin(struct tn_plan_diagnostic_reader *reader,
			      const struct tn_plan_row *row)
{
	struct tn_plan_diagnostic first = {.severity = NULL};
	struct tn_str content;

	if (tn_str_starts(row->text, frame_top)) {
		tn_plan_diagnostic_end(reader);
		reader->state = TN_PLAN_DIAGNOSTIC_FRAMED;
		return true;
	}
	/* The top of the frame may have been cut off. */
	if (unframe(row->text, &content) && read_summary(content, &first)) {
		start(reader, &first, TN_PLAN_DIAGNOSTIC_FRAMED);
		return true;
	}
	if (row->column == 0 && read_summary(row->text, &first)) {
		start(reader, &first, TN_PLAN_DIAGNOSTIC_PLAIN);
		return true;
	}
	return false;
}

bool tn_plan_diagnostic_line(struct tn_plan_diagnostic_reader *reader,
			     const struct tn_plan_row *row)
{
	struct tn_str content;

	if (reader->state == TN_PLAN_DIAGNOSTIC_PLAIN) {
		take(reader, row->line, TN_PLAN_DIAGNOSTIC_PLAIN);
		return true;
	}
	if (tn_str_starts(row->text, frame_bottom)) {
		tn_plan_diagnostic_end(reader);
		return true;
	}
	if (!unframe(row->text, &content)) {
		/* A log that lost blank frames keeps the rest. */
		if (row->text.size == 0)
			return true;
		tn_plan_diagnostic_end(reader);
		return false;
	}
	take(reader, content, TN_PLAN_DIAGNOSTIC_FRAMED);
	return true;
}
