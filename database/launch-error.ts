/**
 * A failure whose message is written for whoever started the program; it is printed without a
 * stack.
 */
export class LaunchError extends Error {
  override name = 'LaunchError'
}
