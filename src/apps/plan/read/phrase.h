/* phrase.h - what a resource header says behind the address, and what the notes below it say
 * (plan.md sections 4.3 and 4.4), as tables. Threads: any. */
#ifndef TN_PLAN_PHRASE_H
#define TN_PLAN_PHRASE_H

#include "apps/plan/read/address.h"

enum tn_plan_phrase_kind {
	TN_PLAN_PHRASE_PLANNED,
	TN_PLAN_PHRASE_MOVED, /* planned, or drift in the drift section; previous and new address */
	TN_PLAN_PHRASE_DRIFT,
	TN_PLAN_PHRASE_DEFERRED,
	TN_PLAN_PHRASE_INVOKED,
	TN_PLAN_PHRASE_UNKNOWN
};

struct tn_plan_header {
	struct tn_plan_address address; /* the new one of a move */
	struct tn_str previous_address; /* of a move */
	struct tn_str deposed;
	struct tn_str phrase;
	const char *reason; /* reason code the phrase itself gives, or NULL */
	uint8_t kind;       /* enum tn_plan_phrase_kind */
	uint8_t action;     /* enum tn_plan_action; of drift too */
	uint8_t order;      /* enum tn_plan_order, where the phrase tells */
};

/* Reads "# ADDRESS PHRASE", without indentation. False: not a header; what has a valid address and
 * an unknown phrase is one, of kind UNKNOWN. */
bool tn_plan_header_read(struct tn_str text, struct tn_plan_header *ret);

enum tn_plan_note_effect {
	TN_PLAN_NOTE_REASON,     /* code */
	TN_PLAN_NOTE_MOVED_FROM, /* value: the previous address */
	TN_PLAN_NOTE_IMPORTED,   /* value: the id, empty when it is not known */
	TN_PLAN_NOTE_IDENTITY,   /* further lines hold parts of the identity */
	TN_PLAN_NOTE_OTHER       /* a comment without meaning for the model */
};

struct tn_plan_note {
	enum tn_plan_note_effect effect;
	const char *code;
	struct tn_str text; /* the words, without # and parentheses */
	struct tn_str value;
};

/* `text` is the line without indentation, with or without its "# ". False: not a note. */
bool tn_plan_note_read(struct tn_str text, struct tn_plan_note *ret);

#endif
