/* reply.c - what somebody means who was asked "Count only or full summary?" (plan.md section 10.1).
 *
 * People answer in their own words: "Full summary please", "the long one", "yes". An answer is read
 * clause by clause; each names one of the two, denies one of them, agrees or refuses. Whoever says
 * no to the full one must not get it, so what holds a word that is not known, names both or says
 * things that do not fit together is no answer: the question is asked again. */
#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/reply_words.h"
#include "base/size.h"

/* What a clause, or all of them so far, choose. BRIEF and TEXT give way: "a summary, but short". */
enum choice { NOTHING, COUNT, BRIEF, FULL, TEXT, MIXED };

static enum choice opposite(enum choice choice)
{
	return choice == COUNT || choice == BRIEF ? FULL : COUNT;
}

static bool is_few(enum choice choice)
{
	return choice == COUNT || choice == BRIEF;
}

static enum choice put_together(enum choice one, enum choice other)
{
	if (one == NOTHING || other == NOTHING)
		return one == NOTHING ? other : one;
	if (one == MIXED || other == MIXED)
		return MIXED;
	if (is_few(one) == is_few(other))
		return one == TEXT ? other : one;
	return (one == BRIEF && other == TEXT) || (one == TEXT && other == BRIEF) ? BRIEF : MIXED;
}

/* ---- words that mean this or that ---- */

#define BIT(sense) ((uint64_t)1 << TN_PLAN_SAYS_##sense)

static bool is_in(enum tn_plan_sense sense, uint64_t senses)
{
	return senses >> sense & 1;
}

static enum tn_plan_sense sense_at(const struct tn_plan_said *said, size_t at)
{
	return at < said->count ? said->senses[at] : TN_PLAN_SAYS_PAUSE;
}

static enum tn_plan_sense sense_before(const struct tn_plan_said *said, size_t at)
{
	return at > 0 ? said->senses[at - 1] : TN_PLAN_SAYS_PAUSE;
}

static const uint64_t ends = BIT(PAUSE) | BIT(QUESTION);

static bool is_end(enum tn_plan_sense sense)
{
	return is_in(sense, ends);
}

/* "No details", "no full summary" deny what follows; "no, the full one", "no just count" refuse,
 * and go on. */
static enum tn_plan_sense read_no(const struct tn_plan_said *said, size_t at)
{
	enum tn_plan_sense next = sense_at(said, at + 1);

	if (is_in(next, BIT(COUNT) | BIT(TEXT) | BIT(DETAIL) | BIT(MORE)) ||
	    (next == TN_PLAN_SAYS_FULL &&
	     is_in(sense_at(said, at + 2), BIT(TEXT) | BIT(DETAIL) | BIT(THING))))
		return TN_PLAN_SAYS_NOT;
	if (is_in(next, ends | BIT(ONLY) | BIT(THE) | BIT(PLEASE) | BIT(I) | BIT(NOT) | BIT(BUT) |
				BIT(FIRST)))
		return TN_PLAN_SAYS_NO;
	return TN_PLAN_SAYS_UNKNOWN;
}

/* "One", "number one", "one please"; "the short one". */
static enum tn_plan_sense read_one(const struct tn_plan_said *said, size_t at)
{
	enum tn_plan_sense before = sense_before(said, at);

	if (is_in(before, ends | BIT(OPTION) | BIT(NUMBER) | BIT(PLEASE)))
		return TN_PLAN_SAYS_FIRST;
	return is_in(before, BIT(THE) | BIT(FULL) | BIT(BRIEF) | BIT(FIRST) | BIT(SECOND))
		       ? TN_PLAN_SAYS_THING
		       : TN_PLAN_SAYS_UNKNOWN;
}

/* "Only 2 of them". */
static bool is_an_amount(const struct tn_plan_said *said, size_t at)
{
	return sense_at(said, at + 1) == TN_PLAN_SAYS_OF ||
	       sense_before(said, at) == TN_PLAN_SAYS_ONLY;
}

static enum tn_plan_sense read_but(const struct tn_plan_said *said, size_t at)
{
	return is_in(sense_before(said, at), BIT(ALL) | BIT(ANY)) &&
			       sense_at(said, at + 1) == TN_PLAN_SAYS_THE
		       ? TN_PLAN_SAYS_NOT
		       : TN_PLAN_SAYS_PAUSE;
}

/* "Count all", "the total of everything". */
static bool is_counted(const struct tn_plan_said *said, size_t at)
{
	while (at-- > 0 && !is_end(said->senses[at]))
		if (said->senses[at] == TN_PLAN_SAYS_COUNT)
			return true;
	return false;
}

