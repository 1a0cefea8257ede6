#include "apps/plan/read/body.h"

#include "apps/plan/read/escape.h"
#include "base/utf8.h"

#define NO_RECORD UINT32_MAX

enum { CLOSE_COLUMN_MAX = 5 };

bool tn_plan_body_init(struct tn_plan_body *body, struct tn_plan_build *build)
{
	memset(body, 0, sizeof(*body));
	body->build = build;
	tn_plan_heredoc_init(&body->heredoc, build);
	return tn_plan_attribute_list_init(&body->list, build);
}

void tn_plan_body_finish(struct tn_plan_body *body)
{
	tn_plan_attribute_list_finish(&body->list);
	tn_plan_heredoc_finish(&body->heredoc);
}

void tn_plan_body_open(struct tn_plan_body *body, bool outputs)
{
	tn_plan_attribute_list_reset(&body->list);
	body->hidden_attributes = body->hidden_blocks = body->hidden_elements = 0;
	body->levels[0] =
		(struct tn_plan_body_level){.shape = TN_PLAN_SHAPE_MAP, .record = NO_RECORD};
	body->depth = 1;
	body->deep_column = 0;
	body->close_column = -1;
	body->outputs = outputs;
	body->heredoc.open = false;
}

static struct tn_plan_body_level *top(struct tn_plan_body *body)
{
	return &body->levels[body->depth - 1];
}

static struct tn_plan_path element_path(struct tn_plan_body *body)
{
	struct tn_plan_body_level *level = top(body);

	if (level->shape == TN_PLAN_SHAPE_CALL) /* the decoded document continues the path */
		return (struct tn_plan_path){level->path, true};
	return tn_plan_path_index(&body->list, level->path, level->next++);
}

/* ---- records ---- */

static uint8_t change_of(uint8_t symbol)
{
	switch (symbol) {
	case TN_PLAN_SYMBOL_NONE:
		return TN_PLAN_ATTR_UNCHANGED;
	case TN_PLAN_SYMBOL_ADD:
		return TN_PLAN_ATTR_ADD;
	case TN_PLAN_SYMBOL_REMOVE:
		return TN_PLAN_ATTR_REMOVE;
	default:
		return TN_PLAN_ATTR_UPDATE;
	}
}

static uint32_t add_record(struct tn_plan_body *body, struct tn_plan_path path, uint8_t symbol)
{
	uint32_t index = body->list.count;

	return tn_plan_attribute_list_add(&body->list, path, change_of(symbol)) ? index : NO_RECORD;
}

static struct tn_plan_attribute *record_at(struct tn_plan_body *body, uint32_t index)
{
	return index == NO_RECORD ? NULL : &body->list.attributes[index];
}

enum side { SIDE_BEFORE = 1, SIDE_AFTER = 2 };

/* Which sides a value without an arrow stands for. */
static unsigned sides_of(uint8_t symbol)
{
	if (symbol == TN_PLAN_SYMBOL_ADD)
		return SIDE_AFTER;
	return symbol == TN_PLAN_SYMBOL_REMOVE ? SIDE_BEFORE : SIDE_BEFORE | SIDE_AFTER;
}

static void set_value(struct tn_plan_attribute *attribute, const struct tn_plan_token *token,
		      unsigned sides)
{
	switch (token->shape) {
	case TN_PLAN_SHAPE_SCALAR:
		if (sides & SIDE_BEFORE)
			attribute->before = token->value;
		if (sides & SIDE_AFTER)
			attribute->after = token->value;
		break;
	case TN_PLAN_SHAPE_UNKNOWN:
		attribute->unknown = true;
		break;
	case TN_PLAN_SHAPE_SENSITIVE:
		attribute->sensitive = true;
		break;
	case TN_PLAN_SHAPE_WRITE_ONLY:
		attribute->write_only = true;
		break;
	case TN_PLAN_SHAPE_SECRET:
		attribute->sensitive = attribute->write_only = true;
		break;
	default:
		break;
	}
	if (attribute->sensitive)
		attribute->before = attribute->after =
			(struct tn_plan_value){.kind = TN_PLAN_VALUE_NONE};
}

/* ---- levels ---- */

