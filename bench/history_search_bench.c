/* history_search_bench.c - how long searches of the terminal's history take: 100,000 commands as
 * people and assistants run them, with what they print (1 KB of it each on average).
 *
 *   ninja -C build bench/history_search_bench && build/bench/history_search_bench [COMMANDS]
 *
 * Prints `query<TAB>median ms<TAB>longest ms<TAB>entries found`. A query counts from asking to the
 * answer on the loop, with the worker in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/terminal/history/history_kit.h"
#include "base/mem.h"

enum { OUTPUT_BYTES = 64 * 1024, LINE_BYTES = 200, ROUNDS = 15, SESSIONS = 40 };

/* The same numbers at every run. */
static unsigned next(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % below;
}

static const char *const words[] = {
	"handler",  "parser",  "request", "session", "cache",  "buffer",  "socket",  "index",
	"schema",   "config",  "worker",  "queue",   "token",  "stream",  "filter",  "router",
	"template", "monitor", "export",  "import",  "client", "server",  "storage", "network",
	"account",  "invoice", "payment", "report",  "widget", "layout",  "canvas",  "engine",
	"compiler", "linker",  "module",  "package", "vector", "matrix",  "tensor",  "layer",
	"metric",   "probe",   "cluster", "replica", "shard",  "backend", "gateway", "proxy"};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

static const char *word(unsigned *seed)
{
	return words[next(seed, WORDS)];
}

/* One line of what a program prints. */
static size_t put_line(char *out, unsigned kind, unsigned *seed)
{
	const char *one = word(seed), *two = word(seed), *three = word(seed);
	unsigned number = next(seed, 1u << 20), small = next(seed, 1000);
	int size = 0;

	switch (kind) {
	case 0: /* a build */
		size = snprintf(out, LINE_BYTES, "[%u/1000] Compiling C object src/%s/%s_%s.c.o\n",
				small, one, two, three);
		break;
	case 1: /* a test run */
		size = snprintf(out, LINE_BYTES, "tests/%s/test_%s.py::test_%s_%u PASSED [%3u%%]\n",
				one, two, three, small, small / 10);
		break;
	case 2: /* git log */
		size = snprintf(out, LINE_BYTES, "%07x%06x %s: %s the %s when it is %s\n", number,
				number ^ 0x5a5a5, one, two, three, word(seed));
		break;
	case 3: /* ls -l */
		size = snprintf(out, LINE_BYTES,
				"-rw-r--r-- 1 dev dev %7u Mar %2u %02u:%02u %s_%s\n", number,
				small % 28 + 1, small % 24, small % 60, one, two);
		break;
	case 4: /* a log of a server */
		size = snprintf(
			out, LINE_BYTES,
			"2026-03-%02uT%02u:%02u:%02uZ INFO %s 10.0.%u.%u GET /api/%s/%u 200\n",
			small % 28 + 1, small % 24, small % 60, number % 60, one, small % 256,
			number % 256, two, number);
		break;
	default: /* grep */
		size = snprintf(out, LINE_BYTES, "src/%s/%s.c:%u:\tif (%s->%s_count > %u)\n", one,
				two, small, three, one, small);
		break;
	}
	return size > 0 ? (size_t)size : 0;
}

static const char *const commands[] = {"make -j8 %s",
				       "pytest tests/%s -k %s -x",
				       "git log --oneline -20 -- src/%s",
				       "ls -la src/%s",
				       "kubectl logs deploy/%s-%s --tail=100",
				       "grep -rn %s src/%s"};
static const char *const quiet[] = {"git add src/%s/%s.c",       "cd ~/work/%s",
				    "git commit -m 'fix %s %s'", "export %s_%s=1",
				    "mkdir -p build/%s",         "rm build/%s.o"};

/* Most outputs are short, few are long. */
static unsigned count_lines(unsigned *seed)
{
	unsigned luck = next(seed, 100);

	return luck < 60 ? next(seed, 10) : luck < 95 ? 10 + next(seed, 30) : 100 + next(seed, 100);
}

