#include "apps/plan/explain/guard_words.h"

#include "base/buf.h"
#include "base/size.h"

enum { LOOK_BACK = 3 }; /* words between a negation and its verb */

/* ---- words ---- */

static bool begins_with_any(struct tn_str word, const char *const *stems, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_starts(word, tn_str_from(stems[i])))
			return true;
	return false;
}

static bool is_verb_of(struct tn_str word, enum tn_plan_action action)
{
	static const char *const removes[] = {
		"remov", "delet",  "destroy", "goes",  "gone",    "going",     "drop",
		"eras",  "termin", "torn",    "tear",  "wipe",    "lost",      "lose",
		"loss",  "purg",   "decommi", "retir", "discard", "disappear", "eliminat"};
	static const char *const replaces[] = {
		"replac",  "rebuil",   "recreat", "re-creat", "remov", "delet", "destroy",  "swap",
		"exchang", "revision", "again",   "anew",     "new",   "rotat", "regenerat"};
	static const char *const forgets[] = {"forget",  "forgot",  "manag",  "unmanag",
					      "control", "state",   "record", "track",
					      "releas",  "outside", "let"};

	switch (action) {
	case TN_PLAN_REPLACE:
		return begins_with_any(word, replaces, TN_COUNT(replaces));
	case TN_PLAN_FORGET:
		return begins_with_any(word, forgets, TN_COUNT(forgets));
	default:
		return begins_with_any(word, removes, TN_COUNT(removes));
	}
}

static bool is_negation(struct tn_str word)
{
	static const char *const words[] = {"not",   "never",   "without", "nothing",
					    "none",  "neither", "nor",     "cannot",
					    "avoid", "avoids",  "instead", "rather"};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_is(word, words[i]))
			return true;
	return tn_str_ends(word, TN_STR("n't")) || tn_str_ends(word, TN_STR("n\xe2\x80\x99t"));
}

/* What does not happen to something that is removed. */
static bool is_denial(struct tn_str word, enum tn_plan_action action)
{
	static const char *const stems[] = {"unchanged",  "untouched", "intact",   "preserv",
					    "unaffected", "surviv",    "unharmed", "retain",
					    "remain",     "stay"};

	return action != TN_PLAN_FORGET && begins_with_any(word, stems, TN_COUNT(stems));
}

/* ---- one sentence ---- */

static bool is_word_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '-' || c == '\'' ||
	       (unsigned char)c >= 0x80;
}

static enum tn_plan_saying judge(struct tn_str sentence, enum tn_plan_action action)
{
	unsigned since_negation = LOOK_BACK + 1;
	bool verb = false;
	size_t at = 0;

	while (at < sentence.size) {
		size_t start = at;
		struct tn_str word;

		while (at < sentence.size && is_word_byte(sentence.data[at]))
			at++;
		word = tn_str(sentence.data + start, at - start);
		if (word.size == 0) {
			at++;
			continue;
		}
		since_negation = is_negation(word) ? 0 : since_negation + 1;
		if (is_denial(word, action))
			return TN_PLAN_DENIED;
		if (!is_verb_of(word, action))
			continue;
		if (since_negation <= LOOK_BACK && action != TN_PLAN_FORGET)
			return TN_PLAN_DENIED;
		verb = true;
	}
	return verb ? TN_PLAN_SAID : TN_PLAN_SAID_OTHERWISE;
}

/* ---- the text ---- */

static bool is_part_of_word(struct tn_str text, size_t at)
{
	return at < text.size && (tn_is_alpha(text.data[at]) || tn_is_digit(text.data[at]));
}

/* Blanks it out, wherever it stands as a whole: a name may sound like anything. */
static bool take_out(struct tn_buf *copy, struct tn_str name)
{
	struct tn_str text = tn_buf_str(copy);
	size_t from = 0, found = 0;

	while (name.size > 0) {
		size_t at = tn_str_find(tn_str_from_offset(text, from), name);

		if (at == TN_STR_NONE)
			break;
		at += from;
		from = at + 1;
		if ((at > 0 && is_part_of_word(text, at - 1)) ||
		    is_part_of_word(text, at + name.size))
			continue;
		memset(copy->data + at, '_', name.size);
		found++;
	}
	return found > 0;
}

/* The next full stop that ends a sentence: one inside of an address or a number does not. */
static size_t sentence_end(struct tn_str text, size_t at)
{
	for (; at < text.size; at++) {
		char next = at + 1 < text.size ? text.data[at + 1] : ' ';

		if (text.data[at] == '\n' ||
		    (strchr(".!?", text.data[at]) && (next == ' ' || next == '\n')))
			return at + 1;
	}
	return at;
}

/* The names are looked for as they are written, the words in small letters. */
static enum tn_plan_saying judge_sentence(struct tn_buf *copy, const struct tn_str names[2],
					  enum tn_plan_action action)
{
	bool address = take_out(copy, names[0]), label = take_out(copy, names[1]);

	if (!address && !label)
		return TN_PLAN_NOT_SAID;
	for (size_t i = 0; i < copy->size; i++)
		copy->data[i] = tn_to_lower(copy->data[i]);
	return judge(tn_buf_str(copy), action);
}

enum tn_plan_saying tn_plan_said(struct tn_str text, const struct tn_str names[2],
				 enum tn_plan_action action)
{
	enum tn_plan_saying best = TN_PLAN_NOT_SAID;
	struct tn_buf copy;
	size_t at = 0;

	tn_buf_init(&copy, text.size + 1);
	while (at < text.size && best != TN_PLAN_DENIED) {
		size_t end = sentence_end(text, at);
		enum tn_plan_saying saying;

		tn_buf_clear(&copy);
		tn_buf_append(&copy, text.data + at, end - at);
		if (copy.failed) {
			best = TN_PLAN_SAID_WITHOUT_MEMORY;
			break;
		}
		saying = judge_sentence(&copy, names, action);
		at = end;
		if (saying == TN_PLAN_DENIED ||
		    (saying != TN_PLAN_NOT_SAID && best != TN_PLAN_SAID))
			best = saying;
	}
	tn_buf_finish(&copy);
	return best;
}
