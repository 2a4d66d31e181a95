// The files of the pages.
import { type Asset, pageAssets } from '#http/html/assets.ts'
import { style } from './style.ts'

export const { stylePath, files } = pageAssets(style)

export const assetPaths: readonly string[] = Object.keys(files)

export const assetAt = (path: string): Asset | undefined =>
  Object.hasOwn(files, path) ? files[path] : undefined
