#include "apps/plan/explain/reply_words.h"

#include "base/size.h"

enum { WORD_BYTES = 16, PHRASE_BYTES = 2 * WORD_BYTES + 1 };

struct row {
	const char *words;
	enum tn_plan_sense sense;
};

/* Small letters, without apostrophes. */
static const struct row words[] = {
	{"count", TN_PLAN_SAYS_COUNT},
	{"counts", TN_PLAN_SAYS_COUNT},
	{"counting", TN_PLAN_SAYS_COUNT},
	{"numbers", TN_PLAN_SAYS_COUNT},
	{"total", TN_PLAN_SAYS_COUNT},
	{"totals", TN_PLAN_SAYS_COUNT},
	{"number", TN_PLAN_SAYS_NUMBER},
	{"short", TN_PLAN_SAYS_BRIEF},
	{"shorter", TN_PLAN_SAYS_BRIEF},
	{"shortest", TN_PLAN_SAYS_BRIEF},
	{"brief", TN_PLAN_SAYS_BRIEF},
	{"briefly", TN_PLAN_SAYS_BRIEF},
	{"quick", TN_PLAN_SAYS_BRIEF},
	{"quickly", TN_PLAN_SAYS_BRIEF},
	{"tldr", TN_PLAN_SAYS_BRIEF},
	{"1", TN_PLAN_SAYS_FIRST},
	{"1st", TN_PLAN_SAYS_FIRST},
	{"first", TN_PLAN_SAYS_FIRST},
	{"former", TN_PLAN_SAYS_FIRST},
	{"one", TN_PLAN_SAYS_ONE},
	{"2", TN_PLAN_SAYS_SECOND},
	{"2nd", TN_PLAN_SAYS_SECOND},
	{"two", TN_PLAN_SAYS_SECOND},
	{"second", TN_PLAN_SAYS_SECOND},
	{"latter", TN_PLAN_SAYS_SECOND},
	{"option", TN_PLAN_SAYS_OPTION},
	{"choice", TN_PLAN_SAYS_OPTION},
	{"full", TN_PLAN_SAYS_FULL},
	{"fully", TN_PLAN_SAYS_FULL},
	{"long", TN_PLAN_SAYS_FULL},
	{"longer", TN_PLAN_SAYS_FULL},
	{"longest", TN_PLAN_SAYS_FULL},
	{"complete", TN_PLAN_SAYS_FULL},
	{"entire", TN_PLAN_SAYS_FULL},
	{"whole", TN_PLAN_SAYS_FULL},
	{"detailed", TN_PLAN_SAYS_FULL},
	{"detail", TN_PLAN_SAYS_DETAIL},
	{"details", TN_PLAN_SAYS_DETAIL},
	{"all", TN_PLAN_SAYS_ALL},
	{"everything", TN_PLAN_SAYS_ALL},
	{"both", TN_PLAN_SAYS_BOTH},
	{"summary", TN_PLAN_SAYS_TEXT},
	{"summarize", TN_PLAN_SAYS_TEXT},
	{"summarise", TN_PLAN_SAYS_TEXT},
	{"explain", TN_PLAN_SAYS_TEXT},
	{"explaining", TN_PLAN_SAYS_TEXT},
	{"explanation", TN_PLAN_SAYS_TEXT},
	{"explanations", TN_PLAN_SAYS_TEXT},
	{"more", TN_PLAN_SAYS_MORE},
	{"less", TN_PLAN_SAYS_LESS},
	{"fewer", TN_PLAN_SAYS_LESS},
	{"thing", TN_PLAN_SAYS_THING},
	{"version", TN_PLAN_SAYS_THING},
	{"of", TN_PLAN_SAYS_OF},
	{"changes", TN_PLAN_SAYS_OF},
	{"yes", TN_PLAN_SAYS_YES},
	{"yeah", TN_PLAN_SAYS_YES},
	{"yep", TN_PLAN_SAYS_YES},
	{"yup", TN_PLAN_SAYS_YES},
	{"y", TN_PLAN_SAYS_YES},
	{"ok", TN_PLAN_SAYS_YES},
	{"okay", TN_PLAN_SAYS_YES},
	{"k", TN_PLAN_SAYS_YES},
	{"sure", TN_PLAN_SAYS_YES},
	{"\xf0\x9f\x91\x8d", TN_PLAN_SAYS_YES}, /* thumbs up */
	{"no", TN_PLAN_SAYS_NO},
	{"nope", TN_PLAN_SAYS_NO},
	{"nah", TN_PLAN_SAYS_NO},
	{"n", TN_PLAN_SAYS_NO},
	{"\xf0\x9f\x91\x8e", TN_PLAN_SAYS_NO}, /* thumbs down */
	{"not", TN_PLAN_SAYS_NOT},
	{"dont", TN_PLAN_SAYS_NOT},
	{"doesnt", TN_PLAN_SAYS_NOT},
	{"didnt", TN_PLAN_SAYS_NOT},
	{"isnt", TN_PLAN_SAYS_NOT},
	{"arent", TN_PLAN_SAYS_NOT},
	{"cant", TN_PLAN_SAYS_NOT},
	{"cannot", TN_PLAN_SAYS_NOT},
	{"couldnt", TN_PLAN_SAYS_NOT},
	{"wont", TN_PLAN_SAYS_NOT},
	{"wouldnt", TN_PLAN_SAYS_NOT},
	{"never", TN_PLAN_SAYS_NOT},
	{"nothing", TN_PLAN_SAYS_NOT},
	{"without", TN_PLAN_SAYS_NOT},
	{"skip", TN_PLAN_SAYS_NOT},
	{"omit", TN_PLAN_SAYS_NOT},
	{"stop", TN_PLAN_SAYS_NOT},
	{"too", TN_PLAN_SAYS_TOO},
	{"much", TN_PLAN_SAYS_MUCH},
	{"many", TN_PLAN_SAYS_MUCH},
	{"need", TN_PLAN_SAYS_NEEDED},
	{"needed", TN_PLAN_SAYS_NEEDED},
	{"necessary", TN_PLAN_SAYS_NEEDED},
	{"required", TN_PLAN_SAYS_NEEDED},
	{"want", TN_PLAN_SAYS_NEEDED},
	{"wanted", TN_PLAN_SAYS_NEEDED},
	{"enough", TN_PLAN_SAYS_ENOUGH},
	{"know", TN_PLAN_SAYS_KNOW},
	{"than", TN_PLAN_SAYS_THAN},
	{"anything", TN_PLAN_SAYS_ANY},
	{"but", TN_PLAN_SAYS_BUT},
	{"just", TN_PLAN_SAYS_ONLY},
	{"only", TN_PLAN_SAYS_ONLY},
	{"you", TN_PLAN_SAYS_YOU},
	{"the", TN_PLAN_SAYS_THE},
	{"a", TN_PLAN_SAYS_THE},
	{"an", TN_PLAN_SAYS_THE},
	{"this", TN_PLAN_SAYS_THE},
	{"that", TN_PLAN_SAYS_THE},
	{"please", TN_PLAN_SAYS_PLEASE},
	{"pls", TN_PLAN_SAYS_PLEASE},
	{"thank", TN_PLAN_SAYS_PLEASE},
	{"thanks", TN_PLAN_SAYS_PLEASE},
	{"thx", TN_PLAN_SAYS_PLEASE},
	{"sorry", TN_PLAN_SAYS_PLEASE},
	{"i", TN_PLAN_SAYS_I},
	{"id", TN_PLAN_SAYS_I},
	{"ill", TN_PLAN_SAYS_I},
	{"im", TN_PLAN_SAYS_I},
	{"lets", TN_PLAN_SAYS_I},
	{"let", TN_PLAN_SAYS_I},
	{"give", TN_PLAN_SAYS_I},
	{"show", TN_PLAN_SAYS_I},
	{"tell", TN_PLAN_SAYS_I},
	{"wait", TN_PLAN_SAYS_I},
	{"actually", TN_PLAN_SAYS_I},
	{"ahead", TN_PLAN_SAYS_NOTHING},
	{"and", TN_PLAN_SAYS_NOTHING},
	{"are", TN_PLAN_SAYS_NOTHING},
	{"can", TN_PLAN_SAYS_NOTHING},
	{"could", TN_PLAN_SAYS_NOTHING},
	{"do", TN_PLAN_SAYS_NOTHING},
	{"fine", TN_PLAN_SAYS_NOTHING},
	{"for", TN_PLAN_SAYS_NOTHING},
	{"get", TN_PLAN_SAYS_NOTHING},
	{"go", TN_PLAN_SAYS_NOTHING},
	{"have", TN_PLAN_SAYS_NOTHING},
	{"in", TN_PLAN_SAYS_NOTHING},
	{"is", TN_PLAN_SAYS_NOTHING},
	{"it", TN_PLAN_SAYS_NOTHING},
	{"its", TN_PLAN_SAYS_NOTHING},
	{"like", TN_PLAN_SAYS_NOTHING},
	{"me", TN_PLAN_SAYS_NOTHING},
	{"my", TN_PLAN_SAYS_NOTHING},
	{"prefer", TN_PLAN_SAYS_NOTHING},
	{"rather", TN_PLAN_SAYS_NOTHING},
	{"read", TN_PLAN_SAYS_NOTHING},
	{"said", TN_PLAN_SAYS_NOTHING},
	{"see", TN_PLAN_SAYS_NOTHING},
	{"so", TN_PLAN_SAYS_NOTHING},
	{"take", TN_PLAN_SAYS_NOTHING},
	{"thats", TN_PLAN_SAYS_NOTHING},
	{"them", TN_PLAN_SAYS_NOTHING},
	{"then", TN_PLAN_SAYS_NOTHING},
	{"there", TN_PLAN_SAYS_NOTHING},
	{"to", TN_PLAN_SAYS_NOTHING},
	{"us", TN_PLAN_SAYS_NOTHING},
	{"we", TN_PLAN_SAYS_NOTHING},
	{"with", TN_PLAN_SAYS_NOTHING},
	{"would", TN_PLAN_SAYS_NOTHING},
};

