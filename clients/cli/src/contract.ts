// What the program knows of the contract at every start, as it was when it was built.

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
