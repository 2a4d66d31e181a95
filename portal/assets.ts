// The portal's files: its stylesheet and its pages' scripts.
import { type PageAssets, pageAssets } from '#http/html/assets.ts'
import { pageScripts } from '#http/html/page-scripts.ts'
import { style } from './style.ts'

export const portalAssets = (): PageAssets => pageAssets(style, pageScripts())
