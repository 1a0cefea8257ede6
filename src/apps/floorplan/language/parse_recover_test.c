/* The way on behind a fault (floorplan.md 5.2): where reading goes on, token by token. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/floorplan/language/parser.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

struct fixture {
	struct tn_arena arena;
	struct tn_floor_diagnostics list;
	struct tn_floor_parser parser;
};

static void open_text(struct fixture *f, const char *text)
{
	tn_arena_init(&f->arena, TN_FLOOR_ARENA_MAX);
	tn_floor_diagnostics_init(&f->list, &f->arena);
	f->parser = (struct tn_floor_parser){.list = &f->list, .arena = &f->arena};
	assert_true(tn_floor_lex(tn_str_from(text), 0, &f->arena, &f->list, &f->parser.lexed));
}

static struct tn_str here(const struct fixture *f)
{
	return tn_floor_token_text(&f->parser.lexed, f->parser.at);
}

/* From the fault at token `at` of an element that began at `first`, reading goes on at `expected`;
 * "": at the end. */
static void goes_on(const char *text, uint32_t first, uint32_t at, char closing,
		    const char *expected)
{
	struct fixture f;

	open_text(&f, text);
	assert_true(at < f.parser.lexed.count);
	f.parser.at = at;
	tn_parse_recover(&f.parser, first, closing);
	if (*expected ? !tn_str_is(here(&f), expected)
		      : tn_parse_here(&f.parser)->kind != TN_FLOOR_END)
		fail_msg("in %s: goes on at %.*s, expected %s", text, (int)here(&f).size,
			 here(&f).data, expected);
	tn_arena_finish(&f.arena);
}

static void reading_goes_on_at_the_next_statement(void **state)
{
	(void)state;
	goes_on("room A at oops size (1 x 1) connect A to B", 0, 3, '\0', "connect");
	goes_on("room A at oops lift L", 0, 3, '}', "lift");
	goes_on("room A at oops size (1 x 1)", 0, 3, '\0', "");
}

/* Else one fault at the very word of an element would be told for ever. */
static void the_word_of_the_element_itself_is_passed_over(void **state)
{
	(void)state;
	goes_on("room room A", 0, 0, '\0', "room");
	goes_on("room oops floor G", 0, 0, '\0', "floor");
	goes_on("room", 0, 0, '\0', "");
}

static void the_block_around_an_element_stays_open(void **state)
{
	(void)state;
	goes_on("room A oops } floor G", 0, 2, '}', "}");
	/* Without one, a sign that closes is one more thing that is passed over. */
	goes_on("room A oops } floor G", 0, 2, '\0', "floor");
	goes_on("room A oops ] }", 0, 2, ']', "]");
}

/* What the element opened is its own, before the fault and behind it. */
static void signs_that_the_element_opened_are_not_the_block_s(void **state)
{
	(void)state;
	goes_on("room A walls [ oops ] } floor G", 0, 4, '}', "}");
	goes_on("room A walls [ oops ] ] lift", 0, 4, ']', "]");
	goes_on("room A oops { x } } floor G", 0, 2, '}', "}");
	goes_on("room A oops { x } room B", 0, 2, '}', "room");
	goes_on("room A walls [ oops ] room B", 0, 4, ']', "room");
	goes_on("room A oops [ [ x ] ] room B", 0, 2, ']', "room");
	/* It was never closed: the next statement is nearer than the end of the file. */
	goes_on("room A walls [ oops floor G", 0, 4, '}', "floor");
}

/* `style Oak { ... }` begins a statement, `style Oak` behind a room belongs to it. */
static void a_style_is_a_statement_only_where_it_is_described(void **state)
{
	struct fixture f;

	(void)state;
	goes_on("room A oops style Oak { roughness: 1 }", 0, 2, '\0', "style");
	goes_on("room A oops style Oak room B", 0, 2, '\0', "room");
	open_text(&f, "style Oak room B");
	assert_false(tn_parse_at_statement(&f.parser));
	tn_arena_finish(&f.arena);
	open_text(&f, "style Oak { }");
	assert_true(tn_parse_at_statement(&f.parser));
	tn_arena_finish(&f.arena);
}

/* All words that begin something, and some that do not. */
static void words_that_begin_a_statement(void **state)
{
	static const char *const begin[] = {"floor",   "room",     "sub-room", "stair", "lift",
					    "connect", "vertical", "define",   "config"};
	static const char *const others[] = {"at", "size", "walls", "label", "A", "12", "{", ""};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(begin); i++) {
		open_text(&f, begin[i]);
		if (!tn_parse_at_statement(&f.parser))
			fail_msg("%s begins nothing", begin[i]);
		tn_arena_finish(&f.arena);
	}
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		open_text(&f, others[i]);
		if (tn_parse_at_statement(&f.parser))
			fail_msg("'%s' begins a statement", others[i]);
		tn_arena_finish(&f.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_goes_on_at_the_next_statement),
		cmocka_unit_test(the_word_of_the_element_itself_is_passed_over),
		cmocka_unit_test(the_block_around_an_element_stays_open),
		cmocka_unit_test(signs_that_the_element_opened_are_not_the_block_s),
		cmocka_unit_test(a_style_is_a_statement_only_where_it_is_described),
		cmocka_unit_test(words_that_begin_a_statement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
