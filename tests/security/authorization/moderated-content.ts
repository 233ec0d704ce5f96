import { requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { getGroupOperation, listGroupsOperation } from '#contract/groups/groups.ts'
import {
  deletePostOperation,
  explorePostsOperation,
  getPostOperation,
  likePostOperation,
  listLikersOperation,
  listPersonPostsOperation,
  savePostOperation,
  searchPostsOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import { listPlacePostsOperation, listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import {
  createAppwriteDocumentsClient,
  buildAppwriteEqualQuery as equal,
} from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'
import { placeFixture, tagFixture } from './actors.ts'

const posts = (who: Parameters<AccessAttempt['act']>[0]) => createAppwriteDocumentsClient(who, 'posts')
const groups = (who: Parameters<AccessAttempt['act']>[0]) => createAppwriteDocumentsClient(who, 'groups')

/** Returns a new hidden post if the attempt will change it. */
async function hiddenPost({ cast, succeeds }: AccessAttemptContext): Promise<string> {
  return succeeds ? cast.hide('posts', await cast.postOf(cast.bea, null)) : cast.hiddenPost.$id
}

export const moderatedContentAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('PH1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(
        await posts(who).list(equal('$id', cast.hiddenPost.$id)),
        cast.hiddenPost.imageId,
      ),
    explorePosts: async (who, { cast }) =>
      checkResponseMentions(await who.ask(explorePostsOperation, { limit: 100 }), cast.hiddenPost.$id),
    listPlacePosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPlacePostsOperation, { place: placeFixture, limit: 100 }),
        cast.hiddenPost.$id,
      ),
    listTagPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listTagPostsOperation, { tag: tagFixture, limit: 100 }),
        cast.hiddenPost.$id,
      ),
    searchPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(searchPostsOperation, { term: cast.hiddenPost.caption }),
        cast.hiddenPost.$id,
      ),
    listPersonPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPersonPostsOperation, { personId: cast.bea.id, limit: 100 }),
        cast.hiddenPost.$id,
      ),
  }),
  ...defineReadAttempts('PH2', {
    document: async (who, { cast }) => toMatrixOutcome(await posts(who).get(cast.hiddenPost.$id)),
    getPost: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getPostOperation, { postId: cast.hiddenPost.$id })),
    listLikers: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(listLikersOperation, { postId: cast.hiddenPost.$id })),
    picture: async (who, { cast }) =>
      toMatrixOutcome(await who.request('GET', `/v1/files/${cast.hiddenPost.imageId}`)),
    'picture of the documents API': async (who, { cast }) =>
      toMatrixOutcome(
        await who.request(
          'GET',
          `/v1/storage/buckets/media/files/${cast.hiddenPost.imageId}/preview?width=64`,
        ),
      ),
  }),
  ...defineWriteAttempts('PH3', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await posts(who).patch(cast.hiddenPost.$id, { caption: 'Otra cosa' })),
    'document moved': async (who, { cast }) =>
      toMatrixOutcome(await posts(who).patch(cast.hiddenPost.$id, { groupId: cast.knit })),
    updatePost: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(updatePostOperation, { postId: cast.hiddenPost.$id, caption: 'Otra cosa' }),
      ),
  }),
  ...defineWriteAttempts('PH4', {
    document: async (who, scene) => toMatrixOutcome(await posts(who).remove(await hiddenPost(scene))),
    deletePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(deletePostOperation, { postId: await hiddenPost(scene) })),
  }),
  ...defineWriteAttempts('PH5', {
    likePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(likePostOperation, { postId: await hiddenPost(scene) })),
    savePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(savePostOperation, { postId: await hiddenPost(scene) })),
  }),

  ...defineReadAttempts('GH1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await groups(who).list('limit(100)'), cast.hiddenGroup),
    listGroups: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listGroupsOperation, { limit: 100 }), cast.hiddenGroup),
  }),
  ...defineReadAttempts('GH2', {
    document: async (who, { cast }) => toMatrixOutcome(await groups(who).get(cast.hiddenGroup)),
    getGroup: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getGroupOperation, { groupId: cast.hiddenGroup })),
  }),
  ...defineWriteAttempts('GH3', {
    requestToJoin: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(requestToJoinOperation, { groupId: cast.hiddenGroup })),
  }),
]
