/**
 * Each scenario has attempts on all APIs and nodes, other members' actions whose events must not arrive, and the call
 * that revokes the right.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { createHttpTransport } from '#api-client/http-transport.ts'
import {
  type ApiClient,
  type ApiResponse,
  createApiClient,
  type RequestTransport,
} from '#api-client/member-client.ts'
import { closeAccountOperation, signOutDeviceOperation } from '#contract/account/account-settings.ts'
import { removeGroupMemberOperation } from '#contract/groups/group-members.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { claimCaseOperation, decideCaseOperation } from '#contract/moderation/cases.ts'
import { createReportOperation } from '#contract/moderation/reports.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { formatSessionCookie } from './create-bench-sessions.ts'
import type { BenchChatMember } from './create-chat-members.ts'
import { buildInsertUnusedPicturesSql } from './unused-pictures-sql.ts'

export const revocationKinds = ['session', 'group', 'block', 'closed', 'suspended'] as const
export type RevocationKind = (typeof revocationKinds)[number]

type AttemptKind = 'message' | 'like' | 'comment' | 'post' | 'read'
type Api = 'product' | 'appwrite'

/** A written row has the attempt's id as its id and text. */
export type RevocationAttempt = { kind: AttemptKind; api: Api; send(id: string): Promise<ApiResponse> }

export type RevocationScenario = {
  way: RevocationKind
  /** The session cookie of the member who loses the right. */
  loser: string
  /** Attempts that the server must refuse afterwards. For a block, they include those of the other member. */
  attempts: RevocationAttempt[]
  others: RevocationAttempt[]
  /** Resolves when the server acknowledges. @throws if it refuses */
  revoke(): Promise<void>
}

type RevocationPair = {
  loser: BenchChatMember
  other: BenchChatMember
  postId: string
  /** A group of the other member that contains a post. */
  group: { id: string; postId: string } | null
  /** Returns an unused picture at each call. */
  nextPicture: Record<'loser' | 'other', NextPicture>
}

export type RevocationEnvironment = {
  nodes: readonly string[]
  database: Pool
  moderator: BenchChatMember
}

const documentsPath = (collection: string) => `/v1/databases/main/collections/${collection}/documents`

const clientsOf = ({ nodes }: RevocationEnvironment, cookie: string): ApiClient[] =>
  nodes.map((node) => createApiClient(createResendingTransport(node), cookie))

/** Milliseconds before retrying a busy node. */
const busyMs = 250

function createResendingTransport(node: string): RequestTransport {
  const transport = createHttpTransport(node)
  return {
    async inject(options) {
      for (;;) {
        const answer = await transport.inject(options).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ECONNRESET') throw error
          return null
        })
        if (answer && answer.statusCode !== 503) return answer
        if (answer) await pause(busyMs)
      }
    },
  }
}

export async function prepareRevocationPair(
  stage: RevocationEnvironment,
  way: RevocationKind,
  loser: BenchChatMember,
  other: BenchChatMember,
): Promise<RevocationPair> {
  const [client] = clientsOf(stage, other.cookie) as [ApiClient]
  const nextPicture = {
    loser: supplyPictures(stage.database, loser.id),
    other: supplyPictures(stage.database, other.id),
  }
  const words = { caption: 'Una tarde', location: 'Vigo', tags: [] }
  const post = await client.call(createPostOperation, { ...words, imageId: await nextPicture.other() })
  const pair = { loser, other, postId: post.$id, group: null, nextPicture }
  if (way !== 'group') return pair
  const group = await client.call(createGroupOperation, { name: 'Grupo', description: '' })
  const inGroup = { ...words, imageId: await nextPicture.other(), groupId: group.$id }
  const { $id } = await client.call(createPostOperation, inGroup)
  return { ...pair, group: { id: group.$id, postId: $id } }
}

