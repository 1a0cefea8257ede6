/* plan_parse_bench.c - how fast plans are read: a plan of 10 MB in each kind, MB/s, best of several
 * runs, on one core (plan.md section 17: text 100 MB/s, JSON 50 MB/s).
 *
 *   plan_parse_bench [MEGABYTES [RUNS]]     default 10 and 5
 *
 * The hash of the input (SHA-256) is part of reading; its share is printed beside. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "apps/plan/parse.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/size.h"

static double now_s(void)
{
	struct timespec now = {0, 0};

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* cannot fail with this clock */
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- plans ---- */

static void text_resource(struct tn_buf *out, unsigned i)
{
	tn_buf_format(out,
		      "  # module.site[\"eu-%u\"].aws_instance.web[%u] will be updated in-place\n"
		      "  ~ resource \"aws_instance\" \"web\" {\n"
		      "        id                          = \"i-%016x\"\n"
		      "      ~ instance_type               = \"t3.small\" -> \"t3.medium\"\n"
		      "      ~ public_ip                   = \"198.51.100.%u\" -> (known after "
		      "apply)\n"
		      "      ~ user_data                   = <<-EOT\n"
		      "            #!/bin/sh\n"
		      "          - echo one\n"
		      "          + echo two\n"
		      "        EOT\n"
		      "      ~ tags                        = {\n"
		      "          + \"Name\" = \"web-%u\"\n"
		      "            \"team\" = \"reception\"\n"
		      "        }\n"
		      "        # (31 unchanged attributes hidden)\n\n"
		      "      ~ root_block_device {\n"
		      "          ~ volume_size           = 20 -> 40\n"
		      "            # (8 unchanged attributes hidden)\n"
		      "        }\n"
		      "    }\n\n",
		      i % 50, i, i, i % 250, i);
}

static void make_text(struct tn_buf *out, size_t size)
{
	unsigned count = 0;

	tn_buf_append_text(out, "Terraform will perform the following actions:\n\n");
	while (out->size < size)
		text_resource(out, count++);
	tn_buf_format(out, "Plan: 0 to add, %u to change, 0 to destroy.\n", count);
}

/* The same with what a terminal and a log add to every line. */
static void make_log(struct tn_buf *out, size_t size)
{
	struct tn_buf plain;
	const char *at, *end;

	tn_buf_init(&plain, 2 * size);
	make_text(&plain, size / 2);
	at = plain.data;
	end = plain.data + plain.size;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		tn_buf_append_text(out, "2031-03-04T05:06:07.1235877Z \x1b[0m\x1b[33m");
		tn_buf_append(out, at, (size_t)(stop - at));
		tn_buf_append_text(out, "\x1b[0m\r\n");
		at = stop + 1;
	}
	tn_buf_finish(&plain);
}

static void json_resource(struct tn_buf *out, unsigned i)
{
	tn_buf_format(
		out,
		"{\"address\":\"module.site[\\\"eu-%u\\\"].aws_instance.web[%u]\","
		"\"module_address\":\"module.site[\\\"eu-%u\\\"]\",\"mode\":\"managed\","
		"\"type\":\"aws_instance\",\"name\":\"web\",\"index\":%u,"
		"\"provider_name\":\"registry.terraform.io/hashicorp/aws\","
		"\"change\":{\"actions\":[\"update\"],"
		"\"before\":{\"ami\":\"ami-0f1e2d3c4b5a69788\",\"id\":\"i-%016x\","
		"\"instance_type\":\"t3.small\",\"public_ip\":\"198.51.100.%u\","
		"\"root_block_device\":[{\"encrypted\":true,\"volume_size\":20}],"
		"\"tags\":{\"team\":\"reception\"},\"user_data\":\"#!/bin/sh\\necho one\\n\"},"
		"\"after\":{\"ami\":\"ami-0f1e2d3c4b5a69788\",\"id\":\"i-%016x\","
		"\"instance_type\":\"t3.medium\","
		"\"root_block_device\":[{\"encrypted\":true,\"volume_size\":40}],"
		"\"tags\":{\"Name\":\"web-%u\",\"team\":\"reception\"},"
		"\"user_data\":\"#!/bin/sh\\necho two\\n\"},"
		"\"after_unknown\":{\"public_ip\":true,\"root_block_device\":[{}],\"tags\":{}},"
		"\"before_sensitive\":{\"root_block_device\":[{}],\"tags\":{}},"
		"\"after_sensitive\":{\"root_block_device\":[{}],\"tags\":{}}}}",
		i % 50, i, i % 50, i, i, i % 250, i, i);
}

