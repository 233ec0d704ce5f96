/**
 * What somebody does by an official SDK, told once for every place an SDK runs in: Node, a page of ours, pages of other
 * origins. Nothing here knows Node or a test runner, because it also runs inside a page.
 */

/** Somebody new, and where the SDK that she uses finds the server. */
export type SdkTestUser = {
  /** With `/v1`. */
  endpoint: string
  /** The id that her application names the project by. */
  project: string
  name: string
  username: string
  email: string
  phone: string
  password: string
  /** What a page of her origin can show beside initials: the product's pictures, and icons for members. */
  shows: { pictures: boolean; icons: boolean }
  /** Her browser keeps the session in local storage, because the server's is another origin. */
  keepsFallback: boolean
  /** A site with a favicon and `/picture.png`, which the server can reach; null where it reaches none. */
  site: string | null
}

/** Who is outside of the page. All of it can be asked from inside one. */
export type SdkOutsideWorld = {
  /** What the link of the newest letter to an address carries. */
  proofTo(address: string): Promise<{ userId: string; secret: string }>
  /** The six digits of the newest letter to an address or a phone. */
  codeTo(address: string): Promise<string>
  /** The six digits that her app shows, as many periods from now. */
  appCode(secret: string, periods: string): Promise<string>
  /** Signs her in on another device. @returns the session's id */
  signInElsewhere(email: string, password: string): Promise<string>
  /** A PNG in base64; the large one is sent in pieces. */
  picture(kind: 'small' | 'large'): Promise<string>
  /** Somebody else's profile id. */
  friend(): Promise<string>
  /** That somebody writes to her. @returns the message's id */
  friendSays(conversationId: string, content: string): Promise<string>
}

/** What her browser does beside running the SDK. */
export type SdkScriptEnvironment = SdkOutsideWorld & {
  /** Shows a picture. @returns `width×height`, or `nothing` */
  show(address: string): Promise<string>
  /** What local storage keeps of the session. */
  fallback(): string | null
}

export type SdkScriptStep = {
  /** A sentence about her, after the rows that it proves. */
  title: string
  play(): Promise<unknown>
  /** What playing it comes to. */
  comesTo: unknown
}

export type SdkTestScript = {
  /** In the order she lives them. */
  chapters: SdkScriptStep[]
  /** Calls that take the whole page elsewhere; the last thing a page does. */
  leaving: (() => void)[]
  /** Every call so far, as `Account.get`. */
  calls: string[]
  /** Methods of the SDK's own classes that nobody called yet. */
  uncalled(): string[]
}

/** The same object, which also writes down what is called. */
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

/** What both SDKs have alike: a client and the classes of which we serve calls. */
type Sdk<C, A, D, S, V> = {
  Client: new () => Pointed<C>
  Account: new (client: C) => A
  Databases: new (client: C) => D
  Storage: new (client: C) => S
  Avatars: new (client: C) => V
}

/** Her page with an SDK in it. */
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
    /** The client that the classes use; `client` is the same and writes down its calls too. */
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
    /** What her browser gets to see of a picture or an icon that is there. */
    picture: (size: string) => (shows.pictures ? size : 'nothing'),
    icon: (size: string) => (shows.icons ? size : 'nothing'),
  }
}

/** Methods of an object that are not among the calls. */
export const listUncalledMethods = (className: string, object: object, calls: readonly string[]) =>
  methodsOf(object)
    .map((method) => `${className}.${method}`)
    .filter((name) => !calls.includes(name))

const methodsOf = (object: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((method) => method !== 'constructor')

/** How a call is refused: its code and its type. */
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

/** Lets the friend write until it is heard: an SDK does not say when it listens. @returns the message's id */
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

/** Which events of hers are among those heard. */
export const summarizeReceivedEvents = (heard: readonly ReceivedSdkEvent[]) => ({
  file: heard.some(({ events }) => events.includes('buckets.*.files.*.update')),
  recovery: heard.some(({ events }) => events.includes('users.*.recovery.*.create')),
})

export const appwriteDocumentsChannel = (collection: string) =>
  `databases.main.collections.${collection}.documents`
export const sdkPostFixture = { caption: 'Una tarde juntas', location: 'Casa', tags: ['sol', 'mar'] }
/** The older SDK does not escape what is typed into a search box. */
export const specialCharactersSearchText = 'dijo "hola, mar" y (se fue) [lejos]'
