/* generate_hcl: the configuration as Terraform files (FR-22). */
#include <string.h>

#include "apps/studio/mcp/aside.h"
#include "apps/studio/mcp/tools.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fit.h"

enum { TRIES_MAX = 5 }; /* while others go on editing */

static bool is_wanted(const struct tn_json *names, struct tn_str name)
{
	for (const struct tn_json *at = names ? names->first : NULL; at; at = at->next) {
		if (tn_str_equal(at->text, name))
			return true;
	}
	return !names;
}

static bool check_names(const struct tn_json *names, const struct tn_studio_generated *generated,
			struct tn_studio_fault *fault)
{
	for (const struct tn_json *at = names ? names->first : NULL; at; at = at->next) {
		bool found = false;

		for (size_t i = 0; i < generated->file_count && !found; i++)
			found = tn_str_equal(generated->files[i].name, at->text);
		if (found)
			continue;
		(void)tn_studio_fail(fault, "NOT_FOUND", "no file '%.*s' is generated",
				     (int)at->text.size, at->text.data);
		for (size_t i = 0; i < generated->file_count; i++)
			tn_studio_fault_suggest(fault, generated->files[i].name);
		return false;
	}
	return true;
}

static void put_files(struct tn_studio_turn *turn, const struct tn_json *names,
		      const struct tn_studio_generated *generated)
{
	tn_json_put_key(&turn->result, "files");
	tn_json_begin_object(&turn->result);
	for (size_t i = 0; i < generated->file_count; i++) {
		const struct tn_studio_file *file = &generated->files[i];

		if (!is_wanted(names, file->name))
			continue;
		tn_json_put_key_str(&turn->result, file->name);
		tn_json_put_str(&turn->result, file->text);
		tn_buf_append_text(&turn->text, "# ");
		tn_buf_append_str(&turn->text, file->name);
		tn_buf_append_text(&turn->text, "\n\n");
		tn_buf_append_str(&turn->text, file->text);
		tn_buf_append_byte(&turn->text, '\n');
	}
	tn_json_end_object(&turn->result);
}

static bool write_files(struct tn_studio_turn *turn, struct tn_studio_project *project,
			struct tenon_call *call, const struct tn_studio_generated *generated)
{
	bool overwrite = false;

	(void)tenon_call_bool(call, "overwrite", &overwrite);
	if (project) {
		project->written_revision = tn_studio_project_revision(turn->act.project);
		return tn_studio_project_write(project, generated, overwrite, &turn->result,
					       &turn->fault);
	}
	tn_json_put_member_raw(&turn->result, "written", TN_STR("[]"));
	tn_json_put_member_raw(&turn->result, "unchanged", TN_STR("[]"));
	tn_json_put_member_raw(&turn->result, "removed", TN_STR("[]"));
	return true;
}

/* "# written: main.tf, variables.tf" */
static void say_names(struct tn_buf *text, const struct tn_json *names)
{
	if (!tn_json_is(names, TN_JSON_ARRAY) || !names->first)
		return;
	tn_buf_append_text(text, "# ");
	tn_buf_append_str(text, names->key);
	for (const struct tn_json *at = names->first; at; at = at->next) {
		tn_buf_append_text(text, at == names->first ? ": " : ", ");
		tn_utf8_put_line(text, at->text);
	}
	tn_buf_append_byte(text, '\n');
}

/* What else the result says, for those who read the text only (hosts.md HO-001): what was written
 * stands in it from `start` on, behind a comma. */
static void say(struct tn_studio_turn *turn, const struct tn_studio_diagnostics *list, size_t start)
{
	struct tn_json *written = NULL;
	struct tn_buf object;

	tn_buf_init(&object, TN_MIB);
	tn_buf_append_byte(&object, '{');
	if (start < turn->result.size && !turn->result.failed)
		tn_buf_append(&object, turn->result.data + start + 1,
			      turn->result.size - start - 1);
	tn_buf_append_byte(&object, '}');
	if (!object.failed &&
	    tn_json_parse_copy(&turn->arena, tn_buf_str(&object), &written, NULL) == TENON_OK) {
		for (const struct tn_json *at = written->first; at; at = at->next)
			say_names(&turn->text, at);
	}
	tn_buf_finish(&object);
	for (const struct tn_studio_diagnostic *at = list->first; at; at = at->next) {
		tn_buf_append_text(&turn->text, "# ");
		tn_studio_say_diagnostic(&turn->text, at);
	}
}

/* SC-103: of the project as it is now; one that was closed meanwhile has none. */
static void put_others(struct tn_studio_turn *turn, const char *id,
		       const struct tn_studio_generated *generated)
{
	struct tn_studio_project *project = tn_studio_project_find(turn->door->projects, id, NULL);
	struct tn_buf others;

	if (!project)
		return;
	tn_buf_init(&others, TN_MIB);
	tn_studio_project_put_others(project, generated, &others);
	if (others.size > 2 && !others.failed)
		tn_json_put_member_raw(&turn->result, "others", tn_buf_str(&others));
	tn_buf_finish(&others);
}

