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
  listFollowersOperation,
  listFollowingOperation,
  removeFollowerOperation,
  unfollowOperation,
} from '#contract/people/people.ts'
import {
  getPrivacySettingsOperation,
  updatePrivacySettingsOperation,
} from '#contract/people/privacy-settings.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikersOperation,
  listPersonPostsOperation,
  savePostOperation,
  searchPostsOperation,
  unlikePostOperation,
} from '#contract/posts/posts.ts'
import { listPlacePostsOperation, listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import {
  createAppwriteDocumentsClient as documentsOf,
  buildAppwriteEqualQuery as equal,
} from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  answersNotFoundForHiddenMember,
  checkResponseCount,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'
import { closedPostCaptionFixture, placeFixture, tagFixture } from './actors.ts'

/** Returns a new request if the attempt will answer it. */
async function requestOf({ cast, succeeds }: AccessAttemptContext): Promise<string> {
  if (!succeeds) return cast.followRequest
  await cast.petra.call(removeFollowerOperation, { personId: cast.eva.id })
  await cast.eva.call(followOperation, { personId: cast.petra.id })
  const { documents } = await cast.petra.call(listFollowRequestsOperation, {})
  return documents.find(({ person }) => person.$id === cast.eva.id)?.$id ?? ''
}

export const privateAccountAttempts: AccessAttempt[] = [
  ...defineReadAttempts('PA1', {
    'document list by creator': async (who, { cast }) =>
      checkResponseMentions(
        await documentsOf(who, 'posts').list(equal('creator', cast.petra)),
        cast.closed.$id,
      ),
    'document search': async (who, { cast }) =>
      checkResponseMentions(
        await documentsOf(who, 'posts').list(`search("caption", ["${closedPostCaptionFixture}"])`),
        cast.closed.$id,
      ),
    'total of a document list': async (who, { cast }) =>
      checkResponseCount(
        await documentsOf(who, 'posts').list(equal('$id', cast.closed.$id)),
        ({ total }) => total,
        1,
      ),
    explorePosts: async (who, { cast }) =>
      checkResponseMentions(await who.ask(explorePostsOperation, { limit: 100 }), cast.closed.$id),
    listPlacePosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPlacePostsOperation, { place: placeFixture, limit: 100 }),
        cast.closed.$id,
      ),
    listTagPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listTagPostsOperation, { tag: tagFixture, limit: 100 }),
        cast.closed.$id,
      ),
    searchPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(searchPostsOperation, { term: closedPostCaptionFixture }),
        cast.closed.$id,
      ),
    getHomeFeed: async (who, { cast }) =>
      checkResponseMentions(await who.ask(getHomeFeedOperation, {}), cast.closed.$id),
  }),
  ...defineReadAttempts('PA1', {
    'nested in the profile document': async (who, { cast }) =>
      checkResponseMentions(await documentsOf(who, 'users').get(cast.petra.id), cast.closed.$id),
    'total in the profile document': async (who, { cast }) =>
      checkResponseCount(
        await documentsOf(who, 'users').get(cast.petra.id),
        ({ postsTotal }) => postsTotal,
        1,
      ),
    'postCount of getPerson': async (who, { cast }) =>
      checkResponseCount(
        await who.ask(getPersonOperation, { personId: cast.petra.id }),
        ({ postCount }) => postCount,
        1,
      ),
    listPersonPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPersonPostsOperation, { personId: cast.petra.id }),
        cast.closed.$id,
      ),
  }).map(answersNotFoundForHiddenMember),
  ...defineReadAttempts('PA2', {
    document: async (who, { cast }) => toMatrixOutcome(await documentsOf(who, 'posts').get(cast.closed.$id)),
    getPost: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getPostOperation, { postId: cast.closed.$id })),
    listLikers: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(listLikersOperation, { postId: cast.closed.$id })),
  }),
  ...defineWriteAttempts('PA3', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await documentsOf(who, 'posts').patch(cast.closed.$id, { likes: [who.id] })),
    likePost: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(likePostOperation, { postId: cast.closed.$id })),
    unlikePost: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(unlikePostOperation, { postId: cast.closed.$id })),
  }),
  ...defineWriteAttempts('PA4', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await documentsOf(who, 'saves').create({ user: who.id, post: cast.closed.$id })),
    savePost: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(savePostOperation, { postId: cast.closed.$id })),
  }),
  ...defineReadAttempts('PA5', {
    'the file': async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `/v1/files/${cast.closed.imageId}`)),
    content: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `/v1/files/${cast.closed.imageId}/content?width=64`)),
    view: async (who, { cast }) =>
      toMatrixOutcome(
        await who.request('GET', `/v1/storage/buckets/media/files/${cast.closed.imageId}/view`),
      ),
    'a part of download': async (who, { cast }) =>
      toMatrixOutcome(
        await who.request(
          'GET',
          `/v1/storage/buckets/media/files/${cast.closed.imageId}/download`,
          undefined,
          { range: 'bytes=0-9' },
        ),
      ),
    'a small preview': async (who, { cast }) =>
      toMatrixOutcome(
        await who.request('GET', `/v1/storage/buckets/media/files/${cast.closed.imageId}/preview?width=64`),
      ),
  }),
  ...defineReadAttempts('PA6', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await documentsOf(who, 'follows').list('limit(100)'), cast.followOfPetra),
    listFollowing: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listFollowingOperation, { personId: cast.feli.id }), cast.petra.id),
  }),
  ...defineReadAttempts('PA6', {
    listFollowers: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listFollowersOperation, { personId: cast.petra.id }), cast.feli.id),
    'followerCount of getPerson': async (who, { cast }) => {
      const answer = await who.ask(getPersonOperation, { personId: cast.petra.id })
      if (answer.status >= 400) return toMatrixOutcome(answer)
      return (answer.body as { followerCount: number | null }).followerCount === null ? 'E' : 'ok'
    },
  }).map(answersNotFoundForHiddenMember),

  ...defineReadAttempts('FR1', {
    listFollowRequests: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listFollowRequestsOperation, {}), cast.followRequest),
    countFollowRequests: async (who) =>
      checkResponseCount(await who.ask(countFollowRequestsOperation, {}), ({ count }) => count, 1),
    getPrivacySettings: async (who) =>
      checkResponseCount(
        await who.ask(getPrivacySettingsOperation, {}),
        ({ followRequestCount }) => followRequestCount,
        1,
      ),
    'documents of follows': async (who, { cast, column }) => {
      const cell = checkResponseMentions(
        await documentsOf(who, 'follows').list('limit(100)'),
        cast.followRequest,
      )
      // Lists of follows omit pending requests for every caller, including Petra.
      return cell === 'E' && column === 'O' ? 'ok' : cell
    },
    isFollowing: async (who, { cast, column }) => {
      const answer = await who.ask(isFollowingOperation, { personId: cast.petra.id })
      if (answer.status >= 400) return /[KC]/.test(column) ? 'E' : toMatrixOutcome(answer)
      const { requested } = answer.body as { requested: boolean }
      return requested === (column === 'Q') ? (column === 'O' ? 'ok' : 'E') : '409'
    },
  }),
  ...defineWriteAttempts('FR2', {
    approveFollowRequest: async (who, scene) =>
      toMatrixOutcome(await who.ask(approveFollowRequestOperation, { requestId: await requestOf(scene) })),
  }),
  ...defineWriteAttempts('FR3', {
    declineFollowRequest: async (who, scene) =>
      toMatrixOutcome(await who.ask(declineFollowRequestOperation, { requestId: await requestOf(scene) })),
  }),
  ...defineReadAttempts('FR5', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await documentsOf(who, 'follows').get(cast.followRequest)),
  }),
  ...defineWriteAttempts('FR4', {
    document: async (who, { cast, column }) => {
      const answer = await documentsOf(who, 'follows').create({
        followerId: who.id,
        followingId: cast.petra.id,
      })
      if (answer.status === 201 && column !== 'Q')
        await who.call(unfollowOperation, { personId: cast.petra.id })
      return toMatrixOutcome(answer)
    },
    follow: async (who, { cast, column }) => {
      const answer = await who.ask(followOperation, { personId: cast.petra.id })
      if (answer.status === 200 && column !== 'Q')
        await who.call(unfollowOperation, { personId: cast.petra.id })
      return toMatrixOutcome(answer)
    },
  }),
  ...defineWriteAttempts('FR6', {
    document: async (who, { cast, column }) => {
      const answer = await documentsOf(who, 'follows').remove(cast.followRequest)
      if (column === 'Q')
        await documentsOf(who, 'follows').create(
          { followerId: who.id, followingId: cast.petra.id },
          cast.followRequest,
        )
      return toMatrixOutcome(answer)
    },
  }),
  ...defineWriteAttempts('FO4 remove', {
    removeFollower: async (who, { cast, column }) => {
      const personId = /[KC]/.test(column) ? cast.petra.id : column === 'O' ? cast.eva.id : cast.boss.id
      return toMatrixOutcome(await who.ask(removeFollowerOperation, { personId }))
    },
  }),
  ...defineWriteAttempts('PS1', {
    updatePrivacySettings: async (who) =>
      toMatrixOutcome(await who.ask(updatePrivacySettingsOperation, { isListed: true })),
  }),
]
