#include "apps/terminal/redact/redact.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/redact/redact_learn.h"
#include "apps/terminal/redact/internal.h"
#include "apps/terminal/redact/regex.h"
#include "base/mem.h"

struct tn_redactor {
	struct tn_secrets *secrets;
	struct tn_regex **patterns;
	size_t pattern_count;
};

static enum tenon_code compile_patterns(struct tn_redactor *redactor, const char *const *patterns,
					struct tenon_error *err)
{
	size_t count = 0;

	while (patterns && patterns[count])
		count++;
	if (count == 0)
		return TENON_OK;
	if (count > TN_REDACT_PATTERNS_MAX)
		return tn_fail(err, TENON_INVALID, "more than %d patterns to redact",
			       TN_REDACT_PATTERNS_MAX);
	redactor->patterns = tn_mem_alloc_array(count, sizeof(struct tn_regex *));
	if (!redactor->patterns)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (; redactor->pattern_count < count; redactor->pattern_count++) {
		struct tenon_error why = {0};
		size_t i = redactor->pattern_count;
		enum tenon_code code = tn_regex_compile(tn_str_from(patterns[i]), false,
							&redactor->patterns[i], &why);

		if (code != TENON_OK)
			return tn_fail(err, code,
				       "terminal.redact.patterns: pattern %zu to redact: %s", i + 1,
				       why.message);
	}
	return TENON_OK;
}

enum tenon_code tn_redactor_create(const char *const *patterns, struct tn_redactor **ret,
				   struct tenon_error *err)
{
	struct tn_redactor *redactor = tn_mem_alloc(sizeof(*redactor));
	enum tenon_code code;

	if (!redactor)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = compile_patterns(redactor, patterns, err);
	if (code != TENON_OK) {
		tn_redactor_destroy(redactor);
		return code;
	}
	*ret = redactor;
	return TENON_OK;
}

void tn_redactor_destroy(struct tn_redactor *redactor)
{
	if (!redactor)
		return;
	for (size_t i = 0; i < redactor->pattern_count; i++)
		tn_regex_free(redactor->patterns[i]);
	tn_mem_free(redactor->patterns);
	tn_secrets_unref(redactor->secrets);
	tn_mem_free(redactor);
}

struct tn_redactor *tn_redactor_fork(const struct tn_redactor *redactor)
{
	struct tn_redactor *fork = tn_mem_alloc(sizeof(*fork));

	if (fork)
		fork->secrets = tn_secrets_ref(redactor->secrets);
	return fork;
}

void tn_redactor_learn(struct tn_redactor *redactor, struct tn_str value)
{
	if (value.size >= TN_REDACT_VALUE_BYTES_MIN)
		(void)tn_secrets_learn(&redactor->secrets, value); /* shapes may still find it */
}

void tn_redactor_learn_environment(struct tn_redactor *redactor, const char *const *env)
{
	for (; env && *env; env++) {
		struct tn_str entry = tn_str_from(*env);
		size_t equals = tn_str_find_byte(entry, '=');

		if (equals != TN_STR_NONE &&
		    tn_redact_is_sensitive_name(tn_str(entry.data, equals)))
			tn_redactor_learn(redactor, tn_str_from_offset(entry, equals + 1));
	}
}

void tn_redactor_learn_command(struct tn_redactor *redactor, struct tn_str command)
{
	tn_redact_learn_text(&redactor->secrets, command);
}

/* ---- finding ---- */

struct finding {
	const struct tn_redactor *redactor, *more;
	enum tn_redact_level level;
	struct tn_fold fold; /* with its line ends */
	struct tn_redact_spans spans;
};

static void find_values_in(struct finding *finding, const struct tn_fold *fold)
{
	tn_secrets_find(finding->redactor->secrets, fold, &finding->spans);
	if (finding->more)
		tn_secrets_find(finding->more->secrets, fold, &finding->spans);
}

static void find_values(struct finding *finding, struct tn_str text)
{
	const struct tn_fold raw = {.text = text};
	struct tn_fold joined;

	if (!finding->redactor->secrets && !(finding->more && finding->more->secrets))
		return;
	/* An escape that was begun before the value takes its first letter. */
	if (finding->fold.runs)
		find_values_in(finding, &raw);
	if (!tn_fold_init(&joined, text, true)) {
		finding->spans.failed = true;
		return;
	}
	find_values_in(finding, &joined);
	tn_fold_finish(&joined);
}

static void note_argument(void *data, enum tn_argument what, struct tn_str value)
{
	static const char *const kinds[] = {"assigned", "argument", "header", "url"};
	struct finding *finding = data;
	size_t begin = (size_t)(value.data - finding->fold.text.data);

	tn_redact_add(&finding->spans, &finding->fold, begin, begin + value.size, kinds[what]);
}

