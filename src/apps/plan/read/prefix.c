/* Log prefixes and uniform indentation (plan.md section 3.2, steps 4 and 5).
 *
 * A prefix is taken off only when every anchor sentence carries it, so that a body that quotes a
 * log is left alone. Most texts have none: the first list anchor in column 0 says so. */
#include "apps/plan/read/anchor.h"
#include "apps/plan/read/clean.h"
#include "apps/plan/read/plan_line.h"
#include "apps/plan/read/prefix_form.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/size.h"

enum {
	ANCHORS_MAX = 32,
	WINDOW_BYTES = 256 * 1024, /* at both ends, where the other anchors are looked for */
	ROUNDS_MAX = 6,            /* prefixes in front of prefixes */
	PREFIX_MAX = 200,          /* bytes */
	SENTENCE_MAX = 400,        /* of an anchor's line that are looked at */
	NAME_MAX = 24              /* from an anchor's first word to " the following" */
};

/* ---- anchors ---- */

struct anchors {
	struct tn_str lines[ANCHORS_MAX];
	size_t offsets[ANCHORS_MAX]; /* of the sentence in its line */
	size_t count;
	size_t list_offset; /* of the first list anchor, or TN_STR_NONE */
};

/* What is near `at` in its line. Only so much: a line may be as long as the text, and it may hold
 * as many anchors as fit. */
static struct tn_str line_around(const struct tn_plan_text *text, size_t at, size_t *ret_offset)
{
	size_t start = at, end = at;

	while (start > 0 && at - start <= PREFIX_MAX && text->data[start - 1] != '\n')
		start--;
	while (end < text->size && end - at < SENTENCE_MAX && text->data[end] != '\n')
		end++;
	*ret_offset = at - start;
	return tn_str(text->data + start, end - start);
}

static bool is_anchor(struct tn_str text)
{
	struct tn_plan_line line;
	enum tn_plan_anchor anchor = tn_plan_anchor_find(text).anchor;

	return (anchor >= TN_PLAN_ANCHOR_DRIFT && anchor <= TN_PLAN_ANCHOR_FAILED) ||
	       tn_plan_line_read(text, &line);
}

/* One of these words is in every anchor sentence; the offset leads back to where it may begin. */
static const struct tn_str signs[] = {
	{"Terraform ", 10},
	{"OpenTofu ", 9},
	{"Note: ", 6},
	{"An execution plan", 17},
	{"Resource actions are", 20},
	{"No changes.", 11},
	{"Plan: ", 6},
	{"Changes to Outputs:", 19},
	{"Planning failed.", 16},
};

static void add_anchor(struct anchors *anchors, const struct tn_plan_text *text, size_t at)
{
	size_t offset;
	struct tn_str line = line_around(text, at, &offset);

	if (anchors->count == ANCHORS_MAX || offset > PREFIX_MAX ||
	    !is_anchor(tn_str_from_offset(line, offset)))
		return;
	for (size_t i = 0; i < anchors->count; i++) {
		if (anchors->lines[i].data != line.data)
			continue;
		if (offset < anchors->offsets[i])
			anchors->offsets[i] = offset;
		return;
	}
	anchors->lines[anchors->count] = line;
	anchors->offsets[anchors->count++] = offset;
}

static void search(struct anchors *anchors, const struct tn_plan_text *text, size_t from, size_t to)
{
	for (size_t i = 0; i < TN_COUNT(signs); i++) {
		size_t at = from;

		while (at < to && anchors->count < ANCHORS_MAX) {
			size_t found = tn_str_find(tn_str(text->data + at, to - at), signs[i]);

			if (found == TN_STR_NONE)
				break;
			add_anchor(anchors, text, at + found);
			at += found + signs[i].size;
		}
	}
}

enum { STRIDE_BYTES = 4096 };

/* Where `sign` stands from `at` on. In pieces: a thread sanitizer takes note of all that a search
 * is given, not of what it reads, and a hostile text has very many signs. */
