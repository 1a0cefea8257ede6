/* json_number.h - exact arithmetic on numbers as they are written in JSON.
 *
 * A number stays the digits that were sent; nothing passes through a double, so 0.1 is a multiple
 * of 0.01 and 9007199254740993 is not 9007199254740992. The slices are numbers that the reader has
 * accepted. Exponents beyond 10^12 count as 10^12. Threads: any. */
#ifndef TN_JSONRPC_JSON_NUMBER_H
#define TN_JSONRPC_JSON_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* <0, 0, >0. */
int tn_json_number_compare(struct tn_str a, struct tn_str b);

/* Zero, however it is written: <0, 0, >0 is its sign. */
int tn_json_number_sign(struct tn_str number);

/* A divisor, taken apart once. */
struct tn_json_divisor {
	uint64_t digits; /* without trailing zeros, never 0 */
	int64_t power;   /* of ten */
};

/* False: not above zero, or more than 18 significant digits. */
bool tn_json_divisor_init(struct tn_json_divisor *divisor, struct tn_str number);

/* True when number / divisor has no remainder. Time grows with the number's length. */
bool tn_json_number_is_multiple(struct tn_str number, const struct tn_json_divisor *divisor);

/* For hash tables: numbers that compare equal hash equally. */
uint64_t tn_json_number_hash(struct tn_str number, uint64_t seed);

/* MCP-004: digits of any length, which are kept as they were sent; with a fraction or an exponent
 * only a whole number that every peer's double holds exactly: 1e400 would be echoed to somebody who
 * reads infinity, or null. */
bool tn_json_number_is_id(struct tn_str number);

#endif
