// The files of the portal: its stylesheet and the scripts of pages.
import { type PageAssets, pageAssets } from '#http/html/assets.ts'
import { pageScripts } from '#http/html/page-scripts.ts'
import { style } from './style.ts'

export const portalAssets = (): PageAssets => pageAssets(style, pageScripts())
