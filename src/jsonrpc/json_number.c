#include "jsonrpc/json_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "jsonrpc/json.h"

#define EXPONENT_MAX INT64_C(1000000000000)

/* A number as its significant digits (neither leading nor trailing zeros) and the power of ten of
 * the last one: 1500 and 1.5e3 are both the digits 15 and the power 2. Zero has no digits. */
struct decimal {
	bool negative;
	struct tn_str whole, fraction; /* slices of the written digits */
	size_t first, end;             /* of whole and fraction taken together */
	int64_t power;
};

#define DOUBLE_EXACT_MAX (INT64_C(1) << 53)

static struct tn_str digits_at(struct tn_str text, size_t at)
{
	size_t end = at;

	while (end < text.size && tn_is_digit(text.data[end]))
		end++;
	return tn_str(text.data + at, end - at);
}

/* `at` stands behind the e. */
static int64_t exponent_at(struct tn_str text, size_t at)
{
	bool minus = text.data[at] == '-';
	int64_t exponent = 0;

	if (minus || text.data[at] == '+')
		at++;
	for (; at < text.size && exponent < EXPONENT_MAX; at++)
		exponent = exponent * 10 + (text.data[at] - '0');
	if (exponent > EXPONENT_MAX)
		exponent = EXPONENT_MAX;
	return minus ? -exponent : exponent;
}

static char digit_at(const struct decimal *d, size_t i)
{
	return i < d->whole.size ? d->whole.data[i] : d->fraction.data[i - d->whole.size];
}

static struct decimal take_apart(struct tn_str text)
{
	struct decimal d = {.negative = text.data[0] == '-'};
	size_t at = d.negative;
	int64_t exponent = 0;

	d.whole = digits_at(text, at);
	at += d.whole.size;
	if (at < text.size && text.data[at] == '.') {
		d.fraction = digits_at(text, at + 1);
		at += 1 + d.fraction.size;
	}
	if (at < text.size)
		exponent = exponent_at(text, at + 1);
	d.end = d.whole.size + d.fraction.size;
	while (d.first < d.end && digit_at(&d, d.first) == '0')
		d.first++;
	while (d.end > d.first && digit_at(&d, d.end - 1) == '0')
		d.end--;
	d.power = exponent + (int64_t)d.whole.size - (int64_t)d.end;
	return d;
}

static bool is_zero(const struct decimal *d)
{
	return d->first == d->end;
}

static int sign_of(const struct decimal *d)
{
	return is_zero(d) ? 0 : d->negative ? -1 : 1;
}

int tn_json_number_sign(struct tn_str number)
{
	struct decimal d = take_apart(number);

	return sign_of(&d);
}

/* The power of ten of the first digit: decides before the digits do. */
static int64_t magnitude(const struct decimal *d)
{
	return d->power + (int64_t)(d->end - d->first);
}

static int compare_digits(const struct decimal *a, const struct decimal *b)
{
	size_t a_size = a->end - a->first, b_size = b->end - b->first;

	for (size_t i = 0; i < a_size && i < b_size; i++) {
		int difference = digit_at(a, a->first + i) - digit_at(b, b->first + i);

		if (difference)
			return difference;
	}
	return (a_size > b_size) - (a_size < b_size);
}

int tn_json_number_compare(struct tn_str a, struct tn_str b)
{
	struct decimal x = take_apart(a), y = take_apart(b);
	int x_sign = sign_of(&x), y_sign = sign_of(&y), result;

	if (x_sign != y_sign || x_sign == 0)
		return x_sign - y_sign;
	if (magnitude(&x) != magnitude(&y))
		result = magnitude(&x) < magnitude(&y) ? -1 : 1;
	else
		result = compare_digits(&x, &y);
	return x_sign < 0 ? -result : result;
}

uint64_t tn_json_number_hash(struct tn_str number, uint64_t seed)
{
	struct decimal d = take_apart(number);
	uint64_t hash = seed ^ (uint64_t)(sign_of(&d) + 1);

	if (is_zero(&d))
		return hash;
	hash ^= (uint64_t)d.power * UINT64_C(0x9e3779b97f4a7c15);
	for (size_t i = d.first; i < d.end; i++)
		hash = (hash ^ (unsigned char)digit_at(&d, i)) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 33;
}

/* ---- divisibility ---- */

