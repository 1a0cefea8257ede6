#include "apps/studio/status/ghost.h"

#include <string.h>

#include "apps/studio/document/geometry.h"
#include "apps/studio/status/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* What stays without memory is what was noted before. */
static void note_text(char **to, struct tn_str text)
{
	char *copy;

	if (*to && tn_str_is(text, *to))
		return;
	copy = tn_mem_copy_text(text.data ? text.data : "", text.size);
	if (!copy)
		return;
	tn_mem_free(*to);
	*to = copy;
}

static void note(struct tn_studio_record_look_of *look, const struct tn_studio_node *node)
{
	const struct tn_studio_rect rect = tn_studio_absolute_rect(node);

	note_text(&look->type_id, node->type_id);
	note_text(&look->label, node->label);
	note_text(&look->parent_id, node->parent_id);
	look->x = rect.x;
	look->y = rect.y;
	look->width = rect.width;
	look->height = rect.height;
}

bool tn_studio_ghosts_note(struct tn_studio_status *status,
			   const struct tn_studio_document *document)
{
	bool another = false;
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (status && tn_map_next(&status->entries, &cursor, &key, &value)) {
		struct tn_studio_record *entry = value;
		const struct tn_studio_node *node = tn_studio_node_find(document, key);
		bool ghost = !node && tn_studio_status_deployed(status, key, NULL);

		if (node)
			note(&entry->look, node);
		another = another || ghost != entry->is_ghost;
		entry->is_ghost = ghost;
	}
	return another;
}

static void put_ghost(struct tn_buf *out, const struct tn_studio_status *status, struct tn_str id,
		      const struct tn_studio_record *entry)
{
	const struct tn_studio_record_look_of *look = &entry->look;
	const char *address = entry->parts->address; /* something of it is deployed */
	const struct tn_studio_rect rect = {look->x, look->y,
					    look->width ? look->width : TN_STUDIO_LEAF_WIDTH,
					    look->height ? look->height : TN_STUDIO_LEAF_HEIGHT};

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "instanceId", id);
	tn_json_put_member_text(out, "typeId", look->type_id ? look->type_id : "");
	tn_json_put_member_text(out, "label", look->label ? look->label : address);
	if (look->parent_id && look->parent_id[0])
		tn_json_put_member_text(out, "parentId", look->parent_id);
	tn_json_put_key(out, "rect");
	tn_studio_put_rect(out, &rect);
	tn_json_put_key(out, "addresses");
	tn_json_begin_array(out);
	(void)tn_studio_status_deployed(status, id, out);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

void tn_studio_ghosts_put(struct tn_buf *out, const struct tn_studio_status *status,
			  const struct tn_studio_document *document)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	tn_json_begin_array(out);
	while (status && tn_map_next(&status->entries, &cursor, &key, &value)) {
		if (!tn_studio_node_find(document, key) &&
		    tn_studio_status_deployed(status, key, NULL))
			put_ghost(out, status, key, value);
	}
	tn_json_end_array(out);
}
