// The portal's files: its stylesheet and its pages' scripts.
import { type PageAssets, pageAssets } from '#http/html/assets.ts'
import { pageScripts } from '#http/html/page-scripts.ts'
import { style } from './style.ts'

/** What someone expanded stays so in a part that refreshes itself (frame/refreshing.ts). */
const keepOpen = "htmx.config.morphIgnore.push('open')\n"

export const portalAssets = (): PageAssets =>
  pageAssets(style, { ...pageScripts(), morph: keepOpen })
