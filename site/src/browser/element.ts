type Attributes = Readonly<Record<string, string>>

/** Creates a page element with its attributes and children. */
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
