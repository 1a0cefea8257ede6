/* Conditions of type data (studio.md 5.4), as the daemon reads them: which property of a node counts, and what it is worth.
 * The data says when; nothing here knows a type. */
import type { Json, JsonObject } from '../kit/mcp.ts';
import type { NodeRecord, Property } from './model.ts';
import { isEmpty, isObject, same } from './same.ts';

/* A node's values by what its properties say, or an item's of a list. */
export class Values {
	readonly #properties: Map<string, Property>;
	readonly #record: Pick<NodeRecord, 'properties' | 'defaults' | 'references' | 'effectiveReferences' | 'variableModes'>;
	readonly #item: JsonObject | null;

	constructor(properties: readonly Property[], record: Pick<NodeRecord, 'properties'> & Partial<NodeRecord>, item: JsonObject | null = null) {
		this.#properties = new Map(properties.map((one) => [one.key, one]));
		this.#record = record;
		this.#item = item;
	}

	/* What is stored, else what the daemon says is meant, else what the type says. */
	of(key: string): Json | undefined {
		const stored = this.#record.properties[key];
		if (stored !== undefined && stored !== null) return stored;
		return this.#record.defaults?.[key] ?? this.#fallback(key);
	}
	#fallback(key: string): Json | undefined {
		const property = this.#properties.get(key);
		const by = property?.defaultBy;
		const chosen = by && by.prop !== key ? by.cases[String(this.of(by.prop))] : undefined;
		return chosen ?? property?.defaultValue;
	}

	target(key: string): string | string[] | undefined {
		return this.#record.references?.[key] ?? this.#record.effectiveReferences?.[key];
	}
	isVariable(key: string): boolean {
		const property = this.#properties.get(key);
		return !!property?.sensitive || this.#record.variableModes?.[key] === 'variable';
	}

	isVisible(property: Property, depth = 0): boolean {
		const condition = property.visibleWhen;
		if (!condition || depth > 8) return true;
		const named = this.#properties.get(String(condition.prop ?? ''));
		return (!named || this.isVisible(named, depth + 1)) && this.holds(condition);
	}
	isRequired(property: Property): boolean {
		return property.required || (!!property.requiredWhen && this.holds(property.requiredWhen));
	}

	holds(condition: Json | undefined): boolean {
		if (!isObject(condition)) return true;
		if (typeof condition.ref === 'string') return this.#refers(condition.ref);
		if (typeof condition.prop === 'string') return this.#compare(this.of(condition.prop), this.isVariable(condition.prop), condition);
		if (typeof condition.item === 'string') return this.#compare(this.#item?.[condition.item], false, condition);
		const list = (name: string) => (Array.isArray(condition[name]) ? condition[name] : null);
		const [all, any, none] = [list('all'), list('any'), list('none')];
		if (all) return all.every((one) => this.holds(one));
		if (any) return any.some((one) => this.holds(one));
		return !none?.some((one) => this.holds(one));
	}
	#refers(key: string): boolean {
		const property = this.#properties.get(key);
		return !isEmpty(this.target(key)) && (!property || this.isVisible(property));
	}
	#compare(value: Json | undefined, variable: boolean, condition: JsonObject): boolean {
		const among = (list: Json | undefined) => Array.isArray(list) && list.some((one) => same(value, one));
		const { is, not, in: within, notIn, startsWith, truthy, set } = condition;
		const has = !isEmpty(value) || isObject(value);
		return (
			(is === undefined || same(value, is)) &&
			(not === undefined || !same(value, not)) &&
			(within === undefined || among(within)) &&
			(notIn === undefined || !among(notIn)) &&
			(startsWith === undefined || (typeof value === 'string' && value.startsWith(String(startsWith)))) &&
			(truthy === undefined || (variable || (!isEmpty(value) && value !== false && value !== 0)) === truthy) &&
			(set === undefined || (variable || has) === set)
		);
	}
}
