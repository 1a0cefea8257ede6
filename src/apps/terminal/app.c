#include "apps/terminal/app.h"

const struct tenon_app tn_terminal_app = {
	.name = "terminal",
	.argument_faults = TENON_FAULTS_ARE_PROTOCOL_ERRORS,
};
