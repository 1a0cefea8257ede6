/* What a note says: **bold**, *italic*, and lines that begin with "- " as a list (SC-060). Always text, never markup. */
export interface Part {
	kind: '' | 'b' | 'i';
	text: string;
}

export function written(text: string): Part[] {
	const listed = text.replace(/^[-*] /gm, '\u2022 ');
	return listed.split(/(\*\*[^*\n]+\*\*|\*[^*\s][^*\n]*\*)/).flatMap((part): Part[] => {
		const stars = /^(\*{1,2})([^*]+)\1$/.exec(part);
		return stars ? [{ kind: stars[1] === '*' ? 'i' : 'b', text: stars[2]! }] : part ? [{ kind: '', text: part }] : [];
	});
}
