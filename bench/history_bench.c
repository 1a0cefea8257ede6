/* history_bench.c - the terminal's history: how fast it is written, and a million lines searched;
 * how fast secrets are taken out.
 *
 *   ninja -C build bench/history_bench && build/bench/history_bench [LINES [LINES_OF_A_COMMAND]]
 *
 * Prints `name<TAB>value<TAB>unit`. Queries count from asking to the answer on the loop, with the
 * worker in between; the median of 200. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/terminal/history/history_kit.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"

static unsigned lines_per_output = 50;

enum { LINE_BYTES = 128, QUERIES = 200, VALUES = TN_REDACT_VALUES_MAX };

static uint64_t now_us(void)
{
	return tn_clock_now_us(&tn_clock_system);
}

static void print(const char *name, double value, const char *unit)
{
	(void)printf("%s\t%.3f\t%s\n", name, value, unit);
}

/* Words of a build log, each rare one once in a thousand outputs, an address in one of ten. */
static size_t make_output(char *out, unsigned number)
{
	static const char *const words[] = {"compiling", "linking", "warning",   "unused",
					    "variable",  "object",  "library",   "target",
					    "finished",  "running", "assertion", "module"};
	char *at = out;

	for (unsigned i = 0; i < lines_per_output; i++) {
		unsigned seed = number * 2654435761u + i * 40503u;

		at += snprintf(at, LINE_BYTES, "[%u] %s %s src/part_%u/file_%u.c: %s %s\n", i,
			       words[seed % 12], words[seed / 12 % 12], number % 977, seed % 7919,
			       words[seed / 144 % 12],
			       i != 7               ? ""
			       : number % 1000 == 0 ? "needle"
			       : number % 10 == 1   ? "https://registry.example.com/v2"
						    : "");
	}
	return (size_t)(at - out);
}

static void fill(struct history_kit *kit, unsigned outputs)
{
	char *text = tn_mem_alloc(lines_per_output * LINE_BYTES + 1);
	uint64_t begin = now_us(), in_calls = 0;

	if (!text)
		abort();
	for (unsigned i = 0; i < outputs; i++) {
		char command[64];
		uint64_t before;

		text[make_output(text, i)] = '\0';
		(void)snprintf(command, sizeof(command), "make -C part_%u all", i % 977);
		before = now_us();
		history_kit_command(kit, "ses_bench", command, text, (int)(i % 7 == 0));
		in_calls += now_us() - before;
		if (i % 4000 == 3999)
			history_kit_flush(kit);
	}
	history_kit_flush(kit);
	print("record lines", (double)outputs * lines_per_output * 1e6 / (double)(now_us() - begin),
	      "lines/s");
	tn_mem_free(text);
	print("record call on the loop", (double)in_calls / outputs, "us");
}

static int compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void measure(struct history_kit *kit, const char *name,
		    const struct tn_history_search *search)
{
	uint64_t took[QUERIES];
	size_t total = 0;

	for (int i = 0; i < QUERIES; i++) {
		uint64_t begin = now_us();
		struct tn_history_found found = history_kit_search(kit, search);

		took[i] = now_us() - begin;
		total = found.total;
		tn_arena_finish(&found.arena);
		if (took[i] > 200000 && i >= 4) { /* a slow one need not be asked so often */
			qsort(took, (size_t)i, sizeof(took[0]), compare);
			took[QUERIES / 2] = took[i / 2];
			break;
		}
		if (i == QUERIES - 1)
			qsort(took, QUERIES, sizeof(took[0]), compare);
	}
	(void)printf("%s (%zu found)\t%.3f\tms\n", name, total, (double)took[QUERIES / 2] / 1000);
}

static void search_all(struct history_kit *kit)
{
	const unsigned both = TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS;
	struct tn_history_search search = {.types = both, .limit = 20};

	search.query = TN_STR("needle");
	measure(kit, "query: a rare word", &search);
	search.query = TN_STR("file_4242.c linking");
	measure(kit, "query: two words, one with punctuation", &search);
	search.types = TN_HISTORY_COMMANDS;
	search.query = TN_STR("part_500 all");
	measure(kit, "query: commands by two words", &search);
	search.types = both;
	search.query = TN_STR("nowhere");
	measure(kit, "query: a word that is not there", &search);
	search.query = TN_STR("");
	measure(kit, "query: the newest", &search);
	search.query = TN_STR("warning");
	measure(kit, "query: a word of every output", &search);
	search.query = TN_STR("https://registry.example.com/v2");
	measure(kit, "query: an address", &search);
	search.query = TN_STR("compilling neadle");
	measure(kit, "query: two words with typing errors", &search);
	search.query = TN_STR("needle$");
	search.syntax = TN_HISTORY_REGEX;
	measure(kit, "query: a pattern through everything", &search);
	search.query = TN_STR("part_[0-9]+/file_77[0-9]+\\.c: \\w+ needle");
	measure(kit, "query: a longer pattern through everything", &search);
	search.query = TN_STR("(?i)zzz|yyy[0-9]");
	measure(kit, "query: a pattern of what is nowhere", &search);
}

static void take_secrets_out(void)
{
	enum { SIZE = 256 * 1024 };
	char *text = tn_mem_alloc(SIZE);
	struct tn_redactor *redactor = NULL;
	struct tenon_error err;
	size_t size = 0;

	if (!text || tn_redactor_create(NULL, &redactor, &err) != TENON_OK)
		abort();
	for (unsigned i = 0; size + lines_per_output * LINE_BYTES < SIZE; i++)
		size += make_output(text + size, i);
	for (int values = 0; values <= VALUES; values += VALUES) {
		uint64_t best = UINT64_MAX;

		for (int i = 0; i < values; i++) {
			char value[40];

			(void)snprintf(value, sizeof(value), "value-%x-of-a-variable", i * 7919);
			tn_redactor_learn(redactor, tn_str_from(value));
		}
		for (int i = 0; i < 20; i++) {
			struct tn_buf out;
			unsigned count = 0;
			uint64_t begin = now_us(), took;

			tn_buf_init(&out, TN_MIB);
			tn_redact(redactor, TN_REDACT_ALL, tn_str(text, size), &out, &count);
			took = now_us() - begin;
			best = took < best ? took : best;
			tn_buf_finish(&out);
		}
		(void)printf("secrets out of 256 KiB, %d values known\t%.3f\tms\n", values,
			     (double)best / 1000);
	}
	tn_redactor_destroy(redactor);
	tn_mem_free(text);
}

int main(int argc, char **argv)
{
	unsigned long lines = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
	unsigned long each = argc > 2 ? strtoul(argv[2], NULL, 10) : 50;
	struct history_kit kit;
	struct stat status;

	if (each >= 8 && each <= 1000)
		lines_per_output = (unsigned)each;
	history_kit_open(&kit);
	fill(&kit, (unsigned)(lines / lines_per_output));
	search_all(&kit);
	history_kit_close(&kit);
	if (stat(kit.path, &status) == 0)
		print("file", (double)status.st_size / (double)TN_MIB, "MiB");
	history_kit_remove(&kit);
	take_secrets_out();
	return 0;
}
