/* exposure.h - which ports an object's rules open to the whole internet, before and after the
 * change.
 *
 * The same for text and JSON plans, whatever the provider calls its rules. Threads: any; no state.
 */
#ifndef TN_PLAN_EXPOSURE_H
#define TN_PLAN_EXPOSURE_H

#include "apps/plan/explain/block.h"
#include "apps/plan/explain/cidr.h"
#include "apps/plan/explain/vocabulary.h"

/* NO_PORT: none is named, it is about the one service that the object is. */
enum {
	TN_PLAN_PORT_LAST = 65535,
	TN_PLAN_NO_PORT = TN_PLAN_PORT_LAST + 1,
	TN_PLAN_PORT_WORDS = TN_PLAN_NO_PORT / 64 + 1,
	TN_PLAN_RANGES_MAX = 4
};

struct tn_plan_ports {
	uint32_t low, high;
};

/* One set of ports for each direction (in, out), part of the internet (cidr.h) and protocol. */
struct tn_plan_admitted {
	uint64_t ports[2][TN_PLAN_PARTS][3][TN_PLAN_PORT_WORDS];
};

/* What one rule opens that was not open before. */
struct tn_plan_opening {
	const struct tn_plan_attribute *evidence;
	struct tn_plan_ports ranges[TN_PLAN_RANGES_MAX];
	unsigned range_count;
	bool more;                /* ranges that found no place */
	bool out;                 /* the way out, not in */
	bool all;                 /* every port */
	bool precious;            /* one of them is used for administration or data */
	enum tn_plan_crowd crowd; /* to whom, of those who may come afterwards */
};

typedef void tn_plan_opening_fn(void *context, const struct tn_plan_opening *opening);

/* Calls `tell` for each rule that opens something. False: no memory. */
bool tn_plan_find_openings(const struct tn_plan_entry *entry, tn_plan_opening_fn *tell,
			   void *context);

/* One of the ports behind which there is administration or data. */
bool tn_plan_is_precious(struct tn_plan_ports range);

/* All that the entry lets everybody reach on that side. */
void tn_plan_find_admitted(const struct tn_plan_entry *entry, enum tn_plan_side side,
			   struct tn_plan_admitted *ret);

/* The attribute says who may come, or where to go, by one of the entry's rules. */
bool tn_plan_is_rule_address(const struct tn_plan_entry *entry,
			     const struct tn_plan_attribute *attribute);

/* What one rule says, whoever it is about. */
struct tn_plan_rule_facts {
	struct tn_plan_opening ports; /* all that it names; out */
	bool denies, disabled;
};
void tn_plan_rule_read(const struct tn_plan_entry *entry, const struct tn_plan_block *rule,
		       enum tn_plan_side side, struct tn_plan_rule_facts *ret);

/* ---- exposure_words.c ---- */

/* "SSH (port 22)", "ports 20 to 25", "every port", "SSH (port 22) and port 8080"; nothing for
 * NO_PORT. */
void tn_plan_put_ports(struct tn_buf *out, const struct tn_plan_ports *ranges, unsigned count);

/* "opens SSH (port 22) to the whole internet, closes port 3306, port 8080 stays open",
 * "opens port 22 to half of the internet"; false and nothing where what everybody may reach stays
 * as it is. */
bool tn_plan_put_exposure(struct tn_buf *out, const struct tn_plan_entry *entry);

#endif
