// A small application whose build knows nothing of the workbench: for the adapter react-hook.
import React, { Component, createContext, forwardRef, memo, StrictMode, useContext, useReducer, useState } from 'react';
import { createRoot } from 'react-dom/client';

const Theme = createContext('light');

function Button({ label, tone = 'primary', onClick }) {
	const [count, setCount] = useState(0);
	return <button className={`button ${tone}`} data-count={count} onClick={() => { setCount(count + 1); onClick?.(); }}>{label}</button>;
}

const Badge = memo(function Badge({ text }) {
	return <b className="badge">{text}</b>;
});

const Field = forwardRef(function Field({ placeholder }, ref) {
	return <input ref={ref} placeholder={placeholder} />;
});

class Swatch extends Component {
	render() {
		return <i className="swatch" style={{ color: this.props.color }}>{this.context}{this.props.color}</i>;
	}
}

Swatch.contextType = Theme;

function Themed() {
	return <em className="themed">{useContext(Theme)}</em>;
}

function App() {
	const [n, more] = useReducer((x) => x + 1, 0);
	globalThis.renderParent = more;
	globalThis.parentRendered = n;
	return (
		<Theme.Provider value="dark">
			<main data-n={n}>
				{['One', 'Two', 'Three'].map((label) => <Button key={label} label={label} style={{ a: 1 }} />)}
				<Badge text="new" /> <Swatch color="red" /> <Field placeholder="Name" /> <Themed />
			</main>
		</Theme.Provider>
	);
}

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);
