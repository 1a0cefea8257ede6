/* audit_chain.h - the audit as a chain: each entry has the SHA-256 of the line before it as its
 * last member, "prev", so whoever changes, removes or puts in a line breaks what follows.
 *
 * The head is the SHA-256 of the last line; a person who noted it can tell later that nothing
 * before it was changed. The chain shows tampering to who looks; it does not prevent it: who may
 * write the file may write a whole new chain, but not one with a head that somebody has seen. Lines
 * of versions before the chain are part of it from the first entry that follows them on. Threads:
 * one at a time. */
#ifndef TN_HOST_AUDIT_CHAIN_H
#define TN_HOST_AUDIT_CHAIN_H

#include "base/digest.h"

struct tn_audit_chain {
	char head[TN_DIGEST_HEX_SIZE]; /* of the last entry; empty before the first */
	bool chained;                  /* an entry had a "prev" */
	uint64_t lines, entries;
	uint64_t damaged;        /* lines that are no entries: a writer was killed in them */
	uint64_t breaks;         /* entries whose "prev" is another line than the one before */
	uint64_t break_line;     /* the first of them, from 1 over all files fed */
	const char *wanted[2];   /* heads to look for, or NULL */
	uint64_t wanted_line[2]; /* where their lines stand; 0: not found */
};

/* `chain` begins as {0}, or with `wanted`. Feed the older file first; the last line may lack its
 * end. */
void tn_audit_chain_feed(struct tn_audit_chain *chain, struct tn_str text);

/* True for a line that the audit writes. */
bool tn_audit_chain_is_entry(struct tn_str line);

#endif
