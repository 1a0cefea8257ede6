#include "host/settings/terminal_setup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/settings/settings_table.h"
#include "host/record/privacy.h"
#include "host/settings/config_key.h"

enum { SECRETS_MAX = 16 }; /* rows of the tables that are secret, or name one */

enum tenon_code tn_terminal_check_reach(struct tn_config *config,
					const struct tn_terminal_reach *reach,
					struct tenon_error *err)
{
	struct tn_settings has = tn_settings_of(tn_config_views(config), &tn_term_setting_table);
	bool runs_nothing = tn_settings_is(&has, "terminal.backend", "none");

	if (reach->remote && geteuid() == 0)
		return tn_fail(err, TENON_INVALID,
			       "as root the app terminal is not served to other machines; run it "
			       "as another user, or leave it out of the apps");
	if (reach->remote && !reach->behind_proxy)
		return tn_fail(err, TENON_INVALID,
			       "what is typed into the app terminal would cross the network in the "
			       "open; put a proxy with TLS before it and say so (--behind-proxy, "
			       "http.behind_proxy)");
	if (reach->network && !runs_nothing && !tn_settings_list(&has, "terminal.roots")[0])
		return tn_fail(err, TENON_INVALID,
			       "the app terminal needs the directories that commands of network "
			       "clients may start in (--root DIR, terminal.roots)");
	return TENON_OK;
}

void tn_terminal_hide_secrets(const struct tn_config *config)
{
	char scratch[SECRETS_MAX][TN_CONFIG_VARIABLE_MAX];
	const char *names[SECRETS_MAX + 1] = {NULL};
	size_t count = 0, ours = 0;

	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);

		tn_assert(count < SECRETS_MAX);
		if (key->secret)
			names[count] = tn_config_key_variable(key, scratch[count]);
		count += key->secret;
	}
	ours = count;
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const struct tn_setting *key = tn_config_key_at(i);

		tn_assert(count < SECRETS_MAX);
		if (key->rule == TN_SETTING_VARIABLE)
			names[count++] = tn_config_text(config, key->key);
	}
	tn_privacy_begin(names);
	/* We have read these, and they are for nobody else. */
	for (size_t i = 0; i < ours; i++)
		tn_privacy_forget(names[i]);
}
