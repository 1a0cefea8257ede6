#include "apps/plan/read/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "apps/plan/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"

enum { REASONS_MAX = 64, FIRST_CAPACITY = 8 };

static uint64_t cpu_time_us(void)
{
	struct timespec now = {0, 0};

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* cannot fail with this clock */
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void tn_plan_build_init(struct tn_plan_build *build, struct tn_plan *plan,
			const struct tn_plan_options *options, struct tenon_error *err)
{
	uint32_t cpu_ms = options->cpu_ms_max ? options->cpu_ms_max : TN_PLAN_CPU_MS_MAX;

	*build = (struct tn_plan_build){.plan = plan, .options = options, .err = err};
	/* The rest is kept for entries, findings and what else must not be lost. */
	build->soft_limit = plan->arena.limit - plan->arena.limit / 4;
	build->deadline_us = cpu_time_us() + (uint64_t)cpu_ms * 1000;
}

enum tenon_code tn_plan_build_fail(struct tn_plan_build *build, enum tenon_code code,
				   const char *reason, const char *format, ...)
{
	char message[TENON_ERROR_MESSAGE_MAX];
	va_list args;

	if (build->code != TENON_OK)
		return build->code;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	build->code = code;
	build->reason = reason;
	return tn_fail(build->err, code, "%s", message);
}

void tn_plan_build_check_memory(struct tn_plan_build *build, bool starved)
{
	if (starved)
		(void)tn_plan_build_fail(build, TENON_NO_MEMORY, NULL, "out of memory");
}

static void *fail_memory(struct tn_plan_build *build)
{
	(void)tn_plan_build_fail(build, TENON_LIMIT, "input_too_large",
				 "the plan needs more memory than its size allows; split it");
	return NULL;
}

bool tn_plan_build_tick(struct tn_plan_build *build, size_t bytes_read)
{
	const struct tn_plan_options *options = build->options;

	if (options->progress_bytes)
		atomic_store_explicit(options->progress_bytes, bytes_read, memory_order_relaxed);
	if (options->cancel && atomic_load_explicit(options->cancel, memory_order_relaxed))
		(void)tn_plan_build_fail(build, TENON_CANCELLED, "cancelled",
					 "reading the plan was cancelled");
	else if (cpu_time_us() > build->deadline_us)
		(void)tn_plan_build_fail(build, TENON_LIMIT, "timeout",
					 "reading the plan took too long; split it");
	return build->code == TENON_OK;
}

bool tn_plan_build_has_room(const struct tn_plan_build *build)
{
	return build->plan->arena.total <= build->soft_limit;
}

/* ---- lists ---- */

/* Room for one more in an arena list whose capacity is the next power of two of its count. The old
 * run is left behind: these lists are short. */
static void *grow(struct tn_plan_build *build, void *items, uint32_t *count, size_t size)
{
	char *list = items;

	if (build->code != TENON_OK)
		return NULL;
	if (*count == TN_PLAN_LIST_MAX) {
		tn_plan_warn(build, "list_truncated", 0, "a list was cut at %d elements",
			     TN_PLAN_LIST_MAX);
		return NULL;
	}
	if (*count == 0 || (*count >= FIRST_CAPACITY && (*count & (*count - 1)) == 0)) {
		size_t capacity = *count ? (size_t)*count * 2 : FIRST_CAPACITY;

		list = tn_arena_alloc_raw(&build->plan->arena, capacity * size);
		if (!list)
			return fail_memory(build);
		if (*count)
			memcpy(list, items, *count * size);
	}
	memset(list + *count * size, 0, size);
	++*count;
	return list;
}

/* Defines tn_plan_add_<name>, which appends to plan-><list>. */
#define DEFINE_ADD(name, list, counter)                                                         \
	struct tn_plan_##name *tn_plan_add_##name(struct tn_plan_build *build)                  \
	{                                                                                       \
		struct tn_plan *plan = build->plan;                                             \
		void *grown =                                                                   \
			grow(build, plan->list, &plan->counter, sizeof(struct tn_plan_##name)); \
                                                                                                \
		if (!grown)                                                                     \
			return NULL;                                                            \
		plan->list = grown;                                                             \
		return &plan->list[plan->counter - 1];                                          \
	}

DEFINE_ADD(output, outputs, output_count)
DEFINE_ADD(drift, drift, drift_count)
DEFINE_ADD(deferred, deferred, deferred_count)
DEFINE_ADD(invocation, invocations, invocation_count)
DEFINE_ADD(diagnostic, diagnostics, diagnostic_count)
DEFINE_ADD(unit, units, unit_count)
DEFINE_ADD(mismatch, mismatches, mismatch_count)

static bool grow_entries(struct tn_plan_build *build)
{
	struct tn_plan *plan = build->plan;
	uint32_t capacity = build->entry_capacity + build->entry_capacity / 4 + 64;
	struct tn_plan_entry *changes;

	if (capacity > TN_PLAN_RESOURCES_MAX)
		capacity = TN_PLAN_RESOURCES_MAX;
	changes = tn_mem_resize(plan->changes, capacity * sizeof(*changes));
	if (!changes) {
		(void)tn_plan_build_fail(build, TENON_NO_MEMORY, "input_too_large",
					 "no memory for the plan's entries");
		return false;
	}
	plan->changes = changes;
	build->entry_capacity = capacity;
	return true;
}

struct tn_plan_entry *tn_plan_add_entry(struct tn_plan_build *build)
{
	struct tn_plan *plan = build->plan;
	struct tn_plan_entry *entry;

	if (build->code != TENON_OK)
		return NULL;
	if (plan->change_count == TN_PLAN_RESOURCES_MAX) {
		(void)tn_plan_build_fail(build, TENON_LIMIT, "input_too_large",
					 "more than %d resources in one plan; split it",
					 TN_PLAN_RESOURCES_MAX);
		return NULL;
	}
	if (plan->change_count == build->entry_capacity && !grow_entries(build))
		return NULL;
	entry = &plan->changes[plan->change_count++];
	*entry = (struct tn_plan_entry){.unit = 0};
	return entry;
}

/* ---- warnings and reasons ---- */

/* One code cannot fill the list: what is said a hundred times is known. */
static bool may_tell(struct tn_plan_build *build, const char *code)
{
	struct tn_plan_told *told = build->told;

	for (size_t i = 0; i < TN_COUNT(build->told); i++, told++) {
		if (told->code && strcmp(told->code, code) != 0)
			continue;
		told->code = code;
		return ++told->count <= TN_PLAN_WARNINGS_PER_CODE;
	}
	return false;
}

void tn_plan_warn(struct tn_plan_build *build, const char *code, uint32_t line, const char *format,
		  ...)
{
	struct tn_plan *plan = build->plan;
	struct tn_plan_warning *warning;
	char message[TENON_ERROR_MESSAGE_MAX];
	va_list args;
	void *grown;

	if (build->code != TENON_OK || !may_tell(build, code))
		return;
	grown = grow(build, plan->warnings, &plan->warning_count, sizeof(*warning));
	if (!grown)
		return;
	plan->warnings = grown;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	warning = &plan->warnings[plan->warning_count - 1];
	/* vsnprintf may have cut a character in two. */
	*warning = (struct tn_plan_warning){.code = code, .line = line};
	warning->message = tn_plan_keep(
		build, tn_utf8_cut(tn_str_from(message), sizeof(message) - TN_UTF8_BYTES_MAX));
}

void tn_plan_add_reason(struct tn_plan_build *build, struct tn_plan_entry *entry, const char *code,
			struct tn_str text)
{
	struct tn_plan_reason *reasons = entry->reasons;
	uint32_t count = entry->reason_count;

	if (count == REASONS_MAX || build->code != TENON_OK)
		return;
	if ((count & (count - 1)) == 0) { /* 0, 1, 2, 4, ...: full */
		size_t capacity = count ? (size_t)count * 2 : 1;

		reasons = tn_arena_alloc_raw(&build->plan->arena, capacity * sizeof(*reasons));
		if (!reasons) {
			(void)fail_memory(build);
			return;
		}
		if (count)
			memcpy(reasons, entry->reasons, count * sizeof(*reasons));
		entry->reasons = reasons;
	}
	reasons[entry->reason_count++] = (struct tn_plan_reason){code, text};
}

void tn_plan_add_forced_reasons(struct tn_plan_build *build, struct tn_plan_entry *entry)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		if (entry->attributes.items[i].forces_replacement)
			tn_plan_add_reason(build, entry, "forces_replacement",
					   entry->attributes.items[i].path);
	}
}

/* ---- text ---- */

struct tn_str tn_plan_keep(struct tn_plan_build *build, struct tn_str text)
{
	char *copy;

	if (build->code != TENON_OK)
		return tn_str("", 0);
	copy = tn_arena_copy(&build->plan->arena, text);
	if (!copy) {
		(void)fail_memory(build);
		return tn_str("", 0);
	}
	return tn_str(copy, text.size);
}

struct tn_plan_value tn_plan_string_value(struct tn_plan_build *build, struct tn_str text)
{
	static const char ellipsis[] = "\xE2\x80\xA6";
	struct tn_plan_value value = {.text = text, .kind = TN_PLAN_VALUE_STRING};
	char *copy;

	if (text.size <= TN_PLAN_VALUE_BYTES_MAX)
		return value;
	text = tn_utf8_cut(text, TN_PLAN_VALUE_BYTES_MAX);
	value.truncated = true;
	copy = tn_plan_build_has_room(build)
		       ? tn_arena_alloc_raw(&build->plan->arena, text.size + sizeof(ellipsis))
		       : NULL;
	if (!copy) {
		value.text = text;
		return value;
	}
	memcpy(copy, text.data, text.size);
	memcpy(copy + text.size, ellipsis, sizeof(ellipsis));
	value.text = tn_str(copy, text.size + sizeof(ellipsis) - 1);
	return value;
}

bool tn_plan_is_identifier(struct tn_str text)
{
	if (text.size == 0 || tn_is_digit(text.data[0]) || text.data[0] == '-')
		return false;
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '-' && !(c & 0x80))
			return false;
	}
	return true;
}