/* Two words that mean something else together. */
static const struct row phrases[] = {
	{"how many", TN_PLAN_SAYS_COUNT},     {"one line", TN_PLAN_SAYS_BRIEF},
	{"one sentence", TN_PLAN_SAYS_BRIEF}, {"at all", TN_PLAN_SAYS_AT_ALL},
	{"do not", TN_PLAN_SAYS_NOT},         {"can not", TN_PLAN_SAYS_NOT},
	{"no need", TN_PLAN_SAYS_NOT},        {"no to", TN_PLAN_SAYS_NOT},
	{"rather than", TN_PLAN_SAYS_NOT},    {"instead of", TN_PLAN_SAYS_NOT},
	{"nothing but", TN_PLAN_SAYS_ONLY},   {"thank you", TN_PLAN_SAYS_PLEASE},
	{"last time", TN_PLAN_SAYS_NOTHING},  {"is all", TN_PLAN_SAYS_NOTHING},
	{"thats all", TN_PLAN_SAYS_NOTHING},  {"thanks to", TN_PLAN_SAYS_UNKNOWN},
	{"count me", TN_PLAN_SAYS_UNKNOWN},   {"no one", TN_PLAN_SAYS_UNKNOWN},
	{"no longer", TN_PLAN_SAYS_UNKNOWN},  {"short of", TN_PLAN_SAYS_UNKNOWN},
	{"all i", TN_PLAN_SAYS_UNKNOWN},      {"all we", TN_PLAN_SAYS_UNKNOWN},
};

