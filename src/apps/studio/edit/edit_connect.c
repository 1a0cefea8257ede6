/* connect_resources and disconnect_resources (studio.md 5.8, ST-034, ST-046). */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

enum { PAIRS_SHOWN = 5 };

struct joint {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	struct tn_studio_connection connection;
	struct tn_studio_edge edge; /* as it will be; its id is empty while it is none */
	struct tn_str source_label, target_label;
	bool existing;
};

/* ---- refusals ---- */

static void put_pair(struct tn_buf *list, struct tn_buf *text, const struct joint *joint,
		     const struct tn_studio_handle_pair *pair)
{
	const struct tn_studio_edge *edge = &joint->edge;

	tn_json_begin_object(list);
	tn_json_put_member_str(list, "sourceInstanceId",
			       pair->reversed ? edge->target_id : edge->source_id);
	tn_json_put_member_str(list, "sourceHandle", pair->source_handle);
	tn_json_put_member_str(list, "targetInstanceId",
			       pair->reversed ? edge->source_id : edge->target_id);
	tn_json_put_member_str(list, "targetHandle", pair->target_handle);
	tn_json_end_object(list);
	tn_buf_format(text, "%s%s%.*s to %.*s", text->size ? "; " : "",
		      pair->reversed ? "from the second, " : "from the first, ",
		      (int)pair->source_handle.size, pair->source_handle.data,
		      (int)pair->target_handle.size, pair->target_handle.data);
}

static bool refuse(const struct joint *joint, const struct tn_studio_node *source,
		   const struct tn_studio_node *target)
{
	struct tn_studio_handle_pair pairs[PAIRS_SHOWN];
	struct tn_studio_edit *edit = joint->edit;
	size_t count = tn_studio_connection_pairs(edit->document->registry, source->type,
						  target->type, edit->arena, pairs, PAIRS_SHOWN);
	struct tn_buf list, text;

	tn_buf_init(&list, TN_MIB);
	tn_buf_init(&text, TN_MIB);
	tn_json_begin_array(&list);
	for (size_t i = 0; i < count; i++)
		put_pair(&list, &text, joint, &pairs[i]);
	tn_json_end_array(&list);
	(void)tn_studio_fail(edit->fault, "CONNECTION_NOT_ALLOWED",
			     "'%.*s' %.*s cannot be joined to '%.*s' %.*s; between these two: %.*s",
			     (int)source->label.size, source->label.data,
			     (int)joint->edge.source_handle.size, joint->edge.source_handle.data,
			     (int)target->label.size, target->label.data,
			     (int)joint->edge.target_handle.size, joint->edge.target_handle.data,
			     text.size ? (int)text.size : 7, text.size ? text.data : "nothing");
	if (edit->fault && !list.failed)
		edit->fault->details = tn_str_from(tn_arena_format(edit->arena, "{\"legal\":%.*s}",
								   (int)list.size, list.data));
	tn_buf_finish(&list);
	tn_buf_finish(&text);
	return false;
}

static bool refuse_full(struct tn_studio_edit *edit, struct tn_str property, struct tn_str edge_id)
{
	(void)tn_studio_fail(edit->fault, "HANDLE_FULL",
			     "%.*s is set already; the edge %.*s is in the way "
			     "(disconnect_resources removes it)",
			     (int)property.size, property.data, (int)edge_id.size, edge_id.data);
	if (edit->fault)
		edit->fault->details = tn_str_from(tn_arena_format(
			edit->arena, "{\"edgeId\":\"%.*s\"}", (int)edge_id.size, edge_id.data));
	return false;
}

/* ---- references ---- */

static struct tn_str reference_id(struct tn_studio_edit *edit, struct tn_str source,
				  struct tn_str key, struct tn_str target)
{
	return tn_str_from(tn_arena_format(edit->arena, "ref:%.*s:%.*s:%.*s", (int)source.size,
					   source.data, (int)key.size, key.data, (int)target.size,
					   target.data));
}

