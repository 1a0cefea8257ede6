/* stdio_load.c - calls a stdio server as fast as it answers.
 *
 *     stdio_load [OPTION VALUE]... -- COMMAND...
 *
 *     --era legacy|modern|raw  the handshake or the metadata of each request; raw: none, for a
 *                              reference that only counts lines (legacy)
 *     --method M --params P    the request (tools/call, echo); P is the inside of the params object
 *     --expect TEXT            what each answer must contain; looked for in the first ones
 *     --inflight N             unanswered requests at any time (1)
 *     --calls N --warmup N     measured and unmeasured calls (100000, 2000)
 *     --pages 1                one call is a whole list: follows nextCursor through its pages
 *     --lines N                with raw: requests a call (the pages of what it is compared with)
 *     --cpu N --load-cpu N     processors of the command and of this program (0, 1)
 *
 * Every answer must have the size of the first, which is read and checked; ids have a fixed width
 * for that reason. Prints one line: name=value for each figure. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define READ_BYTES (1024 * 1024)
#define ANSWER_BYTES_MAX (32 * 1024 * 1024)
#define REQUEST_BYTES_MAX (16 * 1024)
#define PAGES_MAX 64
#define INFLIGHT_MAX 1024
#define SAMPLES_MAX 2000000
#define FIRST_ID 10000000U
#define ID_DIGITS 8

static const char modern_meta[] =
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
	"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"
	"\"io.modelcontextprotocol/clientCapabilities\":{}}";

/* A request as it goes out; the id stands at a known place and is counted up. */
struct request {
	char text[REQUEST_BYTES_MAX];
	size_t size;
	size_t answer_bytes; /* of the checked first answer, newline included */
};

struct load {
	struct bench_child child;
	char *buffer; /* ANSWER_BYTES_MAX */
	struct request *pages;
	size_t page_count;
	uint32_t next_id;
	const char *expect;
	bool modern, raw;
	uint64_t *samples;
	size_t sample_count;
};

static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":";

static void make_request(struct request *request, const char *method, const char *params,
			 bool modern)
{
	const int size =
		snprintf(request->text, sizeof(request->text),
			 "%s%08u,\"method\":\"%s\",\"params\":{%s%s%s}}\n", head, 0U, method,
			 params, modern && params[0] ? "," : "", modern ? modern_meta : "");
	if (size < 0 || (size_t)size >= sizeof(request->text))
		bench_die("the request is too long");
	request->size = (size_t)size;
}

static void put_id(char *text, uint32_t id)
{
	char *digit = text + sizeof(head) - 1 + ID_DIGITS;
	for (int i = 0; i < ID_DIGITS; i++, id /= 10)
		*--digit = (char)('0' + id % 10);
}

/* One whole line into the buffer, NUL-terminated. Returns its size with the newline. */
static size_t read_line(struct load *load)
{
	size_t have = 0;
	for (;;) {
		const ssize_t size =
			read(load->child.out, load->buffer + have, ANSWER_BYTES_MAX - 1 - have);
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			bench_die("the program under test closed its output");
		have += (size_t)size;
		if (load->buffer[have - 1] == '\n') {
			load->buffer[have] = '\0';
			return have;
		}
	}
}

static void handshake(struct load *load)
{
	static const char initialize[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}\n";
	static const char initialized[] =
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
	bench_write(load->child.in, initialize, sizeof(initialize) - 1);
	(void)read_line(load);
	if (!strstr(load->buffer, "\"serverInfo\""))
		bench_die("no handshake: %.200s", load->buffer);
	bench_write(load->child.in, initialized, sizeof(initialized) - 1);
}

/* Sends one request and checks its answer: that there is a result, and what was expected of it. */
static void check_first(struct load *load, struct request *request)
{
	put_id(request->text, load->next_id++);
	bench_write(load->child.in, request->text, request->size);
	request->answer_bytes = read_line(load);
	if (load->raw)
		return;
	if (!strstr(load->buffer, "\"result\":") || strstr(load->buffer, "\"isError\":true"))
		bench_die("the call failed: %.300s", load->buffer);
	if (load->expect && !strstr(load->buffer, load->expect))
		bench_die("not expected: %.300s", load->buffer);
}

/* Sends the first page's request, and one for each cursor that comes back. */
static void walk_pages(struct load *load, const char *method)
{
	static const char member[] = "\"nextCursor\":\"";
	for (;;) {
		struct request *page = &load->pages[load->page_count++];
		check_first(load, page);
		const char *cursor = load->raw ? NULL : strstr(load->buffer, member);
		if (!cursor)
			return;
		if (load->page_count == PAGES_MAX)
			bench_die("the list has no end");
		char params[4096 + 16];
		cursor += sizeof(member) - 1;
		(void)snprintf(params, sizeof(params), "\"cursor\":\"%.*s\"",
			       (int)strcspn(cursor, "\""), cursor);
		make_request(page + 1, method, params, load->modern);
	}
}

