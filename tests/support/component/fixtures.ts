/** Makes data as the server sends it. Tests can override every field. */
import type { getAccountSettingsOperation } from '#contract/account/account-settings.ts'
import type { Conversation } from '#contract/chat/conversations.ts'
import type { Message } from '#contract/chat/messages.ts'
import type { Comment, CommentThread } from '#contract/comments/comments.ts'
import type { getCommunityOperation } from '#contract/community/community.ts'
import type { GroupMember } from '#contract/groups/group-members.ts'
import type { JoinRequest } from '#contract/groups/group-requests.ts'
import type { Group } from '#contract/groups/groups.ts'
import type { OperationOutput } from '#contract/operation.ts'
import type { CurrentMember, Person, PersonSummary, Profile } from '#contract/people/people.ts'
import type { PrivacySettings } from '#contract/people/privacy-settings.ts'
import type { Post } from '#contract/posts/posts.ts'

let count = 0
let idsOfTest: string[] | undefined
const idsOfEarlierTests = new Set<string>()

export const newId = (name = 'id'): string => {
  count += 1
  const id = `${name.toLowerCase().replace(/[^a-z]/g, '')}${String(count).padStart(20, '0')}`.slice(-20)
  idsOfTest?.push(id)
  return id
}

export function beginTestIds(): void {
  idsOfTest = []
}

export function endTestIds(): void {
  for (const id of idsOfTest ?? []) idsOfEarlierTests.add(id)
  idsOfTest = undefined
}

/** Only late requests of an earlier test use such ids. */
export const isIdOfEarlierTest = (id: string): boolean => idsOfEarlierTests.has(id)

const createdAt = '2026-11-01T10:00:00.000Z'
const picture = '/favicon.svg'

export function makePersonSummary(given: Partial<PersonSummary> = {}): PersonSummary {
  const { name = 'Bea' } = given
  return {
    $id: newId(name),
    name,
    username: name.toLowerCase().replace(/[^a-z]/g, ''),
    imageUrl: picture,
    imageId: null,
    ...given,
  }
}

export function makePerson(given: Partial<Person> = {}): Person {
  return {
    ...makePersonSummary(given),
    $createdAt: createdAt,
    bio: '',
    following: false,
    requested: false,
    isPrivate: false,
    can: { write: true },
    ...given,
  }
}

export function makeProfile(given: Partial<Profile> = {}): Profile {
  return {
    ...makePerson(given as Partial<Person>),
    postCount: 0,
    followerCount: 0,
    followingCount: 0,
    listsFor: 'everyone',
    followsMe: false,
    can: { write: true, block: true, seePosts: true, seeLists: true },
    ...given,
  }
}

export function makeMember(given: Partial<CurrentMember> = {}): CurrentMember {
  return {
    ...makeProfile({ name: 'Ana', ...given }),
    accountId: newId('account'),
    email: 'ana@juntas.test',
    ...given,
  }
}

export function makePost(given: Partial<Post> = {}): Post {
  const imageId = given.imageId ?? newId('photo')
  const image = { id: imageId, url: picture, width: 800, height: 600, thumbhash: '' }
  return {
    $id: newId('post'),
    $createdAt: createdAt,
    $updatedAt: createdAt,
    creator: makePersonSummary(),
    caption: 'Una tarde junto al mar',
    location: 'Cádiz',
    tags: [],
    groupId: null,
    group: null,
    imageUrl: picture,
    imageId,
    image,
    photos: [{ ...image, alt: '' }],
    likeCount: 0,
    liked: false,
    saved: false,
    commentCount: 0,
    commentsFrom: 'everyone',
    editedAt: null,
    can: { edit: false, delete: false },
    ...given,
  }
}

export function makeGroup(given: Partial<Group> = {}): Group {
  return {
    $id: newId('group'),
    $createdAt: createdAt,
    $updatedAt: createdAt,
    name: 'Club de Lectura',
    description: '',
    imageUrl: '',
    imageId: null,
    adminId: newId('admin'),
    isPrivate: true,
    memberCount: 1,
    membership: 'none',
    requestId: null,
    pendingCount: 0,
    can: { edit: false, delete: false, decide: false, leave: false, decline: false },
    ...given,
  }
}

