/** The URL of a page's picture: `/og/blog/x.png` for `/blog/x`, `/og/index.png` for home. */
export const pictureOf = (path: string) => `/og${path === '/' ? '/index' : path}.png`
