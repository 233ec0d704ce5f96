/** One of two equal members blocks Iria, the other closes her account. Every response about both must be equal. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import { sendRawUpload } from '#api-client/raw-multipart-upload.ts'
import { markConversationReadOperation, openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { type CollectionName, collectionNames } from '#contract/collection-names.ts'
import { createCommentOperation, likeCommentOperation } from '#contract/comments/comments.ts'
import { leaveGroupOperation } from '#contract/groups/group-members.ts'
import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { apiOperations } from '#contract/index.ts'
import { updateNotificationPreferencesOperation } from '#contract/notifications/notification-preferences.ts'
import { blockMemberOperation, unblockMemberOperation } from '#contract/people/blocks.ts'
import {
  approveFollowRequestOperation,
  countFollowRequestsOperation,
  declineFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import {
  followOperation,
  getPersonOperation,
  isFollowingOperation,
  removeFollowerOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import { updatePrivacySettingsOperation } from '#contract/people/privacy-settings.ts'
import { tagPersonOperation } from '#contract/photo-tags/photo-tags.ts'
import {
  createPostOperation,
  deletePostOperation,
  likePostOperation,
  savePostOperation,
  unlikePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { registeredRoutesByApp } from '#server/http/route-metadata.ts'
import {
  appwriteDocumentsPath,
  appwriteRowsPath,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import { waitForChangePosition } from '#tests/support/change-log-position.ts'
import {
  admitMemberToGroup,
  createGroupWithMembers,
  createPostInGroup,
} from '#tests/support/group-factory.ts'
import {
  collectSocketEvents,
  openTestSocket,
  type TestSocket,
  type WebSocketFrame,
} from '#tests/support/test-socket.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

type Twin = { person: MemberClient; username: string; ids: Record<string, string> }

let w: TestWorld
let iria: MemberClient
let bea: MemberClient
let group: string
let ofIria: string
let waiting: string
let irias: string
let photoOfIrias: string
let blocked: Twin
let closed: Twin
let since: string
const sockets: TestSocket[] = []
/** These sockets listen to single documents, files and the account, one per twin. */
const named: TestSocket[] = []

async function twin(): Promise<Twin> {
  const person = await w.join('Luz')
  await person.call(followOperation, { personId: iria.id })
  await iria.call(followOperation, { personId: person.id })
  await person.call(followOperation, { personId: bea.id })
  const photo = await person.upload(await createJpeg('#445566'))
  await person.call(updateProfileOperation, { personId: person.id, imageId: photo })
  await admitMemberToGroup(bea, person, group)
  await admitMemberToGroup(iria, person, ofIria)
  const post = { caption: 'Con Luz en la playa', location: 'Aquí', tags: ['sol'] }
  const picture = await person.upload(await createJpeg('#223344'))
  const open = await person.call(createPostOperation, { ...post, imageId: picture })
  const grouped = await createPostInGroup(w.database, person, group)
  for (const postId of [open.$id, grouped]) {
    await iria.call(likePostOperation, { postId })
    await iria.call(savePostOperation, { postId })
  }
  await person.call(likePostOperation, { postId: irias })
  const comment = await person.call(createCommentOperation, { postId: open.$id, content: 'Bajo lo mío' })
  const groupedComment = await person.call(createCommentOperation, {
    postId: grouped,
    content: 'Entre todas',
  })
  const begun = await person.call(createCommentOperation, { postId: irias, content: 'Qué bonito, iria' })
  await iria.call(likeCommentOperation, { commentId: begun.$id })
  const parentId = begun.$id
  const thanks = await iria.call(createCommentOperation, { postId: irias, content: 'Gracias', parentId })
  const answer = await person.call(createCommentOperation, { postId: irias, content: 'De nada', parentId })
  const middle = { x: 0.5, y: 0.5 }
  const inHers = await person.call(tagPersonOperation, {
    postId: open.$id,
    imageId: picture,
    personId: iria.id,
    ...middle,
  })
  const inIrias = await iria.call(tagPersonOperation, {
    postId: irias,
    imageId: photoOfIrias,
    personId: person.id,
    ...middle,
  })
  const opened = await iria.call(openConversationOperation, { personId: person.id })
  const first = await iria.call(sendMessageOperation, { conversationId: opened.$id, content: 'hola, Luz' })
  const second = await person.call(sendMessageOperation, {
    conversationId: opened.$id,
    content: 'hola, iria',
  })
  await iria.call(markConversationReadOperation, { conversationId: opened.$id })
  const unread = await person.call(sendMessageOperation, { conversationId: opened.$id, content: '¿estás?' })
  const request = await person.call(requestToJoinOperation, { groupId: waiting })
  const one = async (collection: string, ...queries: string[]) =>
    (await createAppwriteDocumentsClient(iria, collection).all(...queries))[0]?.$id ?? ''
  const by = (attribute: string, id: string) => `equal("${attribute}", ["${id}"])`
  const { username } = await person
    .call(apiOperations.find(({ name }) => name === 'getCurrentMember') as (typeof apiOperations)[number], {})
    .then((me) => me as { username: string })
  return {
    person,
    username,
    ids: {
      users: person.id,
      posts: open.$id,
      groupedPost: grouped,
      saves: await one('saves', by('post', open.$id)),
      groupedSave: await one('saves', by('post', grouped)),
      comments: comment.$id,
      groupedComment: groupedComment.$id,
      begunComment: begun.$id,
      answeredComment: answer.$id,
      ownAnswer: thanks.$id,
      follows: await one('follows', by('followerId', iria.id), by('followingId', person.id)),
      followsBack: await one('follows', by('followerId', person.id), by('followingId', iria.id)),
      followsBea: await one('follows', by('followerId', person.id), by('followingId', bea.id)),
      groupMembers: await one('groupMembers', by('groupId', group), by('userId', person.id)),
      memberOfIria: await one('groupMembers', by('groupId', ofIria), by('userId', person.id)),
      groupRequests: request.$id,
      conversations: opened.$id,
      messages: second.$id,
      ownMessage: first.$id,
      unreadMessage: unread.$id,
      taggedInHers: inHers.$id,
      taggedInIrias: inIrias.$id,
      photo,
      picture,
      account: person.accountId,
    },
  }
}

beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'on' })
  w.app.addHook('onResponse', async ({ method, routeOptions }) => {
    reached.add(`${method} ${routeOptions.url}`)
  })
  ;[iria, bea] = [await w.join('Iria'), await w.join('Bea')]
  group = await createGroupWithMembers(bea, iria)
  ofIria = await createGroupWithMembers(iria, bea)
  waiting = await createGroupWithMembers(iria)
  photoOfIrias = await iria.upload(await createJpeg('#334455'))
  const own = { caption: 'De Iria', location: 'Casa', tags: [], imageId: photoOfIrias }
  irias = (await iria.call(createPostOperation, own)).$id
  blocked = await twin()
  closed = await twin()
  for (const path of ['/v1/live', '/v1/realtime'])
    sockets.push(
      await openTestSocket(w.app, {
        as: iria,
        path,
        channels:
          path === '/v1/live'
            ? []
            : ['documents', ...collectionNames.map((name) => `databases.main.collections.${name}.documents`)],
      }),
    )
  for (const { ids } of [blocked, closed])
    named.push(await openTestSocket(w.app, { as: iria, channels: channelsOf(ids) }))
  // The place pages show only older posts.
  await w.database.pool.query(`update posts set created_at = created_at - interval '2 days'`)
  since = await waitForChangePosition(w.database, iria)
  await blocked.person.call(blockMemberOperation, { personId: iria.id })
  expect((await closed.person.request('PATCH', '/v1/account/status', {})).status).toBe(200)
})
afterAll(async () => {
  for (const socket of [...sockets, ...named]) socket.close()
  await w.end()
})

const channelsOf = (ids: Twin['ids']): string[] => [
  ...collectionNames.flatMap((name) =>
    kept[name].map((what) => `databases.main.collections.${name}.documents.${ids[what]}`),
  ),
  ...['photo', 'picture'].map((what) => `buckets.media.files.${ids[what]}`),
  `account.${ids.account}`,
]

function anonymous(text: string, { ids, username }: Pick<Twin, 'ids' | 'username'>): string {
  let said = text
  for (const [what, id] of Object.entries(ids)) if (id !== '') said = said.replaceAll(id, `<${what}>`)
  return said
    .replaceAll(`"${username}"`, '"<username>"')
    .replaceAll(/"blockId":"[^"]+"/g, '"blockId":"<block>"')
    .replaceAll(/"\$id":"[^"]+"(?=[^{}]*"outcome")/g, '"$id":"<report>"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, '<time>')
}

/** The values of these headers vary between calls; only their presence is compared. */
const varying = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'])

function comparable(answer: ApiResponse, of: Pick<Twin, 'ids' | 'username'>) {
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    varying.has(name) ? '<varies>' : anonymous(String(value), of),
  ])
  return {
    status: answer.status,
    headers: headers.sort(),
    body: anonymous(answer.raw.toString('latin1'), of),
  }
}

async function askFor(of: Twin, call: (of: Twin) => Promise<ApiResponse>) {
  const { result, statements } = await captureSqlStatements(() => call(of))
  // One notification of the other nodes can stand for the changes of several requests.
  return { ...comparable(result, of), work: statements.filter((text) => !text.includes('pg_notify(')) }
}

/** Calls that were rate-limited prove nothing. */
const compared = { answers: 0, statements: 0, limited: [] as string[] }
/** Routes such as `GET /v1/people/:personId`. */
const reached = new Set<string>()

async function differences(
  what: string,
  call: (of: Twin) => Promise<ApiResponse>,
  [first, second] = [blocked, closed] as const,
): Promise<unknown[]> {
  const [one, other] = [await askFor(first, call), await askFor(second, call)]
  compared.answers += 1
  compared.statements += one.work.length
  if (one.status === 429 || other.status === 429) compared.limited.push(what)
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ what, one, other }]
}

type Calls = (ids: Twin['ids']) => Record<string, unknown>[]

