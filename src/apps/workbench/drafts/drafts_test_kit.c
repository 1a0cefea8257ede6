#include "apps/workbench/drafts/drafts_test_kit.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/workbench/drafts/override_disk.h"
#include "store/file.h"

static const char module[] = "{\"schemaVersion\":\"v0\",\"components\":{"
			     "\"ui.button\":{\"displayName\":\"Button\",\"props\":{"
			     "\"label\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"string\"},"
			     "\"constraints\":{\"required\":true}}},"
			     "\"tone\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"select\",\"options\":[{\"value\":\"primary\","
			     "\"label\":\"P\"},{\"value\":\"quiet\",\"label\":\"Q\"}]}}},"
			     "\"disabled\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"boolean\"}}},"
			     "\"size\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"number\"},\"constraints\":{\"min\":0,"
			     "\"max\":9}}},"
			     "\"code\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"string\"},"
			     "\"constraints\":{\"pattern\":\"^[a-z]*$\"}}},"
			     "\"slow\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"string\"},\"constraints\":{\"pattern\":\"a{0,"
			     "1500}b\"}}},"
			     "\"onClick\":{\"exposure\":{\"kind\":\"inspectOnly\"}}"
			     "}},"
			     "\"ui.card\":{\"displayName\":\"Card\",\"props\":{"
			     "\"style\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"json\"}}},"
			     "\"children\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"slot\"}}},"
			     "\"fill\":{\"exposure\":{\"kind\":\"editable\","
			     "\"control\":{\"kind\":\"color\"}}}"
			     "}},"
			     "\"ui.off\":{\"displayName\":\"Off\",\"props\":{"
			     "}}"
			     "}}";

static uint64_t no_ms(void *data)
{
	(void)data;
	return 0;
}

static int64_t wall_ms(void *data)
{
	(void)data;
	return 1769849080000;
}

static bool instance(void *data, struct tn_str instance_id, struct tn_str *ret_type_id)
{
	(void)data;
	if (tn_str_is(instance_id, "b1") || tn_str_is(instance_id, "b2"))
		*ret_type_id = TN_STR("ui.button");
	else if (tn_str_is(instance_id, "c1"))
		*ret_type_id = TN_STR("ui.card");
	else
		return tn_str_is(instance_id, "n1");
	return true;
}

static void open_drafts(struct tn_wb_drafts_kit *kit)
{
	const struct tn_wb_drafts_options options = {.root_fd = kit->root_fd, .clock = &kit->clock};

	tn_assert(tn_wb_drafts_open(&options, &kit->drafts, NULL) == TENON_OK);
}