export function makeConversation(given: Partial<Conversation> = {}): Conversation {
  const other = given.other ?? { ...makePersonSummary(), visible: true }
  return {
    $id: newId('conversation'),
    $createdAt: createdAt,
    $updatedAt: createdAt,
    participants: [newId('ana'), other.$id],
    type: 'direct',
    other,
    lastMessage: 'Hola',
    lastMessageTime: createdAt,
    lastMessageSender: other.$id,
    unread: false,
    standing: 'open',
    left: null,
    restricted: false,
    can: { write: true, addPhotos: true, block: true, accept: false },
    ...given,
  }
}

export function makeMessage(given: Partial<Message> = {}): Message {
  const senderId = given.senderId ?? newId('sender')
  return {
    $id: newId('message'),
    $createdAt: createdAt,
    conversationId: newId('conversation'),
    senderId,
    content: 'Hola',
    photos: [],
    type: 'text',
    readBy: [senderId],
    shared: null,
    replyTo: null,
    reactions: [],
    unsentAt: null,
    ...given,
  }
}

export function makeComment(given: Partial<Comment> = {}): Comment {
  return {
    $id: newId('comment'),
    $createdAt: createdAt,
    postId: newId('post'),
    parentId: null,
    author: makePersonSummary(),
    content: 'Qué bonito',
    likeCount: 0,
    liked: false,
    edited: false,
    removed: false,
    can: { edit: false, delete: false },
    ...given,
  }
}

export const makeThread = (given: Partial<CommentThread> = {}): CommentThread => ({
  ...makeComment(given),
  replies: [],
  replyCount: 0,
  ...given,
})

export const makeCommunity = (
  given: Partial<OperationOutput<typeof getCommunityOperation>> = {},
): OperationOutput<typeof getCommunityOperation> => ({
  name: 'Juntas',
  registration: 'open',
  rules: [],
  rulesVersion: 0,
  rulesChangedAt: null,
  contact: null,
  applicationQuestion: null,
  mail: true,
  outbox: false,
  ...given,
})

export function makeJoinRequest(given: Partial<JoinRequest> = {}): JoinRequest {
  const user = given.user ?? makePersonSummary()
  const group = given.group ?? makeGroup()
  return {
    $id: newId('request'),
    $createdAt: createdAt,
    groupId: group.$id,
    userId: user.$id,
    status: 'pending',
    requestedAt: createdAt,
    can: { decide: true, withdraw: false },
    ...given,
    user,
    group: { $id: group.$id, name: group.name },
  }
}

export function makeGroupMember(given: Partial<GroupMember> = {}): GroupMember {
  const user = given.user ?? makePersonSummary()
  return {
    $id: newId('membership'),
    $createdAt: createdAt,
    groupId: newId('group'),
    userId: user.$id,
    role: 'member',
    joinedAt: createdAt,
    can: { remove: false, handOver: false },
    ...given,
    user,
  }
}

export const makePrivacySettings = (given: Partial<PrivacySettings> = {}): PrivacySettings => ({
  isPrivate: false,
  isListed: true,
  listsFor: 'everyone',
  messagesFrom: 'everyone',
  commentsFrom: 'everyone',
  picturedBy: 'everyone',
  takesVouchRequests: true,
  showsTyping: true,
  showsReceipts: true,
  onPlacePages: true,
  quickExit: 'off',
  followerCount: 0,
  followRequestCount: 0,
  followersOnlyPostCount: 0,
  takesPassword: false,
  ...given,
})

export const makeAccountSettings = (
  given: Partial<OperationOutput<typeof getAccountSettingsOperation>> = {},
): OperationOutput<typeof getAccountSettingsOperation> => ({
  email: 'ana@juntas.test',
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  passwordUpdatedAt: null,
  deviceCount: 1,
  newestDevice: null,
  mail: true,
  twoSteps: { on: false, since: null, recoveryCodesLeft: 0 },
  passkeyCount: 0,
  usernameFixedUntil: null,
  identities: [],
  providers: [],
  ...given,
})
