// Converts HTML and XML text into plain text.

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&#38;': '&',
  '&amp;': '&',
}

export function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp|#34|#39|#x27|#38);/g, each => entities[each] ?? each)
}
