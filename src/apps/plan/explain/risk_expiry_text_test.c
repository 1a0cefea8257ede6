/* RISK-DATA-EXPIRES as Terraform prints it: a text leaves out what stays as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

enum {
	NONE = TN_PLAN_RISK_NONE,
	MEDIUM = TN_PLAN_RISK_MEDIUM,
	HIGH = TN_PLAN_RISK_HIGH,
	CRITICAL = TN_PLAN_RISK_CRITICAL
};

#define PLAN(body)                                               \
	"Terraform will perform the following actions:\n\n" body \
	"\n\nPlan: 0 to add, 1 to change, 0 to destroy.\n"

/* One rule of a bucket, or of a storage account, in which something changes. */
#define S3_RULE(body)                                                                 \
	PLAN("  # aws_s3_bucket_lifecycle_configuration.l will be updated in-place\n" \
	     "  ~ resource \"aws_s3_bucket_lifecycle_configuration\" \"l\" {\n" body "    }")
#define AZURE_RULE(body)                                                          \
	PLAN("  # azurerm_storage_management_policy.p will be updated in-place\n" \
	     "  ~ resource \"azurerm_storage_management_policy\" \"p\" {\n"       \
	     "        id     = \"logs\"\n\n"                                      \
	     "      ~ rule {\n" body "        }\n    }")
#define S3_WORDS                                                                 \
	"Deletes data by its age: the clean-up rules of a storage bucket \"l\" " \
	"(aws_s3_bucket_lifecycle_configuration.l); "
#define THREE_DAYS                           \
	"      ~ rule {\n"                   \
	"            id     = \"v\"\n"       \
	"            status = \"Enabled\"\n" \
	"            expiration {\n"         \
	"                days = 3\n"         \
	"            }\n"