/* "Not at all" refuses; "no details at all" only says it louder. */
static enum tn_plan_sense read_not(const struct tn_plan_said *said, size_t at)
{
	return sense_at(said, at + 1) == TN_PLAN_SAYS_AT_ALL && is_end(sense_at(said, at + 2))
		       ? TN_PLAN_SAYS_NO
		       : TN_PLAN_SAYS_NOT;
}

/* Where the sense stands, if what follows is one of these. */
static enum tn_plan_sense known_before(enum tn_plan_sense sense, const struct tn_plan_said *said,
				       size_t at, uint64_t senses)
{
	return is_in(sense_at(said, at + 1), senses) ? sense : TN_PLAN_SAYS_UNKNOWN;
}

static enum tn_plan_sense read_sense(const struct tn_plan_said *said, size_t at)
{
	enum tn_plan_sense sense = said->senses[at];

	switch (sense) {
	case TN_PLAN_SAYS_NO:
		return read_no(said, at);
	case TN_PLAN_SAYS_NOT:
		return read_not(said, at);
	case TN_PLAN_SAYS_ONE:
	case TN_PLAN_SAYS_FIRST:
	case TN_PLAN_SAYS_SECOND:
		return is_an_amount(said, at)      ? TN_PLAN_SAYS_UNKNOWN
		       : sense == TN_PLAN_SAYS_ONE ? read_one(said, at)
						   : sense;
	case TN_PLAN_SAYS_NUMBER: /* "number two" */
		return known_before(TN_PLAN_SAYS_OPTION, said, at,
				    BIT(FIRST) | BIT(SECOND) | BIT(ONE))
			       ? TN_PLAN_SAYS_OPTION
			       : TN_PLAN_SAYS_COUNT;
	case TN_PLAN_SAYS_BUT:
		return read_but(said, at);
	case TN_PLAN_SAYS_ALL:
		return is_counted(said, at) ? TN_PLAN_SAYS_NOTHING : sense;
	case TN_PLAN_SAYS_TOO: /* else: "the details, too" */
		return known_before(sense, said, at, BIT(FULL) | BIT(BRIEF) | BIT(MUCH));
	case TN_PLAN_SAYS_AT_ALL:
		return known_before(TN_PLAN_SAYS_NOTHING, said, at, ends);
	default:
		return sense;
	}
}

/* ---- one clause ---- */

struct clause {
	uint64_t before, after; /* senses in front of what denies, and behind it */
	bool denied;            /* by not, or by too */
	bool too;
	bool unclear;
	bool compared; /* what follows "than" is not what is chosen */
};

static enum choice choice_of(uint64_t senses)
{
	static const uint64_t counts = BIT(COUNT) | BIT(FIRST);
	static const uint64_t fulls = BIT(FULL) | BIT(DETAIL) | BIT(ALL) | BIT(SECOND) | BIT(BOTH);
	bool count = senses & counts, brief = senses & BIT(BRIEF), more = senses & BIT(MORE);
	bool full = senses & fulls, text = more || senses & BIT(TEXT);

	if (senses & BIT(LESS)) /* "less detail" */
		return count || brief ? MIXED : COUNT;
	if (count)
		return full || text ? MIXED : COUNT;
	if (brief)
		return full || more ? MIXED : BRIEF;
	if (full)
		return FULL;
	return text ? TEXT : NOTHING;
}

static void deny(struct clause *clause, enum tn_plan_sense sense, enum tn_plan_sense before)
{
	bool not_too =
		sense == TN_PLAN_SAYS_TOO && is_in(before, BIT(NOT) | BIT(NO)); /* "not too long" */

	if (not_too)
		return;
	clause->unclear = clause->unclear || clause->denied;
	clause->denied = true;
	clause->too = sense == TN_PLAN_SAYS_TOO;
}

static void take(struct clause *clause, const struct tn_plan_said *said, size_t at, bool asked)
{
	enum tn_plan_sense sense = read_sense(said, at);

	if (sense == TN_PLAN_SAYS_UNKNOWN) {
		clause->unclear = true;
	} else if (sense == TN_PLAN_SAYS_NOT && sense_at(said, at + 1) == TN_PLAN_SAYS_YOU) {
		clause->unclear = clause->unclear || !asked; /* "can't you just count?" */
	} else if (sense == TN_PLAN_SAYS_NOT || sense == TN_PLAN_SAYS_TOO) {
		clause->unclear = clause->unclear || (asked && sense == TN_PLAN_SAYS_NOT);
		deny(clause, sense, sense_before(said, at));
	} else if (sense == TN_PLAN_SAYS_THAN) {
		clause->compared = true;
	} else if (!clause->compared) {
		*(clause->denied ? &clause->after : &clause->before) |= (uint64_t)1 << sense;
	}
}

