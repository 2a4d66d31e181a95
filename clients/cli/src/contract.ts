// The parts of the contract that every start needs, as of the build.

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
