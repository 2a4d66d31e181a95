// A proxy's URL and authorization header.

export type Proxy = { readonly url: URL; readonly authorization: string | undefined }
