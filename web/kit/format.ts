/* Numbers and times as people read them. English, like the catalogue (text.ts). */

export function count(value: number): string {
	return value.toLocaleString('en-US');
}

/* 0.42 -> "0.42", 4.2 -> "4.2", 42.4 -> "42" */
export function short(value: number): string {
	if (value === 0) return '0';
	if (value < 1) return value.toFixed(2);
	return value < 10 ? value.toFixed(1) : count(Math.round(value));
}

export function milliseconds(value: number | null | undefined): string {
	if (value === null || value === undefined) return '–';
	if (value < 1000) return `${short(value)} ms`;
	if (value < 60_000) return `${(value / 1000).toFixed(1)} s`;
	return duration(value);
}

export function duration(ms: number): string {
	const s = Math.max(0, Math.floor(ms / 1000));
	if (s < 60) return `${s} s`;
	if (s < 3600) return `${Math.floor(s / 60)} min`;
	if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
	return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
}

export function bytes(value: number): string {
	if (value < 1000) return `${value} B`;
	const units = ['kB', 'MB', 'GB'];
	let scaled = value / 1000;
	let unit = 0;
	while (scaled >= 999.5 && unit < units.length - 1) {
		scaled /= 1000;
		unit++;
	}
	return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[unit]}`;
}

export function ago(time: string | null | undefined, now: number): string {
	if (!time) return '–';
	const ms = now - Date.parse(time);
	return ms < 2000 ? 'now' : `${duration(ms)} ago`;
}

export function left(time: string, now: number): string {
	return duration(Date.parse(time) - now);
}

export function clockTime(time: string): string {
	const date = new Date(time);
	return Number.isNaN(date.getTime()) ? time : date.toLocaleTimeString('en-GB');
}
