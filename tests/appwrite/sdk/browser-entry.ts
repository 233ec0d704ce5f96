/**
 * The SDKs inside a real page, packed as an application packs them. The page's test calls what is laid out here; what is
 * outside of the page is asked through one function that the test lays into it.
 */
import * as thirteen from 'appwrite'
import * as newest from 'appwrite-newest'
import { createNewestSdkScript } from './newest.ts'
import type { SdkTestBrowser, SdkTestPeer, SdkTestScript, SdkTestUser } from './script.ts'
import { createSdk13Script } from './thirteen.ts'

declare global {
  var askOutside: (what: keyof SdkTestPeer, ...given: string[]) => Promise<never>
  var sdkPage: SdkPageGlobals
}

const around: SdkTestBrowser = {
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
export type SdkPageGlobals = { open(sdk: '13.0.2' | 'newest', her: SdkTestUser): SdkTestScript }

globalThis.sdkPage = {
  open: (sdk, her) =>
    sdk === '13.0.2' ? createSdk13Script(thirteen, her, around) : createNewestSdkScript(newest, her, around),
}
