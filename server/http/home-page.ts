/** Writes Home's page with its first responses and its first photo (decision 0234). */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { CurrentMember } from '#contract/people/people.ts'
import {
  cardPhotoSizes,
  getDisplayAspectRatio,
  imageVariantSources,
  imageVariantUrl,
  widenCroppedImageSizes,
} from '#contract/posts/feed-photo.ts'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import { listPagePrefetchPaths, memberPrefetchPath, pageResponsesId } from '#contract/prefetch-paths.ts'
import { escapeHtml } from './escape-html.ts'
import type { PageResponses } from './page-responses.ts'

const [feedPath = ''] = listPagePrefetchPaths('/')
const photoPlace = '<!--photo-->'
const splashOfPage = /(?<=<div id="root">).*(?=<\/div>\s*<noscript>)/s

/**
 * Streams the page, so that the browser loads scripts and styles while the database works.
 * @param splash the fragment that is shown until the scripts have loaded
 */
export function streamHomePage(
  page: string,
  splash: string,
  readResponses: () => Promise<PageResponses | null>,
): Readable {
  const [before = '', after = ''] = page.replace(splashOfPage, () => splash).split(photoPlace)
  return Readable.from(
    (async function* (): AsyncGenerator<string> {
      yield before
      // The first part is sent before the work for the responses begins.
      await setImmediate()
      const responses = await readResponses()
      if (!responses) return yield after
      const script = `<script type="application/json" id="${pageResponsesId}">${toInertJson(responses)}</script>`
      yield renderFirstPhoto(responses) + after.replace('</body>', () => `${script}</body>`)
    })(),
    { objectMode: false },
  )
}

/** In JSON, `<` occurs only in texts. Because it is escaped, no text can end the element. */
const toInertJson = (responses: PageResponses): string =>
  `{${[...responses].map(([path, body]) => `${JSON.stringify(path)}:${body}`).join()}}`.replaceAll(
    '<',
    '\\u003c',
  )

function renderFirstPhoto(responses: PageResponses): string {
  const { documents } = JSON.parse(responses.get(feedPath) ?? '{"documents":[]}') as PostPage
  const me = JSON.parse(responses.get(memberPrefetchPath) ?? '{}') as CurrentMember
  const first = documents.find((post) => post.creator)
  if (!first) return ''
  return hasKnownPlace(first, me) ? renderPhoto(first) : renderPreload(first)
}

/** Whether the card shows its photo where the splash does. */
const hasKnownPlace = (post: Post, me: CurrentMember) =>
  !(me.announcement || me.operates || post.group || post.hidden || post.blocked)

function renderPhoto({ image }: Post): string {
  const [own, shown] = [getDisplayAspectRatio(image, 'whole'), getDisplayAspectRatio(image, 'feed')]
  const crop = own < shown ? 'tall' : own > shown ? 'wide' : 'none'
  const { width, height, id } = image
  const attributes = { src: imageVariantUrl(id, 640), ...sourcesOf(image), width, height, alt: '' }
  return `<span data-crop="${crop}"><img ${attributesOf(attributes)} fetchpriority="high" decoding="sync" elementtiming="splash"></span>`
}

function renderPreload({ image }: Post): string {
  const { srcset: imagesrcset, sizes: imagesizes } = sourcesOf(image)
  return `<link rel="preload" as="image" fetchpriority="high" ${attributesOf({ imagesrcset, imagesizes })}>`
}

/** These equal the attributes of the card's photo, because the browser would otherwise request another variant. */
const sourcesOf = (image: Post['image']) => ({
  srcset: imageVariantSources(image.id),
  sizes: widenCroppedImageSizes(image, cardPhotoSizes, 'feed'),
})

const attributesOf = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escapeHtml(String(value))}"`)
    .join(' ')
