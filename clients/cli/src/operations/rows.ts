// Every operation, which a start does not load.

import { operationRows } from '../../../generate/cli/cli.ts' with { type: 'macro' }

export const rows = operationRows()