static void push_level(struct tn_plan_body *body, const struct tn_plan_row *row, struct tn_str path,
		       uint8_t shape, uint32_t record)
{
	if (body->depth == TN_PLAN_LEVELS_MAX) {
		body->deep_column = row->rest_column;
		body->list.truncated++;
		return;
	}
	body->levels[body->depth++] = (struct tn_plan_body_level){.path = path,
								  .column = row->rest_column,
								  .record = record,
								  .shape = shape,
								  .symbol = row->symbol};
}

static void pop_level(struct tn_plan_body *body)
{
	struct tn_plan_body_level *parent;

	body->depth--;
	parent = top(body);
	if (parent->block_count == 1)
		parent->block_end = body->list.count;
}

static void open_heredoc(struct tn_plan_body *body, const struct tn_plan_row *row,
			 const struct tn_plan_token *token, uint32_t record, bool after_only)
{
	body->heredoc_record = record;
	body->old_heredoc |= token->old_heredoc;
	tn_plan_heredoc_open(&body->heredoc, row, token, record_at(body, record), after_only);
}

static bool is_opener(enum tn_plan_shape shape)
{
	return shape == TN_PLAN_SHAPE_LIST || shape == TN_PLAN_SHAPE_MAP ||
	       shape == TN_PLAN_SHAPE_CALL;
}

static struct tn_str skip_comma(struct tn_str rest)
{
	return rest.size && rest.data[0] == ',' ? tn_str_from_offset(rest, 1) : rest;
}

/* What stands behind an arrow: `record` has its before side already. */
static void read_after(struct tn_plan_body *body, const struct tn_plan_row *row,
		       struct tn_str *rest, uint32_t record, struct tn_str path)
{
	struct tn_plan_attribute *attribute = record_at(body, record);
	struct tn_plan_token token;

	tn_plan_value_read(body->build, rest, &token);
	if (attribute)
		set_value(attribute, &token, SIDE_AFTER);
	if (is_opener(token.shape))
		push_level(body, row, path, (uint8_t)token.shape, record);
	else if (token.shape == TN_PLAN_SHAPE_HEREDOC)
		open_heredoc(body, row, &token, record, true);
}

/* ---- a list in one line ---- */

/* Renderers give each element a line; people and models who hand a plan on do not. */
static struct tn_str first_element(struct tn_str text)
{
	size_t end = 0;

	if (text.size && text.data[0] == '"') {
		end = tn_plan_quote_end(text, 1);
		return end == TN_STR_NONE ? tn_str(NULL, 0) : tn_str(text.data, end + 1);
	}
	while (end < text.size && !strchr(",[]{}() ", text.data[end]))
		end++;
	return tn_str(text.data, end);
}

/* `rest` is behind its bracket. *ret_end: behind the one that closes it. False: something else than
 * words and texts stands in it, or it goes on in the next line. */
static bool is_in_one_line(struct tn_str rest, size_t *ret_end)
{
	struct tn_str left = rest;

	for (;;) {
		struct tn_str element;

		left = tn_str_trim(left);
		if (left.size && left.data[0] == ']')
			break;
		element = first_element(left);
		if (!element.size)
			return false;
		left = tn_str_trim(tn_str_from_offset(left, element.size));
		if (left.size && left.data[0] == ',')
			left = tn_str_from_offset(left, 1);
		else if (!left.size || left.data[0] != ']')
			return false;
	}
	*ret_end = (size_t)(left.data - rest.data) + 1;
	return true;
}

static void add_elements(struct tn_plan_body *body, struct tn_str path, struct tn_str rest,
			 uint8_t symbol)
{
	for (uint32_t i = 0; rest.size; i++) {
		struct tn_str element, value;
		struct tn_plan_token token;
		struct tn_plan_attribute *attribute;

		rest = tn_str_trim(rest);
		element = value = first_element(rest);
		if (!element.size)
			return;
		tn_plan_value_read(body->build, &value, &token);
		attribute = record_at(
			body, add_record(body, tn_plan_path_index(&body->list, path, i), symbol));
		if (attribute)
			set_value(attribute, &token, sides_of(symbol));
		rest = skip_comma(tn_str_trim(tn_str_from_offset(rest, element.size)));
	}
}

/* Moves *rest behind it, and behind what an arrow puts in its place. */
static bool read_list_of_line(struct tn_plan_body *body, const struct tn_plan_row *row,
			      struct tn_str path, struct tn_str *rest)
{
	struct tn_str before = *rest, after;
	size_t end;
	bool arrow;

