#include "apps/terminal/redact/redact_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"

struct tn_redactor *tn_redact_kit_make(const char *const *patterns)
{
	struct tn_redactor *redactor = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_redactor_create(patterns, &redactor, &err), TENON_OK);
	return redactor;
}

char *tn_redact_kit_redact(const struct tn_redactor *redactor, enum tn_redact_level level,
			   const char *text, unsigned *count)
{
	struct tn_buf out;
	char *copy;

	*count = 0;
	tn_buf_init(&out, TN_MIB);
	tn_redact(redactor, level, tn_str_from(text), &out, count);
	assert_false(out.failed);
	copy = tn_mem_copy_text(out.data ? out.data : "", out.size);
	assert_non_null(copy);
	tn_buf_finish(&out);
	return copy;
}

void tn_redact_kit_check(const struct tn_redactor *redactor, enum tn_redact_level level,
			 const char *text, const char *wanted)
{
	unsigned count = 0;
	char *got = tn_redact_kit_redact(redactor, level, text, &count);

	if (strcmp(got, wanted) != 0)
		fail_msg("\n   of: %s\n  got: %s\nwants: %s", text, got, wanted);
	if ((count == 0) != (strcmp(text, wanted) == 0))
		fail_msg("count %u: %s", count, text);
	tn_mem_free(got);
}