/** @param round selects the node and the API, which alternate */
export async function setUpRevocationScenario(
  stage: RevocationEnvironment,
  way: RevocationKind,
  { loser, other, postId, group, nextPicture }: RevocationPair,
  round: number,
): Promise<RevocationScenario> {
  const session =
    way === 'session' ? await insertSession(stage.database, loser.id) : { cookie: loser.cookie, id: '' }
  const losers = clientsOf(stage, session.cookie)
  const keepers = clientsOf(stage, other.cookie)
  const node = round % keepers.length
  const throughAppwrite = Math.floor(round / keepers.length) % 2 === 1
  const [loserHere, keeperHere] = [losers[node] as ApiClient, keepers[node] as ApiClient]
  const everywhere = (clients: ApiClient[], attempts: (client: ApiClient) => RevocationAttempt[]) =>
    clients.flatMap(attempts)
  const shared = { way, loser: session.cookie }
  const toOther = (client: ApiClient) => messages(client, loser.conversation, loser.id)
  const onPost = (client: ApiClient, id: string) => [
    ...likes(client, id, loser.id),
    ...comments(client, id, loser.id),
    ...reads(client, id),
  ]

  if (way === 'group' && group) {
    const request = await loserHere.call(requestToJoinOperation, { groupId: group.id })
    await keeperHere.call(approveJoinRequestOperation, { requestId: request.$id })
    return {
      ...shared,
      attempts: everywhere(losers, (client) => [
        ...onPost(client, group.postId),
        ...posts(client, loser.id, nextPicture.loser, group.id),
      ]),
      others: everywhere(keepers, (client) => [
        ...comments(client, group.postId, other.id),
        ...posts(client, other.id, nextPicture.other, group.id),
      ]),
      async revoke() {
        if (!throughAppwrite)
          return void (await keeperHere.call(removeGroupMemberOperation, {
            groupId: group.id,
            memberId: loser.id,
          }))
        const { rows } = await stage.database.query(
          `select m.public_id as id from group_members m join groups g on g.id = m.group_id join users u on u.id = m.user_id
           where g.public_id = $1 and u.public_id = $2`,
          [group.id, loser.id],
        )
        const path = `${documentsPath('groupMembers')}/${rows[0]?.id}`
        expectStatus(204, await keeperHere.request('DELETE', path, {}))
      },
    }
  }
  if (way === 'block') {
    // A block has the same effect in both directions.
    const blocked = throughAppwrite ? other : loser
    await loserHere.call(unblockMemberOperation, { personId: other.id })
    await keeperHere.call(unblockMemberOperation, { personId: loser.id })
    const blocking = throughAppwrite ? loserHere : keeperHere
    return {
      ...shared,
      attempts: [
        ...everywhere(losers, (client) => [...toOther(client), ...onPost(client, postId)]),
        ...everywhere(keepers, (client) => messages(client, loser.conversation, other.id)),
      ],
      others: everywhere(keepers, (client) => [
        ...comments(client, postId, other.id),
        ...posts(client, other.id, nextPicture.other),
      ]),
      revoke: async () => void (await blocking.call(blockMemberOperation, { personId: blocked.id })),
    }
  }
  const alone = {
    ...shared,
    attempts: everywhere(losers, (client) => [
      ...toOther(client),
      ...onPost(client, postId),
      ...posts(client, loser.id, nextPicture.loser),
    ]),
    others: everywhere(keepers, (client) => [
      ...(way === 'session' ? messages(client, loser.conversation, other.id) : []),
      ...comments(client, postId, other.id),
      ...posts(client, other.id, nextPicture.other),
    ]),
  }
  if (way === 'suspended') return { ...alone, revoke: await reportLoser(stage, keeperHere, loser, node) }
  if (way === 'closed') {
    // Members of the benchmarks have no passwords for re-authentication.
    await stage.database.query(
      `update sessions s set proved_at = clock_timestamp()
       from users u where u.account_id = s.account_id and u.public_id = $1`,
      [loser.id],
    )
    return {
      ...alone,
      async revoke() {
        if (throughAppwrite) expectStatus(200, await loserHere.request('PATCH', '/v1/account/status', {}))
        else await loserHere.call(closeAccountOperation, {})
      },
    }
  }
  return {
    ...alone,
    async revoke() {
      if (throughAppwrite)
        return expectStatus(204, await loserHere.request('DELETE', '/v1/account/sessions/current', {}))
      const device = clientsOf(stage, loser.cookie)[node] as ApiClient
      await device.call(signOutDeviceOperation, { deviceId: session.id })
    },
  }
}

/** @returns a function that decides the case and suspends the member */
async function reportLoser(
  stage: RevocationEnvironment,
  reporter: ApiClient,
  loser: BenchChatMember,
  node: number,
): Promise<() => Promise<void>> {
  const moderator = clientsOf(stage, stage.moderator.cookie)[node] as ApiClient
  await reporter.call(createReportOperation, {
    subject: { kind: 'member', id: loser.id },
    reason: 'harassment',
  })
  const { rows } = await stage.database.query(
    `select public_id as id from moderation_cases where subject_id = $1 and status = 'open' and desk = 'moderators'`,
    [loser.id],
  )
  const caseId: string = rows[0]?.id ?? ''
  await moderator.call(claimCaseOperation, { caseId })
  return async () =>
    void (await moderator.call(decideCaseOperation, {
      caseId,
      decision: 'suspend',
      text: 'Amenazas',
      days: 1,
    }))
}

