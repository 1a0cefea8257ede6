/* How long the policy looks at a text of 64 KiB: not longer than the loop may be held, whatever
 * stands in it. Prints the slowest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/rules.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/sanitized.h"
#include "base/size.h"

/* The loop may be held for 20 ms. Without optimisation, or with a sanitizer, the same work takes
 * longer. */
#if defined(__OPTIMIZE__)
enum { MILLISECONDS_MAX = TN_SANITIZED ? 4000 : 20 };
#else
enum { MILLISECONDS_MAX = TN_SANITIZED ? 4000 : 400 };
#endif

/* Repeated up to 64 KiB. */
static const char *const pieces[] = {
	"a;",
	"rm -rf x;",
	"a b c d e f g h\n",
	"$(",
	"$(a ",
	"`a` ",
	"((",
	"((a",
	"{a,b}",
	"{{a,b},c} ",
	"'rm -rf x' ",
	"foo 'rm -rf x' ",
	"sh -c 'rm x' ",
	"sudo ",
	"env ",
	"x[$(",
	"test -v 'x[$(a)]';",
	"a='x[$(a)]';",
	"x=1;",
	"x=1 ",
	"abc=de ",
	"A=$A$A;",
	"eval ",
	"sh <<X\na\nX\n",
	"cat <<X\n$(a)\nX\n",
	"<(a) ",
	"| sh ",
	"echo a | sh;",
	"echo rm -rf x | psql | ",
	"python -c 'rm -rf x rm -rf x';",
	"rm sh rm sh dd find ",
	"npx npx npx ",
	"poetry run ",
	"docker exec x ",
	"ssh x ssh x ",
	"git -c alias.x='!a' x;",
	"if a; then ",
	"case x in ",
	"[[ a ",
	"f() { f | f & };",
	"cp rm x; ./x -rf y;",
	"alias a=b; a;",
	"/etc/passwd ",
	"> /etc/x ",
	"*?[a] ",
	"\\",
	"\"$a\" ",
	"${x:-",
	"${x@P}",
	"\"'rm ",
	"find . -exec find . -exec ",
	"xargs -I{} sh -c '{}' ",
	"awk 'BEGIN{system(\"rm -rf x\")}';",
	"drop table drop tabl ",
	"rm,rm,rm,",
	"\xff\xfe",
	"f() { \"$@\"; };",
	"f() { f2 \"$@\"; }; f a b;",
	"f a b c d e f;",
	"alias a='b ' b=c;",
	"a b a b;",
	"set -- a b; $1;",
	"PATH=.:/x:$PATH;",
	"{a..z}{a,b}{c,d}",
	"@(a|b)*(c)",
	"a=(b c d e);",
	"for i in a b c; do ",
	"done;",
	"rm -rf /a/../b/*/c ",
	"~/.ssh/x ",
	"-o=x@/etc/shadow:~/.ssh/id ",
	"$a$b$c ",
	"\\a\\b\\c",
	"$'\\x72\\x6d' ",
	"<<A <<B <<C ",
	"2>&1 ",
};

static double milliseconds(const struct tn_rules *rules, struct tn_str text)
{
	const struct tn_analysis_surroundings around = {.cwd = "/home/ann/project"};
	struct tn_verdict_of_rules verdict;
	struct tn_analysis analysis;
	const struct tn_rules_question question = {
		.analysis = &analysis, .cwd = around.cwd, .home = "/home/ann"};
	struct tn_arena arena;
	struct tenon_error err;
	clock_t began = clock();

	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	if (tn_analyse(&arena, text, &around, &analysis, &err) == TENON_OK)
		assert_int_equal(tn_rules_judge(rules, &arena, &question, &verdict, &err),
				 TENON_OK);
	tn_arena_finish(&arena);
	return (double)(clock() - began) * 1000 / CLOCKS_PER_SEC;
}

/* A busy machine takes longer now and then, a slow rule each time. */
static double least_milliseconds(const struct tn_rules *rules, struct tn_str text)
{
	enum { TRIES = 5, FINE_MS = TN_SANITIZED ? MILLISECONDS_MAX : 16 };
	double least = milliseconds(rules, text);

	for (int i = 1; i < TRIES && least > FINE_MS; i++) {
		double took = milliseconds(rules, text);

		least = took < least ? took : least;
	}
	return least;
}

/* ---- texts made of several pieces ---- */

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525U + 1013904223U;
	return *seed >> 8;
}

/* One to four pieces, one after the other or nested, each of them several times, over and over. */
static double time_mix(const struct tn_rules *rules, uint32_t seed, const char *before)
{
	const char *of[4];
	size_t count, times[4];
	struct tn_buf text;
	double took;

	tn_buf_init(&text, TN_MIB);
	count = 1 + next_random(&seed) % TN_COUNT(of);
	for (size_t i = 0; i < count; i++) {
		of[i] = pieces[next_random(&seed) % TN_COUNT(pieces)];
		times[i] = (size_t)1 << next_random(&seed) % 10;
	}
	tn_buf_append_text(&text, before);
	for (size_t i = 0; text.size < 64 * TN_KIB; i++) {
		for (size_t j = 0; j < times[i % count] && text.size < 64 * TN_KIB; j++)
			tn_buf_append_text(&text, of[i % count]);
	}
	took = least_milliseconds(rules, tn_buf_str(&text));
	if (took > MILLISECONDS_MAX || (getenv("TN_FIGURES") && took > 16)) {
		print_message("%8.2f ms  %s", took, before);
		for (size_t i = 0; i < count; i++)
			print_message(" %zux\"%s\"", times[i], of[i]);
		print_message("\n");
	}
	tn_buf_finish(&text);
	return took;
}

