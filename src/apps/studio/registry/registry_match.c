#include "apps/studio/registry/registry.h"

#include <stdio.h>

#include "base/near.h"

/* What a kind of likeness is worth (6.2): each kind counts more than all below it together. */
enum {
	EQUAL_SEGMENT = 3000, /* or the usual abbreviation: "vnet" */
	SUBSTRING = 1200,
	PREFIX = 500,
	DISTANCE = 400,
	WORD = 90,
	DESCRIPTION = 20,
	WORDS_MAX = 8,
	PREFIX_MIN = 3,
	DISTANCE_MAX = 3
};

static char plain(char c)
{
	return c == '_' || c == ' ' ? '-' : tn_to_lower(c);
}

static bool equal(struct tn_str a, struct tn_str b)
{
	if (a.size != b.size)
		return false;
	for (size_t i = 0; i < a.size; i++) {
		if (plain(a.data[i]) != plain(b.data[i]))
			return false;
	}
	return true;
}

static bool contains(struct tn_str text, struct tn_str part)
{
	for (size_t i = 0; part.size > 0 && i + part.size <= text.size; i++) {
		if (equal(tn_str(text.data + i, part.size), part))
			return true;
	}
	return false;
}

static struct tn_str last_segment(struct tn_str id)
{
	size_t start = id.size;

	while (start > 0 && id.data[start - 1] != '/')
		start--;
	return tn_str_from_offset(id, start);
}

static unsigned common_prefix(struct tn_str a, struct tn_str b)
{
	unsigned length = 0;

	while (length < a.size && length < b.size && plain(a.data[length]) == plain(b.data[length]))
		length++;
	return length;
}

static bool next_word(struct tn_str *rest, struct tn_str *ret)
{
	size_t start = 0, end;

	while (start < rest->size && strchr("/_- ", rest->data[start]))
		start++;
	end = start;
	while (end < rest->size && !strchr("/_- ", rest->data[end]))
		end++;
	*ret = tn_str(rest->data + start, end - start);
	*rest = tn_str_from_offset(*rest, end);
	return ret->size > 0;
}

static bool has_word(struct tn_str text, struct tn_str word)
{
	struct tn_str own;

	while (next_word(&text, &own)) {
		if (equal(own, word))
			return true;
	}
	return false;
}

/* Words of the search that the id or the name has; the provider's says nothing. */
static unsigned shared_words(const struct tn_studio_type *type, struct tn_str search)
{
	unsigned shared = 0;
	struct tn_str word;

	for (unsigned i = 0; i < WORDS_MAX && next_word(&search, &word); i++) {
		if (word.size >= PREFIX_MIN && !equal(word, type->provider_id) &&
		    (has_word(type->id, word) || has_word(type->display_name, word)))
			shared++;
	}
	return shared;
}

static unsigned near_score(struct tn_str wanted, struct tn_str own)
{
	unsigned prefix = common_prefix(wanted, own);
	unsigned distance = tn_near_distance(wanted, own);
	unsigned score = 0;

	if (prefix >= PREFIX_MIN)
		score += PREFIX + 4 * prefix;
	/* Of a short word, three changed letters leave nothing. */
	if (distance <= DISTANCE_MAX && distance * 2 < own.size)
		score += DISTANCE - 80 * distance;
	return score;
}

unsigned tn_studio_match_score(const struct tn_studio_type *type, struct tn_str search)
{
	struct tn_str wanted, own = last_segment(type->id), short_name = {NULL, 0};
	unsigned score = 0;

	search = tn_str_trim(search);
	wanted = last_segment(search);
	if (search.size > 200 || search.size == 0)
		return 0;
	(void)tn_json_to_str(tn_json_get(type->naming, "abbreviation"), &short_name);
	if (equal(wanted, own) || (short_name.size > 0 && equal(wanted, short_name)))
		score += EQUAL_SEGMENT;
	if (wanted.size >= 2 &&
	    (contains(type->id, wanted) || contains(type->display_name, wanted)))
		score += SUBSTRING;
	if (contains(type->id, search))
		score += SUBSTRING / 2;
	score += near_score(wanted, own) + WORD * shared_words(type, search);
	if (wanted.size >= PREFIX_MIN && contains(type->description, wanted))
		score += DESCRIPTION;
	/* A common beginning with the provider and the category breaks ties. */
	return score > 0 ? score + common_prefix(search, type->id) : 0;
}

bool tn_studio_fail_unknown_type(struct tn_studio_fault *fault,
				 const struct tn_studio_registry *registry, struct tn_str type_id)
{
	const struct tn_studio_type *best[TN_STUDIO_SUGGESTIONS_MAX];
	unsigned scores[TN_STUDIO_SUGGESTIONS_MAX];
	int shown = (int)(type_id.size < 200 ? type_id.size : 200);
	size_t count = 0;

	(void)tn_studio_fail(fault, "UNKNOWN_RESOURCE_TYPE", "'%.*s' is not in the registry.",
			     shown, type_id.data);
	if (fault) {
		fault->value = tn_str(type_id.data, (size_t)shown);
		fault->compared = true;
	}
	for (size_t i = 0; i < registry->type_count; i++) {
		unsigned score = tn_studio_match_score(registry->types[i], type_id);
		size_t at = count;

		if (score == 0)
			continue;
		while (at > 0 && scores[at - 1] < score)
			at--;
		if (at == TN_STUDIO_SUGGESTIONS_MAX)
			continue;
		if (count < TN_STUDIO_SUGGESTIONS_MAX)
			count++;
		for (size_t j = count - 1; j > at; j--) {
			best[j] = best[j - 1];
			scores[j] = scores[j - 1];
		}
		best[at] = registry->types[i];
		scores[at] = score;
	}
	for (size_t i = 0; i < count; i++)
		tn_studio_fault_suggest(fault, best[i]->id);
	return false;
}
