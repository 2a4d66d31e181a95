// Every operation, in a separate file that startup doesn't load.

import { operationRows } from '../../../generate/cli/cli.ts' with { type: 'macro' }

export const rows = operationRows()