static void record(struct history_kit *kit, unsigned number, unsigned *seed, char *text)
{
	unsigned kind = next(seed, 6);
	bool is_quiet = next(seed, 4) == 0;
	unsigned lines = is_quiet ? 0 : count_lines(seed);
	const char *const *all = is_quiet ? quiet : commands;
	const char *one = word(seed), *two = word(seed);
	char command[200], session[16];
	size_t size = 0;

	for (unsigned i = 0; i < lines && size + LINE_BYTES < OUTPUT_BYTES; i++)
		size += put_line(text + size, kind, seed);
	if (number % 2000 == 7)
		size += (size_t)snprintf(text + size, LINE_BYTES, "E: the zebrafish is not here\n");
	if (number % 10 == 1 && !is_quiet)
		size += (size_t)snprintf(text + size, LINE_BYTES,
					 "Fetching https://registry.example.com/v2/%s\n", one);
	text[size] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	(void)snprintf(command, sizeof(command), all[kind], one, two);
#pragma GCC diagnostic pop
	(void)snprintf(session, sizeof(session), "ses_%u", number % SESSIONS);
	history_kit_command(kit, session, command, text, number % 9 == 0);
}

static void fill(struct history_kit *kit, unsigned count)
{
	char *text = tn_mem_alloc(OUTPUT_BYTES);
	unsigned seed = 20260329;
	uint64_t begin = tn_clock_now_ms(&tn_clock_system), bytes = 0;
	struct stat status;

	if (!text)
		abort();
	for (unsigned i = 0; i < SESSIONS; i++) {
		char id[16];

		(void)snprintf(id, sizeof(id), "ses_%u", i);
		history_kit_session(kit, id, "alice", i % 2 ? "odd" : "even");
	}
	for (unsigned i = 0; i < count; i++) {
		record(kit, i, &seed, text);
		bytes += strlen(text);
		if (i % 4000 == 3999)
			history_kit_flush(kit);
	}
	history_kit_flush(kit);
	tn_mem_free(text);
	(void)printf("# %u commands, %.1f MB of output, recorded in %.1f s", count,
		     (double)bytes / 1e6,
		     (double)(tn_clock_now_ms(&tn_clock_system) - begin) / 1000);
	if (stat(kit->path, &status) == 0)
		(void)printf(", a file of %.1f MB", (double)status.st_size / 1e6);
	(void)printf("\n");
}

static int compare(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void measure(struct history_kit *kit, const char *name,
		    const struct tn_history_search *search)
{
	double took[ROUNDS];
	size_t total = 0;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t begin = tn_clock_now_us(&tn_clock_system);
		struct tn_history_found found = history_kit_search(kit, search);

		took[i] = (double)(tn_clock_now_us(&tn_clock_system) - begin) / 1000;
		total = found.total;
		if (found.code != TENON_OK)
			(void)printf("%s: %s\n", name, found.error.message);
		tn_arena_finish(&found.arena);
	}
	qsort(took, ROUNDS, sizeof(took[0]), compare);
	(void)printf("%-52s\t%8.2f\t%8.2f\t%zu\n", name, took[ROUNDS / 2], took[ROUNDS - 1], total);
	(void)fflush(stdout);
}

/* The second page of the same search. */
static void measure_page(struct history_kit *kit, const char *name,
			 const struct tn_history_search *search)
{
	struct tn_history_found found = history_kit_search(kit, search);
	struct tn_history_search second = *search;
	char cursor[200];

	(void)snprintf(cursor, sizeof(cursor), "%.*s", (int)found.next_cursor.size,
		       found.next_cursor.data ? found.next_cursor.data : "");
	tn_arena_finish(&found.arena);
	if (!cursor[0])
		return;
	second.cursor = cursor;
	measure(kit, name, &second);
}

struct query {
	const char *name, *text;
	enum tn_history_syntax syntax;
};

