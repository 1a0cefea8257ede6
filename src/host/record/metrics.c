#include "host/record/metrics.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/size.h"
#include "host/limits.h"

/* ---- histograms ---- */

const struct tn_histogram_bound tn_histogram_bounds[TN_HISTOGRAM_BUCKETS] = {
	{"0.00001", 10},  {"0.00002", 20},      {"0.00005", 50}, {"0.0001", 100},  {"0.0002", 200},
	{"0.0005", 500},  {"0.001", 1000},      {"0.002", 2000}, {"0.005", 5000},  {"0.01", 10000},
	{"0.02", 20000},  {"0.05", 50000},      {"0.1", 100000}, {"0.2", 200000},  {"0.5", 500000},
	{"1", 1000000},   {"2", 2000000},       {"5", 5000000},  {"10", 10000000}, {"20", 20000000},
	{"50", 50000000}, {"+Inf", UINT64_MAX},
};

void tn_histogram_add(struct tn_histogram *histogram, uint64_t us)
{
	size_t i = 0;

	while (us > tn_histogram_bounds[i].us)
		i++;
	histogram->buckets[i]++;
	histogram->count++;
	histogram->sum_us += us;
	if (us > histogram->max_us)
		histogram->max_us = us;
}

double tn_histogram_ms(const struct tn_histogram *histogram, double part)
{
	double wanted = (double)histogram->count * part, below = 0, low = 0, high;

	if (!histogram->count)
		return 0;
	for (size_t i = 0; i < TN_HISTOGRAM_BUCKETS; i++) {
		double here = (double)histogram->buckets[i];

		high = (double)tn_histogram_bounds[i].us;
		if (high > (double)histogram->max_us)
			high = (double)histogram->max_us;
		if (here > 0 && below + here >= wanted)
			return (low + (high - low) * (wanted - below) / here) / 1000;
		below += here;
		low = high;
	}
	return (double)histogram->max_us / 1000;
}

/* ---- series ---- */

static void init_table(struct tn_series_table *table, size_t count_max)
{
	tn_map_init(&table->by_name);
	table->count_max = count_max;
	table->tail = &table->first;
	(void)snprintf(table->other.name, sizeof(table->other.name), "other");
}

static void finish_table(struct tn_series_table *table)
{
	while (table->first) {
		struct tn_series *series = table->first;

		table->first = series->next;
		tn_mem_free(series);
	}
	tn_map_finish(&table->by_name);
}

/* Where there is no room, or no memory, for another one it is counted with the others. */
static struct tn_series *find_series(struct tn_series_table *table, struct tn_str name,
				     const char *app)
{
	struct tn_series *series = tn_map_get(&table->by_name, name);

	if (series)
		return series;
	if (table->by_name.used >= table->count_max || name.size >= sizeof(series->name))
		return &table->other;
	series = tn_mem_alloc(sizeof(*series));
	if (!series || tn_map_put(&table->by_name, name, series, NULL) != TENON_OK) {
		tn_mem_free(series);
		return &table->other;
	}
	memcpy(series->name, name.data, name.size);
	(void)snprintf(series->app, sizeof(series->app), "%s", app);
	*table->tail = series;
	table->tail = &series->next;
	return series;
}

static void count(struct tn_series *series, const struct tn_call_record *record)
{
	series->outcomes[record->outcome]++;
	series->last_wall_ms = record->call->peer->last_call_wall_ms;
	if (record->outcome != TN_OUTCOME_LISTENING) /* its end is not told of */
		tn_histogram_add(&series->took, record->took_us);
}

/* ---- calls by second ---- */

static void turn_ring(struct tn_metrics *metrics)
{
	uint64_t now = tn_server_now_ms(metrics->server) / 1000;

	if (now - metrics->ring_second > TN_METRICS_SECONDS) {
		memset(metrics->ring, 0, sizeof(metrics->ring));
		metrics->ring_second = now;
	}
	while (metrics->ring_second < now) {
		metrics->ring_second++;
		metrics->ring[metrics->ring_second % TN_COUNT(metrics->ring)] = 0;
	}
}

