/** Counts follow power laws. The same seed gives the same rows. */
import { createHash } from 'node:crypto'
import { type RandomInteger, seededRandom } from '#scripts/harness/seeded-random.ts'

export type DatasetSize = { members: number; posts: number }

/** The growth benchmarks use other sizes. */
export const defaultDatasetSize: DatasetSize = { members: 1_000, posts: 20_000 }

/** These are means per member, or per post for likes. */
const followsEach = 50
const likesEach = 2
const conversationsEach = 2
const groupsFor = (members: number) => Math.max(10, Math.floor(members / 50))

/** Readers whose Home is measured (P1, P17). The first also has groups, likes, saves and messages. */
export const sampleReaderKeys = { usual: 1, few: 2, many: 3, dormant: 4 }
const followed: Record<number, number> = {
  [sampleReaderKeys.usual]: 200,
  [sampleReaderKeys.few]: 10,
  [sampleReaderKeys.many]: 5000,
  [sampleReaderKeys.dormant]: 3,
}
/** All posts of these members are old. */
const dormantMembers = 3
const dormantPosts = 60
const groupsOfReader = 5
const marksOfReader = 300
const messagesOfReader = 1000
const conversationsOfReader = 50

/** A cell in COPY's text format, which writes null as `\N`. */
type Cell = string | number | null
export type GeneratedTable = { name: string; columns: string[]; rows: Iterable<Cell[]> }

const newest = Date.UTC(2026, 0, 1)
const span = 365 * 86_400_000
const instant = (share: number) => new Date(newest - span + Math.floor(span * share)).toISOString()

/** Consecutive ids would make the index faster than it really is. */
const scrambled = (kind: string, n: number) =>
  `${kind}${(Math.imul(n, 0x9e3779b1) >>> 0).toString(36)}z${n.toString(36)}`

export const publicIdBuilders = {
  account: (key: number) => scrambled('acc', key),
  member: (key: number) => scrambled('usr', key),
  post: (key: number) => scrambled('pst', key),
  conversation: (key: number) => scrambled('tlk', key),
}

/** Words by frequency: the first is in nearly every caption, the last in hardly any. */
const syllables = 'ma ri na lu ce so pa lo ver de tar di fi gu tei ro za bel ka no'.split(' ')
const vocabulary = Array.from({ length: 4000 }, (_, n) => {
  const parts = [syllables[n % 20], syllables[Math.floor(n / 20) % 20], syllables[Math.floor(n / 400)], 'x']
  return parts.join('')
})

/** Terms in two of three captions, in one of thirty, and in none. */
export const sampleSearchTerms = {
  common: vocabulary[0] ?? '',
  usual: vocabulary[60] ?? '',
  none: 'qqwwqq',
}