static const struct {
	int level;
	const char *words; /* at the beginning of the paragraph; NULL: not looked at */
	const char *text;
} texts[] = {
	{CRITICAL,
	 "Deletes data by its age: the storage bucket \"acme-data\" (google_storage_bucket.data); "
	 "all that is stored there and older than a day is deleted, also what is there now "
	 "(lifecycle rule condition age \"1\"). ",
	 PLAN("  # google_storage_bucket.data will be updated in-place\n"
	      "  ~ resource \"google_storage_bucket\" \"data\" {\n"
	      "        id                          = \"acme-data\"\n"
	      "        name                        = \"acme-data\"\n"
	      "        # (16 unchanged attributes hidden)\n\n"
	      "      + lifecycle_rule {\n"
	      "          + action {\n"
	      "              + type          = \"Delete\"\n"
	      "                # (1 unchanged attribute hidden)\n"
	      "            }\n"
	      "          + condition {\n"
	      "              + age                    = 1\n"
	      "              + matches_prefix         = []\n"
	      "              + matches_storage_class  = []\n"
	      "              + matches_suffix         = []\n"
	      "              + with_state             = (known after apply)\n"
	      "                # (3 unchanged attributes hidden)\n"
	      "            }\n"
	      "        }\n\n"
	      "        # (1 unchanged block hidden)\n"
	      "    }")},
	{HIGH,
	 "Deletes data by its age: the clean-up rules of a storage bucket \"acme-data\" "
	 "(aws_s3_bucket_lifecycle_configuration.data); what falls under its rule is deleted "
	 "sooner than before, also what is there now (rule expiration days from \"365\" to "
	 "\"1\"). ",
	 PLAN("  # aws_s3_bucket_lifecycle_configuration.data will be updated in-place\n"
	      "  ~ resource \"aws_s3_bucket_lifecycle_configuration\" \"data\" {\n"
	      "        id                                     = \"acme-data\"\n"
	      "        # (3 unchanged attributes hidden)\n\n"
	      "      ~ rule {\n"
	      "            id     = \"old\"\n"
	      "            # (2 unchanged attributes hidden)\n\n"
	      "          ~ expiration {\n"
	      "              ~ days                         = 365 -> 1\n"
	      "                # (1 unchanged attribute hidden)\n"
	      "            }\n\n"
	      "            # (1 unchanged block hidden)\n"
	      "        }\n"
	      "    }")},
	{NONE, NULL,
	 PLAN("  # aws_s3_bucket_lifecycle_configuration.data will be updated in-place\n"
	      "  ~ resource \"aws_s3_bucket_lifecycle_configuration\" \"data\" {\n"
	      "        id                                     = \"acme-data\"\n"
	      "        # (3 unchanged attributes hidden)\n\n"
	      "      ~ rule {\n"
	      "            id     = \"old\"\n\n"
	      "          ~ expiration {\n"
	      "              ~ days                         = 30 -> 365\n"
	      "            }\n"
	      "        }\n"
	      "    }")},
	/* The action stands in a block that the text leaves out. */
	{HIGH,
	 "Deletes data by its age: the storage bucket \"acme-data\" (google_storage_bucket.data); "
	 "if its rule deletes, which this text does not show, ",
	 PLAN("  # google_storage_bucket.data will be updated in-place\n"
	      "  ~ resource \"google_storage_bucket\" \"data\" {\n"
	      "        name                        = \"acme-data\"\n"
	      "        # (16 unchanged attributes hidden)\n\n"
	      "      ~ lifecycle_rule {\n"
	      "          - condition {\n"
	      "              - age                    = 365 -> null\n"
	      "              - with_state             = \"ANY\" -> null\n"
	      "            }\n"
	      "          + condition {\n"
	      "              + age                    = 1\n"
	      "              + with_state             = (known after apply)\n"
	      "            }\n\n"
	      "            # (1 unchanged block hidden)\n"
	      "        }\n"
	      "    }")},
	{HIGH,
	 "Deletes data by its age: the log store \"/ecs/app\" (aws_cloudwatch_log_group.app); "
	 "logs older than the new limit are deleted, existing ones, too (retention in days from "
	 "\"365\" to \"1\"). ",
	 PLAN("  # aws_cloudwatch_log_group.app will be updated in-place\n"
	      "  ~ resource \"aws_cloudwatch_log_group\" \"app\" {\n"
	      "        id                = \"/ecs/app\"\n"
	      "        name              = \"/ecs/app\"\n"
	      "      ~ retention_in_days = 365 -> 1\n"
	      "        # (5 unchanged attributes hidden)\n"
	      "    }")},
	{HIGH,
	 "Deletes data by its age: the Kafka topic \"orders\" (kafka_topic.t); messages older "
	 "than the new limit are deleted, read or not ",
	 PLAN("  # kafka_topic.t will be updated in-place\n"
	      "  ~ resource \"kafka_topic\" \"t\" {\n"
	      "      ~ config             = {\n"
	      "          ~ \"retention.ms\" = \"604800000\" -> \"60000\"\n"
	      "            # (1 unchanged element hidden)\n"
	      "        }\n"
	      "        id                 = \"orders\"\n"
	      "        name               = \"orders\"\n"
	      "    }")},
	/* A filter falls away. */
	{HIGH,
	 S3_WORDS "more of what is stored there is deleted than before, also what is there now "
		  "(rule filter and prefix from \"tmp/\" to nothing). ",
	 S3_RULE(THREE_DAYS "          ~ filter {\n"
			    "              - and {\n"
			    "                  - prefix = \"tmp/\" -> null\n"
			    "                  - tags   = {\n"
			    "                      - \"t\" = \"1\"\n"
			    "                    } -> null\n"
			    "                }\n"
			    "            }\n"
			    "        }\n")},
	{HIGH, S3_WORDS "more of what is stored there is deleted",
	 S3_RULE(THREE_DAYS "          ~ filter {\n"
			    "              - tag {\n"
			    "                  - key   = \"t\" -> null\n"
			    "                  - value = \"1\" -> null\n"
			    "                }\n"
			    "            }\n"
			    "        }\n")},
	{HIGH, S3_WORDS "more of what is stored there is deleted",
	 S3_RULE(THREE_DAYS "          ~ filter {\n"
			    "              - object_size_greater_than = \"1000000\" -> null\n"
			    "            }\n"
			    "        }\n")},
	{NONE, NULL,
	 S3_RULE(THREE_DAYS "          ~ filter {\n"
			    "              ~ prefix = \"tmp/\" -> \"tmp/old/\"\n"
			    "            }\n"
			    "        }\n")},
	/* ... while its age is left out. */
	{HIGH,
	 S3_WORDS "if its rule deletes, which this text does not show, more is deleted than "
		  "before, also of what is there now (rule filter prefix from \"tmp/\" to "
		  "nothing). ",
	 S3_RULE("      ~ rule {\n"
		 "            id     = \"v\"\n"
		 "            # (1 unchanged attribute hidden)\n\n"
		 "          ~ filter {\n"
		 "              - prefix = \"tmp/\" -> null\n"
		 "            }\n\n"
		 "            # (1 unchanged block hidden)\n"
		 "        }\n")},
	{HIGH, "Deletes data by its age: ",
	 AZURE_RULE("            name    = \"c\"\n"
		    "            enabled = true\n"
		    "          ~ filters {\n"
		    "              ~ prefix_match = [\n"
		    "                  - \"tmp/\",\n"
		    "                ]\n"
		    "            }\n"
		    "            # (1 unchanged block hidden)\n")},
	/* One prefix less of several. */
	{NONE, NULL,
	 AZURE_RULE("            name    = \"c\"\n"
		    "            enabled = true\n"
		    "          ~ filters {\n"
		    "              ~ prefix_match = [\n"
		    "                  - \"tmp/\",\n"
		    "                    # (1 unchanged element hidden)\n"
		    "                ]\n"
		    "            }\n"
		    "            # (1 unchanged block hidden)\n")},
	/* A rule is switched on. */
	{HIGH,
	 S3_WORDS "if its rule deletes, which this text does not show, what falls under it is "
		  "deleted from now on, also what is there now (rule status from \"Disabled\" to "
		  "\"Enabled\"). ",
	 S3_RULE("      ~ rule {\n"
		 "            id     = \"all\"\n"
		 "          ~ status = \"Disabled\" -> \"Enabled\"\n\n"
		 "            # (2 unchanged blocks hidden)\n"
		 "        }\n")},
	{NONE, NULL,
	 S3_RULE("      ~ rule {\n"
		 "            id     = \"all\"\n"
		 "          ~ status = \"Enabled\" -> \"Disabled\"\n\n"
		 "            # (2 unchanged blocks hidden)\n"
		 "        }\n")},
	{HIGH, "Deletes data by its age: ",
	 AZURE_RULE("          ~ enabled = false -> true\n"
		    "            name    = \"c\"\n"
		    "            # (2 unchanged blocks hidden)\n")},
	{HIGH, "Deletes data by its age: the storage bucket \"b\" (aws_s3_bucket.b); if its rule ",
	 PLAN("  # aws_s3_bucket.b will be updated in-place\n"
	      "  ~ resource \"aws_s3_bucket\" \"b\" {\n"
	      "      ~ lifecycle_rule {\n"
	      "          ~ enabled = false -> true\n"
	      "            id      = \"x\"\n"
	      "            # (1 unchanged block hidden)\n"
	      "        }\n"
	      "    }")},
	/* A rule goes. */
	{NONE, NULL,
	 S3_RULE("      - rule {\n"
		 "          - id     = \"all\" -> null\n"
		 "          - status = \"Enabled\" -> null\n"
		 "          - transition {\n"
		 "              - days = 30 -> null\n"
		 "            }\n"
		 "        }\n"
		 "        # (1 unchanged block hidden)\n")},
	/* It removes markers, and old versions. */
	{MEDIUM, NULL,
	 S3_RULE("      + rule {\n"
		 "          + id     = \"v\"\n"
		 "          + status = \"Enabled\"\n"
		 "          + expiration {\n"
		 "              + days                         = 0\n"
		 "              + expired_object_delete_marker = true\n"
		 "            }\n"
		 "          + noncurrent_version_expiration {\n"
		 "              + noncurrent_days = 30\n"
		 "            }\n"
		 "        }\n")},
	/* A set prints its element anew. */
	{HIGH,
	 "Deletes data by its age: the storage bucket \"b\" (google_storage_bucket.b); more of "
	 "what is stored there is deleted than before, also what is there now (lifecycle rule "
	 "condition with state from \"ARCHIVED\" to \"ANY\"). ",
	 PLAN("  # google_storage_bucket.b will be updated in-place\n"
	      "  ~ resource \"google_storage_bucket\" \"b\" {\n"
	      "      ~ lifecycle_rule {\n"
	      "          - action {\n"
	      "              - type = \"Delete\" -> null\n"
	      "            }\n"
	      "          + action {\n"
	      "              + type = \"Delete\"\n"
	      "            }\n"
	      "          ~ condition {\n"
	      "                age        = 5\n"
	      "              ~ with_state = \"ARCHIVED\" -> \"ANY\"\n"
	      "            }\n"
	      "        }\n"
	      "    }")},
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		struct tn_plan *plan = test_parse_text(texts[i].text);
		struct tn_buf out = test_buf();

		test_assess(plan);
		if ((int)plan->risk != texts[i].level)
			fail_msg("text %zu: %d", i, plan->risk);
		tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
		if (texts[i].words && !tn_str_starts(tn_buf_str(&out), tn_str_from(texts[i].words)))
			fail_msg("text %zu: %s", i, test_text(&out));
		tn_buf_finish(&out);
		tn_plan_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
