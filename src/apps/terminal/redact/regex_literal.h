/* regex_literal.h - text that must stand in whatever a pattern matches, read off the pattern: to
 * look for that first rules most texts out in a fraction of the time.
 *
 * Only what is certain is said; of a pattern with anything unusual nothing is. Ownership: the
 * caller's, no pointers into the pattern. Threads: any. */
#ifndef TN_TERM_REGEX_LITERAL_H
#define TN_TERM_REGEX_LITERAL_H

#include <stdbool.h>

#include "base/str.h"

enum { TN_REGEX_LITERALS_MAX = 8, TN_REGEX_LITERAL_BYTES_MAX = 64 };
struct tn_regex_literals {
	size_t count; /* one for each alternative: one of them must be there. 0: nothing is known */
	bool ignore_case; /* they are ASCII in small letters */
	struct {
		char text[TN_REGEX_LITERAL_BYTES_MAX];
		size_t size;
	} items[TN_REGEX_LITERALS_MAX];
};
/* `pattern` as PCRE2 takes it without options (but UTF, multi-line and perhaps without case). */
void tn_regex_literals_read(struct tn_regex_literals *literals, struct tn_str pattern,
			    bool ignore_case);
/* False: no match is in the text. */
bool tn_regex_literals_allow(const struct tn_regex_literals *literals, struct tn_str text);
/* The place in `text` (ASCII) of the character that is rarest in texts: to look for that one is the
 * fastest. */
size_t tn_regex_rarest(const char *text, size_t size);

#endif
