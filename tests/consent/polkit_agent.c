/* polkit_agent.c - an authentication agent by script: polkit's dialog, without a human.
 *
 *     polkit-agent UID yes|no|close|silent|MISSING LOG COMMAND...   (as root)
 *
 * Runs COMMAND as that user, and is the agent of that process. What it is shown goes to LOG, one
 * line each: "asked ACTION: MESSAGE", "withdrawn". It answers as polkit's own helper does, which is
 * root for that. "missing": there is no agent. Ends as COMMAND does. */
#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define SYSTEM_BUS "unix:path=/run/dbus/system_bus_socket"
#define AGENT_PATH "/agent"
#define AUTHORITY                                                              \
	"org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", \
		"org.freedesktop.PolicyKit1.Authority"

struct agent {
	uid_t uid;
	const char *answer;
	FILE *log;
	bool reading;         /* a dialog is open */
	sd_bus *helper, *bus; /* root's, and the user's */
};

static void die(const char *what, int code)
{
	(void)fprintf(stderr, "polkit-agent: %s: %s\n", what, strerror(-code));
	exit(99);
}

static sd_bus *open_bus(void)
{
	sd_bus *bus = NULL;
	int code = sd_bus_new(&bus);

	if (code >= 0)
		code = sd_bus_set_address(bus, SYSTEM_BUS);
	if (code >= 0)
		code = sd_bus_set_bus_client(bus, 1);
	if (code >= 0)
		code = sd_bus_start(bus);
	if (code >= 0)
		code = sd_bus_get_unique_name(bus, &(const char *){NULL});
	if (code < 0)
		die("the bus", code);
	return bus;
}

/* ---- what polkit asks ---- */

static int respond(const struct agent *a, const char *cookie)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	int code = sd_bus_call_method(a->helper, AUTHORITY, "AuthenticationAgentResponse2", &error,
				      NULL, "us(sa{sv})", (uint32_t)a->uid, cookie, "unix-user", 1,
				      "uid", "u", (uint32_t)a->uid);

	if (code < 0)
		(void)fprintf(a->log, "refused %s\n", error.message ? error.message : "");
	sd_bus_error_free(&error);
	return code;
}

static int begin(sd_bus_message *m, void *data, sd_bus_error *error)
{
	struct agent *a = data;
	const char *action, *message, *icon, *cookie;
	int code = sd_bus_message_read(m, "sss", &action, &message, &icon);

	if (code >= 0)
		code = sd_bus_message_skip(m, "a{ss}");
	if (code >= 0)
		code = sd_bus_message_read(m, "s", &cookie);
	if (code < 0)
		return code;
	(void)fprintf(a->log, "asked %s: ", action);
	for (; *message; message++)
		(void)fputc(*message == '\n' ? '|' : *message, a->log);
	(void)fputc('\n', a->log);
	(void)fflush(a->log);
	if (strcmp(a->answer, "silent") == 0)
		return a->reading = true; /* the human reads */
	if (strcmp(a->answer, "close") == 0)
		return sd_bus_error_set(error, "org.freedesktop.PolicyKit1.Error.Cancelled",
					"closed");
	if (strcmp(a->answer, "yes") == 0)
		(void)respond(a, cookie);
	return sd_bus_reply_method_return(m, "");
}

static int withdrawn(sd_bus_message *m, void *data, sd_bus_error *error)
{
	struct agent *a = data;

	(void)error;
	a->reading = false;
	(void)fputs("withdrawn\n", a->log);
	(void)fflush(a->log);
	return sd_bus_reply_method_return(m, "");
}

static const sd_bus_vtable methods[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("BeginAuthentication", "sssa{ss}sa(sa{sv})", "", begin,
		      SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_METHOD("CancelAuthentication", "s", "", withdrawn, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

/* ---- life ---- */

static unsigned long long started(pid_t pid)
{
	unsigned long long ticks = 0;
	char path[64], line[1024] = "";
	const char *rest;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	file = fopen(path, "re");
	if (file && fgets(line, sizeof(line), file) && (rest = strrchr(line, ')')) != NULL)
		(void)sscanf(rest + 1,
			     " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			     "%*d %*d %llu",
			     &ticks);
	if (file)
		(void)fclose(file);
	return ticks;
}

static void enroll(struct agent *a, pid_t pid)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	int code;

	a->helper = open_bus();
	if (seteuid(a->uid) != 0)
		die("seteuid", -errno);
	a->bus = open_bus();
	if (seteuid(0) != 0)
		die("seteuid", -errno);
	code = sd_bus_add_object_vtable(a->bus, NULL, AGENT_PATH,
					"org.freedesktop.PolicyKit1.AuthenticationAgent", methods,
					a);
	if (code < 0)
		die("the object", code);
	code = sd_bus_call_method(a->bus, AUTHORITY, "RegisterAuthenticationAgent", &error, NULL,
				  "(sa{sv})ss", "unix-process", 3, "pid", "u", (uint32_t)pid,
				  "start-time", "t", (uint64_t)started(pid), "uid", "i",
				  (int32_t)a->uid, "C", AGENT_PATH);
	if (code < 0)
		(void)fprintf(stderr, "polkit-agent: %s\n", error.message);
	if (code < 0)
		die("the registration", code);
}

static pid_t start(uid_t uid, char **command, int *ret_go)
{
	int go[2], ready[2];
	char byte = 0;
	pid_t pid;

	if (pipe(go) != 0 || pipe(ready) != 0)
		die("pipe", -errno);
	pid = fork();
	if (pid < 0)
		die("fork", -errno);
	if (pid == 0) {
		(void)close(go[1]);
		if (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 ||
		    setresuid(uid, uid, uid) != 0 || write(ready[1], "r", 1) != 1 ||
		    read(go[0], &byte, 1) != 1)
			_exit(98);
		(void)close(go[0]);
		(void)close(ready[0]);
		(void)close(ready[1]);
		(void)execvp(command[0], command);
		_exit(97);
	}
	if (read(ready[0], &byte, 1) != 1)
		die("the child", -EIO);
	*ret_go = go[1];
	return pid;
}

int main(int argc, char **argv)
{
	struct agent a = {.uid = argc > 4 ? (uid_t)strtoul(argv[1], NULL, 10) : 0};
	int go = -1, status = 0, patience = 250;
	pid_t child;

	if (argc < 5 || !a.uid)
		return 64;
	a.answer = argv[2];
	a.log = fopen(argv[3], "ae");
	if (!a.log)
		die(argv[3], -errno);
	child = start(a.uid, argv + 4, &go);
	if (strcmp(a.answer, "missing") != 0)
		enroll(&a, child);
	if (write(go, "g", 1) != 1)
		die("the child", -EIO);
	/* A dialog that nobody takes away any more stays open: a test sees that. */
	while (waitpid(child, &status, WNOHANG) == 0 || (a.reading && --patience > 0)) {
		while (a.bus && sd_bus_process(a.bus, NULL) > 0)
			;
		if (a.bus)
			(void)sd_bus_wait(a.bus, 20000);
		else
			(void)poll(NULL, 0, 20);
	}
	(void)sd_bus_flush_close_unref(a.bus);
	(void)sd_bus_flush_close_unref(a.helper);
	(void)fclose(a.log);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
