/** An error with a message for the person who started the program; printed without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}