static bool find(const struct row *rows, size_t count, struct tn_str text, enum tn_plan_sense *ret)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_is(text, rows[i].words)) {
			*ret = rows[i].sense;
			return true;
		}
	return false;
}

/* ---- one after the other ---- */

struct reader {
	struct tn_plan_said *said;
	char last[PHRASE_BYTES]; /* the word before, with room for the next one; empty: none */
	size_t last_size;
	char word[WORD_BYTES];
	size_t size;
	unsigned words;
};

static void add(struct reader *reader, enum tn_plan_sense sense)
{
	struct tn_plan_said *said = reader->said;

	if (said->count == TN_PLAN_SAID_MAX)
		said->too_long = true;
	else
		said->senses[said->count++] = sense;
}

static void pause_here(struct reader *reader, enum tn_plan_sense sense)
{
	add(reader, sense);
	reader->last_size = 0;
}

/* With the word before it, where the two are a phrase. */
static bool ends_phrase(struct reader *reader)
{
	size_t size = reader->last_size;

	if (size == 0 || size + 1 + reader->size > sizeof(reader->last))
		return false;
	reader->last[size++] = ' ';
	memcpy(reader->last + size, reader->word, reader->size);
	return find(phrases, TN_COUNT(phrases), tn_str(reader->last, size + reader->size),
		    &reader->said->senses[reader->said->count - 1]);
}

