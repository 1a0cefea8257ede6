#include "mcp/finder/finder_search.h"

#include "base/size.h"

enum {
	IN_NAME = 12,
	IN_TITLE = 6,
	IN_DESCRIPTION = 3,
	IN_SCHEMA = 1,
	STEM_MIN = 3 /* characters of a word that are not taken for an ending */
};

static char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool is_word_byte(char byte)
{
	return tn_is_alpha(byte) || tn_is_digit(byte) || (unsigned char)byte >= 0x80;
}

/* The next word of *text, which goes on behind it; empty: there is none. */
static struct tn_str next_word(struct tn_str *text)
{
	struct tn_str word;
	size_t from = 0, end;

	if (!text->size)
		return tn_str("", 0); /* there may be no bytes at all to point to */
	while (from < text->size && !is_word_byte(text->data[from]))
		from++;
	for (end = from; end < text->size && is_word_byte(text->data[end]);)
		end++;
	word = tn_str(text->data + from, end - from);
	*text = tn_str_from_offset(*text, end);
	return word;
}

/* "exports", "exported" and "exporting" are "export"; both are words. */
static bool is_same(struct tn_str a, struct tn_str b)
{
	static const char *const endings[] = {"s", "es", "ed", "d", "ing", "ion", "r", "er"};
	struct tn_str rest;
	size_t same = 0;

	while (same < a.size && same < b.size && lower(a.data[same]) == lower(b.data[same]))
		same++;
	if (same == a.size && same == b.size)
		return true;
	if (same < STEM_MIN || (same < a.size && same < b.size))
		return false;
	rest = same < a.size ? tn_str_from_offset(a, same) : tn_str_from_offset(b, same);
	for (size_t i = 0; i < TN_COUNT(endings); i++) {
		if (tn_str_equal_nocase(rest, tn_str_from(endings[i])))
			return true;
	}
	return false;
}

/* What one says and the other writes. */
static bool means_same(struct tn_str a, struct tn_str b)
{
	static const char *const groups[][4] = {
		{"delete", "remove", "erase"},
		{"kill", "signal", "interrupt"},
		{"price", "cost"},
		{"picture", "image", "png"},
		{"create", "new", "make"},
		{"change", "modify", "update", "edit"},
		{"search", "find"},
		{"check", "validate", "lint"},
		{"arrange", "layout"},
		{"revert", "undo"},
		{"measure", "analyze", "area"},
		{"folder", "directory"},
	};

	for (size_t i = 0; i < TN_COUNT(groups); i++) {
		bool has_a = false, has_b = false;

		for (size_t j = 0; j < TN_COUNT(groups[i]) && groups[i][j]; j++) {
			has_a = has_a || is_same(a, tn_str_from(groups[i][j]));
			has_b = has_b || is_same(b, tn_str_from(groups[i][j]));
		}
		if (has_a && has_b)
			return true;
	}
	return is_same(a, b);
}

static bool has_word(const char *text, struct tn_str word)
{
	struct tn_str rest = tn_str_from(text), next;

	while ((next = next_word(&rest)).size) {
		if (means_same(next, word))
			return true;
	}
	return false;
}

/* Words that fit everything. */
static bool says_nothing(struct tn_str word)
{
	static const char *const words[] = {"a",  "an",  "and", "as",   "for",  "how", "i",
					    "in", "is",  "it",  "me",   "my",   "of",  "on",
					    "or", "the", "to",  "tool", "what", "with"};

	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (tn_str_equal_nocase(word, tn_str_from(words[i])))
			return true;
	}
	return false;
}

unsigned tn_finder_score(const struct tenon_tool *tool, struct tn_str word)
{
	return (has_word(tool->name, word) ? IN_NAME : 0) +
	       (has_word(tool->title, word) ? IN_TITLE : 0) +
	       (has_word(tool->description, word) ? IN_DESCRIPTION : 0) +
	       (has_word(tool->input_schema, word) ? IN_SCHEMA : 0);
}

size_t tn_finder_words(struct tn_str query, struct tn_str out[TN_FINDER_WORDS_MAX])
{
	size_t count = 0;
	struct tn_str word;

	while (count < TN_FINDER_WORDS_MAX && (word = next_word(&query)).size) {
		if (!says_nothing(word))
			out[count++] = word;
	}
	return count;
}
