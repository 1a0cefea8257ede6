/* words.h - the reserved words of the language (floorplan.md L10), in its order. Threads: any. */
#ifndef TN_FLOOR_WORDS_H
#define TN_FLOOR_WORDS_H

/* clang-format off */
#define TN_FLOOR_WORDS(X) \
	X(L_shaped, "L-shaped") X(U_shaped, "U-shaped") X(above, "above") \
	X(above_left_of, "above-left-of") X(above_right_of, "above-right-of") \
	X(ada, "ada") X(align, "align") X(along, "along") X(arc, "arc") \
	X(areaUnit, "areaUnit") X(area_unit, "area_unit") X(at, "at") X(below, "below") \
	X(below_left_of, "below-left-of") X(below_right_of, "below-right-of") \
	X(blueprint, "blueprint") X(both, "both") X(bottom, "bottom") \
	X(center, "center") X(clockwise, "clockwise") X(closed, "closed") X(cm, "cm") \
	X(commercial, "commercial") X(composed, "composed") X(config, "config") \
	X(connect, "connect") X(counterclockwise, "counterclockwise") \
	X(curved, "curved") X(custom, "custom") X(dark, "dark") X(darkMode, "darkMode") \
	X(dark_mode, "dark_mode") X(default, "default") \
	X(defaultHeight, "defaultHeight") X(defaultStyle, "defaultStyle") \
	X(defaultUnit, "defaultUnit") X(default_height, "default_height") \
	X(default_style, "default_style") X(default_unit, "default_unit") \
	X(define, "define") X(door, "door") X(doorHeight, "doorHeight") \
	X(doorSize, "doorSize") X(doorWidth, "doorWidth") X(door_height, "door_height") \
	X(door_size, "door_size") X(door_width, "door_width") X(doors, "doors") \
	X(double_L, "double-L") X(double_door, "double-door") X(elevation, "elevation") \
	X(false, "false") X(flight, "flight") X(floor, "floor") \
	X(floorThickness, "floorThickness") X(floor_color, "floor_color") \
	X(floor_texture, "floor_texture") X(floor_thickness, "floor_thickness") \
	X(floorplan, "floorplan") X(fontFamily, "fontFamily") X(fontSize, "fontSize") \
	X(font_family, "font_family") X(font_size, "font_size") X(from, "from") \
	X(ft, "ft") X(full, "full") X(gap, "gap") X(glass, "glass") \
	X(handrail, "handrail") X(headroom, "headroom") X(height, "height") X(in, "in") \
	X(inner, "inner") X(inner_radius, "inner-radius") X(into, "into") \
	X(label, "label") X(landing, "landing") X(left, "left") X(left_of, "left-of") \
	X(lift, "lift") X(m, "m") X(material, "material") X(metalness, "metalness") \
	X(mm, "mm") X(none, "none") X(nosing, "nosing") X(of, "of") X(open, "open") \
	X(opening, "opening") X(opens, "opens") X(outer, "outer") \
	X(outer_radius, "outer-radius") X(outside, "outside") X(radius, "radius") \
	X(residential, "residential") X(right, "right") X(right_of, "right-of") \
	X(rise, "rise") X(riser, "riser") X(room, "room") X(rotation, "rotation") \
	X(roughness, "roughness") X(runs, "runs") X(shape, "shape") \
	X(showDimensions, "showDimensions") X(showLabels, "showLabels") \
	X(show_dimensions, "show_dimensions") X(show_labels, "show_labels") \
	X(size, "size") X(solid, "solid") X(spiral, "spiral") X(sqft, "sqft") \
	X(sqm, "sqm") X(stair, "stair") X(stairCode, "stairCode") \
	X(stair_code, "stair_code") X(straight, "straight") X(stringer, "stringer") \
	X(stringers, "stringers") X(style, "style") X(sub_room, "sub-room") \
	X(swing, "swing") X(theme, "theme") X(to, "to") X(top, "top") \
	X(toward, "toward") X(tread, "tread") X(true, "true") X(turn, "turn") \
	X(vertical, "vertical") X(wallThickness, "wallThickness") \
	X(wall_color, "wall_color") X(wall_texture, "wall_texture") \
	X(wall_thickness, "wall_thickness") X(walls, "walls") X(width, "width") \
	X(winder, "winder") X(winders, "winders") X(window, "window") \
	X(windowHeight, "windowHeight") X(windowSill, "windowSill") \
	X(windowSize, "windowSize") X(windowWidth, "windowWidth") \
	X(window_height, "window_height") X(window_sill, "window_sill") \
	X(window_size, "window_size") X(window_width, "window_width") X(x, "x")
/* clang-format on */

enum tn_floor_word {
#define X(identifier, text) TN_WORD_##identifier,
	TN_FLOOR_WORDS(X)
#undef X
		TN_WORD_COUNT
};

#endif
