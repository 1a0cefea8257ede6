/* What went wrong on the page, for the session's log: uncaught errors, and what is written to console.error and
 * console.warn. At most so many in a second; never more than a line or two of each. */
import { cut } from './descriptor.ts';
import { quietly, type Fields } from './values.ts';

const MESSAGE_MAX = 2000;
const STACK_MAX = 4000;
const A_SECOND = 20;

function inWords(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value instanceof Error) return `${value.name}: ${value.message}`;
	if (typeof value === 'object' && value !== null) return Object.prototype.toString.call(value);
	return typeof value === 'function' ? 'a function' : String(value);
}

/* React and others write console.error('%s is wrong', name). */
function formatted(args: unknown[]): string {
	const [first, ...rest] = args;
	if (typeof first !== 'string') return args.slice(0, 8).map((arg) => quietly(() => inWords(arg), '?')).join(' ');
	let next = 0;
	const text = first.replace(/%[sdifoOc]/g, (mark) => {
		if (next >= rest.length) return mark;
		const arg = rest[next++];
		return mark === '%c' ? '' : quietly(() => inWords(arg), '?');
	});
	return [text, ...rest.slice(next, next + 8).map((arg) => quietly(() => inWords(arg), '?'))].join(' ');
}

export function watchLog(send: (fields: Fields) => void): void {
	let second = 0;
	let count = 0;
	const say = (level: string, message: string, stack?: unknown) => {
		const now = Math.floor(Date.now() / 1000);
		count = now === second ? count + 1 : 1;
		second = now;
		if (count > A_SECOND) return;
		const fields: Fields = { level, message: cut(message, MESSAGE_MAX) };
		if (typeof stack === 'string') fields.stack = cut(stack, STACK_MAX);
		send(fields);
	};
	addEventListener('error', (event) => {
		if (event.message) quietly(() => say('error', event.message, event.error?.stack), undefined);
	});
	addEventListener('unhandledrejection', (event) => {
		quietly(() => say('error', `not handled: ${inWords(event.reason)}`, event.reason?.stack), undefined);
	});
	for (const [name, level] of [['error', 'error'], ['warn', 'warn']] as const) {
		const original = console[name];
		if (typeof original !== 'function') continue;
		console[name] = function (this: unknown, ...args: unknown[]) {
			quietly(() => say(level, formatted(args)), undefined);
			return original.apply(this, args as []);
		};
	}
}
