/* model_source.h - asking a language model behind a chat-completions endpoint (plan.md
 * section 10.5).
 *
 * What leaves the process is the context document and the system prompt, nothing else. The key is
 * never logged, never stored and never part of a message. Ownership: the caller owns questions and
 * replies. Threads: any; tn_plan_model_run blocks, so on a server it belongs into a job. */
#ifndef TN_PLAN_MODEL_SOURCE_H
#define TN_PLAN_MODEL_SOURCE_H

#include <stdatomic.h>

#include "apps/plan/service/config.h"
#include "base/buf.h"
#include "loop/http_client.h"

struct tn_plan_model_question {
	struct tn_str system;   /* the system prompt */
	struct tn_str document; /* the context document, section 9 */
	double temperature;     /* 0 to 2 */
};

struct tn_plan_model_reply {
	/* NULL: `text` is an answer. Otherwise the contract's error code, a static string:
	 * "source_unavailable", "bad_api_key", "quota", "timeout", "cancelled". */
	const char *reason;
	struct tenon_error err;
	struct tn_buf text; /* as the model wrote it; finished by the caller */
};

/* NULL when the settings allow asking; otherwise the reason, and why in `err`. */
const char *tn_plan_model_check(const struct tn_plan_config *config, struct tenon_error *err);

/* True when the endpoint is not this machine: the document then holds no details by default. */
bool tn_plan_model_is_remote(const struct tn_plan_config *config);

/* Asks all questions, at most TN_PLAN_PARALLEL_MAX at a time, and fills every reply. Never fails as
 * a whole: each reply says how it went. `cancel` and `finished` as in struct tn_http_batch. */
void tn_plan_model_run(struct tn_http_client *client, const struct tn_plan_config *config,
		       const struct tn_plan_model_question *questions,
		       struct tn_plan_model_reply *replies, size_t count, const atomic_bool *cancel,
		       atomic_uint *finished);

#endif
