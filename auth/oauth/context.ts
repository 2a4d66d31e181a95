import type { Provider } from 'oidc-provider'

/** A request and its answer, as the library's framework has them. */
export type Context = Parameters<Parameters<Provider['use']>[0]>[0]