/** The calls try every id of a twin that the input could contain. */
const calls: Record<string, Calls> = {
  getCurrentMember: () => [{}],
  getCurrentSession: () => [{}],
  getInitials: () => [{ name: 'Luz' }],
  listPeople: ({ users = '' }) => [{}, { limit: 100 }, { cursor: users }],
  getPerson: ({ users }) => [{ personId: users }],
  follow: ({ users }) => [{ personId: users }],
  unfollow: ({ users }) => [{ personId: users }],
  isFollowing: ({ users }) => [{ personId: users }],
  updateProfile: ({ users, photo }) => [
    { personId: users, bio: 'otra' },
    { personId: iria.id, imageId: photo },
  ],
  searchPeople: () => [{ term: 'Luz' }],
  listSuggestedPeople: () => [{}],
  listFollowers: ({ users, followsBack }) => [
    { personId: users },
    { personId: iria.id, cursor: followsBack },
  ],
  listFollowing: ({ users, follows, followsBea }) => [
    { personId: users },
    { personId: iria.id, cursor: follows },
    { personId: bea.id, cursor: followsBea },
  ],
  getPrivacySettings: () => [{}],
  updatePrivacySettings: () => [{ listsFor: 'everyone' }],
  removeFollower: ({ users }) => [{ personId: users }],
  listFollowRequests: ({ follows, followsBack }) => [
    {},
    { cursor: `abc~${follows}` },
    { cursor: followsBack },
  ],
  countFollowRequests: () => [{}],
  approveFollowRequest: ({ follows, users }) => [{ requestId: follows }, { requestId: users }],
  declineFollowRequest: ({ follows, users }) => [{ requestId: follows }, { requestId: users }],
  getMute: ({ users }) => [{ personId: users }],
  muteMember: ({ users }) => [{ personId: users }],
  unmuteMember: ({ users }) => [{ personId: users }],
  listMutedMembers: ({ users }) => [{}, { cursor: users }],
  listNotifications: () => [{}, { only: 'unread' }, { only: 'requests' }],
  countNotifications: () => [{}],
  markNotificationsSeen: () => [{ upTo: 0 }],
  markNotificationsRead: ({ posts, groupedPost, users }) => [
    { upTo: 1, ids: [users] },
    { upTo: 1, postId: posts },
    { upTo: 1, postId: groupedPost },
  ],
  getNotificationPreferences: () => [{}],
  updateNotificationPreferences: () => [{ kinds: ['like'], enabled: true }],
  createReport: ({ users, posts, groupedPost, messages, ownMessage, ...ids }) => [
    ...[users, posts, groupedPost].flatMap((id) => [
      { subject: { kind: 'member', id }, reason: 'spam' },
      { subject: { kind: 'post', id }, reason: 'spam' },
    ]),
    { subject: { kind: 'message', id: messages }, reason: 'threat', messages: [ownMessage] },
    { subject: { kind: 'message', id: ownMessage }, reason: 'threat' },
    ...(['comments', 'groupedComment', 'begunComment', 'answeredComment', 'ownAnswer'] as const).map(
      (what) => ({
        ...{ subject: { kind: 'comment', id: ids[what] }, reason: 'threat' },
      }),
    ),
  ],
  listMyReports: ({ users }) => [{ cursor: users }],
  getRestriction: ({ users }) => [{ personId: users }],
  restrictMember: ({ users }) => [{ personId: users }],
  unrestrictMember: ({ users }) => [{ personId: users }],
  listRestrictedMembers: ({ users }) => [{}, { cursor: users }],
  listGroupCases: ({ users }) => [
    { groupId: group },
    { groupId: ofIria },
    { groupId: ofIria, cursor: users },
  ],
  getGroupCase: ({ users, groupedPost }) =>
    [users, groupedPost].flatMap((caseId) => [group, ofIria].map((groupId) => ({ groupId, caseId }))),
  getGroupCasePicture: ({ users }) => [{ groupId: ofIria, caseId: users, place: '1-0' }],
  decideGroupCase: ({ users, groupedPost }) =>
    [users, groupedPost].map((caseId) => ({ groupId: ofIria, caseId, decision: 'take-out' })),
  // Without being a moderator, the caller gets nothing for any id.
  getCase: ({ users, posts }) => [{ caseId: users }, { caseId: posts }],
  getEvidencePicture: ({ posts }) => [{ caseId: posts, place: '1-0' }],
  claimCase: ({ users }) => [{ caseId: users }],
  releaseCase: ({ users }) => [{ caseId: users }],
  decideCase: ({ users }) => [{ caseId: users, decision: 'dismiss', text: 'no' }],
  confirmSuspension: ({ users }) => [{ caseId: users, proposalId: users }],
  declineSuspension: ({ users }) => [{ caseId: users, proposalId: users }],
  // Only operators may call these, whichever member they name.
  listAdminMembers: () => [{}, { term: 'Luz' }],
  getAdminMember: ({ users }) => [{ memberId: users }],
  setModerator: ({ users }) => [{ memberId: users, moderates: true }],
  suspendMember: ({ users }) => [{ memberId: users, text: 'Insultos', days: 7 }],
  endSuspension: ({ users }) => [{ memberId: users }],
  createRecoveryLink: ({ users }) => [{ memberId: users }],
  signMemberOut: ({ users }) => [{ memberId: users }],
  listSuspensionProposals: () => [{}],
  confirmSuspensionProposal: ({ users }) => [{ proposalId: users }],
  declineSuspensionProposal: ({ users }) => [{ proposalId: users }],
  listOperatorActs: () => [{}],
  listApplications: () => [{}],
  approveApplication: ({ users }) => [{ applicationId: users }],
  declineApplication: ({ users }) => [{ applicationId: users }],
  setCommunityLogo: ({ photo }) => [{ fileId: photo }],
  // Members may call these about operators and applications.
  listPublicOperatorActs: () => [{}],
  listVouchRequests: () => [{}],
  answerVouchRequest: ({ users }) => [{ applicationId: users, vouched: true }],
  listCases: ({ users }) => [{ cursor: users }],
  decideAppeal: ({ users }) => [{ caseId: users, outcome: 'upheld', text: 'no' }],
  listModerationNotices: () => [{}],
  markModerationNoticeRead: ({ users }) => [{ noticeId: users }],
  appealDecision: ({ posts }) => [{ caseId: posts, text: 'no' }],
  previewBlock: ({ users }) => [{ personId: users }],
  listBlocks: ({ users }) => [{ cursor: users }],
  setBlockNewerAccounts: ({ users }) => [{ blockId: users, newerAccounts: true }],
  getHomeFeed: ({ posts, groupedPost }) => [{}, { cursor: posts }, { cursor: groupedPost }],
  explorePosts: ({ posts }) => [
    {},
    { cursor: `abc~${posts}` },
    { from: 'following' },
    { from: 'groups' },
    { order: 'loved' },
  ],
  listTagPosts: ({ posts }) => [{ tag: 'sol' }, { tag: 'SOL', cursor: `abc~${posts}` }],
  listPlacePosts: ({ posts }) => [{ place: 'Aquí' }, { place: 'AQUI', cursor: `abc~${posts}` }],
  suggestPlaces: () => [{ term: 'aq' }, { term: 'Ca' }],
  listSimilarPosts: ({ posts, groupedPost }) => [
    { postId: posts },
    { postId: groupedPost },
    { postId: irias },
  ],
  searchPosts: () => [{ term: 'Luz' }, { term: 'tarde' }],
  listPersonPosts: ({ users, posts }) => [{ personId: users }, { personId: bea.id, except: posts }],
  listSavedPosts: ({ posts }) => [{}, { cursor: `abc~${posts}` }],
  listLikedPosts: ({ posts }) => [{}, { cursor: `abc~${posts}` }],
  previewAudience: ({ posts, users }) => [
    {},
    { groupId: group },
    { groupId: ofIria },
    { groupId: users },
    { postId: posts },
  ],
  updatePostPreferences: () => [{ altReminder: false }],
  listPostEdits: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  getPost: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  createPost: ({ picture, posts, users }) => [
    { caption: 'Con una ajena', location: 'Aquí', tags: [], imageId: picture },
    { caption: 'Con su número', location: 'Aquí', tags: [], imageId: picture, postId: posts },
    { caption: 'En su nombre', location: 'Aquí', tags: [], imageId: picture, userId: users },
  ],
  updatePost: ({ posts, groupedPost }) => [
    { postId: posts, caption: 'Otra cosa' },
    { postId: groupedPost, groupId: null },
  ],
  deletePost: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  likePost: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  unlikePost: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  listLikers: ({ posts, groupedPost, users }) => [
    { postId: posts },
    { postId: groupedPost },
    { postId: irias },
    { postId: irias, cursor: `abc~${users}` },
  ],
  takePostOutOfGroup: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  savePost: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }],
  unsavePost: ({ groupedPost }) => [{ postId: groupedPost }],
  listComments: ({ posts, groupedPost }) => [{ postId: posts }, { postId: groupedPost }, { postId: irias }],
  listReplies: ({ comments, begunComment, answeredComment }) => [
    { commentId: comments },
    { commentId: begunComment },
    { commentId: begunComment, after: answeredComment },
  ],
  createComment: ({ posts, groupedPost, comments }) => [
    { postId: posts, content: '¿Y yo?' },
    { postId: groupedPost, content: '¿Y yo?' },
    { postId: irias, content: 'Bajo su número', commentId: comments },
  ],
  updateComment: ({ comments, begunComment }) => [
    { commentId: comments, content: 'Otra' },
    { commentId: begunComment, content: 'Otra' },
  ],
  deleteComment: ({ comments, begunComment, answeredComment }) =>
    [comments, begunComment, answeredComment].map((commentId) => ({ commentId })),
  likeComment: ({ comments, begunComment }) => [{ commentId: comments }, { commentId: begunComment }],
  unlikeComment: ({ comments, begunComment }) => [{ commentId: comments }, { commentId: begunComment }],
  listGroups: () => [{}],
  searchGroups: () => [{ term: 'Tejer' }],
  listSuggestedGroups: () => [{}],
  getGroup: ({ users }) => [{ groupId: group }, { groupId: ofIria }, { groupId: users }],
  createGroup: ({ photo }) => [{ name: 'Con su foto', imageId: photo }],
  updateGroup: ({ photo }) => [{ groupId: ofIria, imageId: photo }],
  deleteGroup: ({ users }) => [{ groupId: users, name: 'Luz' }],
  listMyGroups: ({ groupMembers }) => [{}, { cursor: groupMembers }],
  listGroupPosts: ({ groupedPost }) => [{ groupId: group }, { groupId: group, cursor: groupedPost }],
  listMyGroupsPosts: () => [{}],
  listGroupMembers: ({ groupMembers, memberOfIria }) => [
    { groupId: group },
    { groupId: ofIria },
    { groupId: group, cursor: groupMembers },
    { groupId: ofIria, cursor: memberOfIria },
  ],
  getGroupMembership: ({ users }) => [
    { groupId: group, userId: users },
    { groupId: ofIria, userId: users },
  ],
  leaveGroup: ({ users }) => [{ groupId: group, userId: users }],
  takePostsOutOfGroup: () => [{ groupId: ofIria }],
  removeGroupMember: ({ users }) => [
    { groupId: ofIria, memberId: users },
    { groupId: group, memberId: users },
  ],
  handOverGroup: ({ users }) => [
    { groupId: ofIria, memberId: users },
    { groupId: group, memberId: users },
  ],
  declineGroup: () => [{ groupId: group }],
  requestToJoin: ({ users }) => [{ groupId: waiting, userId: users }],
  getLatestJoinRequest: ({ users }) => [{ groupId: waiting, userId: users }],
  listPendingJoinRequests: ({ groupRequests }) => [{}, { groupId: waiting }, { cursor: groupRequests }],
  approveJoinRequest: ({ groupRequests }) => [{ requestId: groupRequests }],
  rejectJoinRequest: ({ groupRequests }) => [{ requestId: groupRequests }],
  withdrawJoinRequest: ({ groupRequests }) => [{ requestId: groupRequests }],
  openConversation: ({ users }) => [{ personId: users }],
  getConversation: ({ conversations }) => [{ conversationId: conversations }],
  listMessages: ({ conversations, messages, ownMessage }) => [
    { conversationId: conversations },
    { conversationId: conversations, before: messages },
    { conversationId: conversations, after: ownMessage },
  ],
  searchMessages: ({ conversations, messages }) => [
    { term: 'hola' },
    { term: 'hola', conversationId: conversations },
    { term: 'hola', conversationId: conversations, before: messages },
  ],
  sendMessage: ({ conversations, messages, ownMessage }) => [
    { conversationId: conversations, content: '¿sigues ahí?' },
    { conversationId: conversations, content: 'otra vez', messageId: messages },
    { conversationId: conversations, content: 'hola, Luz', messageId: ownMessage },
  ],
  react: ({ messages, ownMessage }) => [
    { messageId: messages, emoji: '❤️' },
    { messageId: ownMessage, emoji: '❤️' },
  ],
  unreact: ({ messages, ownMessage }) => [{ messageId: messages }, { messageId: ownMessage }],
  unsendMessage: ({ messages, ownMessage }) => [{ messageId: messages }, { messageId: ownMessage }],
  countUnreadConversations: () => [{}],
  listMessageRequests: ({ conversations }) => [{}, { cursor: `abc~${conversations}` }],
  countMessageRequests: () => [{}],
  acceptMessageRequest: ({ conversations }) => [{ conversationId: conversations }],
  declineMessageRequest: ({ conversations }) => [{ conversationId: conversations }],
  markConversationRead: ({ conversations, messages, unreadMessage }) => [
    { conversationId: conversations, messageId: messages },
    { conversationId: conversations, messageId: unreadMessage },
    { conversationId: conversations },
  ],
  getFile: ({ photo, picture }) => [{ fileId: photo }, { fileId: picture }],
  getFileContent: ({ photo, picture }) => [{ fileId: photo }, { fileId: picture, width: 320 }],
  deleteFile: ({ photo, picture }) => [{ fileId: photo }, { fileId: picture }],
  uploadChunk: ({ photo }) => [{ fileId: photo }],
  // Both twins are in these responses, so the parts about each are compared.
  listConversations: () => [{}],
  catchUp: () => [{ since }],
  // Iria is tagged in a photo of each twin, and each twin in a photo of Iria's.
  listPhotosOfMe: ({ taggedInHers }) => [{}, { cursor: taggedInHers }],
  listShareTargets: ({ posts }) => [{ postId: posts }, { postId: posts, term: 'luz' }],
  listTaggablePeople: ({ posts, picture }) => [
    { postId: irias, imageId: photoOfIrias, term: 'Luz' },
    { postId: posts, imageId: picture },
  ],
  tagPerson: ({ users, posts, picture }) => [
    { postId: irias, imageId: photoOfIrias, personId: users, x: 0.1, y: 0.1 },
    { postId: irias, imageId: picture, personId: bea.id, x: 0.1, y: 0.1 },
    { postId: posts, imageId: picture, personId: iria.id, x: 0.1, y: 0.1 },
  ],
  acceptPhotoTag: ({ taggedInHers, taggedInIrias }) => [
    { photoTagId: taggedInHers },
    { photoTagId: taggedInIrias },
  ],
  withholdPhoto: ({ posts, picture }) => [
    { postId: posts, imageId: picture },
    { postId: irias, imageId: picture },
  ],
  stopWithholdingPhoto: ({ posts, picture }) => [
    { postId: posts, imageId: picture },
    { postId: irias, imageId: picture },
  ],
  removePhotoTag: ({ taggedInHers, taggedInIrias }) => [
    { photoTagId: taggedInHers },
    { photoTagId: taggedInIrias },
  ],
  listMentionablePeople: ({ posts, groupedPost }) => [
    { term: 'Luz' },
    { term: 'luz', postId: irias },
    { term: 'luz', groupId: group },
    { term: '', postId: posts },
    { term: '', postId: groupedPost },
  ],
  downloadExport: ({ users }) => [{ exportId: users, key: 'de otra' }],
  getReceipt: ({ users }) => [{ receiptId: users }],
  getInvitation: ({ users }) => [{ code: users }],
  unsubscribeFromSummaries: ({ users }) => [{ secret: users }],
  revokeInvitation: ({ users }) => [{ invitationId: users }],
  renamePasskey: ({ account }) => [{ passkeyId: account, name: 'mía' }],
  removePasskey: ({ account }) => [{ passkeyId: account }],
  blockMember: ({ users }) => [{ personId: users }, { personId: users, removeFrom: [ofIria] }],
  unblockMember: ({ users }) => [{ personId: users }],
}
/** These operations name nobody else, or start or end something of Iria's own. */
const without = [
  ...['signUp', 'signIn', 'signOut', 'uploadFile'],
  ...['requestPasswordReset', 'resetPassword', 'confirmEmail', 'undoEmailChange', 'keepTwoFactor'],
  ...['requestSignInLink', 'signInByLink'],
  ...[
    'getAccountSettings',
    'reauthenticate',
    'setLanguage',
    'changePassword',
    'requestEmailChange',
    'cancelEmailChange',
  ],
  ...[
    'requestEmailConfirmation',
    'listDevices',
    'signOutDevice',
    'signOutOtherDevices',
    'listSecurityEvents',
  ],
  ...['changeUsername', 'unlockModeration', 'appealSuspension'],
  ...['listSignInProviders', 'beginProviderSignIn', 'connectIdentity', 'disconnectIdentity'],
  'appealSuspensionAfterSecondStep',
  ...[
    'beginAuthenticator',
    'turnOnTwoFactor',
    'turnOffTwoFactor',
    'renewRecoveryCodes',
    'completeSecondStep',
  ],
  ...[
    'beginPasskeySignIn',
    'signInByPasskey',
    'beginPasskeyReauthentication',
    'reauthenticateByPasskey',
    'beginPasskey',
  ],
  ...['listSecondStepFactors', 'completeSecondStepByPasskey', 'listPasskeys', 'addPasskey', 'removePassword'],
  ...['getCommunity', 'getCommunitySettings', 'updateCommunity', 'acceptHouseRules', 'checkSetupLink'],
  ...['getFirstSteps', 'hideFirstSteps', 'endWelcome'],
  ...['setUpCommunity', 'createInvitation', 'listInvitations'],
  ...['getCommunityIdentity', 'updateCommunityIdentity', 'getCommunityLogo', 'removeCommunityLogo'],
  ...['dismissAnnouncement', 'apply', 'withdrawApplication'],
  ...['confirmApplication', 'removeApplicationByEmailLink'],
  ...['getInstanceOverview', 'getInstanceStorage', 'getInstanceQueues', 'examineInstance'],
  ...['listUndeliveredEmails', 'retryEmail', 'discardEmail', 'sendTestEmail'],
  'closeAccount',
  ...[
    'getDeletionPlan',
    'requestDeletion',
    'getDeletion',
    'keepAccount',
    'keepAccountByEmailLink',
    'eraseNow',
  ],
  ...['checkReceipt', 'getReceiptKeys'],
  ...['getExport', 'requestExport', 'discardExport', 'createExportDownloadLink'],
  ...['getPushSubscription', 'getVapidPublicKey', 'subscribePush', 'unsubscribePush', 'sendTestPush'],
  ...['getNotificationDelivery', 'updateNotificationDelivery'],
]
const apart: Record<string, (body: never, ids: Twin['ids']) => unknown> = {
  listConversations: ({ documents }: { documents: { $id: string }[] }, { conversations }) =>
    documents.filter(({ $id }) => $id === conversations),
  searchMessages: ({ documents }: { documents: { conversation: { $id: string } }[] }, { conversations }) =>
    documents.filter(({ conversation }) => conversation.$id === conversations),
  listComments: ({ documents }: { documents: { $id: string }[] }, { begunComment }) =>
    documents.filter(({ $id }) => $id === begunComment),
  listPhotosOfMe: ({ documents }: { documents: { $id: string }[] }, { taggedInHers }) =>
    documents.filter(({ $id }) => $id === taggedInHers),
  catchUp: ({ changes }: { changes: { document: object }[] }, ids) =>
    changes.filter(({ document }) => Object.values(ids).some((id) => JSON.stringify(document).includes(id))),
}

