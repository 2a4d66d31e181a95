// How the viewer and its rendering process communicate: the process gets one document's bytes, and
// returns a line of JSON, then one image's bytes.

import type { Sharp } from 'sharp'
import type { fileFindings } from '#contract/console/files.ts'
import type { Mime } from './sniff.ts'

export type Finding = (typeof fileFindings)[number]

export type RenderRequest = {
  readonly mime: Mime
  /** The page to render, starting at 1. */
  readonly page: number
}

export type RenderHead =
  | { readonly pages: number; readonly width: number; readonly height: number }
  | { readonly finding: Finding }

/** A decoder's output for one document page, before it is encoded for display. */
export type Rendered =
  | { readonly pages: number; readonly image: Sharp }
  | { readonly finding: Finding }

export type Renderer = (bytes: Uint8Array, page: number) => Promise<Rendered>

/** How the process ends. `unavailable` means it couldn't be limited or sealed, and read nothing. */
export const exits = { failed: 1, unavailable: 3 } as const

export const viewerLimits = {
  /** Limits for an image in a document, including the widest image in a PDF. Decompression bombs
   *  are larger. */
  sidePixelsMax: 12_000,
  pixelsMax: 100_000_000,
  /** The longest side of a shown image, in pixels. */
  shownSideMax: 1800,
} as const
