#include "host/person/proof.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "host/probe.h"
#include "host/person/callers.h"
#include "host/record/log.h"
#include "host/person/person_door.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"
#include "loop/child.h"
#include "mcp/consent.h"
#include "mcp/server.h"

enum { PROGRAM_BYTES_MAX = PATH_MAX, SAID_BYTES_MAX = 4096, NONCE_BYTES = 32 };

/* One question to a human. */
struct asking {
	struct tn_proof *proof;
	pid_t process; /* of whoever approves; 0: not known */
	char nonce[TN_RNG_TOKEN_SIZE(NONCE_BYTES)];
	struct tn_buf question, said;
	struct tn_child *child; /* NULL: the programs of this machine are looked at first */
	struct tn_io *out;
	struct tn_timer *limit;
	bool beginning, unlucky; /* still within `ask`; and it has failed there already */
	void (*done)(void *data, const struct tenon_error *why);
	void *done_data;
};

struct tn_proof {
	struct tn_proof_options options;
	char kind[16], keys[PATH_MAX];
};

/* ---- the program ---- */

enum tenon_code tn_proof_find(char *path, struct tenon_error *err)
{
	struct stat status;
	struct tn_buf found;
	enum tenon_code code;

	tn_buf_init(&found, PROGRAM_BYTES_MAX - 1);
	code = tn_probe_beside("tenon-proof", &found, err);
	if (code == TENON_OK) {
		memcpy(path, found.data, found.size);
		path[found.size] = '\0';
	}
	tn_buf_finish(&found);
	if (code != TENON_OK)
		return code;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return tn_fail(err, TENON_NOT_FOUND,
			       "there is no tenon-proof beside tenond; install Tenon again");
	/* What others may write, others may have replaced. */
	if ((status.st_uid != 0 && status.st_uid != geteuid()) || (status.st_mode & 022))
		return tn_fail(err, TENON_DENIED,
			       "tenon-proof belongs to another user, or others may write it; "
			       "install Tenon again");
	return TENON_OK;
}

/* ---- the end of a question ---- */

static void free_asking(struct asking *a)
{
	if (a->proof->options.callers)
		tn_callers_forget(a->proof->options.callers, a);
	tn_io_close(a->out);
	tn_timer_close(a->limit);
	tn_child_free(a->child); /* it is ended, and with it the dialog */
	tn_buf_finish(&a->question);
	tn_buf_finish(&a->said);
	explicit_bzero(a->nonce, sizeof(a->nonce));
	tn_mem_free(a);
}

static void tell(struct asking *a, const struct tenon_error *why)
{
	void (*done)(void *data, const struct tenon_error *why) = a->done;
	void *data = a->done_data;

	tn_log(why->code == TENON_OK ? TN_LOG_INFO : TN_LOG_WARNING, "consent",
	       why->code == TENON_OK ? "an approval was proven (%s)%s"
				     : "an approval was not proven (%s): %s",
	       a->proof->kind, why->code == TENON_OK ? "" : why->message);
	free_asking(a);
	done(data, why);
}

static void tell_not(struct asking *a, enum tenon_code code, const char *sentence)
{
	struct tenon_error why;

	(void)tn_fail(&why, code, "%s", sentence);
	tell(a, &why);
}

/* ---- what the program answers ---- */

/* True: yes, to this very question. Otherwise the sentence is in `why`. */
static bool understand(const struct asking *a, struct tenon_error *why)
{
	struct tn_arena arena;
	struct tn_json *tree;
	struct tn_str nonce, sentence;
	bool proven = false;

	(void)tn_fail(why, TENON_DENIED, "tenon-proof gave no answer that is understood");
	tn_arena_init(&arena, 4 * SAID_BYTES_MAX);
	if (!a->said.failed &&
	    tn_json_parse_copy(&arena, tn_buf_str(&a->said), &tree, NULL) == TENON_OK) {
		proven = tn_json_to_str(tn_json_get(tree, "proven"), &nonce) &&
			 tn_str_equal_constant_time(nonce, tn_str_from(a->nonce));
		if (tn_json_to_str(tn_json_get(tree, "error"), &sentence))
			(void)tn_fail(why, TENON_DENIED, "%.*s",
				      (int)(sentence.size < 240 ? sentence.size : 240),
				      sentence.data);
	}
	tn_arena_finish(&arena);
	return proven;
}

