import type { Picture } from '#content/schema.ts'

// Pictures that editors add to a text, as `![What it shows](/pictures/queue.png "1280x800")`.

const picture = /^!\[[^\]]*\]\((\/pictures\/[^)\s]+)[^)]*\)$/gm

/** Adds each picture's text below it, for page and Markdown version. */
export function describePictures(body: string, data: unknown): string {
  const pictures = picturesOf(data)
  return body.replace(picture, (image, file: string) => {
    const own = pictures.find(each => each.file === file)
    if (own === undefined || own.text.toLowerCase() === 'none') return image
    const who = own.invented ? ' (the people shown are synthetic)' : ''
    return `${image}\n\n*In the picture${who}:* ${own.text}`
  })
}

/** The schema has already checked the pictures. */
function picturesOf(data: unknown): readonly Picture[] {
  const has = typeof data === 'object' && data !== null && 'pictures' in data
  return has ? (data.pictures as Picture[]) : []
}

/** Adds each picture's size, so the browser reserves its space and nothing moves when it loads. */
export function sizePictures(html: string): string {
  return html.replace(
    /(<img src="\/pictures\/[^"]+" alt="[^"]*") title="(\d+)x(\d+)"/g,
    '$1 width="$2" height="$3" loading="lazy" decoding="async"',
  )
}
