/* reply_words.h - what the words mean that people answer with who were asked "Count only or full
 * summary?". Private to reply*.c.
 *
 * Threads: any; no state. */
#ifndef TN_PLAN_REPLY_WORDS_H
#define TN_PLAN_REPLY_WORDS_H

#include <stdbool.h>

#include "base/str.h"

enum tn_plan_sense {
	TN_PLAN_SAYS_UNKNOWN,
	TN_PLAN_SAYS_NOTHING,
	TN_PLAN_SAYS_I,      /* I, give, wait: a sentence may begin with it */
	TN_PLAN_SAYS_THE,    /* the, a, this */
	TN_PLAN_SAYS_PLEASE, /* thanks, sorry */
	TN_PLAN_SAYS_ONLY,   /* just */
	TN_PLAN_SAYS_YOU,    /* "can't you ...?" asks for what it denies */
	TN_PLAN_SAYS_COUNT,  /* the count, the total */
	TN_PLAN_SAYS_NUMBER, /* the number; or "number two" */
	TN_PLAN_SAYS_BRIEF,  /* short, quickly: the count, whatever else it is called */
	TN_PLAN_SAYS_FIRST,  /* of the two in the question */
	TN_PLAN_SAYS_SECOND,
	TN_PLAN_SAYS_ONE, /* the first; or "the short one" */
	TN_PLAN_SAYS_OPTION,
	TN_PLAN_SAYS_FULL,   /* long, complete */
	TN_PLAN_SAYS_DETAIL, /* details: the same as a noun */
	TN_PLAN_SAYS_ALL,    /* everything; or what is counted */
	TN_PLAN_SAYS_BOTH,
	TN_PLAN_SAYS_TEXT, /* summary, explain: the full one where nothing says short */
	TN_PLAN_SAYS_MORE,
	TN_PLAN_SAYS_LESS,  /* fewer details */
	TN_PLAN_SAYS_THING, /* version, part */
	TN_PLAN_SAYS_OF,    /* "2 of them" chooses nothing */
	TN_PLAN_SAYS_YES,
	TN_PLAN_SAYS_NO,
	TN_PLAN_SAYS_NOT, /* don't, without, skip */
	TN_PLAN_SAYS_TOO, /* too long */
	TN_PLAN_SAYS_MUCH,
	TN_PLAN_SAYS_NEEDED, /* "... is not needed", "... I don't want" */
	TN_PLAN_SAYS_ENOUGH,
	TN_PLAN_SAYS_KNOW, /* "I don't know" */
	TN_PLAN_SAYS_THAN,
	TN_PLAN_SAYS_ANY, /* "anything but ..." */
	TN_PLAN_SAYS_BUT,
	TN_PLAN_SAYS_AT_ALL,
	TN_PLAN_SAYS_PAUSE,   /* a comma */
	TN_PLAN_SAYS_QUESTION /* its mark */
};

enum { TN_PLAN_SAID_MAX = 40, TN_PLAN_SAID_WORDS_MAX = 16 };

struct tn_plan_said {
	enum tn_plan_sense senses[TN_PLAN_SAID_MAX];
	unsigned count;
	bool too_long; /* more than anybody needs to answer */
};

void tn_plan_reply_words(struct tn_str reply, struct tn_plan_said *ret);

#endif
