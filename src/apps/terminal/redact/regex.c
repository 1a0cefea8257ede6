#include "apps/terminal/redact/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/redact/regex_literal.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"

/* PCRE2 counts steps anew for each place it tries to match at, so the limit alone would allow a
 * megabyte of text a trillion steps. A search therefore goes by windows of starting places: first
 * with few steps for each place; a window that needs more is tried again place by place, with all
 * steps and an eye on the clock. */
enum { WINDOW_BYTES = 8192, QUICK_STEPS = 1000 };

struct tn_regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *quick, *full;
	struct tn_buf clean; /* the subject without invalid UTF-8, when it has some */
	struct tn_regex_literals literals;
};

static void *allocate(size_t size, void *data)
{
	(void)data;
	return tn_mem_alloc(size);
}

static void release(void *memory, void *data)
{
	(void)data;
	tn_mem_free(memory);
}

static pcre2_match_context *make_context(pcre2_general_context *general, uint32_t steps)
{
	pcre2_match_context *context = pcre2_match_context_create(general);

	if (!context)
		return NULL;
	(void)pcre2_set_match_limit(context, steps);
	(void)pcre2_set_depth_limit(context, TN_REGEX_DEPTH_LIMIT);
	(void)pcre2_set_heap_limit(context, TN_REGEX_HEAP_KIB);
	return context;
}

static enum tenon_code fail_compile(struct tenon_error *err, int number, size_t offset)
{
	char reason[160];

	if (number == PCRE2_ERROR_HEAP_FAILED)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (pcre2_get_error_message(number, (PCRE2_UCHAR *)reason, sizeof(reason)) < 0)
		reason[0] = '\0';
	return tn_fail(err, TENON_INVALID, "the pattern is wrong at offset %zu: %s", offset,
		       reason);
}

static enum tenon_code compile(struct tn_regex *regex, pcre2_general_context *general,
			       struct tn_str pattern, bool ignore_case, struct tenon_error *err)
{
	/* \C would cut characters; UTF of the subject is checked here, once. */
	uint32_t options = PCRE2_UTF | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C |
			   PCRE2_USE_OFFSET_LIMIT | (ignore_case ? PCRE2_CASELESS : 0);
	pcre2_compile_context *context = pcre2_compile_context_create(general);
	PCRE2_SIZE offset = 0;
	int number = 0;

	if (!context)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	(void)pcre2_set_parens_nest_limit(context, TN_REGEX_NESTING_MAX);
	regex->code = pcre2_compile((PCRE2_SPTR)(pattern.data ? pattern.data : ""), pattern.size,
				    options, &number, &offset, context);
	pcre2_compile_context_free(context);
	return regex->code ? TENON_OK : fail_compile(err, number, offset);
}

enum tenon_code tn_regex_compile(struct tn_str pattern, bool ignore_case, struct tn_regex **ret,
				 struct tenon_error *err)
{
	pcre2_general_context *general;
	struct tn_regex *regex;
	enum tenon_code code;

	if (pattern.size > TN_REGEX_PATTERN_BYTES_MAX)
		return tn_fail(err, TENON_INVALID, "the pattern is longer than %zu bytes",
			       TN_REGEX_PATTERN_BYTES_MAX);
	general = pcre2_general_context_create(allocate, release, NULL);
	regex = tn_mem_alloc(sizeof(*regex));
	if (!general || !regex) {
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
		goto out;
	}
	tn_buf_init(&regex->clean, TN_RESULT_BYTES_MAX);
	code = compile(regex, general, pattern, ignore_case, err);
	if (code != TENON_OK)
		goto out;
	tn_regex_literals_read(&regex->literals, pattern, ignore_case);
	regex->data = pcre2_match_data_create(TN_REGEX_GROUPS_MAX + 1, general);
	regex->quick = make_context(general, QUICK_STEPS);
	regex->full = make_context(general, TN_REGEX_MATCH_LIMIT);
	if (!regex->data || !regex->quick || !regex->full) {
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
		goto out;
	}
	*ret = regex;
	regex = NULL;
out:
	tn_regex_free(regex);
	pcre2_general_context_free(general);
	return code;
}

void tn_regex_free(struct tn_regex *regex)
{
	if (!regex)
		return;
	pcre2_match_data_free(regex->data);
	pcre2_match_context_free(regex->quick);
	pcre2_match_context_free(regex->full);
	pcre2_code_free(regex->code);
	tn_buf_finish(&regex->clean);
	tn_mem_free(regex);
}

/* Byte for byte, so that offsets stay. */
static enum tenon_code clean(struct tn_regex *regex, struct tn_str *subject,
			     struct tenon_error *err)
{
	uint32_t character;

	if (tn_utf8_valid(subject->data, subject->size))
		return TENON_OK;
	tn_buf_clear(&regex->clean);
	for (size_t at = 0; at < subject->size;) {
		size_t size = tn_utf8_decode(subject->data + at, subject->size - at, &character);

		if (size > 0)
			tn_buf_append(&regex->clean, subject->data + at, size);
		else
			tn_buf_append_byte(&regex->clean, '?');
		at += size ? size : 1;
	}
	*subject = tn_buf_str(&regex->clean);
	return tn_buf_check(&regex->clean, err);
}

static size_t next_character(struct tn_str text, size_t at)
{
	do
		at++;
	while (at < text.size && ((unsigned char)text.data[at] & 0xC0) == 0x80);
	return at;
}

static bool is_limit(int status)
{
	return status == PCRE2_ERROR_MATCHLIMIT || status == PCRE2_ERROR_DEPTHLIMIT ||
	       status == PCRE2_ERROR_HEAPLIMIT;
}