static const struct query queries[] = {
	{"words: in most outputs", "src", TN_HISTORY_WORDS},
	{"words: common", "payment", TN_HISTORY_WORDS},
	{"words: two common ones", "git commit", TN_HISTORY_WORDS},
	{"words: rare", "zebrafish", TN_HISTORY_WORDS},
	{"words: nowhere", "quetzalcoatl", TN_HISTORY_WORDS},
	{"words: a typing error", "zebrafihs", TN_HISTORY_WORDS},
	{"words: an address", "https://registry.example.com/v2", TN_HISTORY_WORDS},
	{"words: a path", "src/cache/queue.c", TN_HISTORY_WORDS},
	{"words: an option", "--oneline", TN_HISTORY_WORDS},
	{"words: punctuation alone", "->", TN_HISTORY_WORDS},
	{"words: all, newest first", "", TN_HISTORY_WORDS},
	{"phrase", "zebrafish is not", TN_HISTORY_PHRASE},
	{"phrase: common words", "Compiling C object", TN_HISTORY_PHRASE},
	{"fts", "zebrafish OR (payment NOT invoice)", TN_HISTORY_FTS},
	{"regex: a rare literal", "zebra[a-z]+", TN_HISTORY_REGEX},
	{"regex: a rare literal, any case", "(?i)ZEBRA[a-z]+", TN_HISTORY_REGEX},
	{"regex: a common literal", "test_payment_\\d+ PASSED", TN_HISTORY_REGEX},
	{"regex: one of two literals", "zebra\\w+ is|quetzal\\d", TN_HISTORY_REGEX},
	{"regex: an address", "https?://registry\\.example\\.com/v2/pay\\w+", TN_HISTORY_REGEX},
	{"regex: anchored", "^E: .* here$", TN_HISTORY_REGEX},
	{"regex: anchored, of commands", "^git commit", TN_HISTORY_REGEX},
	{"regex: no literal", "\\b\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\b", TN_HISTORY_REGEX},
	{"regex: no literal, everywhere", "[a-z]+_[a-z]+", TN_HISTORY_REGEX},
	{"regex: no literal, nowhere", "[A-Z]{9,}\\d", TN_HISTORY_REGEX},
	{"regex: literals that are nowhere", "(?i)zzz|yyy[0-9]", TN_HISTORY_REGEX},
	{"regex: a literal that is nowhere", "quetzal\\w*", TN_HISTORY_REGEX},
};

static void measure_filters(struct history_kit *kit)
{
	struct tn_history_search search = {.types = TN_HISTORY_COMMANDS | TN_HISTORY_OUTPUTS,
					   .limit = 20};

	search.query = TN_STR("payment");
	measure_page(kit, "words: common, the second page", &search);
	search.exit = TN_HISTORY_FAILED;
	search.project_id = "odd";
	measure(kit, "words: common, of a project, failed", &search);
	search.syntax = TN_HISTORY_REGEX;
	search.query = TN_STR("zebra[a-z]+");
	measure(kit, "regex: a rare literal, of a project, failed", &search);
	search.exit = TN_HISTORY_ANY_EXIT;
	search.project_id = NULL;
	search.query = TN_STR("test_payment_\\d+ PASSED");
	measure_page(kit, "regex: a common literal, the second page", &search);
	search.query = TN_STR("pay[a-z]+");
	search.session_id = "ses_7";
	measure(kit, "regex: of a session", &search);
	search.session_id = NULL;
	search.types = TN_HISTORY_COMMANDS;
	measure(kit, "regex: commands alone", &search);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
	struct history_kit kit;

	history_kit_open(&kit);
	fill(&kit, (unsigned)count);
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		const struct tn_history_search search = {.query = tn_str_from(queries[i].text),
							 .syntax = queries[i].syntax,
							 .types = TN_HISTORY_COMMANDS |
								  TN_HISTORY_OUTPUTS,
							 .limit = 20};

		measure(&kit, queries[i].name, &search);
	}
	measure_filters(&kit);
	history_kit_close(&kit);
	history_kit_remove(&kit);
	return 0;
}
