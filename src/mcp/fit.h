/* fit.h - which forms of a result a client is sent (hosts.md HO-002): what its host would hide from
 * the model, or drop, is not sent, and no tool says in the list that it would be.
 *
 * A client is told apart by what it says of itself; who starts it may say otherwise. MCP-225 holds
 * in every profile: a tool that is listed with an output schema answers what fits it. Threads:
 * loop; the names: any. */
#ifndef TN_MCP_FIT_H
#define TN_MCP_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct tenon_call;
struct tenon_server;
struct tn_item;
struct tn_peer;

enum tn_fit {
	TN_FIT_BOTH,       /* text and structured content: what an unknown host gets */
	TN_FIT_TEXT,       /* no structured content: the host would hide the text behind it */
	TN_FIT_STRUCTURED, /* no text beside structured content */
	TN_FIT_IMAGE_ALONE /* no structured content where pictures are: the host drops these */
};
#define TN_FIT_KINDS 4
#define TN_FIT_WORDS "both, text, structured or image-alone"
#define TN_FIT_HEADER "Tenon-Fit"

const char *tn_fit_name(enum tn_fit fit);
/* "text", and so on. False: there is no such profile. */
bool tn_fit_find(struct tn_str name, enum tn_fit *ret);
/* "NAME=PROFILE", an element of the setting mcp.fit; the name is that of clientInfo, and may end
 * with * for any letters. False: it is none. */
bool tn_fit_split(struct tn_str text, struct tn_str *ret_name, enum tn_fit *ret);

/* One host and a range of its versions; measured by tests/hosts. */
struct tn_fit_rule {
	const char *client; /* clientInfo.name; may end with * */
	unsigned from[3];   /* the first such version */
	unsigned below[3];  /* the first that is another; all 0: there is none yet */
	enum tn_fit fit;
};

/* What is decided, and by what; `by` is static: "default", "client" (a rule), "setting",
 * "connection" (who starts it), "views" (it shows pages, which need everything), "person". */
struct tn_fit_choice {
	enum tn_fit fit;
	const char *by; /* NULL: nothing is decided */
};

/* What is known of a client. */
struct tn_fit_client {
	struct tn_str name, version;
	unsigned abilities; /* enum tenon_ability bits */
	bool person;
	struct tn_fit_choice told; /* for its connection or request; `by` NULL: nothing */
};

struct tn_fit_choice tn_fit_choose(const struct tenon_server *server,
				   const struct tn_fit_client *client);
/* Of a client that has said who it is in a legacy handshake, or on its connection. */
struct tn_fit_choice tn_fit_of_peer(const struct tn_peer *peer);
/* Of one request; `ret_message`: why it is refused. False: it names no profile. */
bool tn_fit_of_call(const struct tenon_call *call, struct tn_fit_choice *ret);

/* Whether this tool's results have structured content for such a client, and whether its output
 * schema is listed. */
bool tn_fit_shows(enum tn_fit fit, const struct tn_item *tool);
/* The same of the tool that is called: what would not be sent need not be built. A result without
 * text has it in any case: as the text. */
bool tn_call_sends_structured(const struct tenon_call *call);
/* A buffer for it: an unwanted one (base/buf.h) for who is not sent any. */
void tn_call_begin_structured(const struct tenon_call *call, struct tn_buf *ret);
/* Hands over what was built in one. What has failed is never sent in part: the call is answered
 * with an error. Unwanted: nothing happens. */
void tn_call_put_structured(struct tenon_call *call, const struct tn_buf *built);
/* Whether a model reads the answer (HO-001, HO-003): a host asks that is known by its name, a
 * setting or who starts it, or that has started our relay for all apps. Its texts are bounded then.
 * Persons, scripts and pages get everything. */
bool tn_call_is_for_model(const struct tenon_call *call);
/* Whether the text has to say all that the data has (HO-001): no data is sent, or a model asks,
 * whose host may hand on the one or the other. */
bool tn_call_says_all(const struct tenon_call *call);
/* Whether it reads the structured content, too. It is lean then: without what is at its default or
 * stands there twice. */
bool tn_call_is_lean(const struct tenon_call *call);

#endif
