/* policy_fuzz.c - a consent policy from outside: it is refused with a sentence, or answers every
 * question; and the same bytes as a text that a person is to read. */
#include <stdint.h>

#include "base/buf.h"
#include "base/size.h"
#include "base/utf8.h"
#include "mcp/consent_policy.h"
#include "mcp/consent_text.h"
#include "mcp/limits.h"
#include "tenon/tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask_all(const struct tn_policy *policy, struct tn_str text)
{
	static const unsigned flags[] = {0, TENON_READ_ONLY, TENON_CLOSED_WORLD,
					 TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT};

	for (size_t i = 0; i < 4 * TN_COUNT(flags); i++) {
		const struct tn_policy_question question = {
			.tool = i % 2 ? text : TN_STR("terraform_explain"),
			.app = TN_STR("plan"),
			.client = text,
			.act = i & 4 ? TN_STR("apply") : tn_str(NULL, 0),
			.flags = flags[i % TN_COUNT(flags)],
			.person = i & 8,
		};
		struct tn_policy_answer answer = tn_policy_ask(policy, &question);

		tn_assert(answer.verdict <= TN_DENY);
		tn_assert(!answer.rule || answer.rule[0]);
		tn_assert(answer.elicitation >= -1 && answer.elicitation <= 1);
		/* A person is never asked unless a rule says so. */
		tn_assert(!(question.person && answer.verdict == TN_CONFIRM && !answer.rule));
	}
	tn_assert(tn_policy_elicitation(policy) <= TN_ELICITATION_NEVER);
	tn_assert(tn_policy_timeout_ms(policy) <= TN_CONSENT_SECONDS_MAX * 1000ULL);
}

/* Nothing that a terminal or a page would act upon is left. */
static void show(struct tn_str text)
{
	struct tn_buf out;

	tn_buf_init(&out, 16 * TN_CONSENT_TEXT_MAX);
	tn_consent_text_put(&out, text, TN_CONSENT_TEXT_MAX, false);
	tn_assert(!out.failed && out.size <= TN_CONSENT_TEXT_MAX + 64);
	tn_assert(tn_utf8_valid(out.data, out.size));
	for (size_t i = 0; i < out.size; i++)
		tn_assert((unsigned char)out.data[i] >= 0x20 && out.data[i] != 0x7F);
	tn_buf_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = tn_str((const char *)data, size);
	struct tn_policy *policy;
	struct tenon_error err;
	enum tenon_code code = tn_policy_parse(text, &policy, &err);

	if (code == TENON_OK) {
		ask_all(policy, text);
		tn_policy_free(policy);
	} else {
		tn_assert(err.code == code && err.message[0]);
	}
	show(text);
	return 0;
}
