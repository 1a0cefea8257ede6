/* The words of the language by what they are (contracts/floorplan.md 3.2, L10), for colours and
 * completion. A test compares them with the parser's own table (src/apps/floorplan/language/words.h). */

const list = (words: string) => words.trim().split(/\s+/);

export const statements = list('floorplan define style config floor room sub-room stair lift connect vertical');

export const configKeys = list(`area_unit areaUnit dark_mode darkMode default_height defaultHeight default_style
	defaultStyle default_unit defaultUnit door_height doorHeight door_size doorSize door_width doorWidth
	floor_thickness floorThickness font_family fontFamily font_size fontSize show_dimensions showDimensions
	show_labels showLabels stair_code stairCode theme wall_thickness wallThickness window_height windowHeight
	window_sill windowSill window_size windowSize window_width windowWidth`);

export const styleKeys = list('floor_color wall_color floor_texture wall_texture roughness metalness');

export const directions = list(`right-of left-of above below above-right-of above-left-of below-right-of
	below-left-of`);

export const sides = list('top right bottom left');
export const wallTypes = list('solid door window open');
export const links = list('door double-door opening');
export const alignments = list('top bottom left right center');
export const units = list('m ft cm in mm');
export const shapes = list('straight L-shaped U-shaped double-L winder spiral curved custom');

export const roomClauses = list('at size height elevation walls label composed style gap align');
export const stairClauses = list(`at shape rise width riser tread nosing headroom handrail stringers material
	label style`);

export const values = list(`true false dark blueprint default residential commercial ada none sqft sqm both
	inner outer closed glass clockwise counterclockwise`);

const others = list(`along arc doors flight from full inner-radius into landing of opens outer-radius outside
	radius rotation runs stringer swing to toward turn winders x`);

export const reserved: ReadonlySet<string> = new Set([
	...statements,
	...configKeys,
	...styleKeys,
	...directions,
	...sides,
	...wallTypes,
	...links,
	...alignments,
	...units,
	...shapes,
	...roomClauses,
	...stairClauses,
	...values,
	...others,
]);

const kinds = new Map<string, 'statement' | 'key' | 'type' | 'direction' | 'unit' | 'value' | 'clause'>();
const put = (words: string[], kind: Parameters<typeof kinds.set>[1]) => {
	for (const word of words) if (!kinds.has(word)) kinds.set(word, kind);
};
put(statements, 'statement');
put(configKeys, 'key');
put(styleKeys, 'key');
put([...wallTypes, ...links, ...shapes], 'type');
put([...directions, ...sides, 'center'], 'direction');
put(units, 'unit');
put(values, 'value');
put([...reserved], 'clause');

export const kindOf = (word: string) => kinds.get(word);
