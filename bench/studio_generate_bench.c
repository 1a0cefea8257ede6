/* studio_generate_bench.c - how long making the configuration of a diagram takes (studio.md 21: 200
 * nodes and 300 edges in 50 ms), and whether it grows no worse than n log n: 200, 1,000 and 5,000
 * nodes.
 *
 *   studio_generate_bench [RUNS]     default 20; prints the median of each size
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "apps/studio/generate/generate_test_kit.h"
#include "apps/studio/limits.h"

enum { RUNS_MAX = 1000, SUBNETS = 20 };

static double now_ms(void)
{
	struct timespec now = {0, 0};
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* cannot fail with this clock */
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void put_node(struct tn_buf *out, unsigned index, const char *type, int parent,
		     const char *rest)
{
	tn_buf_format(out,
		      "%s{\"id\":\"n%u\",\"typeId\":\"%s\",\"label\":\"Node %u\",\"terraformName\":"
		      "\"node_%u\",",
		      index ? "," : "", index, type, index, index);
	if (parent >= 0)
		tn_buf_format(out, "\"parentId\":\"n%d\",", parent);
	tn_buf_format(out,
		      "\"position\":{\"x\":0,\"y\":0},\"properties\":{\"name\":\"node-%u\"}%s}",
		      index, rest);
}

/* Groups of 20 with a network, subnets, machines, plans, apps and vaults, in the worst order for
 * the sort: apps before the plans they refer to. */
static void make_diagram(struct tn_buf *out, unsigned count)
{
	char rest[128];
	unsigned edges = 0;
	tn_buf_append_text(out, "{\"formatVersion\":1,\"revision\":1,\"nodes\":[");
	for (unsigned i = 0; i < count; i++) {
		unsigned group = i / SUBNETS * SUBNETS, at = i % SUBNETS;
		int inside = (int)group;
		rest[0] = '\0';
		if (at == 0) {
			put_node(out, i, "azurerm/core/resource_group", -1, "");
		} else if (at == 1) {
			put_node(out, i, "azurerm/networking/virtual_network", inside, "");
		} else if (at < 5) {
			put_node(out, i, "azurerm/networking/subnet", inside + 1, "");
		} else if (at < 10) {
			put_node(out, i, "azurerm/compute/virtual_machine", inside + 2, "");
		} else if (at < 14 && group + at + 4 < count) {
			(void)snprintf(rest, sizeof(rest),
				       ",\"references\":{\"service_plan_id\":\"n%u\"}", i + 4);
			put_node(out, i, "azurerm/compute/app_service", inside, rest);
		} else if (at < 18) {
			put_node(out, i, "azurerm/compute/app_service_plan", inside, "");
		} else {
			put_node(out, i, "azurerm/storage/storage_account", inside + 3,
				 ",\"enabledOutputs\":[\"primary_access_key\",\"id\"]");
		}
	}
	tn_buf_append_text(out, "],\"edges\":[");
	for (unsigned i = 0; i < count * 3 / 2; i++) /* annotations: no more than drawn */
		tn_buf_format(out,
			      "%s{\"id\":\"e%u\",\"source\":\"n%u\",\"sourceHandle\":\"node\","
			      "\"target\":\"n%u\",\"targetHandle\":\"node\",\"category\":"
			      "\"annotation\"}",
			      edges++ ? "," : "", i, i % count, (i * 7 + 1 + i / count) % count);
	tn_buf_append_text(out, "],\"modules\":[],\"instances\":[]}");
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static double measure(struct tn_studio_gen_kit *kit, unsigned runs)
{
	double times[RUNS_MAX];
	struct tn_arena arena;
	const struct tn_studio_generate_options options = {.project_name = TN_STR("bench")};
	for (unsigned i = 0; i < runs; i++) {
		tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
		double start = now_ms();
		tn_studio_diagnostics_init(&kit->list, &arena);
		if (!tn_studio_generate(&kit->document, &options, &arena, &kit->list,
					&kit->generated))
			return NAN;
		times[i] = now_ms() - start;
		tn_arena_finish(&arena);
	}
	qsort(times, runs, sizeof(times[0]), by_value);
	return times[runs / 2];
}

int main(int argc, char **argv)
{
	static const unsigned counts[] = {200, 1000, 5000};
	unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 20;
	struct tn_studio_gen_kit kit;
	struct tn_buf diagram;
	double before = 0;
	if (runs < 1 || runs > RUNS_MAX || !tn_studio_gen_kit_init(&kit))
		return 1;
	tn_buf_init(&diagram, TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		double count = counts[i];
		tn_buf_clear(&diagram);
		make_diagram(&diagram, counts[i]);
		if (!tn_studio_gen_kit_load(&kit, tn_buf_str(&diagram), TN_STR("{}"), false))
			return 1;
		double time = measure(&kit, runs);
		double unit = time / (count * log2(count)) * 1e6;
		printf("%5u nodes, %5u edges: %8.2f ms, %.1f ns per n log n", counts[i],
		       counts[i] * 3 / 2, time, unit);
		if (before > 0)
			printf(" (%.2f x the size before)", unit / before);
		printf("\n");
		before = unit;
	}
	tn_buf_finish(&diagram);
	tn_studio_gen_kit_finish(&kit);
	return 0;
}