	if (!is_in_one_line(*rest, &end))
		return false;
	before.size = end - 1;
	*rest = tn_str_trim(tn_str_from_offset(*rest, end));
	after = *rest;
	arrow = tn_plan_arrow_read(&after) && after.size && after.data[0] == '[' &&
		is_in_one_line(tn_str_from_offset(after, 1), &end);
	add_elements(body, path, before, arrow ? TN_PLAN_SYMBOL_REMOVE : row->symbol);
	if (arrow) {
		after = tn_str_from_offset(after, 1);
		*rest = tn_str_from_offset(after, end);
		add_elements(body, path, tn_str(after.data, end - 1), TN_PLAN_SYMBOL_ADD);
	}
	return true;
}

/* The value of an attribute or element, and what follows it on the line. */
static void read_assignment(struct tn_plan_body *body, const struct tn_plan_row *row,
			    struct tn_plan_path path, struct tn_str rest)
{
	struct tn_plan_token token;
	struct tn_plan_attribute *attribute;
	uint32_t record = NO_RECORD;
	bool opener;

	tn_plan_value_read(body->build, &rest, &token);
	opener = is_opener(token.shape);
	if (!opener || tn_plan_suffix_forces(rest) || (body->outputs && body->depth == 1))
		record = add_record(body, path, row->symbol);
	attribute = record_at(body, record);
	if (token.shape == TN_PLAN_SHAPE_LIST && read_list_of_line(body, row, path.text, &rest)) {
		attribute = record_at(body, record); /* the list of them may have moved */
	} else if (opener) {
		push_level(body, row, path.text, (uint8_t)token.shape, record);
	} else if (token.shape == TN_PLAN_SHAPE_HEREDOC) {
		open_heredoc(body, row, &token, record, false);
	} else if (tn_plan_arrow_read(&rest)) {
		if (attribute)
			set_value(attribute, &token, SIDE_BEFORE);
		read_after(body, row, &rest, record, path.text);
	} else if (attribute) {
		set_value(attribute, &token, sides_of(row->symbol));
	}
	if (attribute && tn_plan_suffix_forces(skip_comma(rest)))
		attribute->forces_replacement = true;
}

/* ---- blocks ---- */

/* The first of several blocks was read without an index: gives its attributes their [0]. */
static void number_first_block(struct tn_plan_body *body, const struct tn_plan_body_level *parent,
			       struct tn_str first)
{
	const struct tn_str none = {"", 0};
	struct tn_str numbered =
		tn_plan_path_join(&body->list, first, TN_STR("[0]"), none, none).text;

	for (uint32_t i = parent->block_first; i < parent->block_end && i < body->list.count; i++) {
		struct tn_str path = body->list.attributes[i].path;

		if (tn_str_starts(path, first))
			tn_plan_attribute_list_rename(
				&body->list, i,
				tn_plan_path_join(&body->list, numbered, none,
						  tn_str_from_offset(path, first.size), none));
	}
}

static struct tn_plan_path block_path(struct tn_plan_body *body, struct tn_str name)
{
	struct tn_plan_body_level *parent = top(body);
	struct tn_plan_path path = tn_plan_path_name(&body->list, top(body)->path, name);

	if (!tn_str_equal(parent->block, name)) {
		parent->block = name;
		parent->block_count = 1;
		parent->block_first = body->list.count;
		parent->block_end = body->list.count;
		return path;
	}
	if (parent->block_count == 1)
		number_first_block(body, parent, path.text);
	return tn_plan_path_index(&body->list, path.text, parent->block_count++);
}

/* "name {", "name {}", with `rest` on the brace. */
static void read_block(struct tn_plan_body *body, const struct tn_plan_row *row,
		       struct tn_plan_path path, struct tn_str rest)
{
	bool closed = rest.size >= 2 && rest.data[1] == '}';
	bool forces = tn_plan_suffix_forces(rest);
	uint32_t record = NO_RECORD;
	struct tn_plan_attribute *attribute;

	if (forces || (closed && row->symbol != TN_PLAN_SYMBOL_NONE))
		record = add_record(body, path, row->symbol);
	attribute = record_at(body, record);
	if (attribute)
		attribute->forces_replacement = forces;
	if (!closed)
		push_level(body, row, path.text, TN_PLAN_SHAPE_MAP, record);
}