test('BLK-14 every operation answers iria alike for a member who blocked her and a member who closed her account', async () => {
  // Sets the preference now, so that the calls below change nothing.
  await iria.call(updateNotificationPreferencesOperation, { kinds: ['like'], enabled: true })
  expect([...Object.keys(calls), ...without].sort()).toEqual(apiOperations.map(({ name }) => name).sort())
  // These operations end a relation, so they run last.
  const last = ['blockMember', 'unblockMember']
  const operations = [
    ...apiOperations.filter(({ name }) => !last.includes(name)),
    ...apiOperations.filter(({ name }) => last.includes(name)),
  ]
  const found: unknown[] = []
  let asked = 0
  for (const operation of operations) {
    const inputs = [blocked, closed].map(({ ids }) => calls[operation.name]?.(ids) ?? [])
    for (const place of inputs[0]?.keys() ?? []) {
      asked += 1
      const what = `${operation.name} ${place}`
      found.push(
        ...(await differences(what, async (of) => {
          const answer = await iria.ask(operation, (calls[operation.name] as Calls)(of.ids)[place] ?? {})
          const part = apart[operation.name]
          if (!part || answer.status !== 200) return answer
          const raw = Buffer.from(JSON.stringify(part(answer.body as never, of.ids)), 'latin1')
          const { 'content-length': _, ...headers } = answer.headers
          return { ...answer, headers, raw }
        })),
      )
    }
  }
  expect(found).toEqual([])
  expect(asked).toBeGreaterThan(100)
  for (const { person } of [blocked, closed]) await iria.call(unblockMemberOperation, { personId: person.id })
})

