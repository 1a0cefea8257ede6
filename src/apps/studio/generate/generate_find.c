/* generate_find.c - what is asked of a generated configuration: addresses, lines, nodes. */
#include "apps/studio/generate/generate.h"

#include "apps/studio/limits.h"
#include "base/digest.h"

/* Without instance keys: a["x.y"].b[0] is a.b. */
static void strip_keys(struct tn_buf *out, struct tn_str address)
{
	bool quoted = false;
	unsigned depth = 0;
	for (size_t i = 0; i < address.size; i++) {
		char c = address.data[i];
		if (depth && c == '\\' && quoted) {
			i++;
			continue;
		}
		if (depth && c == '"')
			quoted = !quoted;
		if (!quoted && c == '[')
			depth++;
		if (depth == 0)
			tn_buf_append_byte(out, c);
		if (!quoted && depth && c == ']')
			depth--;
	}
}

const struct tn_studio_address *tn_studio_address_find(const struct tn_studio_generated *generated,
						       struct tn_str address)
{
	const struct tn_studio_address *found = NULL;
	size_t low = 0, high = generated->address_count;
	struct tn_buf plain;
	tn_buf_init(&plain, TN_STUDIO_RUN_LINE_BYTES_MAX);
	strip_keys(&plain, address);
	while (low < high && !found && !plain.failed) {
		size_t middle = low + (high - low) / 2;
		int order =
			tn_str_compare(generated->addresses[middle].address, tn_buf_str(&plain));
		if (order == 0)
			found = &generated->addresses[middle];
		else if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	tn_buf_finish(&plain);
	return found;
}

const struct tn_studio_place *tn_studio_place_find(const struct tn_studio_generated *generated,
						   struct tn_str file, unsigned line)
{
	const struct tn_studio_place *best = NULL;
	for (size_t i = 0; i < generated->place_count; i++) {
		const struct tn_studio_place *one = &generated->places[i];
		if (line < one->first_line || line > one->last_line ||
		    !tn_str_equal(one->file, file))
			continue;
		if (!best || one->last_line - one->first_line <= best->last_line - best->first_line)
			best = one;
	}
	return best;
}

/* Blocks, and values of variables: what is written for this node and no other. */
static bool counts(const struct tn_studio_place *place)
{
	return place->address.size ? place->property.size == 0
				   : tn_str_is(place->file, "terraform.tfvars");
}

void tn_studio_node_digest(const struct tn_studio_generated *generated,
			   const struct tn_studio_node *node, char ret_hex[65])
{
	struct tn_buf text;
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	const struct tn_studio_place *place =
		node->order < generated->node_count ? generated->first_of[node->order] : NULL;
	for (; place; place = place->next_of_node) {
		if (counts(place))
			tn_buf_append_str(&text, place->text);
	}
	tn_digest_hex(tn_buf_str(&text), ret_hex);
	tn_buf_finish(&text);
}