/* "Not sure", "don't know", "not both", "not enough detail", "not just the full one". */
static bool is_doubtful(const struct clause *clause, enum choice after)
{
	if (clause->after & (BIT(YES) | BIT(NO) | BIT(KNOW) | BIT(LESS) | BIT(BOTH)))
		return true;
	return after != NOTHING &&
	       (clause->after & BIT(ENOUGH) || (clause->after & BIT(ONLY) && !is_few(after)));
}

/* "Details are not needed", "the count is not enough". */
static enum choice denied_behind(const struct clause *clause, enum choice before)
{
	bool scant = clause->after & BIT(ENOUGH) && is_few(before);

	if (before == NOTHING)
		return NOTHING;
	return clause->after & BIT(NEEDED) || scant ? opposite(before) : MIXED;
}

static enum choice denied_choice(const struct clause *clause)
{
	enum choice before = choice_of(clause->before), after = choice_of(clause->after);

	if (before == MIXED || after == MIXED || is_doubtful(clause, after))
		return MIXED;
	if (clause->too && before != NOTHING) /* "the full one is too long" */
		return after == NOTHING || is_few(before) == is_few(after) ? opposite(before)
									   : MIXED;
	if (after == NOTHING)
		return denied_behind(clause, before);
	return put_together(before, opposite(after));
}

/* ---- all of them ---- */

struct answer {
	enum choice choice;
	bool yes, refused;
	bool denied; /* something that was not said: "please don't" */
	bool asked;  /* the choice was a question: "details? no" */
	bool unclear;
};

static void refuse(struct answer *answer)
{
	if (answer->asked && answer->choice != NOTHING)
		answer->choice = opposite(answer->choice);
	else if (answer->choice != NOTHING)
		answer->unclear = true;
	else
		answer->refused = true;
	answer->asked = false;
}

static void add_clause(struct answer *answer, const struct clause *clause, bool asked)
{
	enum choice choice = clause->denied ? denied_choice(clause) : choice_of(clause->before);

	answer->unclear = answer->unclear || clause->unclear || choice == MIXED;
	answer->yes = answer->yes || (clause->before & BIT(YES) && !asked);
	answer->denied = answer->denied || (clause->denied && choice == NOTHING);
	answer->asked = asked && answer->choice == NOTHING && choice != NOTHING;
	answer->choice = put_together(answer->choice, choice);
}

/* The clause that begins at `at`. Returns where the next one does. */
static size_t read_clause(struct answer *answer, const struct tn_plan_said *said, size_t at)
{
	struct clause clause = {.denied = false};
	size_t end = at;
	bool asked;

	while (end < said->count && !is_in(read_sense(said, end), ends | BIT(NO)))
		end++;
	asked = sense_at(said, end) == TN_PLAN_SAYS_QUESTION;
	for (size_t i = at; i < end; i++)
		take(&clause, said, i, asked);
	if (end > at)
		add_clause(answer, &clause, asked);
	if (end < said->count && read_sense(said, end) == TN_PLAN_SAYS_NO)
		refuse(answer);
	return end + 1;
}

static enum tn_plan_reply decide(const struct answer *answer)
{
	bool few = is_few(answer->choice);

	if (answer->unclear || answer->choice == MIXED || (answer->yes && answer->refused) ||
	    (answer->yes && answer->denied) || (answer->denied && !few && answer->choice))
		return TN_PLAN_REPLY_UNCLEAR;
	if (answer->choice != NOTHING)
		return few ? TN_PLAN_REPLY_COUNT : TN_PLAN_REPLY_FULL;
	if (answer->yes)
		return TN_PLAN_REPLY_FULL;
	return answer->refused ? TN_PLAN_REPLY_COUNT : TN_PLAN_REPLY_UNCLEAR;
}

enum tn_plan_reply tn_plan_read_reply(struct tn_str reply)
{
	struct answer answer = {.choice = NOTHING};
	struct tn_plan_said said;

	if (!reply.data)
		return TN_PLAN_REPLY_NONE;
	tn_plan_reply_words(reply, &said);
	if (said.too_long)
		return TN_PLAN_REPLY_UNCLEAR;
	for (size_t at = 0; at < said.count;)
		at = read_clause(&answer, &said, at);
	return decide(&answer);
}
