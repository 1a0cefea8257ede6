#include "apps/studio/document/node_name.h"

#include <stdio.h>

#include "apps/studio/limits.h"

enum { ONE_BY_ONE = 64 };

static const struct tn_str self = {"{self}", 6}, numbered_by = {"{index}", 7};

static bool is_letter_or_digit(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c);
}

/* Lower case; runs of everything else become one `between`, none at the ends. Returns the size. */
static size_t squeeze(struct tn_str text, char between, char *out, size_t size)
{
	bool due = false;
	size_t used = 0;

	for (size_t i = 0; i < text.size && used + 1 < size; i++) {
		if (!is_letter_or_digit(text.data[i])) {
			due = used > 0;
			continue;
		}
		if (due && used + 2 < size)
			out[used++] = between;
		due = false;
		out[used++] = tn_to_lower(text.data[i]);
	}
	out[used] = '\0';
	return used;
}

static struct tn_str last_segment(struct tn_str type_id)
{
	size_t at = type_id.size;

	while (at > 0 && type_id.data[at - 1] != '/')
		at--;
	return tn_str_from_offset(type_id, at);
}

static void put_first(char out[TN_STUDIO_NAME_SIZE])
{
	size_t size = strlen(out);

	if (!tn_is_digit(out[0]))
		return;
	if (size + 1 >= TN_STUDIO_NAME_SIZE)
		size--;
	memmove(out + 1, out, size);
	out[0] = '_';
	out[size + 1] = '\0';
}

struct numbered { /* base, base_2, base_3, ... */
	const char *base;
	bool (*taken)(const void *data, struct tn_str name);
	const void *data;
	char *out; /* the last that was looked at */
};

static bool is_taken(const struct numbered *names, unsigned n)
{
	char ending[16];
	int size = snprintf(ending, sizeof(ending), "_%u", n);

	(void)snprintf(names->out, TN_STUDIO_NAME_SIZE, "%.*s%s", TN_STUDIO_NAME_SIZE - 1 - size,
		       names->base, ending);
	return names->taken(names->data, tn_str_from(names->out));
}

/* The first that is free, if there are few; of thousands one that follows a taken one, without
 * looking at each. */
static void find_free(const struct numbered *names)
{
	unsigned taken = 1, free;

	for (free = 2; is_taken(names, free); free = free < ONE_BY_ONE ? free + 1 : 2 * free)
		taken = free;
	while (free - taken > 1) {
		unsigned middle = taken + (free - taken) / 2;

		if (is_taken(names, middle))
			taken = middle;
		else
			free = middle;
	}
	(void)is_taken(names, free); /* its name stands in `out` */
}

void tn_studio_derive_name(struct tn_str label, struct tn_str type_id,
			   bool (*taken)(const void *data, struct tn_str name), const void *data,
			   char out[TN_STUDIO_NAME_SIZE])
{
	char base[TN_STUDIO_NAME_SIZE];

	if (squeeze(label, '_', out, TN_STUDIO_NAME_SIZE) == 0 &&
	    squeeze(last_segment(type_id), '_', out, TN_STUDIO_NAME_SIZE) == 0)
		(void)snprintf(out, TN_STUDIO_NAME_SIZE, "node");
	put_first(out);
	(void)snprintf(base, sizeof(base), "%s", out);
	if (taken(data, tn_str_from(out)))
		find_free(&(struct numbered){base, taken, data, out});
}

void tn_studio_derive_own(struct tn_str terraform_name, struct tn_str type_id,
			  bool (*taken)(const void *data, struct tn_str own), const void *data,
			  char out[TN_STUDIO_NAME_SIZE])
{
	struct tn_str segment = last_segment(type_id);
	char longer[2 * TN_STUDIO_NAME_SIZE + 1];

	(void)snprintf(out, TN_STUDIO_NAME_SIZE, "%.*s", (int)terraform_name.size,
		       terraform_name.data);
	if (!taken(data, terraform_name))
		return;
	(void)snprintf(
		longer, sizeof(longer), "%.*s_%.*s",
		(int)(segment.size < TN_STUDIO_NAME_SIZE ? segment.size : TN_STUDIO_NAME_SIZE),
		segment.data, (int)terraform_name.size, terraform_name.data);
	tn_studio_derive_name(tn_str_from(longer), type_id, taken, data, out);
}

/* ---- addresses ---- */

