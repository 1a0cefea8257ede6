/* privacy.h - what this process knows is not for others of its own user: the programs that run in
 * our terminals are such others (terminal.md section 10.3).
 *
 * Afterwards no other process of the user reads our memory, and whoever may read what /proc says of
 * our environment (root may) finds no secrets there. getenv still finds them: they have moved.
 * Threads: main, before there are others. */
#ifndef TN_HOST_PRIVACY_H
#define TN_HOST_PRIVACY_H

/* `more`: further variables whose values are secrets, whatever their names say; NULL-terminated, or
 * NULL. Pointers that getenv gave before are not valid any more. Cannot fail: without memory a
 * value stays where it is. */
void tn_privacy_begin(const char *const *more);

/* The variable goes, and its value is wiped where it has moved to. What getenv gave of it is not
 * valid any more. */
void tn_privacy_forget(const char *name);

#endif
