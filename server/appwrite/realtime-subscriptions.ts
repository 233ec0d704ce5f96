/**
 * What one socket asked to hear. Three generations of clients ask in three ways (platform reference §11.1): channels in the
 * URL; channels in the URL with queries under numbered slots; `subscribe` messages under ids of the client's own.
 */
import { socketChannels } from '#contract/live.ts'
import { newId } from '../ids.ts'
import { type Filter, readQueries } from './queries.ts'
import { passes } from './realtime-filters.ts'

type Subscription = { channels: ReadonlySet<string>; filters: readonly Filter[] }

export type Asked = { subscriptionId?: string; channels: readonly string[]; queries: readonly string[] }

export type Subscriptions = {
  /**
   * The same id replaces.
   * @throws Failure general_query_invalid
   */
  add(asked: Asked): { subscriptionId: string; channels: string[]; queries: readonly string[] }
  /** @returns whether there was one */
  remove(subscriptionId: string): boolean
  /** All channels asked for, each once. */
  channels(): string[]
  wants(channels: readonly string[]): boolean
  /** Null when none of them asked for it; `ids` leaves out the channels of the URL, which have none. */
  hearing(channels: readonly string[], document: Readonly<Record<string, unknown>>): { ids: string[] } | null
  /** More than a client needs. */
  readonly tooMany: boolean
}

const longestName = 255

/** What the channels of the URL are kept under: no client can name it. */
const ofUrl = ''

/** @param account the id of the account, once it is known */
export function createSubscriptions(account: () => string | null): Subscriptions {
  const all = new Map<string, Subscription>()

  /** An account's channel is one's own; another's is dropped without a word. */
  const expanded = (channel: string): string[] => {
    if (channel === 'account') return account() === null ? ['account'] : ['account', `account.${account()}`]
    return channel.startsWith('account.') || channel.length > longestName ? [] : [channel]
  }
  const channels = () => [...new Set([...all.values()].flatMap((one) => [...one.channels].flatMap(expanded)))]

  return {
    add({ subscriptionId = newId(), channels, queries }) {
      const { filters } = readQueries(queries)
      const kept = channels.filter((channel) => expanded(channel).length > 0)
      all.set(subscriptionId, { channels: new Set(kept), filters })
      return { subscriptionId, channels: [...new Set(kept.flatMap(expanded))], queries }
    },
    remove: (subscriptionId) => subscriptionId !== ofUrl && all.delete(subscriptionId),
    channels,
    wants: (told) => [...all.values()].some((one) => meets(one, told)),
    hearing(told, document) {
      const ids = [...all].flatMap(([id, one]) =>
        meets(one, told) && passes(document, one.filters) ? [id] : [],
      )
      return ids.length === 0 ? null : { ids: ids.filter((id) => id !== ofUrl) }
    },
    get tooMany() {
      return all.size > socketChannels || channels().length > socketChannels
    },
  }
}

const meets = ({ channels }: Subscription, told: readonly string[]) =>
  told.some((channel) => channels.has(channel))

/**
 * Subscribes to what the URL asks for.
 * @returns slot → subscription id
 * @throws Failure general_query_invalid
 */
export function subscribeByUrl(subscriptions: Subscriptions, query: URLSearchParams): Record<string, string> {
  const plain = new Set<string>()
  const slots = new Map<string, { channels: Set<string>; queries: Set<string> }>()
  for (const [key, value] of query) {
    if (/^channels(\[\d*\])?$/.test(key)) plain.add(value)
    const [, channel, number] = /^(.+)\[(\d{1,4})\]\[\d*\]$/.exec(key) ?? []
    if (channel === undefined || number === undefined) continue
    const slot = slots.get(number) ?? { channels: new Set(), queries: new Set() }
    slots.set(number, slot)
    slot.channels.add(channel)
    slot.queries.add(value)
  }
  const ids: Record<string, string> = {}
  for (const [number, { channels, queries }] of slots) {
    ids[number] = subscriptions.add({ channels: [...channels], queries: [...queries] }).subscriptionId
    for (const channel of channels) plain.delete(channel)
  }
  if (plain.size > 0) subscriptions.add({ subscriptionId: ofUrl, channels: [...plain], queries: [] })
  return ids
}
