/* clock.h - time as a parameter: code that waits is handed a clock, tests turn it.
 *
 * Threads: any, as long as the clock's own function allows it. */
#ifndef TN_BASE_CLOCK_H
#define TN_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct tn_clock {
	uint64_t (*monotonic_ms)(void *data); /* never goes back; origin unspecified */
	int64_t (*wall_ms)(void *data);       /* since 1970-01-01 UTC */
	void *data;
	uint64_t (*monotonic_us)(void *data); /* NULL: as exact as monotonic_ms */
};

extern const struct tn_clock tn_clock_system;

uint64_t tn_clock_now_ms(const struct tn_clock *clock);
uint64_t tn_clock_now_us(const struct tn_clock *clock); /* the same time, in microseconds */
int64_t tn_clock_wall_ms(const struct tn_clock *clock);

/* "2026-11-21T10:15:30.123Z"; out holds at least TN_CLOCK_ISO_SIZE bytes. */
#define TN_CLOCK_ISO_SIZE 32
void tn_clock_format_iso(int64_t wall_ms, char out[TN_CLOCK_ISO_SIZE]);

/* RFC 3339: "2026-11-21T10:15:30Z", with a fraction and an offset as it allows; and a date alone,
 * which is its first moment (UTC). In the years 1970 to 9999. False: it is none. */
bool tn_clock_parse_iso(struct tn_str text, int64_t *ret_wall_ms);

#endif