struct search {
	struct tn_regex *regex;
	struct tn_str subject;
	uint64_t deadline_ms;
	uint32_t options;
	size_t partial; /* the first place where more text could make a match; TN_STR_NONE: none */
};

/* Tries the places from `begin` to `last`, both included. */
static int try_places(struct search *search, pcre2_match_context *context, size_t begin,
		      size_t last)
{
	int status;

	(void)pcre2_set_offset_limit(context, last);
	status = pcre2_match(search->regex->code, (PCRE2_SPTR)search->subject.data,
			     search->subject.size, begin, PCRE2_NO_UTF_CHECK | search->options,
			     search->regex->data, context);
	if (status == PCRE2_ERROR_PARTIAL && search->partial == TN_STR_NONE)
		search->partial = pcre2_get_ovector_pointer(search->regex->data)[0];
	return status;
}

static bool is_nothing(int status)
{
	return status == PCRE2_ERROR_NOMATCH || status == PCRE2_ERROR_PARTIAL;
}

static int try_one_by_one(struct search *search, size_t begin, size_t last)
{
	int status = PCRE2_ERROR_NOMATCH;

	for (size_t at = begin; at <= last && is_nothing(status);
	     at = next_character(search->subject, at)) {
		if (tn_clock_now_ms(&tn_clock_system) > search->deadline_ms)
			return PCRE2_ERROR_MATCHLIMIT;
		status = try_places(search, search->regex->full, at, at);
	}
	return status;
}

static int try_all(struct search *search, size_t offset)
{
	int status = PCRE2_ERROR_NOMATCH;

	for (size_t at = offset; at <= search->subject.size && is_nothing(status);) {
		size_t next = at + WINDOW_BYTES, last;

		while (next < search->subject.size &&
		       ((unsigned char)search->subject.data[next] & 0xC0) == 0x80)
			next++;
		last = next <= search->subject.size ? next - 1 : search->subject.size;
		if (tn_clock_now_ms(&tn_clock_system) > search->deadline_ms)
			return PCRE2_ERROR_MATCHLIMIT;
		status = try_places(search, search->regex->quick, at, last);
		if (is_limit(status))
			status = try_one_by_one(search, at, last);
		at = next;
	}
	return status;
}

/* `subject` is the caller's: groups point into it, not into the cleaned copy. */
static void take_match(const struct tn_regex *regex, struct tn_str subject,
		       struct tn_regex_match *ret)
{
	const PCRE2_SIZE *places = pcre2_get_ovector_pointer(regex->data);
	uint32_t groups = 0;

	(void)pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &groups);
	ret->begin = places[0] < places[1] ? places[0] : places[1]; /* \K may swap them */
	ret->end = places[1];
	ret->group_count = groups < TN_REGEX_GROUPS_MAX ? groups : TN_REGEX_GROUPS_MAX;
	for (size_t i = 0; i < ret->group_count; i++) {
		size_t begin = places[2 * i + 2], end = places[2 * i + 3];

		if (begin != PCRE2_UNSET && begin <= end)
			ret->groups[i] = tn_str(subject.data + begin, end - begin);
	}
}

/* *ret_status: as PCRE2 has it; the subject is no NULL. */
static enum tenon_code run(struct search *search, size_t offset, int *ret_status,
			   struct tenon_error *err)
{
	enum tenon_code code = clean(search->regex, &search->subject, err);

	if (code != TENON_OK)
		return code;
	search->partial = TN_STR_NONE;
	search->deadline_ms = tn_clock_now_ms(&tn_clock_system) + TN_REGEX_SEARCH_MS;
	/* From inside a character there is no match. */
	while (offset < search->subject.size &&
	       ((unsigned char)search->subject.data[offset] & 0xC0) == 0x80)
		offset++;
	*ret_status = try_all(search, offset);
	if (is_limit(*ret_status))
		return tn_fail(err, TENON_LIMIT,
			       "the pattern takes too long on this text; make it simpler");
	if (*ret_status == PCRE2_ERROR_NOMEMORY)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (*ret_status < 0 && !is_nothing(*ret_status))
		return tn_fail(err, TENON_LIMIT, "the pattern cannot be matched (%d)", *ret_status);
	return TENON_OK;
}

enum tenon_code tn_regex_search(struct tn_regex *regex, struct tn_str subject, size_t offset,
				bool *ret_found, struct tn_regex_match *ret,
				struct tenon_error *err)
{
	struct search search = {.regex = regex, .options = PCRE2_PARTIAL_SOFT};
	enum tenon_code code;
	int status;

	if (!subject.data)
		subject = TN_STR("");
	search.subject = subject;
	code = run(&search, offset, &status, err);
	if (code != TENON_OK)
		return code;
	*ret_found = status >= 0;
	*ret = (struct tn_regex_match){.partial = status < 0 && search.partial != TN_STR_NONE};
	if (status >= 0)
		take_match(regex, subject, ret);
	else if (ret->partial)
		ret->begin = ret->end = search.partial;
	return TENON_OK;
}

enum tenon_code tn_regex_finds(struct tn_regex *regex, struct tn_str subject, bool *ret_found,
			       struct tenon_error *err)
{
	struct search search = {.regex = regex, .subject = subject};
	enum tenon_code code;
	int status;

	if (!subject.data)
		search.subject = TN_STR("");
	*ret_found = false;
	if (!tn_regex_literals_allow(&regex->literals, search.subject))
		return TENON_OK;
	code = run(&search, 0, &status, err);
	if (code == TENON_OK)
		*ret_found = status >= 0;
	return code;
}
