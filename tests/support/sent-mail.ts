/** What the server sent to somebody, as the operator of a development machine reads it. */

import type { ApiClient } from '#api-client/member-client.ts'
import type { DevOutboxEntry } from '#server/email/dev-outbox.ts'

type Mailed = { visitor: Pick<ApiClient, 'request'> }

const fetchAllSentTo = async (w: Mailed, to: string): Promise<DevOutboxEntry[]> =>
  (await w.visitor.request<DevOutboxEntry[]>('GET', '/dev/outbox')).body.filter((entry) => entry.to === to)

/** Everything sent to an address but the email of its sign-up, which every member gets. */
export const fetchSentMessagesTo = async (w: Mailed, to: string): Promise<DevOutboxEntry[]> =>
  (await fetchAllSentTo(w, to)).filter(({ kind }) => kind !== 'sign-up')

/** The emails that signing up with an address sent. */
export const fetchSignUpEmailsTo = async (w: Mailed, to: string): Promise<DevOutboxEntry[]> =>
  (await fetchAllSentTo(w, to)).filter(({ kind }) => kind === 'sign-up')

/** The newest letter to an address. @throws when there is none */
export async function fetchNewestMessageTo(w: Mailed, to: string): Promise<DevOutboxEntry> {
  const letter = (await fetchSentMessagesTo(w, to)).at(-1)
  if (!letter) throw new Error(`nothing was sent to ${to}`)
  return letter
}

/** What the link of the newest letter to an address carries. */
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

/** The six digits of the newest letter to an address. */
export const fetchCodeSentTo = async (w: Mailed, to: string): Promise<string> =>
  /\b\d{6}\b/.exec((await fetchNewestMessageTo(w, to)).text)?.[0] ?? ''

/** The cookies that an answer gives, as the `cookie` header sends them back. */
export const extractCookieHeader = (answer: { headers: Record<string, string> }): string =>
  (answer.headers['set-cookie'] ?? '')
    .split('\n')
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
