#include <math.h>

#include "draw/items.h"

enum { DECIMALS = 1000 };

void tn_draw_put_number(struct tn_buf *out, double value)
{
	int64_t thousandths = (int64_t)floor(fabs(value) * DECIMALS + 0.5);
	unsigned fraction = (unsigned)(thousandths % DECIMALS), unit = DECIMALS / 10;

	if (value < 0 && thousandths > 0)
		tn_buf_append_byte(out, '-');
	tn_buf_append_uint(out, (unsigned long long)(thousandths / DECIMALS));
	if (fraction == 0)
		return;
	tn_buf_append_byte(out, '.');
	for (; fraction > 0; unit /= 10) {
		tn_buf_append_byte(out, (char)('0' + fraction / unit));
		fraction %= unit;
	}
}
