#include "apps/studio/picture/internal.h"

static const struct tn_studio_colours light = {
	.page = 0xFFFFFFFF,
	.card = 0xFFFFFFFF,
	.border = 0xC3CDDAFF,
	.shadow = 0x0F172A14,
	.text = 0x0F172AFF,
	.quiet = 0x475569FF,
	.note = {{"yellow", 0xFEF3C7FF, 0xE0B64AFF},
		 {"orange", 0xFFE4CCFF, 0xE08A3CFF},
		 {"red", 0xFEDCDCFF, 0xD96A6AFF},
		 {"pink", 0xFCE0F0FF, 0xD069A5FF},
		 {"purple", 0xEBE2FDFF, 0x9A78DCFF},
		 {"blue", 0xDBEAFEFF, 0x5B93DCFF},
		 {"green", 0xDCF5E1FF, 0x57A86AFF},
		 {"grey", 0xECEEF1FF, 0x8A94A3FF}},
	.note_text = 0x422006FF,
	.unknown = 0xF1F3F5FF,
	.unknown_border = 0x6B7280FF,
	.edge = 0x334155FF,
	.edge_quiet = 0x64748BFF,
	.binding = 0x6D28D9FF,
	.pending = 0x6B7280FF,
	.busy = 0x1D4ED8FF,
	.created = 0x15803DFF,
	.failed = 0xB91C1CFF,
	.destroyed = 0x57534EFF,
	.action = {0x15803DFF, 0xB45309FF, 0xC2410CFF, 0xB91C1CFF, 0x0369A1FF, 0x57534EFF},
	.severity = {0xB91C1CFF, 0xB45309FF, 0x1D4ED8FF},
	.family = {0x475569FF, 0x1D4ED8FF, 0xC2410CFF, 0x0F766EFF, 0x15803DFF, 0x4338CAFF,
		   0xA21CAFFF, 0xB91C1CFF, 0x92400EFF, 0x0369A1FF, 0x4D7C0FFF, 0x7C3AEDFF},
	.tint = 11,
	.wash = 4,
};

static const struct tn_studio_colours dark = {
	.page = 0x0B1220FF,
	.card = 0x1A2436FF,
	.border = 0x47566EFF,
	.shadow = 0x00000050,
	.text = 0xF1F5F9FF,
	.quiet = 0xB4C0D2FF,
	.note = {{"yellow", 0x4A3A0EFF, 0xC99A2EFF},
		 {"orange", 0x51300FFF, 0xD98A3DFF},
		 {"red", 0x522222FF, 0xDB7676FF},
		 {"pink", 0x4C2139FF, 0xD878AEFF},
		 {"purple", 0x382758FF, 0xA98BE6FF},
		 {"blue", 0x19355AFF, 0x6AA3EAFF},
		 {"green", 0x173F23FF, 0x5DB873FF},
		 {"grey", 0x343B45FF, 0x97A1B0FF}},
	.note_text = 0xFEF3C7FF,
	.unknown = 0x2A2F38FF,
	.unknown_border = 0x9CA3AFFF,
	.edge = 0xCBD5E1FF,
	.edge_quiet = 0x94A3B8FF,
	.binding = 0xC4B5FDFF,
	.pending = 0xA8B0BDFF,
	.busy = 0x7DB4FFFF,
	.created = 0x5EE08AFF,
	.failed = 0xFF8A8AFF,
	.destroyed = 0xC7BFB8FF,
	.action = {0x5EE08AFF, 0xF5B942FF, 0xFB9F57FF, 0xFF8A8AFF, 0x4CC4FAFF, 0xC7BFB8FF},
	.severity = {0xFF8A8AFF, 0xF5B942FF, 0x7DB4FFFF},
	.family = {0xA9B6C8FF, 0x72AEFFFF, 0xFB9F57FF, 0x3CD9C3FF, 0x5EDD87FF, 0xA8B3FFFF,
		   0xEC8CFAFF, 0xFF8585FF, 0xF5B942FF, 0x4CC4FAFF, 0xAEE24BFF, 0xC6B3FFFF},
	.tint = 16,
	.wash = 7,
};

const struct tn_studio_colours *tn_studio_colours_of(enum tn_studio_theme theme)
{
	return theme == TN_STUDIO_DARK ? &dark : &light;
}

const struct tn_studio_note_colour *tn_studio_note_colour(const struct tn_studio_colours *colours,
							  struct tn_str name)
{
	for (size_t i = 0; i < TN_STUDIO_NOTE_COLOURS; i++) {
		if (tn_str_is(name, colours->note[i].name))
			return &colours->note[i];
	}
	return &colours->note[0];
}

tn_colour tn_studio_page_colour(enum tn_studio_theme theme)
{
	return tn_studio_colours_of(theme)->page;
}

tn_colour tn_studio_status_colour(const struct tn_studio_colours *colours, struct tn_str status)
{
	if (tn_str_is(status, "created"))
		return colours->created;
	if (tn_str_is(status, "failed"))
		return colours->failed;
	if (tn_str_is(status, "creating") || tn_str_is(status, "updating"))
		return colours->busy;
	return tn_str_is(status, "destroyed") ? colours->destroyed : colours->pending;
}

tn_colour tn_studio_mix(tn_colour over, tn_colour under, unsigned percent)
{
	tn_colour mixed = 0xFF;
	unsigned shift;

	for (shift = 8; shift < 32; shift += 8) {
		unsigned a = over >> shift & 255, b = under >> shift & 255;

		mixed |= (tn_colour)((a * percent + b * (100 - percent) + 50) / 100) << shift;
	}
	return mixed;
}
