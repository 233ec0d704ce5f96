/** The server writes the community's name, accent and logo into the page's `html` element. */
const htmlTag = /<html[^>]*>/

/** @returns a text that differs if the name, accent or logo differs */
export const readCommunityAttributes = (html: string): string =>
  (htmlTag.exec(html)?.[0].match(/ data-(?:community|accent|logo)="[^"]*"/g) ?? []).join('')

export function readCommunityName(html: string): string | undefined {
  const escaped = / data-community="([^"]*)"/.exec(htmlTag.exec(html)?.[0] ?? '')?.[1]
  return escaped?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
}

const characters: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
