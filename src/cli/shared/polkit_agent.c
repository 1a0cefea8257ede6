#include "cli/shared/polkit_agent.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READY_MS = 5000, READY_FD = 3 };

extern char **environ;

static pid_t start(int ready)
{
	/* Without --process it is for its parent, us. Not with --fallback: where there is no
	 * session, as by su, polkit 122 does not ask those. */
	char program[] = "pkttyagent", notify[] = "--notify-fd";
	char number[16];
	char *const argv[] = {program, notify, number, NULL};
	posix_spawn_file_actions_t actions;
	pid_t agent = 0;

	(void)snprintf(number, sizeof(number), "%d", READY_FD);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, ready, READY_FD);
	/* "There is one already", of whoever brings their own. */
	(void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&agent, program, &actions, NULL, argv, environ) != 0)
		agent = 0;
	(void)posix_spawn_file_actions_destroy(&actions);
	return agent;
}

void tn_polkit_agent_start(struct tn_polkit_agent *agent)
{
	struct pollfd look = {.events = POLLIN};
	int ends[2];

	agent->pid = 0;
	agent->tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (agent->tty < 0 || tcgetattr(agent->tty, &agent->before) != 0 ||
	    pipe2(ends, O_CLOEXEC) != 0)
		return;
	/* Where it is to be, dup2 would leave it closed on exec. */
	if (ends[1] == READY_FD)
		(void)fcntl(ends[1], F_SETFD, 0);
	agent->pid = start(ends[1]);
	(void)close(ends[1]); /* its own is closed when it is ready, or has ended */
	look.fd = ends[0];
	if (agent->pid)
		(void)poll(&look, 1, READY_MS);
	(void)close(ends[0]); /* only waited */
}

void tn_polkit_agent_stop(struct tn_polkit_agent *agent)
{
	if (agent->pid) {
		(void)kill(agent->pid, SIGTERM);
		(void)waitpid(agent->pid, NULL, 0);
		(void)tcsetattr(agent->tty, TCSAFLUSH, &agent->before);
	}
	if (agent->tty >= 0)
		(void)close(agent->tty); /* only its settings */
	agent->pid = 0;
	agent->tty = -1;
}
