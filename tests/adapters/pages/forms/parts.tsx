// Components of every form, in one file. Nothing here knows of the workbench.
import { Children, Component, cloneElement, createContext, forwardRef, isValidElement, lazy, memo, useContext, useImperativeHandle, useRef } from 'react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { early } from './cycle';

export const Theme = createContext('light');

export class Meter extends Component<{ value: number; unit?: string }> {
	static defaultProps = { unit: 'km' };
	static made = 0;
	static self = Meter;
	reading() {
		return this.props.value * 2;
	}
	render() {
		return <i data-part="meter">{this.props.value} {this.props.unit}</i>;
	}
}

export class Guard extends Component<{ children?: ReactNode }, { failed: boolean }> {
	state = { failed: false };
	static getDerivedStateFromError() {
		return { failed: true };
	}
	render() {
		return this.state.failed ? <b data-part="guard">caught</b> : this.props.children;
	}
}

export class Derived extends Meter {
	render() {
		return <u data-part="derived">{super.render()}</u>;
	}
}

export const Handle = forwardRef<{ hello(): string }, { name: string }>(function Handle({ name }, ref) {
	useImperativeHandle(ref, () => ({ hello: () => `hello ${name}` }), [name]);
	return <span data-part="handle">{name}</span>;
});

export const counts = { memo: 0 };
export const Quiet = memo(({ text }: { text: string }) => {
	counts.memo++;
	return <span data-part="quiet">{text}</span>;
}, (a, b) => a.text === b.text);
Quiet.displayName = 'QuietOne';

export function Tree({ depth, name }: { depth: number; name?: string }) {
	return <div data-part={`tree${depth}`}>{name}{depth > 0 && <Tree depth={depth - 1} name="inner" />}</div>;
}

export function Throws(): ReactNode {
	throw new Error('on purpose');
}

export function Portal({ children }: { children: ReactNode }) {
	return createPortal(<div data-part="portal">{children}</div>, document.body);
}

export function Themed() {
	return <em data-part="themed">{useContext(Theme)}</em>;
}

export function Plain({ text }: { text: string }) {
	return <mark data-part="plain">{text}</mark>;
}
Plain.kinds = ['a'];

export function Early({ text }: { text: string }) {
	return text;
}

export default function ({ text }: { text: string }) {
	return <s data-part="default">{text}</s>;
}

export const Later = lazy(async () => ({ default: () => <span data-part="later">later</span> }));

export function Only({ type, children }: { type: unknown; children: ReactNode }) {
	const kept = Children.toArray(children).filter((child) => isValidElement(child) && child.type === type);
	return <div data-part="only" data-kept={kept.length}>{kept.map((child) => cloneElement(child as never, { title: 'x' }))}</div>;
}

export function Helper({ show }: { show: boolean }) {
	// Called as a function and not as a component, and not each time.
	return <span data-part="helper">{show ? Plain({ text: 'called' }) : 'nothing'}</span>;
}

export function Refs({ said }: { said(text: string): void }) {
	const meter = useRef<Meter>(null);
	const handle = useRef<{ hello(): string }>(null);
	const derived = useRef<Meter>(null);
	return (
		<p ref={() => said([meter.current?.reading(), handle.current?.hello(), derived.current instanceof Meter, early].join(' '))}>
			<Meter ref={meter} value={21} /> <Handle ref={handle} name="you" /> <Derived ref={derived} value={1} />
		</p>
	);
}
