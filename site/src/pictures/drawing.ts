import type { ListedPage } from '../machine/every-page.ts'
import { pictureOf } from '../render/picture-path.ts'

/** The parts of a page that its picture shows. */
export type Drawing = Pick<ListedPage, 'kind' | 'path' | 'title'>

export const drawingOf = ({ kind, path, title }: Drawing): Drawing => ({ kind, path, title })

/** The file of a page's picture in a build. */
export const drawingFile = ({ path }: Drawing) => pictureOf(path).slice(1)
