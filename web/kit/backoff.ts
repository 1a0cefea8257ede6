/* How long to wait before the n-th try (from 0): 200 ms, doubling to 5 s, the last fifth by chance,
 * so that twenty tabs do not knock at once. */
export function backoffMs(attempt: number, chance: number): number {
	const whole = Math.min(5000, 200 * 2 ** Math.min(attempt, 10));
	return Math.round(whole * (0.8 + 0.2 * chance));
}
