// Every problem of the API, for `svc explain`.

import { problemRows } from '../../generate/cli/cli.ts' with { type: 'macro' }

export const problems = problemRows()