/* Reads whatever is there and counts lines and bytes. */
static size_t read_answers(struct load *load, uint64_t *bytes)
{
	const ssize_t size = read(load->child.out, load->buffer, READ_BYTES);
	if (size < 0 && errno == EINTR)
		return 0;
	if (size <= 0)
		bench_die("the program under test closed its output");
	*bytes += (uint64_t)size;
	size_t lines = 0;
	const char *end = load->buffer + size;
	for (const char *at = load->buffer; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		lines++;
	return lines;
}

static void sample(struct load *load, uint64_t ns)
{
	if (load->samples && load->sample_count < SAMPLES_MAX)
		load->samples[load->sample_count++] = ns;
}

/* One call after the other; a call may be several requests (pages). */
static void run_one_by_one(struct load *load, long calls)
{
	for (long call = 0; call < calls; call++) {
		const uint64_t begin = bench_now_ns();
		for (size_t page = 0; page < load->page_count; page++) {
			struct request *request = &load->pages[page];
			uint64_t bytes = 0;
			size_t lines = 0;
			put_id(request->text, load->next_id++);
			bench_write(load->child.in, request->text, request->size);
			while (lines == 0)
				lines = read_answers(load, &bytes);
			if (lines != 1 || bytes != request->answer_bytes)
				bench_die("an answer of %llu bytes, not %zu",
					  (unsigned long long)bytes, request->answer_bytes);
		}
		sample(load, bench_now_ns() - begin);
	}
}

/* Keeps `inflight` requests unanswered: as many new ones in one write as answers came in one read.
 */
static void run_in_flight(struct load *load, size_t inflight, long calls)
{
	const struct request *request = &load->pages[0];
	char *batch = bench_memory(inflight * request->size);
	uint64_t sent_at[INFLIGHT_MAX];
	uint64_t bytes = 0;
	size_t sent = 0, answered = 0, due = inflight;
	const size_t total = (size_t)calls;
	for (size_t i = 0; i < inflight; i++)
		memcpy(batch + i * request->size, request->text, request->size);
	while (answered < total) {
		const uint64_t now = bench_now_ns();
		if (due > total - sent)
			due = total - sent;
		for (size_t i = 0; i < due; i++) {
			put_id(batch + i * request->size, load->next_id++);
			sent_at[(sent + i) % inflight] = now;
		}
		bench_write(load->child.in, batch, due * request->size);
		sent += due;
		due = read_answers(load, &bytes);
		const uint64_t then = bench_now_ns();
		for (size_t i = 0; i < due; i++)
			sample(load, then - sent_at[(answered + i) % inflight]);
		answered += due;
	}
	if (bytes != (uint64_t)total * request->answer_bytes)
		bench_die("%llu bytes of answers, not %zu times %zu", (unsigned long long)bytes,
			  total, request->answer_bytes);
}

static void run(struct load *load, size_t inflight, long calls)
{
	if (inflight == 1)
		run_one_by_one(load, calls);
	else
		run_in_flight(load, inflight, calls);
}

static void prepare(struct load *load, int argc, char **argv)
{
	const char *era = bench_option(argc, argv, "--era", "legacy");
	const char *method = bench_option(argc, argv, "--method", "tools/call");
	const char *params = bench_option(
		argc, argv, "--params", "\"name\":\"echo\",\"arguments\":{\"message\":\"hello\"}");
	load->modern = strcmp(era, "modern") == 0;
	load->raw = strcmp(era, "raw") == 0;
	load->expect = bench_option(argc, argv, "--expect", NULL);
	load->buffer = bench_memory(ANSWER_BYTES_MAX);
	load->pages = bench_memory(PAGES_MAX * sizeof(*load->pages));
	load->next_id = FIRST_ID;
	make_request(&load->pages[0], method, params, load->modern);
	if (!load->modern && !load->raw)
		handshake(load);
	if (!load->raw && bench_option(argc, argv, "--pages", NULL)) {
		walk_pages(load, method);
		return;
	}
	load->page_count = (size_t)bench_option_number(argc, argv, "--lines", 1);
	for (size_t i = 0; i < load->page_count && i < PAGES_MAX; i++) {
		load->pages[i] = load->pages[0];
		check_first(load, &load->pages[i]);
	}
}

int main(int argc, char **argv)
{
	struct load load = {.samples = NULL};
	const int load_cpu = (int)bench_option_number(argc, argv, "--load-cpu", 1);
	const size_t inflight = (size_t)bench_option_number(argc, argv, "--inflight", 1);
	const long calls = bench_option_number(argc, argv, "--calls", 100000);
	const long warmup = bench_option_number(argc, argv, "--warmup", 2000);
	long rss_before, rss_after, pss;
	if (inflight < 1 || inflight > INFLIGHT_MAX || calls < 1)
		bench_die("--inflight is 1 to %d, --calls at least 1", INFLIGHT_MAX);

	bench_start(bench_command(argc, argv), (int)bench_option_number(argc, argv, "--cpu", 0),
		    load_cpu, &load.child);
	prepare(&load, argc, argv);
	run(&load, inflight, warmup);
	load.samples = bench_memory(SAMPLES_MAX * sizeof(uint64_t));
	bench_memory_of(load.child.pid, &rss_before, &pss);
	const uint64_t begin = bench_now_ns();
	run(&load, inflight, calls);
	const double seconds = (double)(bench_now_ns() - begin) / 1e9;
	bench_memory_of(load.child.pid, &rss_after, &pss);
	size_t answer_bytes = 0;
	for (size_t i = 0; i < load.page_count; i++)
		answer_bytes += load.pages[i].answer_bytes;
	const double cpu_us = bench_finish(&load.child);
	const double all_calls = (double)(calls + warmup);
	(void)printf("calls_per_s=%.0f median_us=%.2f p99_us=%.2f cpu_us=%.3f answer_bytes=%zu "
		     "pages=%zu rss_kib=%ld growth_kib=%ld\n",
		     (double)calls / seconds,
		     (double)bench_percentile(load.samples, load.sample_count, 0.5) / 1e3,
		     (double)bench_percentile(load.samples, load.sample_count, 0.99) / 1e3,
		     cpu_us / all_calls, answer_bytes, load.page_count, rss_after,
		     rss_after - rss_before);
	return 0;
}
