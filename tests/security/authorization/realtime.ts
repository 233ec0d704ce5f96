import type { MemberClient } from '#api-client/member-client.ts'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { markConversationReadOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { collectionNames } from '#contract/collection-names.ts'
import { approveJoinRequestOperation } from '#contract/groups/group-requests.ts'
import { updateGroupOperation } from '#contract/groups/groups.ts'
import { followOperation, unfollowOperation } from '#contract/people/people.ts'
import {
  deletePostOperation,
  likePostOperation,
  savePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { type CollectionChange, catchUpOperation } from '#contract/realtime/realtime.ts'
import type {
  PermissionMatrixColumn,
  PermissionMatrixOutcome,
  PermissionMatrixRowId,
} from '#scripts/docs/permission-matrix.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import {
  type AppwriteEventData,
  collectSocketEvents,
  listenAndGetRealtimeUrl,
  openTestSocket,
  type TestSocket,
} from '#tests/support/test-socket.ts'
import type { AccessAttempt, AccessAttemptContext } from './access-attempt.ts'
import type { PermissionMatrixActors } from './actors.ts'

type Subject = { collection: string; id: string; kind: 'create' | 'update' | 'delete' }

type Ear = { received(subject: Subject): boolean; account(): boolean; file(): boolean }
type Ears = { everything: Ear; named: Ear; caughtUp: Ear | null }

type Listening = {
  ears: Map<MemberClient, Ears>
  unread: string
  newMessage: string
  membership: string
  doomed: string
  save: string
  follow: string
  comment: string
  leftComment: string
}

const receivedBy = new WeakMap<PermissionMatrixActors, Promise<Listening>>()

function listen(cast: PermissionMatrixActors): Promise<Listening> {
  const before = receivedBy.get(cast)
  if (before) return before
  const now = happen(cast)
  receivedBy.set(cast, now)
  return now
}

async function happen(cast: PermissionMatrixActors): Promise<Listening> {
  const { ana, bea, fio, mia, gala, petra, pia } = cast
  const doomed = await cast.postOf(ana, cast.knit)
  const { $id: unread } = await ana.call(sendMessageOperation, {
    conversationId: cast.conversation,
    content: 'Sin leer',
  })
  const position = await waitForChangePosition(cast.w.database, ana)
  const single = [
    `${buildDocumentsChannelName('messages')}.${unread}`,
    `${buildDocumentsChannelName('conversations')}.${cast.conversation}`,
    `${buildDocumentsChannelName('posts')}.${cast.shown.$id}`,
    `${buildDocumentsChannelName('posts')}.${cast.kept.$id}`,
    `${buildDocumentsChannelName('posts')}.${cast.closed.$id}`,
    `${buildDocumentsChannelName('posts')}.${cast.left.$id}`,
    `${buildDocumentsChannelName('posts')}.${doomed}`,
    `${buildDocumentsChannelName('groups')}.${cast.knit}`,
    `${buildDocumentsChannelName('groupRequests')}.${cast.request}`,
    `account.${ana.accountId}`,
    `buckets.media.files.${cast.shown.imageId}`,
  ]
  const everything = ['documents', '*', 'files', 'account', ...collectionNames.map(buildDocumentsChannelName)]
  const people = new Set([...Object.values(cast.columns).flat(), cast.petra, cast.feli])
  await listenAndGetRealtimeUrl(cast.w.app)
  const sockets = new Map<MemberClient, [TestSocket, TestSocket]>()
  await Promise.all(
    [...people].map(async (as) => {
      const open = (channels: string[]) => openTestSocket(cast.w.app, { as, channels })
      sockets.set(as, [await open(everything), await open(single)])
    }),
  )

  const { $id: comment } = await cast.comment(ana, cast.kept.$id)
  const { $id: leftComment } = await cast.comment(mia, cast.left.$id)
  const { $id: newMessage } = await ana.call(sendMessageOperation, {
    conversationId: cast.conversation,
    content: 'Otra para bea',
  })
  await bea.call(markConversationReadOperation, { conversationId: cast.conversation, messageId: unread })
  await ana.call(updatePostOperation, { postId: cast.shown.$id, caption: 'Plaza cambiada' })
  await ana.call(updatePostOperation, { postId: cast.kept.$id, caption: 'Secreto cambiado' })
  await petra.call(updatePostOperation, { postId: cast.closed.$id, caption: 'Cerrada y cambiada' })
  await mia.call(likePostOperation, { postId: cast.left.$id })
  await ana.call(deletePostOperation, { postId: doomed })
  await gala.call(updateGroupOperation, { groupId: cast.knit, description: 'Con lana' })
  // The server decides at delivery: earlier changes must arrive before Pia joins and may read the group's posts.
  const [ofAna] = sockets.get(ana) ?? []
  if (!ofAna) throw new Error('Ana does not listen')
  await collectSocketEvents(ofAna, ana)
  await gala.call(approveJoinRequestOperation, { requestId: cast.request })
  await fio.call(unfollowOperation, { personId: ana.id })
  await fio.call(followOperation, { personId: ana.id })
  await ana.call(savePostOperation, { postId: cast.shown.$id })
  const renamed = await ana.request('PATCH', '/v1/account/name', { name: 'Ana Luz' })
  if (renamed.status !== 200) throw new Error('Ana could not change her name')

  const file = `/v1/storage/buckets/media/files/${cast.shown.imageId}`
  const refiled = await ana.request('PUT', file, { name: 'la plaza.jpg' })
  if (refiled.status !== 200) throw new Error('Ana could not rename her picture')

  const idOf = async (who: MemberClient, collection: string, ...queries: string[]) => {
    const path = `/v1/databases/main/collections/${collection}/documents`
    const url = new URLSearchParams(queries.map((query, place) => [`queries[${place}]`, query]))
    const { body } = await who.request<{ documents: { $id: string }[] }>('GET', `${path}?${url}`)
    return body.documents[0]?.$id ?? ''
  }
  const equal = (attribute: string, id: string) => `equal("${attribute}", ["${id}"])`

  const ears = new Map<MemberClient, Ears>()
  const members = [...people].filter(({ id }) => id !== '')
  await Promise.all(
    members.map(async (who) => {
      const [all, named] = sockets.get(who) ?? []
      if (!all || !named) throw new Error(`${who.name} does not listen`)
      const { changes } = await who.call(catchUpOperation, {
        since: position,
        collections: collectionNames.join(),
      })
      ears.set(who, {
        everything: ofSocket(await collectSocketEvents(all, who)),
        named: ofSocket(await collectSocketEvents(named, who)),
        caughtUp: ofChanges(changes),
      })
    }),
  )
  for (const who of people) {
    const [all, named] = sockets.get(who) ?? []
    if (who.id === '' && all && named) {
      ears.set(who, { everything: ofSocket(all.events()), named: ofSocket(named.events()), caughtUp: null })
    }
  }
  for (const pair of sockets.values()) for (const socket of pair) socket.close()
  return {
    ears,
    unread,
    newMessage,
    doomed,
    comment,
    leftComment,
    membership: await idOf(gala, 'groupMembers', equal('groupId', cast.knit), equal('userId', pia.id)),
    save: await idOf(ana, 'saves', equal('post', cast.shown.$id)),
    follow: await idOf(ana, 'follows', equal('followerId', fio.id), equal('followingId', ana.id)),
  }
}

const ofSocket = (events: readonly AppwriteEventData[]): Ear => ({
  received: ({ collection, id, kind }) =>
    events.some(
      ({ payload, events: [exact] }) =>
        payload.$collectionId === collection && payload.$id === id && exact?.endsWith(`.${kind}`),
    ),
  account: () => events.some(({ channels }) => channels.includes('account')),
  file: () => events.some(({ channels }) => channels.includes('files')),
})

const ofChanges = (changes: readonly CollectionChange[]): Ear => ({
  received: (subject) =>
    changes.some(
      ({ collection, kind, document }) =>
        collection === subject.collection && kind === subject.kind && document.$id === subject.id,
    ),
  account: () => false,
  file: () => false,
})

const yes = (received: boolean): PermissionMatrixOutcome => (received ? 'ok' : 'E')

type Paths = { named: boolean }

function receives(
  row: PermissionMatrixRowId,
  subject: (listening: Listening, scene: AccessAttemptContext) => Subject,
  paths: Paths,
): AccessAttempt[] {
  const earOf = async (
    who: MemberClient,
    scene: AccessAttemptContext,
    path: keyof Ears,
  ): Promise<PermissionMatrixOutcome> => {
    const listening = await listen(scene.cast)
    const ear = listening.ears.get(who)?.[path]
    return ear ? yes(ear.received(subject(listening, scene))) : '401'
  }
  const attempts: AccessAttempt[] = [
    { row, path: 'socket on everything', act: (who, scene) => earOf(who, scene, 'everything') },
    { row, path: 'catchUp', except: { V: '401' }, act: (who, scene) => earOf(who, scene, 'caughtUp') },
  ]
  if (paths.named)
    attempts.push({ row, path: 'socket on the document', act: (who, scene) => earOf(who, scene, 'named') })
  return attempts
}

const change = (collection: string, id: string, kind: Subject['kind'] = 'update'): Subject => ({
  collection,
  id,
  kind,
})
const postOf = (cast: PermissionMatrixActors, column: PermissionMatrixColumn) =>
  (column === 'L' ? cast.left : cast.kept).$id

export const realtimeAccessAttempts: AccessAttempt[] = [
  ...receives('RT2', ({ newMessage }) => change('messages', newMessage, 'create'), { named: false }),
  ...receives('RT2', ({ unread }) => change('messages', unread), { named: true }),
  ...receives('RT3', (_, { cast }) => change('conversations', cast.conversation), { named: true }),
  ...receives('RT5 private', (_, { cast }) => change('posts', cast.closed.$id), { named: true }),
  ...receives('RT5 public', (_, { cast }) => change('posts', cast.shown.$id), { named: true }),
  ...receives('RT5 group', (_, { cast, column }) => change('posts', postOf(cast, column)), { named: true }),
  ...receives(
    'RT5 comment',
    (listening, { column }) =>
      change('comments', column === 'L' ? listening.leftComment : listening.comment, 'create'),
    {
      named: false,
    },
  ),
  ...receives('RT5 gone', ({ doomed }) => change('posts', doomed, 'delete'), { named: true }),
  ...receives('RT5 summary', (_, { cast }) => change('groups', cast.knit), { named: true }),
  ...receives('RT5 membership', ({ membership }) => change('groupMembers', membership, 'create'), {
    named: false,
  }),
  ...receives('RT5 request', (_, { cast }) => change('groupRequests', cast.request), { named: true }),
  ...receives('RT5 follow', (listening) => change('follows', listening.follow, 'create'), { named: false }),
  ...receives('RT5 save', ({ save }) => change('saves', save, 'create'), { named: false }),
  {
    row: 'RT5 picture',
    path: 'socket on everything',
    act: async (who, { cast }) => yes((await listen(cast)).ears.get(who)?.everything.file() ?? false),
  },
  {
    row: 'RT5 picture',
    path: 'socket on the file',
    act: async (who, { cast }) => yes((await listen(cast)).ears.get(who)?.named.file() ?? false),
  },
  {
    row: 'RT6',
    path: 'socket on everything',
    act: async (who, { cast }) => yes((await listen(cast)).ears.get(who)?.everything.account() ?? false),
  },
  {
    row: 'RT6',
    path: "socket on ana's account",
    // No channel name contains an account's id.
    except: { O: 'E' },
    act: async (who, { cast }) => yes((await listen(cast)).ears.get(who)?.named.account() ?? false),
  },
]
