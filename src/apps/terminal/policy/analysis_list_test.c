/* Reading a text into commands, by itself: who reads hands each command to whoever asked, and here
 * that is a list. Nothing is judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/internal.h"
#include "base/mem.h"

struct fixture {
	struct tn_arena arena;
	struct tn_analyser a;
	struct tn_buf found; /* "words of one; words of the next" */
};

static struct tn_buf *found_by(struct tn_analyser *a)
{
	return &((struct fixture *)((char *)a - offsetof(struct fixture, a)))->found;
}

static void note(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_buf *out = found_by(a);

	tn_buf_append_text(out, out->size ? "; " : "");
	for (size_t i = 0; i < run->count; i++) {
		tn_buf_append_text(out, i ? " " : "");
		tn_buf_append_str(out, run->words[i].text);
		if (run->words[i].flags & TN_WORD_UNKNOWN)
			tn_buf_append_byte(out, '?');
	}
	for (size_t i = 0; i < run->write_count; i++)
		tn_buf_format(out, " >%.*s", (int)run->writes[i].size, run->writes[i].data);
	for (size_t i = 0; i < run->read_count; i++)
		tn_buf_format(out, " <%.*s", (int)run->reads[i].size, run->reads[i].data);
	if (run->scope.reads_pipe)
		tn_buf_append_text(out, " (piped)");
	if (run->input.data)
		tn_buf_format(out, " [%.*s]", (int)run->input.size, run->input.data);
}

static void begin(struct fixture *f, const char *text)
{
	static const struct tn_analysis_surroundings nothing = {.cwd = NULL};
	const struct tn_scope scope = {.dialect = TN_DIALECT_BASH};

	tn_arena_init(&f->arena, TN_ANALYSIS_ARENA_MAX);
	tn_buf_init(&f->found, TN_MIB);
	f->a = (struct tn_analyser){.arena = &f->arena, .around = &nothing, .look = note};
	tn_buf_init(&f->a.letters, TN_ANALYSIS_ARENA_MAX);
	tn_analysis_text(&f->a, tn_str_from(text), &scope);
}

static void end(struct fixture *f)
{
	tn_mem_free(f->a.words.items);
	tn_buf_finish(&f->a.letters);
	tn_buf_finish(&f->found);
	tn_arena_finish(&f->arena);
}

static void reads(const char *text, const char *expected)
{
	struct fixture f;

	begin(&f, text);
	if (!tn_str_is(tn_buf_str(&f.found), expected))
		fail_msg("%s: %.*s, expected %s", text, (int)f.found.size,
			 f.found.size ? f.found.data : "", expected);
	assert_false(f.a.starved);
	end(&f);
}

static void commands_end_where_a_shell_ends_them(void **state)
{
	(void)state;
	reads("", "");
	reads("  # only a comment", "");
	reads("one two", "one two");
	reads("a; b && c || d & e\nf", "a; b; c; d; e; f");
	reads("a 'x; y' \"& z\" b\\;c", "a x; y & z b;c");
	reads("echo a#b # c", "echo a#b");
}

static void what_stands_behind_a_pipe_reads_it(void **state)
{
	(void)state;
	reads("a | b | c; d", "a; b (piped); c (piped); d");
	reads("a |& b", "a; b (piped)");
	reads("a | (b; c)", "a; b (piped); c (piped)");
}

static void compound_commands_are_their_parts(void **state)
{
	(void)state;
	reads("if a; then b; elif c; then d; else e; fi; f", "a; b; c; d; e; f");
	reads("while a; do b; done", "a; b");
	reads("( a ); { b; }", "a; b");
	reads("echo if then fi", "echo if then fi"); /* words, where no command begins */
	reads("'if' a", "if a");                     /* quoted: a program */
}

static void redirections_are_no_words(void **state)
{
	(void)state;
	reads("a >out b", "a b >out");
	reads("a 2>>err <in", "a >err <in");
	reads("a >&2", "a");
	reads("{ a; } >out", "a;  >out"); /* of the group: a command without words */
}

static void what_is_substituted_runs_before_it(void **state)
{
	(void)state;
	reads("a \"$(b c)\"", "b c; a ?");
	reads("a `b`", "b; a ?");
	reads("a '$(b)'", "a $(b)");
	reads("a \\$\\(b\\)", "a $(b)");
	reads("a $((1 + 2))", "a ?");
}

/* A command waits for its here-document, which comes on the next line. */
static void here_documents_are_input(void **state)
{
	(void)state;
	reads("a <<END\nline\nEND\nb", "a [line\n]; b");
	reads("a <<'END'; b\n$(c)\nEND\n", "b; a [$(c)\n]");
}

/* What a shell would refuse is opaque, and what stands behind it is read all the same. */
static void what_cannot_be_followed_is_said(void **state)
{
	static const char *const texts[] = {"fi; rm x", ") ; rm x", "done; rm x"};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		begin(&f, texts[i]);
		if (tn_str_find(tn_buf_str(&f.found), TN_STR("rm x")) == TN_STR_NONE ||
		    !(f.a.opaque || f.a.hidden))
			fail_msg("%s: %.*s", texts[i], (int)f.found.size, f.found.data);
		end(&f);
	}
	begin(&f, "echo 'open");
	assert_true(f.a.incomplete);
	end(&f);
}

/* However deep: it ends, in words, and what is not looked at is said. */
static void depth_and_length_have_an_end(void **state)
{
	enum { DEEP = 5000 };
	char *text = tn_mem_alloc(2 * DEEP + 1);
	struct fixture f;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < 2 * DEEP; i++)
		text[i] = i % 2 ? ' ' : '('; /* with blanks: no arithmetic */
	begin(&f, text);
	assert_true(f.a.hidden);
	assert_true(f.a.hidden_because.size > 0);
	end(&f);
	tn_mem_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_end_where_a_shell_ends_them),
		cmocka_unit_test(what_stands_behind_a_pipe_reads_it),
		cmocka_unit_test(compound_commands_are_their_parts),
		cmocka_unit_test(redirections_are_no_words),
		cmocka_unit_test(what_is_substituted_runs_before_it),
		cmocka_unit_test(here_documents_are_input),
		cmocka_unit_test(what_cannot_be_followed_is_said),
		cmocka_unit_test(depth_and_length_have_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
