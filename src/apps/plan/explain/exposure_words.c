/* exposure_words.c - ports for people, and what opens and closes in one clause. */
#include "apps/plan/explain/exposure.h"

#include "base/mem.h"
#include "base/size.h"

static const struct {
	uint32_t port;
	const char *name;
} services[] = {
	{22, "SSH"},      {80, "HTTP"},    {443, "HTTPS"},           {1433, "SQL Server"},
	{2375, "Docker"}, {3306, "MySQL"}, {3389, "remote desktop"}, {5432, "PostgreSQL"},
	{5900, "VNC"},    {6379, "Redis"}, {9200, "Elasticsearch"},  {27017, "MongoDB"},
};

static void put_range(struct tn_buf *out, struct tn_plan_ports range)
{
	if (range.low <= 1 && range.high >= TN_PLAN_PORT_LAST) {
		tn_buf_append_text(out, "every port");
		return;
	}
	if (range.low != range.high) {
		tn_buf_format(out, "ports %u to %u", range.low, range.high);
		return;
	}
	for (size_t i = 0; i < TN_COUNT(services); i++)
		if (services[i].port == range.low) {
			tn_buf_format(out, "%s (port %u)", services[i].name, range.low);
			return;
		}
	tn_buf_format(out, "port %u", range.low);
}

void tn_plan_put_ports(struct tn_buf *out, const struct tn_plan_ports *ranges, unsigned count)
{
	unsigned all = 0, shown = 0;

	for (unsigned i = 0; i < count; i++)
		all += ranges[i].low != TN_PLAN_NO_PORT;
	for (unsigned i = 0; i < count; i++) {
		if (ranges[i].low == TN_PLAN_NO_PORT)
			continue;
		if (shown++ > 0)
			tn_buf_append_text(out, shown == all ? " and " : ", ");
		put_range(out, ranges[i]);
	}
}

/* ---- before and after ---- */

enum { SHOWN_MAX = 3, KEPT_MAX = 64 };

struct change {
	struct tn_plan_ports ranges[KEPT_MAX];
	unsigned count, more;
};

/* The ways in, whatever the protocol: for all of the older addresses, for one half of them, and for
 * the newer ones. */
struct open_ports {
	uint64_t whole[TN_PLAN_PORT_WORDS], half[TN_PLAN_PORT_WORDS], six[TN_PLAN_PORT_WORDS];
};

static void merge(struct open_ports *ports, const struct tn_plan_admitted *admitted)
{
	memset(ports, 0, sizeof(*ports));
	for (unsigned protocol = 0; protocol < 3; protocol++)
		for (size_t word = 0; word < TN_PLAN_PORT_WORDS; word++) {
			uint64_t low = admitted->ports[0][0][protocol][word];
			uint64_t high = admitted->ports[0][1][protocol][word];

			ports->whole[word] |= low & high;
			ports->half[word] |= low | high;
			ports->six[word] |= admitted->ports[0][2][protocol][word];
		}
	for (size_t word = 0; word < TN_PLAN_PORT_WORDS; word++)
		ports->half[word] &= ~ports->whole[word];
}

static void take_port(struct change *change, uint32_t port, bool goes_on)
{
	if (goes_on && change->more == 0)
		change->ranges[change->count - 1].high = port;
	else if (!goes_on && change->count == KEPT_MAX)
		change->more++;
	else if (!goes_on)
		change->ranges[change->count++] = (struct tn_plan_ports){port, port};
}

static struct change ranges_of(const uint64_t *words)
{
	struct change change = {.count = 0};
	bool inside = false;

	for (uint32_t word = 0; word < TN_PLAN_PORT_WORDS; word++) {
		for (uint32_t bit = 0; bit < 64 && (words[word] || inside); bit++) {
			uint32_t port = word * 64 + bit;
			bool here = words[word] >> bit & 1;

			if (here)
				take_port(&change, port, inside && port != TN_PLAN_NO_PORT);
			inside = here;
		}
	}
	return change;
}

/* What weighs most is shown, in the order of the ports. */
static void keep_shown(struct change *change)
{
	while (change->count > SHOWN_MAX) {
		unsigned least = change->count;

		while (least > 0 && tn_plan_is_precious(change->ranges[least - 1]))
			least--;
		least -= least > 0;
		change->count--;
		change->more++;
		for (unsigned i = least; i < change->count; i++)
			change->ranges[i] = change->ranges[i + 1];
	}
}

static bool is_only_service(const struct change *change)
{
	return change->count == 1 && change->ranges[0].low == TN_PLAN_NO_PORT;
}

