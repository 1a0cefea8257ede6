/* tenon plan on a terminal: tty_test TENON EXAMPLES
 *
 * Each test gives the program a pseudo-terminal as controlling terminal; what is standard input and
 * standard output differs. Proves plan.md sections 10.2 and 13. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEXT_MAX = 65536, PATIENCE_MS = 20000 };

static const char *tenon;
static char many[4096]; /* a plan of more than five changes */

struct run {
	bool pipe_in, terminal_out;
	const char *no_colour; /* NULL: not set */
	const char *words[6];  /* after "tenon plan" */
	const char *types[3];  /* what the person types, one after each question */
};

struct outcome {
	char screen[TEXT_MAX]; /* what stood on the terminal */
	char out[TEXT_MAX];    /* standard output, when it is no terminal */
	int code;
};

static _Noreturn void become(const struct run *run, const char *terminal, int out)
{
	const char *argv[10] = {tenon, "plan"};
	int fd, in;

	(void)setsid();
	fd = open(terminal, O_RDWR);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0)
		_exit(126);
	in = run->pipe_in ? open(many, O_RDONLY) : fd;
	(void)dup2(in, STDIN_FILENO);
	(void)dup2(run->terminal_out ? fd : out, STDOUT_FILENO);
	(void)dup2(fd, STDERR_FILENO);
	(void)setenv("TERM", "xterm", 1);
	if (run->no_colour)
		(void)setenv("NO_COLOR", run->no_colour, 1);
	else
		(void)unsetenv("NO_COLOR");
	for (size_t i = 0; i < 6 && run->words[i]; i++)
		argv[2 + i] = run->words[i];
	(void)execv(tenon, (char *const *)(uintptr_t)argv);
	_exit(127);
}

static bool take(int fd, char *text, size_t *size)
{
	ssize_t got = read(fd, text + *size, TEXT_MAX - 1 - *size);

	if (got <= 0)
		return false; /* EIO is the end of a terminal whose program has ended */
	*size += (size_t)got;
	text[*size] = '\0';
	return true;
}

static unsigned count_questions(const char *screen)
{
	static const char question[] = "Count only or full summary?";
	unsigned count = 0;

	for (; (screen = strstr(screen, question)); screen += sizeof(question))
		count++;
	return count;
}

/* Reads both ends until the program is done, and answers each question. */
static void converse(const struct run *run, int terminal, int out, struct outcome *outcome)
{
	struct pollfd watched[2] = {{.fd = terminal, .events = POLLIN},
				    {.fd = out, .events = POLLIN}};
	size_t screen_size = 0, out_size = 0;
	unsigned answered = 0;

	while ((watched[0].fd >= 0 || watched[1].fd >= 0) && poll(watched, 2, PATIENCE_MS) > 0) {
		if (watched[0].revents && !take(terminal, outcome->screen, &screen_size))
			watched[0].fd = -1;
		if (watched[1].revents && !take(out, outcome->out, &out_size))
			watched[1].fd = -1;
		while (answered < 3 && run->types[answered] &&
		       count_questions(outcome->screen) > answered) {
			const char *text = run->types[answered++];

			assert_int_equal(write(terminal, text, strlen(text)), strlen(text));
		}
	}
}

static void play(const struct run *run, struct outcome *outcome)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	int out[2], status = 0;
	char name[128];
	pid_t pid;

	memset(outcome, 0, sizeof(*outcome));
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	assert_int_equal(ptsname_r(terminal, name, sizeof(name)), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0)
		become(run, name, out[1]);
	(void)close(out[1]);
	converse(run, terminal, out[0], outcome);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	outcome->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	(void)close(terminal);
	(void)close(out[0]);
}

/* P-04: the question is asked on the terminal although the plan comes from standard input. */
static void a_piped_plan_is_asked_about_on_the_terminal(void **state)
{
	const struct run run = {.pipe_in = true, .words = {"explain"}, .types = {"1\n"}};
	struct outcome outcome;

	(void)state;
	play(&run, &outcome);
	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.out, "Summary: 7 changes\n");
	assert_int_equal(count_questions(outcome.screen), 1);
}

