import { setTimeout as pause } from 'node:timers/promises'

/** Asks until a condition holds; the time limit of the test ends the wait. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  everyMilliseconds = 100,
): Promise<void> {
  while (!(await holds())) await pause(everyMilliseconds)
}
