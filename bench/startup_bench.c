/* startup_bench.c - how long a fresh stdio server takes to its first tools/list, and what it
 * weighs.
 *
 *     startup_bench [--era legacy|modern|raw] [--runs N] [--cpu N] -- COMMAND...
 *
 * From before the spawn until the whole answer has been read. legacy: initialize, its answer, then
 * initialized and tools/list. raw: the same for a program that answers every line. Both processes
 * share one processor, so that no wake-up of another one is measured. Afterwards one more process
 * is left idle for a moment and weighed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define RUNS_MAX 10000
#define ANSWER_BYTES_MAX (4 * 1024 * 1024)
#define IDLE_MS 100

static const char initialize[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
	"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	"\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}\n";
static const char legacy_list[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
				  "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";
static const char modern_list[] =
	"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
	"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
	"\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n";

static void read_lines(int fd, char *buffer, size_t lines)
{
	size_t have = 0;
	while (lines > 0) {
		const ssize_t size = read(fd, buffer + have, ANSWER_BYTES_MAX - 1 - have);
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			bench_die("the program under test closed its output");
		for (ssize_t i = 0; i < size && lines > 0; i++)
			lines -= buffer[have + (size_t)i] == '\n';
		have += (size_t)size;
	}
	buffer[have] = '\0';
}

struct startup {
	char **command;
	char *buffer; /* ANSWER_BYTES_MAX */
	bool modern, raw;
	int cpu;
};

static uint64_t run(const struct startup *startup, struct bench_child *child)
{
	const uint64_t begin = bench_now_ns();
	bench_start(startup->command, startup->cpu, startup->cpu, child);
	if (startup->modern) {
		bench_write(child->in, modern_list, sizeof(modern_list) - 1);
		read_lines(child->out, startup->buffer, 1);
	} else {
		bench_write(child->in, initialize, sizeof(initialize) - 1);
		read_lines(child->out, startup->buffer, 1);
		bench_write(child->in, legacy_list, sizeof(legacy_list) - 1);
		read_lines(child->out, startup->buffer, startup->raw ? 2 : 1);
	}
	const uint64_t took = bench_now_ns() - begin;
	if (!startup->raw && !strstr(startup->buffer, "\"tools\":["))
		bench_die("no list of tools: %.200s", startup->buffer);
	return took;
}

int main(int argc, char **argv)
{
	const char *era = bench_option(argc, argv, "--era", "legacy");
	const long runs = bench_option_number(argc, argv, "--runs", 200);
	const struct startup startup = {.command = bench_command(argc, argv),
					.buffer = bench_memory(ANSWER_BYTES_MAX),
					.modern = strcmp(era, "modern") == 0,
					.raw = strcmp(era, "raw") == 0,
					.cpu = (int)bench_option_number(argc, argv, "--cpu", 0)};
	uint64_t *took = bench_memory(RUNS_MAX * sizeof(*took));
	struct bench_child child;
	double cpu_us = 0;
	if (runs < 1 || runs > RUNS_MAX)
		bench_die("--runs is 1 to %d", RUNS_MAX);
	bench_pin(startup.cpu);
	for (int i = 0; i < 5; i++) { /* the program's pages come into the cache */
		(void)run(&startup, &child);
		(void)bench_finish(&child);
	}
	for (long i = 0; i < runs; i++) {
		took[i] = run(&startup, &child);
		cpu_us += bench_finish(&child);
	}
	long rss_kib, pss_kib;
	const struct timespec idle = {.tv_nsec = IDLE_MS * 1000000L};
	(void)run(&startup, &child);
	(void)nanosleep(&idle, NULL);
	bench_memory_of(child.pid, &rss_kib, &pss_kib);
	(void)bench_finish(&child);
	(void)printf("median_us=%.1f p10_us=%.1f p90_us=%.1f cpu_us=%.1f rss_kib=%ld pss_kib=%ld\n",
		     (double)bench_percentile(took, (size_t)runs, 0.5) / 1e3,
		     (double)bench_percentile(took, (size_t)runs, 0.1) / 1e3,
		     (double)bench_percentile(took, (size_t)runs, 0.9) / 1e3, cpu_us / (double)runs,
		     rss_kib, pss_kib);
	return 0;
}
