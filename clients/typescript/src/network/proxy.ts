// A proxy as configured for a client.

export type Proxy = { readonly url: URL; readonly authorization: string | undefined }
