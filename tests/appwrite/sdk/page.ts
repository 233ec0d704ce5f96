/**
 * The SDKs inside a real page, packed as an application packs them. The page's test calls what is laid out here; what is
 * outside of the page is asked through one function that the test lays into it.
 */
import * as thirteen from 'appwrite'
import * as newest from 'appwrite-newest'
import { byNewest } from './newest.ts'
import type { Around, Her, Peer, Script } from './script.ts'
import { byThirteen } from './thirteen.ts'

declare global {
  var askOutside: (what: keyof Peer, ...given: string[]) => Promise<never>
  var sdkPage: Page
}

const around: Around = {
  proofTo: (address) => askOutside('proofTo', address),
  codeTo: (address) => askOutside('codeTo', address),
  signInElsewhere: (email, password) => askOutside('signInElsewhere', email, password),
  picture: (kind) => askOutside('picture', kind),
  friend: () => askOutside('friend'),
  friendSays: (conversationId, content) => askOutside('friendSays', conversationId, content),
  fallback: () => localStorage.getItem('cookieFallback'),
  show: (address) =>
    new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve(`${image.naturalWidth}×${image.naturalHeight}`)
      image.onerror = () => resolve('nothing')
      image.src = address
    }),
}

/** What the page's test finds there. */
export type Page = { open(sdk: '13.0.2' | 'newest', her: Her): Script }

globalThis.sdkPage = {
  open: (sdk, her) => (sdk === '13.0.2' ? byThirteen(thirteen, her, around) : byNewest(newest, her, around)),
}
