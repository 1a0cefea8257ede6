#include "apps/terminal/redact/internal.h"

#include "apps/terminal/redact/redact.h"
#include "base/size.h"

/* Names, values and quotes are looked for this far: enough for a real one, and a text that is one
 * long line stays cheap. */
enum { NAME_MAX_BYTES = 64, QUOTED_MAX_BYTES = 16384, LEAST_VALUE = 8 };

/* Where the stretch that begins behind `begin` ends: found once, however often it is asked for. */
struct memo {
	size_t begin, end;
	char quote;
};

struct scan {
	struct tn_str text;
	tn_argument_fn *found;
	void *data;
	struct memo word, header;
	struct tn_redact_line line;
	size_t next; /* nothing is looked for before this place */
};

static bool is_name_letter(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || c == '-';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Where the quoted text from the quote at `at` ends, behind its closing quote. Unlike a word's, a
 * value's may go over several lines. When it is not closed: the end of the line. */
static size_t quoted_end(struct tn_str text, size_t at)
{
	char quote = text.data[at];
	size_t end = text.size - at > QUOTED_MAX_BYTES ? at + QUOTED_MAX_BYTES : text.size;
	size_t line;

	for (size_t i = at + 1; i < end; i++) {
		if (text.data[i] == quote)
			return i + 1;
		if (text.data[i] == '\\' && quote == '"')
			i++;
	}
	line = tn_str_find_byte(tn_str(text.data + at, end - at), '\n');
	return line == TN_STR_NONE ? end : at + line;
}

static bool ends_word(struct tn_str text, size_t at)
{
	char c = at < text.size ? text.data[at] : '\n';

	return is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == ')' ||
	       c == '<' || c == '>' || c == '`';
}

/* A quote that nothing follows belongs to what is around: sh -c 'TOKEN=x'. One in the middle is the
 * value's own: TOKEN=a"b c". */
static bool closes_surroundings(struct tn_str text, size_t at)
{
	return is_quote(text.data[at]) && (ends_word(text, at + 1) || is_quote(text.data[at + 1]));
}

/* The end of the shell word, with its quotes, that begins at `at`. */
static size_t find_word_end(struct tn_str text, size_t at)
{
	size_t begin = at;

	while (!ends_word(text, at)) {
		bool escaped = text.data[at] == '\\' && at + 1 < text.size;

		if (at > begin && closes_surroundings(text, escaped ? at + 1 : at))
			return at;
		if (escaped)
			at += 2;
		else if (is_quote(text.data[at]))
			at = quoted_end(text, at);
		else
			at++;
	}
	return at < text.size ? at : text.size;
}

static size_t word_end(struct scan *scan, size_t at)
{
	struct memo *memo = &scan->word;

	if (at <= memo->begin || at >= memo->end)
		*memo = (struct memo){at, find_word_end(scan->text, at), '\0'};
	return memo->end;
}

static void report(struct scan *scan, enum tn_argument what, struct tn_str value)
{
	scan->found(scan->data, what, value);
	scan->next = (size_t)(value.data + value.size - scan->text.data);
}

bool tn_redact_is_reference(struct tn_str value)
{
	static const char *const words[] = {"null",  "none",   "true", "false", "password",
					    "token", "secret", "pass", "value", "string",
					    "text",  "key",    "...",  "***",   "undefined"};
	struct tn_str inside = value;

	if (value.size > 0 && is_quote(value.data[0]))
		inside = tn_str(value.data + 1, value.size - (value.size > 1 ? 2 : 1));
	if (inside.size == 0)
		return true;
	if (inside.data[0] == '$')
		return value.size < 2 || value.data[1] != '\''; /* $'...' is a text */
	if (inside.data[0] == '`' || inside.data[0] == '<' || inside.data[0] == '%' ||
	    inside.data[0] == '*' || inside.data[0] == '{' ||
	    tn_str_starts(inside, TN_STR("[redacted:")))
		return true;
	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (tn_str_equal_nocase(inside, tn_str_from(words[i])))
			return true;
	}
	return false;
}

/* The name that ends at `end`, perhaps behind blanks and a quote. */
static struct tn_str name_before(struct tn_str text, size_t end, size_t *ret_begin)
{
	size_t begin = end;

	while (begin > 0 && end - begin < NAME_MAX_BYTES && is_name_letter(text.data[begin - 1]))
		begin--;
	*ret_begin = begin;
	return tn_str(text.data + begin, end - begin);
}

static bool has_digit(struct tn_str value)
{
	for (size_t i = 0; i < value.size; i++) {
		if (tn_is_digit(value.data[i]))
			return true;
	}
	return false;
}

