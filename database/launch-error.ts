/** An error whose message addresses the person who started the program; printed without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}