static size_t find_sign(const struct tn_plan_text *text, size_t at, struct tn_str sign)
{
	for (; at < text->size; at += STRIDE_BYTES) {
		size_t left = text->size - at, most = STRIDE_BYTES + sign.size - 1;
		size_t found =
			tn_str_find(tn_str(text->data + at, left < most ? left : most), sign);

		if (found != TN_STR_NONE)
			return at + found;
	}
	return TN_STR_NONE;
}

/* The offset of "Terraform will perform the following actions:" in its line, and the line. */
static bool find_list(const struct tn_plan_text *text, struct tn_str *ret_line, size_t *ret_offset)
{
	static const struct tn_str sign = {" the following actions", 22};
	size_t at = 0;

	while (at < text->size) {
		size_t found = find_sign(text, at, sign), offset;
		struct tn_str line;

		if (found == TN_STR_NONE)
			return false;
		line = line_around(text, found, &offset);
		at = found + sign.size;
		for (size_t start = offset; start > 0 && offset - start < NAME_MAX; start--) {
			enum tn_plan_anchor anchor;

			if (line.data[start - 1] != 'T' && line.data[start - 1] != 'O')
				continue;
			anchor = tn_plan_anchor_find(tn_str_from_offset(line, start - 1)).anchor;
			if (anchor != TN_PLAN_ANCHOR_LIST && anchor != TN_PLAN_ANCHOR_LIST_ERRORED)
				continue;
			*ret_line = line;
			*ret_offset = start - 1;
			return true;
		}
	}
	return false;
}

static void find_anchors(struct anchors *anchors, const struct tn_plan_text *text)
{
	size_t window = text->size < WINDOW_BYTES ? text->size : WINDOW_BYTES;
	struct tn_str line;
	size_t offset;

	anchors->count = 0;
	if (find_list(text, &line, &offset))
		add_anchor(anchors, text, (size_t)(line.data - text->data) + offset);
	search(anchors, text, 0, window);
	if (text->size > window) {
		size_t tail = text->size - window;

		search(anchors, text, tail > window ? tail : window, text->size);
	}
}

/* ---- stripping ---- */

/* Go's quoting of a whole message: only what it adds to plan text is undone. */
static size_t unquote(char *data, size_t size)
{
	size_t to = 0;

	if (size < 2 || data[0] != '"' || data[size - 1] != '"')
		return size;
	for (size_t at = 1; at < size - 1; at++) {
		if (data[at] == '\\' && at + 1 < size - 1)
			at++;
		data[to++] = data[at];
	}
	return to;
}

struct stripper {
	const struct tn_plan_prefix_form *form; /* or NULL for the generic prefix */
	struct tn_str generic;
};

static size_t prefix_size(const struct stripper *stripper, struct tn_str line,
			  struct tn_str *ret_unit)
{
	struct tn_str trimmed = stripper->generic;

	if (stripper->form)
		return stripper->form->match(line, ret_unit);
	if (tn_str_starts(line, stripper->generic))
		return stripper->generic.size;
	/* On an empty line the blanks at the prefix's end were lost. */
	while (trimmed.size && trimmed.data[trimmed.size - 1] == ' ')
		trimmed.size--;
	return tn_str_equal(line, trimmed) ? line.size : 0;
}

/* Takes the prefix off one line and writes the rest at `to`, which is never ahead of it. Where the
 * unit changes a mark is written first: it is shorter than the prefix that named it. */
static char *strip_line(const struct stripper *stripper, struct tn_str line, char *to,
			struct tn_str *unit)
{
	struct tn_str named = {NULL, 0};
	size_t skip = prefix_size(stripper, line, &named);

	tn_assert(named.size == 0 || skip > named.size + 1);
	if (named.size && !tn_str_equal(named, *unit)) {
		memmove(to + 1, named.data, named.size);
		*to = TN_PLAN_UNIT_MARK;
		*unit = tn_str(to + 1, named.size);
		to += named.size + 1;
		*to++ = '\n';
	}
	line = tn_str_from_offset(line, skip);
	memmove(to, line.data, line.size);
	if (skip && stripper->form && stripper->form->step == TN_PLAN_CLEAN_PREFIX_RUNNER)
		return to + unquote(to, line.size);
	return to + line.size;
}

