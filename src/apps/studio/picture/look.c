#include "apps/studio/picture/look.h"

#include "apps/studio/picture/internal.h"
#include "apps/studio/picture/sign_path.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- a type ---- */

enum { SIGN_BYTES_MAX = TN_STUDIO_SIGN_STEPS_MAX * 80 };

void tn_studio_type_put_look(struct tn_buf *out, const struct tn_studio_type *type)
{
	const struct tn_studio_node one = {.type = type};
	struct tn_buf sign;
	int32_t width, height;

	tn_buf_init(&sign, SIGN_BYTES_MAX);
	tn_studio_put_sign(&sign, type);
	tn_json_put_member_str(out, "sign", tn_buf_str(&sign));
	tn_buf_inherit_failure(out, &sign);
	tn_buf_finish(&sign);
	tn_json_put_member_int(out, "family", tn_studio_family_of(type));
	tn_studio_least_size(&one, &width, &height);
	tn_json_put_key(out, "minSize");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "width", width);
	tn_json_put_member_int(out, "height", height);
	tn_json_end_object(out);
	if (type->is_annotation && type->container)
		tn_json_put_member_bool(out, "transparent", true);
}

/* ---- colours ---- */

static void put_colour(struct tn_buf *out, const char *key, tn_colour colour)
{
	if (key)
		tn_json_put_key(out, key);
	if ((colour & 0xFF) == 0xFF)
		tn_buf_format(out, "\"#%06x\"", (unsigned)(colour >> 8));
	else
		tn_buf_format(out, "\"#%08x\"", (unsigned)colour);
}

static void put_plain(struct tn_buf *out, const struct tn_studio_colours *c)
{
	const struct {
		const char *key;
		tn_colour colour;
	} all[] = {
		{"page", c->page},
		{"card", c->card},
		{"border", c->border},
		{"shadow", c->shadow},
		{"text", c->text},
		{"quietText", c->quiet},
		{"note", c->note[0].paper},
		{"noteBorder", c->note[0].border},
		{"noteText", c->note_text},
		{"unknown", c->unknown},
		{"unknownBorder", c->unknown_border},
	};

	for (size_t i = 0; i < TN_COUNT(all); i++)
		put_colour(out, all[i].key, all[i].colour);
}

/* Of a family: lines and signs, behind a sign, and a container's frame, title bar and inside. */
static void put_family(struct tn_buf *out, const struct tn_studio_colours *c, tn_colour colour)
{
	tn_json_begin_object(out);
	put_colour(out, "line", colour);
	put_colour(out, "tile", tn_studio_mix(colour, c->card, c->tint));
	put_colour(out, "frame", tn_studio_mix(colour, c->page, TN_STUDIO_FRAME_PERCENT));
	put_colour(out, "title", tn_studio_mix(colour, c->page, c->tint + 1));
	put_colour(out, "inside", tn_studio_mix(colour, c->page, c->wash));
	tn_json_end_object(out);
}

static const char *const family_names[TN_STUDIO_FAMILIES] = {
	"core",      "network",  "compute",  "database", "storage",    "containers",
	"messaging", "security", "identity", "web",      "monitoring", "ai"};
static const char *const status_names[] = {"pending", "creating", "updating",
					   "created", "failed",   "destroyed"};
static const char *const action_names[TN_STUDIO_ACTIONS] = {"create", "update", "replace",
							    "delete", "read",   "no-op"};
static const char *const severity_names[] = {"error", "warning", "info"};

static void put_theme(struct tn_buf *out, const char *key, const struct tn_studio_colours *c)
{
	tn_json_put_key(out, key);
	tn_json_begin_object(out);
	put_plain(out, c);
	tn_json_put_key(out, "families");
	tn_json_begin_array(out);
	for (size_t i = 0; i < TN_STUDIO_FAMILIES; i++)
		put_family(out, c, c->family[i]);
	tn_json_end_array(out);
	tn_json_put_key(out, "notes");
	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_STUDIO_NOTE_COLOURS; i++) {
		tn_json_put_key(out, c->note[i].name);
		tn_json_begin_object(out);
		put_colour(out, "note", c->note[i].paper);
		put_colour(out, "noteBorder", c->note[i].border);
		tn_json_end_object(out);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "statuses");
	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_COUNT(status_names); i++)
		put_colour(out, status_names[i],
			   tn_studio_status_colour(c, tn_str_from(status_names[i])));
	tn_json_end_object(out);
	tn_json_put_key(out, "actions");
	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_STUDIO_ACTIONS; i++)
		put_colour(out, action_names[i], c->action[i]);
	tn_json_end_object(out);
	tn_json_put_key(out, "severities");
	tn_json_begin_object(out);
	for (size_t i = 0; i < TN_COUNT(severity_names); i++)
		put_colour(out, severity_names[i], c->severity[i]);
	tn_json_end_object(out);
	tn_json_put_key(out, "edges");
	tn_json_begin_object(out);
	put_colour(out, "structural", c->edge);
	put_colour(out, "binding", c->binding);
	put_colour(out, "reference", c->edge_quiet);
	put_colour(out, "annotation", c->edge_quiet);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

void tn_studio_look_put(struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "families");
	tn_json_begin_array(out);
	for (size_t i = 0; i < TN_STUDIO_FAMILIES; i++)
		tn_json_put_text(out, family_names[i]);
	tn_json_end_array(out);
	put_theme(out, "light", tn_studio_colours_of(TN_STUDIO_LIGHT));
	put_theme(out, "dark", tn_studio_colours_of(TN_STUDIO_DARK));
	tn_json_end_object(out);
}