static void full_is_full(void **state)
{
	const struct run run = {.words = {"explain", many}, .types = {"Full summary\n"}};
	struct outcome outcome;

	(void)state;
	play(&run, &outcome);
	assert_int_equal(outcome.code, 0);
	assert_non_null(strstr(outcome.out, "Summary: 7 changes\n"));
	assert_non_null(strstr(outcome.out, "Permanently removes"));
}

/* Section 10.1: anything else is asked for once more, then it means full. */
static void an_unclear_answer_is_asked_for_once_more(void **state)
{
	const struct run twice = {.words = {"explain", many}, .types = {"hm\n", "what?\n"}};
	const struct run then_count = {.words = {"explain", many}, .types = {"hm\n", "count\n"}};
	struct outcome outcome;

	(void)state;
	play(&twice, &outcome);
	assert_int_equal(count_questions(outcome.screen), 2);
	assert_non_null(strstr(outcome.out, "Permanently removes"));
	play(&then_count, &outcome);
	assert_string_equal(outcome.out, "Summary: 7 changes\n");
}

/* The end of input is no answer: the count, as for a form that was declined. */
static void no_answer_means_the_count(void **state)
{
	const struct run run = {.words = {"explain", many}, .types = {"\004"}};
	struct outcome outcome;

	(void)state;
	play(&run, &outcome);
	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.out, "Summary: 7 changes\n");
}

static void a_stated_choice_is_not_asked_for(void **state)
{
	const struct run full = {.words = {"explain", "--on-many", "full", many}};
	const struct run count = {.words = {"explain", "--count-only", many}};
	struct outcome outcome;

	(void)state;
	play(&full, &outcome);
	assert_int_equal(count_questions(outcome.screen), 0);
	assert_non_null(strstr(outcome.out, "Permanently removes"));
	play(&count, &outcome);
	assert_int_equal(count_questions(outcome.screen), 0);
	assert_string_equal(outcome.out, "Summary: 7 changes\n");
}

/* Section 13: on a terminal with nothing piped, usage on stderr, exit 64. */
static void nothing_to_read_is_a_mistake(void **state)
{
	static const char *const verbs[] = {"explain", "parse", "risk", "best-of", "context"};
	struct outcome outcome;

	(void)state;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct run run = {.words = {verbs[i]}};

		play(&run, &outcome);
		assert_int_equal(outcome.code, 64);
		assert_non_null(strstr(outcome.screen, "usage: tenon plan"));
		assert_string_equal(outcome.out, "");
	}
}

static void colour_is_for_terminals_and_can_be_refused(void **state)
{
	const struct run colour = {.terminal_out = true, .words = {"explain", "--full", many}};
	const struct run refused = {
		.terminal_out = true, .no_colour = "1", .words = {"explain", "--full", many}};
	const struct run to_pipe = {.words = {"explain", "--full", many}};
	struct outcome outcome;

	(void)state;
	play(&colour, &outcome);
	assert_non_null(strstr(outcome.screen, "\033[1mSummary: 7 changes\033[0m"));
	play(&refused, &outcome);
	assert_null(strchr(outcome.screen, '\033'));
	assert_non_null(strstr(outcome.screen, "Summary: 7 changes"));
	play(&to_pipe, &outcome);
	assert_null(strchr(outcome.out, '\033'));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_piped_plan_is_asked_about_on_the_terminal),
		cmocka_unit_test(full_is_full),
		cmocka_unit_test(an_unclear_answer_is_asked_for_once_more),
		cmocka_unit_test(no_answer_means_the_count),
		cmocka_unit_test(a_stated_choice_is_not_asked_for),
		cmocka_unit_test(nothing_to_read_is_a_mistake),
		cmocka_unit_test(colour_is_for_terminals_and_can_be_refused),
	};

	if (argc != 3) {
		(void)fprintf(stderr, "usage: tty_test TENON EXAMPLES\n");
		return 64;
	}
	tenon = argv[1];
	(void)snprintf(many, sizeof(many), "%s/02-mixed-replace.txt", argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
