/* prompt_studio.h - the prompts of studio (prompt_studio.c). */
#ifndef TN_STUDIO_PROMPT_STUDIO_H
#define TN_STUDIO_PROMPT_STUDIO_H

#include "tenon/tool.h"

extern const struct tenon_prompt tn_studio_prompt_architecture, tn_studio_prompt_three_tier,
	tn_studio_prompt_review, tn_studio_prompt_explain, tn_studio_prompt_plan,
	tn_studio_prompt_costs, tn_studio_prompt_harden, tn_studio_prompt_fix,
	tn_studio_prompt_adopt;

#endif