/* The edge that pictures what a reference is set to now. */
static struct tn_str edge_of_reference(struct tn_studio_edit *edit,
				       const struct tn_studio_node *node, struct tn_str key,
				       struct tn_str target_id)
{
	const struct tn_studio_node *target = tn_studio_node_find(edit->document, target_id);
	const struct tn_studio_rule *rule =
		target ? tn_studio_rule_of(edit->document->registry, node->type, key, target->type)
		       : NULL;
	const struct tn_studio_edge *edge = NULL;

	if (rule)
		edge = tn_studio_edge_between(
			edit->document, rule->sets_on_source ? node->id : target_id,
			rule->from_handle, rule->sets_on_source ? target_id : node->id,
			rule->to_handle);
	return edge ? edge->id : reference_id(edit, node->id, key, target_id);
}

/* A reference that can have one target, and has another. */
static bool check_free(struct tn_studio_edit *edit, const struct tn_studio_node *node,
		       const struct tn_studio_property *property, struct tn_str target)
{
	struct tn_str other;

	if (property->many ||
	    !tn_json_to_str(tn_json_get_str(node->references, property->key), &other) ||
	    tn_str_equal(other, target))
		return true;
	return refuse_full(edit, property->key,
			   edge_of_reference(edit, node, property->key, other));
}

static bool join_reference(struct joint *joint, const struct tn_studio_node *source)
{
	const struct tn_studio_property *property = joint->connection.property;
	struct tn_studio_edge *edge = &joint->edge;

	edge->category = TN_STUDIO_REFERENCE_EDGE;
	edge->id = reference_id(joint->edit, edge->source_id, property->key, edge->target_id);
	if (!edge->id.data)
		return tn_studio_edit_no_memory(joint->edit);
	if (!check_free(joint->edit, source, property, edge->target_id))
		return false;
	joint->existing = tn_studio_link_has(source, property->key, edge->target_id);
	return tn_studio_link_add(joint->edit, edge->source_id, property->key, edge->target_id) &&
	       (property->edge ||
		tn_studio_link_draw(joint->edit, edge->source_id, property->key, true));
}

/* ---- stored edges ---- */

static bool put_edge(struct joint *joint)
{
	struct tn_studio_edge *edge = &joint->edge;
	const struct tn_studio_edge *old =
		tn_studio_edge_between(joint->edit->document, edge->source_id, edge->source_handle,
				       edge->target_id, edge->target_handle);

	joint->existing = old != NULL;
	if (old) {
		edge->id = tn_studio_keep(joint->edit, old->id);
		return true;
	}
	if (!tn_studio_edit_check_handles(joint->edit, edge))
		return false;
	edge->id = tn_studio_edit_new_id(joint->edit);
	return edge->id.data ? tn_studio_edit_put_edge(joint->edit, edge)
			     : tn_studio_edit_no_memory(joint->edit);
}

static bool join_by_rule(struct joint *joint)
{
	const struct tn_studio_rule *rule = joint->connection.rule;
	struct tn_studio_edge *edge = &joint->edge;
	bool on_source = rule->sets_on_source;
	struct tn_str on = on_source ? edge->source_id : edge->target_id;
	struct tn_str other = on_source ? edge->target_id : edge->source_id;
	const struct tn_studio_node *node = tn_studio_node_find(joint->edit->document, on);
	const struct tn_studio_property *property;

	edge->category = TN_STUDIO_STRUCTURAL;
	if (!rule->sets)
		return put_edge(joint);
	property = tn_studio_property_find(node->type, rule->reference);
	if (!property || !check_free(joint->edit, node, property, other))
		return property ? false
				: tn_studio_fail(joint->edit->fault, "CONNECTION_NOT_ALLOWED",
						 "the rule sets a reference that is not there");
	/* The edge first, with its label; setting the reference finds it there. */
	return put_edge(joint) && tn_studio_link_add(joint->edit, on, rule->reference, other);
}

/* ---- connecting ---- */

