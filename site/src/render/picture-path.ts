/**
 * The address of the picture of a page: `/og/blog/x.png` for `/blog/x`, `/og/index.png` for home.
 */
export const pictureOf = (path: string) => `/og${path === '/' ? '/index' : path}.png`