const kept: Record<CollectionName, string[]> = {
  users: ['users'],
  posts: ['posts', 'groupedPost'],
  comments: ['comments', 'groupedComment', 'begunComment', 'answeredComment'],
  saves: ['saves', 'groupedSave'],
  follows: ['follows', 'followsBack', 'followsBea'],
  groups: [],
  groupMembers: ['groupMembers', 'memberOfIria'],
  groupRequests: ['groupRequests'],
  conversations: ['conversations'],
  messages: ['messages', 'ownMessage', 'unreadMessage'],
}

/** These attributes could filter a list for a twin's data. */
const asks: Record<CollectionName, (ids: Twin['ids']) => string[][]> = {
  users: ({ users, photo }) => [
    [`equal("imageId", ["${photo}"])`],
    [`equal("$id", ["${users}"])`],
    ['search("name", ["Luz"])'],
    ['equal("username", ["luz"])'],
  ],
  posts: ({ users, posts, picture }) => [
    [`equal("creator", ["${users}"])`],
    [`equal("$id", ["${posts}"])`],
    [`equal("imageId", ["${picture}"])`],
    [`equal("creator", ["${users}"])`, `equal("groupId", ["${group}"])`],
    ['search("caption", ["Luz"])'],
  ],
  comments: ({ posts, users, comments, begunComment }) => [
    [`equal("postId", ["${posts}"])`],
    [`equal("authorId", ["${users}"])`, `equal("postId", ["${irias}"])`],
    [`equal("parentId", ["${begunComment}"])`, `equal("authorId", ["${users}"])`],
    [`equal("authorId", ["${users}"])`, `equal("$id", ["${comments}"])`],
    [`equal("authorId", ["${users}"])`],
  ],
  saves: ({ posts, users }) => [[`equal("post", ["${posts}"])`], [`equal("user", ["${users}"])`], []],
  follows: ({ users }) => [[`equal("followerId", ["${users}"])`], [`equal("followingId", ["${users}"])`], []],
  groups: ({ users }) => [[`equal("adminId", ["${users}"])`]],
  groupMembers: ({ users }) => [[`equal("userId", ["${users}"])`], [`equal("groupId", ["${group}"])`]],
  groupRequests: ({ users }) => [[`equal("userId", ["${users}"])`], [`equal("groupId", ["${waiting}"])`]],
  conversations: ({ users, conversations }) => [
    [`contains("participants", ["${users}"])`],
    [`equal("$id", ["${conversations}"])`],
    [`equal("lastMessageSender", ["${users}"])`, `equal("$id", ["${conversations}"])`],
  ],
  messages: ({ users, conversations }) => [
    [`equal("conversationId", ["${conversations}"])`],
    [`equal("senderId", ["${users}"])`],
    [`contains("readBy", ["${users}"])`, `equal("conversationId", ["${conversations}"])`],
  ],
}

