// Storage for documents' and bundles' bytes: a local folder (disk.ts) or a bucket with the S3
// interface (s3.ts). Keys are random, and no gateway URL contains a key.

/** An object's size, and a tag that changes with its bytes. */
type StoredObject = { size: number; tag: string }

/** An upload that the client sends directly to the storage service. */
export type Direct = { url: string; headers: Record<string, string> }

type Upload = { mime: string; size: number | null; seconds: number }

/** Bytes of a known length, which can be read once. */
export type Bytes = { size: number; open(): Promise<ReadableStream<Uint8Array> | Blob> }

export type Storage = {
  /** A signed URL for one upload; null if uploads go to the gateway. */
  direct(key: string, upload: Upload): Promise<Direct | null>
  /** Moves a local file to the key, atomically. */
  store(key: string, file: LocalFile): Promise<void>
  stat(key: string): Promise<StoredObject | null>
  /** Returns the bytes from `start` to before `end`; null if the object doesn't exist. */
  slice(key: string, start: number, end: number): Promise<Uint8Array | null>
  /** Returns the object, or its bytes from `start` to before `end`, which must arrive within
   *  `seconds`. */
  read(key: string, part?: { start: number; end: number }, seconds?: number): Promise<Bytes | null>
  /** Copies an object to another key; returns false if its tag has changed. */
  copyIfUnchanged(from: string, to: string, tag: string): Promise<boolean>
  /** Removes an object; an unknown key isn't an error. */
  remove(key: string): Promise<void>
  /** Removes objects with a prefix by age, and returns how many it removed. */
  removeOlderThan(prefix: string, olderThanSeconds: number): Promise<number>
  /** A new, empty local file to write to before `store`. */
  spool(): Promise<Spool>
}

export type LocalFile = { path: string; size: number; md5: string; sha256: string }

export type Spool = {
  path: string
  write(bytes: Uint8Array): Promise<void>
  /** Syncs the file to disk, and returns its size and digests (base64). */
  end(): Promise<LocalFile>
  /** Removes the file, unless it was stored. */
  discard(): Promise<void>
}

/** Storage doesn't respond or fails; the call may be retried. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** Keys for uploads, confirmed documents and bundles. Uploads and bundles that outlive their rows'
 *  maximum age are orphans. */
export const uploadKey = (mode: string, object: string) => `${mode}/u/${object}`
export const documentKey = (mode: string, object: string) => `${mode}/f/${object}`
export const bundleKey = (mode: string, object: string) => `${mode}/x/${object}`
