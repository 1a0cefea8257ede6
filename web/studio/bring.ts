/* Files that come to the page: dropped, chosen or pasted, as texts by their names. */
export const BYTES_MAX = 32 * 1024 * 1024;
export type Texts = Record<string, string>;

const wanted = (name: string) => /\.(tf|tfvars|json|tfstate)$/.test(name);

/* Of what was dropped: files, and those of folders (not of folders in them, as a Terraform module is one folder). */
async function dropped(entries: readonly FileSystemEntry[]): Promise<File[]> {
	const fileOf = (entry: FileSystemEntry) => new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
	const found: File[] = [];
	for (const entry of entries) {
		if (entry.isFile) found.push(await fileOf(entry));
		else {
			const reader = (entry as FileSystemDirectoryEntry).createReader();
			for (;;) {
				const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
				if (some.length === 0) break;
				for (const one of some) if (one.isFile && wanted(one.name)) found.push(await fileOf(one));
			}
		}
	}
	return found;
}

export async function textsOf(from: readonly FileSystemEntry[] | FileList): Promise<Texts> {
	const files = from instanceof FileList ? [...from] : await dropped(from);
	const bytes = files.reduce((sum, one) => sum + one.size, 0);
	if (bytes > BYTES_MAX) throw new RangeError(String(bytes));
	return Object.fromEntries(await Promise.all(files.filter((one) => wanted(one.name)).map(async (one) => [one.name, await one.text()] as const)));
}

/* What they are: .tf files, or the JSON of a state or a plan. */
export function sourceOf(texts: Texts): 'config' | 'state' | 'plan' {
	const names = Object.keys(texts);
	const only = names.length === 1 ? texts[names[0]!]! : '';
	if (names.some((name) => /\.tf(\.json)?$/.test(name)) || !only) return 'config';
	return /"(planned_values|resource_changes)"\s*:/.test(only) ? 'plan' : 'state';
}