const creates: Record<CollectionName, (ids: Twin['ids']) => object[]> = {
  users: ({ account }) => [{ accountId: account, name: 'Luz', username: 'luzbella' }],
  posts: ({ picture, users }) => [
    { caption: 'Con la suya', location: 'Aquí', imageId: picture },
    { caption: 'Como ella', location: 'Aquí', imageId: picture, creator: users },
  ],
  comments: ({ posts, users }) => [
    { postId: posts, content: '¿Y yo?' },
    { postId: irias, authorId: users, content: 'En su nombre' },
  ],
  saves: ({ posts, groupedPost, users }) => [
    { user: iria.id, post: posts },
    { user: iria.id, post: groupedPost },
    { user: users, post: irias },
  ],
  follows: ({ users }) => [
    { followerId: iria.id, followingId: users },
    { followerId: users, followingId: iria.id },
  ],
  groups: ({ users, photo }) => [
    { name: 'De Luz', adminId: users },
    { name: 'Con su foto', imageId: photo },
  ],
  groupMembers: ({ users }) => [
    { groupId: group, userId: users },
    { groupId: ofIria, userId: users },
  ],
  groupRequests: ({ users }) => [{ groupId: waiting, userId: users }],
  conversations: ({ users }) => [{ participants: [iria.id, users] }, { participants: [users, bea.id] }],
  messages: ({ conversations, users }) => [
    { conversationId: conversations, senderId: iria.id, content: '¿sigues?' },
    { conversationId: conversations, senderId: users, content: 'sigo' },
  ],
}

test.each(collectionNames)(
  'BLK-14 through the documents API, iria gets the same %s for a member who blocked her and a closed account',
  async (collection) => {
    const api = createAppwriteDocumentsClient(iria, collection)
    const path = appwriteDocumentsPath(collection)
    const ids = ({ ids: all }: Twin) => kept[collection].map((what) => all[what] ?? '')
    const found: unknown[] = []
    const compare = async (what: string, call: (of: Twin) => Promise<ApiResponse>) =>
      found.push(...(await differences(`${collection}: ${what}`, call)))
    for (const place of asks[collection](blocked.ids).keys()) {
      await compare(`list ${place}`, (of) => api.list(...(asks[collection](of.ids)[place] ?? [])))
      await compare(`list ${place} by page`, (of) =>
        api.list(...(asks[collection](of.ids)[place] ?? []), 'limit(1)', 'offset(1)'),
      )
    }
    for (const place of kept[collection].keys()) {
      const id = (of: Twin) => ids(of)[place] ?? ''
      await compare(`get ${place}`, (of) => api.get(id(of)))
      await compare(`get ${place} in part`, (of) => api.get(id(of), 'select(["$id"])'))
      for (const cursor of ['cursorAfter', 'cursorBefore']) {
        // The two conversations are adjacent, so the page after one contains the other.
        if (collection === 'conversations' || collection === 'messages') continue
        await compare(`${cursor} ${place}`, (of) => api.list(`${cursor}("${id(of)}")`))
      }
      await compare(`patch ${place}`, (of) => api.patch(id(of), {}))
      await compare(`patch ${place} with an unknown field`, (of) => api.patch(id(of), { unknown: 1 }))
      if (collection === 'posts')
        await compare(`like ${place}`, (of) => api.patch(id(of), { likes: [iria.id] }))
      if (collection === 'messages')
        await compare(`mark ${place}`, (of) => api.patch(id(of), { readBy: [iria.id, of.ids.users] }))
      if (collection === 'groupRequests')
        for (const status of ['accepted', 'rejected'])
          await compare(`${status} ${place}`, (of) => api.patch(id(of), { status }))
      await compare(`delete ${place}`, (of) => api.remove(id(of)))
      // A block ends a follow and frees its id (decision 0131).
      if (collection !== 'follows')
        for (const attributes of creates[collection](blocked.ids).keys())
          await compare(`create ${attributes} as ${place}`, (of) =>
            api.create(creates[collection](of.ids)[attributes] ?? {}, id(of)),
          )
    }
    for (const place of creates[collection](blocked.ids).keys())
      await compare(`create ${place}`, (of) => api.create(creates[collection](of.ids)[place] ?? {}))
    await compare('the path itself', (of) => iria.request('PUT', `${path}/${of.ids.users}`, {}))
    expect(found).toEqual([])
  },
)

test('BLK-14 through the rows API of newer clients, a member who blocked iria and a closed account look the same', async () => {
  const found: unknown[] = []
  for (const collection of collectionNames) {
    const path = appwriteRowsPath(collection)
    const compare = async (method: string, rest: (of: Twin) => string, body?: (of: Twin) => object) =>
      found.push(
        ...(await differences(`${method} ${collection} ${rest(blocked)}`, (of) =>
          iria.request(method, `${path}${rest(of)}`, body?.(of)),
        )),
      )
    for (const place of asks[collection](blocked.ids).keys())
      await compare('GET', ({ ids }) => {
        const queries = asks[collection](ids)[place] ?? []
        return `?${new URLSearchParams(queries.map((query, n) => [`queries[${n}]`, query]))}`
      })
    for (const what of kept[collection]) {
      await compare('GET', ({ ids }) => `/${ids[what]}`)
      await compare(
        'PATCH',
        ({ ids }) => `/${ids[what]}`,
        () => ({ data: {} }),
      )
      await compare(
        'DELETE',
        ({ ids }) => `/${ids[what]}`,
        () => ({}),
      )
    }
    for (const place of creates[collection](blocked.ids).keys())
      await compare(
        'POST',
        () => '',
        ({ ids }) => ({ rowId: 'unique()', data: creates[collection](ids)[place] }),
      )
  }
  expect(found).toEqual([])
})

