/* question.h - what the server asks: elicitation, sampling, roots; in both eras (MCP-202, MCP-212,
 * MCP-214).
 *
 * A legacy question is a request of the server's, answered on the connection. A modern one is an
 * entry of `inputRequests`; all entries of one result are a round, which is over when each has its
 * answer. A question that nobody waits for any more stays valid until it is answered or the client
 * is destroyed. Threads: loop. */
#ifndef TN_CLIENT_QUESTION_H
#define TN_CLIENT_QUESTION_H

#include "client/client.h"
#include "jsonrpc/json.h"

/* A request of a legacy server. `id` is raw JSON. */
void tn_question_receive(struct tenon_client *client, struct tn_str id, struct tn_str method,
			 const struct tn_json *params);
/* MCP-176: the server has given up on it. */
void tn_question_withdraw(struct tenon_client *client, const struct tn_json *id);
void tn_question_finish_all(struct tenon_client *client);
void tn_question_forget_connection(struct tenon_client *client); /* legacy ones lose their reply */

/* Over: `answers` is an object key -> result. Refused: the question that could not be put or was
 * refused, told in err. Never inside tn_round_open. */
typedef void tn_round_fn(void *data, struct tn_str answers, const struct tenon_error *err);

/* Puts all `requests` (an object) to the program, except those `known` has as keys. Fails: INVALID
 * (malformed, or nothing we declared), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_round_open(struct tenon_client *client,
					  const struct tn_json *requests,
					  const struct tn_map *known, tn_round_fn *done, void *data,
					  struct tn_round **ret, struct tenon_error *err);
void tn_round_close(struct tn_round *round); /* accepts NULL */

/* The defaults of an elicitation's schema as content (MCP-212). */
void tn_elicitation_defaults(const struct tn_json *schema, struct tn_buf *out);
/* Fails: INVALID with what does not fit. */
TN_MUST_USE enum tenon_code tn_elicitation_check(const struct tn_json *schema,
						 const struct tn_json *content,
						 struct tenon_error *err);

#endif
