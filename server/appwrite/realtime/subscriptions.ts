/**
 * Supports three generations of clients: channels in the URL, the same with queries in numbered slots, and
 * `subscribe` messages with client ids.
 */
import { maxSocketChannels } from '#contract/realtime/realtime.ts'
import { generateId } from '#server/ids.ts'
import { parseAppwriteQueries } from '../queries/parse-queries.ts'
import { compileFilters, countFilterComparisons, type DocumentPredicate } from './subscription-filters.ts'

type Subscription = { channels: ReadonlySet<string>; matches: DocumentPredicate; cost: number }

export type SubscriptionRequest = {
  subscriptionId?: string
  channels: readonly string[]
  queries: readonly string[]
}

export type RealtimeSubscriptions = {
  /** Replaces a subscription with the same id. @throws Failure general_query_invalid */
  add(request: SubscriptionRequest): {
    subscriptionId: string
    channels: string[]
    queries: readonly string[]
  }
  remove(subscriptionId: string): boolean
  channels(): string[]
  wants(channels: readonly string[]): boolean
  /** Returns null if no subscription matches. The URL's subscription has no id. */
  matching(channels: readonly string[], document: Readonly<Record<string, unknown>>): { ids: string[] } | null
  readonly tooMany: boolean
  readonly filterCost: number
}

const longestName = 255

/** No client can send this id. */
const ofUrl = ''

/** @param account null until the account is known */
export function createRealtimeSubscriptions(account: () => string | null): RealtimeSubscriptions {
  const all = new Map<string, Subscription>()
  /** Every change is compared with these channels. */
  let wanted: ReadonlySet<string> = new Set()
  const gather = () => {
    wanted = new Set([...all.values()].flatMap((one) => [...one.channels]))
  }

  /** Adds the caller's own channel to `account`, and drops those of other accounts. */
  const expanded = (channel: string): string[] => {
    if (channel === 'account') return account() === null ? ['account'] : ['account', `account.${account()}`]
    return channel.startsWith('account.') || channel.length > longestName ? [] : [channel]
  }
  const channels = () => [...new Set([...all.values()].flatMap((one) => [...one.channels].flatMap(expanded)))]

  return {
    add({ subscriptionId = generateId(), channels, queries }) {
      const { filters } = parseAppwriteQueries(queries)
      const kept = channels.filter((channel) => expanded(channel).length > 0)
      all.set(subscriptionId, {
        channels: new Set(kept),
        matches: compileFilters(filters),
        cost: countFilterComparisons(filters),
      })
      gather()
      return { subscriptionId, channels: [...new Set(kept.flatMap(expanded))], queries }
    },
    remove(subscriptionId) {
      const removed = subscriptionId !== ofUrl && all.delete(subscriptionId)
      if (removed) gather()
      return removed
    },
    channels,
    wants: (channels) => channels.some((channel) => wanted.has(channel)),
    matching(channels, document) {
      const ids = [...all].flatMap(([id, one]) => (meets(one, channels) && one.matches(document) ? [id] : []))
      return ids.length === 0 ? null : { ids: ids.filter((id) => id !== ofUrl) }
    },
    get tooMany() {
      return all.size > maxSocketChannels || channels().length > maxSocketChannels
    },
    get filterCost() {
      return [...all.values()].reduce((sum, { cost }) => sum + cost, 0)
    },
  }
}

const meets = ({ channels }: Subscription, published: readonly string[]) =>
  published.some((channel) => channels.has(channel))

export function subscribeFromRealtimeUrl(
  subscriptions: RealtimeSubscriptions,
  query: URLSearchParams,
): Record<string, string> {
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
