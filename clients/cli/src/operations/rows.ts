// Every operation; startup doesn't load this.

import { operationRows } from '../../../generate/cli/cli.ts' with { type: 'macro' }

export const rows = operationRows()
