/* Who follows a resource of the app `tenon` is told of its changes: what counts things at most once
 * a second, the rest at the end of the turn. */
#include "host/daemon/admin_app.h"
#include "host/record/metrics.h"
#include "mcp/feed.h"

static void publish(struct tn_admin *admin, unsigned dirty)
{
	for (unsigned i = 0; i < TN_ADMIN_TOPICS; i++) {
		if (!(dirty & 1U << i))
			continue;
		if (tn_feed_has_subscriber(admin->server, tn_str_from(admin->slots[i].uri)))
			tn_feed_resource_updated(admin->server, tn_str_from(admin->slots[i].uri));
	}
}

/* What is shown of the last minute changes although nothing happens. */
static bool is_cooling(const struct tn_admin *admin)
{
	return admin->daemon->metrics && tn_metrics_last_minute(admin->daemon->metrics) > 0;
}

static void publish_counts(struct tn_admin *admin)
{
	unsigned dirty = admin->dirty_counts;

	admin->dirty_counts = 0;
	admin->counted_ms = tn_loop_now_ms(admin->server->loop);
	publish(admin, dirty);
	if (is_cooling(admin)) {
		tn_admin_mark_count(admin, TN_ADMIN_CALLS);
		tn_admin_mark_count(admin, TN_ADMIN_STATUS);
	}
}

static void timer_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	publish_counts(data);
}

static void later_due(struct tn_later *later, void *data)
{
	struct tn_admin *admin = data;
	unsigned dirty = admin->dirty_now;

	(void)later;
	admin->dirty_now = 0;
	publish(admin, dirty);
}

void tn_admin_mark(struct tn_admin *admin, enum tn_admin_topic topic)
{
	if (!admin->watching || !admin->server->subscription_bytes)
		return; /* whoever subscribes later reads what is then */
	admin->dirty_now |= 1U << topic;
	tn_later_request(admin->later);
}

void tn_admin_mark_count(struct tn_admin *admin, enum tn_admin_topic topic)
{
	uint64_t since;

	if (!admin->watching || !admin->server->subscription_bytes)
		return;
	admin->dirty_counts |= 1U << topic;
	if (tn_timer_active(admin->timer))
		return;
	since = tn_loop_now_ms(admin->server->loop) - admin->counted_ms;
	tn_timer_start(admin->timer, since < TN_ADMIN_COUNT_MS ? TN_ADMIN_COUNT_MS - since : 0);
}

void tn_admin_changed(struct tn_daemon *daemon)
{
	if (!daemon->admin)
		return;
	tn_admin_mark(daemon->admin, TN_ADMIN_STATUS);
	tn_admin_mark(daemon->admin, TN_ADMIN_SETTINGS);
	tn_admin_mark(daemon->admin, TN_ADMIN_POLICY);
	tn_admin_mark(daemon->admin, TN_ADMIN_HOSTS);
}

enum tenon_code tn_admin_publish_open(struct tn_admin *admin, struct tenon_error *err)
{
	enum tenon_code code =
		tn_later_open(admin->server->loop, later_due, admin, &admin->later, err);

	if (code == TENON_OK)
		code = tn_timer_open(admin->server->loop, timer_due, admin, &admin->timer, err);
	return code;
}

void tn_admin_publish_close(struct tn_admin *admin)
{
	tn_timer_close(admin->timer);
	tn_later_close(admin->later);
	admin->timer = NULL;
	admin->later = NULL;
}
