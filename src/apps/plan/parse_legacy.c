#include "apps/plan/text_reader.h"

bool tn_plan_legacy_header(struct tn_plan_text_reader *reader, struct tn_plan_row *row)
{
	(void)reader;
	(void)row;
	return false;
}

bool tn_plan_legacy_attribute(struct tn_plan_text_reader *reader, const struct tn_plan_row *row)
{
	(void)reader;
	(void)row;
	return false;
}
