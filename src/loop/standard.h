/* standard.h - standard input, output and error are there, whatever the starter has closed.
 *
 * Without it the next descriptor that is opened, a socket or a document, becomes one of them: what
 * is printed goes into it, and libuv ends the process when it is closed. Threads: main, first of
 * all. */
#ifndef TN_LOOP_STANDARD_H
#define TN_LOOP_STANDARD_H

/* A closed standard input has ended, a closed standard output cannot be written, what is written to
 * a closed standard error is dropped. Ends the process with 70 when there is no /dev/null. */
void tn_standard_open(void);

#endif
