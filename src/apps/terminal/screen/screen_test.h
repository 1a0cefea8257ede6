/* screen_test.h - what the tests of the screen share: making screens, comparing them, and streams
 * of bytes that nobody chose. Threads: one at a time. */
#ifndef TN_TERM_SCREEN_TEST_H
#define TN_TERM_SCREEN_TEST_H

#include "apps/terminal/screen/screen.h"

enum { TEST_SCROLLBACK = 200 };

struct tn_screen *test_screen(uint16_t columns, uint16_t rows); /* fails the test without memory */
void test_feed(struct tn_screen *screen, const char *text);

/* Everything that can be seen, one line a row, scroll-back first, then the look; for comparing and
 * for showing. The caller finishes it. */
struct tn_buf test_dump(const struct tn_screen *screen);
/* Fails the test, showing the first line that differs; `story` says what was done. */
void test_same(const struct tn_screen *a, const struct tn_screen *b, const char *story,
	       uint64_t seed);

/* The same numbers for the same seed, everywhere. */
struct test_random {
	uint64_t state;
};
uint32_t test_random(struct test_random *random, uint32_t below);

enum {
	TEST_WILD = 1 << 0,   /* bytes that are no text, sequences that are none */
	TEST_ORACLE = 1 << 1, /* only what libvterm 0.1.4 does as xterm does: narrow characters */
	TEST_WIDE = 1 << 2,   /* wide ones as well, and no editing */
	TEST_REGION = 1 << 3  /* with scroll regions */
};
/* Appends one thing that a program might send. */
void test_random_piece(struct test_random *random, unsigned flags, struct tn_buf *out);
struct tn_buf test_random_stream(uint64_t seed, unsigned pieces, unsigned flags);

#endif
