/* Signs of types: lines in a square of 24, written as the data of SVG paths (M L H V C Q Z, upper
 * and lower case), with O cx cy r for a circle. A registry file may bring its own as `icon`. */
#include <stdlib.h>

#include "apps/studio/picture/internal.h"
#include "base/size.h"

enum { SQUARE = 24, STEPS_MAX = 500 };

static const struct sign {
	const char *name, *path;
} signs[] = {
	{"network", "O12 5 2.6O5 18.5 2.6O19 18.5 2.6M10.8 7.3L6.3 16.2M13.2 7.3L17.7 16.2M7.6 "
		    "18.5H16.4"},
	{"subnet", "M3 5H21V19H3ZM9 5V19M15 5V19M3 12H21"},
	{"shield", "M12 3L20 6V12C20 16.5 16.5 19.8 12 21C7.5 19.8 4 16.5 4 12V6ZM8.5 12L11 "
		   "14.5L15.5 9.5"},
	{"wall", "M3 5H21V19H3ZM3 9.7H21M3 14.3H21M9 5V9.7M16 5V9.7M12 9.7V14.3M6 9.7V14.3M18 "
		 "9.7V14.3M9 14.3V19M16 14.3V19"},
	{"key", "O8 12 4.2M12.2 12H21M17 12V15.5M20.6 12V14.8"},
	{"globe", "O12 12 9M3 12H21M12 3C8 7.5 8 16.5 12 21C16 16.5 16 7.5 12 3"},
	{"server", "M4 4H20V10.5H4ZM4 13.5H20V20H4ZM7.4 7.25H8M7.4 16.75H8M12 7.25H16.8M12 "
		   "16.75H16.8"},
	{"chip", "M7 7H17V17H7ZM10 3.2V7M14 3.2V7M10 17V20.8M14 17V20.8M3.2 10H7M3.2 14H7M17 "
		 "10H20.8M17 14H20.8"},
	{"database",
	 "M4 6C4 2.8 20 2.8 20 6C20 9.2 4 9.2 4 6V18C4 21.2 20 21.2 20 18V6M4 12C4 15.2 "
	 "20 15.2 20 12"},
	{"bucket", "M4 6.5C4 3.2 20 3.2 20 6.5C20 9.8 4 9.8 4 6.5L6 19C6.4 21.4 17.6 21.4 18 19L20 "
		   "6.5"},
	{"box", "M12 3L20.5 7.5V16.5L12 21L3.5 16.5V7.5ZM3.5 7.5L12 12L20.5 7.5M12 12V21"},
	{"cluster", "M12 2.8L20 7.4V16.6L12 21.2L4 16.6V7.4ZO12 12 2.8M12 2.8V9.2M12 14.8V21.2M20 "
		    "7.4L14.4 10.6M9.6 13.4L4 16.6M4 7.4L9.6 10.6M14.4 13.4L20 16.6"},
	{"envelope", "M3 5.5H21V18.5H3ZM3.4 6L12 13L20.6 6"},
	{"bolt", "M13.2 2.8L5 13.6H11L10 21.2L19 9.8H12.6Z"},
	{"window", "M3 4.5H21V19.5H3ZM3 9H21M6 6.8H6.2M8.8 6.8H9"},
	{"pulse", "M2.8 12H7L10 4.5L14 19.5L17 12H21.2"},
	{"person", "O12 7.8 4M4.2 20.8C4.2 15.4 8 14.2 12 14.2C16 14.2 19.8 15.4 19.8 20.8"},
	{"people", "O9 8.2 3.6M2.6 20C2.6 15.6 5.6 14.4 9 14.4C12.4 14.4 15.4 15.6 15.4 20M15 "
		   "5.2C18.4 3.8 20.6 8.8 16.6 11.2M18 14.2C20.4 15 21.4 17 21.4 20"},
	{"folder", "M3 5.5H9.6L12 8.2H21V19H3Z"},
	{"cloud", "M7 18.4C3.6 18.4 2.4 15.8 2.9 13.8C3.3 12 4.8 11.2 6.2 11.3C6.6 8 9 6 12 6C15 6 "
		  "17.3 8 17.8 10.7C20 10.7 21.4 12.3 21.4 14.5C21.4 16.7 20 18.4 17.8 18.4Z"},
	{"spark", "M12 2.8L14 10L21.2 12L14 14L12 21.2L10 14L2.8 12L10 10Z"},
	{"arrows", "M3.5 8H19M15 4L19 8L15 12M20.5 16H5M9 12L5 16L9 20"},
	{"balancer", "O12 5 2.2M12 7.2V16.6M12 12H5V16.6M12 12H19V16.6O5 18.8 2.2O12 18.8 2.2O19 "
		     "18.8 2.2"},
	{"route", "O6 6 2.6O18 18 2.6M8.6 6H14C18 6 18 12 14 12H10C6 12 6 18 10 18H15.4"},
	{"layers", "M12 3.2L21 7.8L12 12.4L3 7.8ZM3 12L12 16.6L21 12M3 16.2L12 20.8L21 16.2"},
	{"phone", "M7.5 3H16.5V21H7.5ZM11 18H13"},
	{"pin",
	 "M12 21C8 16 6 12.6 6 9.4C6 5.9 8.7 3.2 12 3.2C15.3 3.2 18 5.9 18 9.4C18 12.6 16 16 "
	 "12 21ZO12 9.3 2.3"},
	{"disk", "O12 12 9O12 12 2.6M12 5.8C15.4 5.8 18.2 8.6 18.2 12"},
	{"steps", "M3.5 4H10V9H3.5ZM14 15H20.5V20H14ZM6.8 9V17.5H14M10 6.5H17.2V15"},
};

