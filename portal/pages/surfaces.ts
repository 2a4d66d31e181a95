// Describes a call's surface and route in words. A tool has the name that its caller uses.
import { callable } from '#contract/callable.ts'
import type { requestSurfaces } from '#contract/preview/requests.ts'
import { toolNameOf } from '#contract/tools/names.ts'

type RequestSurface = (typeof requestSurfaces)[number]

const names: Readonly<Record<RequestSurface, string>> = {
  rest: 'API',
  mcp: 'Tool server',
}

export const surfaceName = (surface: string): string => names[surface as RequestSurface]

const paths = new Map(Object.entries(callable).map(([id, { path }]) => [id, path]))

export const operationName = (surface: string, operation: string): string =>
  surface === 'mcp' ? toolNameOf(operation, paths.get(operation) ?? '') : operation

type CalledRoute = {
  readonly surface: string
  readonly operation: string
  readonly method: string
  readonly path: string
}

export const routeOf = ({ method, path }: CalledRoute): string => `${method} ${path}`

export const calledName = (call: CalledRoute): string =>
  call.surface === 'mcp' ? operationName(call.surface, call.operation) : routeOf(call)