void tn_studio_address_key(struct tn_str terraform_type, struct tn_str name,
			   char out[TN_STUDIO_ADDRESS_SIZE])
{
	struct tn_str parts[] = {name, TN_STR("."), terraform_type};
	size_t used = 0;

	for (int i = 0; i < 3; i++) {
		size_t room = TN_STUDIO_ADDRESS_SIZE - 1 - used;
		size_t size = parts[i].size < room ? parts[i].size : room;

		if (size > 0)
			memcpy(out + used, parts[i].data, size);
		used += size;
	}
	out[used] = '\0';
}

bool tn_studio_address_at(const struct tn_studio_type *type, struct tn_str type_id,
			  struct tn_str name, size_t at, char out[TN_STUDIO_ADDRESS_SIZE])
{
	struct tn_str terraform = type ? tn_studio_type_makes(type, at) : tn_str("", 0);

	if (terraform.size == 0 && (at > 0 || (type && type->no_primary)))
		return false;
	tn_studio_address_key(terraform.size > 0 ? terraform : type_id, name, out);
	return true;
}

void tn_studio_put_extra_name(struct tn_buf *out, struct tn_str pattern, struct tn_str own,
			      size_t index)
{
	while (pattern.size > 0) {
		size_t size = 1;

		if (tn_str_starts(pattern, self)) {
			tn_buf_append_str(out, own);
			size = self.size;
		} else if (tn_str_starts(pattern, numbered_by)) {
			tn_buf_append_uint(out, index);
			size = numbered_by.size;
		} else {
			tn_buf_append_byte(out, pattern.data[0]);
		}
		pattern = tn_str_from_offset(pattern, size);
	}
}

static struct tn_str without_digits(struct tn_str name)
{
	while (name.size > 0 && tn_is_digit(name.data[name.size - 1]))
		name.size--;
	return name;
}

bool tn_studio_self_of(struct tn_str pattern, struct tn_str name, struct tn_str *ret_own)
{
	size_t at = tn_str_find(pattern, self);
	struct tn_str before, after;

	if (at == TN_STR_NONE)
		return false;
	before = tn_str(pattern.data, at);
	after = tn_str_from_offset(pattern, at + self.size);
	if (tn_str_ends(after, numbered_by)) {
		after.size -= numbered_by.size;
		name = without_digits(name);
	}
	if (name.size <= before.size + after.size || !tn_str_starts(name, before) ||
	    !tn_str_ends(name, after))
		return false;
	*ret_own = tn_str(name.data + before.size, name.size - before.size - after.size);
	return true;
}

/* ---- labels ---- */

size_t tn_studio_characters(struct tn_str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += (text.data[i] & 0xc0) != 0x80;
	return count;
}

struct tn_str tn_studio_cut_label(struct tn_str label)
{
	size_t count = 0, i = 0;

	for (; i < label.size; i++) {
		if ((label.data[i] & 0xc0) != 0x80 && count++ == TN_STUDIO_LABEL_CHARACTERS_MAX)
			break;
	}
	return tn_str(label.data, i);
}

void tn_studio_derive_slug(struct tn_str label, char *out, size_t size)
{
	(void)squeeze(label, '-', out, size);
}

void tn_studio_derive_plain_name(const struct tn_studio_type *type, struct tn_str terraform_name,
				 char *out, size_t size)
{
	bool lowercase = false, no_hyphens = false;
	int64_t max = (int64_t)size - 1;
	struct tn_str ending = {NULL, 0};
	size_t used = 0;

	(void)tn_json_to_bool(tn_json_get(type->naming, "lowercase"), &lowercase);
	(void)tn_json_to_bool(tn_json_get(type->naming, "noHyphens"), &no_hyphens);
	(void)tn_json_to_int(tn_json_get(type->naming, "maxLength"), &max);
	(void)tn_json_to_str(tn_json_get(type->naming, "ending"), &ending);
	if (ending.size >= size)
		ending.size = 0;
	size -= ending.size;
	max -= (int64_t)ending.size;
	for (size_t i = 0; i < terraform_name.size && used + 1 < size && (int64_t)used < max; i++) {
		char c = terraform_name.data[i] == '_' ? '-' : terraform_name.data[i];

		if (c == '-' && (no_hyphens || used == 0))
			continue;
		out[used++] = lowercase ? tn_to_lower(c) : c;
	}
	while (used > 0 && out[used - 1] == '-')
		used--; /* cut in the middle of two words */
	for (size_t i = 0; i < ending.size; i++)
		out[used++] = ending.data[i];
	out[used] = '\0';
}
