/* history_found_kit.h - what tests expect to be found. Threads: one. */
#ifndef TN_TERM_HISTORY_FOUND_KIT_H
#define TN_TERM_HISTORY_FOUND_KIT_H

#include "apps/terminal/history/history_kit.h"

/* "C1 O2:3" is the command cmd_1 and line 3 of the output of cmd_2. */
void history_found_list(const struct tn_history_found *found, char *out, size_t size);
void history_found_expect(struct history_kit *kit, const struct tn_history_search *search,
			  const char *wanted);
/* One page after the other, and no more. */
void history_found_expect_pages(struct history_kit *kit, struct tn_history_search *search,
				uint64_t total, const char *const *wanted, size_t count);

#endif
