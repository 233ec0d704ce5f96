/** The script runs in pages too, so it must not import Node modules or a test runner. */

export type SdkTestUser = {
  endpoint: string
  project: string
  name: string
  username: string
  email: string
  phone: string
  password: string
  shows: { pictures: boolean; icons: boolean }
  /** Local storage keeps the session if the server has another origin. */
  keepsFallback: boolean
  site: string | null
}

export type SdkOutsideWorld = {
  emailLinkTo(address: string): Promise<{ userId: string; secret: string }>
  /** Returns six digits that were sent to an email address or phone number. */
  codeTo(address: string): Promise<string>
  /** Returns a code of her authenticator app, the given number of periods from now. */
  appCode(secret: string, periods: string): Promise<string>
  signInElsewhere(email: string, password: string): Promise<string>
  picture(kind: 'small' | 'large'): Promise<string>
  friend(): Promise<string>
  friendSays(conversationId: string, content: string): Promise<string>
}

export type SdkScriptEnvironment = SdkOutsideWorld & {
  show(address: string): Promise<string>
  fallback(): string | null
}

export type SdkScriptStep = {
  /** The title starts with the ids of acceptance rows. */
  title: string
  play(): Promise<unknown>
  comesTo: unknown
}

export type SdkTestScript = {
  chapters: SdkScriptStep[]
  /** These calls leave the page, so they run last. */
  leaving: (() => void)[]
  /** Names such as `Account.get`. */
  calls: string[]
  uncalled(): string[]
}

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
    /** `client` is the same client, but records its calls. */
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

/** An SDK does not report when it has begun to listen. @returns the id of the message that arrived */
export async function sendUntilEventReceived(
  received: readonly ReceivedSdkEvent[],
  say: () => Promise<string>,
): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const id = await say()
    for (let waited = 0; waited < 5; waited += 1) {
      if (received.some(({ payload }) => payload.$id === id)) return id
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  throw new Error('nobody hears')
}

export const summarizeReceivedEvents = (received: readonly ReceivedSdkEvent[]) => ({
  file: received.some(({ events }) => events.includes('buckets.*.files.*.update')),
  recovery: received.some(({ events }) => events.includes('users.*.recovery.*.create')),
})

export const appwriteDocumentsChannel = (collection: string) =>
  `databases.main.collections.${collection}.documents`
export const sdkPostFixture = { caption: 'Una tarde juntas', location: 'Casa', tags: ['sol', 'mar'] }
/** The older SDK does not escape these. */
export const specialCharactersSearchText = 'dijo "hola, mar" y (se fue) [lejos]'
