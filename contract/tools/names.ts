// The name of a tool, from its operation.

import { snake } from '../derive/names.ts'

/** What exists in the sandbox only says so in its name, because `decide_case` would read like
 *  permission to decide about care. */
export const toolNameOf = (operationId: string, path: string): string =>
  `${path.startsWith('/v1/test/') ? 'test_' : ''}${snake(operationId)}`