/* name "key" { */
static void read_map_block(struct tn_plan_body *body, const struct tn_plan_row *row,
			   struct tn_str name, struct tn_str rest)
{
	size_t end = tn_plan_quote_end(rest, 1);
	struct tn_str key, brace;
	struct tn_plan_path path;

	if (end == TN_STR_NONE)
		return;
	key = tn_str(rest.data, end + 1);
	brace = tn_str_trim(tn_str_from_offset(rest, end + 1));
	if (brace.size == 0 || brace.data[0] != '{')
		return;
	path = tn_plan_path_name(&body->list, top(body)->path, name);
	path = tn_plan_path_join(&body->list, path.text, TN_STR("["), key, TN_STR("]"));
	read_block(body, row, path, brace);
}

/* ---- lines ---- */

/* The bytes of the name at the start of the text, quotes included; 0: none. */
static size_t name_size(struct tn_str text)
{
	size_t at = 0;

	if (text.data[0] == '"') {
		size_t end = tn_plan_quote_end(text, 1);

		return end == TN_STR_NONE ? 0 : end + 1;
	}
	while (at < text.size && text.data[at] != ' ' && text.data[at] != '=')
		at++;
	return at;
}

static void read_named(struct tn_plan_body *body, const struct tn_plan_row *row)
{
	size_t size = name_size(row->rest), at = size;
	struct tn_str name = tn_str(row->rest.data, size), rest;

	while (at < row->rest.size && row->rest.data[at] == ' ')
		at++;
	rest = tn_str_from_offset(row->rest, at);
	if (size == 0 || rest.size == 0)
		return;
	switch (rest.data[0]) {
	case '=':
		read_assignment(body, row, tn_plan_path_name(&body->list, top(body)->path, name),
				tn_str_from_offset(rest, 1));
		break;
	case '{':
		read_block(body, row, block_path(body, name), rest);
		break;
	case '"':
		read_map_block(body, row, name, rest);
		break;
	case '(': /* a block whose number is not known yet */
		if (tn_str_starts(rest, TN_STR("(known after apply)")))
			read_assignment(body, row,
					tn_plan_path_name(&body->list, top(body)->path, name),
					rest);
		break;
	default:
		break;
	}
}

static void count_hidden(struct tn_plan_body *body, struct tn_str text)
{
	static const struct tn_str unchanged = {" unchanged ", 11};
	size_t at = 0;
	uint64_t number;
	struct tn_str word;

	while (at < text.size && tn_is_digit(text.data[at]))
		at++;
	if (!tn_str_to_uint(tn_str(text.data, at), &number) || number > UINT32_MAX / 2)
		return;
	word = tn_str_from_offset(text, at);
	if (!tn_str_starts(word, unchanged))
		return;
	word = tn_str_from_offset(word, unchanged.size);
	if (tn_str_starts(word, TN_STR("attribute")))
		body->hidden_attributes += (uint32_t)number;
	else if (tn_str_starts(word, TN_STR("block")))
		body->hidden_blocks += (uint32_t)number;
	else if (tn_str_starts(word, TN_STR("element")))
		body->hidden_elements += (uint32_t)number;
}

/* "} -> (known after apply)", "] # forces replacement", with `rest` behind the bracket. */
static void read_close(struct tn_plan_body *body, const struct tn_plan_row *row,
		       const struct tn_plan_body_level *level)
{
	struct tn_str rest = tn_str_trim(skip_comma(tn_str_from_offset(row->rest, 1)));
	uint32_t record = level->record;
	bool forces;
	struct tn_plan_attribute *attribute;

	if (rest.size == 0 || tn_str_equal(rest, TN_STR("-> null")) ||
	    tn_str_equal(rest, TN_STR("-> null,")))
		return;
	forces = tn_plan_suffix_forces(rest);
	if (!forces && rest.data[0] != '-')
		return;
	if (record == NO_RECORD)
		record = add_record(body, (struct tn_plan_path){level->path, true}, level->symbol);
	attribute = record_at(body, record);
	if (attribute)
		attribute->forces_replacement |= forces;
	if (tn_plan_arrow_read(&rest))
		read_after(body, row, &rest, record, level->path);
}