/** Read each table to its end exactly once and in this order, because later tables depend on earlier ones. */
export function* generateDatasetTables(
  { members, posts }: DatasetSize,
  seed = 42,
): Generator<GeneratedTable> {
  const random = seededRandom(seed)
  const share = () => random(1_000_000_007) / 1_000_000_007
  /** A Pareto distribution (α = 1.5) with this mean. */
  const pareto = (mean: number, most: number) =>
    Math.min(most, Math.floor(mean / 3 / (1 - share()) ** (1 / 1.5)))
  const counts = () => new Int32Array(members + 1)
  const add = (to: Int32Array, key: number) => {
    to[key] = (to[key] ?? 0) + 1
  }
  const talents = Math.max(1, members - dormantMembers)
  const author = () => 1 + Math.floor(talents * share() ** 2)
  const celebrity = () => 1 + Math.floor(members * share() ** 3)
  const half = Math.floor(members / 2)

  yield {
    name: 'accounts',
    columns: ['id', 'public_id', 'email', 'name', 'created_at'],
    rows: each(members, (n) => [
      n,
      publicIdBuilders.account(n),
      `m${n}@bench.test`,
      nameOf(n),
      instant(n / members),
    ]),
  }

  const groups = Array.from({ length: groupsFor(members) }, (_, index) => {
    const joined = new Set([1 + random(members)])
    const wanted = 2 + pareto(30, Math.min(2000, half))
    while (joined.size < wanted) joined.add(1 + random(members))
    if (index < groupsOfReader) joined.add(sampleReaderKeys.usual)
    return [...joined]
  })
  yield {
    name: 'groups',
    columns: ['id', 'public_id', 'name', 'admin_id', 'member_count', 'created_at', 'updated_at'],
    rows: each(groups.length, (n) => {
      const joined = groups[n - 1] ?? []
      const at = instant(n / groups.length)
      return [n, scrambled('grp', n), `Group ${words(random, 2)}`, joined[0] ?? null, joined.length, at, at]
    }),
  }
  yield {
    name: 'group_members',
    columns: ['id', 'public_id', 'group_id', 'user_id', 'role', 'created_at'],
    rows: numbered(groups.entries(), ([index, joined], next) =>
      joined.map((member, place) => {
        const n = next()
        const role = place === 0 ? 'admin' : 'member'
        return [n, scrambled('gmb', n), index + 1, member, role, instant((index + 1) / groups.length)]
      }),
    ),
  }

  const postCounts = counts()
  const authors = counted(posts, (n) =>
    n <= dormantPosts && talents > dormantPosts ? members - (n % dormantMembers) : author(),
  )
  const groupOf = new Int32Array(posts + 1)
  for (let n = 1; n <= posts; n += 1) {
    const writer = authors[n] ?? 1
    if (n > dormantPosts && random(10) === 0) {
      const group = random(groups.length)
      const joined = groups[group] ?? []
      authors[n] = joined[random(joined.length)] ?? writer
      groupOf[n] = group + 1
    } else add(postCounts, writer)
  }
  const picture = '\\\\x3ff8050bd8787b78707787f807a758f767'
  yield {
    name: 'files',
    columns: [
      ...['id', 'public_id', 'owner_id', 'state', 'purpose', 'name', 'storage_key', 'announced_size', 'size'],
      ...['chunks_total', 'mime_type', 'signature', 'sha256', 'width', 'height', 'thumbhash', 'created_at'],
    ],
    rows: each(posts, (n) => {
      const hex = (Math.imul(n, 0x85ebca6b) >>> 0).toString(16).padStart(16, '0')
      const key = `${hex}${n.toString(16).padStart(16, '0')}`
      return [
        ...[n, scrambled('fil', n), authors[n] ?? 1, 'attached', 'post', 'photo.jpg', key, 900_000, 900_000],
        ...[1, 'image/jpeg', key, `\\\\x${key}${key}`, 3000, 4000, picture, instant(n / posts)],
      ]
    }),
  }

  const likeCounts = new Int32Array(posts + 1)
  const marked = Math.max(1, Math.floor(posts / marksOfReader))
  yield {
    name: 'post_likes',
    columns: ['post_id', 'user_id', 'created_at'],
    rows: numbered(upTo(posts), (post) => {
      const likers = distinct(pareto(likesEach, Math.min(5000, half)), () => 1 + random(members))
      if (post % marked === 0) likers.add(sampleReaderKeys.usual)
      likeCounts[post] = likers.size
      return [...likers].map((liker) => [post, liker, instant(post / posts)])
    }),
  }
  yield {
    name: 'posts',
    columns: [
      ...[
        'id',
        'public_id',
        'creator_id',
        'caption',
        'location',
        'tags',
        'group_id',
        'image_id',
        'like_count',
        'comments_from',
      ],
      ...['created_at', 'updated_at'],
    ],
    rows: each(posts, (n) => {
      const at = instant(n / posts)
      const caption = words(random, 3 + random(25))
      const group = groupOf[n] || null
      return [
        ...[
          n,
          publicIdBuilders.post(n),
          authors[n] ?? 1,
          caption,
          'Valencia',
          '{mar,luz}',
          group,
          n,
          likeCounts[n] ?? 0,
          'everyone',
        ],
        ...[at, at],
      ]
    }),
  }
  yield {
    name: 'saves',
    columns: ['id', 'public_id', 'user_id', 'post_id', 'created_at'],
    rows: numbered(upTo(posts), (post, next) => {
      const savers = distinct(random(2), () => 1 + random(members))
      if (post % marked === 0) savers.add(sampleReaderKeys.usual)
      return [...savers].map((saver) => {
        const n = next()
        return [n, scrambled('sav', n), saver, post, instant(post / posts)]
      })
    }),
  }

  const followers = counts()
  const following = counts()
  yield {
    name: 'follows',
    columns: ['id', 'public_id', 'follower_id', 'following_id', 'created_at'],
    rows: numbered(upTo(members), (follower, next) => {
      const wanted = Math.min(followed[follower] ?? pareto(followsEach, 5000), members - 1)
      const chosen =
        follower === sampleReaderKeys.dormant
          ? new Set([members, members - 1, members - 2])
          : followed[follower]
            ? firstOthers(follower, wanted)
            : distinct(wanted, celebrity)
      chosen.delete(follower)
      return [...chosen].map((followed) => {
        const n = next()
        add(followers, followed)
        add(following, follower)
        return [n, scrambled('fol', n), follower, followed, instant((n % 1000) / 1000)]
      })
    }),
  }
  yield {
    name: 'users',
    columns: [
      ...['id', 'public_id', 'account_id', 'name', 'username', 'bio', 'post_count', 'follower_count'],
      ...['following_count', 'created_at', 'updated_at'],
    ],
    rows: each(members, (n) => {
      const at = instant(n / members)
      const numbers = [postCounts[n] ?? 0, followers[n] ?? 0, following[n] ?? 0]
      return [n, publicIdBuilders.member(n), n, nameOf(n), `member${n}`, `Bio of ${n}`, ...numbers, at, at]
    }),
  }

  const conversations = conversationsBetween(members, () => 1 + random(members))
  const lastMessages = new Int32Array(conversations.length + 1)
  const lastSenders = new Int32Array(conversations.length + 1)
  const often = Math.max(1, Math.floor(posts / messagesOfReader))
  yield {
    name: 'messages',
    columns: ['id', 'public_id', 'conversation_id', 'sender_id', 'content', 'created_at'],
    rows: each(posts, (n) => {
      const conversation = n % often === 0 ? 1 : 1 + Math.floor(conversations.length * share() ** 2)
      const sender = conversations[conversation - 1]?.[random(2)] ?? 1
      lastMessages[conversation] = n
      lastSenders[conversation] = sender
      return [n, scrambled('msg', n), conversation, sender, words(random, 1 + random(20)), instant(n / posts)]
    }),
  }
  yield {
    name: 'conversations',
    columns: [
      ...['id', 'public_id', 'low_id', 'high_id', 'last_message_id', 'low_read_id', 'high_read_id'],
      ...['created_at', 'updated_at'],
    ],
    rows: each(conversations.length, (n) => {
      const [low = 1, high = 2] = conversations[n - 1] ?? []
      const last = lastMessages[n] ?? 0
      const read = (member: number) => (lastSenders[n] === member || n % 3 > 0 ? last : 0)
      const [at, born] = [instant(last / posts), instant(0)]
      return [n, publicIdBuilders.conversation(n), low, high, last || null, read(low), read(high), born, at]
    }),
  }
}

