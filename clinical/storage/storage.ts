// Where the bytes of documents and bundles lie: a folder of this machine (disk.ts) or a bucket that
// speaks S3 (s3.ts). A key says nothing of anybody, and no address of the house holds one.

/** What storage knows of an object. The tag changes with every change of its bytes. */
export type Stored = { size: number; tag: string }

/** An upload that storage itself takes, past this house. */
export type Direct = { url: string; headers: Record<string, string> }

export type Upload = { mime: string; size: number | null; seconds: number }

/** Bytes of a known length, read once or not at all. */
export type Bytes = { size: number; open(): Promise<ReadableStream<Uint8Array> | Blob> }

export type Storage = {
  /** A signed address for one upload; null when uploads come through the house's own door. */
  direct(key: string, upload: Upload): Promise<Direct | null>
  /** Moves a file of this machine in under the key, whole or not at all. */
  take(key: string, file: LocalFile): Promise<void>
  stat(key: string): Promise<Stored | null>
  /** The bytes from one place to before another, or null when there is no such object. */
  slice(key: string, start: number, end: number): Promise<Uint8Array | null>
  read(key: string): Promise<Bytes | null>
  /** Keeps these very bytes under another key as well; false when they are no longer these. */
  keep(from: string, to: string, tag: string): Promise<boolean>
  /** Removing what is not there is no fault. */
  remove(key: string): Promise<void>
  /** Removes what lies under a prefix for longer than that, and answers how much it was. */
  sweep(prefix: string, olderThanSeconds: number): Promise<number>
  /** A new, empty file of this machine to write to before it is taken in. */
  spool(): Promise<Spool>
}

export type LocalFile = { path: string; size: number; md5: string; sha256: string }

export type Spool = {
  path: string
  write(bytes: Uint8Array): Promise<void>
  /** All that was written is on the disk; its length and digests (base64). */
  end(): Promise<LocalFile>
  /** Removes the file, if it was not taken. */
  discard(): Promise<void>
}

/** Storage does not answer, or not as it should: the call may be made again. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** What is uploaded, what is filed of it, and bundles: what lies under the first and the last for
 *  longer than it can be asked for is garbage by that alone. */
export const uploaded = (mode: string, object: string) => `${mode}/u/${object}`
export const filed = (mode: string, object: string) => `${mode}/f/${object}`
export const bundled = (mode: string, object: string) => `${mode}/x/${object}`
