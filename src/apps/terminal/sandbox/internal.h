/* internal.h - what bubblewrap's and Landlock's words have in common. For sandbox*.c. */
#ifndef TN_TERMINAL_SANDBOX_INTERNAL_H
#define TN_TERMINAL_SANDBOX_INTERNAL_H

#include "apps/terminal/sandbox/sandbox.h"

enum { TN_SANDBOX_WORDS_MAX = 4096 };

struct tn_sandbox_words {
	struct tn_arena *arena;
	const char **list; /* room for TN_SANDBOX_WORDS_MAX, and the NULL */
	size_t count;
	bool failed;
};

void tn_sandbox_add(struct tn_sandbox_words *words, const char *text); /* kept, not copied */
void tn_sandbox_add_copy(struct tn_sandbox_words *words, const char *text);

/* The roots, or else where it starts, in the order in which they are mounted. */
size_t tn_sandbox_writable(const struct tn_term_config *config, const struct tn_sandbox_wish *wish,
			   struct tn_arena *arena, const char **out, size_t max);
/* Each place of our own settings, policy, tokens and history, also one that is not there. */
void tn_sandbox_each_ours(const struct tn_term_config *config, struct tn_arena *arena,
			  void (*each)(const char *path, void *data), void *data);
/* Each file and folder of the system that is nobody's business. */
void tn_sandbox_each_secret(void (*each)(const char *path, void *data), void *data);

/* sandbox_landlock.c */
void tn_sandbox_landlock(const struct tn_term_config *config, const struct tn_sandbox_wish *wish,
			 struct tn_sandbox_words *words, struct tn_buf *report);

#endif
