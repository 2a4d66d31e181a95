import type { Picture } from '#content/schema.ts'

// Pictures that editors put beside a text, as `![What it shows](/pictures/queue.png "1280x800")`.

const picture = /^!\[[^\]]*\]\((\/pictures\/[^)\s]+)[^)]*\)$/gm

/** Under each picture what stands in it, for page and twin alike. */
export function tellPictures(body: string, data: unknown): string {
  const told = picturesOf(data)
  return body.replace(picture, (image, file: string) => {
    const own = told.find(each => each.file === file)
    if (own === undefined || own.text.toLowerCase() === 'none') return image
    const who = own.invented ? ' (the people shown are invented)' : ''
    return `${image}\n\n*In the picture${who}:* ${own.text}`
  })
}

/** The schema has typed them already. */
function picturesOf(data: unknown): readonly Picture[] {
  const has = typeof data === 'object' && data !== null && 'pictures' in data
  return has ? (data.pictures as Picture[]) : []
}

/** A browser that knows the size keeps the place free, so nothing moves when the picture comes. */
export function sizePictures(html: string): string {
  return html.replace(
    /(<img src="\/pictures\/[^"]+" alt="[^"]*") title="(\d+)x(\d+)"/g,
    '$1 width="$2" height="$3" loading="lazy" decoding="async"',
  )
}
