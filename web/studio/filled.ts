/* What a diagram with something in it needs, as one part that is loaded with the first resource: an empty one opens without
 * it (SC-230). Each for itself would be more bytes than all together. */
export { clipboard } from './clipboard.ts';
export { default as Config } from './Config.svelte';
export { default as Form } from './Form.svelte';
export { default as Line } from './Line.svelte';
export { default as Many } from './Many.svelte';
export { default as Minimap } from './Minimap.svelte';
export { default as Overlay } from './Overlay.svelte';
export { default as Room } from './Room.svelte';
