/* Short sentences about what has just happened; the shell shows and reads them out. */
export interface Toast {
	id: number;
	text: string;
	tone: 'plain' | 'bad';
}

let next = 1;
export const toasts = $state<Toast[]>([]);

export function say(text: string, tone: Toast['tone'] = 'plain'): void {
	const id = next++;
	for (const same of toasts.filter((toast) => toast.text === text)) dismiss(same.id); // said again, it stands there once
	toasts.push({ id, text, tone });
	if (toasts.length > 3) toasts.shift();
	setTimeout(() => dismiss(id), tone === 'bad' ? 9000 : 3500);
}

export function dismiss(id: number): void {
	const index = toasts.findIndex((toast) => toast.id === id);
	if (index >= 0) toasts.splice(index, 1);
}
