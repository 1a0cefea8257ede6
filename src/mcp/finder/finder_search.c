#include "mcp/finder/finder_search.h"

#include "base/size.h"

enum {
	IN_NAME = 12,
	IN_KEYWORDS = 8,
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

/* How much of a word is left without its ending: "exports", "exported" and "exporting" are
 * "export", "copies" is "cop", and so is "copy". */
static size_t stem_of(struct tn_str word)
{
	static const struct tn_str endings[] = {
		TN_STR("able"), TN_STR("ings"), TN_STR("ing"), TN_STR("ions"), TN_STR("ion"),
		TN_STR("ies"),  TN_STR("ied"),  TN_STR("ers"), TN_STR("er"),   TN_STR("ed"),
		TN_STR("es"),   TN_STR("ly"),   TN_STR("s"),   TN_STR("e"),    TN_STR("y"),
	};
	size_t size = word.size;

	for (size_t i = 0; i < TN_COUNT(endings); i++) {
		const struct tn_str *end = &endings[i];

		if (size >= STEM_MIN + end->size &&
		    tn_str_equal_nocase(tn_str_from_offset(word, size - end->size), *end)) {
			size -= end->size;
			break;
		}
	}
	if (size > STEM_MIN &&
	    (lower(word.data[size - 1]) == 'e' || lower(word.data[size - 1]) == 'y'))
		size--;
	/* "dragged" is "drag". */
	if (size > STEM_MIN && lower(word.data[size - 1]) == lower(word.data[size - 2]))
		size--;
	return size;
}

/* Whether both are the same word, whatever their endings. */
static bool is_same(struct tn_str a, struct tn_str b)
{
	size_t size, same = 0;

	if (!a.size || !b.size || lower(a.data[0]) != lower(b.data[0]))
		return false;
	while (same < a.size && same < b.size && lower(a.data[same]) == lower(b.data[same]))
		same++;
	if (same == a.size && same == b.size)
		return true;
	if (same < STEM_MIN)
		return false;
	size = stem_of(a);
	return size <= same && size == stem_of(b);
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
	static const char *const words[] = {
		"a",        "about", "already", "am",       "an",        "and",   "any",
		"anything", "are",   "as",      "at",       "be",        "been",  "by",
		"can",      "could", "did",     "do",       "does",      "doing", "for",
		"from",     "get",   "gets",    "getting",  "give",      "given", "gives",
		"go",       "had",   "has",     "have",     "he",        "how",   "i",
		"if",       "in",    "into",    "is",       "it",        "its",   "just",
		"let",      "like",  "me",      "my",       "need",      "now",   "of",
		"on",       "or",    "our",     "out",      "please",    "shall", "she",
		"should",   "so",    "some",    "somebody", "something", "tell",  "tells",
		"than",     "that",  "the",     "their",    "them",      "then",  "there",
		"these",    "they",  "thing",   "things",   "this",      "those", "to",
		"tool",     "tools", "up",      "us",       "want",      "wants", "was",
		"we",       "were",  "what",    "when",     "where",     "which", "who",
		"why",      "will",  "with",    "would",    "you",       "your",
	};

	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (tn_str_equal_nocase(word, tn_str_from(words[i])))
			return true;
	}
	return false;
}

/* What stands between the words of a name. */
static char between(char byte)
{
	return byte == '-' || byte == ' ' ? '_' : lower(byte);
}

static bool is_name(struct tn_str text, struct tn_str name)
{
	if (text.size != name.size)
		return false;
	for (size_t i = 0; i < name.size; i++) {
		if (between(text.data[i]) != between(name.data[i]))
			return false;
	}
	return true;
}

enum tn_finder_naming tn_finder_naming(struct tn_str query, struct tn_str name)
{
	size_t more;
	char before;

	query = tn_str_trim(query);
	if (is_name(query, name))
		return TN_FINDER_NAMED;
	if (name.size == 0 || query.size <= name.size)
		return TN_FINDER_NOT_NAMED;
	more = query.size - name.size;
	before = query.data[more - 1];
	if (is_word_byte(before) || !tn_str_equal_nocase(tn_str_from_offset(query, more), name))
		return TN_FINDER_NOT_NAMED;
	/* "send a signal" is a sentence, and "call get_plan" is not. */
	return before != ' ' || tn_str_find_byte(name, '_') != TN_STR_NONE ? TN_FINDER_NAMED_LAST
									   : TN_FINDER_NOT_NAMED;
}

unsigned tn_finder_score(const struct tenon_tool *tool, const struct tn_finder_word *word)
{
	unsigned score = 0;

	if (has_word(tool->name, word))
		score += IN_NAME;
	if (has_word(tool->title, word))
		score += IN_TITLE;
	if (has_word(tool->keywords, word))
		score += IN_KEYWORDS;
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
