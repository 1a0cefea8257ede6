/* What has to have a cause before it is in sight: approvals, notices, runs, dialogs. One part, loaded with the first of them
 * (SC-230). */
export { default as Apply } from './Apply.svelte';
export { default as Asked } from './Asked.svelte';
export { default as Bursts } from './Bursts.svelte';
export { default as Dialogs } from './Dialogs.svelte';
export { default as Opened } from './Opened.svelte';
export { default as Running } from './Running.svelte';
