/* story.c - see story.h. */
#include "story.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

#define ROW_MAX 640

/* What the alarm writes: made before it can ring, because its handler may do next to nothing. */
static char alarm_row[ROW_MAX];
static int alarm_row_size;
static int results_fd = -1;

static void too_late(int signal)
{
	(void)signal;
	if (results_fd >= 0)
		(void)!write(results_fd, alarm_row, (size_t)alarm_row_size);
	(void)!write(STDERR_FILENO, alarm_row, (size_t)alarm_row_size);
	(void)story_kill_children(SIGKILL);
	_exit(1);
}

static void open_results(void)
{
	const char *file = getenv("TENON_RESULTS");
	if (results_fd < 0 && file)
		results_fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void row(const struct story *story, const char *outcome, const char *why)
{
	open_results();
	char text[ROW_MAX];
	int size = snprintf(text, sizeof(text), "%s\t%s\t%s\t%.400s\n", outcome, story->suite,
			    story->step, why);
	if (size > 0 && size < (int)sizeof(text) && results_fd >= 0)
		(void)!write(results_fd, text, (size_t)size);
	if (strcmp(outcome, "failed") == 0)
		(void)fprintf(stderr, "FAILED %s: %s: %s\n", story->suite, story->step, why);
	else if (getenv("STORY_VERBOSE"))
		(void)fprintf(stderr, "passed %s: %s\n", story->suite, story->step);
}

bool story_step(struct story *story, const char *name, unsigned limit_s, void (*run)(void *data),
		void *data)
{
	struct sigaction ring = {.sa_handler = too_late};
	open_results();
	story->step = name;
	story->step_failed = false;
	alarm_row_size =
		snprintf(alarm_row, sizeof(alarm_row), "failed\t%s\t%s\tnot over after %u s\n",
			 story->suite, name, limit_s);
	(void)sigaction(SIGALRM, &ring, NULL);
	(void)alarm(limit_s);
	run(data);
	(void)alarm(0);
	if (!story->step_failed)
		row(story, "passed", "");
	return !story->step_failed;
}

static void __attribute__((format(printf, 2, 0)))
fail_with(struct story *story, const char *format, va_list arguments)
{
	char why[ROW_MAX];
	if (story->step_failed)
		return;
	(void)vsnprintf(why, sizeof(why), format, arguments);
	for (char *at = why; *at; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	story->step_failed = true;
	story->failures++;
	row(story, "failed", why);
}

void story_fail(struct story *story, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fail_with(story, format, arguments);
	va_end(arguments);
}

bool story_check(struct story *story, bool condition, const char *format, ...)
{
	va_list arguments;
	if (condition)
		return true;
	va_start(arguments, format);
	fail_with(story, format, arguments);
	va_end(arguments);
	return false;
}

int story_finish(const struct story *story)
{
	return story->failures ? 1 : 0;
}

/* ---- the server ---- */

static void run_server(const struct story_server *server, int log)
{
	char *arguments[STORY_ARGS_MAX + 1];
	size_t count = 0;
	for (; server->command[count] && count < STORY_ARGS_MAX; count++) {
		const bool address = strcmp(server->command[count], "ADDRESS") == 0;
		arguments[count] = strdup(address ? server->address : server->command[count]);
	}
	arguments[count] = NULL;
	const int nothing = open("/dev/null", O_RDWR);
	(void)dup2(nothing, STDIN_FILENO);
	(void)dup2(nothing, STDOUT_FILENO);
	(void)dup2(log, STDERR_FILENO);
	(void)execvp(arguments[0], arguments);
	_exit(127);
}

/* The URL a client is given, from the one the server prints: the other ways in are beside it. */
static void adapt_url(struct story_server *server, const char *printed)
{
	const char *host = strstr(printed, "://");
	const int host_size = host ? (int)strcspn(host + 3, "/") : 0;
	if (host && strcmp(server->kind, "http") != 0)
		(void)snprintf(server->url, sizeof(server->url), "%s://%.*s/%.8s",
			       strcmp(server->kind, "ws") == 0 ? "ws" : "http", host_size, host + 3,
			       server->kind);
	else
		(void)snprintf(server->url, sizeof(server->url), "%.200s", printed);
	if (host)
		(void)snprintf(server->address, sizeof(server->address), "%.*s", host_size,
			       host + 3);
}

/* A Unix socket is named on the command line, as its last word; it answers when it is there. */
static bool wait_for_socket(struct story_server *server)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t last = 0;
	while (server->command[last + 1])
		last++;
	const char *path = server->command[last];
	(void)snprintf(server->url, sizeof(server->url), "unix:%s", path);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	for (int tries = 0; tries < 200; tries++) {
		const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		const bool there = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
		(void)close(fd);
		if (there)
			return true;
		(void)poll(NULL, 0, 50);
	}
	return false;
}

/* Reads the log up to the line that says where. */
static bool read_url(struct story_server *server)
{
	if (strcmp(server->kind, "unix") == 0)
		return wait_for_socket(server);
	static const char lead[] = "listening on ";
	char line[1024];
	size_t size = 0;
	while (size < sizeof(line) - 1) {
		if (read(server->log, line + size, 1) != 1)
			return false;
		if (line[size++] != '\n')
			continue;
		line[size - 1] = '\0';
		if (strncmp(line, lead, strlen(lead)) == 0) {
			adapt_url(server, line + strlen(lead));
			return true;
		}
		(void)fprintf(stderr, "%s\n", line);
		size = 0;
	}
	return false;
}

bool story_server_start(struct story_server *server, struct story *story)
{
	int log[2];
	if (!server->address[0])
		(void)snprintf(server->address, sizeof(server->address), "127.0.0.1:0");
	if (pipe2(log, O_CLOEXEC) != 0) {
		story_fail(story, "no pipe: %s", strerror(errno));
		return false;
	}
	server->pid = fork();
	if (server->pid == 0)
		run_server(server, log[1]);
	(void)close(log[1]);
	server->log = log[0];
	if (server->pid > 0 && read_url(server))
		return true;
	story_fail(story, "the server did not start: %s", server->command[0]);
	if (server->pid > 0)
		story_server_kill(server, SIGKILL);
	return false;
}

void story_server_kill(struct story_server *server, int signal)
{
	if (server->pid <= 0)
		return;
	(void)kill(server->pid, signal);
	(void)waitpid(server->pid, NULL, 0);
	(void)close(server->log);
	server->pid = 0;
}

/* ---- this process ---- */

void story_env_fill(struct story_env *env)
{
	static const char *const names[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
					    "TSAN_OPTIONS"};
	size_t count = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		if (!value)
			continue;
		(void)snprintf(env->texts[count], sizeof(env->texts[count]), "%s=%s", names[i],
			       value);
		env->list[count] = env->texts[count];
		count++;
	}
	env->list[count] = NULL;
}

static int each_child(int signal)
{
	char path[64], text[4096];
	int count = 0;
	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		(void)close(fd);
	if (size <= 0)
		return 0;
	text[size] = '\0';
	for (char *at = text, *end; *at; at = end) {
		const long pid = strtol(at, &end, 10);
		if (end == at)
			break;
		count++;
		if (signal)
			(void)kill((pid_t)pid, signal);
	}
	return count;
}

int story_kill_children(int signal)
{
	return each_child(signal);
}

int story_count_children(void)
{
	return each_child(0);
}

long story_peak_kib(void)
{
	char line[256];
	long peak = 0;
	FILE *file = fopen("/proc/self/status", "re");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "VmHWM:", 6) == 0)
			peak = strtol(line + 6, NULL, 10);
	if (file)
		(void)fclose(file);
	return peak;
}

bool story_is_sanitized(void)
{
	return SANITIZED;
}

long long story_now_ms(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
