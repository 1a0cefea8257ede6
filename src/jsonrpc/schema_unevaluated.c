/* A schema's unevaluatedProperties and unevaluatedItems speak about the members and elements that
 * none of its neighbours, nor any schema these applied, has looked at. Collecting that while
 * checking would cost every schema memory, so it is asked again afterwards, for this value only. */
#include "base/mem.h"
#include "jsonrpc/schema_node.h"

enum { SMALL = 2048 }; /* children whose marks fit the stack */

struct marks {
	uint64_t *seen; /* a bit for each child */
	uint32_t count;
};

struct look {
	struct tn_schema_run *run;
	const struct tn_schema_spot *spot; /* the object or array */
	struct marks *marks;
};

static void mark_node(const struct look *look, const struct tn_schema_node *node,
		      const struct tn_schema_scope *scope);

static void mark(struct marks *marks, uint32_t index)
{
	if (index < marks->count)
		marks->seen[index / 64] |= UINT64_C(1) << (index % 64);
}

static bool is_marked(const struct marks *marks, uint32_t index)
{
	return marks->seen[index / 64] >> (index % 64) & 1;
}

static void mark_all(const struct look *look)
{
	memset(look->marks->seen, 0xFF, (look->marks->count + 63) / 64 * sizeof(uint64_t));
}

static bool is_evaluated_member(const struct look *look, const struct tn_schema_object *rules,
				const struct tn_json *member)
{
	const struct tn_schema_property *property = tn_schema_find_property(rules, member->key);

	if (property && property->node)
		return true;
	for (uint32_t i = 0; i < rules->patterns_count; i++) {
		if (tn_schema_matches(look->run, rules->patterns[i].pattern, member->key,
				      look->spot))
			return true;
	}
	return false;
}

static void mark_members(const struct look *look, const struct tn_schema_object *rules,
			 const struct tn_schema_scope *scope)
{
	const struct tn_json *member = look->spot->value->first;

	if (rules->additional) {
		mark_all(look);
		return;
	}
	for (uint32_t i = 0; member; i++, member = member->next) {
		if (is_evaluated_member(look, rules, member))
			mark(look->marks, i);
	}
	for (uint32_t i = 0; i < rules->dependents_count; i++) {
		const struct tn_schema_dependent *dependent = &rules->dependents[i];

		if (dependent->node && tn_json_get_str(look->spot->value, dependent->trigger))
			mark_node(look, dependent->node, scope);
	}
}

static void mark_elements(const struct look *look, const struct tn_schema_array *rules,
			  const struct tn_schema_scope *scope)
{
	struct tn_schema_spot element = {.up = look->spot, .in_array = true};

	if (rules->items) {
		mark_all(look);
		return;
	}
	for (uint32_t i = 0; i < rules->prefix.count; i++)
		mark(look->marks, i);
	if (!rules->contains)
		return;
	for (element.value = look->spot->value->first; element.value;) {
		if (tn_schema_fits(look->run, rules->contains, &element, scope))
			mark(look->marks, element.index);
		element.value = element.value->next;
		element.index++;
	}
}

/* Of alternatives, those count that the value fits. */
static void mark_fitting(const struct look *look, const struct tn_schema_list *list,
			 const struct tn_schema_scope *scope)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (tn_schema_fits(look->run, list->nodes[i], look->spot, scope))
			mark_node(look, list->nodes[i], scope);
	}
}

static void mark_condition(const struct look *look, const struct tn_schema_logic *logic,
			   const struct tn_schema_scope *scope)
{
	bool holds;

	if (!logic->if_node)
		return;
	holds = tn_schema_fits(look->run, logic->if_node, look->spot, scope);
	if (holds)
		mark_node(look, logic->if_node, scope);
	if (holds && logic->then_node)
		mark_node(look, logic->then_node, scope);
	if (!holds && logic->else_node)
		mark_node(look, logic->else_node, scope);
}