static bool is_upper(struct tn_str name)
{
	for (size_t i = 0; i < name.size; i++) {
		if (name.data[i] >= 'a' && name.data[i] <= 'z')
			return false;
	}
	return true;
}

/* Without a dash or capitals a name is code more often than a setting: `token = next()`. There the
 * value must look like a secret. */
static bool is_likely(struct tn_str value)
{
	return value.size >= LEAST_VALUE && has_digit(value) &&
	       tn_str_find_byte(value, '(') == TN_STR_NONE;
}

/* The end of a line, a `\n` that printf makes one of, or the quote around all of it. */
static bool ends_line(struct tn_str text, size_t at)
{
	return at >= text.size || text.data[at] == '\n' || is_quote(text.data[at]) ||
	       tn_str_starts(tn_str_from_offset(text, at), TN_STR("\\n"));
}

static struct tn_str up_to_feed(struct tn_str value)
{
	size_t feed = tn_str_find(value, TN_STR("\\n"));

	return feed == TN_STR_NONE ? value : tn_str(value.data, feed);
}

static bool is_setting(struct tn_str text, struct tn_str value)
{
	return value.size >= LEAST_VALUE &&
	       (is_quote(value.data[0]) ||
		(is_likely(value) &&
		 ends_line(text, (size_t)(value.data + value.size - text.data))));
}

/* Behind the last quote: SQL's 'a''b' is one text. */
static size_t quotes_end(struct tn_str text, size_t at)
{
	size_t end = quoted_end(text, at);

	while (text.data[at] == '\'' && end < text.size && text.data[end] == '\'' &&
	       end - at < QUOTED_MAX_BYTES)
		end = quoted_end(text, end);
	return end;
}

/* `at` is behind `=` or `:` and blanks; the value stands last on its line, or in quotes. */
static void setting(struct scan *scan, size_t at)
{
	struct tn_str text = scan->text, value;
	size_t end;

	if (at >= text.size || text.data[at] == '\n')
		return;
	if (text.data[at] == '\\' && at + 1 < text.size && text.data[at + 1] == '"') {
		/* JSON inside of JSON: \"token\": \"x\" */
		size_t rest = tn_str_find(tn_str_from_offset(text, at + 2), TN_STR("\\\""));

		end = rest == TN_STR_NONE ? at : at + 2 + rest;
		at += 1;
	} else {
		end = is_quote(text.data[at]) ? quotes_end(text, at) : word_end(scan, at);
	}
	value = tn_str(text.data + at, end > at ? end - at : 0);
	if (value.size && !is_quote(value.data[0]))
		value = up_to_feed(value);
	if (!tn_redact_is_reference(value) && is_setting(text, value))
		report(scan, TN_ARGUMENT_ASSIGNED, value);
}

/* Where the name before a `=` or `:` that may have blanks before it ends; a quote in between is
 * JSON's. */
static size_t name_end(struct tn_str text, size_t at)
{
	while (at > 0 && is_blank(text.data[at - 1]))
		at--;
	if (at > 0 && is_quote(text.data[at - 1]))
		at--;
	if (at > 0 && at < text.size && is_quote(text.data[at]) && text.data[at - 1] == '\\')
		at--; /* JSON inside of JSON */
	return at;
}

static size_t skip_blanks(struct tn_str text, size_t at)
{
	while (at < text.size && is_blank(text.data[at]))
		at++;
	return at;
}

/* `password=x` where a shell would assign it. */
static bool is_assigned(struct tn_str text, size_t name)
{
	static const char *const words[] = {"export ", "env ", "local ", "readonly ",
					    "declare -x "};
	char before = name > 0 ? text.data[name - 1] : '\n';

	if (before == '\n' || before == ';' || before == '&' || before == '|' || is_quote(before))
		return true;
	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (tn_str_ends(tn_str(text.data, name), tn_str_from(words[i])))
			return true;
	}
	return false;
}

/* ?name= and &name= of an address. */
static bool is_query(struct tn_str text, size_t name)
{
	return name > 0 && (text.data[name - 1] == '?' || text.data[name - 1] == '&');
}

/* &sig= of an address that whoever has it may use. */
static bool is_signature(struct tn_str text, size_t begin, struct tn_str name)
{
	static const char *const names[] = {"sig", "signature", "x-amz-signature",
					    "x-goog-signature", "x-oss-signature"};
	bool is_part = is_query(text, begin) || (begin > 0 && text.data[begin - 1] == ';');

	for (size_t i = 0; is_part && i < TN_COUNT(names); i++) {
		if (tn_str_equal_nocase(name, tn_str_from(names[i])))
			return true;
	}
	return false;
}

