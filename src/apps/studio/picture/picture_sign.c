/* Signs of types: lines in a square of 24 (sign_path.h). A registry file may bring its own as
 * `icon`. */
#include "apps/studio/picture/internal.h"
#include "apps/studio/picture/sign_path.h"
#include "base/size.h"

/* Words of ids and categories, the most telling first. */
static const struct {
	const char *word, *sign;
} words[] = {
	{"subscription", "cloud"},
	{"resource_group", "folder"},
	{"user_group", "people"},
	{"sticky_note", "note"},
	{"region", "pin"},
	{"mobile_device", "phone"},
	{"mobile", "phone"},
	{"browser", "window"},
	{"client", "screen"},
	{"generic_app", "grid"},
	{"firewall", "wall"},
	{"security_group", "shield"},
	{"subnet", "subnet"},
	{"load_balancer", "balancer"},
	{"loadbalancing", "balancer"},
	{"alb", "balancer"},
	{"lb", "balancer"},
	{"route_table", "signs"},
	{"route", "route"},
	{"peering", "arrows"},
	{"network_gateway", "tunnel"},
	{"nat", "merge"},
	{"internet_gateway", "globe"},
	{"application_gateway", "fork"},
	{"api_gateway", "fork"},
	{"gateway", "arrows"},
	{"vnet_link", "chain"},
	{"link", "chain"},
	{"private_dns", "lock"},
	{"a_record", "letter"},
	{"cname_record", "tag"},
	{"cdn_endpoint", "target"},
	{"private_endpoint", "plug"},
	{"endpoint", "plug"},
	{"dns", "globe"},
	{"public_ip", "signpost"},
	{"eip", "signpost"},
	{"ip", "signpost"},
	{"cdn", "globe"},
	{"frontdoor", "door"},
	{"signalr", "waves"},
	{"static_web_app", "code"},
	{"bastion", "tower"},
	{"virtual_network", "network"},
	{"vpc", "network"},
	{"vault_secret", "password"},
	{"secret", "password"},
	{"secrets", "password"},
	{"vault_key", "key"},
	{"key_vault", "safe"},
	{"vault", "safe"},
	{"key", "key"},
	{"aad_administrator", "member"},
	{"administrator", "member"},
	{"federated_identity", "key"},
	{"credential", "key"},
	{"identity", "badge"},
	{"role_assignment", "member"},
	{"iam", "member"},
	{"role", "member"},
	{"user", "person"},
	{"function", "bolt"},
	{"lambda", "bolt"},
	{"kubernetes_cluster_node_pool", "cells"},
	{"node_pool", "cells"},
	{"node_group", "cells"},
	{"kubernetes", "cluster"},
	{"eks", "cluster"},
	{"container_registry", "shelf"},
	{"ecr", "shelf"},
	{"registry", "shelf"},
	{"container_app_environment", "crate"},
	{"container_app", "box"},
	{"container_group", "boxes"},
	{"ecs_cluster", "boxes"},
	{"task_definition", "clipboard"},
	{"ecs_service", "gear"},
	{"blob_container", "bucket"},
	{"container", "box"},
	{"app_service_plan", "chip"},
	{"service_plan", "chip"},
	{"app_service", "window"},
	{"app_configuration", "sliders"},
	{"configuration", "sliders"},
	{"virtual_machine_scale_set", "stack"},
	{"scale_set", "stack"},
	{"availability_set", "pair"},
	{"virtual_machine", "server"},
	{"search", "lens"},
	{"ai_foundry_project", "flask"},
	{"ai_foundry", "factory"},
	{"cognitive_deployment", "rocket"},
	{"rai_policy", "scale"},
	{"policy", "scale"},
	{"bot", "robot"},
	{"cognitive", "brain"},
	{"openai", "spark"},
	{"ai", "spark"},
	{"redis", "layers"},
	{"elasticache", "layers"},
	{"cache", "layers"},
	{"cosmosdb_account", "planet"},
	{"dynamodb", "table"},
	{"dynamodb_table", "table"},
	{"mssql_server", "server"},
	{"flexible_server_database", "database"},
	{"sql_database", "database"},
	{"mssql_database", "database"},
	{"flexible_server", "server"},
	{"mssql_managed_instance", "server"},
	{"rds", "database"},
	{"servicebus_namespace", "hub"},
	{"servicebus_queue", "queue"},
	{"servicebus_topic", "horn"},
	{"eventhub_namespace", "waves"},
	{"eventhub", "stream"},
	{"email", "envelope"},
	{"communication", "speech"},
	{"queue", "queue"},
	{"topic", "horn"},
	{"event", "stream"},
	{"storage_account", "cabinet"},
	{"file_share", "files"},
	{"efs", "files"},
	{"s3", "bucket"},
	{"bucket", "bucket"},
	{"disk", "disk"},
	{"table", "table"},
	{"storage", "bucket"},
	{"log_analytics", "chart"},
	{"analytics", "chart"},
	{"application_insights", "bulb"},
	{"insights", "bulb"},
	{"action_group", "bell"},
	{"diagnostic_setting", "pulse"},
	{"log_group", "scroll"},
	{"log", "scroll"},
	{"monitor", "pulse"},
	{"monitoring", "pulse"},
	{"api_management", "braces"},
	{"api", "braces"},
	{"integration", "steps"},
	{"logic", "steps"},
	{"data", "braces"},
	{"web", "window"},
	{"app", "window"},
	{"apps", "window"},
	{"instance", "server"},
	{"cosmosdb", "database"},
	{"sql", "database"},
	{"mssql", "database"},
	{"mysql", "database"},
	{"postgresql", "database"},
	{"database", "database"},
	{"databases", "database"},
	{"messaging", "envelope"},
	{"servicebus", "envelope"},
	{"security", "shield"},
	{"server", "server"},
	{"network", "network"},
	{"networking", "network"},
	{"compute", "server"},
	{"containers", "box"},
};

