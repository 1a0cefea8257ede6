#include "apps/plan/service/state.h"

#include <stdio.h>

#include "apps/plan/limits.h"
#include "apps/plan/service/allowed_path.h"
#include "apps/plan/parse.h"
#include "base/mem.h"
#include "base/utf8.h"

static void free_plan(void *value)
{
	tn_plan_free(value);
}

static void free_conversation(void *value)
{
	struct tn_plan_conversation *conversation = value;

	for (size_t i = 0; i < conversation->turn_count; i++)
		tn_mem_free((char *)(uintptr_t)conversation->turns[i].content.data);
	tn_mem_free(conversation);
}

static void set_up_handles(struct tn_plan_state *state, const struct tn_plan_surroundings *around)
{
	struct tn_handles_options options = {.app = "plan",
					     .kind = "plan_id",
					     .prefix = "pln_",
					     .clock = around->clock,
					     .registry = around->registry,
					     .free_value = free_plan,
					     .count_max = TN_PLAN_HANDLES_MAX,
					     .bytes_max = TN_PLAN_HANDLE_BYTES_MAX,
					     .idle_ms = state->config.handle_idle_ms};

	tn_handles_init(&state->plans, &options);
	options.kind = "conversation_id";
	options.prefix = "cnv_";
	options.free_value = free_conversation;
	options.count_max = TN_PLAN_CONVERSATIONS_MAX;
	tn_handles_init(&state->conversations, &options);
}

static enum tenon_code open_parts(struct tn_plan_state *state,
				  const struct tn_plan_surroundings *around,
				  struct tenon_error *err)
{
	const struct tn_plan_reviews_options options = {
		.clock = around->clock, .loop = around->loop, .keep_days = state->config.keep_days};
	enum tenon_code code = tn_http_client_open(NULL, &state->client, err);

	if (code == TENON_OK)
		code = tn_plan_history_create(&state->config, around->clock, NULL, &state->history,
					      err);
	if (code == TENON_OK)
		code = tn_plan_reviews_create(&options, &state->reviews, err);
	return code;
}

enum tenon_code tn_plan_state_create(const struct tn_plan_surroundings *around,
				     struct tn_plan_state **ret, struct tenon_error *err)
{
	struct tn_plan_state *state = tn_mem_alloc(sizeof(*state));
	enum tenon_code code;

	if (!state)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	state->server = around->server;
	tn_plan_config_read(&state->config, around->settings);
	set_up_handles(state, around);
	code = tn_roots_init(&state->roots, state->config.paths, err);
	if (code == TENON_OK)
		code = open_parts(state, around, err);
	if (code != TENON_OK) {
		tn_plan_state_destroy(state);
		return code;
	}
	*ret = state;
	return TENON_OK;
}

void tn_plan_state_destroy(struct tn_plan_state *state)
{
	if (!state)
		return;
	tn_handles_finish(&state->plans);
	tn_handles_finish(&state->conversations);
	tn_plan_history_destroy(state->history);
	tn_plan_reviews_destroy(state->reviews);
	tn_http_client_close(state->client);
	tn_roots_finish(&state->roots);
	tn_mem_free(state);
}

/* The same text from the same principal: the same handle, so that asking again costs no memory. */
static struct tn_handle *find_same(struct tn_plan_state *state, const char *principal,
				   const struct tn_plan *plan)
{
	struct tn_handle *handle = NULL;

	while ((handle = tn_handles_next(&state->plans, handle, principal))) {
		const struct tn_plan *other = handle->value;

		if (other->kind == plan->kind && memcmp(other->sha256, plan->sha256, 64) == 0)
			return handle;
	}
	return NULL;
}

/* Entries lie outside the plan's arena (build.h). */
static size_t bytes_of(const struct tn_plan *plan)
{
	return sizeof(*plan) + plan->arena.total +
	       (size_t)plan->change_count * sizeof(*plan->changes);
}

/* "aws_instance.web and 4 more": what a person knows a plan by. */
static void write_title(const struct tn_plan *plan, char *out, size_t size)
{
	struct tn_str first;

	if (plan->total_changes == 0 || plan->change_count == 0) {
		(void)snprintf(out, size, "no changes");
		return;
	}
	first = tn_utf8_cut(plan->changes[0].address, size - 32);
	if (plan->total_changes == 1)
		(void)snprintf(out, size, "%.*s", (int)first.size, first.data);
	else
		(void)snprintf(out, size, "%.*s and %u more", (int)first.size, first.data,
			       plan->total_changes - 1);
}

enum tenon_code tn_plan_state_keep(struct tn_plan_state *state, const struct tn_plan_opener *opener,
				   struct tn_plan *plan, struct tn_handle **ret,
				   struct tenon_error *err)
{
	struct tn_handle *handle = find_same(state, opener->principal, plan);
	char title[TN_HANDLE_TITLE_SIZE];
	const struct tn_handle_new made = {.id = opener->id,
					   .principal = opener->principal,
					   .by = opener->client,
					   .title = title,
					   .value = plan,
					   .bytes = bytes_of(plan)};
	enum tenon_code code;

	if (handle && tn_handles_find(&state->plans, handle->id, opener->principal, &handle,
				      NULL) == TENON_OK) {
		tn_plan_free(plan);
		tn_handle_ref(handle);
		*ret = handle;
		return TENON_OK;
	}
	write_title(plan, title, sizeof(title));
	code = tn_handles_add(&state->plans, &made, &handle, err);
	if (code != TENON_OK)
		return code;
	(void)snprintf(plan->id, sizeof(plan->id), "%s", handle->id);
	*ret = handle;
	return TENON_OK;
}

enum tenon_code tn_plan_state_converse(struct tn_plan_state *state, const char *principal,
				       struct tn_handle **ret, struct tenon_error *err)
{
	struct tn_plan_conversation *conversation = tn_mem_alloc(sizeof(*conversation));
	const struct tn_handle_new made = {
		.principal = principal, .value = conversation, .bytes = sizeof(*conversation)};

	if (!conversation)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_handles_add(&state->conversations, &made, ret, err);
}

void tn_plan_conversation_add(struct tn_plan_conversation *conversation, const char *role,
			      struct tn_str content)
{
	struct tn_str cut = tn_utf8_cut(content, TN_PLAN_TURN_BYTES_MAX);
	char *copy = tn_mem_copy_text(cut.data ? cut.data : "", cut.size);
	struct tn_plan_turn *turns = conversation->turns;

	if (!copy)
		return;
	if (conversation->turn_count == TN_PLAN_TURNS_KEPT_MAX) {
		tn_mem_free((char *)(uintptr_t)turns[0].content.data);
		memmove(turns, turns + 1, sizeof(*turns) * (TN_PLAN_TURNS_KEPT_MAX - 1));
		conversation->turn_count--;
	}
	turns[conversation->turn_count++] =
		(struct tn_plan_turn){tn_str_from(role), tn_str(copy, cut.size)};
}
