/* Scenes: the camera, and prisms as faces that look at it. */
#include "draw/scene.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "draw/limits.h"
#include "draw/scene_faces.h"

#define NEAREST 1e-4 /* perspective: of the distance to `to`; what is nearer is cut off */
#define GRAZING 1e-9 /* planes seen from their edge have no area */
#define CLIPPED_MAX (TN_SCENE_CORNERS_MAX + 5) /* each line cut along adds a corner at most */

/* ---- vectors ---- */

static struct tn_point3 minus(struct tn_point3 a, struct tn_point3 b)
{
	return (struct tn_point3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(struct tn_point3 a, struct tn_point3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length(struct tn_point3 v)
{
	return sqrt(dot(v, v));
}

static struct tn_point3 scaled(struct tn_point3 v, double by)
{
	return (struct tn_point3){v.x * by, v.y * by, v.z * by};
}

/* y grows towards the reader, so this is the mirror image of the usual product. */
static struct tn_point3 across(struct tn_point3 a, struct tn_point3 b)
{
	return (struct tn_point3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
				  a.x * b.y - a.y * b.x};
}

/* ---- the camera ---- */

bool tn_scene_init(struct tn_scene *scene, const struct tn_camera *camera, uint32_t width,
		   uint32_t height)
{
	struct tn_point3 way = minus(camera->to, camera->from), right;
	double far = length(way);

	memset(scene, 0, sizeof(*scene));
	scene->camera = *camera;
	scene->width = width;
	scene->height = height;
	if (!(far > 0) || !isfinite(far))
		return false;
	scene->forward = scaled(way, 1 / far);
	right = across((struct tn_point3){0, 0, 1}, scene->forward);
	if (length(right) < GRAZING)
		right = (struct tn_point3){scene->forward.z < 0 ? 1 : -1, 0, 0};
	scene->right = scaled(right, 1 / length(right));
	scene->down = across(scene->right, scene->forward);
	return true;
}

void tn_scene_finish(struct tn_scene *scene)
{
	tn_mem_free(scene->faces);
	tn_mem_free(scene->corners);
	tn_mem_free(scene->marks);
	memset(scene, 0, sizeof(*scene));
}

/* Along the ray: how far from the camera, or from `to`. */
static double depth(const struct tn_scene *scene, struct tn_point3 at)
{
	const struct tn_camera *camera = &scene->camera;

	return dot(minus(at, camera->perspective ? camera->from : camera->to), scene->forward);
}

static struct tn_point project(const struct tn_scene *scene, struct tn_point3 at)
{
	const struct tn_camera *camera = &scene->camera;
	struct tn_point3 way = minus(at, camera->to);
	double scale = camera->scale;

	if (camera->perspective)
		scale /= depth(scene, at);
	return (struct tn_point){camera->x + dot(way, scene->right) * scale,
				 camera->y + dot(way, scene->down) * scale};
}

static double cut_at(const struct tn_scene *scene)
{
	return length(minus(scene->camera.to, scene->camera.from)) * NEAREST;
}

bool tn_scene_pixel(const struct tn_scene *scene, struct tn_point3 at, struct tn_point *ret)
{
	if (scene->camera.perspective && depth(scene, at) <= cut_at(scene))
		return false;
	*ret = project(scene, at);
	return true;
}

/* ---- room ---- */

static bool grow(struct tn_scene *scene, void **memory, size_t *room, size_t needed, size_t size)
{
	size_t more = *room ? *room * 2 : 256;
	void *grown;

	if (needed <= *room)
		return true;
	while (more < needed)
		more *= 2;
	grown = tn_mem_resize(*memory, more * size);
	if (!grown) {
		scene->failed = TENON_NO_MEMORY;
		return false;
	}
	*memory = grown;
	*room = more;
	return true;
}

static bool has_room(struct tn_scene *scene, size_t corners)
{
	void *faces = scene->faces, *places = scene->corners;
	bool good;

	if (scene->face_count == TN_SCENE_FACES_MAX)
		scene->failed = TENON_LIMIT;
	if (scene->failed != TENON_OK)
		return false;
	good = grow(scene, &faces, &scene->face_room, scene->face_count + 1, sizeof(*scene->faces));
	scene->faces = faces;
	if (!good)
		return false;
	good = grow(scene, &places, &scene->corner_room, scene->corner_count + corners,
		    sizeof(*scene->corners));
	scene->corners = places;
	return good;
}

/* ---- cutting off what is not in the picture ---- */

/* What of a polygon is on the side of a line, or of the camera's own plane, where `side` is not
 * negative. */
static unsigned cut_space(const struct tn_scene *scene, struct tn_point3 *at, unsigned count)
{
	struct tn_point3 kept[CLIPPED_MAX];
	double least = cut_at(scene);
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		struct tn_point3 a = at[i], b = at[i + 1 < count ? i + 1 : 0];
		double before = depth(scene, a) - least, behind = depth(scene, b) - least;

		if (before >= 0)
			kept[n++] = a;
		if ((before >= 0) != (behind >= 0)) {
			struct tn_point3 step = scaled(minus(b, a), before / (before - behind));

			kept[n++] = (struct tn_point3){a.x + step.x, a.y + step.y, a.z + step.z};
		}
	}
	memcpy(at, kept, n * sizeof(*at));
	return n;
}

static double beyond(struct tn_point at, int edge, double width, double height)
{
	switch (edge) {
	case 0:
		return at.x;
	case 1:
		return at.y;
	case 2:
		return width - at.x;
	default:
		return height - at.y;
	}
}

static unsigned cut_edge(const struct tn_scene *scene, struct tn_point *at, unsigned count,
			 int edge)
{
	struct tn_point kept[CLIPPED_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		struct tn_point a = at[i], b = at[i + 1 < count ? i + 1 : 0];
		double before = beyond(a, edge, scene->width, scene->height),
		       behind = beyond(b, edge, scene->width, scene->height),
		       part = before / (before - behind);

		if (before >= 0)
			kept[n++] = a;
		if ((before >= 0) != (behind >= 0))
			kept[n++] = (struct tn_point){a.x + (b.x - a.x) * part,
						      a.y + (b.y - a.y) * part};
	}
	memcpy(at, kept, n * sizeof(*at));
	return n;
}

/* ---- faces ---- */

struct plane { /* normal . place = distance */
	struct tn_point3 normal;
	double distance;
};

/* False: its back is seen, or its edge. */
static bool set_plane(const struct tn_scene *scene, const struct plane *plane,
		      struct tn_scene_face *face)
{
	const struct tn_camera *camera = &scene->camera;
	double along = dot(plane->normal, scene->forward),
	       right = dot(plane->normal, scene->right) / camera->scale,
	       down = dot(plane->normal, scene->down) / camera->scale, divisor, sum;

	if (camera->perspective) {
		divisor = plane->distance - dot(plane->normal, camera->from);
		if (divisor >= -GRAZING)
			return false;
		sum = along;
	} else {
		divisor = along;
		if (divisor >= -GRAZING)
			return false;
		sum = dot(plane->normal, camera->to) - plane->distance;
	}
	face->b = right / divisor;
	face->c = down / divisor;
	face->a = sum / divisor - face->b * camera->x - face->c * camera->y;
	return true;
}

static unsigned shade_of(const struct plane *plane)
{
	const struct tn_point3 *n = &plane->normal;

	if (n->z > 0)
		return 100;
	return n->z < 0 ? 60 : (unsigned)floor(80.5 - 7 * n->x + 12 * n->y);
}

static void measure(struct tn_scene_face *face, const struct tn_point *corners)
{
	face->left = face->top = INFINITY;
	face->right = face->bottom = face->nearest = -INFINITY;
	for (unsigned i = 0; i < face->corner_count; i++) {
		const struct tn_point *at = &corners[i];

		face->left = fmin(face->left, at->x);
		face->right = fmax(face->right, at->x);
		face->top = fmin(face->top, at->y);
		face->bottom = fmax(face->bottom, at->y);
		face->nearest = fmax(face->nearest, face->a + face->b * at->x + face->c * at->y);
	}
}

/* Takes `at` as memory to work in. */
static void add_face(struct tn_scene *scene, const struct plane *plane, struct tn_point3 *at,
		     unsigned count, tn_colour colour)
{
	struct tn_scene_face face = {0};
	struct tn_point corners[CLIPPED_MAX];
	unsigned shade = shade_of(plane);

	if (!set_plane(scene, plane, &face))
		return;
	if (scene->camera.perspective)
		count = cut_space(scene, at, count);
	for (unsigned i = 0; i < count; i++) {
		struct tn_point pixel = project(scene, at[i]);

		/* To a 256th: what builds differ in, in the last bit, is gone. */
		corners[i].x = floor(pixel.x * 256 + 0.5) / 256;
		corners[i].y = floor(pixel.y * 256 + 0.5) / 256;
	}
	for (int edge = 0; edge < 4 && count > 2; edge++)
		count = cut_edge(scene, corners, count, edge);
	if (count < 3 || !has_room(scene, count))
		return;
	face.corner_count = (uint16_t)count;
	face.first_corner = (uint32_t)scene->corner_count;
	face.number = (uint32_t)scene->face_count;
	for (unsigned i = 0; i < 3; i++)
		face.rgb[i] = (uint8_t)(((colour >> (24 - 8 * i) & 255) * shade + 50) / 100);
	measure(&face, corners);
	memcpy(scene->corners + scene->corner_count, corners, count * sizeof(*corners));
	scene->corner_count += count;
	scene->faces[scene->face_count++] = face;
}

static void add_lid(struct tn_scene *scene, const struct tn_prism *prism, bool top)
{
	struct tn_point3 at[CLIPPED_MAX];
	const double z = top ? prism->top : prism->bottom;
	const struct plane plane = {.normal = {0, 0, top ? 1 : -1}, .distance = top ? z : -z};

	for (unsigned i = 0; i < prism->count; i++)
		at[i] = (struct tn_point3){prism->base[i].x, prism->base[i].y, z};
	add_face(scene, &plane, at, prism->count, top ? prism->top_colour : prism->side_colour);
}

static void add_side(struct tn_scene *scene, const struct tn_prism *prism, unsigned index,
		     struct tn_point middle)
{
	struct tn_point a = prism->base[index],
			b = prism->base[index + 1 < prism->count ? index + 1 : 0];
	double dx = b.x - a.x, dy = b.y - a.y, size = sqrt(dx * dx + dy * dy);
	struct plane plane = {.normal = {dy / size, -dx / size, 0}};
	struct tn_point3 at[CLIPPED_MAX] = {{a.x, a.y, prism->bottom},
					    {b.x, b.y, prism->bottom},
					    {b.x, b.y, prism->top},
					    {a.x, a.y, prism->top}};

	if (!(size > 0))
		return;
	if (plane.normal.x * (middle.x - a.x) + plane.normal.y * (middle.y - a.y) > 0)
		plane.normal = scaled(plane.normal, -1);
	plane.distance = plane.normal.x * a.x + plane.normal.y * a.y;
	add_face(scene, &plane, at, 4, prism->side_colour);
}

void tn_scene_add(struct tn_scene *scene, const struct tn_prism *prism)
{
	struct tn_point middle = {0, 0};

	if (scene->failed != TENON_OK || prism->count < 3 || prism->count > TN_SCENE_CORNERS_MAX ||
	    !(prism->top > prism->bottom))
		return;
	for (unsigned i = 0; i < prism->count; i++) {
		middle.x += prism->base[i].x / prism->count;
		middle.y += prism->base[i].y / prism->count;
	}
	for (unsigned i = 0; i < prism->count; i++)
		add_side(scene, prism, i, middle);
	add_lid(scene, prism, false);
	add_lid(scene, prism, true);
}

/* ---- marks ---- */

size_t tn_scene_mark(struct tn_scene *scene, struct tn_point3 at)
{
	void *marks = scene->marks;
	struct tn_scene_mark *mark;
	double far = depth(scene, at);

	if (!grow(scene, &marks, &scene->mark_room, scene->mark_count + 1, sizeof(*scene->marks)))
		return SIZE_MAX;
	scene->marks = marks;
	mark = &scene->marks[scene->mark_count];
	memset(mark, 0, sizeof(*mark));
	mark->at = (struct tn_point){-1, -1}; /* in no picture */
	if (tn_scene_pixel(scene, at, &mark->at))
		mark->nearness = scene->camera.perspective ? 1 / far : -far;
	return scene->mark_count++;
}

bool tn_scene_is_seen(const struct tn_scene *scene, size_t mark)
{
	return mark < scene->mark_count && scene->marks[mark].seen;
}