export function datasetFingerprint(size: DatasetSize, seed?: number): string {
  const hash = createHash('sha256')
  for (const { name, rows } of generateDatasetTables(size, seed)) {
    hash.update(name)
    for (const row of rows) hash.update(row.join())
  }
  return hash.digest('hex').slice(0, 12)
}

const nameOf = (n: number) => `Member ${vocabulary[n % vocabulary.length]} ${n}`

/** Zipf's law: the word with rank r has a frequency of about 1/r. */
function words(random: RandomInteger, count: number): string {
  const chosen = Array.from({ length: count }, () => {
    const rank = vocabulary.length ** (random(1_000_000) / 1_000_000)
    return vocabulary[Math.floor(rank) - 1]
  })
  return chosen.join(' ')
}

function* upTo(count: number): Generator<number> {
  for (let n = 1; n <= count; n += 1) yield n
}

function* each(count: number, row: (n: number) => Cell[]): Generator<Cell[]> {
  for (let n = 1; n <= count; n += 1) yield row(n)
}

/** `rows` calls `next` for the next key. */
function* numbered<T>(of: Iterable<T>, rows: (one: T, next: () => number) => Cell[][]): Generator<Cell[]> {
  let n = 0
  for (const one of of) yield* rows(one, () => (n += 1))
}

const counted = (count: number, draw: (n: number) => number) =>
  Int32Array.from({ length: count + 1 }, (_, n) => (n === 0 ? 0 : draw(n)))

function distinct(count: number, draw: () => number): Set<number> {
  const drawn = new Set<number>()
  for (let n = 0; n < count; n += 1) drawn.add(draw())
  return drawn
}

function firstOthers(but: number, count: number): Set<number> {
  return new Set([...upTo(count + 1)].filter((n) => n !== but).slice(0, count))
}

/** Returns distinct pairs with the smaller key first. The reader's pairs come first. */
function conversationsBetween(members: number, draw: () => number): [number, number][] {
  const pairs = new Map<string, [number, number]>()
  const add = (one: number, other: number) => {
    const pair: [number, number] = [Math.min(one, other), Math.max(one, other)]
    if (one !== other) pairs.set(pair.join(), pair)
  }
  for (const other of upTo(Math.min(conversationsOfReader, members - 1)))
    add(sampleReaderKeys.usual, other + 1)
  for (let n = 0; n < members * conversationsEach; n += 1) add(draw(), draw())
  return [...pairs.values()]
}
