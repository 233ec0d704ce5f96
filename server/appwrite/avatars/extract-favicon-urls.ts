/** The head comes first, so this is enough. */
export const faviconPageMaxBytes = 256 * 1024

/**
 * Returns the largest icons first, without SVG, which we never show from other sites.
 * @param base the page's URL
 */
export function extractFaviconUrls(html: string, base: URL): URL[] {
  const links = [...html.matchAll(/<link\s([^<>]{1,2000})>/gi)].flatMap(([, inside = '']) => {
    const attributes = attributesOf(inside)
    const url = URL.parse(attributes.get('href') ?? '', base)
    const rel = attributes.get('rel')?.toLowerCase().split(/\s+/) ?? []
    if (!url || !attributes.has('href') || !rel.includes('icon')) return []
    if (!/^https?:$/.test(url.protocol) || isSvg(url, attributes.get('type'))) return []
    return [{ url, side: largestSide(attributes.get('sizes')) }]
  })
  return links.sort((one, other) => other.side - one.side).map(({ url }) => url)
}

/** If an attribute occurs twice, the first value counts, as in a browser. */
function attributesOf(inside: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, plain] of inside.matchAll(
    /([a-z-]{1,30})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi,
  )) {
    const value = (double ?? single ?? plain ?? '').replaceAll('&amp;', '&').trim()
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), value)
  }
  return attributes
}

const isSvg = (url: URL, type: string | undefined) =>
  type?.toLowerCase().startsWith('image/svg') || /\.svgz?$/i.test(url.pathname)

const largestSide = (sizes = '') =>
  Math.max(0, ...[...sizes.matchAll(/(\d{1,5})x\d{1,5}/gi)].map(([, side]) => Number(side)))

const icoPictures = 64

/** Every picture of an icon must lie within the file. */
export function isIco(bytes: Buffer): boolean {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== 0x00010000) return false
  const pictures = bytes.readUInt16LE(4)
  const directoryEnd = 6 + 16 * pictures
  if (pictures === 0 || pictures > icoPictures || bytes.length < directoryEnd) return false
  return Array.from({ length: pictures }, (_, index) => 6 + 16 * index).every((entry) => {
    const [size, start] = [bytes.readUInt32LE(entry + 8), bytes.readUInt32LE(entry + 12)]
    return size > 0 && start >= directoryEnd && start + size <= bytes.length
  })
}