/* SC-023: places stand by file, then line; an attribute lies within its block. */
static void put_map(struct tn_buf *out, const struct tn_json *names,
		    const struct tn_studio_generated *generated)
{
	tn_json_put_key(out, "map");
	tn_json_begin_object(out);
	for (size_t i = 0; i < generated->place_count; i++) {
		const struct tn_studio_place *place = &generated->places[i];
		bool first = i == 0 || !tn_str_equal(place[-1].file, place->file);
		bool last = i + 1 == generated->place_count ||
			    !tn_str_equal(place[1].file, place->file);

		if (!is_wanted(names, place->file))
			continue;
		if (first) {
			tn_json_put_key_str(out, place->file);
			tn_json_begin_array(out);
		}
		tn_json_begin_object(out);
		tn_json_put_member_int(out, "from", place->first_line);
		tn_json_put_member_int(out, "to", place->last_line);
		if (place->node)
			tn_json_put_member_str(out, "instanceId", place->node->id);
		if (place->property.size > 0)
			tn_json_put_member_str(out, "property", place->property);
		tn_json_end_object(out);
		if (last)
			tn_json_end_array(out);
	}
	tn_json_end_object(out);
}

/* ---- aside ---- */

struct generating {
	const struct tn_json *names; /* NULL: all */
	bool map;
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	unsigned tries;
};

static bool generate(struct tn_studio_aside *aside)
{
	struct generating *generating = aside->data;
	const struct tn_studio_project *project = aside->frozen;
	struct tn_studio_turn *turn = &aside->turn;
	const struct tn_studio_check_options check = {.deployed = tn_studio_status_deployed,
						      .status = project->status};

	if (!tn_studio_generate_project(project, &turn->arena, &check, &generating->list,
					&generating->generated))
		return tn_studio_fail_memory(&turn->fault);
	if (!check_names(generating->names, &generating->generated, &turn->fault))
		return false;
	put_files(turn, generating->names, &generating->generated);
	if (generating->map)
		put_map(&turn->result, generating->names, &generating->generated);
	return true;
}

static void begin(struct tenon_call *call, struct tn_studio_door *door,
		  struct tn_studio_project *project, unsigned tries);

/* `project`: where it is written; NULL: nowhere. */
static bool finish(struct tenon_call *call, struct tn_studio_aside *aside,
		   struct tn_studio_project *project)
{
	const struct generating *generating = aside->data;
	struct tn_studio_turn *turn = &aside->turn;
	size_t start = turn->result.size;

	if (!aside->good || !write_files(turn, project, call, &generating->generated))
		return false;
	say(turn, &generating->list, start);
	put_others(turn, aside->frozen->id, &generating->generated);
	if (tn_call_says_all(call))
		tn_buf_format(&turn->text, "# revision %llu, digest %.*s\n",
			      (unsigned long long)tn_studio_project_revision(aside->frozen),
			      (int)generating->generated.digest.size,
			      generating->generated.digest.data);
	tn_json_put_key(&turn->result, "diagnostics");
	tn_studio_diagnostics_put(&turn->result, &generating->list);
	tn_json_put_member_str(&turn->result, "digest", generating->generated.digest);
	tn_json_put_member_int(&turn->result, "revision",
			       (int64_t)tn_studio_project_revision(aside->frozen));
	tn_json_end_object(&turn->result);
	return true;
}

/* What is written is the newest, unless others go on and on: but older files never come over newer
 * ones. */
static bool is_behind(const struct generating *generating, const struct tn_studio_project *project,
		      const struct tn_studio_project *frozen)
{
	if (generating->tries < TRIES_MAX)
		return tn_studio_project_revision(project) != frozen->frozen_revision;
	return project->written_revision > frozen->frozen_revision;
}

static void generated(struct tenon_call *call, struct tn_studio_aside *aside)
{
	const struct generating *generating = aside->data;
	struct tn_studio_project *project = NULL;
	struct tn_studio_turn *turn = &aside->turn;
	bool write = true, good = true;

	(void)tenon_call_bool(call, "write", &write);
	if (write) {
		project = tn_studio_project_find(turn->door->projects, aside->frozen->id,
						 &turn->fault);
		good = project != NULL;
	}
	if (good && project && is_behind(generating, project, aside->frozen)) {
		begin(call, turn->door, project, generating->tries + 1);
		return;
	}
	if (good && finish(call, aside, project))
		tn_studio_reply(call, tn_buf_str(&turn->text), &turn->result);
	else
		tn_studio_turn_fail(turn, call);
}

static void begin(struct tenon_call *call, struct tn_studio_door *door,
		  struct tn_studio_project *project, unsigned tries)
{
	struct tn_studio_aside *aside = tn_studio_aside_begin(call, door, project);
	struct generating *generating =
		aside ? tn_arena_alloc(&aside->turn.arena, sizeof(*generating)) : NULL;

	if (!aside)
		return;
	if (!generating) {
		tn_studio_turn_fail(&aside->turn, call);
		return;
	}
	generating->names = tn_json_get(tn_call_arguments(call), "files");
	(void)tenon_call_bool(call, "map", &generating->map);
	generating->tries = tries;
	aside->data = generating;
	tn_studio_aside_start(call, aside, generate, generated);
}

void tn_studio_call_generate(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);

	if (project)
		begin(call, door, project, 0);
}
