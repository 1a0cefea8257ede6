/* Approvals that count only after a proof that a human gives them (consent.h). */
#include <stdio.h>

#include "base/mem.h"
#include "mcp/consent.h"
#include "mcp/consent_table.h"
#include "mcp/limits.h"
#include "mcp/server.h"

/* What a human is asked to prove: one thing at a time, since one human reads one question. */
struct tn_consent_proving {
	struct tn_consent *owner;
	struct tn_consent_request *request; /* NULL: another act of a person */
	void *asking;                       /* the prover's; NULL: it is over */
	enum tn_decision decision;
	const char *by;
	void (*done)(void *data, const struct tenon_error *why);
	void *data; /* NULL: whoever approves has gone */
};

/* Takes it away before anybody is told, who may ask for the next one. */
static void end(struct tn_consent_proving *p, const struct tenon_error *why)
{
	void (*done)(void *data, const struct tenon_error *why) = p->done;
	void *asking = p->asking, *data = p->data;
	struct tn_consent *c = p->owner;

	c->proving = NULL;
	tn_mem_free(p);
	if (asking)
		c->prover.cancel(asking);
	if (data)
		done(data, why);
}

void tn_consent_set_prover(struct tenon_server *server, const struct tn_consent_prover *prover)
{
	struct tn_consent *c = server->consent;

	c->prover = *prover;
	if (c->environment == TN_ENVIRONMENT_ALLOWS)
		c->environment = TN_ENVIRONMENT_NONE;
}

bool tn_consent_is_proven(const struct tenon_server *server)
{
	return server->consent && server->consent->prover.ask;
}

void tn_consent_prove_drop(struct tn_consent_request *r)
{
	struct tn_consent_proving *p = r->owner->proving;
	struct tenon_error why;

	if (!p || p->request != r)
		return;
	(void)tn_fail(&why, TENON_EXPIRED,
		      "this request was withdrawn, refused or has expired before the approval was "
		      "proven");
	end(p, &why);
}

void tn_consent_prove_close(struct tn_consent *c)
{
	struct tn_consent_proving *p = c->proving;

	if (!p)
		return;
	p->data = NULL;
	end(p, NULL);
}

/* The human has answered, or nobody will. */
static void proved(void *data, const struct tenon_error *why)
{
	struct tn_consent *c = data;
	struct tn_consent_proving *p = c->proving;
	struct tn_consent_request *r = p->request;
	enum tn_decision decision = p->decision;
	const char *by = p->by;

	p->asking = NULL;
	if (why->code == TENON_OK && r)
		tn_consent_table_expire(c); /* the question may have waited for its time only */
	if (c->proving != p)
		return;    /* and who approved has been told */
	p->request = NULL; /* what follows is its decision, not its loss */
	if (why->code == TENON_OK && r)
		tn_consent_table_settle(r, decision, by);
	end(p, why);
}

static enum tenon_code start(struct tn_consent *c, const struct tn_consent_proving *how,
			     const struct tn_consent_claim *claim, struct tenon_error *err)
{
	struct tn_consent_proving *p;
	enum tenon_code code;

	if (c->proving)
		return tn_fail(err, TENON_BUSY,
			       "another approval is being proven; finish that one first");
	p = tn_mem_alloc(sizeof(*p));
	if (!p)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*p = *how;
	c->proving = p;
	code = c->prover.ask(c->prover.data, claim, proved, c, &p->asking, err);
	if (code != TENON_OK) {
		c->proving = NULL;
		tn_mem_free(p);
	}
	return code;
}

/* What lasts is not approved by a proof for once. */
static const char *what(const struct tn_consent_request *r, enum tn_decision decision,
			char words[TN_CONSENT_TEXT_MAX])
{
	if (decision != TN_APPROVED_LASTING)
		return r->summary;
	(void)snprintf(words, TN_CONSENT_TEXT_MAX, "%s: %s",
		       r->lasting ? r->lasting : "From now on, without asking", r->summary);
	return words;
}

enum tenon_code tn_consent_answer(struct tenon_server *server,
				  const struct tn_consent_answer *answer, bool *ret_waits,
				  struct tenon_error *err)
{
	struct tn_consent *c = server->consent;
	struct tn_consent_request *r = NULL;
	char words[TN_CONSENT_TEXT_MAX];
	enum tenon_code code;

	*ret_waits = false;
	if (answer->decision == TN_DENIED || !c->prover.ask)
		return tn_consent_decide(server, answer->id, answer->decision, answer->by, err);
	code = tn_consent_table_check(c, answer->id, answer->decision, &r, err);
	if (code != TENON_OK)
		return code;
	code = start(c,
		     &(struct tn_consent_proving){.owner = c,
						  .request = r,
						  .decision = answer->decision,
						  .by = answer->by,
						  .done = answer->done,
						  .data = answer->data},
		     &(struct tn_consent_claim){.summary = what(r, answer->decision, words),
						.detail = r->detail,
						.client = r->client,
						.digest = r->digest,
						.process = answer->process},
		     err);
	*ret_waits = code == TENON_OK;
	return code;
}

enum tenon_code tn_consent_prove(struct tenon_server *server, const struct tn_consent_claim *claim,
				 void (*done)(void *data, const struct tenon_error *why),
				 void *data, struct tenon_error *err)
{
	static const struct tenon_error fine = {.code = TENON_OK};
	struct tn_consent *c = server->consent;

	if (tn_consent_is_proven(server))
		return start(c,
			     &(struct tn_consent_proving){.owner = c, .done = done, .data = data},
			     claim, err);
	done(data, &fine);
	return TENON_OK;
}

void tn_consent_give_up(struct tenon_server *server, const void *data)
{
	struct tn_consent_proving *p = server->consent ? server->consent->proving : NULL;

	if (!p || p->data != data)
		return;
	p->data = NULL;
	end(p, NULL);
}

enum tenon_code tn_consent_decide(struct tenon_server *server, struct tn_str id,
				  enum tn_decision decision, const char *by,
				  struct tenon_error *err)
{
	struct tn_consent_request *r = NULL;
	enum tenon_code code = tn_consent_table_check(server->consent, id, decision, &r, err);

	if (code == TENON_OK && decision != TN_DENIED && server->consent->prover.ask)
		return tn_fail(err, TENON_DENIED, "approvals are to be proven here");
	if (code == TENON_OK)
		tn_consent_table_settle(r, decision, by);
	return code;
}
