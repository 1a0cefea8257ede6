/* regex.h - PCRE2 with limits: a pattern that would take too long is an error, never a hang
 * (terminal.md section 3). UTF and multi-line; no JIT. Ownership: the caller's. Threads: one at a
 * time. */
#ifndef TN_TERM_REGEX_H
#define TN_TERM_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

struct tn_regex;

/* Fails: INVALID (the message says where and why), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_regex_compile(struct tn_str pattern, bool ignore_case,
					     struct tn_regex **ret, struct tenon_error *err);
void tn_regex_free(struct tn_regex *regex); /* accepts NULL */

enum { TN_REGEX_GROUPS_MAX = 16 };
struct tn_regex_match {
	size_t begin, end; /* of the whole match, bytes of the subject */
	struct tn_str
		groups[TN_REGEX_GROUPS_MAX]; /* from group 1; into the subject; data NULL: unset */
	unsigned group_count;
	bool partial; /* no match, but more text could make one, from `begin` on */
};
/* Searches from `offset`. Invalid UTF-8 in the subject is no error: a byte that is none matches as
 * a question mark would. When nothing is found, *ret says whether more text could change that; on a
 * match at the very end more text could make it longer, which is not said. Fails: LIMIT (match or
 * depth limit, or TN_REGEX_SEARCH_MS are over), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_regex_search(struct tn_regex *regex, struct tn_str subject,
					    size_t offset, bool *ret_found,
					    struct tn_regex_match *ret, struct tenon_error *err);
/* Whether it is anywhere in the subject: faster, through much text. Fails: likewise. */
TN_MUST_USE enum tenon_code tn_regex_finds(struct tn_regex *regex, struct tn_str subject,
					   bool *ret_found, struct tenon_error *err);

#endif
