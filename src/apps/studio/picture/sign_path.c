#include "apps/studio/picture/sign_path.h"

#include "draw/items.h"

struct pen {
	struct tn_str rest;
	double x, y; /* where it is */
	double start_x, start_y;
	bool down, broken; /* down: a line may follow */
	struct tn_studio_sign_step *steps;
	unsigned count;
};

static void skip_blanks(struct pen *pen)
{
	while (pen->rest.size > 0 && (pen->rest.data[0] == ' ' || pen->rest.data[0] == ','))
		pen->rest = tn_str_from_offset(pen->rest, 1);
}

/* Digits, one dot, a sign; a size beyond the square's surroundings is a mistake. */
static double number(struct pen *pen)
{
	double value = 0, unit = 1, sign = 1;
	bool dot = false, any = false;
	size_t at = 0;

	skip_blanks(pen);
	if (pen->rest.size > 0 && pen->rest.data[0] == '-') {
		sign = -1;
		at = 1;
	}
	for (; at < pen->rest.size; at++) {
		char c = pen->rest.data[at];

		if (c == '.' && !dot) {
			dot = true;
			continue;
		}
		if (!tn_is_digit(c) || value > 1000)
			break;
		any = true;
		value = value * 10 + (c - '0');
		unit = dot ? unit * 10 : unit;
	}
	pen->broken = pen->broken || !any || value / unit > 1000;
	pen->rest = tn_str_from_offset(pen->rest, at);
	return sign * value / unit;
}

/* NULL: there are too many. */
static struct tn_studio_sign_step *add(struct pen *pen, enum tn_studio_sign_kind kind)
{
	if (pen->count >= TN_STUDIO_SIGN_STEPS_MAX)
		pen->broken = true;
	if (pen->broken)
		return NULL;
	pen->steps[pen->count] = (struct tn_studio_sign_step){.kind = kind};
	return &pen->steps[pen->count++];
}

static void add_circle(struct pen *pen)
{
	double x = number(pen), y = number(pen), r = number(pen);
	struct tn_studio_sign_step *step = add(pen, TN_STUDIO_SIGN_CIRCLE);

	pen->broken = pen->broken || r <= 0;
	pen->down = false;
	if (!step)
		return;
	step->at[0] = x;
	step->at[1] = y;
	step->at[2] = r;
}

static void go(struct pen *pen, double x, double y, bool move)
{
	struct tn_studio_sign_step *step;

	pen->broken = pen->broken || (!move && !pen->down);
	step = add(pen, move ? TN_STUDIO_SIGN_MOVE : TN_STUDIO_SIGN_LINE);
	pen->x = x;
	pen->y = y;
	if (move) {
		pen->start_x = x;
		pen->start_y = y;
		pen->down = true;
	}
	if (!step)
		return;
	step->at[0] = x;
	step->at[1] = y;
}

static void curve(struct pen *pen, double base_x, double base_y, bool quadratic)
{
	struct tn_studio_sign_step *step;
	double at[6] = {0};
	unsigned count = quadratic ? 4 : 6, i;

	for (i = 0; i < count; i++)
		at[i] = number(pen) + (i % 2 == 0 ? base_x : base_y);
	if (quadratic) {
		at[4] = at[2];
		at[5] = at[3];
		at[2] = at[4] + (at[0] - at[4]) * 2 / 3;
		at[3] = at[5] + (at[1] - at[5]) * 2 / 3;
		at[0] = pen->x + (at[0] - pen->x) * 2 / 3;
		at[1] = pen->y + (at[1] - pen->y) * 2 / 3;
	}
	pen->broken = pen->broken || !pen->down;
	step = add(pen, TN_STUDIO_SIGN_CURVE);
	for (i = 0; step && i < 6; i++)
		step->at[i] = at[i];
	pen->x = at[4];
	pen->y = at[5];
}

static void take_step(struct pen *pen, char letter)
{
	bool relative = letter >= 'a';
	double x = relative ? pen->x : 0, y = relative ? pen->y : 0;

	switch (relative ? letter - 'a' + 'A' : letter) {
	case 'M':
	case 'L':
		x += number(pen);
		y += number(pen);
		go(pen, x, y, letter == 'M' || letter == 'm');
		break;
	case 'H':
		go(pen, x + number(pen), pen->y, false);
		break;
	case 'V':
		go(pen, pen->x, y + number(pen), false);
		break;
	case 'C':
	case 'Q':
		curve(pen, x, y, letter == 'Q' || letter == 'q');
		break;
	case 'Z':
		pen->broken = pen->broken || !pen->down;
		(void)add(pen, TN_STUDIO_SIGN_CLOSE);
		pen->x = pen->start_x;
		pen->y = pen->start_y;
		break;
	default:
		pen->broken = true;
	}
}

unsigned tn_studio_sign_parse(struct tn_str path,
			      struct tn_studio_sign_step ret[TN_STUDIO_SIGN_STEPS_MAX])
{
	struct pen pen = {.rest = path, .steps = ret};

	while (pen.rest.size > 0 && !pen.broken) {
		char letter = pen.rest.data[0];

		pen.rest = tn_str_from_offset(pen.rest, 1);
		if (letter == 'O')
			add_circle(&pen);
		else
			take_step(&pen, letter);
		skip_blanks(&pen);
	}
	return pen.broken ? 0 : pen.count;
}

/* ---- as text ---- */

static void put_numbers(struct tn_buf *out, const double *at, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (i > 0)
			tn_buf_append_byte(out, ' ');
		tn_draw_put_number(out, at[i]);
	}
}

static void put_arc(struct tn_buf *out, double r, double to_x, double y)
{
	const double radii[] = {r, r}, to[] = {to_x, y};

	tn_buf_append_byte(out, 'A');
	put_numbers(out, radii, 2);
	tn_buf_append_text(out, " 0 1 1 ");
	put_numbers(out, to, 2);
}

void tn_studio_sign_write(struct tn_buf *out, const struct tn_studio_sign_step *steps,
			  unsigned count)
{
	static const char letters[] = {'M', 'L', 'C', 'Z', 'M'};
	static const unsigned numbers[] = {2, 2, 6, 0, 0};

	for (unsigned i = 0; i < count; i++) {
		const struct tn_studio_sign_step *step = &steps[i];

		tn_buf_append_byte(out, letters[step->kind]);
		put_numbers(out, step->at, numbers[step->kind]);
		if (step->kind == TN_STUDIO_SIGN_CIRCLE) {
			const double left[] = {step->at[0] - step->at[2], step->at[1]};

			put_numbers(out, left, 2);
			put_arc(out, step->at[2], step->at[0] + step->at[2], step->at[1]);
			put_arc(out, step->at[2], left[0], step->at[1]);
			tn_buf_append_byte(out, 'Z');
		}
	}
}
