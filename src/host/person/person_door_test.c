/* Who is given the person token: real processes on a real socket, and a door in another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/size.h"
#include "host/limits.h"
#include "host/person/callers.h"
#include "host/person/person_door.h"
#include "mcp/server.h"

enum { LINE_SIZE = 2048, PATIENCE_MS = 20000 };

#define TOKEN "person-token-0123456789"

struct setup {
	char folder[64];
	pid_t daemon;
	/* What the door knows. */
	pid_t relay_parent, relay, refused;
};

/* ---- a process that does what it is told ---- */

struct actor {
	pid_t pid;
	int to, from;
};

static void ask_door(const char *path, char line[LINE_SIZE])
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	size_t size = 0;
	ssize_t got;

	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	(void)snprintf(line, LINE_SIZE, "no connection");
	if (connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0) {
		while ((got = read(fd, line + size, LINE_SIZE - 1 - size)) > 0)
			size += (size_t)got;
		line[size] = '\0';
	}
	(void)close(fd);
}

/* Runs `ask_door` in a child of this process, `depth` processes further down. */
static void ask_below(const char *path, int depth, char line[LINE_SIZE])
{
	int ends[2];
	ssize_t got;
	pid_t pid;

	if (pipe(ends) != 0 || (pid = fork()) < 0)
		_exit(9);
	if (pid == 0) {
		if (depth > 1)
			ask_below(path, depth - 1, line);
		else
			ask_door(path, line);
		(void)!write(ends[1], line, strlen(line) + 1);
		_exit(0);
	}
	(void)close(ends[1]);
	got = read(ends[0], line, LINE_SIZE);
	if (got <= 0)
		(void)snprintf(line, LINE_SIZE, "no answer");
	(void)close(ends[0]);
	(void)waitpid(pid, NULL, 0);
}

