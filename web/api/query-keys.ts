/** All keys are in one file, because a change to one part of the product invalidates the lists of another. */

export const postQueryKeys = {
  all: ['posts'] as const,
  feed: ['posts', 'feed'] as const,
  explore: ['posts', 'explore'] as const,
  exploreFrom: (authors: string) => ['posts', 'explore', authors] as const,
  exploreLoved: ['posts', 'explore', 'loved'] as const,
  searches: ['posts', 'search'] as const,
  search: (term: string) => ['posts', 'search', term] as const,
  saved: ['posts', 'saved'] as const,
  liked: ['posts', 'liked'] as const,
  byPerson: (personId: string) => ['posts', 'person', personId] as const,
  /** Lists by any author: posts with a tag, posts from a place, and similar posts. */
  topics: ['posts', 'topic'] as const,
  ofTag: (tag: string) => ['posts', 'topic', 'tag', tag] as const,
  ofPlace: (place: string) => ['posts', 'topic', 'place', place] as const,
  similar: (postId: string) => ['posts', 'topic', 'like', postId] as const,
  related: (personId: string, postId: string) => ['posts', 'person', personId, 'but', postId] as const,
  /** The key starts like `all`, so changes to posts also reach group posts. */
  ofGroups: ['posts', 'group'] as const,
  ofGroup: (groupId: string) => ['posts', 'group', groupId] as const,
  one: (postId: string) => ['posts', 'one', postId] as const,
}

export const postDraftsQueryKey = ['post-drafts'] as const

/** This key is not below the posts' keys, because these lists contain no posts, only texts. */
export const suggestedPlacesQueryKey = (term: string) => ['suggested-places', term] as const

export const commentQueryKeys = {
  of: (postId: string) => ['comments', postId] as const,
  replies: (postId: string, threadId: string) => ['comments', postId, 'replies', threadId] as const,
  box: (postId: string) => ['comment-box', postId] as const,
}

export const peopleQueryKeys = {
  lists: ['people', 'list'] as const,
  home: ['people', 'list', 'home'] as const,
  everybody: ['people', 'list', 'everybody'] as const,
  suggested: ['people', 'list', 'suggested'] as const,
  found: (term: string) => ['people', 'list', 'found', term] as const,
  followers: (personId: string) => ['people', 'list', 'followers', personId] as const,
  following: (personId: string) => ['people', 'list', 'following', personId] as const,
  likers: (postId: string) => ['people', 'list', 'likers', postId] as const,
  profiles: ['people', 'one'] as const,
  one: (personId: string) => ['people', 'one', personId] as const,
  search: (term: string) => ['people', 'search', term] as const,
  shareTargets: (postId: string, term: string) => ['people', 'share-targets', postId, term] as const,
  mentionable: ({ postId, groupId }: { postId?: string; groupId?: string }, term: string) =>
    ['people', 'mentionable', postId, groupId, term] as const,
}

export const groupQueryKeys = {
  all: ['groups'] as const,
  list: ['groups', 'list'] as const,
  searches: ['groups', 'search'] as const,
  search: (term: string) => ['groups', 'search', term] as const,
  /** The key starts like those of searches, so a changed group also reloads the suggestions. */
  suggested: ['groups', 'search', null, 'suggested'] as const,
  options: ['groups', 'options'] as const,
  one: (groupId: string) => ['groups', 'one', groupId] as const,
  membership: (groupId: string) => ['groups', 'membership', groupId] as const,
  members: (groupId: string) => ['groups', 'members', groupId] as const,
  requests: (groupId: string) => ['groups', 'requests', groupId] as const,
}

export const chatQueryKeys = {
  conversations: ['conversations'] as const,
  list: ['conversations', 'list'] as const,
  one: (conversationId: string) => ['conversations', 'one', conversationId] as const,
  unread: ['conversations', 'unread'] as const,
  allMessages: ['messages'] as const,
  messages: (conversationId: string) => ['messages', conversationId] as const,
  search: (term: string) => ['message-search', term] as const,
}

export const blockQueryKeys = {
  all: ['blocks'] as const,
  list: ['blocks', 'list'] as const,
  preview: (personId: string) => ['blocks', 'preview', personId] as const,
}

export const settingsQueryKeys = {
  all: ['settings'] as const,
  account: ['settings', 'account'] as const,
  devices: ['settings', 'devices'] as const,
  events: ['settings', 'events'] as const,
}

export const communityQueryKeys = {
  community: ['community'] as const,
  settings: ['community', 'settings'] as const,
  firstSteps: ['community', 'first-steps'] as const,
  invitations: ['community', 'invitations'] as const,
  applications: ['applications'] as const,
  vouchRequests: ['vouch-requests'] as const,
  identity: ['community', 'identity'] as const,
}

export const adminQueryKeys = {
  all: ['admin'] as const,
  acts: ['admin', 'acts'] as const,
  proposals: ['admin', 'proposals'] as const,
  members: (term: string, filter: string) => ['admin', 'members', term, filter] as const,
  member: (memberId: string) => ['admin', 'member', memberId] as const,
  instance: ['admin', 'instance'] as const,
  findings: ['admin', 'findings'] as const,
  storage: ['admin', 'storage'] as const,
  queues: ['admin', 'queues'] as const,
  emails: ['admin', 'emails'] as const,
  publicActs: ['operator-acts'] as const,
}

export const privacyQueryKeys = {
  all: ['privacy'] as const,
  settings: ['privacy', 'settings'] as const,
}

export const followRequestQueryKeys = {
  all: ['follow-requests'] as const,
  list: ['follow-requests', 'list'] as const,
  count: ['follow-requests', 'count'] as const,
}

export const photoTagQueryKeys = {
  all: ['photo-tags'] as const,
  photosOfMe: ['photo-tags', 'mine'] as const,
  taggable: (postId: string, imageId: string, term: string) =>
    ['photo-tags', 'taggable', postId, imageId, term] as const,
}

export const moderationQueryKeys = {
  all: ['moderation'] as const,
  lists: ['moderation', 'list'] as const,
  list: (tab: string) => ['moderation', 'list', tab] as const,
  one: (caseId: string) => ['moderation', 'one', caseId] as const,
}

export const notificationQueryKeys = {
  all: ['notifications'] as const,
  lists: ['notifications', 'list'] as const,
  list: (only: string) => ['notifications', 'list', only] as const,
  counts: ['notifications', 'counts'] as const,
}

export const pushStateQueryKey = ['ringing'] as const

/** Live updates must not reload preferences while the member changes them. */
export const notificationPreferencesQueryKey = ['notification-preferences'] as const

export const reportQueryKeys = {
  all: ['reports'] as const,
  list: ['reports', 'list'] as const,
}

export const muteQueryKeys = {
  list: ['mutes', 'list'] as const,
  one: (personId: string) => ['mutes', 'one', personId] as const,
  justMuted: ['mutes', 'just-muted'] as const,
}
