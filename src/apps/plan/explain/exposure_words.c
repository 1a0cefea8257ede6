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
	unsigned shown = 0;

	for (unsigned i = 0; i < count; i++) {
		if (ranges[i].low == TN_PLAN_NO_PORT)
			continue;
		if (shown++ > 0)
			tn_buf_append_text(out, i + 1 == count ? " and " : ", ");
		put_range(out, ranges[i]);
	}
}

/* ---- before and after ---- */

enum { SHOWN_MAX = 3 };

struct change {
	struct tn_plan_ports ranges[SHOWN_MAX];
	unsigned count, more;
};

/* The ways in, whatever the family of addresses and the protocol. */
struct open_ports {
	uint64_t words[TN_PLAN_PORT_WORDS];
};

static void merge(struct open_ports *ports, const struct tn_plan_admitted *admitted)
{
	memset(ports, 0, sizeof(*ports));
	for (unsigned i = 0; i < 6; i++)
		for (size_t word = 0; word < TN_PLAN_PORT_WORDS; word++)
			ports->words[word] |= admitted->ports[0][i / 3][i % 3][word];
}

static void take_port(struct change *change, uint32_t port, bool goes_on)
{
	if (goes_on && change->more == 0)
		change->ranges[change->count - 1].high = port;
	else if (!goes_on && change->count == SHOWN_MAX)
		change->more++;
	else if (!goes_on)
		change->ranges[change->count++] = (struct tn_plan_ports){port, port};
}

/* Those that `one` admits and `other` does, or does not. */
static struct change compare(const struct open_ports *one, const struct open_ports *other,
			     bool wanted)
{
	struct change change = {.count = 0};
	bool inside = false;

	for (uint32_t word = 0; word < TN_PLAN_PORT_WORDS; word++) {
		uint64_t is =
			one->words[word] & (wanted ? other->words[word] : ~other->words[word]);

		for (uint32_t bit = 0; bit < 64 && (is || inside); bit++) {
			uint32_t port = word * 64 + bit;
			bool here = is >> bit & 1;

			if (here)
				take_port(&change, port, inside && port != TN_PLAN_NO_PORT);
			inside = here;
		}
	}
	return change;
}

static bool is_only_service(const struct change *change)
{
	return change->count == 1 && change->ranges[0].low == TN_PLAN_NO_PORT;
}

static void put_change(struct tn_buf *out, size_t start, const struct change *change,
		       const char *before, const char *after)
{
	if (change->count == 0)
		return;
	if (out->size > start)
		tn_buf_append_text(out, ", ");
	tn_buf_append_text(out, before);
	if (is_only_service(change))
		tn_buf_append_text(out, "it");
	tn_plan_put_ports(out, change->ranges, change->count);
	if (change->more)
		tn_buf_format(out, " and %u more", change->more);
	tn_buf_append_text(out, after);
}

/* Everything was open: what stays is all there is to tell. */
static bool is_all_but(const struct open_ports *before, const struct change *kept)
{
	for (size_t word = 0; word < TN_PLAN_PORT_WORDS - 1; word++)
		if (before->words[word] != UINT64_MAX)
			return false;
	return kept->more == 0;
}

bool tn_plan_put_exposure(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	struct tn_plan_admitted *admitted = tn_mem_alloc(sizeof(*admitted));
	size_t start = out->size;
	struct open_ports before, after;
	struct change opened, closed, kept;

	if (!admitted) {
		out->failed = out->starved = true;
		return false;
	}
	tn_plan_find_admitted(entry, TN_PLAN_BEFORE, admitted);
	merge(&before, admitted);
	tn_plan_find_admitted(entry, TN_PLAN_AFTER, admitted);
	merge(&after, admitted);
	tn_mem_free(admitted);
	opened = compare(&after, &before, false);
	closed = compare(&before, &after, false);
	kept = compare(&before, &after, true);
	if (opened.count + closed.count == 0)
		return false;
	put_change(out, start, &opened, "opens ", " to the whole internet");
	if (kept.count > 0 && is_all_but(&before, &kept))
		tn_buf_append_text(out, "closes every other port to the internet");
	else
		put_change(out, start, &closed, "closes ", opened.count ? "" : " to the internet");
	put_change(out, start, &kept, "",
		   kept.count == 1 && kept.ranges[0].low == kept.ranges[0].high ? " stays open"
										: " stay open");
	return true;
}
