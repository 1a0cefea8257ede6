#include "base/near.h"

enum { WORD_MAX = 64 };

static char plain(char c)
{
	return c == '_' ? '-' : tn_to_lower(c);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned tn_near_distance(struct tn_str a, struct tn_str b)
{
	/* The last three rows of the table that the textbook draws: a swap looks two back. */
	unsigned rows[3][WORD_MAX + 1];

	if (a.size > WORD_MAX || b.size > WORD_MAX)
		return TN_NEAR_NONE;
	for (size_t j = 0; j <= b.size; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a.size; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3];
		const unsigned *before = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b.size; j++) {
			bool same = plain(a.data[i - 1]) == plain(b.data[j - 1]);

			row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same);
			if (i > 1 && j > 1 && plain(a.data[i - 1]) == plain(b.data[j - 2]) &&
			    plain(a.data[i - 2]) == plain(b.data[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return rows[a.size % 3][b.size];
}

bool tn_near_is(struct tn_str word, struct tn_str known)
{
	size_t longer = word.size > known.size ? word.size : known.size;

	if (word.size >= 2 && word.size <= known.size &&
	    tn_str_equal_nocase(word, tn_str(known.data, word.size)))
		return true;
	return word.size > 0 && tn_near_distance(word, known) <= (longer + 2) / 3;
}

const char *tn_near_find(struct tn_str word, const char *const *known)
{
	const char *best = NULL;
	unsigned distance = TN_NEAR_NONE;

	for (; *known; known++) {
		struct tn_str name = tn_str_from(*known);
		unsigned d = tn_near_distance(word, name);

		if (d < distance && tn_near_is(word, name)) {
			distance = d;
			best = *known;
		}
	}
	return best;
}