/* Words of ids and categories, the most telling first. */
static const struct {
	const char *word, *sign;
} words[] = {
	{"subscription", "cloud"},
	{"resource_group", "folder"},
	{"user_group", "people"},
	{"sticky", "steps"},
	{"region", "pin"},
	{"mobile", "phone"},
	{"browser", "globe"},
	{"firewall", "wall"},
	{"security_group", "shield"},
	{"subnet", "subnet"},
	{"load_balancer", "balancer"},
	{"loadbalanc", "balancer"},
	{"_lb", "balancer"},
	{"route", "route"},
	{"peering", "arrows"},
	{"gateway", "arrows"},
	{"endpoint", "arrows"},
	{"_link", "arrows"},
	{"dns", "globe"},
	{"public_ip", "globe"},
	{"cdn", "globe"},
	{"frontdoor", "globe"},
	{"virtual_network", "network"},
	{"vpc", "network"},
	{"key", "key"},
	{"secret", "key"},
	{"vault", "key"},
	{"identity", "person"},
	{"iam", "person"},
	{"role", "person"},
	{"user", "person"},
	{"function", "bolt"},
	{"lambda", "bolt"},
	{"kubernetes", "cluster"},
	{"eks", "cluster"},
	{"ecs", "cluster"},
	{"container", "box"},
	{"registry", "box"},
	{"ecr", "box"},
	{"app_service_plan", "chip"},
	{"service_plan", "chip"},
	{"app_service", "window"},
	{"web", "window"},
	{"app", "window"},
	{"client", "window"},
	{"virtual_machine", "server"},
	{"instance", "server"},
	{"redis", "layers"},
	{"cache", "layers"},
	{"cosmos", "database"},
	{"sql", "database"},
	{"database", "database"},
	{"dynamo", "database"},
	{"storage", "bucket"},
	{"s3", "bucket"},
	{"bucket", "bucket"},
	{"disk", "disk"},
	{"messaging", "envelope"},
	{"queue", "envelope"},
	{"topic", "envelope"},
	{"event", "envelope"},
	{"monitor", "pulse"},
	{"insights", "pulse"},
	{"log_analytics", "pulse"},
	{"integration", "steps"},
	{"logic", "steps"},
	{"openai", "spark"},
	{"cognitive", "spark"},
	{"ai", "spark"},
	{"security", "shield"},
	{"bastion", "shield"},
	{"server", "server"},
	{"network", "network"},
	{"compute", "server"},
};

static const struct {
	const char *word;
	enum tn_studio_family family;
} families[] = {
	{"dns", TN_STUDIO_FAMILY_NETWORK},
	{"network", TN_STUDIO_FAMILY_NETWORK},
	{"loadbalanc", TN_STUDIO_FAMILY_NETWORK},
	{"sql", TN_STUDIO_FAMILY_DATABASE},
	{"database", TN_STUDIO_FAMILY_DATABASE},
	{"cosmos", TN_STUDIO_FAMILY_DATABASE},
	{"cache", TN_STUDIO_FAMILY_DATABASE},
	{"managed-instance", TN_STUDIO_FAMILY_DATABASE},
	{"storage", TN_STUDIO_FAMILY_STORAGE},
	{"container", TN_STUDIO_FAMILY_CONTAINERS},
	{"messag", TN_STUDIO_FAMILY_MESSAGING},
	{"integration", TN_STUDIO_FAMILY_MESSAGING},
	{"security", TN_STUDIO_FAMILY_SECURITY},
	{"identity", TN_STUDIO_FAMILY_IDENTITY},
	{"web", TN_STUDIO_FAMILY_WEB},
	{"monitor", TN_STUDIO_FAMILY_MONITORING},
	{"compute", TN_STUDIO_FAMILY_COMPUTE},
	{"ai", TN_STUDIO_FAMILY_AI},
};

