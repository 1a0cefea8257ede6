#include "host/terminal_setup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/privacy.h"

enum tenon_code tn_terminal_check_reach(const struct tn_config *config,
					const struct tn_terminal_reach *reach,
					struct tenon_error *err)
{
	bool runs_nothing = strcmp(tn_config_text(config, "terminal.backend"), "none") == 0;

	if (reach->remote && geteuid() == 0)
		return tn_fail(err, TENON_INVALID,
			       "as root the app terminal is not served to other machines; run it "
			       "as another user, or leave it out of the apps");
	if (reach->remote && !reach->behind_proxy)
		return tn_fail(err, TENON_INVALID,
			       "what is typed into the app terminal would cross the network in the "
			       "open; put a proxy with TLS before it and say so (--behind-proxy, "
			       "http.behind_proxy)");
	if (reach->network && !runs_nothing && !tn_config_list(config, "terminal.roots")[0])
		return tn_fail(err, TENON_INVALID,
			       "the app terminal needs the directories that commands of network "
			       "clients may start in (--root DIR, terminal.roots)");
	return TENON_OK;
}

void tn_terminal_tell(bool network, const char *runtime_folder)
{
	/* ENOMEM: the app is as careful as it can be without. */
	if (network)
		(void)setenv("TENON_TERMINAL_NETWORK", "1", 1);
	else
		(void)unsetenv("TENON_TERMINAL_NETWORK");
	if (runtime_folder)
		(void)setenv("TENON_TERMINAL_RUNTIME", runtime_folder, 1);
	else
		(void)setenv("TENON_TERMINAL_PERSIST", "none", 1);
}

void tn_terminal_hide_secrets(const struct tn_config *config)
{
	const char *const more[] = {tn_config_text(config, "plan.llm.api_key_env"),
				    "TENON_PLAN_HEADERS", NULL};

	tn_privacy_begin(more);
}