static void put_change(struct tn_buf *out, size_t start, struct change change, const char *before,
		       const char *after)
{
	if (change.count == 0)
		return;
	keep_shown(&change);
	if (out->size > start)
		tn_buf_append_text(out, ", ");
	tn_buf_append_text(out, before);
	if (is_only_service(&change))
		tn_buf_append_text(out, "it");
	tn_plan_put_ports(out, change.ranges, change.count);
	if (change.more)
		tn_buf_format(out, " and %u more", change.more);
	tn_buf_append_text(out, after);
}

/* Everything was open: what stays is all there is to tell. */
static bool is_all_but(const struct open_ports *before, const struct change *kept)
{
	for (size_t word = 0; word < TN_PLAN_PORT_WORDS - 1; word++)
		if (before->whole[word] != UINT64_MAX)
			return false;
	return kept->more == 0;
}

struct exposure {
	struct change opened, closed, kept;
	struct change half;     /* opened to one half of the internet */
	struct change narrowed; /* from the whole of it to one half */
	struct change six;      /* opened to the newer addresses alone */
	struct change six_left; /* open to these, and no more to the older ones */
	struct change six_gone; /* closed to these alone */
};

static void compare(struct exposure *ret, const struct open_ports *before,
		    const struct open_ports *after)
{
	uint64_t words[8][TN_PLAN_PORT_WORDS];

	for (size_t i = 0; i < TN_PLAN_PORT_WORDS; i++) {
		uint64_t was = before->whole[i] | before->half[i];
		uint64_t four_goes = was & ~(after->whole[i] | after->half[i]);
		uint64_t six_stays = before->six[i] & after->six[i];

		words[0][i] = after->whole[i] & ~before->whole[i];
		words[1][i] = four_goes & ~after->six[i];
		words[2][i] = (after->whole[i] & before->whole[i]) | (six_stays & ~was);
		words[3][i] = after->half[i] & ~was;
		words[4][i] = after->half[i] & before->whole[i];
		words[5][i] = after->six[i] & ~before->six[i] & ~words[0][i];
		words[6][i] = four_goes & six_stays;
		words[7][i] = before->six[i] & ~after->six[i] & ~words[1][i];
	}
	ret->opened = ranges_of(words[0]);
	ret->closed = ranges_of(words[1]);
	ret->kept = ranges_of(words[2]);
	ret->half = ranges_of(words[3]);
	ret->narrowed = ranges_of(words[4]);
	ret->six = ranges_of(words[5]);
	ret->six_left = ranges_of(words[6]);
	ret->six_gone = ranges_of(words[7]);
}

static bool read_exposure(struct exposure *ret, struct open_ports *before,
			  const struct tn_plan_entry *entry)
{
	struct tn_plan_admitted *admitted = tn_mem_alloc(sizeof(*admitted));
	struct open_ports after;

	if (!admitted)
		return false;
	tn_plan_find_admitted(entry, TN_PLAN_BEFORE, admitted);
	merge(before, admitted);
	tn_plan_find_admitted(entry, TN_PLAN_AFTER, admitted);
	merge(&after, admitted);
	tn_mem_free(admitted);
	compare(ret, before, &after);
	return true;
}

bool tn_plan_put_exposure(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	size_t start = out->size;
	struct open_ports before;
	struct exposure is;
	bool opens;

	if (!read_exposure(&is, &before, entry)) {
		out->failed = out->starved = true;
		return false;
	}
	opens = is.opened.count + is.half.count + is.six.count > 0;
	if (!opens &&
	    is.closed.count + is.narrowed.count + is.six_left.count + is.six_gone.count == 0)
		return false;
	put_change(out, start, is.opened, "opens ", " to the whole internet");
	put_change(out, start, is.half, "opens ", " to half of the internet");
	put_change(out, start, is.six, "opens ", " to every IPv6 address");
	put_change(out, start, is.narrowed, "leaves ", " open to half of the internet");
	put_change(out, start, is.six_left, "leaves ", " open to IPv6 only");
	put_change(out, start, is.six_gone, "closes ", " to IPv6");
	if (is.kept.count > 0 && is.closed.count > 0 && out->size == start &&
	    is_all_but(&before, &is.kept))
		tn_buf_append_text(out, "closes every other port to the internet");
	else
		put_change(out, start, is.closed, "closes ", opens ? "" : " to the internet");
	put_change(out, start, is.kept, "",
		   is.kept.count == 1 && is.kept.ranges[0].low == is.kept.ranges[0].high
			   ? " stays open"
			   : " stay open");
	return true;
}