static void find_pattern(struct finding *finding, struct tn_regex *pattern)
{
	struct tn_str text = finding->fold.text;
	struct tn_regex_match match = {0};
	struct tenon_error err;
	bool found = true;

	for (size_t at = 0; at <= text.size && found;) {
		if (tn_regex_search(pattern, text, at, &found, &match, &err) != TENON_OK) {
			finding->spans.failed = true;
			return;
		}
		if (found)
			tn_redact_add(&finding->spans, &finding->fold, match.begin, match.end,
				      "pattern");
		at = match.end > at ? match.end : at + 1;
	}
}

static int compare_spans(const void *a, const void *b)
{
	const struct tn_redact_span *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return left->end > right->end ? -1 : left->end < right->end;
}

/* Sorted and without overlaps. */
static void merge_spans(struct tn_redact_spans *spans)
{
	size_t kept = 0;

	if (spans->count == 0)
		return;
	qsort(spans->items, spans->count, sizeof(spans->items[0]), compare_spans);
	for (size_t i = 1; i < spans->count; i++) {
		struct tn_redact_span *last = &spans->items[kept];

		if (spans->items[i].begin >= last->end)
			spans->items[++kept] = spans->items[i];
		else if (spans->items[i].end > last->end)
			last->end = spans->items[i].end;
	}
	spans->count = kept + 1;
}

static void find_all(struct finding *finding, struct tn_str text)
{
	find_values(finding, text);
	tn_redact_find_shapes(&finding->fold, &finding->spans);
	if (finding->level == TN_REDACT_ALL) {
		tn_redact_scan_arguments(finding->fold.text, note_argument, finding);
		for (size_t i = 0; i < finding->redactor->pattern_count; i++)
			find_pattern(finding, finding->redactor->patterns[i]);
	}
	merge_spans(&finding->spans);
}

/* ---- replacing ---- */

/* Colours that were set between the letters of a secret hold for what follows it. */
static void keep_escapes(struct tn_str text, size_t begin, size_t end, struct tn_buf *out)
{
	for (size_t at = begin; at < end; at++) {
		size_t size = text.data[at] == '\x1b' ? tn_fold_escape(text, at) : 0;

		if (size > 0) /* all of it, where it begins */
			tn_buf_append(out, text.data + at, size);
	}
}

static void write_part(const struct tn_redact_spans *spans, struct tn_str text, size_t begin,
		       size_t end, struct tn_buf *out, unsigned *count)
{
	size_t at = begin;

	for (size_t i = 0; i < spans->count && spans->items[i].begin < end; i++) {
		const struct tn_redact_span *span = &spans->items[i];
		size_t until = span->end < end ? span->end : end;

		if (span->end <= begin)
			continue;
		if (span->begin >= begin) {
			tn_buf_append(out, text.data + at, span->begin - at);
			tn_buf_format(out, "[redacted:%s]", span->kind);
			(*count)++;
		}
		keep_escapes(text, span->begin > begin ? span->begin : begin, until, out);
		at = until;
	}
	tn_buf_append(out, text.data + at, end - at);
}

void tn_redact_both(const struct tn_redactor *redactor, const struct tn_redactor *more,
		    enum tn_redact_level level, struct tn_str text, size_t begin, size_t end,
		    struct tn_buf *out, unsigned *count)
{
	struct finding finding = {.redactor = redactor, .more = more, .level = level};

	if (level == TN_REDACT_OFF || text.size == 0) {
		tn_buf_append(out, text.data ? text.data + begin : "", end - begin);
		return;
	}
	if (tn_fold_init(&finding.fold, text, false))
		find_all(&finding, text);
	else
		finding.spans.failed = true;
	if (finding.spans.failed && begin < end) {
		tn_buf_append_text(out, "[redacted:unread]");
		(*count)++;
	} else {
		write_part(&finding.spans, text, begin, end, out, count);
	}
	tn_fold_finish(&finding.fold);
	tn_mem_free(finding.spans.items);
}

void tn_redact_part(const struct tn_redactor *redactor, enum tn_redact_level level,
		    struct tn_str text, size_t begin, size_t end, struct tn_buf *out,
		    unsigned *count)
{
	tn_redact_both(redactor, NULL, level, text, begin, end, out, count);
}

void tn_redact(const struct tn_redactor *redactor, enum tn_redact_level level, struct tn_str text,
	       struct tn_buf *out, unsigned *count)
{
	tn_redact_both(redactor, NULL, level, text, 0, text.size, out, count);
}
