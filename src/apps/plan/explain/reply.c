/* reply.c - what somebody means who was asked "Count only or full summary?" (plan.md section 10.1).
 *
 * People answer in their own words: "Full summary please", "the long one", "yes". Words that name
 * one of the two decide; where there are none, words that only lean to one do. A sentence about
 * something else is no answer. */
#include "apps/plan/explain/explain.h"
#include "base/size.h"

enum { WORDS_MAX = 16, UNKNOWN_MAX = 3 };

enum sense {
	UNKNOWN,
	FILLER, /* says nothing here */
	COUNT,
	FULL,
	COUNT_PERHAPS,
	FULL_PERHAPS,
	NOT, /* turns the next one around */
	OR,
	ASKS /* it is a question, or about something else */
};

static const struct {
	const char *word;
	enum sense sense;
} senses[] = {
	{"count", COUNT},
	{"counts", COUNT},
	{"1", COUNT},
	{"1st", COUNT},
	{"first", COUNT},
	{"former", COUNT},
	{"short", COUNT},
	{"shorter", COUNT},
	{"shortest", COUNT},
	{"brief", COUNT},
	{"many", COUNT},
	{"numbers", COUNT},
	{"total", COUNT},
	{"tldr", COUNT},
	{"one", COUNT_PERHAPS},
	{"number", COUNT_PERHAPS},
	{"less", COUNT_PERHAPS},
	{"no", NOT},
	{"nope", NOT},
	{"not", NOT},
	{"don", NOT},
	{"dont", NOT},
	{"without", NOT},
	{"never", NOT},
	{"full", FULL},
	{"fully", FULL},
	{"2", FULL},
	{"2nd", FULL},
	{"two", FULL},
	{"second", FULL},
	{"latter", FULL},
	{"long", FULL},
	{"longer", FULL},
	{"longest", FULL},
	{"all", FULL},
	{"both", FULL},
	{"everything", FULL},
	{"detail", FULL},
	{"details", FULL},
	{"detailed", FULL},
	{"complete", FULL},
	{"entire", FULL},
	{"whole", FULL},
	{"explain", FULL},
	{"explanation", FULL},
	{"summary", FULL_PERHAPS},
	{"summarize", FULL_PERHAPS},
	{"summarise", FULL_PERHAPS},
	{"more", FULL_PERHAPS},
	{"yes", FULL_PERHAPS},
	{"yeah", FULL_PERHAPS},
	{"yep", FULL_PERHAPS},
	{"yup", FULL_PERHAPS},
	{"y", FULL_PERHAPS},
	{"ok", FULL_PERHAPS},
	{"okay", FULL_PERHAPS},
	{"sure", FULL_PERHAPS},
	{"or", OR},
	{"what", ASKS},
	{"which", ASKS},
	{"why", ASKS},
	{"who", ASKS},
	{"difference", ASKS},
	{"mean", ASKS},
	{"a", FILLER},
	{"an", FILLER},
	{"and", FILLER},
	{"ahead", FILLER},
	{"changes", FILLER},
	{"d", FILLER},
	{"do", FILLER},
	{"enough", FILLER},
	{"fine", FILLER},
	{"for", FILLER},
	{"get", FILLER},
	{"give", FILLER},
	{"go", FILLER},
	{"how", FILLER},
	{"i", FILLER},
	{"in", FILLER},
	{"is", FILLER},
	{"it", FILLER},
	{"just", FILLER},
	{"let", FILLER},
	{"like", FILLER},
	{"ll", FILLER},
	{"me", FILLER},
	{"need", FILLER},
	{"of", FILLER},
	{"only", FILLER},
	{"option", FILLER},
	{"please", FILLER},
	{"s", FILLER},
	{"see", FILLER},
	{"show", FILLER},
	{"t", FILLER},
	{"take", FILLER},
	{"tell", FILLER},
	{"thank", FILLER},
	{"thanks", FILLER},
	{"that", FILLER},
	{"the", FILLER},
	{"then", FILLER},
	{"them", FILLER},
	{"this", FILLER},
	{"to", FILLER},
	{"version", FILLER},
	{"want", FILLER},
	{"with", FILLER},
	{"would", FILLER},
	{"you", FILLER},
};

struct votes {
	unsigned words, unknown, count, full, count_perhaps, full_perhaps;
	bool negated, refused, or, asks;
};

static bool is_of_word(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || (unsigned char)c >= 0x80;
}

static enum sense sense_of(struct tn_str word)
{
	for (size_t i = 0; i < TN_COUNT(senses); i++)
		if (tn_str_equal_nocase(word, tn_str_from(senses[i].word)))
			return senses[i].sense;
	return UNKNOWN;
}

static enum sense turned(enum sense sense)
{
	switch (sense) {
	case COUNT:
		return FULL;
	case FULL:
		return COUNT;
	case FULL_PERHAPS:
		return COUNT_PERHAPS;
	default:
		return FULL_PERHAPS;
	}
}

static void vote(struct votes *votes, enum sense sense)
{
	bool decides =
		sense == COUNT || sense == FULL || sense == COUNT_PERHAPS || sense == FULL_PERHAPS;

	if (decides && votes->negated)
		sense = turned(sense);
	votes->words++;
	votes->negated = sense == NOT || (votes->negated && !decides);
	votes->refused = votes->refused || sense == NOT;
	votes->unknown += sense == UNKNOWN;
	votes->count += sense == COUNT;
	votes->full += sense == FULL;
	votes->count_perhaps += sense == COUNT_PERHAPS;
	votes->full_perhaps += sense == FULL_PERHAPS;
	votes->or = votes->or || sense == OR;
	votes->asks = votes->asks || sense == ASKS;
}

static enum tn_plan_reply decide(const struct votes *votes)
{
	if (votes->asks || votes->words > WORDS_MAX || votes->unknown > UNKNOWN_MAX ||
	    (votes->count > 0 && votes->full > 0 && votes->or))
		return TN_PLAN_REPLY_UNCLEAR;
	if (votes->full > 0) /* it begins with the count */
		return TN_PLAN_REPLY_FULL;
	if (votes->count > 0)
		return TN_PLAN_REPLY_COUNT;
	if (votes->unknown > 1)
		return TN_PLAN_REPLY_UNCLEAR;
	if (votes->full_perhaps > 0)
		return TN_PLAN_REPLY_FULL;
	if (votes->count_perhaps > 0 || votes->refused)
		return TN_PLAN_REPLY_COUNT;
	return TN_PLAN_REPLY_UNCLEAR;
}

enum tn_plan_reply tn_plan_read_reply(struct tn_str reply)
{
	struct votes votes = {.words = 0};

	if (!reply.data)
		return TN_PLAN_REPLY_NONE;
	for (size_t at = 0, end; at < reply.size; at = end) {
		for (end = at; end < reply.size && is_of_word(reply.data[end]); end++)
			;
		if (end == at)
			end++;
		else
			vote(&votes, sense_of(tn_str(reply.data + at, end - at)));
	}
	return decide(&votes);
}