static void put_sets(const struct joint *joint, struct tn_buf *result)
{
	const struct tn_studio_rule *rule = joint->connection.rule;
	bool by_rule = rule && rule->sets;

	if (!by_rule && joint->edge.category != TN_STUDIO_REFERENCE_EDGE)
		return;
	tn_json_put_key(result, "sets");
	tn_json_begin_object(result);
	tn_json_put_member_str(result, "instanceId",
			       by_rule && !rule->sets_on_source ? joint->edge.target_id
								: joint->edge.source_id);
	tn_json_put_member_str(result, "property",
			       by_rule ? rule->reference : joint->connection.property->key);
	tn_json_end_object(result);
}

static bool check_label(struct joint *joint)
{
	struct tn_str label = tn_studio_edit_text(joint->arguments, "label");

	if (tn_studio_characters(label) > TN_STUDIO_LABEL_CHARACTERS_MAX ||
	    tn_str_find_byte(label, '\0') != TN_STR_NONE)
		return tn_studio_fail(joint->edit->fault, "INVALID_INPUT",
				      "label: at most %d characters and no NUL are expected",
				      TN_STUDIO_LABEL_CHARACTERS_MAX);
	joint->edge.label = label;
	return true;
}

static bool find_connection(struct joint *joint, const struct tn_studio_node *source,
			    const struct tn_studio_node *target)
{
	const struct tn_studio_registry *registry = joint->edit->document->registry;

	if (source == target)
		return tn_studio_fail(joint->edit->fault, "CONNECTION_NOT_ALLOWED",
				      "'%.*s' cannot be joined to itself", (int)source->label.size,
				      source->label.data);
	if (!tn_studio_connection_find(registry, source->type, joint->edge.source_handle,
				       target->type, joint->edge.target_handle, &joint->connection))
		return refuse(joint, source, target);
	/* A reference that a rule pictures is made as the rule's edge. */
	if (joint->connection.property && joint->connection.rule) {
		const struct tn_studio_rule *rule = joint->connection.rule;
		struct tn_str source_id = joint->edge.source_id;

		joint->edge.source_handle = rule->from_handle;
		joint->edge.target_handle = rule->to_handle;
		if (!rule->sets_on_source) {
			joint->edge.source_id = joint->edge.target_id;
			joint->edge.target_id = source_id;
		}
	}
	return true;
}

static bool join(struct joint *joint, const struct tn_studio_node *source)
{
	if (joint->connection.rule)
		return join_by_rule(joint);
	if (joint->connection.property)
		return join_reference(joint, source);
	joint->edge.category = joint->connection.category;
	return put_edge(joint);
}

static bool connect_nodes(struct tn_studio_edit *edit, const struct tn_json *arguments,
			  struct tn_buf *result)
{
	const struct tn_studio_node *source =
		tn_studio_edit_node(edit, arguments, "sourceInstanceId");
	const struct tn_studio_node *target =
		source ? tn_studio_edit_node(edit, arguments, "targetInstanceId") : NULL;
	struct joint joint = {.edit = edit, .arguments = arguments};

	if (!target)
		return false;
	joint.edge.source_id = tn_studio_edit_text(arguments, "sourceInstanceId");
	joint.edge.source_handle = tn_studio_edit_text(arguments, "sourceHandle");
	joint.edge.target_id = tn_studio_edit_text(arguments, "targetInstanceId");
	joint.edge.target_handle = tn_studio_edit_text(arguments, "targetHandle");
	tn_studio_edit_say(edit, "Connect '%.*s' to '%.*s'", (int)source->label.size,
			   source->label.data, (int)target->label.size, target->label.data);
	if (!check_label(&joint) || !find_connection(&joint, source, target) ||
	    !join(&joint, source))
		return false;
	tn_json_put_member_str(result, "edgeId", joint.edge.id);
	tn_json_put_member_text(result, "category",
				tn_studio_edge_category_name(joint.edge.category));
	put_sets(&joint, result);
	if (joint.existing)
		tn_json_put_member_bool(result, "existing", true);
	return true;
}

bool tn_studio_edit_connect(struct tn_studio_edit *edit, const struct tn_json *arguments,
			    struct tn_buf *result)
{
	return tn_studio_edit_run(edit, connect_nodes, arguments, result);
}

/* ---- disconnecting ---- */