void tn_wb_drafts_kit_init(struct tn_wb_drafts_kit *kit)
{
	const struct tn_wb_kit_inputs inputs = {.modules = {module},
						.overrides = "{\"ui.off\":{\"disabled\":true}}"};

	*kit = (struct tn_wb_drafts_kit){.clock = {.monotonic_ms = no_ms, .wall_ms = wall_ms}};
	(void)snprintf(kit->path, sizeof(kit->path), "/tmp/tenon-drafts-XXXXXX");
	tn_assert(mkdtemp(kit->path));
	kit->root_fd = open(kit->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tn_assert(kit->root_fd >= 0);
	tn_arena_init(&kit->arena, 512 * TN_MIB);
	tn_wb_outcome_init(&kit->outcome);
	tn_wb_kit_compose(&kit->types, &inputs);
	tn_assert(kit->types.diagnostics.count == 0);
	kit->facts = (struct tn_wb_facts){
		.instance = instance, .lists_instances = true, .registry = kit->types.registry};
	open_drafts(kit);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static void remove_folder(const char *path)
{
	(void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS); /* what is left is in /tmp */
}

void tn_wb_drafts_kit_finish(struct tn_wb_drafts_kit *kit)
{
	tn_wb_drafts_close(kit->drafts);
	tn_wb_outcome_finish(&kit->outcome);
	tn_wb_kit_finish(&kit->types);
	tn_arena_finish(&kit->arena);
	(void)close(kit->root_fd); /* only held */
	remove_folder(kit->path);
}

void tn_wb_drafts_kit_reopen(struct tn_wb_drafts_kit *kit)
{
	tn_wb_drafts_close(kit->drafts);
	open_drafts(kit);
}

static void begin(struct tn_wb_drafts_kit *kit)
{
	tn_wb_outcome_finish(&kit->outcome);
	tn_wb_outcome_init(&kit->outcome);
	kit->err.message[0] = '\0';
}

enum tenon_code tn_wb_drafts_kit_do(struct tn_wb_drafts_kit *kit, const struct tn_wb_batch *batch)
{
	begin(kit);
	kit->code = tn_wb_drafts_apply(kit->drafts, batch, &kit->outcome, &kit->err);
	return kit->code;
}

enum tenon_code tn_wb_drafts_kit_apply(struct tn_wb_drafts_kit *kit, const char *ops)
{
	const struct tn_wb_batch batch = {.ops = tn_wb_drafts_kit_parse(kit, ops),
					  .expected_revision = -1,
					  .actor = "test",
					  .label = "test",
					  .facts = &kit->facts};

	return tn_wb_drafts_kit_do(kit, &batch);
}

enum tenon_code tn_wb_drafts_kit_undo(struct tn_wb_drafts_kit *kit, bool redo)
{
	const struct tn_oplog_which which = {.redo = redo};

	begin(kit);
	kit->code = tn_wb_drafts_undo(kit->drafts, &which, "test", NULL, &kit->outcome, &kit->err);
	return kit->code;
}

enum tenon_code tn_wb_drafts_kit_reload(struct tn_wb_drafts_kit *kit)
{
	struct tn_wb_disk_look look;

	begin(kit);
	tn_wb_disk_look_init(&look);
	tn_wb_drafts_look_begin(kit->drafts, &look);
	kit->code = tn_wb_disk_look(&look, kit->root_fd, &kit->err);
	if (kit->code == TENON_OK)
		kit->code = tn_wb_drafts_reload(kit->drafts, &look, &kit->outcome, &kit->err);
	tn_wb_disk_look_finish(&look);
	return kit->code;
}

const char *tn_wb_drafts_kit_faults(struct tn_wb_drafts_kit *kit)
{
	const char *text = "";

	for (size_t i = 0; i < kit->outcome.fault_count; i++)
		text = tn_arena_format(&kit->arena, "%s%s%u %s", text, i ? ", " : "",
				       kit->outcome.faults[i].index, kit->outcome.faults[i].code);
	return text;
}

struct tn_json *tn_wb_drafts_kit_parse(struct tn_wb_drafts_kit *kit, const char *text)
{
	struct tn_json *tree = NULL;

	tn_assert(tn_json_parse_copy(&kit->arena, tn_str_from(text), &tree, NULL) == TENON_OK);
	return tree;
}

const char *tn_wb_drafts_kit_text(struct tn_wb_drafts_kit *kit, const struct tn_buf *buf)
{
	return tn_arena_copy(&kit->arena, tn_buf_str(buf));
}

const char *tn_wb_drafts_kit_file(struct tn_wb_drafts_kit *kit)
{
	const char *path = tn_arena_format(&kit->arena, "%s/.skaffa/overrides.v0.json", kit->path);
	const char *text = NULL;
	struct tn_buf out;

	tn_buf_init(&out, 64 * TN_MIB);
	if (tn_file_read(path, 0, &out, NULL) == TENON_OK)
		text = tn_wb_drafts_kit_text(kit, &out);
	tn_buf_finish(&out);
	return text;
}

void tn_wb_drafts_kit_write(struct tn_wb_drafts_kit *kit, struct tn_str text)
{
	(void)mkdirat(kit->root_fd, ".skaffa", 0777); /* it may be there */
	tn_assert(tn_file_write(
			  tn_arena_format(&kit->arena, "%s/.skaffa/overrides.v0.json", kit->path),
			  0666, text, NULL) == TENON_OK);
}

const char *tn_wb_drafts_kit_list(struct tn_wb_drafts_kit *kit)
{
	const struct tn_wb_document *document = tn_wb_drafts_document(kit->drafts);
	const char *text = "";

	for (size_t i = 0; i < document->count; i++) {
		const struct tn_wb_slot *slot = &document->slots[i];
		const struct tn_wb_draft *draft = slot->draft;
		const char *reason, *status = tn_wb_slot_status(slot, kit->types.registry, &reason);

		text = tn_arena_format(&kit->arena, "%s%s %.*s %.*s %.*s %s%s%s\n", text,
				       tn_wb_group_name(draft->address.group),
				       (int)draft->address.instance_id.size,
				       draft->address.instance_id.data,
				       (int)draft->address.path.size, draft->address.path.data,
				       (int)draft->value.size, draft->value.data, status,
				       reason ? " " : "", reason ? reason : "");
	}
	return text;
}
