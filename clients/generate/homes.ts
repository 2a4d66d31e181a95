// Assigns each type to a part of the API. The clients declare the type in that part's file.

import type { OperationModel } from './operations.ts'
import type { NamedType, TypeReference } from './shapes.ts'

/** The names that a type refers to. */
export function namesIn(type: TypeReference): string[] {
  switch (type.kind) {
    case 'named':
      return [type.name]
    case 'words':
      return type.name === undefined ? [] : [type.name]
    case 'array':
      return namesIn(type.items)
    case 'map':
      return namesIn(type.values)
    case 'nullable':
      return namesIn(type.of)
    default:
      return []
  }
}

const resultName = ({ result }: OperationModel) => ('item' in result ? result.item : result.type)

/**
 * Maps each type or word list to a tag: the tag with its name, or else the tag of the first
 * operation that returns or accepts it, or else the tag of the first type that refers to it.
 */
export function homesOf(
  operations: readonly OperationModel[],
  types: readonly NamedType[],
): ReadonlyMap<string, string> {
  const homes = new Map<string, string>()
  const tags = new Set<string>(operations.map(({ tag }) => tag))
  for (const { name } of types) if (tags.has(`${name}s`)) homes.set(name, `${name}s`)
  const put = (name: string, tag: string) => homes.has(name) || homes.set(name, tag)
  for (const operation of operations) {
    put(resultName(operation), operation.tag)
    if (operation.parameters) put(operation.parameters.type, operation.tag)
  }
  put('Problem', 'Problems')
  const byName = new Map(types.map(type => [type.name, type]))
  // Iterating a map also visits entries that the loop adds.
  for (const [name, tag] of homes) {
    for (const { type } of byName.get(name)?.fields ?? []) {
      for (const other of namesIn(type)) put(other, tag)
    }
  }
  return homes
}
