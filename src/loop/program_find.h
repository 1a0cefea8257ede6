/* program_find.h - which file a program's name means here. Threads: any; blocks for a moment. */
#ifndef TN_LOOP_PROGRAM_FIND_H
#define TN_LOOP_PROGRAM_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* `name` in the absolute folders of our PATH, or itself when it has a slash. False: there is no
 * such program, or its path does not fit. */
bool tn_program_find(const char *name, char *out, size_t size, struct stat *ret);

#endif