static bool is_code(struct tn_str value)
{
	return value.size < LEAST_VALUE || tn_str_find_byte(value, '(') != TN_STR_NONE;
}

/* Of an address's signature or a connection string: where others would be no secrets. True: it
 * was one. */
static bool assigned_apart(struct scan *scan, struct tn_str name, size_t begin, size_t at)
{
	enum { LEAST_SIGNATURE = 16 };
	struct tn_str text = scan->text, value;
	bool is_pwd = tn_str_equal_nocase(name, TN_STR("pwd"));

	if (is_signature(text, begin, name)) {
		value = tn_str(text.data + at + 1, word_end(scan, at + 1) - at - 1);
		if (value.size < LEAST_SIGNATURE || tn_redact_is_reference(value))
			return false;
	} else if (is_pwd || tn_str_equal_nocase(name, TN_STR("password"))) {
		value = tn_str(text.data + at + 1, word_end(scan, at + 1) - at - 1);
		if (!value.size || strchr("/.~", value.data[0]) || tn_redact_is_reference(value) ||
		    !tn_redact_is_connection(text, begin, &scan->line))
			return false;
	} else {
		return false;
	}
	report(scan, TN_ARGUMENT_ASSIGNED, value);
	return true;
}

static void at_equals(struct scan *scan, size_t at)
{
	struct tn_str text = scan->text, name, value;
	size_t begin;

	if (at + 1 >= text.size || text.data[at + 1] == '=')
		return;
	name = name_before(text, name_end(text, at), &begin);
	if (assigned_apart(scan, name, begin, at) || !tn_redact_is_sensitive_name(name))
		return;
	if (is_blank(text.data[at + 1]) || name.data + name.size != text.data + at) {
		setting(scan, skip_blanks(text, at + 1));
		return;
	}
	value = tn_str(text.data + at + 1, word_end(scan, at + 1) - at - 1);
	if (tn_redact_is_reference(value))
		return;
	if (!is_upper(name) && name.data[0] != '-' && !is_quote(value.data[0]) &&
	    !is_query(text, begin) && !is_likely(value) &&
	    (!is_assigned(text, begin) || is_code(value)))
		return;
	report(scan, TN_ARGUMENT_ASSIGNED, value);
}

static bool is_header(struct tn_str name)
{
	static const char *const names[] = {
		"authorization",
		"proxy-authorization",
		"cookie",
		"set-cookie",
		"x-api-key",
		"api-key",
		"x-auth-token",
		"private-token",
		"x-vault-token",
		"x-goog-api-key",
		"x-amz-security-token",
	};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_equal_nocase(name, tn_str_from(names[i])))
			return true;
	}
	return false;
}

static size_t header_end(struct scan *scan, size_t at, char quote)
{
	struct memo *memo = &scan->header;
	struct tn_str text = scan->text;
	size_t end = at;

	if (at > memo->begin && at < memo->end && memo->quote == quote)
		return memo->end;
	while (end < text.size && text.data[end] != '\n' &&
	       (quote ? text.data[end] != quote : !is_quote(text.data[end])))
		end++;
	*memo = (struct memo){at, end, quote};
	return end;
}

/* `Authorization: Bearer x`: the scheme stays, the rest of the line or of the quotes goes. `quote`:
 * the one that the header's name stands behind, or 0. */
static void header(struct scan *scan, struct tn_str name, size_t at, char quote)
{
	struct tn_str text = scan->text;
	size_t end, space;

	if (at < text.size && is_quote(text.data[at]))
		quote = text.data[at++]; /* JSON */
	end = header_end(scan, at, quote);
	space = tn_str_find_byte(tn_str(text.data + at, end - at), ' ');
	if (space != TN_STR_NONE && name.size >= 13 && at + space + 1 < end &&
	    tn_str_equal_nocase(tn_str_from_offset(name, name.size - 13), TN_STR("authorization")))
		at += space + 1;
	if (!tn_redact_is_reference(tn_str(text.data + at, end - at)))
		report(scan, TN_ARGUMENT_HEADER, tn_str(text.data + at, end - at));
}

static bool ends_authority(char c)
{
	return c == '/' || c == '?' || c == '#' || c == '\n' || is_blank(c) || is_quote(c) ||
	       c == '<' || c == '>';
}

