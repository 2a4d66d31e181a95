// An example's body as arguments: `-d key=value` for each value, with a path into objects and
// arrays. clients/cli/src/operations/body.ts parses them.

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list of plain strings is typed with commas, unless one of them contains a comma. */
const isPlainList = (value: readonly unknown[]) =>
  value.length > 0 && value.every(one => typeof one === 'string' && !/[,[]/.test(one))

function* leaves(at: string, value: unknown): Generator<[string, string]> {
  if (Array.isArray(value)) {
    if (isPlainList(value)) yield [at, value.join(',')]
    else for (const [index, one] of value.entries()) yield* leaves(`${at}[${index}]`, one)
  } else if (isRecord(value)) {
    for (const [name, one] of Object.entries(value)) yield* leaves(at ? `${at}.${name}` : name, one)
  } else {
    yield [at, String(value)]
  }
}

export const exampleArguments = (body: unknown): string[] =>
  isRecord(body) ? [...leaves('', body)].flatMap(([at, value]) => ['-d', `${at}=${value}`]) : []
