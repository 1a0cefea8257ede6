/* cidr.h - address ranges (studio.md 6.4): exact, IPv4 and IPv6.
 *
 * Plain values. Threads: any. */
#ifndef TN_STUDIO_CIDR_H
#define TN_STUDIO_CIDR_H

#include "base/str.h"

enum { TN_CIDR_TEXT_SIZE = 64 };

struct tn_cidr {
	bool v6;
	unsigned prefix;   /* bits */
	uint8_t bytes[16]; /* of the address; of IPv4 the first four, the others are 0 */
};

/* "10.0.0.0/16". Bits behind the prefix may be set (see below). False: it is no range. */
bool tn_cidr_parse(struct tn_str text, struct tn_cidr *ret);
void tn_cidr_format(const struct tn_cidr *range, char out[TN_CIDR_TEXT_SIZE]);

/* 10.0.0.1/16 is no range a network can have; 10.0.0.0/16 is the one that was meant. */
bool tn_cidr_has_host_bits(const struct tn_cidr *range);
struct tn_cidr tn_cidr_masked(const struct tn_cidr *range);

bool tn_cidr_contains(const struct tn_cidr *outer, const struct tn_cidr *inner);
bool tn_cidr_overlaps(const struct tn_cidr *a, const struct tn_cidr *b);
/* IPv4 first, then by address, then the larger range: <0, 0, >0. */
int tn_cidr_compare(const struct tn_cidr *a, const struct tn_cidr *b);

/* The first range of this size in `within` that overlaps none of the others. IPv4 only. False:
 * there is none. */
bool tn_cidr_first_free(const struct tn_cidr *within, unsigned prefix, const struct tn_cidr *taken,
			size_t count, struct tn_cidr *ret);

#endif
