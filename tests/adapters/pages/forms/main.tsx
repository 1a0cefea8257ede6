import { StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Further } from './further';
import Anonymous, * as parts from './parts';

const { counts, Guard, Helper, Later, Meter, Only, Plain, Portal, Quiet, Refs, Theme, Themed, Throws, Tree } = parts;

function App() {
	const [n, setN] = useState(0);
	const [said, say] = useState('');
	Object.assign(globalThis, { more: () => setN((x) => x + 1), parts, counts });
	return (
		<Theme.Provider value="dark">
			<main data-n={n} data-said={said}>
				<Refs said={(text) => text !== said && queueMicrotask(() => say(text))} />
				<Quiet text="quiet" /> <Tree depth={2} name="outer" /> <Anonymous text="anonymous" /> <Themed /> <Further value={4} />
				<Guard><Throws /></Guard>
				<Suspense fallback="…"><Later /></Suspense>
				<Portal><Plain text="in the portal" /></Portal>
				<Only type={Plain}><Plain text="kept" /><Meter value={1} /><p>dropped</p></Only>
				<Helper show={n % 2 === 1} />
			</main>
		</Theme.Provider>
	);
}

createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>);
