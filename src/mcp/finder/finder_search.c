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

	if (!a.size || !b.size || lower(a.data[0]) != lower(b.data[0]))
		return false;
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

static bool is_of(const char *const group[4], struct tn_str word)
{
	for (size_t i = 0; i < TN_COUNT(groups[0]) && group[i]; i++) {
		if (is_same(word, tn_str_from(group[i])))
			return true;
	}
	return false;
}

static const char *const *group_of(struct tn_str word)
{
	for (size_t i = 0; i < TN_COUNT(groups); i++) {
		if (is_of(groups[i], word))
			return groups[i];
	}
	return NULL;
}

static bool has_word(const char *text, const struct tn_finder_word *word)
{
	struct tn_str rest = tn_str_from(text), next;

	while ((next = next_word(&rest)).size) {
		if (is_same(next, word->text) || (word->group && is_of(word->group, next)))
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

unsigned tn_finder_score(const struct tenon_tool *tool, const struct tn_finder_word *word)
{
	unsigned score = 0;

	if (has_word(tool->name, word))
		score += IN_NAME;
	if (has_word(tool->title, word))
		score += IN_TITLE;
	if (has_word(tool->description, word))
		score += IN_DESCRIPTION;
	if (!score && has_word(tool->input_schema, word))
		score += IN_SCHEMA;
	return score;
}

size_t tn_finder_words(struct tn_str query, struct tn_finder_word out[TN_FINDER_WORDS_MAX])
{
	size_t count = 0;
	struct tn_str word;

	while (count < TN_FINDER_WORDS_MAX && (word = next_word(&query)).size) {
		if (!says_nothing(word))
			out[count++] = (struct tn_finder_word){word, group_of(word)};
	}
	return count;
}
