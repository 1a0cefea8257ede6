#include "apps/plan/explain/score.h"

#include "apps/plan/explain/vocabulary.h"

static const struct tn_str start = {"Summary: ", 9};
static const struct tn_str unit = {" change", 7};

bool tn_plan_read_summary(struct tn_str answer, uint64_t *ret_number, bool *ret_format)
{
	uint64_t number = 0;
	bool fits = true;
	size_t at = start.size;
	bool format;

	if (tn_str_starts(answer, start))
		for (; at < answer.size && tn_is_digit(answer.data[at]); at++) {
			uint64_t digit = (uint64_t)(answer.data[at] - '0');

			fits = fits && !__builtin_mul_overflow(number, 10, &number) &&
			       !__builtin_add_overflow(number, digit, &number);
		}
	format = at > start.size && tn_str_starts(tn_str_from_offset(answer, at), unit);
	if (ret_format)
		*ret_format = format;
	if (!format || !fits)
		return false;
	*ret_number = number;
	return true;
}

static size_t count_newlines(struct tn_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n';
	return count;
}

static bool is_word_byte(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The words as they stand, a plural "s" allowed: "disks" names a disk, "diskette" does not. */
static bool names_noun_at(struct tn_str text, size_t at, struct tn_str noun)
{
	size_t end = at + noun.size;

	if (end > text.size || !tn_str_equal_nocase(tn_str(text.data + at, noun.size), noun))
		return false;
	if (end < text.size && tn_to_lower(text.data[end]) == 's')
		end++;
	return end == text.size || !is_word_byte(text.data[end]);
}

static bool names_any_noun_at(struct tn_str text, size_t at)
{
	size_t count;
	const struct tn_plan_type *types = tn_plan_types(&count);

	for (size_t i = 0; i < count; i++)
		if (tn_to_lower(types[i].noun[0]) == tn_to_lower(text.data[at]) &&
		    names_noun_at(text, at, tn_str_from(types[i].noun)))
			return true;
	return false;
}

static bool names_infrastructure(struct tn_str text)
{
	for (size_t at = 0; at < text.size; at++)
		if (is_word_byte(text.data[at]) && (at == 0 || !is_word_byte(text.data[at - 1])) &&
		    names_any_noun_at(text, at))
			return true;
	return false;
}

struct tn_plan_score tn_plan_score(struct tn_str answer, uint64_t total_changes, bool count_only,
				   enum tn_plan_score_profile profile)
{
	struct tn_plan_score score = {0};
	size_t newlines = count_newlines(answer);
	uint64_t number = 0;
	bool format;
	bool known = tn_plan_read_summary(answer, &number, &format);

	score.format = format ? 40 : 0;
	score.number = known && number == total_changes ? 30 : 0;
	if (profile == TN_PLAN_SCORE_DETAILED) {
		score.count_only = !count_only && newlines > 2 ? 20 : 0;
		score.brief = names_infrastructure(answer) ? 10 : 0;
	} else {
		score.count_only = count_only && newlines == 0 ? 20 : 0;
		score.brief = newlines <= 1 ? 10 : 0;
	}
	score.total = score.format + score.number + score.count_only + score.brief;
	score.passed = score.total >= TN_PLAN_SCORE_PASSING;
	return score;
}