test('BLK-14 account calls with any id or secret answer iria and a visitor alike for a blocking and a closed account', async () => {
  const found: unknown[] = []
  const secret = 'a'.repeat(64)
  const asked: [method: string, path: (id: string) => string, body?: (userId: string) => object][] = [
    ['GET', (id) => `/v1/account/sessions/${id}`],
    ['PATCH', (id) => `/v1/account/sessions/${id}`, () => ({})],
    ['DELETE', (id) => `/v1/account/sessions/${id}`, () => ({})],
    ['DELETE', (id) => `/v1/account/identities/${id}`, () => ({})],
    ['DELETE', (id) => `/v1/me/identities/${id}`, () => ({})],
    ['DELETE', (id) => `/v1/me/devices/${id}`, () => ({})],
    ['PUT', () => '/v1/account/recovery', (userId) => ({ userId, secret, password: 'otra clave larga' })],
    ['PUT', () => '/v1/account/verification', (userId) => ({ userId, secret })],
    ['PUT', () => '/v1/account/sessions/magic-url', (userId) => ({ userId, secret })],
    ['PUT', () => '/v1/account/sessions/phone', (userId) => ({ userId, secret: '123456' })],
    ['POST', () => '/v1/account/sessions/token', (userId) => ({ userId, secret })],
  ]
  for (const [method, path, body] of asked)
    for (const what of ['users', 'account'])
      for (const [name, who] of [
        ['iria', iria],
        ['a visitor', w.visitor],
      ] as const)
        found.push(
          ...(await differences(`${method} ${path(what)} as ${name}`, ({ ids }) => {
            const id = ids[what] ?? ''
            return who.request(method, path(id), body?.(id))
          })),
        )
  expect(found).toEqual([])
})

test('BLK-14 picture requests of every kind answer iria alike for a member who blocked her and a closed account', async () => {
  const found: unknown[] = []
  for (const file of ['photo', 'picture'])
    for (const way of [
      '',
      '/view',
      '/download',
      '/preview',
      '/preview?width=64',
      '/preview?width=640&output=png',
    ])
      for (const [method, headers] of [
        ['GET', {}],
        ['HEAD', {}],
        ['GET', { range: 'bytes=0-9' }],
        ['GET', { 'if-none-match': '*' }],
        ['PUT', {}],
        ['DELETE', {}],
      ] as const)
        found.push(
          ...(await differences(`${method} ${file}${way} ${JSON.stringify(headers)}`, (of) =>
            iria.request(
              method,
              `/v1/storage/buckets/media/files/${of.ids[file]}${way}`,
              method === 'PUT' ? { name: 'otra.jpg' } : undefined,
              { ...headers },
            ),
          )),
        )
  const bytes = await createJpeg('#667788')
  for (const file of ['photo', 'picture'])
    found.push(
      ...(await differences(`upload as ${file}`, ({ ids }) =>
        sendRawUpload(iria, { bytes, name: 'otra.jpg', fileId: ids[file] }),
      )),
      ...(await differences(`list ${file}`, (of) => {
        const query = encodeURIComponent(`equal("$id", ["${of.ids[file]}"])`)
        return iria.request('GET', `/v1/storage/buckets/media/files?queries[0]=${query}`)
      })),
    )
  expect(found).toEqual([])
})

test('BLK-14 to iria a private account that blocked her and a closed account look the same, with requests both ways', async () => {
  const requester = await w.join('Ines')
  const [one, other] = [await w.join('Vera'), await w.join('Vera')]
  await requester.call(updatePrivacySettingsOperation, { isPrivate: true })
  const requests = new Map<MemberClient, Record<string, string>>()
  for (const member of [one, other]) {
    await member.call(updatePrivacySettingsOperation, { isPrivate: true })
    await requester.call(followOperation, { personId: member.id })
    await member.call(followOperation, { personId: requester.id })
    const idOf = async (of: MemberClient, person: MemberClient) =>
      (await of.call(listFollowRequestsOperation, {})).documents.find((each) => each.person.$id === person.id)
        ?.$id ?? ''
    requests.set(member, { sent: await idOf(member, requester), received: await idOf(requester, member) })
  }
  await one.call(blockMemberOperation, { personId: requester.id })
  expect((await other.request('PATCH', '/v1/account/status', {})).status).toBe(200)
  expect(await requester.call(countFollowRequestsOperation, {})).toEqual({ count: 0 })
  const follows = createAppwriteDocumentsClient(requester, 'follows')
  const asked: Record<string, (member: MemberClient, ids: Record<string, string>) => Promise<ApiResponse>> = {
    getPerson: ({ id }) => requester.ask(getPersonOperation, { personId: id }),
    isFollowing: ({ id }) => requester.ask(isFollowingOperation, { personId: id }),
    listFollowRequests: (_, { received = '' }) =>
      requester.ask(listFollowRequestsOperation, { cursor: received, limit: 1 }),
    approve: (_, { received = '' }) => requester.ask(approveFollowRequestOperation, { requestId: received }),
    decline: (_, { received = '' }) => requester.ask(declineFollowRequestOperation, { requestId: received }),
    'get the request': (_, { sent = '' }) => follows.get(sent),
    'get theirs': (_, { received = '' }) => follows.get(received),
    'delete the request': (_, { sent = '' }) => follows.remove(sent),
    'follow as a document': ({ id }) => follows.create({ followerId: requester.id, followingId: id }),
    follow: ({ id }) => requester.ask(followOperation, { personId: id }),
    unfollow: ({ id }) => requester.ask(unfollowOperation, { personId: id }),
    removeFollower: ({ id }) => requester.ask(removeFollowerOperation, { personId: id }),
  }
  const found: unknown[] = []
  const of = (person: MemberClient): Twin => {
    const ids = { ...requests.get(person), users: person.id }
    return { person, username: '', ids }
  }
  for (const [what, ask] of Object.entries(asked))
    found.push(
      ...(await differences(
        what,
        async ({ person, ids }) => {
          const answer = await ask(person, ids)
          expect([what, answer.status]).not.toEqual([what, 200])
          return answer
        },
        [of(one), of(other)],
      )),
    )
  expect(found).toEqual([])
  expect(await requester.call(listFollowRequestsOperation, {})).toEqual({ documents: [], next: null })
})

