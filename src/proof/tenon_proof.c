/* tenon-proof: a human proves that an approval is theirs; the daemon starts one for each question
 * (host/person/proof.h), reads a line, and believes it if this program also ends with 0. */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "jsonrpc/json_write.h"
#include "proof/polkit.h"
#include "proof/question.h"

enum { EXIT_PROVEN, EXIT_NOT_PROVEN, EXIT_USAGE };

static const char usage[] =
	"usage: tenon-proof --check polkit\n"
	"       tenon-proof --policy USER...\n"
	"\n"
	"Proves that a human stands behind an approval; tenond starts it where consent.proof is "
	"set.\n"
	"  --check    whether this can work for you: nobody is asked\n"
	"  --policy   prints polkit's policy file, by which these users are asked\n";

/* Of another process of our user nobody can see or change what we do, and no core is written. */
static void close_up(void)
{
	const struct rlimit none = {0, 0};

	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)setrlimit(RLIMIT_CORE, &none);
}

static int refuse_kind(const char *kind, struct tenon_error *err)
{
	(void)tn_fail(err, TENON_INVALID, "consent.proof=%.20s: this tenon-proof was built without",
		      kind);
	return EXIT_NOT_PROVEN;
}

/* ---- answering the daemon ---- */

static int answer(const struct tn_proof_question *question, enum tenon_code code,
		  const struct tenon_error *err)
{
	struct tn_buf line;
	bool written;

	tn_buf_init(&line, 4 * TN_KIB);
	tn_json_begin_object(&line);
	if (code == TENON_OK)
		tn_json_put_member_text(&line, "proven", question->nonce);
	else
		tn_json_put_member_text(&line, "error", err->message);
	tn_json_end_object(&line);
	tn_buf_append_byte(&line, '\n');
	written = !line.failed && write(STDOUT_FILENO, line.data, line.size) == (ssize_t)line.size;
	tn_buf_finish(&line);
	return code == TENON_OK && written ? EXIT_PROVEN : EXIT_NOT_PROVEN;
}

static enum tenon_code prove(const struct tn_proof_question *question, struct tenon_error *err)
{
#ifdef TN_PROOF_HAS_POLKIT
	if (strcmp(question->kind, "polkit") == 0)
		return tn_proof_polkit(question, err);
#endif
	(void)refuse_kind(question->kind, err);
	return err->code;
}

static int ask(void)
{
	struct tn_proof_question question;
	struct tn_arena arena;
	struct tenon_error err;
	enum tenon_code code;
	int exit;

	tn_arena_init(&arena, 4 * TN_MIB);
	code = tn_proof_question_read(STDIN_FILENO, &arena, &question, &err);
	if (code == TENON_OK)
		code = prove(&question, &err);
	exit = answer(&question, code, &err);
	tn_arena_finish(&arena);
	return exit;
}

/* ---- for people ---- */

static int check(const char *kind)
{
	struct tenon_error err = {.code = TENON_OK};
	enum tenon_code code = TENON_INVALID;

#ifdef TN_PROOF_HAS_POLKIT
	if (strcmp(kind, "polkit") == 0)
		code = tn_proof_polkit_check(&err);
#endif
	if (code == TENON_INVALID && err.code == TENON_OK)
		(void)refuse_kind(kind, &err);
	(void)puts(code == TENON_OK ? "it can ask you" : err.message);
	return code == TENON_OK ? EXIT_PROVEN : EXIT_NOT_PROVEN;
}

static const char policy_head[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!DOCTYPE policyconfig PUBLIC \"-//freedesktop//DTD PolicyKit Policy Configuration "
	"1.0//EN\"\n"
	" \"http://www.freedesktop.org/standards/PolicyKit/1/policyconfig.dtd\">\n"
	"<policyconfig>\n"
	"  <vendor>Tenon</vendor>\n"
	"  <!-- Each approval asks anew: no *_keep here, and no yes. -->\n"
	"  <action id=\"io.tenon.consent.approve\">\n"
	"    <description>Approve what an assistant wants to do</description>\n"
	"    <message>Tenon asks for your consent: $(question)</message>\n"
	"    <defaults>\n"
	"      <allow_any>auth_self</allow_any>\n"
	"      <allow_inactive>auth_self</allow_inactive>\n"
	"      <allow_active>auth_self</allow_active>\n"
	"    </defaults>\n";

/* polkit shows what is asked only for the owners of an action. */
static int print_policy(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (!argv[i][0] || strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
						   "UVWXYZ0123456789._-") != strlen(argv[i])) {
			(void)fprintf(stderr, "tenon-proof: \"%.60s\" is no user's name\n",
				      argv[i]);
			return EXIT_USAGE;
		}
	}
	(void)fputs(policy_head, stdout);
	if (argc)
		(void)fputs("    <annotate key=\"org.freedesktop.policykit.owner\">", stdout);
	for (int i = 0; i < argc; i++)
		(void)printf("%sunix-user:%s", i ? " " : "", argv[i]);
	if (argc)
		(void)fputs("</annotate>\n", stdout);
	(void)fputs("  </action>\n</policyconfig>\n", stdout);
	return fflush(stdout) == 0 ? EXIT_PROVEN : EXIT_NOT_PROVEN;
}

int main(int argc, char **argv)
{
	close_up();
	if (argc == 2 && strcmp(argv[1], "--ask") == 0)
		return ask();
	if (argc == 3 && strcmp(argv[1], "--check") == 0)
		return check(argv[2]);
	if (argc >= 2 && strcmp(argv[1], "--policy") == 0)
		return print_policy(argc - 2, argv + 2);
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		return printf("tenon-proof %s\n", TENON_VERSION) > 0 ? EXIT_PROVEN
								     : EXIT_NOT_PROVEN;
	(void)fputs(usage, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
	return argc == 2 && strcmp(argv[1], "--help") == 0 ? EXIT_PROVEN : EXIT_USAGE;
}
