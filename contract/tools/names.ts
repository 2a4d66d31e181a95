// The name of a tool, from its operation.

import { snake } from '../derive/names.ts'

/** Only operations that exist solely in the sandbox say so in their name, because `decide_case`
 *  would read like permission to decide about care. */
export const toolNameOf = (operationId: string, path: string): string =>
  `${path.startsWith('/v1/test/') ? 'test_' : ''}${snake(operationId)}`
