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

/* Whether one of the words stands in the part, whatever its case; not as the end of another one:
 * "set " in "reset ". */
static bool has_word(struct tn_str text, const char *const *words, size_t count)
{
	for (size_t at = 0; at < text.size; at++) {
		if (at > 0 && is_name_letter(text.data[at - 1]))
			continue;
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

/* <![CDATA[x]]> */
static struct tn_str character_data(struct tn_str text)
{
	struct tn_str inside = tn_str_from_offset(text, sizeof("<![CDATA[") - 1);
	size_t end = tn_str_find(inside, TN_STR("]]>"));

	return end == TN_STR_NONE ? nothing : tn_str_trim(tn_str(inside.data, end));
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
	if (tn_str_starts(rest, TN_STR("<![CDATA[")))
		return character_data(part(text, at + 1 + end, last));
	if (!tn_str_starts(rest, TN_STR("</")) || !tn_str_starts(tn_str_from_offset(rest, 2), name))
		return nothing;
	return tn_str_trim(tn_str(text.data + at + 1, end));
}

/* ---- Server=h;Uid=u;Pwd=x ---- */

static void read_line(struct tn_str text, size_t at, struct tn_redact_line *line)
{
	static const char *const others[] = {
		"server=",   "uid=",    "user id=",         "data source=", "userid=",
		"database=", "driver=", "initial catalog=", "username="};
	struct tn_str whole;

	for (line->begin = at; line->begin > 0 && text.data[line->begin - 1] != '\n';)
		line->begin--;
	line->end = line_end(text, at);
	whole = part(text, line->begin, line->end);
	line->is_connection = tn_str_find_byte(whole, ';') != TN_STR_NONE &&
			      has_word(whole, others, TN_COUNT(others));
}

bool tn_redact_is_connection(struct tn_str text, size_t name, struct tn_redact_line *line)
{
	if (name > 0 && !strchr("; \"'", text.data[name - 1]))
		return false;
	if (name < line->begin || name >= line->end)
		read_line(text, name, line);
	return line->is_connection;
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

/* What is not closed goes on where the text was cut, but not on the next line. */
static size_t open_end(struct tn_str text, size_t end, size_t otherwise)
{
	if (end >= text.size)
		return text.size;
	return text.data[end] == '\n' ? otherwise : end;
}

/* Where the text up to these quotes ends; twice they stand for one of it. */
static size_t quoted_by(struct tn_str text, size_t begin, struct tn_str quotes)
{
	size_t end = begin;

	while (end < text.size && end - begin < VALUE_MAX_BYTES && text.data[end] != '\n') {
		struct tn_str rest = tn_str_from_offset(text, end);
		bool is_quote = tn_str_starts(rest, quotes);

		if (is_quote && !tn_str_starts(tn_str_from_offset(rest, quotes.size), quotes))
			return end;
		if (is_quote)
			end += 2 * quotes.size;
		else /* \\\" is one of the text, too */
			end += tn_str_starts(rest, TN_STR("\\\\")) ? 4 : 1;
	}
	return open_end(text, end, TN_STR_NONE);
}

/* The same of one quote, with \' for one of the text, as MySQL has it, unless it is the last one of
 * its line. */
static size_t quoted(struct tn_str text, size_t begin, char quote)
{
	size_t end = begin, escaped = TN_STR_NONE;

	for (; end < text.size && end - begin < VALUE_MAX_BYTES && text.data[end] != '\n'; end++) {
		char next = end + 1 < text.size ? text.data[end + 1] : '\n';

		if (text.data[end] == '\\' && next == quote)
			escaped = end++;
		else if (text.data[end] == '\\' && next == '\\')
			end++;
		else if (text.data[end] == quote && next == quote)
			end++;
		else if (text.data[end] == quote)
			return end;
	}
	return open_end(text, end, escaped);
}

struct tn_str tn_redact_statement(struct tn_str text, size_t at)
{
	size_t before = at > 0 && text.data[at - 1] == '\\' ? at - 1 : at, begin = at + 1, end;

	if (before == 0 || !strchr(" =(", text.data[before - 1]) || !is_password_word(text, before))
		return nothing;
	if (tn_str_starts(tn_str_from_offset(text, begin), TN_STR("\\''"))) {
		begin += 3;
		end = quoted_by(text, begin, TN_STR("'\\''"));
	} else if (before < at) {
		end = quoted_by(text, begin, part(text, before, begin));
	} else {
		end = TN_STR_NONE;
	}
	if (end == TN_STR_NONE)
		end = quoted(text, begin, text.data[at]);
	return end == TN_STR_NONE ? nothing : part(text, begin, end);
}

/* Whether the word before `end` is one of the two; *ret_begin: where it begins. */
static bool is_before(struct tn_str text, size_t end, const char *one, const char *other,
		      size_t *ret_begin)
{
	struct tn_str word = word_before(text, end, ret_begin);

	return tn_str_equal_nocase(word, tn_str_from(one)) ||
	       tn_str_equal_nocase(word, tn_str_from(other));
}

/* x, or "x y" */
static bool has_name_before(struct tn_str text, size_t end, size_t *ret_begin)
{
	size_t begin;

	if (word_before(text, end, ret_begin).size)
		return true;
	if (*ret_begin == 0 || text.data[*ret_begin - 1] != '"')
		return false;
	begin = end = *ret_begin - 1;
	while (begin > 0 && end - begin < TAG_MAX_BYTES && text.data[begin - 1] != '"')
		begin--;
	*ret_begin = begin > 0 ? begin - 1 : 0;
	return begin < end;
}

/* ALTER USER x IDENTIFIED BY, GRANT y TO x IDENTIFIED BY; `at`: where BY begins. Prose says that
 * something is identified by a name, too. */
static bool is_bare_password(struct tn_str text, size_t at)
{
	static const char *const verbs[] = {"grant ", "connect "};
	size_t from = at > NEAR_BYTES ? at - NEAR_BYTES : 0, begin;

	if (!is_before(text, at, "IDENTIFIED", "IDENTIFIED", &begin) ||
	    !has_name_before(text, begin, &begin))
		return false;
	if (is_before(text, begin, "TO", "TO", &at))
		return has_word(part(text, from < at ? from : at, at), verbs, TN_COUNT(verbs));
	return is_before(text, begin, "USER", "ROLE", &begin) &&
	       is_before(text, begin, "ALTER", "CREATE", &begin);
}

struct tn_str tn_redact_bare_statement(struct tn_str text, size_t at)
{
	static const char *const others[] = {"values", "password", "random"};
	size_t begin = at + 1, end;
	struct tn_str value;

	if (at < 3 || (text.data[at - 1] | 0x20) != 'b' || !is_blank(text.data[at - 2]) ||
	    begin >= text.size || !is_blank(text.data[begin]) || !is_bare_password(text, at - 1))
		return nothing;
	begin += indent_of(text, begin);
	for (end = begin; end < text.size && end - begin < VALUE_MAX_BYTES; end++) {
		if (is_blank(text.data[end]) || strchr(";,)'\"\\\n\r", text.data[end]))
			break;
	}
	value = part(text, begin, end);
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		if (tn_str_equal_nocase(value, tn_str_from(others[i])))
			return nothing;
	}
	return value;
}

/* ---- values on the next line ---- */

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

/* "at least 12 characters" */
static bool is_prose(struct tn_str value)
{
	return value.data[0] != '"' && value.data[0] != '\'' &&
	       tn_str_find_byte(value, ' ') != TN_STR_NONE;
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
	if (begin == end || is_prose(part(text, begin, end)) || begin - at - 1 <= indent ||
	    strchr("-{[#<", text.data[begin]) ||
	    tn_str_find(part(text, begin, end), TN_STR(": ")) != TN_STR_NONE ||
	    text.data[end - 1] == ':')
		return nothing;
	return part(text, begin, end);
}