static void strip_all(const struct stripper *stripper, struct tn_plan_text *text)
{
	const char *at = text->data, *end = text->data + text->size;
	struct tn_str unit = {NULL, 0};
	char *to = text->data;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		to = strip_line(stripper, tn_str(at, (size_t)(stop - at)), to, &unit);
		at = stop;
		if (at < end) {
			*to++ = '\n';
			at++;
		}
	}
	text->size = (size_t)(to - text->data);
}

static bool all_have(const struct anchors *anchors, const struct tn_plan_prefix_form *form)
{
	struct tn_str unit;

	for (size_t i = 0; i < anchors->count; i++) {
		size_t size = form->match(anchors->lines[i], &unit);

		if (size == 0 || size > anchors->offsets[i] + 1)
			return false;
	}
	return anchors->count > 0;
}

/* The same words before at least two anchors. */
static bool find_generic(const struct anchors *anchors, struct tn_str *ret)
{
	size_t best = 0;

	for (size_t i = 0; i < anchors->count; i++) {
		struct tn_str prefix = tn_str(anchors->lines[i].data, anchors->offsets[i]);
		size_t same = 0;

		if (tn_str_trim(prefix).size == 0 || prefix.size > PREFIX_MAX)
			continue;
		for (size_t k = 0; k < anchors->count; k++)
			same += tn_str_equal(prefix,
					     tn_str(anchors->lines[k].data, anchors->offsets[k]));
		if (same > best) {
			best = same;
			*ret = prefix;
		}
	}
	return best >= 2 && best * 2 > anchors->count;
}

/* One layer of prefixes. False: there is none. */
static bool strip_layer(struct tn_plan_build *build, struct tn_plan_text *text)
{
	struct stripper stripper = {.form = NULL};
	struct anchors anchors;
	char *copy;

	find_anchors(&anchors, text);
	for (size_t i = 0; i < tn_plan_prefix_form_count && !stripper.form; i++) {
		if (all_have(&anchors, &tn_plan_prefix_forms[i]))
			stripper.form = &tn_plan_prefix_forms[i];
	}
	if (!stripper.form && !find_generic(&anchors, &stripper.generic))
		return false;
	build->plan->normalised |=
		stripper.form ? stripper.form->step : (uint32_t)TN_PLAN_CLEAN_PREFIX_GENERIC;
	if (stripper.form) {
		strip_all(&stripper, text);
		if (stripper.form->step == TN_PLAN_CLEAN_PREFIX_RUNNER)
			tn_plan_group_units(text);
		return true;
	}
	copy = tn_mem_copy_text(stripper.generic.data, stripper.generic.size);
	if (!copy)
		return false;
	stripper.generic.data = copy; /* the text it points into is about to move */
	strip_all(&stripper, text);
	tn_mem_free(copy);
	return true;
}

/* ---- indentation ---- */

static void strip_indent(struct tn_plan_text *text, struct tn_str indent)
{
	const char *at = text->data, *end = text->data + text->size;
	char *to = text->data;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t size;

		stop = stop ? stop + 1 : end;
		if (tn_str_starts(tn_str(at, (size_t)(stop - at)), indent))
			at += indent.size;
		size = (size_t)(stop - at);
		memmove(to, at, size);
		to += size;
		at = stop;
	}
	text->size = (size_t)(to - text->data);
}

void tn_plan_clean_prefixes(struct tn_plan_build *build, struct tn_plan_text *text)
{
	struct tn_str line;
	char indent[64];
	size_t offset;
	bool listed = find_list(text, &line, &offset);

	if (listed && offset == 0)
		return;
	for (int round = 0; round < ROUNDS_MAX && strip_layer(build, text); round++)
		listed = find_list(text, &line, &offset);
	if (!find_list(text, &line, &offset) || offset == 0 || offset > sizeof(indent))
		return;
	if (tn_str_trim(tn_str(line.data, offset)).size > 0)
		return;
	memcpy(indent, line.data, offset);
	strip_indent(text, tn_str(indent, offset));
	build->plan->normalised |= TN_PLAN_CLEAN_INDENT;
}