static void make_json(struct tn_buf *out, size_t size)
{
	unsigned count = 0;

	tn_buf_append_text(out, "{\"format_version\":\"1.2\",\"resource_changes\":[");
	while (out->size < size) {
		if (count)
			tn_buf_append_byte(out, ',');
		json_resource(out, count++);
	}
	tn_buf_append_text(out, "]}");
}

static void make_stream(struct tn_buf *out, size_t size)
{
	unsigned count = 0;

	while (out->size < size) {
		tn_buf_format(out,
			      "{\"@level\":\"info\",\"@message\":\"aws_instance.web[%u]: Plan to "
			      "update\",\"@module\":\"terraform.ui\","
			      "\"@timestamp\":\"2031-03-04T05:06:07.123587Z\","
			      "\"change\":{\"resource\":{\"addr\":\"aws_instance.web[%u]\","
			      "\"module\":\"\",\"resource\":\"aws_instance.web[%u]\","
			      "\"implied_provider\":\"aws\",\"resource_type\":\"aws_instance\","
			      "\"resource_name\":\"web\",\"resource_key\":%u},"
			      "\"action\":\"update\"},\"type\":\"planned_change\"}\n",
			      count, count, count, count);
		count++;
	}
	tn_buf_format(out,
		      "{\"@level\":\"info\",\"@message\":\"\",\"type\":\"change_summary\","
		      "\"changes\":{\"add\":0,\"change\":%u,\"import\":0,\"remove\":0,"
		      "\"operation\":\"plan\"}}\n",
		      count);
}

/* ---- measuring ---- */

static double best_seconds(struct tn_str input, unsigned runs, uint32_t *ret_changes,
			   double *ret_factor)
{
	double best = 1e9;

	for (unsigned i = 0; i < runs; i++) {
		struct tn_plan_options options = {.cpu_ms_max = 600000};
		struct tenon_error err;
		struct tn_plan *plan = NULL;
		double start = now_s(), took;

		if (tn_plan_parse(input.data, input.size, &options, &plan, NULL, &err) !=
		    TENON_OK) {
			(void)fprintf(stderr, "plan_parse_bench: %s\n", err.message);
			exit(1);
		}
		took = now_s() - start;
		best = took < best ? took : best;
		*ret_changes = plan->total_changes;
		*ret_factor =
			(double)(plan->arena.total + plan->change_count * sizeof(*plan->changes)) /
			(double)input.size;
		if (plan->consistent == 0) {
			(void)fprintf(stderr, "plan_parse_bench: the sums are wrong\n");
			exit(1);
		}
		tn_plan_free(plan);
	}
	return best;
}

static double hash_seconds(struct tn_str input)
{
	unsigned char digest[TN_DIGEST_SIZE];
	double start = now_s();

	tn_digest(input, digest);
	return now_s() - start;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(struct tn_buf *out, size_t size);
		double required; /* MB/s; 0: for information */
	} kinds[] = {{"text", make_text, 100},
		     {"text, log", make_log, 0},
		     {"json", make_json, 50},
		     {"json_stream", make_stream, 50}};
	size_t megabytes = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10;
	unsigned runs = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 5;
	bool good = true;

	if (megabytes == 0 || megabytes > 60 || runs == 0) {
		(void)fprintf(stderr, "usage: plan_parse_bench [MEGABYTES [RUNS]]\n");
		return 2;
	}
	(void)printf("%-12s %9s %9s %9s %9s %9s\n", "kind", "MB/s", "must", "hash ms", "changes",
		     "memory x");
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		struct tn_buf input;
		double seconds, rate, factor;
		uint32_t changes;

		tn_buf_init(&input, 64 * TN_MIB);
		kinds[i].make(&input, megabytes * 1000000);
		if (input.failed)
			return 1;
		seconds = best_seconds(tn_buf_str(&input), runs, &changes, &factor);
		rate = (double)input.size / 1e6 / seconds;
		(void)printf("%-12s %9.1f %9.0f %9.1f %9u %9.2f%s\n", kinds[i].name, rate,
			     kinds[i].required, hash_seconds(tn_buf_str(&input)) * 1e3, changes,
			     factor, rate < kinds[i].required ? "  TOO SLOW" : "");
		good = good && rate >= kinds[i].required;
		tn_buf_finish(&input);
	}
	return good ? 0 : 1;
}