bool tn_json_divisor_init(struct tn_json_divisor *divisor, struct tn_str number)
{
	struct decimal d = take_apart(number);
	uint64_t digits = 0;

	if (is_zero(&d) || d.negative || d.end - d.first > 18)
		return false;
	for (size_t i = d.first; i < d.end; i++)
		digits = digits * 10 + (uint64_t)(digit_at(&d, i) - '0');
	*divisor = (struct tn_json_divisor){digits, d.power};
	return true;
}

/* base^exponent modulo `modulus`, all below 2^60, so that a product fits 128 bits. */
static uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus)
{
	unsigned __int128 result = 1 % modulus, square = base % modulus;

	for (; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = result * square % modulus;
		square = square * square % modulus;
	}
	return (uint64_t)result;
}

/* With n = a * 10^p and the divisor b * 10^q: if p < q then b * 10^(q-p) would have to divide a,
 * but a has no trailing zero; otherwise b has to divide a * 10^(p-q), computed modulo b. */
bool tn_json_number_is_multiple(struct tn_str number, const struct tn_json_divisor *divisor)
{
	struct decimal d = take_apart(number);
	unsigned __int128 rest = 0;

	if (is_zero(&d))
		return true;
	if (d.power < divisor->power)
		return false;
	for (size_t i = d.first; i < d.end; i++)
		rest = (rest * 10 + (unsigned)(digit_at(&d, i) - '0')) % divisor->digits;
	rest *= power_modulo(10, (uint64_t)(d.power - divisor->power), divisor->digits);
	return rest % divisor->digits == 0;
}

/* ---- as C numbers ---- */

bool tn_json_is_integer(const struct tn_json *value)
{
	struct decimal d;

	if (!tn_json_is(value, TN_JSON_NUMBER))
		return false;
	d = take_apart(value->text);
	return d.power >= 0 || is_zero(&d);
}

bool tn_json_to_int(const struct tn_json *value, int64_t *ret)
{
	struct decimal d;
	int64_t result = 0;

	if (!tn_json_is(value, TN_JSON_NUMBER))
		return false;
	d = take_apart(value->text);
	if (is_zero(&d)) {
		*ret = 0;
		return true;
	}
	if (d.power < 0 || magnitude(&d) > 19)
		return false;
	for (size_t i = d.first; i < d.end + (size_t)d.power; i++) {
		int digit = i < d.end ? digit_at(&d, i) - '0' : 0;

		if (__builtin_mul_overflow(result, 10, &result) ||
		    __builtin_sub_overflow(result, digit, &result))
			return false; /* built downwards: INT64_MIN has no positive twin */
	}
	if (!d.negative && __builtin_sub_overflow(0, result, &result))
		return false;
	*ret = result;
	return true;
}

/* A double is decided by at most 767 digits and the question whether any follow them. */
enum { DOUBLE_DIGITS = 770 };

bool tn_json_to_double(const struct tn_json *value, double *ret)
{
	char digits[DOUBLE_DIGITS + 48];
	struct decimal d;
	size_t size = 0;
	double result;

	if (!tn_json_is(value, TN_JSON_NUMBER))
		return false;
	d = take_apart(value->text);
	if (d.negative)
		digits[size++] = '-';
	if (is_zero(&d))
		digits[size++] = '0';
	for (size_t i = d.first; i < d.end; i++) {
		if (i - d.first == DOUBLE_DIGITS) {
			digits[size++] = '1'; /* stands for the rest, which does not end in zero */
			d.power += (int64_t)(d.end - i) - 1;
			break;
		}
		digits[size++] = digit_at(&d, i);
	}
	(void)snprintf(digits + size, sizeof(digits) - size, "e%lld",
		       is_zero(&d) ? 0LL : (long long)d.power);
	result = strtod(digits, NULL); /* the process never calls setlocale */
	if (!isfinite(result))
		return false;
	*ret = result;
	return true;
}

bool tn_json_number_is_id(struct tn_str number)
{
	const struct tn_json value = {.type = TN_JSON_NUMBER, .text = number};
	int64_t whole;

	if (tn_str_find_byte(number, '.') == TN_STR_NONE &&
	    tn_str_find_byte(number, 'e') == TN_STR_NONE &&
	    tn_str_find_byte(number, 'E') == TN_STR_NONE)
		return true;
	return tn_json_to_int(&value, &whole) && whole >= -DOUBLE_EXACT_MAX &&
	       whole <= DOUBLE_EXACT_MAX;
}
