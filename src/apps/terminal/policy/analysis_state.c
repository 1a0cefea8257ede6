/* analysis_state.c - what the analysis has spent, what it could not see, which names it has learnt;
 * and what all ask of a word. */
#include "apps/terminal/policy/internal.h"

#include "apps/terminal/limits.h"
#include "base/mem.h"

/* Work is counted in bytes read; commands and words cost what judging them does. So much of it
 * holds the loop for about 20 ms. */
enum { NAMES_MAX = 1024, WORK_MAX = 320 * 1024 };

void *tn_analysis_alloc(struct tn_analyser *a, size_t count, size_t size)
{
	void *memory = a->starved ? NULL : tn_arena_alloc_array(a->arena, count ? count : 1, size);

	a->starved = a->starved || !memory;
	return memory;
}

void tn_analysis_opaque(struct tn_analyser *a, const char *because)
{
	if (!a->opaque)
		a->opaque_because = tn_str_from(because);
	a->opaque = true;
}

void tn_analysis_hidden(struct tn_analyser *a, const char *because)
{
	if (!a->hidden)
		a->hidden_because = tn_str_from(because);
	a->hidden = true;
}

void tn_analysis_hidden_at(struct tn_analyser *a, const char *because, struct tn_str what)
{
	char *text;

	if (a->hidden)
		return;
	text = tn_arena_format(a->arena, "%s, near \"%.*s\"", because, (int)what.size, what.data);
	tn_analysis_hidden(a, text ? text : because);
}

void tn_analysis_spend(struct tn_analyser *a, size_t work)
{
	a->work += work;
	if (a->work <= WORK_MAX || a->spent)
		return;
	a->spent = true;
	tn_analysis_hidden(a, "it is more than can be looked at");
}

bool tn_analysis_enter(struct tn_analyser *a, size_t work)
{
	tn_analysis_spend(a, work);
	if (tn_analysis_stopped(a))
		return false;
	if (a->depth >= TN_ANALYSIS_DEPTH_MAX) {
		tn_analysis_hidden(a, "it is nested too deeply");
		return false;
	}
	a->depth++;
	return true;
}

void tn_analysis_leave(struct tn_analyser *a)
{
	a->depth--;
}

void tn_analysis_push_word(struct tn_analyser *a, struct tn_str text, unsigned flags)
{
	struct tn_words *words = &a->words;

	if (words->count == words->capacity) {
		size_t capacity = words->capacity ? 2 * words->capacity : 64;
		struct tn_word *items = tn_mem_resize(words->items, capacity * sizeof(*items));

		if (!items) {
			a->starved = true;
			return;
		}
		words->items = items;
		words->capacity = capacity;
	}
	words->items[words->count++] = (struct tn_word){text, flags};
}

bool tn_analysis_is_one_of(struct tn_str text, const char *list)
{
	while (*list && text.size) {
		size_t same = 0;

		while (same < text.size && list[same] == text.data[same])
			same++;
		if (same == text.size && (list[same] == ' ' || list[same] == '\0'))
			return true;
		while (*list && *list != ' ')
			list++;
		list += *list == ' ';
	}
	return false;
}

void tn_analysis_learn(struct tn_analyser *a, struct tn_shell_name **list, struct tn_str name,
		       struct tn_str value)
{
	struct tn_shell_name *known = tn_analysis_lookup(*list, name);

	if (known && !known->busy && !known->is_known_before) {
		known->value = value;
		return;
	}
	if (a->name_count >= NAMES_MAX) {
		tn_analysis_hidden(a, "it sets more names than can be remembered");
		return;
	}
	a->name_count++;
	tn_analysis_shadow(a, list, name, value);
}

void tn_analysis_shadow(struct tn_analyser *a, struct tn_shell_name **list, struct tn_str name,
			struct tn_str value)
{
	struct tn_shell_name *made = tn_analysis_alloc(a, 1, sizeof(*made));

	if (!made)
		return;
	*made = (struct tn_shell_name){.next = *list, .name = name, .value = value};
	*list = made;
}

struct tn_shell_name *tn_analysis_lookup(struct tn_shell_name *list, struct tn_str name)
{
	while (list && !tn_str_equal(list->name, name))
		list = list->next;
	return list;
}

struct tn_str tn_base_name(struct tn_str path)
{
	size_t at = path.size;

	while (at > 0 && path.data[at - 1] != '/')
		at--;
	return tn_str_from_offset(path, at);
}

bool tn_run_word_is(const struct tn_run *run, size_t index, const char *text)
{
	return index < run->count && tn_str_is(run->words[index].text, text);
}