static double time_piece(const struct tn_rules *rules, const char *before, const char *piece)
{
	struct tn_buf text;
	double took;

	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, before);
	while (text.size < 64 * TN_KIB)
		tn_buf_append_text(&text, piece);
	took = least_milliseconds(rules, tn_buf_str(&text));
	tn_buf_finish(&text);
	if (took > MILLISECONDS_MAX || getenv("TN_FIGURES"))
		print_message("%8.2f ms  %s%.60s...(%zu)\n", took, before, piece, strlen(piece));
	return took;
}

/* Programs with names in which signs stand again and again: each may be what a rule is about. */
static double time_patterns(const struct tn_rules *rules)
{
	static const char *const programs[] = {"|tee ", ";rm ",    ";cat ",    " ",  ";>",
					       ";x=",   ";curl @", ";scp /*/", ";./"};
	static const char *const signs[] = {"*a",   "?",   "[a]",     "*a*b*c*d*e", "[a]*b/c/",
					    "a*/",  "**/", "*.*",     "[!a]?",      "{a,*}",
					    "*s*h", "**",  "a*b[cd]*"};
	static const size_t sizes[] = {24, 120, 500, 4000};
	double slowest = 0;

	for (size_t i = 0; i < TN_COUNT(programs) * TN_COUNT(signs) * TN_COUNT(sizes); i++) {
		const char *sign = signs[i / TN_COUNT(programs) % TN_COUNT(signs)];
		size_t size = sizes[i / TN_COUNT(programs) / TN_COUNT(signs)];
		struct tn_buf piece;
		double took;

		tn_buf_init(&piece, TN_MIB);
		tn_buf_append_text(&piece, programs[i % TN_COUNT(programs)]);
		while (piece.size + strlen(sign) < size)
			tn_buf_append_text(&piece, sign);
		tn_buf_append_text(&piece, i % 2 ? "" : "*");
		tn_buf_append_byte(&piece, '\0');
		took = time_piece(rules, "ls ", piece.data);
		slowest = took > slowest ? took : slowest;
		tn_buf_finish(&piece);
	}
	return slowest;
}

/* A machine that others use, too, told by what has nothing to do with rules: digests take 3.5 ms
 * where there is nobody else. Not more than twice. */
#define DIGEST_MS 3.5
static double times_slower(void)
{
	struct tn_buf text;
	char digest[TN_DIGEST_HEX_SIZE];
	double least = 1000;

	tn_buf_init(&text, TN_MIB);
	while (text.size < TN_MIB)
		tn_buf_append_text(&text, "sixteen letters.");
	for (int i = 0; i < 5; i++) {
		clock_t began = clock();
		double took;

		tn_digest_hex(tn_buf_str(&text), digest);
		took = (double)(clock() - began) * 1000 / CLOCKS_PER_SEC;
		least = took < least ? took : least;
	}
	tn_buf_finish(&text);
	print_message("%.2f ms for the digest of 1 MiB\n", least);
	return least / DIGEST_MS < 1 ? 1 : least / DIGEST_MS > 2 ? 2 : least / DIGEST_MS;
}

static void test_speed(void **state)
{
	static const char *const befores[] = {"", "psql -c '", "foo ", "echo '", "echo a | foo "};
	const char *search = getenv("TN_SEARCH");
	size_t mixes = search ? strtoul(search, NULL, 10) : 300;
	double slowest = 0, took_patterns, busy;
	struct tn_rules *rules;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_rules_create(tn_str(NULL, 0), &rules, &err), TENON_OK);
	for (size_t i = 0; i < TN_COUNT(pieces); i++) {
		for (size_t j = 0; j < TN_COUNT(befores); j++) {
			double took = time_piece(rules, befores[j], pieces[i]);

			slowest = took > slowest ? took : slowest;
		}
	}
	took_patterns = time_patterns(rules);
	slowest = took_patterns > slowest ? took_patterns : slowest;
	/* TN_SEARCH=NUMBER: so many; the same ones each time. */
	for (uint32_t i = 0; i < mixes; i++) {
		double took = time_mix(rules, i, befores[i % TN_COUNT(befores)]);

		slowest = took > slowest ? took : slowest;
	}
	print_message("the slowest of %zu texts of 64 KiB: %.1f ms\n",
		      TN_COUNT(pieces) * TN_COUNT(befores) + mixes, slowest);
	busy = times_slower();
	print_message("a digest takes %.1f of the time of an idle machine\n", busy);
	assert_true(slowest <= MILLISECONDS_MAX * busy);
	tn_rules_destroy(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_speed)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
