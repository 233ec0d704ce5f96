import type { ApiClient } from '#api-client/member-client.ts'
import type { DevOutboxEntry } from '#server/email/dev-outbox.ts'

type Mailed = { visitor: Pick<ApiClient, 'request'> }

/** Each node has its own outbox, and requests alternate between two nodes. */
const outboxCount = process.env.TEST_NODES === '2' ? 2 : 1

async function fetchAllSentTo(w: Mailed, to: string): Promise<DevOutboxEntry[]> {
  const found: DevOutboxEntry[] = []
  for (let outbox = 0; outbox < outboxCount; outbox += 1)
    found.push(...(await w.visitor.request<DevOutboxEntry[]>('GET', '/dev/outbox')).body)
  return found.filter((entry) => entry.to === to)
}

/** Omits sign-up emails. */
export const fetchSentMessagesTo = async (w: Mailed, to: string): Promise<DevOutboxEntry[]> =>
  (await fetchAllSentTo(w, to)).filter(({ kind }) => kind !== 'sign-up')

export const fetchSignUpEmailsTo = async (w: Mailed, to: string): Promise<DevOutboxEntry[]> =>
  (await fetchAllSentTo(w, to)).filter(({ kind }) => kind === 'sign-up')

/** @throws if nothing was sent */
export async function fetchNewestMessageTo(w: Mailed, to: string): Promise<DevOutboxEntry> {
  const email = (await fetchSentMessagesTo(w, to)).at(-1)
  if (!email) throw new Error(`nothing was sent to ${to}`)
  return email
}

export async function fetchSentLinkSecret(
  w: Mailed,
  to: string,
): Promise<{ userId: string; secret: string; link: URL }> {
  const link = new URL(/https?:\S+/.exec((await fetchNewestMessageTo(w, to)).text)?.[0] ?? '')
  return {
    userId: link.searchParams.get('userId') ?? '',
    secret: link.searchParams.get('secret') ?? '',
    link,
  }
}

export const fetchCodeSentTo = async (w: Mailed, to: string): Promise<string> =>
  /\b\d{6}\b/.exec((await fetchNewestMessageTo(w, to)).text)?.[0] ?? ''

/** Converts `set-cookie` into a `cookie` request header. */
export const extractCookieHeader = (answer: { headers: Record<string, string> }): string =>
  (answer.headers['set-cookie'] ?? '')
    .split('\n')
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
