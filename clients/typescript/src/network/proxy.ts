// A proxy as a client was given it.

export type Proxy = { readonly url: URL; readonly authorization: string | undefined }
