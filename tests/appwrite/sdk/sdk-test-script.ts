/**
 * The SDK script for all environments: Node, our page, foreign pages. It must not depend on Node or a test
 * runner, because it also runs in a page.
 */

/** A new user, and her SDK's server. */
export type SdkTestUser = {
  /** With `/v1`. */
  endpoint: string
  /** Her application's project id. */
  project: string
  name: string
  username: string
  email: string
  phone: string
  password: string
  /** What her page can show beside initials. */
  shows: { pictures: boolean; icons: boolean }
  /** The session is in local storage, because the server has another origin. */
  keepsFallback: boolean
  /** A reachable site with a favicon and `/picture.png`; null if none. */
  site: string | null
}

/** The outside world, also callable from inside a page. */
export type SdkOutsideWorld = {
  /** The newest email's link parameters. */
  proofTo(address: string): Promise<{ userId: string; secret: string }>
  /** The newest six-digit code for an address or phone. */
  codeTo(address: string): Promise<string>
  /** Her app's code, that many periods from now. */
  appCode(secret: string, periods: string): Promise<string>
  /** @returns the session's id on another device */
  signInElsewhere(email: string, password: string): Promise<string>
  /** A base64 PNG; the large one needs chunks. */
  picture(kind: 'small' | 'large'): Promise<string>
  friend(): Promise<string>
  /** Someone writes to her. @returns the message's id */
  friendSays(conversationId: string, content: string): Promise<string>
}

/** Her browser's other abilities. */
export type SdkScriptEnvironment = SdkOutsideWorld & {
  /** @returns a picture's `width×height`, or `nothing` */
  show(address: string): Promise<string>
  /** The session in local storage. */
  fallback(): string | null
}

export type SdkScriptStep = {
  /** A sentence after its acceptance rows. */
  title: string
  play(): Promise<unknown>
  /** The expected result. */
  comesTo: unknown
}

export type SdkTestScript = {
  /** In order. */
  chapters: SdkScriptStep[]
  /** Calls that leave the page, made last. */
  leaving: (() => void)[]
  /** Every call so far, such as `Account.get`. */
  calls: string[]
  /** SDK methods not called yet. */
  uncalled(): string[]
}

/** Wraps an object to record its calls. */
export function recordMethodCalls<S extends object>(className: string, object: S, calls: string[]): S {
  return new Proxy(object, {
    get(target, key) {
      const method = Reflect.get(target, key)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        calls.push(`${className}.${String(key)}`)
        return method.apply(target, given)
      }
    },
  })
}

type Pointed<C> = { setEndpoint(endpoint: string): C; setProject(project: string): C }

/** Both SDKs' common parts. */
type Sdk<C, A, D, S, V> = {
  Client: new () => Pointed<C>
  Account: new (client: C) => A
  Databases: new (client: C) => D
  Storage: new (client: C) => S
  Avatars: new (client: C) => V
}

export function openRecordedSdk<
  C extends object & Pointed<C>,
  A extends object,
  D extends object,
  S extends object,
  V extends object,
>(sdk: Sdk<C, A, D, S, V>, { endpoint, project, shows }: SdkTestUser) {
  const calls: string[] = []
  const newClient = () => new sdk.Client().setEndpoint(endpoint).setProject(project)
  const plain = newClient()
  const classes = {
    Account: new sdk.Account(plain),
    Databases: new sdk.Databases(plain),
    Storage: new sdk.Storage(plain),
    Avatars: new sdk.Avatars(plain),
  }
  return {
    newClient,
    /** The classes' client; `client` wraps it to record calls. */
    plain,
    client: recordMethodCalls('Client', plain, calls),
    account: recordMethodCalls('Account', classes.Account, calls),
    databases: recordMethodCalls('Databases', classes.Databases, calls),
    storage: recordMethodCalls('Storage', classes.Storage, calls),
    avatars: recordMethodCalls('Avatars', classes.Avatars, calls),
    calls,
    uncalled: () =>
      Object.entries(classes).flatMap(([name, object]) => listUncalledMethods(name, object, calls)),
    page: (path: string) => new URL(path, endpoint).href,
    /** What her browser sees of an existing picture. */
    picture: (size: string) => (shows.pictures ? size : 'nothing'),
    icon: (size: string) => (shows.icons ? size : 'nothing'),
  }
}

export const listUncalledMethods = (className: string, object: object, calls: readonly string[]) =>
  methodsOf(object)
    .map((method) => `${className}.${method}`)
    .filter((name) => !calls.includes(name))

const methodsOf = (object: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((method) => method !== 'constructor')

/** Returns a refusal's code and type. */
export async function captureSdkRefusal(call: () => unknown): Promise<string> {
  try {
    await call()
    return 'it was not refused'
  } catch (error) {
    const { code, type, message } = error as { code?: number; type?: string; message: string }
    return type ? `${code} ${type}` : message
  }
}

export function createFileFromBase64(base64: string, name: string): File {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  return new File([bytes], name, { type: 'image/png' })
}

export type ReceivedSdkEvent = { events: string[]; payload: { $id: string } }

/** Sends until received, because an SDK does not report when it listens. @returns the message's id */
export async function sendUntilEventReceived(
  heard: readonly ReceivedSdkEvent[],
  say: () => Promise<string>,
): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const id = await say()
    for (let waited = 0; waited < 5; waited += 1) {
      if (heard.some(({ payload }) => payload.$id === id)) return id
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  throw new Error('nobody hears')
}

export const summarizeReceivedEvents = (heard: readonly ReceivedSdkEvent[]) => ({
  file: heard.some(({ events }) => events.includes('buckets.*.files.*.update')),
  recovery: heard.some(({ events }) => events.includes('users.*.recovery.*.create')),
})

export const appwriteDocumentsChannel = (collection: string) =>
  `databases.main.collections.${collection}.documents`
export const sdkPostFixture = { caption: 'Una tarde juntas', location: 'Casa', tags: ['sol', 'mar'] }
/** The older SDK does not escape search input. */
export const specialCharactersSearchText = 'dijo "hola, mar" y (se fue) [lejos]'