static void end_word(struct reader *reader)
{
	struct tn_str word = tn_str(reader->word, reader->size);
	enum tn_plan_sense sense = TN_PLAN_SAYS_UNKNOWN;

	if (reader->size == 0)
		return;
	if (++reader->words > TN_PLAN_SAID_WORDS_MAX)
		reader->said->too_long = true;
	if (!ends_phrase(reader)) {
		(void)find(words, TN_COUNT(words), word, &sense);
		add(reader, sense);
	}
	memcpy(reader->last, reader->word, reader->size);
	reader->last_size = reader->size;
	reader->size = 0;
}

/* Longer ones are not known anyway. */
static void add_letter(struct reader *reader, char c)
{
	if (reader->size < sizeof(reader->word))
		reader->word[reader->size++] = tn_to_lower(c);
}

/* ---- signs ---- */

enum sign { NO_SIGN, SILENT, BREAK, PAUSE };

/* Punctuation that keyboards and programs put in place of ours, by its bytes. */
static enum sign foreign_sign(struct tn_str rest, size_t *ret_size)
{
	static const struct {
		const char *bytes;
		enum sign sign;
	} signs[] = {
		{"\xe2\x80\x98", SILENT}, /* both apostrophes */
		{"\xe2\x80\x99", SILENT},
		{"\xef\xb8\x8f", SILENT}, /* the sign before it is a picture */
		{"\xe2\x80\x93", PAUSE},  /* dashes, three points */
		{"\xe2\x80\x94", PAUSE},
		{"\xe2\x80\xa6", PAUSE},
		{"\xe2\x80\x9c", BREAK}, /* quotes */
		{"\xe2\x80\x9d", BREAK},
		{"\xc2\xa0", BREAK},
	};

	for (size_t i = 0; i < TN_COUNT(signs); i++)
		if (tn_str_starts(rest, tn_str_from(signs[i].bytes))) {
			*ret_size = tn_str_from(signs[i].bytes).size;
			return signs[i].sign;
		}
	return NO_SIGN;
}

static bool is_letter_at(struct tn_str text, size_t at)
{
	return at < text.size && tn_is_alpha(text.data[at]);
}

static enum sign sign_at(struct tn_str reply, size_t at)
{
	char c = reply.data[at];

	if (tn_is_alpha(c) || tn_is_digit(c) || (unsigned char)c >= 0x80)
		return NO_SIGN;
	if (c == '\'' || (c == ';' && is_letter_at(reply, at + 1))) /* tl;dr */
		return SILENT;
	if (c == '-') /* count-only; count - no details */
		return is_letter_at(reply, at + 1) ? BREAK : PAUSE;
	return memchr(",.;:!()\n", c, 8) ? PAUSE : BREAK;
}

void tn_plan_reply_words(struct tn_str reply, struct tn_plan_said *ret)
{
	struct reader reader = {.said = ret};

	*ret = (struct tn_plan_said){.count = 0};
	for (size_t at = 0, size; at < reply.size; at += size) {
		enum sign sign = sign_at(reply, at);

		size = 1;
		if (sign == NO_SIGN)
			sign = foreign_sign(tn_str_from_offset(reply, at), &size);
		if (sign == NO_SIGN)
			add_letter(&reader, reply.data[at]);
		if (sign == NO_SIGN || sign == SILENT)
			continue;
		end_word(&reader);
		if (reply.data[at] == '?')
			pause_here(&reader, TN_PLAN_SAYS_QUESTION);
		else if (sign == PAUSE)
			pause_here(&reader, TN_PLAN_SAYS_PAUSE);
	}
	end_word(&reader);
}
