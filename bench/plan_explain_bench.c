/* plan_explain_bench.c - how long it takes to tell a plan: a plan of 1,000 changes is read once,
 * then explained, judged and written again and again. Prints milliseconds of CPU per run; the
 * contract asks for less than 20 ms for reading and explaining 1,000 changes (plan.md section 17).
 *
 *   ninja bench/plan_explain_bench && bench/plan_explain_bench */
#include <stdio.h>
#include <time.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/parse.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/to_json.h"

enum { CHANGES = 1000, RUNS = 50 };

static double cpu_ms(void)
{
	struct timespec now = {0, 0};

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* cannot fail with this clock */
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void put_change(struct tn_buf *out, unsigned i)
{
	static const char *const types[] = {"aws_instance", "aws_security_group", "aws_iam_policy",
					    "acme_new_thing"};
	const char *type = types[i % 4];
	bool gone = i % 5 == 0;

	tn_buf_format(out, "  # module.m[%u].%s.n will be %s\n  %c resource \"%s\" \"n\" {\n", i,
		      type, gone ? "destroyed" : "created", gone ? '-' : '+', type);
	for (unsigned a = 0; a < 20; a++)
		tn_buf_format(out, "      %c attribute_%u  = \"value %u\"%s\n", gone ? '-' : '+', a,
			      i * a, gone ? " -> null" : "");
	tn_buf_append_text(out, gone ? "      - cidr_blocks = [\n          - \"0.0.0.0/0\",\n"
				       "        ] -> null\n"
				     : "      + cidr_blocks = [\n          + \"0.0.0.0/0\",\n"
				       "        ]\n");
	tn_buf_append_text(out, "    }\n\n");
}

static void make_plan(struct tn_buf *out)
{
	tn_buf_append_text(out, "Terraform will perform the following actions:\n\n");
	for (unsigned i = 0; i < CHANGES; i++)
		put_change(out, i);
	tn_buf_format(out, "Plan: %d to add, 0 to change, %d to destroy.\n", CHANGES - CHANGES / 5,
		      CHANGES / 5);
}

typedef void step_fn(struct tn_buf *out, struct tn_plan *plan, const struct tn_buf *text);

static void read_plan(struct tn_buf *out, struct tn_plan *plan, const struct tn_buf *text)
{
	struct tn_plan *again = NULL;
	struct tenon_error err;

	(void)out;
	(void)plan;
	tn_assert(tn_plan_parse(text->data, text->size, NULL, &again, NULL, &err) == TENON_OK);
	tn_plan_free(again);
}

static void assess(struct tn_buf *out, struct tn_plan *plan, const struct tn_buf *text)
{
	struct tenon_error err;

	(void)out;
	(void)text;
	tn_assert(tn_plan_assess_risk(plan, &err) == TENON_OK);
}

static void explain(struct tn_buf *out, struct tn_plan *plan, const struct tn_buf *text)
{
	(void)text;
	tn_plan_put_explanation(out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
}

static void markdown(struct tn_buf *out, struct tn_plan *plan, const struct tn_buf *text)
{
	(void)text;
	tn_plan_put_markdown(out, plan, TN_PLAN_NON_TECHNICAL, 0);
}

static void json(struct tn_buf *out, struct tn_plan *plan, const struct tn_buf *text)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};

	(void)text;
	tn_plan_put_json(out, plan, &filter);
}

int main(void)
{
	static const struct {
		const char *name;
		step_fn *run;
	} steps[] = {{"read, with risk", read_plan},
		     {"risk", assess},
		     {"explain", explain},
		     {"markdown", markdown},
		     {"json", json}};
	struct tn_plan *plan = NULL;
	struct tenon_error err;
	struct tn_buf text, out;

	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_init(&out, 64 * TN_MIB);
	make_plan(&text);
	tn_assert(tn_plan_parse(text.data, text.size, NULL, &plan, NULL, &err) == TENON_OK);
	tn_assert(plan->total_changes == CHANGES && plan->consistent == 1);
	printf("%d changes, %zu KiB of text, %u findings\n", CHANGES, text.size / 1024,
	       plan->finding_count);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		double start = cpu_ms();

		for (int run = 0; run < RUNS; run++) {
			tn_buf_clear(&out);
			steps[i].run(&out, plan, &text);
			tn_assert(!out.failed);
		}
		printf("%-16s %8.3f ms\n", steps[i].name, (cpu_ms() - start) / RUNS);
	}
	tn_plan_free(plan);
	tn_buf_finish(&out);
	tn_buf_finish(&text);
	return 0;
}
