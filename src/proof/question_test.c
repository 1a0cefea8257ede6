/* What a dialog shows is what is asked, whatever the question holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "proof/question.h"
#include "proof/limits.h"

static enum tenon_code read_text(const char *text, struct tn_arena *arena,
				 struct tn_proof_question *ret, struct tenon_error *err)
{
	enum tenon_code code;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
	(void)close(ends[1]);
	code = tn_proof_question_read(ends[0], arena, ret, err);
	(void)close(ends[0]);
	return code;
}

static void test_read(void **state)
{
	struct tn_proof_question q;
	struct tn_arena arena;
	struct tenon_error err;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(read_text("{\"kind\":\"polkit\",\"keys\":\"/k\",\"nonce\":\"n\","
				   "\"summary\":\"s\",\"detail\":\"d\",\"client\":\"c\",\"digest\":"
				   "\"x\",\"process\":12,\"started\":34}\n",
				   &arena, &q, &err),
			 TENON_OK);
	assert_string_equal(q.nonce, "n");
	assert_int_equal(q.process, 12);
	assert_int_equal(q.started, 34);
	assert_int_equal(read_text("", &arena, &q, &err), TENON_INVALID);
	assert_int_equal(read_text("{\"kind\":\"polkit\"}", &arena, &q, &err), TENON_INVALID);
	assert_int_equal(
		read_text("{\"kind\":\"polkit\",\"keys\":\"/k\",\"nonce\":\"n\",\"summary\":"
			  "\"a\\u0000b\",\"detail\":\"\",\"client\":\"\",\"digest\":\"\"}",
			  &arena, &q, &err),
		TENON_INVALID);
	tn_arena_finish(&arena);
}

static const char *show(const char *summary, const char *detail, char out[4096])
{
	const struct tn_proof_question q = {.summary = summary,
					    .detail = detail,
					    .client = "a<b>",
					    .digest = "0123456789abcdefff"};
	struct tn_buf text;

	tn_buf_init(&text, 4095);
	tn_proof_question_show(&q, &text);
	assert_false(text.failed);
	memcpy(out, text.data, text.size);
	out[text.size] = '\0';
	tn_buf_finish(&text);
	return out;
}

/* Dialogs read markup and polkit replaces $(...): neither gets through. */
static void test_show(void **state)
{
	char out[4096];

	(void)state;
	assert_string_equal(show("rm -rf a", "", out),
			    "rm -rf a\n(for a‹b›; digest 0123456789abcdef)");
	(void)show("<b>$(digest)</b> && x", "<span size='1'>y", out);
	assert_null(strpbrk(out, "<>&$"));
	assert_non_null(strstr(out, "‹b›＄(digest)‹/b› ＆＆ x\n‹span size='1'›y"));
}

static void test_cut(void **state)
{
	char summary[3 * TN_PROOF_TEXT_MAX + 1] = "";
	char out[4096];
	const char *end;

	(void)state;
	for (size_t i = 0; i < TN_PROOF_TEXT_MAX; i++)
		memcpy(summary + 3 * i, "€", 4);
	end = strstr(show(summary, "hidden", out), " [... cut");
	assert_non_null(end);
	assert_int_equal((end - out) % 3, 0); /* between characters */
	assert_true(end - out <= TN_PROOF_TEXT_MAX);
	assert_null(strstr(out, "hidden"));
	assert_non_null(strstr(out, "digest 0123456789abcdef"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_show),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
