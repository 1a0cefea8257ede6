/* The sixteen colours of a terminal on either ground, and the ground itself. */
import type { ITheme } from '@xterm/xterm';

export interface Palette {
	ground: string;
	ink: string;
	cursor: string;
	selection: string;
	base: string[]; // black, red, green, yellow, blue, magenta, cyan, white; then bright
}

export const palettes: Record<'light' | 'dark', Palette> = {
	light: {
		ground: '#fbfaf7',
		ink: '#24292a',
		cursor: '#0d645c',
		selection: '#b9ddd8',
		base: [
			'#24292a', '#b0252a', '#1d6b3a', '#7d5200', '#1f56a6', '#7a3fa6', '#0d645c', '#6a706d',
			'#555c58', '#c7353a', '#24803f', '#8f6000', '#2563b8', '#8a4bb8', '#12766c', '#3a403d',
		],
	},
	dark: {
		ground: '#111412',
		ink: '#dfe4e0',
		cursor: '#6fd0c3',
		selection: '#2b5e57',
		base: [
			'#3a413d', '#ff8b85', '#7fd49b', '#e8bd66', '#7eb2f7', '#cd9df2', '#6fd0c3', '#c9d0cb',
			'#8d958f', '#ffa9a4', '#a1e3b6', '#f5d48f', '#a6cbfb', '#dfbdf8', '#97e2d7', '#f3f6f4',
		],
	},
};

const names = [
	'black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white',
	'brightBlack', 'brightRed', 'brightGreen', 'brightYellow', 'brightBlue', 'brightMagenta', 'brightCyan', 'brightWhite',
] as const;

export function xtermTheme(palette: Palette): ITheme {
	const theme: ITheme = {
		background: palette.ground,
		foreground: palette.ink,
		cursor: palette.cursor,
		cursorAccent: palette.ground,
		selectionBackground: palette.selection,
	};
	names.forEach((name, i) => (theme[name] = palette.base[i]));
	return theme;
}
