// A tool's name, computed from its operation.

import { snake } from '../derive/names.ts'

/** Sandbox-only operations have `test_` in their names, because `decide_case` alone would read like
 *  permission to make decisions about care. */
export const toolNameOf = (operationId: string, path: string): string =>
  `${path.startsWith('/v1/test/') ? 'test_' : ''}${snake(operationId)}`