static void put_cleared(struct tn_buf *result, struct tn_str id, struct tn_str property)
{
	tn_json_begin_object(result);
	tn_json_put_member_str(result, "instanceId", id);
	tn_json_put_member_str(result, "property", property);
	tn_json_end_object(result);
}

static struct tn_str next_part(struct tn_str *rest)
{
	size_t colon = tn_str_find_byte(*rest, ':');
	struct tn_str part = tn_str(rest->data, colon == TN_STR_NONE ? rest->size : colon);

	*rest = tn_str_from_offset(*rest, part.size + 1);
	return part;
}

static bool fail_no_edge(struct tn_studio_edit *edit, struct tn_str id)
{
	return tn_studio_fail(edit->fault, "NOT_FOUND",
			      "there is no edge '%.*s'; get_diagram has the ids",
			      (int)(id.size < 200 ? id.size : 200), id.data);
}

static bool clear_reference(struct tn_studio_edit *edit, struct tn_str id, struct tn_buf *result)
{
	struct tn_str rest = tn_str_from_offset(id, 4), source_id = next_part(&rest);
	struct tn_str key = next_part(&rest), target_id = next_part(&rest);
	const struct tn_studio_node *source = tn_studio_node_find(edit->document, source_id);

	if (!source || rest.size > 0 || !tn_studio_link_has(source, key, target_id))
		return fail_no_edge(edit, id);
	if (!tn_studio_link_drop(edit, source_id, key, target_id))
		return false;
	put_cleared(result, source_id, key);
	return true;
}

static bool remove_edge(struct tn_studio_edit *edit, const struct tn_studio_edge *edge,
			struct tn_buf *result)
{
	const struct tn_studio_registry *registry = edit->document->registry;
	struct tn_studio_connection connection;
	struct tn_str on, other;
	bool sets =
		tn_studio_connection_find(registry, edge->source->type, edge->source_handle,
					  edge->target->type, edge->target_handle, &connection) &&
		connection.rule && connection.rule->sets;

	if (!sets)
		return tn_studio_edit_remove_by_id(edit, "removeEdge", edge->id);
	on = tn_studio_keep(edit,
			    connection.rule->sets_on_source ? edge->source_id : edge->target_id);
	other = tn_studio_keep(edit,
			       connection.rule->sets_on_source ? edge->target_id : edge->source_id);
	if (!tn_studio_edit_remove_by_id(edit, "removeEdge", edge->id))
		return false;
	if (!tn_studio_link_has(tn_studio_node_find(edit->document, on), connection.rule->reference,
				other))
		return true;
	put_cleared(result, on, connection.rule->reference);
	return tn_studio_link_drop(edit, on, connection.rule->reference, other);
}

static bool disconnect(struct tn_studio_edit *edit, const struct tn_json *arguments,
		       struct tn_buf *result)
{
	struct tn_str id = tn_studio_edit_text(arguments, "edgeId");
	const struct tn_studio_edge *edge = tn_studio_edge_find(edit->document, id);
	bool done;

	tn_studio_edit_say(edit, "Disconnect");
	if (edge)
		tn_studio_edit_say(edit, "Disconnect '%.*s' from '%.*s'",
				   (int)edge->source->label.size, edge->source->label.data,
				   (int)edge->target->label.size, edge->target->label.data);
	else if (!tn_str_starts(id, TN_STR("ref:")))
		return fail_no_edge(edit, id);
	tn_json_put_member_str(result, "edgeId", id);
	tn_json_put_key(result, "clearedReferences");
	tn_json_begin_array(result);
	if (edge) {
		tn_studio_edit_touch(edit, edge->source_id);
		tn_studio_edit_touch(edit, edge->target_id);
	}
	done = edge ? remove_edge(edit, edge, result) : clear_reference(edit, id, result);
	tn_json_end_array(result);
	return done;
}

bool tn_studio_edit_disconnect(struct tn_studio_edit *edit, const struct tn_json *arguments,
			       struct tn_buf *result)
{
	return tn_studio_edit_run(edit, disconnect, arguments, result);
}