/* As read(2). */
static ssize_t take_some(struct asking *a)
{
	char bytes[512];
	ssize_t got;

	do
		got = read(tn_child_fd(a->child, TN_CHILD_STDOUT), bytes, sizeof(bytes));
	while (got < 0 && errno == EINTR);
	if (got > 0)
		tn_buf_append(&a->said, bytes, (size_t)got);
	return got < 0 && errno != EAGAIN ? 0 : got;
}

static void said_ready(struct tn_io *io, int events, void *data)
{
	struct asking *a = data;

	(void)events;
	if (take_some(a) == 0 || a->said.failed)
		tn_io_watch(io, 0); /* what it means comes with the program's end */
}

static void has_ended(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct asking *a = data;
	struct tenon_error why;

	(void)child;
	while (!a->said.failed && take_some(a) > 0)
		;
	if (understand(a, &why) && !end.by_signal && end.number == 0)
		why = (struct tenon_error){.code = TENON_OK};
	tell(a, &why);
}

static void is_late(struct tn_timer *timer, void *data)
{
	(void)timer;
	tell_not(data, TENON_EXPIRED, "nobody proved in time that a human approves this");
}

/* ---- asking ---- */

static void put_question(struct asking *a, const struct tn_consent_claim *claim)
{
	const struct tn_proof *proof = a->proof;
	struct tn_buf *out = &a->question;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", proof->kind);
	tn_json_put_member_text(out, "keys", proof->keys);
	tn_json_put_member_text(out, "nonce", a->nonce);
	tn_json_put_member_text(out, "summary", claim->summary);
	tn_json_put_member_text(out, "detail", claim->detail);
	tn_json_put_member_text(out, "client", claim->client);
	tn_json_put_member_text(out, "digest", claim->digest);
}

static void put_process(struct tn_buf *out, const struct tn_process *process)
{
	if (process) {
		tn_json_put_member_int(out, "process", process->pid);
		tn_json_put_member_int(out, "started", (int64_t)process->started);
	}
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}

static enum tenon_code open_child(struct asking *a, struct tenon_error *err)
{
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL}; /* nothing of whoever
									  started us */
	char path[PROGRAM_BYTES_MAX];
	const char *argv[] = {path, "--ask", NULL};
	const struct tn_child_options options = {.command = argv,
						 .env = env,
						 .directory = "/",
						 .shares_stderr = true,
						 .new_session = true,
						 .exited = has_ended,
						 .data = a};
	enum tenon_code code = tn_proof_find(path, err);

	if (code == TENON_OK)
		code = tn_child_open(a->proof->options.server->loop, &options, &a->child, err);
	if (code == TENON_OK)
		code = tn_io_open(a->proof->options.server->loop,
				  tn_child_fd(a->child, TN_CHILD_STDOUT), said_ready, a, &a->out,
				  err);
	return code;
}

/* It fits into the socket's buffer, whole or not at all. */
static enum tenon_code start(struct asking *a, const struct tn_process *process,
			     struct tenon_error *err)
{
	enum tenon_code code;
	int fd;

	put_process(&a->question, process);
	code = tn_buf_check(&a->question, err);
	if (code == TENON_OK)
		code = open_child(a, err);
	if (code != TENON_OK)
		return code;
	fd = tn_child_fd(a->child, TN_CHILD_STDIN);
	if (send(fd, a->question.data, a->question.size, MSG_NOSIGNAL | MSG_DONTWAIT) !=
		    (ssize_t)a->question.size ||
	    shutdown(fd, SHUT_WR) != 0)
		return tn_fail(err, TENON_SYSTEM, "tenon-proof does not listen");
	tn_io_watch(a->out, TN_IO_READ);
	return TENON_OK;
}

static bool is_assistants(const struct tn_proof *proof, const struct tn_ancestry *ancestry,
			  struct tn_process *ret)
{
	const struct tn_process *above;

	if (*proof->options.door)
		return tn_person_door_is_below(*proof->options.door, ancestry, ret);
	above = tn_callers_above(proof->options.callers, ancestry);
	if (above)
		*ret = *above;
	return above != NULL;
}

