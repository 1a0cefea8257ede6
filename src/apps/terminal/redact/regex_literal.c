#include "apps/terminal/redact/regex_literal.h"

#include <string.h>

#include "base/utf8.h"

enum { LEAST = 2 }; /* one character stands in every text */

struct reader {
	struct tn_str pattern;
	size_t at;
	bool ignore_case;
	char run[TN_REGEX_LITERAL_BYTES_MAX], best[TN_REGEX_LITERAL_BYTES_MAX];
	size_t run_size, best_size;
	size_t last; /* bytes of the character that a `?` behind it would make optional */
};

static char peek(const struct reader *reader, size_t ahead)
{
	size_t at = reader->at + ahead;

	return at < reader->pattern.size ? reader->pattern.data[at] : '\0';
}

static bool is_among(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static void end_run(struct reader *reader)
{
	if (reader->run_size > reader->best_size) {
		memcpy(reader->best, reader->run, reader->run_size);
		reader->best_size = reader->run_size;
	}
	reader->run_size = reader->last = 0;
}

static void drop_last(struct reader *reader)
{
	reader->run_size -= reader->last;
	end_run(reader);
}

/* Without case `k` and `s` have partners outside ASCII; a byte that is no UTF-8 is matched as a
 * question mark. */
static void add_character(struct reader *reader, const char *data, size_t size)
{
	bool certain =
		*data != '?' && !(reader->ignore_case && (size > 1 || is_among(*data, "kKsS")));

	if (!certain || reader->run_size + size > sizeof(reader->run)) {
		end_run(reader);
		return;
	}
	memcpy(reader->run + reader->run_size, data, size);
	if (reader->ignore_case)
		reader->run[reader->run_size] = tn_to_lower(*data);
	reader->run_size += size;
	reader->last = size;
}

/* ---- what is passed over ---- */

/* [:alpha:] */
static bool skip_named_set(struct reader *reader)
{
	size_t ahead = 2;

	if (peek(reader, ahead) == '^')
		ahead++;
	while (tn_is_alpha(peek(reader, ahead)))
		ahead++;
	if (peek(reader, ahead) != ':' || peek(reader, ahead + 1) != ']')
		return false;
	reader->at += ahead + 2;
	return true;
}

/* False: something unusual. */
static bool skip_set(struct reader *reader)
{
	reader->at++;
	if (peek(reader, 0) == '^')
		reader->at++;
	if (peek(reader, 0) == ']')
		reader->at++;
	while (reader->at < reader->pattern.size) {
		char c = peek(reader, 0);

		if (c == ']') {
			reader->at++;
			return true;
		}
		if (c == '[' && is_among(peek(reader, 1), ":.=")) {
			if (!skip_named_set(reader))
				return false;
			continue;
		}
		if (c == '\\' && is_among(peek(reader, 1), "QEc"))
			return false;
		reader->at += c == '\\' ? 2 : 1;
	}
	return false;
}

static bool is_usual_group(const struct reader *reader)
{
	if (peek(reader, 1) == '*')
		return false;
	return peek(reader, 1) != '?' || is_among(peek(reader, 2), ":=!<|>P'");
}

static bool skip_group(struct reader *reader)
{
	unsigned depth = 0;

	while (reader->at < reader->pattern.size) {
		char c = peek(reader, 0);

		if (c == '[') {
			if (!skip_set(reader))
				return false;
			continue;
		}
		if (c == '\\' && is_among(peek(reader, 1), "QEc"))
			return false;
		if (c == '(' && !is_usual_group(reader))
			return false;
		depth += c == '(';
		reader->at += c == '\\' ? 2 : 1;
		if (c == ')' && --depth == 0)
			return true;
	}
	return false;
}

static void skip_count(struct reader *reader)
{
	size_t ahead = 1;

	drop_last(reader);
	while (is_among(peek(reader, ahead), "0123456789, "))
		ahead++;
	reader->at += peek(reader, ahead) == '}' ? ahead + 1 : 1;
}

static bool read_escape(struct reader *reader)
{
	char c = peek(reader, 1);

	if ((unsigned char)c >= 0x80 || c == '\0')
		return false;
	reader->at += 2;
	if (!tn_is_alpha(c) && !tn_is_digit(c)) {
		add_character(reader, &c, 1);
		return true;
	}
	end_run(reader);
	while (tn_is_digit(c) && tn_is_digit(peek(reader, 0)))
		reader->at++; /* of a back reference */
	return tn_is_digit(c) || is_among(c, "dDwWsSbBAzZhHvVRKGnrtfae");
}

/* ---- one alternative after the other ---- */

static bool read_one(struct reader *reader)
{
	const char *at = reader->pattern.data + reader->at;
	uint32_t code;
	size_t size = tn_utf8_decode(at, reader->pattern.size - reader->at, &code);

	switch (*at) {
	case '\\':
		return read_escape(reader);
	case '(':
		end_run(reader);
		return skip_group(reader);
	case '[':
		end_run(reader);
		return skip_set(reader);
	case '{':
		skip_count(reader);
		return true;
	case '*':
	case '?':
		drop_last(reader);
		break;
	case '.':
	case '^':
	case '$':
	case '+':
		end_run(reader);
		break;
	case ')':
		return false;
	default:
		if (size == 0)
			return false;
		add_character(reader, at, size);
		reader->at += size;
		return true;
	}
	reader->at++;
	return true;
}

static bool keep_best(struct reader *reader, struct tn_regex_literals *literals)
{
	end_run(reader);
	if (reader->best_size < LEAST || literals->count == TN_REGEX_LITERALS_MAX)
		return false;
	memcpy(literals->items[literals->count].text, reader->best, reader->best_size);
	literals->items[literals->count++].size = reader->best_size;
	reader->best_size = 0;
	return true;
}

static bool read_all(struct reader *reader, struct tn_regex_literals *literals)
{
	while (reader->at < reader->pattern.size) {
		if (peek(reader, 0) != '|') {
			if (!read_one(reader))
				return false;
			continue;
		}
		reader->at++;
		if (!keep_best(reader, literals))
			return false;
	}
	return keep_best(reader, literals);
}

void tn_regex_literals_read(struct tn_regex_literals *literals, struct tn_str pattern,
			    bool ignore_case)
{
	struct reader reader = {.pattern = pattern, .ignore_case = ignore_case};

	if (tn_str_starts(pattern, TN_STR("(?i)"))) {
		reader.ignore_case = true;
		reader.at = 4;
	}
	*literals = (struct tn_regex_literals){.ignore_case = reader.ignore_case};
	if (!read_all(&reader, literals))
		literals->count = 0;
}

/* ---- in a text ---- */

/* What is no letter, then these. */
size_t tn_regex_rarest(const char *text, size_t size)
{
	static const char letters[] = "zqxjvkbpygwfmucldhrsnioate";
	size_t best = 0, best_rank = sizeof(letters);

	for (size_t i = 0; i < size; i++) {
		const char *found = strchr(letters, tn_to_lower(text[i]));
		size_t rank = found && *found ? (size_t)(found - letters) + 1 : 0;

		if (text[i] == ' ')
			rank = sizeof(letters);
		if (rank < best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

static bool is_there(const char *at, const char *literal, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (tn_to_lower(at[i]) != literal[i])
			return false;
	}
	return true;
}

/* The literal at one of the places of `c`, which is its character number `offset`. */
static bool has_at(struct tn_str text, const char *literal, size_t size, size_t offset, char c)
{
	const char *at = text.data + offset, *end = text.data + text.size - (size - offset) + 1;

	while (at < end && (at = memchr(at, c, (size_t)(end - at))) != NULL) {
		if (is_there(at - offset, literal, size))
			return true;
		at++;
	}
	return false;
}

static bool has_without_case(struct tn_str text, const char *literal, size_t size)
{
	size_t offset = tn_regex_rarest(literal, size);
	char small = literal[offset];
	bool letter = small >= 'a' && small <= 'z';

	if (text.size < size)
		return false;
	return has_at(text, literal, size, offset, small) ||
	       (letter && has_at(text, literal, size, offset, (char)(small - 'a' + 'A')));
}

bool tn_regex_literals_allow(const struct tn_regex_literals *literals, struct tn_str text)
{
	for (size_t i = 0; i < literals->count; i++) {
		const char *literal = literals->items[i].text;
		size_t size = literals->items[i].size;

		if (literals->ignore_case ? has_without_case(text, literal, size)
					  : tn_str_find(text, tn_str(literal, size)) != TN_STR_NONE)
			return true;
	}
	return literals->count == 0;
}
