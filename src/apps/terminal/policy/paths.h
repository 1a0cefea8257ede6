/* paths.h - names of files as a shell text writes them, made absolute without looking at the disk.
 *
 * `~` at the beginning is the home; "." and ".." go, symbolic links are not followed. Threads: any.
 */
#ifndef TN_TERM_PATHS_H
#define TN_TERM_PATHS_H

#include "base/arena.h"

/* NUL-terminated, in the arena. NULL: out of memory, or relative to a directory that is not known
 * (`cwd` empty). */
const char *tn_path_resolve(struct tn_arena *arena, struct tn_str cwd, struct tn_str home,
			    struct tn_str path);

/* Means more in a pattern than itself. */
static inline bool tn_path_is_sign(char c)
{
	return c == '*' || c == '?' || c == '[' || c == ']';
}

/* By one letter near each end, without a call: most patterns are about another path. The path is
 * no pattern. */
static inline bool tn_path_differs_at_once(struct tn_str pattern, struct tn_str path)
{
	char first, last;

	if (pattern.size < 2 || path.size < 2)
		return false;
	first = pattern.data[1];
	last = pattern.data[pattern.size - 1];
	return (first != path.data[1] && !tn_path_is_sign(pattern.data[0]) &&
		!tn_path_is_sign(first)) ||
	       (last != path.data[path.size - 1] && !tn_path_is_sign(last));
}

/* The same for names, by their first letter. */
static inline bool tn_name_differs_at_once(struct tn_str pattern, struct tn_str name)
{
	return name.size && pattern.data[0] != name.data[0] && !tn_path_is_sign(pattern.data[0]);
}

/* Does the path fit: * and ? and [a-z] stop at slashes, ** does not; "dir/ **" (without the blank)
 * fits the directory, too. `path_is_glob`: the path is a pattern itself; is there any name that
 * fits both? Of what is longer than 4 KiB, patterns fit (what cannot be looked at is worth a
 * question), and texts are compared as if they had no slashes. */
bool tn_path_fits(struct tn_str pattern, struct tn_str path, bool path_is_glob);

/* The same for names without directories: * goes everywhere. */
bool tn_name_fits(struct tn_str pattern, struct tn_str name, bool name_is_glob);

#endif