/* Who uses us is known as of now: nobody of them proves anything for a person. */
static void look_at(struct asking *a)
{
	struct tn_ancestry ancestry;
	struct tn_process above;
	struct tenon_error err;
	char text[200];

	if (tn_ancestry_read(a->process, &ancestry, &err) != TENON_OK) {
		tell_not(a, TENON_DENIED, "the program that approves cannot be seen any more");
	} else if (is_assistants(a->proof, &ancestry, &above)) {
		(void)snprintf(text, sizeof(text),
			       "what approves comes from process %ld (%s), which uses Tenon as a "
			       "client: it does not speak for a person",
			       (long)above.pid, above.name);
		tell_not(a, TENON_DENIED, text);
	} else if (start(a, &ancestry.chain[0], &err) != TENON_OK) {
		tell(a, &err);
	}
}

static void known(void *data, bool complete)
{
	struct asking *a = data;

	if (complete)
		look_at(a);
	else if (a->beginning)
		a->unlucky = true;
	else
		tell_not(a, TENON_BUSY,
			 "not all programs on this machine could be looked at; try again");
}

/* Whoever approves is known, or need not be. */
static enum tenon_code begin(struct asking *a, struct tenon_error *err)
{
	struct tn_proof *proof = a->proof;

	if (!proof->options.callers)
		return tn_fail(err, TENON_DENIED, "this server has no door for persons");
	if (!a->process && strcmp(proof->kind, "polkit") == 0)
		return tn_fail(err, TENON_DENIED,
			       "it cannot be seen which program of this user approves, which "
			       "polkit must know; run tenon approve in a terminal of this machine");
	if (!a->process)
		return start(a, NULL, err);
	a->beginning = true;
	if (!tn_callers_refresh(proof->options.callers, known, a))
		a->unlucky = true;
	a->beginning = false;
	if (a->unlucky)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}

static enum tenon_code ask(void *data, const struct tn_consent_claim *claim,
			   void (*done)(void *done_data, const struct tenon_error *why),
			   void *done_data, void **ret_asking, struct tenon_error *err)
{
	struct tn_proof *proof = data;
	struct asking *a = tn_mem_alloc(sizeof(*a));
	enum tenon_code code;

	if (!a)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*a = (struct asking){.proof = proof, .done = done, .done_data = done_data};
	a->process = (pid_t)claim->process;
	tn_buf_init(&a->question, TN_MIB);
	tn_buf_init(&a->said, SAID_BYTES_MAX);
	tn_rng_token(a->nonce, NONCE_BYTES);
	put_question(a, claim);
	code = tn_timer_open(proof->options.server->loop, is_late, a, &a->limit, err);
	if (code == TENON_OK)
		code = begin(a, err);
	if (code != TENON_OK) {
		free_asking(a);
		return code;
	}
	tn_timer_start(a->limit, TN_PROOF_MS);
	*ret_asking = a;
	return TENON_OK;
}

static void cancel(void *asking)
{
	free_asking(asking);
}

/* ---- life ---- */

enum tenon_code tn_proof_open(const struct tn_proof_options *options, struct tn_proof **ret,
			      struct tenon_error *err)
{
	struct tn_proof *proof;
	char path[PROGRAM_BYTES_MAX];
	struct tenon_error why;

	*ret = NULL;
	if (strcmp(options->kind, "polkit") != 0 && strcmp(options->kind, "fido") != 0)
		return TENON_OK;
	proof = tn_mem_alloc(sizeof(*proof));
	if (!proof)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	proof->options = *options;
	(void)snprintf(proof->kind, sizeof(proof->kind), "%s", options->kind);
	(void)snprintf(proof->keys, sizeof(proof->keys), "%s", options->keys);
	if (options->callers)
		tn_callers_know_persons(options->callers);
	if (tn_consent_environment(options->server) &&
	    strcmp(tn_consent_environment(options->server), "allow") == 0)
		tn_log(TN_LOG_WARNING, "consent",
		       "TENON_CONSENT=allow does not count: consent.proof=%s asks for a proof",
		       proof->kind);
	tn_consent_set_prover(options->server, &(struct tn_consent_prover){.name = proof->kind,
									   .ask = ask,
									   .cancel = cancel,
									   .data = proof});
	if (tn_proof_find(path, &why) != TENON_OK)
		tn_log(TN_LOG_ERROR, "consent", "consent.proof=%s: nothing can be approved: %s",
		       proof->kind, why.message);
	*ret = proof;
	return TENON_OK;
}

void tn_proof_close(struct tn_proof *proof)
{
	tn_mem_free(proof);
}
