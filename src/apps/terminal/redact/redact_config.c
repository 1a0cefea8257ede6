/* redact_config.c - what stands in files and statements: elements of XML, connection strings, SQL,
 * values on the line behind their name. */
#include "apps/terminal/redact/internal.h"

#include "apps/terminal/redact/redact.h"
#include "base/size.h"

/* So far is looked back and ahead: enough for what people write, and cheap at every place. */
enum { TAG_MAX_BYTES = 128, NEAR_BYTES = 256, VALUE_MAX_BYTES = 4096, BLOCK_MAX_BYTES = 16384 };

static const struct tn_str nothing = {"", 0};

static bool is_name_letter(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-' || c == '.';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct tn_str part(struct tn_str text, size_t begin, size_t end)
{
	return tn_str(text.data + begin, end - begin);
}

/* Whether one of the words stands in the part, whatever its case. */
static bool has_word(struct tn_str text, const char *const *words, size_t count)
{
	for (size_t at = 0; at < text.size; at++) {
		for (size_t i = 0; i < count; i++) {
			size_t size = strlen(words[i]);

			if (size <= text.size - at && (text.data[at] | 0x20) == words[i][0] &&
			    tn_str_equal_nocase(tn_str(text.data + at, size),
						tn_str(words[i], size)))
				return true;
		}
	}
	return false;
}

/* ---- <password>x</password> ---- */

/* Where the name of the element that ends at `at` (its >) begins; TN_STR_NONE: it is none. */
static size_t tag_name(struct tn_str text, size_t at)
{
	size_t begin = at;

	while (begin > 0 && at - begin < TAG_MAX_BYTES && text.data[begin - 1] != '<') {
		if (text.data[begin - 1] == '>' || text.data[begin - 1] == '\n')
			return TN_STR_NONE;
		begin--;
	}
	return begin > 0 && begin < at && text.data[begin - 1] == '<' &&
			       tn_is_alpha(text.data[begin])
		       ? begin
		       : TN_STR_NONE;
}

struct tn_str tn_redact_element(struct tn_str text, size_t at)
{
	size_t begin = tag_name(text, at), end = begin, last;
	struct tn_str name, rest;

	if (begin == TN_STR_NONE)
		return nothing;
	while (end < at && (is_name_letter(text.data[end]) || text.data[end] == ':'))
		end++;
	name = part(text, begin, end);
	if (!tn_redact_is_sensitive_name(name))
		return nothing;
	last = text.size - at > VALUE_MAX_BYTES ? at + VALUE_MAX_BYTES : text.size;
	end = tn_str_find_byte(part(text, at + 1, last), '<');
	if (end == TN_STR_NONE)
		return nothing;
	rest = tn_str_from_offset(text, at + 1 + end);
	if (!tn_str_starts(rest, TN_STR("</")) || !tn_str_starts(tn_str_from_offset(rest, 2), name))
		return nothing;
	return tn_str_trim(tn_str(text.data + at + 1, end));
}

/* ---- Server=h;Uid=u;Pwd=x ---- */

bool tn_redact_is_connection(struct tn_str text, size_t name, size_t end)
{
	static const char *const others[] = {
		"server=",   "uid=",    "user id=",         "data source=", "userid=",
		"database=", "driver=", "initial catalog=", "username="};
	size_t from = name > NEAR_BYTES ? name - NEAR_BYTES : 0;
	size_t to = text.size - end > NEAR_BYTES ? end + NEAR_BYTES : text.size;
	size_t line = from;

	if (name > 0 && !strchr("; \"'", text.data[name - 1]))
		return false;
	for (size_t i = from; i < name; i++)
		line = text.data[i] == '\n' ? i + 1 : line;
	while (end < to && text.data[end] != '\n')
		end++;
	return tn_str_find_byte(part(text, line, end), ';') != TN_STR_NONE &&
	       has_word(part(text, line, end), others, TN_COUNT(others));
}

/* ---- SQL ---- */

/* The word that ends at `end`, behind blanks; *ret_begin: where it begins. */
static struct tn_str word_before(struct tn_str text, size_t end, size_t *ret_begin)
{
	size_t begin;

	while (end > 0 && is_blank(text.data[end - 1]))
		end--;
	begin = end;
	while (begin > 0 && end - begin < TAG_MAX_BYTES && is_name_letter(text.data[begin - 1]))
		begin--;
	*ret_begin = begin;
	return part(text, begin, end);
}

/* What stands before a value of the statement: PASSWORD, PASSWORD =, PASSWORD(, IDENTIFIED BY,
 * IDENTIFIED WITH x BY. */
static bool is_password_word(struct tn_str text, size_t at)
{
	static const char *const verbs[] = {"alter ", "create ", "set ", "grant ", "modify "};
	size_t begin, from = at > NEAR_BYTES ? at - NEAR_BYTES : 0;
	struct tn_str word;

	if (at > 0 && is_blank(text.data[at - 1]))
		at--;
	if (at > 0 && (text.data[at - 1] == '=' || text.data[at - 1] == '('))
		at--;
	word = word_before(text, at, &begin);
	if (tn_str_equal_nocase(word, TN_STR("BY"))) {
		static const char *const identified[] = {"identified "};

		return has_word(part(text, from, begin), identified, 1);
	}
	return tn_str_equal_nocase(word, TN_STR("PASSWORD")) &&
	       has_word(part(text, from < begin ? from : begin, begin), verbs, TN_COUNT(verbs));
}

struct tn_str tn_redact_statement(struct tn_str text, size_t at)
{
	char quote = text.data[at];
	size_t before = at > 0 && text.data[at - 1] == '\\' ? at - 1 : at, begin = at + 1, end;

	if (before == 0 || !strchr(" =(", text.data[before - 1]) || !is_password_word(text, before))
		return nothing;
	/* PASSWORD '\''x'\'' in what the shell has in single quotes. */
	if (tn_str_starts(tn_str_from_offset(text, begin), TN_STR("\\''")))
		begin += 3;
	for (end = begin; end < text.size && end - begin < VALUE_MAX_BYTES; end++) {
		if (text.data[end] == '\n')
			return nothing;
		if (text.data[end] == quote)
			break;
	}
	if (end > begin && text.data[end - 1] == '\\')
		end--;
	return part(text, begin, end);
}

/* ---- values on the next line ---- */

static size_t indent_of(struct tn_str text, size_t line)
{
	size_t at = line;

	while (at < text.size && is_blank(text.data[at]))
		at++;
	return at - line;
}

static size_t line_end(struct tn_str text, size_t at)
{
	size_t size = tn_str_find_byte(tn_str_from_offset(text, at), '\n');

	return size == TN_STR_NONE ? text.size : at + size;
}

/* The indent of the line that the name at `name` stands in; a list's dash counts as a blank. */
static size_t own_indent(struct tn_str text, size_t name)
{
	size_t begin = name;

	while (begin > 0 && name - begin < TAG_MAX_BYTES &&
	       (is_blank(text.data[begin - 1]) || text.data[begin - 1] == '-' ||
		text.data[begin - 1] == '"'))
		begin--;
	if (begin > 0 && text.data[begin - 1] != '\n')
		return SIZE_MAX;
	return name - begin - (name > begin && text.data[name - 1] == '"');
}

/* `|` or `>` with what may stand behind it, and the line's end; 0: it is none. */
static size_t block_begin(struct tn_str text, size_t at)
{
	if (at >= text.size || (text.data[at] != '|' && text.data[at] != '>'))
		return 0;
	at++;
	while (at < text.size && (strchr("+-", text.data[at]) || tn_is_digit(text.data[at])))
		at++;
	while (at < text.size && is_blank(text.data[at]))
		at++;
	return at < text.size && text.data[at] == '\n' ? at + 1 : 0;
}

/* All lines that stand deeper than the name. */
static struct tn_str block(struct tn_str text, size_t begin, size_t indent)
{
	size_t end = begin, at = begin;

	while (at < text.size && at - begin < BLOCK_MAX_BYTES) {
		size_t next = line_end(text, at), own = indent_of(text, at);

		if (at + own < next && own <= indent)
			break;
		if (at + own < next)
			end = next;
		at = next + 1;
	}
	begin += indent_of(text, begin);
	return end > begin ? part(text, begin, end) : nothing;
}

struct tn_str tn_redact_next_line(struct tn_str text, size_t name, size_t at)
{
	size_t indent = own_indent(text, name), begin = block_begin(text, at), end;

	if (indent == SIZE_MAX)
		return nothing;
	if (begin)
		return block(text, begin, indent);
	if (at >= text.size || text.data[at] != '\n')
		return nothing;
	begin = at + 1 + indent_of(text, at + 1);
	end = line_end(text, begin);
	if (end - begin > VALUE_MAX_BYTES)
		return nothing;
	while (end > begin && strchr(", \t", text.data[end - 1]))
		end--;
	/* A mapping or a list has names. */
	if (begin == end || begin - at - 1 <= indent || strchr("-{[#<", text.data[begin]) ||
	    tn_str_find(part(text, begin, end), TN_STR(": ")) != TN_STR_NONE ||
	    text.data[end - 1] == ':')
		return nothing;
	return part(text, begin, end);
}