static const struct {
	const char *word;
	enum tn_studio_family family;
} families[] = {
	{"dns", TN_STUDIO_FAMILY_NETWORK},
	{"network", TN_STUDIO_FAMILY_NETWORK},
	{"networking", TN_STUDIO_FAMILY_NETWORK},
	{"loadbalancing", TN_STUDIO_FAMILY_NETWORK},
	{"sql", TN_STUDIO_FAMILY_DATABASE},
	{"mysql", TN_STUDIO_FAMILY_DATABASE},
	{"postgresql", TN_STUDIO_FAMILY_DATABASE},
	{"database", TN_STUDIO_FAMILY_DATABASE},
	{"databases", TN_STUDIO_FAMILY_DATABASE},
	{"cosmosdb", TN_STUDIO_FAMILY_DATABASE},
	{"cache", TN_STUDIO_FAMILY_DATABASE},
	{"managed_instance", TN_STUDIO_FAMILY_DATABASE},
	{"storage", TN_STUDIO_FAMILY_STORAGE},
	{"container", TN_STUDIO_FAMILY_CONTAINERS},
	{"containers", TN_STUDIO_FAMILY_CONTAINERS},
	{"messaging", TN_STUDIO_FAMILY_MESSAGING},
	{"integration", TN_STUDIO_FAMILY_MESSAGING},
	{"security", TN_STUDIO_FAMILY_SECURITY},
	{"identity", TN_STUDIO_FAMILY_IDENTITY},
	{"web", TN_STUDIO_FAMILY_WEB},
	{"monitor", TN_STUDIO_FAMILY_MONITORING},
	{"monitoring", TN_STUDIO_FAMILY_MONITORING},
	{"compute", TN_STUDIO_FAMILY_COMPUTE},
	{"ai", TN_STUDIO_FAMILY_AI},
};

static bool is_joint(char c)
{
	return c == '_' || c == '-';
}

