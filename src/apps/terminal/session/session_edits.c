/* What is shown in place of parts of the stream: a command for the line that handed it over, a
 * sentence for what a full-screen program drew. */
#include "apps/terminal/session/session.h"

#include <stdio.h>
#include <string.h>

#include "apps/terminal/limits.h"

/* Edits of what the spool has given up go with it. When there are too many all the same, the oldest
 * go: what was echoed there is shown as it was. */
static void drop_edits(struct tn_term_session *s)
{
	uint64_t begin = s->spool ? tn_spool_begin(s->spool) : 0;
	bool full = s->edit_count >= TN_TERM_EDITS_MAX || s->edit_bytes >= TN_TERM_EDIT_BYTES_MAX;
	size_t gone = full ? (s->edit_count + 3) / 4 : 0;

	while (gone < s->edit_count && s->edits[gone].to <= begin)
		gone++;
	if (!gone)
		return;
	for (size_t i = 0; i < gone; i++) {
		s->edit_bytes -= s->edits[i].text.size;
		tn_mem_free((char *)s->edits[i].text.data);
	}
	s->edit_count -= gone;
	memmove(s->edits, s->edits + gone, s->edit_count * sizeof(*s->edits));
}

void tn_term_session_add_edit(struct tn_term_session *s, const struct tn_output_edit *edit)
{
	struct tn_output_edit *edits;
	char *copy;

	if (edit->from >= edit->to ||
	    (s->edit_count && s->edits[s->edit_count - 1].to > edit->from))
		return; /* seen before: a replay */
	if (s->edit_count == s->edit_room || s->edit_bytes >= TN_TERM_EDIT_BYTES_MAX)
		drop_edits(s);
	edits = s->edits;
	if (s->edit_count == s->edit_room) {
		size_t room = s->edit_room ? 2 * s->edit_room : 16;

		edits = tn_mem_resize(edits, room * sizeof(*edits));
		if (!edits)
			return; /* the echo is shown as it was */
		s->edits = edits;
		s->edit_room = room;
	}
	copy = tn_mem_copy_text(edit->text.data ? edit->text.data : "", edit->text.size);
	if (!copy)
		return;
	edits[s->edit_count] = *edit;
	edits[s->edit_count].text = tn_str(copy, edit->text.size);
	s->edit_bytes += edit->text.size;
	tn_journal_edit(s, &edits[s->edit_count++]);
}

/* "18 342" */
static void format_count(uint64_t count, char out[32])
{
	char digits[24];
	int size = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
	size_t used = 0;

	for (int i = 0; i < size; i++) {
		if (i && (size - i) % 3 == 0)
			out[used++] = ' ';
		out[used++] = digits[i];
	}
	out[used] = '\0';
}

static void put_full_screen(const struct tn_term_session *s, uint64_t to, char out[256])
{
	char count[32];

	format_count(to - s->alternate_from, count);
	(void)snprintf(out, 256,
		       "[full-screen program \"%s\": %s bytes not shown \xE2\x80\x93 use "
		       "get_screen]\r\n",
		       s->alternate_program[0] ? s->alternate_program : "unknown", count);
}

void tn_term_session_end_alternate(struct tn_term_session *s, uint64_t at)
{
	char text[256];

	if (s->alternate_from == UINT64_MAX)
		return;
	put_full_screen(s, at, text);
	tn_term_session_add_edit(s, &(struct tn_output_edit){.from = s->alternate_from,
							     .to = at,
							     .text = tn_str_from(text),
							     .frames = true});
	s->alternate_from = UINT64_MAX;
}

uint64_t tn_term_session_ahead(const struct tn_term_session *s)
{
	uint64_t end = tn_spool_end(s->spool);

	return end > s->offset ? end - s->offset : 0;
}

enum tenon_code tn_term_session_edits(const struct tn_term_session *s, bool echo,
				      struct tn_arena *arena, struct tn_output_source *source,
				      struct tenon_error *err)
{
	bool full_screen = s->alternate_from != UINT64_MAX && s->offset > s->alternate_from;
	bool as_they_are = echo && !full_screen;
	size_t count = s->edit_count;
	struct tn_output_edit *edits =
		as_they_are ? s->edits : tn_arena_alloc_array(arena, count + 1, sizeof(*edits));
	char text[256];

	if (!edits && !as_they_are)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (count && !as_they_are)
		memcpy(edits, s->edits, count * sizeof(*edits));
	for (size_t i = 0; i < count && !echo; i++)
		edits[i].text = tn_str("", 0);
	if (full_screen) {
		put_full_screen(s, s->offset, text);
		edits[count].from = s->alternate_from;
		edits[count].to = s->offset;
		edits[count].frames = true;
		edits[count].text = tn_str(tn_arena_copy(arena, tn_str_from(text)), strlen(text));
		if (!edits[count].text.data)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		count++;
	}
	*source = (struct tn_output_source){.spool = s->spool,
					    .ahead = tn_term_session_ahead(s),
					    .nonce = s->nonce,
					    .edits = edits,
					    .edit_count = count,
					    .columns = s->columns,
					    .rows = s->rows,
					    .epoch = s->epoch};
	return TENON_OK;
}