static struct tn_str last_part(struct tn_str id)
{
	size_t at = id.size;

	while (at > 0 && id.data[at - 1] != '/')
		at--;
	return tn_str_from_offset(id, at);
}

enum tn_studio_family tn_studio_family_of(const struct tn_studio_type *type)
{
	size_t i;

	for (i = 0; type && i < TN_COUNT(families); i++)
		if (tn_str_find(type->category, tn_str_from(families[i].word)) != TN_STR_NONE)
			return families[i].family;
	return TN_STUDIO_FAMILY_CORE;
}

static const char *sign_named(struct tn_str name)
{
	size_t i;

	for (i = 0; i < TN_COUNT(signs); i++)
		if (tn_str_is(name, signs[i].name))
			return signs[i].path;
	return NULL;
}

static const char *sign_by_words(struct tn_str text)
{
	size_t i;

	for (i = 0; i < TN_COUNT(words); i++)
		if (tn_str_find(text, tn_str_from(words[i].word)) != TN_STR_NONE)
			return sign_named(tn_str_from(words[i].sign));
	return NULL;
}

static struct tn_str path_of(const struct tn_studio_type *type)
{
	const char *path = sign_named(type->icon);

	/* Everything else than a name is path data; what is none draws nothing. */
	if (!path && type->icon.size > 0 &&
	    (type->icon.data[0] == 'M' || type->icon.data[0] == 'O'))
		return type->icon;
	if (!path)
		path = sign_by_words(last_part(type->id));
	if (!path)
		path = sign_by_words(type->category);
	return tn_str_from(path ? path : sign_named(TN_STR("box")));
}

/* ---- path data ---- */

struct pen {
	struct tn_display *display;
	double left, top, scale; /* of the square */
	double x, y;             /* where it is, in the square */
	double start_x, start_y;
	struct tn_str rest;
	bool broken;
	const struct tn_draw_style *style;
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

static double place_x(const struct pen *pen, double x)
{
	return pen->left + x * pen->scale;
}

static double place_y(const struct pen *pen, double y)
{
	return pen->top + y * pen->scale;
}

static void draw_circle(struct pen *pen)
{
	double x = number(pen), y = number(pen), r = number(pen);

	if (!pen->broken)
		tn_draw_ellipse(pen->display, place_x(pen, x), place_y(pen, y), r * pen->scale,
				r * pen->scale, pen->style);
}

static void go(struct pen *pen, double x, double y, bool move)
{
	pen->x = x;
	pen->y = y;
	if (pen->broken)
		return;
	if (move) {
		pen->start_x = x;
		pen->start_y = y;
		tn_draw_move(pen->display, place_x(pen, x), place_y(pen, y));
	} else {
		tn_draw_line(pen->display, place_x(pen, x), place_y(pen, y));
	}
}

static void draw_curve(struct pen *pen, double base_x, double base_y, bool quadratic)
{
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
	if (!pen->broken)
		tn_draw_curve(pen->display, place_x(pen, at[0]), place_y(pen, at[1]),
			      place_x(pen, at[2]), place_y(pen, at[3]), place_x(pen, at[4]),
			      place_y(pen, at[5]));
	pen->x = at[4];
	pen->y = at[5];
}

static void step(struct pen *pen, char letter)
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
		draw_curve(pen, x, y, letter == 'Q' || letter == 'q');
		break;
	case 'Z':
		tn_draw_close(pen->display);
		pen->x = pen->start_x;
		pen->y = pen->start_y;
		break;
	default:
		pen->broken = true;
	}
}

/* Circles are shapes of their own: the path is ended before one and begun anew after it. */
static void draw_path(struct pen *pen)
{
	unsigned steps = 0;

	tn_draw_begin(pen->display, pen->style);
	for (; pen->rest.size > 0 && !pen->broken && steps < STEPS_MAX; steps++) {
		char letter = pen->rest.data[0];

		pen->rest = tn_str_from_offset(pen->rest, 1);
		if (letter == 'O') {
			tn_draw_end(pen->display);
			draw_circle(pen);
			tn_draw_begin(pen->display, pen->style);
		} else {
			step(pen, letter);
		}
		skip_blanks(pen);
	}
	tn_draw_end(pen->display);
}

void tn_studio_draw_sign(struct tn_display *display, const struct tn_studio_type *type, double x,
			 double y, double size, tn_colour colour)
{
	const struct tn_draw_style style = {
		.stroke = colour, .stroke_width = size / SQUARE * 1.7, .round = true};
	struct pen pen = {.display = display,
			  .left = x,
			  .top = y,
			  .scale = size / SQUARE,
			  .rest = path_of(type),
			  .style = &style};

	draw_path(&pen);
}
