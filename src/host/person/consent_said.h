/* consent_said.h - what the environment says for the persons who would be asked: TENON_CONSENT. */
#ifndef TN_HOST_CONSENT_SAID_H
#define TN_HOST_CONSENT_SAID_H

/* Its value, which lives as long as the environment; NULL: nothing is said. "allow" is nothing,
 * too, for a process that descends from a terminal of Tenon's: there an assistant types, and could
 * start a server that asks nobody. Said in the log, once a call. Threads: the main one, before
 * there are others. */
const char *tn_consent_said(void);

#endif
