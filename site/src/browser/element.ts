type Attributes = Readonly<Record<string, string>>

/** A new element of the page, with its attributes and what is in it. */
export function element(
  name: string,
  attributes: Attributes,
  ...inside: (Node | string)[]
): HTMLElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...inside)
  return made
}