/* Whole words only: "availability_set" is not "ai". */
static bool has_words(struct tn_str text, struct tn_str some)
{
	for (size_t at = 0; at + some.size <= text.size; at++) {
		size_t end = at + some.size, i = 0;

		if ((at > 0 && !is_joint(text.data[at - 1])) ||
		    (end < text.size && !is_joint(text.data[end])))
			continue;
		while (i < some.size && (text.data[at + i] == some.data[i] ||
					 (is_joint(text.data[at + i]) && is_joint(some.data[i]))))
			i++;
		if (i == some.size)
			return true;
	}
	return false;
}

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
		if (has_words(type->category, tn_str_from(families[i].word)))
			return families[i].family;
	return TN_STUDIO_FAMILY_CORE;
}

static const char *sign_named(struct tn_str name)
{
	size_t i;

	for (i = 0; i < tn_studio_sign_count; i++)
		if (tn_str_is(name, tn_studio_signs[i].name))
			return tn_studio_signs[i].path;
	return NULL;
}

static const char *sign_by_words(struct tn_str text)
{
	size_t i;

	for (i = 0; i < TN_COUNT(words); i++)
		if (has_words(text, tn_str_from(words[i].word)))
			return sign_named(tn_str_from(words[i].sign));
	return NULL;
}

static const char *path_of(const struct tn_studio_type *type)
{
	const char *path = sign_named(type->icon);

	if (!path)
		path = sign_by_words(last_part(type->id));
	if (!path)
		path = sign_by_words(type->category);
	return path ? path : sign_named(TN_STR("box"));
}

static unsigned steps_of(const struct tn_studio_type *type, struct tn_studio_sign_step *ret)
{
	unsigned count = sign_named(type->icon) ? 0 : tn_studio_sign_parse(type->icon, ret);

	/* What is neither a name nor an outline counts as none. */
	return count > 0 ? count : tn_studio_sign_parse(tn_str_from(path_of(type)), ret);
}

void tn_studio_put_sign(struct tn_buf *out, const struct tn_studio_type *type)
{
	struct tn_studio_sign_step steps[TN_STUDIO_SIGN_STEPS_MAX];

	tn_studio_sign_write(out, steps, steps_of(type, steps));
}

/* ---- drawn ---- */

struct square {
	struct tn_display *display;
	double left, top, scale;
	const struct tn_draw_style *style;
};

static void draw_step(const struct square *square, const struct tn_studio_sign_step *step)
{
	double at[6];

	for (unsigned i = 0; i < 6; i++)
		at[i] = (i % 2 == 0 ? square->left : square->top) + step->at[i] * square->scale;
	switch (step->kind) {
	case TN_STUDIO_SIGN_MOVE:
		tn_draw_move(square->display, at[0], at[1]);
		break;
	case TN_STUDIO_SIGN_LINE:
		tn_draw_line(square->display, at[0], at[1]);
		break;
	case TN_STUDIO_SIGN_CURVE:
		tn_draw_curve(square->display, at[0], at[1], at[2], at[3], at[4], at[5]);
		break;
	case TN_STUDIO_SIGN_CLOSE:
		tn_draw_close(square->display);
		break;
	case TN_STUDIO_SIGN_CIRCLE:
		/* The path is ended before it and begun anew behind. */
		tn_draw_end(square->display);
		tn_draw_ellipse(square->display, at[0], at[1], step->at[2] * square->scale,
				step->at[2] * square->scale, square->style);
		tn_draw_begin(square->display, square->style);
		break;
	}
}

void tn_studio_draw_sign(struct tn_display *display, const struct tn_studio_type *type, double x,
			 double y, double size, tn_colour colour)
{
	const struct tn_draw_style style = {.stroke = colour,
					    .stroke_width = size / TN_STUDIO_SIGN_SQUARE * 1.7,
					    .round = true};
	const struct square square = {display, x, y, size / TN_STUDIO_SIGN_SQUARE, &style};
	struct tn_studio_sign_step steps[TN_STUDIO_SIGN_STEPS_MAX];
	unsigned count = steps_of(type, steps);

	tn_draw_begin(display, &style);
	for (unsigned i = 0; i < count; i++)
		draw_step(&square, &steps[i]);
	tn_draw_end(display);
}
