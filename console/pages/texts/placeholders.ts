// Placeholders of saved replies, filled in when a reply is inserted.

export const placeholders = [
  '{first_name}',
  '{last_name}',
  '{medication}',
  '{clinician}',
  '{clinic}',
] as const

export type PlaceholderValues = Readonly<Record<(typeof placeholders)[number], string>>

export const filled = (body: string, values: PlaceholderValues): string =>
  placeholders.reduce((text, name) => text.replaceAll(name, values[name]), body)
