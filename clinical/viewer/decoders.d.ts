// Two modules from packages without types.

declare module 'libheif-js/wasm-bundle.js' {
  type Pixels = { data: Uint8ClampedArray; width: number; height: number }
  type Photo = {
    is_primary(): boolean
    get_width(): number
    get_height(): number
    display(into: Pixels, done: (pixels: Pixels | null) => void): void
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): Photo[] } }
  export default libheif
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {
  export const WorkerMessageHandler: unknown
}