static void close_line(struct tn_plan_body *body, const struct tn_plan_row *row)
{
	struct tn_plan_body_level level;

	while (body->depth > 1 && top(body)->column > row->rest_column)
		pop_level(body);
	if (body->depth == 1 || top(body)->column != row->rest_column)
		return;
	level = *top(body);
	pop_level(body);
	read_close(body, row, &level);
}

static void learn_close_column(struct tn_plan_body *body, const struct tn_plan_row *row)
{
	if (body->outputs || body->close_column >= 0)
		return;
	/* A note may stand in the symbols' column; only the counters stand where names do. */
	if (row->rest.data[0] == '#' && !tn_str_starts(row->rest, TN_STR("# (")))
		return;
	if (row->rest_column >= 4 && row->rest_column <= 8)
		body->close_column = (int)row->rest_column - 4;
}

static bool closes_body(const struct tn_plan_body *body, const struct tn_plan_row *row)
{
	if (body->outputs || row->text.data[0] != '}' || row->column > CLOSE_COLUMN_MAX)
		return false;
	if (row->text.size > 1 && !tn_str_starts(row->text, TN_STR("} #")))
		return false;
	return body->close_column < 0 || (int)row->column == body->close_column;
}

/* ---- here-documents ---- */

static void end_heredoc(struct tn_plan_body *body, const struct tn_plan_row *row)
{
	struct tn_plan_attribute *attribute = body->heredoc.attribute;
	struct tn_str rest = tn_plan_heredoc_rest(&body->heredoc, row);

	tn_plan_heredoc_close(&body->heredoc);
	if (attribute && tn_plan_suffix_forces(rest))
		attribute->forces_replacement = true;
	if (!tn_plan_arrow_read(&rest))
		return;
	if (attribute && body->heredoc.marked)
		attribute->after = (struct tn_plan_value){.kind = TN_PLAN_VALUE_NONE};
	read_after(body, row, &rest, body->heredoc_record,
		   attribute ? attribute->path : tn_str("", 0));
}

/* True: the body's closing brace, which ends an unfinished here-document too. */
static bool heredoc_line(struct tn_plan_body *body, const struct tn_plan_row *row)
{
	if (tn_plan_heredoc_ends(&body->heredoc, row)) {
		end_heredoc(body, row);
		return false;
	}
	if (row->text.size && row->column < body->heredoc.column && closes_body(body, row)) {
		tn_plan_heredoc_close(&body->heredoc);
		return true;
	}
	tn_plan_heredoc_line(&body->heredoc, row);
	return false;
}

/* ---- public ---- */

/* Inside of a level beyond the stack everything is passed over. */
static bool skip_deep(struct tn_plan_body *body, const struct tn_plan_row *row)
{
	if (body->deep_column == 0)
		return false;
	if (row->rest_column > body->deep_column)
		return true;
	body->deep_column = 0;
	return true;
}

bool tn_plan_body_line(struct tn_plan_body *body, struct tn_plan_row *row)
{
	if (body->heredoc.open)
		return heredoc_line(body, row);
	if (tn_plan_row_is_blank(row))
		return false;
	if (closes_body(body, row))
		return true;
	tn_plan_row_split(row);
	if (row->rest.size == 0)
		return false;
	learn_close_column(body, row);
	if (skip_deep(body, row))
		return false;
	switch (row->rest.data[0]) {
	case '#':
		if (tn_str_starts(row->rest, TN_STR("# (")))
			count_hidden(body, tn_str_from_offset(row->rest, 3));
		return false;
	case '}':
	case ']':
	case ')':
		close_line(body, row);
		return false;
	default:
		break;
	}
	/* A closing line was lost: what stands left of a level's content is not in it. */
	while (body->depth > 1 && row->rest_column <= top(body)->column)
		pop_level(body);
	if (top(body)->shape == TN_PLAN_SHAPE_MAP)
		read_named(body, row);
	else
		read_assignment(body, row, element_path(body), row->rest);
	return false;
}

void tn_plan_body_commit(struct tn_plan_body *body, struct tn_plan_attributes *ret)
{
	if (body->heredoc.open)
		tn_plan_heredoc_close(&body->heredoc);
	tn_plan_attribute_list_commit(&body->list, ret);
}
