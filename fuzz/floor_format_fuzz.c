/* Any bytes in the usual layout of a plan: see format_test_kit.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/floorplan/exchange/format_test_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool parses;
	const char *fault = tn_format_check(tn_str((const char *)data, size), &parses);

	if (fault) {
		(void)fprintf(stderr, "floor_format_fuzz: %s\n", fault);
		abort();
	}
	return 0;
}