/* The same in a process whose parent has ended: nobody of its session is above it. */
static void ask_cut_off(const char *path, char line[LINE_SIZE])
{
	int ends[2];
	pid_t parent, pid;

	if (pipe(ends) != 0 || (pid = fork()) < 0)
		_exit(9);
	if (pid == 0) {
		parent = getpid();
		if (fork() != 0)
			_exit(0);
		while (getppid() == parent)
			(void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		ask_door(path, line);
		(void)!write(ends[1], line, strlen(line) + 1);
		_exit(0);
	}
	(void)close(ends[1]);
	(void)waitpid(pid, NULL, 0);
	if (read(ends[0], line, LINE_SIZE) <= 0)
		(void)snprintf(line, LINE_SIZE, "no answer");
	(void)close(ends[0]);
}

/* 'a': asks itself, 'b': a child asks, 'c': a grandchild, 'd': a grandchild without its parent. */
static void act(const struct setup *s, int in, int out)
{
	char path[128], line[LINE_SIZE], what;

	(void)snprintf(path, sizeof(path), "%s/person.sock", s->folder);
	while (read(in, &what, 1) == 1) {
		if (what == 'a')
			ask_door(path, line);
		else if (what == 'b')
			ask_below(path, 1, line);
		else if (what == 'c')
			ask_below(path, 2, line);
		else if (what == 'd')
			ask_cut_off(path, line);
		(void)!write(out, line, strlen(line) + 1);
	}
	_exit(0);
}

static struct actor start_actor(const struct setup *s)
{
	int to[2], from[2];
	struct actor a;

	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	a.pid = fork();
	assert_true(a.pid >= 0);
	if (a.pid == 0) {
		(void)close(to[1]);
		(void)close(from[0]);
		(void)setsid();
		act(s, to[0], from[1]);
	}
	(void)close(to[0]);
	(void)close(from[1]);
	a.to = to[1];
	a.from = from[0];
	return a;
}

static void stop_actor(struct actor *a)
{
	(void)close(a->to);
	(void)close(a->from);
	(void)kill(a->pid, SIGKILL);
	(void)waitpid(a->pid, NULL, 0);
}

static char told[LINE_SIZE]; /* by the actor last asked */

static const char *tell(const struct actor *a, char what)
{
	struct pollfd look = {.fd = a->from, .events = POLLIN};

	assert_int_equal(write(a->to, &what, 1), 1);
	assert_int_equal(poll(&look, 1, PATIENCE_MS), 1);
	assert_true(read(a->from, told, sizeof(told)) > 0);
	return told;
}

/* ---- the door's own process ---- */

static void drop_relays(struct tn_signal *signal, int number, void *data)
{
	struct tenon_server *server = data;

	(void)signal;
	(void)number;
	while (server->peers)
		tn_peer_destroy(server->peers);
}

/* The daemon's time: it stands still until it is told that a window of the door is over, so that no
 * machine is too slow to ask too often. */
static uint64_t door_ms = 1;

static uint64_t door_now(void *data)
{
	(void)data;
	return door_ms;
}

static int64_t door_wall(void *data)
{
	return (int64_t)door_now(data);
}

static void turn_clock(struct tn_signal *signal, int number, void *data)
{
	(void)signal;
	(void)number;
	(void)data;
	door_ms += TN_DOOR_WINDOW_MS;
}

static _Noreturn void be_daemon(const struct setup *s)
{
	const struct tenon_server_options about = {.name = "t", .version = "1", .no_lint = true};
	char path[128];
	struct tn_person_door_options options = {
		.path = path, .token = TOKEN, .url = "http://127.0.0.1:7777"};
	struct tn_person_door *door;
	struct tn_callers *callers;
	static const struct tn_clock clock = {.monotonic_ms = door_now, .wall_ms = door_wall};
	struct tn_signal *signal;
	struct tn_peer *peer;

	(void)snprintf(path, sizeof(path), "%s/person.sock", s->folder);
	if (tenon_server_create(&about, &options.server, NULL) != TENON_OK ||
	    tn_peer_create(options.server, TN_PEER_STREAM, "user", NULL, NULL, &peer, NULL) !=
		    TENON_OK ||
	    tn_signal_open(options.server->loop, SIGUSR1, drop_relays, options.server, &signal,
			   NULL) != TENON_OK ||
	    tn_signal_open(options.server->loop, SIGUSR2, turn_clock, NULL, &signal, NULL) !=
		    TENON_OK ||
	    tn_callers_open(options.server->loop, &callers, NULL) != TENON_OK)
		_exit(9);
	options.server->clock = &clock;
	options.callers = callers;
	peer->way = "relay";
	peer->process = s->relay;
	peer->parent = s->relay_parent;
	if (tn_person_door_open(&options, &door, NULL) != TENON_OK)
		_exit(8);
	if (s->refused && tn_person_door_refuse_below(door, s->refused, NULL) != TENON_OK)
		_exit(7);
	tn_loop_run(options.server->loop);
	_exit(6);
}

static void start_daemon(struct setup *s)
{
	struct stat info;
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/person.sock", s->folder);
	s->daemon = fork();
	assert_true(s->daemon >= 0);
	if (s->daemon == 0)
		be_daemon(s);
	for (int i = 0; i < 2000 && stat(path, &info) != 0; i++) {
		assert_int_equal(waitpid(s->daemon, NULL, WNOHANG), 0);
		(void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
}

static struct setup current;

static int setup(void **state)
{
	current = (struct setup){.folder = "/tmp/tn-door-XXXXXX"};
	*state = &current;
	return mkdtemp(current.folder) ? 0 : -1;
}

static int teardown(void **state)
{
	struct setup *s = *state;
	char path[128];

	if (s->daemon > 0) { /* 0: not started, and everybody to kill(2) */
		(void)kill(s->daemon, SIGKILL);
		(void)waitpid(s->daemon, NULL, 0);
	}
	(void)snprintf(path, sizeof(path), "%s/person.sock", s->folder);
	(void)unlink(path);
	return rmdir(s->folder);
}

/* ---- tests ---- */

static void expect_token(const char *line)
{
	assert_string_equal(line, "{\"token\":\"" TOKEN "\",\"url\":\"http://127.0.0.1:7777\"}\n");
}

static void expect_refused(const char *line)
{
	assert_null(strstr(line, TOKEN));
	assert_non_null(strstr(line, "{\"error\":\"DENIED\",\"message\":\""));
}

static void test_a_person(void **state)
{
	struct setup *s = *state;
	struct actor person = start_actor(s);

	start_daemon(s);
	expect_token(tell(&person, 'a'));
	expect_token(tell(&person, 'c'));
	stop_actor(&person);
}

static void test_below_a_host(void **state)
{
	struct setup *s = *state;
	struct actor host = start_actor(s), person = start_actor(s);

	s->relay_parent = host.pid;
	start_daemon(s);
	expect_refused(tell(&host, 'a'));
	expect_refused(tell(&host, 'b'));
	expect_refused(tell(&host, 'c'));
	assert_non_null(strstr(tell(&host, 'b'), "tenon open")); /* where to go instead */
	expect_token(tell(&person, 'b'));
	/* The relay's end changes nothing: the host is the same. */
	assert_int_equal(kill(s->daemon, SIGUSR1), 0);
	(void)nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
	expect_refused(tell(&host, 'b'));
	expect_token(tell(&person, 'b'));
	stop_actor(&host);
	stop_actor(&person);
}

/* `tenon open &` in a command that ends: init is above it, and no host. The actors lead sessions of
 * their own, as a shell does. */
static void test_cut_off(void **state)
{
	struct setup *s = *state;
	struct actor host = start_actor(s), person = start_actor(s);

	s->relay_parent = host.pid;
	start_daemon(s);
	expect_refused(tell(&host, 'd'));
	expect_refused(tell(&person, 'd')); /* nobody can tell the two apart */
	assert_non_null(strstr(tell(&person, 'd'), "foreground"));
	expect_token(tell(&person, 'c'));
	stop_actor(&host);
	stop_actor(&person);
}

static void test_below_a_relay(void **state)
{
	struct setup *s = *state;
	struct actor relay = start_actor(s);

	s->relay = relay.pid;
	start_daemon(s);
	expect_refused(tell(&relay, 'b'));
	stop_actor(&relay);
}

static void test_below_a_terminal(void **state)
{
	struct setup *s = *state;
	struct actor helper = start_actor(s), person = start_actor(s);

	s->refused = helper.pid;
	start_daemon(s);
	expect_refused(tell(&helper, 'c'));
	expect_token(tell(&person, 'c'));
	stop_actor(&helper);
	stop_actor(&person);
}

/* Connects, and leaves the connection to a child that the kernel does not name. */
static void test_a_process_that_ended(void **state)
{
	struct setup *s = *state;
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char line[LINE_SIZE] = "";
	int fd;
	pid_t pid;

	start_daemon(s);
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s/person.sock", s->folder);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(kill(s->daemon, SIGSTOP), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(kill(s->daemon, SIGCONT), 0);
	assert_true(read(fd, line, sizeof(line) - 1) > 0);
	expect_refused(line);
	(void)close(fd);
}

static void test_too_often(void **state)
{
	struct setup *s = *state;
	struct actor person = start_actor(s);

	start_daemon(s);
	for (int i = 0; i < TN_DOOR_ANSWERS_MAX; i++)
		expect_token(tell(&person, 'a'));
	assert_string_equal(tell(&person, 'a'),
			    "{\"error\":\"BUSY\",\"message\":\"Asked too often; wait ten "
			    "seconds.\"}\n");
	assert_int_equal(kill(s->daemon, SIGUSR2), 0);
	while (strstr(tell(&person, 'a'), "BUSY"))
		(void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	expect_token(told);
	stop_actor(&person);
}

/* Whoever says nothing and stays does not keep others out. */
static void test_idle_connections(void **state)
{
	struct setup *s = *state;
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct actor person = start_actor(s);
	int fds[10];

	start_daemon(s);
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s/person.sock", s->folder);
	for (size_t i = 0; i < TN_COUNT(fds); i++) {
		fds[i] = socket(AF_UNIX, SOCK_STREAM, 0);
		assert_int_equal(connect(fds[i], (const struct sockaddr *)&at, sizeof(at)), 0);
	}
	expect_token(tell(&person, 'a'));
	for (size_t i = 0; i < TN_COUNT(fds); i++)
		(void)close(fds[i]);
	stop_actor(&person);
}

/* ---- ancestors ---- */

static void test_ancestors(void **state)
{
	struct tn_ancestry ancestry;
	struct tn_process process;
	struct tenon_error err;
	pid_t pid;

	(void)state;
	assert_int_equal(tn_ancestry_read(getpid(), &ancestry, &err), TENON_OK);
	assert_true(ancestry.count >= 2);
	assert_int_equal(ancestry.chain[0].pid, getpid());
	assert_int_equal(ancestry.chain[1].pid, getppid());
	assert_int_equal(ancestry.chain[0].session, getsid(0));
	assert_true(tn_ancestry_has(&ancestry, &ancestry.chain[1]));
	process = ancestry.chain[1];
	process.started++; /* another one with that number */
	assert_false(tn_ancestry_has(&ancestry, &process));
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(tn_process_read(pid, &process, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_ancestry_read(pid, &ancestry, &err), TENON_NOT_FOUND);
}

/* Runs a shell that runs a shell; returns the inner one's number. Both end with `*ret_end`. */
static pid_t start_shell(pid_t *ret_outer, int *ret_end)
{
	char text[32] = "";
	int ends[2], input[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(input), 0);
	*ret_outer = fork();
	assert_true(*ret_outer >= 0);
	if (*ret_outer == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		(void)dup2(input[0], STDIN_FILENO);
		(void)close(input[1]);
		(void)execl("/bin/sh", "sh", "-c", "sh -c 'echo $$; read line; true'; true", NULL);
		_exit(9);
	}
	(void)close(ends[1]);
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	(void)close(ends[0]);
	(void)close(input[0]);
	*ret_end = input[1];
	return (pid_t)strtol(text, NULL, 10);
}

struct editor {
	char program[128];
	pid_t main, part;
	FILE *said;
	int alive; /* it lives until this is closed */
};

/* Bash by another name, and a part of it that keeps descriptor 9. */
static void start_editor(struct editor *e, const struct setup *s, int kept)
{
	static const char command[] = "\"$0\" -c 'echo $$; read -t 60; exit' part --type=utility "
				      "<&0 & exec 9<&-; wait";
	int out[2], in[2];
	long part = 0;

	(void)snprintf(e->program, sizeof(e->program), "%s/editor", s->folder);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	e->main = fork();
	assert_true(e->main >= 0);
	if (e->main == 0) {
		(void)execlp("cp", "cp", "/bin/bash", e->program, (char *)NULL);
		_exit(9);
	}
	assert_int_equal(waitpid(e->main, NULL, 0), e->main);
	e->main = fork();
	assert_true(e->main >= 0);
	if (e->main == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		(void)dup2(kept, 9);
		(void)execl(e->program, e->program, "-c", command, e->program, (char *)NULL);
		_exit(9);
	}
	(void)close(out[1]);
	(void)close(in[0]);
	e->alive = in[1];
	e->said = fdopen(out[0], "r");
	assert_non_null(e->said);
	assert_int_equal(fscanf(e->said, "%ld", &part), 1);
	e->part = (pid_t)part;
}

static void stop_editor(struct editor *e)
{
	(void)close(e->alive);
	(void)fclose(e->said);
	assert_int_equal(waitpid(e->main, NULL, 0), e->main);
	assert_int_equal(unlink(e->program), 0);
}

/* One of its parts has started the relay, another one may have the terminal. */
static void test_host_of_many_processes(void **state)
{
	struct tn_process host;
	struct editor e;

	start_editor(&e, *state, STDERR_FILENO);
	assert_int_not_equal(e.part, e.main);
	assert_true(tn_process_find_host(e.part, &host));
	assert_int_equal(host.pid, e.main);
	assert_true(tn_process_find_host(e.main, &host));
	assert_int_equal(host.pid, e.main);
	assert_true(tn_process_find_whole(e.part, &host));
	assert_int_equal(host.pid, e.main);
	assert_false(tn_process_find_whole(e.main, &host));
	stop_editor(&e);
}

static void test_hosts(void **state)
{
	struct tn_process host;
	pid_t outer, inner;
	int end;

	(void)state;
	assert_true(tn_process_find_host(getpid(), &host));
	assert_int_equal(host.pid, getpid());
	assert_false(tn_process_find_host(1, &host));
	assert_false(tn_process_find_host(0, &host));
	inner = start_shell(&outer, &end); /* a host that runs us by `sh -c` */
	assert_true(tn_process_find_host(inner, &host));
	assert_int_equal(host.pid, getpid());
	(void)close(end);
	(void)waitpid(outer, NULL, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_person),
		TEST(test_below_a_host),
		TEST(test_cut_off),
		TEST(test_below_a_relay),
		TEST(test_below_a_terminal),
		TEST(test_a_process_that_ended),
		TEST(test_too_often),
		TEST(test_idle_connections),
		cmocka_unit_test(test_ancestors),
		TEST(test_host_of_many_processes),
		cmocka_unit_test(test_hosts),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
