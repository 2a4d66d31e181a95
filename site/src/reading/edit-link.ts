/** Where a file of the content is edited in the browser; null if no repository is named. */
export const editLink = (base: string | null, file: string): string | null =>
  base === null ? null : `${base.replace(/\/$/, '')}/${file}`