static void mark_logic(const struct look *look, const struct tn_schema_logic *logic,
		       const struct tn_schema_scope *scope)
{
	if (logic->ref)
		mark_node(look, logic->ref, scope);
	if (logic->dynamic_ref)
		mark_node(look, tn_schema_dynamic_target(logic, scope), scope);
	for (uint32_t i = 0; i < logic->all.count; i++)
		mark_node(look, logic->all.nodes[i], scope);
	mark_fitting(look, &logic->any, scope);
	mark_fitting(look, &logic->one, scope);
	mark_condition(look, logic, scope);
}

/* What the keywords beside an unevaluated... evaluate. */
static void mark_neighbours(const struct look *look, const struct tn_schema_node *node,
			    const struct tn_schema_scope *scope)
{
	if (node->object && look->spot->value->type == TN_JSON_OBJECT)
		mark_members(look, node->object, scope);
	if (node->array && look->spot->value->type == TN_JSON_ARRAY)
		mark_elements(look, node->array, scope);
	if (node->logic)
		mark_logic(look, node->logic, scope);
}

/* The unevaluated... that speaks about this kind of value, or NULL. */
static const struct tn_schema_node *rest_of(const struct tn_schema_node *node,
					    const struct tn_json *value)
{
	if (node->object && value->type == TN_JSON_OBJECT)
		return node->object->unevaluated;
	if (node->array && value->type == TN_JSON_ARRAY)
		return node->array->unevaluated;
	return NULL;
}

/* What a schema evaluates that was applied to the same value and holds. The recursion follows
 * references inside one value, which the compiler has found to end. */
static void mark_node(const struct look *look, const struct tn_schema_node *node,
		      const struct tn_schema_scope *scope)
{
	const struct tn_schema_scope inner = {scope, node->resource};

	if (!tn_schema_spend(look->run, 1 + look->marks->count, look->spot))
		return;
	if (node->kind != TN_SCHEMA_RULES)
		return;
	if (!scope || scope->resource != node->resource)
		scope = &inner;
	if (rest_of(node, look->spot->value))
		mark_all(look);
	else
		mark_neighbours(look, node, scope);
}

static bool check_rest(const struct look *look, const struct tn_schema_node *rest,
		       const struct tn_schema_object *known, const struct tn_schema_scope *scope)
{
	struct tn_schema_spot child = {.up = look->spot, .in_array = !known};
	struct tn_schema_run *run = look->run;
	bool good = true;

	for (child.value = look->spot->value->first; child.value; child.value = child.value->next) {
		bool fits = is_marked(look->marks, child.index);

		if (!fits && known && rest->kind == TN_SCHEMA_NEVER)
			fits = tn_schema_fault_unknown(run, &child, "unevaluatedProperties", known);
		else if (!fits)
			fits = tn_schema_visit(run, rest, &child, scope);
		good &= fits;
		if (!good && (run->quiet || run->stop != TENON_OK))
			return false;
		child.index++;
	}
	return good;
}

static bool check_marked(struct tn_schema_run *run, const struct tn_schema_node *node,
			 const struct tn_schema_node *rest, const struct tn_schema_spot *spot,
			 const struct tn_schema_scope *scope)
{
	uint64_t small[SMALL / 64] = {0};
	struct marks marks = {small, spot->value->count};
	const struct look look = {run, spot, &marks};
	bool good, object = spot->value->type == TN_JSON_OBJECT;

	if (!tn_schema_spend(run, marks.count, spot))
		return false;
	if (marks.count > SMALL)
		marks.seen = tn_mem_alloc_array((marks.count + 63) / 64, sizeof(*marks.seen));
	if (!marks.seen)
		return tn_schema_stop(run, spot, TENON_NO_MEMORY, "unevaluatedProperties",
				      "not enough memory to check it");
	mark_neighbours(&look, node, scope);
	good = run->stop == TENON_OK &&
	       check_rest(&look, rest, object ? node->object : NULL, scope);
	if (marks.seen != small)
		tn_mem_free(marks.seen);
	return good;
}

bool tn_schema_check_unevaluated(struct tn_schema_run *run, const struct tn_schema_node *node,
				 const struct tn_schema_spot *spot,
				 const struct tn_schema_scope *scope)
{
	const struct tn_schema_node *rest = rest_of(node, spot->value);

	return !rest || check_marked(run, node, rest, spot, scope);
}
