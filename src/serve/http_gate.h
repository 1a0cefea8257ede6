/* http_gate.h - whoever must know a connection before its first request is served.
 *
 * Threads: loop. */
#ifndef TN_HOST_HTTP_GATE_H
#define TN_HOST_HTTP_GATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

enum tn_http_gate_mark {
	TN_GATE_UNKNOWN, /* of a connection that nobody has asked about */
	TN_GATE_OPEN,    /* it is served */
	TN_GATE_OTHER,   /* likewise: the other end is another user's, or none that can be seen */
	TN_GATE_PERSON,  /* likewise, for a person; a client that uses it is looked up by itself */
	TN_GATE_LEFT,    /* whoever had the other end has closed it: nobody waits for an answer */
	TN_GATE_BUSY     /* it cannot be known now */
};

struct tn_http_gate_question {
	struct sockaddr_storage here, there; /* both ends of the connection */
	bool person;                         /* it has a person's token: nobody is remembered */
	pid_t hint;                          /* the process it says it is of; 0: it does not say */
	uint64_t connection;                 /* its number, for the answer */
};

struct tn_http_gate {
	/* `answer` is called once, with whoever has the other end or 0, later, unless `forget`
	 * comes first. False: no memory, or too many wait; it is not called. */
	bool (*ask)(void *data, const struct tn_http_gate_question *question,
		    void (*answer)(void *host, uint64_t connection, enum tn_http_gate_mark mark,
				   pid_t process),
		    void *host);
	void (*forget)(void *data, const void *host);
	void (*active)(void *data); /* a connection that is known speaks again */
	void *data;
	bool persons; /* their connections are to be known, too: approvals are proven (proof.h) */
};

#endif