const about = (frames: readonly WebSocketFrame[], of: Twin) =>
  frames
    .map((frame) => JSON.stringify(frame))
    .filter((text) => Object.values(of.ids).some((id) => id !== '' && text.includes(id)))
    .map((text) => anonymous(text, of).replaceAll(/"position":"[^"]*"/g, '"position":"<position>"'))

test('BLK-20 BLK-21 iria’s sockets receive one equal deletion for both members, and nothing else of the blocking member', async () => {
  const [live, appwrite] = sockets as [TestSocket, TestSocket]
  await Promise.all(sockets.map((socket) => collectSocketEvents(socket, bea)))
  for (const socket of [live, appwrite]) {
    // Both have disappeared, because Iria has now blocked each twin too.
    const [one, other] = [about(socket.frames, blocked), about(socket.frames, closed)]
    expect(one.filter((text) => text.includes('<users>') && text.includes('delete'))).not.toEqual([])
    expect(one).toEqual(other)
  }
  await Promise.all(named.map((socket) => collectSocketEvents(socket, bea)))
  const [ofBlocked, ofClosed] = named.map(({ frames }, place) =>
    frames
      .filter(({ type }) => type !== 'pong')
      .map((frame) => anonymous(JSON.stringify(frame), [blocked, closed][place] as Twin))
      .map((text) => text.replaceAll(/"(position|timestamp)":"[^"]*"/g, '"$1":"<varies>"')),
  )
  expect(ofBlocked?.length).toBeGreaterThan(2)
  expect(ofBlocked).toEqual(ofClosed)
  expect(live.frames.find((frame) => frame.data?.kind === 'delete')?.data).toMatchObject({
    collection: 'users',
    document: { $id: expect.any(String) },
  })
  const countFrames = () =>
    [...sockets, named[0] as TestSocket].map(({ frames }) => about(frames, blocked).length)
  const before = countFrames()
  const asBea = await openTestSocket(w.app, { as: bea, path: '/v1/live' })
  const position = await waitForChangePosition(w.database, iria)

  const { person: ana, ids } = blocked
  await ana.call(updateProfileOperation, { personId: ana.id, name: 'Lucía', bio: 'Nueva' })
  await ana.call(unfollowOperation, { personId: bea.id })
  await ana.call(followOperation, { personId: bea.id })
  await ana.call(updatePostOperation, { postId: ids.posts ?? '', caption: 'Sin ti' })
  await ana.call(updatePostOperation, { postId: ids.groupedPost ?? '', caption: 'Sin ti' })
  const posted = await createPostInGroup(w.database, ana, null)
  await ana.call(updatePostOperation, { postId: posted, groupId: group })
  await ana.call(deletePostOperation, { postId: posted })
  await ana.call(deletePostOperation, { postId: ids.groupedPost ?? '' })
  await ana.call(deletePostOperation, { postId: ids.posts ?? '' })
  await ana.call(markConversationReadOperation, { conversationId: ids.conversations ?? '' })
  const other = await ana.call(openConversationOperation, { personId: bea.id })
  await ana.call(sendMessageOperation, { conversationId: other.$id, content: 'hola, bea' })
  await ana.call(leaveGroupOperation, { groupId: group })

  await Promise.all([...sockets, ...named].map((socket) => collectSocketEvents(socket, bea)))
  expect(countFrames()).toEqual(before)
  const all = sockets.flatMap((socket) => socket.frames).map((frame) => JSON.stringify(frame))
  expect(all.filter((text) => text.includes(posted) || text.includes('Lucía'))).toEqual([])
  const missed = JSON.stringify((await iria.call(catchUpOperation, { since: position })).changes)
  expect([...Object.values(ids), posted].filter((id) => id !== '' && missed.includes(id))).toEqual([])
  expect(about(asBea.frames, blocked).length).toBeGreaterThan(8)
  asBea.close()
})

test('BLK-20 live counts do not tell nora that a member who blocked her likes a post or joins a group', async () => {
  const [nora, olga, paz] = [await w.join('Nora'), await w.join('Olga'), await w.join('Paz')]
  const postId = await createPostInGroup(w.database, paz, null)
  const groupId = await createGroupWithMembers(paz, nora)
  await olga.call(blockMemberOperation, { personId: nora.id })
  const since = await waitForChangePosition(w.database, nora)
  const receives = [
    await openTestSocket(w.app, { as: nora, path: '/v1/live' }),
    await openTestSocket(w.app, { as: nora, channels: ['documents'] }),
  ]
  const stranger = await openTestSocket(w.app, { as: bea, path: '/v1/live' })
  const collectAll = () =>
    Promise.all([...receives, stranger].map((socket) => collectSocketEvents(socket, bea)))
  const steps = (frames: readonly WebSocketFrame[]) =>
    frames
      .map((frame) => JSON.stringify(frame))
      .filter((text) => text.includes(postId) || text.includes(groupId))

  await olga.call(likePostOperation, { postId })
  await admitMemberToGroup(paz, olga, groupId)
  await olga.call(unlikePostOperation, { postId })
  await olga.call(leaveGroupOperation, { groupId })
  await collectAll()
  expect(receives.flatMap(({ frames }) => steps(frames))).toEqual([])
  expect(steps(stranger.frames).length).toBeGreaterThanOrEqual(4)
  const missed = await nora.call(catchUpOperation, { since, collections: 'posts,groups' })
  expect(missed.changes).toEqual([])

  // Iria still receives other members' actions, with the current count.
  await olga.call(likePostOperation, { postId })
  await iria.call(likePostOperation, { postId })
  await collectAll()
  for (const { frames } of receives) expect(steps(frames)).toHaveLength(1)
  for (const socket of [...receives, stranger]) socket.close()
})

test('BLK-14 every route with an id was compared, no response was a rate limit and each request ran statements', () => {
  // These ids identify no person: an icon set, a sign-in provider, a second factor, an email, a logo.
  const routes = (registeredRoutesByApp.get(w.app) ?? []).flatMap(({ method, url }) =>
    [method].flat().map((each) => `${each} ${url}`),
  )
  const withIds = routes.filter(
    (route) =>
      /^(?!HEAD|OPTIONS).*\/:/.test(route) &&
      !/\/v1\/avatars\/|:provider|:type|:emailId|\/logo\/:version/.test(route),
  )
  expect(withIds.length).toBeGreaterThan(80)
  expect(withIds.filter((route) => !reached.has(route))).toEqual([])
  expect(compared.limited).toEqual([])
  expect(compared.answers).toBeGreaterThanOrEqual(600)
  expect(compared.statements).toBeGreaterThan(compared.answers)
})
