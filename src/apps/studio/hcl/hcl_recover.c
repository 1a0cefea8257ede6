/* Where reading goes on after a fault. */
#include "apps/studio/hcl/hcl_lex.h"

enum { ENDLESS_MAX = 16 };

/* What can only stand at the top level: a line that begins so ends whatever was left open. */
static bool is_top_level(const struct tn_hcl_reader *reader, size_t at)
{
	static const char *const names[] = {
		"resource",  "data",  "variable", "output", "locals", "module",   "provider",
		"terraform", "moved", "removed",  "import", "check",  "ephemeral"};
	struct tn_str rest = tn_str_from_offset(reader->text, at), name;

	name = tn_str(rest.data, rest.size ? tn_hcl_name_size(reader, at) : 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t after = name.size;

		if (!tn_str_is(name, names[i]))
			continue;
		while (after < rest.size && (rest.data[after] == ' ' || rest.data[after] == '\t'))
			after++;
		return after < rest.size && (rest.data[after] == '"' || rest.data[after] == '{');
	}
	return false;
}

/* The end of a text in quotes that ends in its line; else the byte after its quote. */
static size_t after_quoted(struct tn_str text, size_t at)
{
	size_t start = at + 1;

	for (at = start; at < text.size && text.data[at] != '\n'; at++) {
		if (text.data[at] == '"')
			return at + 1;
		at += text.data[at] == '\\' && at + 1 < text.size && text.data[at + 1] != '\n';
	}
	return start;
}

static size_t after_comment(struct tn_hcl_reader *reader, size_t at)
{
	struct tn_str text = reader->text, rest = tn_str_from_offset(text, at);
	size_t end;

	if (tn_str_starts(rest, TN_STR("#")) || tn_str_starts(rest, TN_STR("//"))) {
		end = tn_str_find_byte(rest, '\n');
		return end == TN_STR_NONE ? text.size : at + end;
	}
	if (!tn_str_starts(rest, TN_STR("/*")) || reader->rescans >= ENDLESS_MAX)
		return at + 1;
	end = tn_str_find(tn_str_from_offset(rest, 2), TN_STR("*/"));
	if (end != TN_STR_NONE)
		return at + 2 + end + 2;
	reader->rescans++;
	return at + 2;
}

/* Passes over one thing; true: this is where the item ends. */
static bool step(struct tn_hcl_reader *reader, unsigned *depth, bool nested)
{
	switch (reader->text.data[reader->at]) {
	case '\n':
		if (is_top_level(reader, reader->at + 1)) {
			reader->at++;
			reader->resync = true;
			return true;
		}
		if (*depth == 0)
			return true;
		break;
	case '"':
		reader->at = after_quoted(reader->text, reader->at);
		return false;
	case '#':
	case '/':
		reader->at = after_comment(reader, reader->at);
		return false;
	case '\\':
		reader->at += reader->text.size - reader->at > 1; /* no quote begins with \" */
		break;
	case '{':
	case '[':
	case '(':
		(*depth)++;
		break;
	case '}':
	case ']':
	case ')':
		if (*depth == 0 && nested && reader->text.data[reader->at] == '}')
			return true;
		*depth -= *depth > 0;
		break;
	default:
		break;
	}
	reader->at++;
	return false;
}

bool tn_hcl_step_back(struct tn_hcl_reader *reader, size_t start)
{
	size_t line = reader->at;

	while (line > start && reader->text.data[line - 1] != '\n')
		line--;
	if (line <= start || !is_top_level(reader, line))
		return false;
	reader->at = line;
	reader->resync = true;
	return true;
}

void tn_hcl_pass_over(struct tn_hcl_reader *reader, size_t start, bool nested)
{
	unsigned depth = reader->brackets;

	if (tn_hcl_step_back(reader, start))
		return;
	while (reader->at < reader->text.size) {
		if (step(reader, &depth, nested))
			return;
	}
}
