/* The time, for "3 s ago": one timer for the whole page, none while nobody looks. */
class Clock {
	now = $state(Date.now());

	constructor() {
		setInterval(() => {
			if (!document.hidden) this.now = Date.now();
		}, 1000);
		document.addEventListener('visibilitychange', () => {
			this.now = Date.now();
		});
	}
}

export const clock = new Clock();
