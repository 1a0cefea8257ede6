/* Words with a hyphen that the language does not have: names (FP1014), or a direction that was
 * written as one with what it stands before (FP1005 with what to write). */
#include <stdio.h>

#include "apps/floorplan/language/parser.h"
#include "apps/floorplan/limits.h"
#include "base/near.h"
#include "base/size.h"

enum { OF = sizeof("-of") - 1, SLIP_MAX = 2, WORD_MAX = 40 /* bytes that are compared */ };

static const char *const directions[] = {"above-right-of", "above-left-of", "below-right-of",
					 "below-left-of",  "right-of",      "left-of",
					 "above",          "below"};

/* What stands behind a direction that `text` begins with: "right-ofA", "right-of-A", "right-A". A
 * letter or two at its end are a slip of the pen, as in "right-off". */
static bool split(struct tn_str text, struct tn_str direction, struct tn_str *ret_rest)
{
	const bool whole = tn_str_starts(text, direction),
		   may_lack = tn_str_find_byte(direction, '-') != TN_STR_NONE;
	struct tn_str stem = direction, rest;

	if (!whole && may_lack)
		stem.size -= OF;
	if (!tn_str_starts(text, stem))
		return false;
	rest = tn_str_from_offset(text, stem.size);
	if (rest.size > 0 && (rest.data[0] == '-' || rest.data[0] == '_'))
		rest = tn_str_from_offset(rest, 1);
	else if (!whole || !may_lack || (rest.size <= SLIP_MAX && rest.data[0] >= 'a'))
		return false;
	*ret_rest = rest;
	return tn_floor_is_name(rest);
}

static struct tn_str nearest(struct tn_str text)
{
	struct tn_str best = {NULL, 0};
	unsigned least = SLIP_MAX + 1;

	for (int i = 0; i < TN_WORD_COUNT && text.size <= WORD_MAX; i++) {
		struct tn_str word = tn_str_from(tn_floor_word_text((enum tn_floor_word)i));
		unsigned distance;

		if (tn_str_find_byte(word, '-') == TN_STR_NONE)
			continue;
		if (tn_str_starts(word, text))
			return word;
		distance = tn_near_distance(text, word);
		if (distance < least) {
			least = distance;
			best = word;
		}
	}
	return best;
}

static void advise(struct tn_str text, char *out, size_t size)
{
	struct tn_str rest, near;

	out[0] = '\0';
	for (size_t i = 0; i < TN_COUNT(directions); i++) {
		if (!split(text, tn_str_from(directions[i]), &rest))
			continue;
		(void)snprintf(out, size, "; write '%s %.*s'", directions[i], (int)rest.size,
			       rest.data);
		return;
	}
	near = nearest(text);
	if (near.data)
		(void)snprintf(out, size, "; did you mean '%.*s'?", (int)near.size, near.data);
}

void tn_parse_tell_hyphens(struct tn_floor_parser *p, uint32_t end)
{
	for (; p->hyphens < end; p->hyphens++) {
		const struct tn_floor_token *token = &p->lexed.tokens[p->hyphens];
		struct tn_str text;

		if (!token->hyphen)
			continue;
		text = tn_floor_token_text(&p->lexed, p->hyphens);
		(void)tn_floor_diagnose(p->list, 1014, &token->range,
					"the name '%.*s' has a hyphen; write _ instead",
					(int)(text.size > 60 ? 60 : text.size), text.data);
	}
}

bool tn_parse_expected_not_hyphen(struct tn_floor_parser *p, const char *what)
{
	struct tn_str text = tn_floor_token_text(&p->lexed, p->at);
	char advice[TN_FLOOR_NAME_BYTES_MAX + 40];

	if (p->told)
		return false;
	tn_parse_tell_hyphens(p, p->at);
	if (p->hyphens == p->at)
		p->hyphens++;
	advise(text, advice, sizeof(advice));
	return tn_parse_fault(p, 1005, &tn_parse_here(p)->range, "expected %s, found '%.*s'%s%s",
			      what, (int)(text.size > 60 ? 60 : text.size), text.data,
			      text.size > 60 ? "..." : "", advice);
}