void tn_metrics_seconds(struct tn_metrics *metrics, uint32_t out[TN_METRICS_SECONDS])
{
	turn_ring(metrics);
	/* The place after the running second holds the oldest one. */
	for (size_t i = 0; i < TN_METRICS_SECONDS; i++)
		out[i] = metrics->ring[(metrics->ring_second + 1 + i) % TN_COUNT(metrics->ring)];
}

uint64_t tn_metrics_last_minute(struct tn_metrics *metrics)
{
	uint64_t sum = 0;

	turn_ring(metrics);
	for (size_t i = 0; i < TN_COUNT(metrics->ring); i++)
		sum += metrics->ring[i];
	return sum;
}

/* ---- observing ---- */

bool tn_metrics_is_quiet(const struct tn_call_record *record)
{
	if (record->outcome == TN_OUTCOME_LISTENING)
		return true;
	return tn_str_starts(record->method, TN_STR("resources/")) &&
	       tn_str_starts(record->name, TN_STR("tenon://"));
}

const char *tn_metrics_app_name(const struct tenon_server *server, uint32_t bit)
{
	const struct tn_app_slot *slot = server->apps;

	while (bit && slot && slot->bit != bit)
		slot = slot->next;
	return bit && slot ? slot->app->name : "";
}

static void call_ended(const struct tn_call_record *record, void *data)
{
	struct tn_metrics *metrics = data;
	const struct tn_item *item = record->call->item;

	count(record->call->method ? find_series(&metrics->methods, record->method, "")
				   : &metrics->methods.other,
	      record);
	metrics->bytes += record->bytes;
	if (record->consent)
		count(find_series(&metrics->consents, tn_str_from(record->consent), ""), record);
	if (tn_metrics_is_quiet(record))
		return;
	if (item && item->kind == TN_ITEM_TOOL)
		count(find_series(&metrics->tools, item->key,
				  tn_metrics_app_name(metrics->server, item->app)),
		      record);
	metrics->calls++;
	if (record->outcome == TN_OUTCOME_ERROR || record->outcome == TN_OUTCOME_TOOL_ERROR)
		metrics->errors++;
	tn_histogram_add(&metrics->took, record->took_us);
	turn_ring(metrics);
	metrics->ring[metrics->ring_second % TN_COUNT(metrics->ring)]++;
}

static void peer_came(const struct tn_peer *peer, void *data)
{
	struct tn_metrics *metrics = data;

	if (peer->kind != TN_PEER_HTTP_REQUEST) /* that one is everybody with one token */
		metrics->connections++;
}

enum tenon_code tn_metrics_open(struct tenon_server *server, struct tn_metrics **ret,
				struct tenon_error *err)
{
	struct tn_metrics *metrics = tn_mem_alloc(sizeof(*metrics));

	if (!metrics)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	metrics->server = server;
	init_table(&metrics->methods, TN_METRICS_METHODS_MAX);
	init_table(&metrics->tools, TN_METRICS_TOOLS_MAX);
	init_table(&metrics->consents, TN_METRICS_METHODS_MAX);
	metrics->ring_second = tn_server_now_ms(server) / 1000;
	metrics->observer = (struct tn_observer){
		.call_ended = call_ended, .peer_came = peer_came, .data = metrics};
	tn_observe(server, &metrics->observer);
	*ret = metrics;
	return TENON_OK;
}

void tn_metrics_close(struct tn_metrics *metrics)
{
	if (!metrics)
		return;
	tn_observe_stop(metrics->server, &metrics->observer);
	finish_table(&metrics->methods);
	finish_table(&metrics->tools);
	finish_table(&metrics->consents);
	tn_mem_free(metrics);
}

/* ---- what is, rather than what was ---- */

unsigned tn_metrics_in_flight(const struct tenon_server *server)
{
	unsigned count_all = server->orphanage.call_count;

	for (const struct tn_peer *peer = server->peers; peer; peer = peer->next)
		count_all += peer->call_count;
	return count_all;
}

uint64_t tn_metrics_memory_bytes(void)
{
	unsigned long long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "re"); /* made in memory: never waited for */

	if (!file)
		return 0;
	if (fscanf(file, "%llu %llu", &size, &resident) != 2)
		resident = 0;
	(void)fclose(file); /* only read */
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

const char *tn_metrics_way(const struct tn_peer *peer)
{
	if (peer->way)
		return peer->way;
	return peer->kind == TN_PEER_STREAM ? "stdio" : "http";
}