/** Moderation is already unlocked. */
export async function insertModerator(database: Pool, { id }: BenchChatMember): Promise<void> {
  await database.query(
    `insert into moderators (member_id, added_by) select id, 'bench' from users where public_id = $1`,
    [id],
  )
  await database.query(
    `update sessions s set moderating_until = now() + interval '1 day'
     from users u where u.account_id = s.account_id and u.public_id = $1`,
    [id],
  )
}

const messages = (client: ApiClient, conversationId: string, senderId: string): RevocationAttempt[] => [
  {
    kind: 'message',
    api: 'product',
    send: (id) =>
      client.request('POST', `/v1/conversations/${conversationId}/messages`, { messageId: id, content: id }),
  },
  {
    kind: 'message',
    api: 'appwrite',
    send: (id) => create(client, 'messages', id, { conversationId, senderId, content: id }),
  },
]

const likes = (client: ApiClient, postId: string, me: string): RevocationAttempt[] => [
  {
    kind: 'like',
    api: 'product',
    send: () => client.request('PUT', `/v1/posts/${postId}/like`, {}),
  },
  {
    kind: 'like',
    api: 'appwrite',
    send: () => client.request('PATCH', `${documentsPath('posts')}/${postId}`, { data: { likes: [me] } }),
  },
]

const comments = (client: ApiClient, postId: string, authorId: string): RevocationAttempt[] => [
  {
    kind: 'comment',
    api: 'product',
    send: (id) => client.request('POST', `/v1/posts/${postId}/comments`, { commentId: id, content: id }),
  },
  {
    kind: 'comment',
    api: 'appwrite',
    send: (id) => create(client, 'comments', id, { postId, authorId, content: id }),
  },
]

function posts(
  client: ApiClient,
  creator: string,
  nextPicture: NextPicture,
  groupId: string | null = null,
): RevocationAttempt[] {
  const words = async (id: string) => {
    const imageId = await nextPicture()
    return { caption: id, location: 'Vigo', tags: [], groupId, imageId }
  }
  return [
    {
      kind: 'post',
      api: 'product',
      send: async (id) => client.request('POST', '/v1/posts', { ...(await words(id)), postId: id }),
    },
    {
      kind: 'post',
      api: 'appwrite',
      send: async (id) => create(client, 'posts', id, { ...(await words(id)), creator }),
    },
  ]
}

const reads = (client: ApiClient, postId: string): RevocationAttempt[] => [
  { kind: 'read', api: 'product', send: () => client.request('GET', `/v1/posts/${postId}`) },
  {
    kind: 'read',
    api: 'appwrite',
    send: () => client.request('GET', `${documentsPath('posts')}/${postId}`),
  },
]

const create = (client: ApiClient, collection: string, documentId: string, data: object) =>
  client.request('POST', documentsPath(collection), { documentId, data })

function expectStatus(status: number, answer: ApiResponse): void {
  if (answer.status !== status)
    throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

let sessions = 0
async function insertSession(database: Pool, memberId: string): Promise<{ cookie: string; id: string }> {
  const secret = randomBytes(32).toString('hex')
  sessions += 1
  const id = `device${sessions}`
  const { rows } = await database.query(
    `with owner as (select a.id, a.public_id from accounts a join users u on u.account_id = a.id where u.public_id = $1),
     made as (insert into sessions (public_id, account_id, secret_hash, provider, expires_at)
       select $2, owner.id, $3, 'email', now() + interval '90 days' from owner)
     select public_id as id from owner`,
    [memberId, id, createHash('sha256').update(secret).digest()],
  )
  return { cookie: formatSessionCookie(rows[0]?.id, secret), id }
}

type NextPicture = () => Promise<string>

const pictureBatch = 100
let pictures = 0

/** @returns a function that returns ids of unused pictures */
function supplyPictures(database: Pool, memberId: string): NextPicture {
  const ready: string[] = []
  return async () => {
    while (ready.length === 0) {
      const first = pictures
      pictures += pictureBatch
      const { rows } = await database.query(
        buildInsertUnusedPicturesSql('ready', '(select id from users where public_id = $3)'),
        [first, first + pictureBatch - 1, memberId],
      )
      ready.push(...rows.map(({ id }) => id))
    }
    return ready.pop() ?? ''
  }
}