/* A token in the place of the user: https://TOKEN@host, https://TOKEN:x-oauth-basic@host. */
static bool is_token(struct tn_str text, size_t at, struct tn_str user)
{
	enum { LEAST_TOKEN = 20 };
	bool letters = false, digits = false;

	if (user.size < LEAST_TOKEN || !(tn_str_ends(tn_str(text.data, at), TN_STR("http")) ||
					 tn_str_ends(tn_str(text.data, at), TN_STR("https"))))
		return false;
	for (size_t i = 0; i < user.size; i++) {
		if (!is_name_letter(user.data[i]))
			return false;
		digits = digits || tn_is_digit(user.data[i]);
		letters = letters || tn_is_alpha(user.data[i]);
	}
	return letters && digits;
}

/* user:SECRET@ behind `://`; `at` is the colon of `://`. */
static void url(struct scan *scan, size_t at)
{
	enum { USER_MAX_BYTES = 1024 };
	struct tn_str text = scan->text, secret;
	size_t begin = at + 3, colon = TN_STR_NONE, end = TN_STR_NONE;

	if (tn_str_starts(tn_str_from_offset(text, begin), TN_STR("[redacted:")))
		begin += sizeof("[redacted:") - 1; /* its colon is none of the address's */
	for (size_t i = begin; i < text.size && i - begin < USER_MAX_BYTES; i++) {
		char c = text.data[i];

		if (ends_authority(c))
			break;
		if (c == ':' && colon == TN_STR_NONE)
			colon = i;
		if (c == '@')
			end = i;
	}
	if (end == TN_STR_NONE)
		return;
	if (colon == TN_STR_NONE || colon > end)
		colon = end;
	secret = tn_str(text.data + begin, colon - begin);
	if (is_token(text, at, secret))
		report(scan, TN_ARGUMENT_URL, secret);
	if (colon == end)
		return;
	secret = tn_str(text.data + colon + 1, end - colon - 1);
	if (secret.size > 0 && !strchr("$<[", secret.data[0]))
		report(scan, TN_ARGUMENT_URL, secret);
}

static bool is_url(struct tn_str text, size_t at)
{
	return tn_str_starts(tn_str_from_offset(text, at), TN_STR("://"));
}

/* The value of a name on the line behind it. */
static void below(struct scan *scan, size_t name, size_t at)
{
	struct tn_str text = scan->text, value = tn_redact_next_line(text, name, at);
	bool is_block = at < text.size && text.data[at] != '\n';

	if (value.size && !tn_redact_is_reference(value) && (is_block || is_setting(text, value)))
		report(scan, TN_ARGUMENT_ASSIGNED, value);
}

static void at_colon(struct scan *scan, size_t at)
{
	struct tn_str text = scan->text, name;
	size_t begin, end = name_end(text, at);
	bool json = end < at && (is_quote(text.data[end]) || text.data[end] == '\\');
	char quote = '\0'; /* the name stands behind it, the value ends at it */

	if (end < at && !json)
		return; /* prose */
	name = name_before(text, end, &begin);
	if (name.size < 4 || at + 1 >= text.size)
		return;
	if (begin > 0 && !json && is_quote(text.data[begin - 1]))
		quote = text.data[begin - 1];
	if (is_header(name))
		header(scan, name, skip_blanks(text, at + 1), quote);
	else if ((json || is_blank(text.data[at + 1]) || text.data[at + 1] == '\n') &&
		 tn_redact_is_sensitive_name(name)) {
		at = skip_blanks(text, at + 1);
		below(scan, begin, at);
		setting(scan, at);
	}
}

static void inside(struct scan *scan, struct tn_str value)
{
	if (value.size && !tn_redact_is_reference(value))
		report(scan, TN_ARGUMENT_ASSIGNED, value);
}

void tn_redact_scan_arguments(struct tn_str text, tn_argument_fn *found, void *data)
{
	struct scan scan = {.text = text, .found = found, .data = data};

	for (size_t at = 0; at < text.size; at++) {
		if (text.data[at] == '=')
			at_equals(&scan, at);
		else if (text.data[at] == ':' && is_url(text, at))
			url(&scan, at);
		else if (text.data[at] == ':')
			at_colon(&scan, at);
		else if (text.data[at] == '>')
			inside(&scan, tn_redact_element(text, at));
		else if (is_quote(text.data[at]))
			inside(&scan, tn_redact_statement(text, at));
		else if (text.data[at] == 'y' || text.data[at] == 'Y')
			inside(&scan, tn_redact_bare_statement(text, at));
		if (scan.next > at + 1)
			at = scan.next - 1;
	}
	tn_redact_scan_words(text, found, data);
}
