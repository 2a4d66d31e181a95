// The parts of the contract needed at every start, fixed at build time.

import {
  companyNames,
  eventNames,
  resourceRows,
  scopeRows,
  treeRows,
} from '../../generate/cli/cli.ts' with { type: 'macro' }

export const company = companyNames()
export const eventTypes = eventNames()
export const resources = resourceRows()
export const scopes = scopeRows()
export const tree = treeRows()
