// Every API problem, for `svc explain`.

import { problemRows } from '../../generate/cli/cli.ts' with { type: 'macro' }

export const problems = problemRows()
