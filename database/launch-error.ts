/** An error whose message is for the person who started the program. Printed without a stack. */
export class LaunchError extends Error {
  override name = 'LaunchError'
}
