import * as thirteen from 'appwrite'
import * as newest from 'appwrite-newest'
import { createNewestSdkScript } from './newest-sdk-script.ts'
import { createSdk13Script } from './sdk-13-script.ts'
import type { SdkOutsideWorld, SdkScriptEnvironment, SdkTestScript, SdkTestUser } from './sdk-test-script.ts'

declare global {
  var askOutside: (what: keyof SdkOutsideWorld, ...given: string[]) => Promise<never>
  var sdkPage: SdkPageGlobals
}

const around: SdkScriptEnvironment = {
  emailLinkTo: (address) => askOutside('emailLinkTo', address),
  codeTo: (address) => askOutside('codeTo', address),
  appCode: (secret, periods) => askOutside('appCode', secret, periods),
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

export type SdkPageGlobals = { open(sdk: '13.0.2' | 'newest', her: SdkTestUser): SdkTestScript }

globalThis.sdkPage = {
  open: (sdk, her) =>
    sdk === '13.0.2' ? createSdk13Script(thirteen, her, around) : createNewestSdkScript(newest, her, around),
}
