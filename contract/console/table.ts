// The console's pages: one row for each page and each form. Routes, roles, second factor,
// navigation and the sweep over all of them are computed from the rows.

import { administrationPages } from './administration-pages.ts'
import { carePages } from './care-pages.ts'
import { filePages } from './file-pages.ts'
import { textPages } from './text-pages.ts'
import { recordPages } from './record-pages.ts'
import { visitPages } from './visit-pages.ts'
import { pharmacyPages } from './pharmacy-pages.ts'

export const consolePages = {
  ...carePages,
  ...filePages,
  ...visitPages,
  ...recordPages,
  ...pharmacyPages,
  ...textPages,
  ...administrationPages,
} as const

export type ConsolePageId = keyof typeof consolePages
export const consolePageIds = Object.keys(consolePages) as ConsolePageId[]
