/* polkit_agent.h - polkit's own agent for terminals (pkttyagent), which asks for the password of
 * whoever approves at this terminal (consent.proof = polkit).
 *
 * Threads: main. */
#ifndef TN_CLI_POLKIT_AGENT_H
#define TN_CLI_POLKIT_AGENT_H

#include <sys/types.h>
#include <termios.h>

struct tn_polkit_agent {
	pid_t pid; /* 0: there is none */
	int tty;   /* -1: none; as it was before, because an agent that is ended hides what is typed
		    */
	struct termios before;
};

/* For this process, until it is stopped; it is ready when this returns. */
void tn_polkit_agent_start(struct tn_polkit_agent *agent);
void tn_polkit_agent_stop(struct tn_polkit_agent *agent);

#endif
