import type { MemberClient } from '#api-client/member-client.ts'
import { listShareTargetsOperation } from '#contract/chat/share-targets.ts'
import { takePostsOutOfGroupOperation } from '#contract/groups/group-members.ts'
import { listGroupPostsOperation, listMyGroupsPostsOperation } from '#contract/groups/groups.ts'
import { getPersonOperation } from '#contract/people/people.ts'
import { previewAudienceOperation } from '#contract/posts/audience-preview.ts'
import { listPostEditsOperation } from '#contract/posts/post-edits.ts'
import { updatePostPreferencesOperation } from '#contract/posts/post-preferences.ts'
import {
  createPostOperation,
  deletePostOperation,
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listLikersOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  savePostOperation,
  searchPostsOperation,
  takePostOutOfGroupOperation,
  unlikePostOperation,
  unsavePostOperation,
  updatePostOperation,
} from '#contract/posts/posts.ts'
import {
  listPlacePostsOperation,
  listSimilarPostsOperation,
  listTagPostsOperation,
  suggestPlacesOperation,
} from '#contract/posts/posts-by-tag-or-place.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  postContentFixture,
} from '#tests/support/appwrite-documents-client.ts'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  answersNotFoundForHiddenMember,
  checkCatchUpReveals,
  checkResponseCount,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'
import {
  groupPlaceFixture,
  placeFixture,
  publicPostCaptionFixture,
  secretGroupTextFixture,
  tagFixture,
} from './actors.ts'

const posts = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'posts')
const users = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'users')
const saves = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'saves')
const changed = { caption: 'Cambiada por alguien' }

/** Former members are tested with their own post. */
const author = ({ cast, column }: AccessAttemptContext) => (column === 'L' ? cast.ola : cast.ana)
const hidden = ({ cast, column }: AccessAttemptContext) => (column === 'L' ? cast.left.$id : cast.kept.$id)
const ofGroup = async (scene: AccessAttemptContext) =>
  scene.succeeds ? await scene.cast.postOf(author(scene), scene.cast.knit) : hidden(scene)
const ofAll = async ({ cast, succeeds }: AccessAttemptContext) =>
  succeeds ? await cast.postOf(cast.ana, null) : cast.shown.$id
const herPicture = ({ cast, succeeds }: AccessAttemptContext, who: MemberClient) =>
  succeeds ? insertUploadedImageRow(cast.w.database, who) : cast.spareOf(who)

export const postAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('PP1', {
    'document list by creator': async (who, { cast }) =>
      checkResponseMentions(
        await posts(who).list(buildAppwriteEqualQuery('creator', cast.ana)),
        cast.shown.$id,
      ),
    'document search': async (who, { cast }) =>
      checkResponseMentions(
        await posts(who).list(`search("caption", ["${publicPostCaptionFixture}"])`),
        cast.shown.$id,
      ),
    explorePosts: async (who, { cast }) =>
      checkResponseMentions(await who.ask(explorePostsOperation, { limit: 100 }), cast.shown.$id),
    listPlacePosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPlacePostsOperation, { place: placeFixture, limit: 100 }),
        cast.shown.$id,
      ),
    listTagPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listTagPostsOperation, { tag: tagFixture, limit: 100 }),
        cast.shown.$id,
      ),
    searchPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(searchPostsOperation, { term: publicPostCaptionFixture }),
        cast.shown.$id,
      ),
    catchUp: (who, { cast }) => checkCatchUpReveals(who, cast, 'posts', cast.shown.$id),
  }),
  ...defineReadAttempts('PP1', {
    'nested in the profile document': async (who, { cast }) =>
      checkResponseMentions(await users(who).get(cast.ana.id), cast.shown.$id),
    listPersonPosts: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPersonPostsOperation, { personId: cast.ana.id }),
        cast.shown.$id,
      ),
  }).map(answersNotFoundForHiddenMember),
  ...defineReadAttempts('PP2', {
    document: async (who, { cast }) => toMatrixOutcome(await posts(who).get(cast.shown.$id)),
    getPost: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getPostOperation, { postId: cast.shown.$id })),
    listLikers: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(listLikersOperation, { postId: cast.shown.$id })),
    listSimilarPosts: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(listSimilarPostsOperation, { postId: cast.shown.$id })),
  }),
  ...defineReadAttempts('AU1', {
    previewAudience: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(previewAudienceOperation, { postId: cast.shown.$id })),
  }),
  ...defineReadAttempts('AU2', {
    previewAudience: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(previewAudienceOperation, { groupId: cast.knit })),
  }),
  ...defineReadAttempts('AU3', {
    getPost: async (who, { cast }) =>
      checkResponseMentions(await who.ask(getPostOperation, { postId: cast.shown.$id }), '"receipt"'),
  }),
  ...defineWriteAttempts('PP3', {
    document: async (who, scene) =>
      toMatrixOutcome(
        await posts(who).create({ ...postContentFixture, imageId: await herPicture(scene, who) }),
      ),
    createPost: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(createPostOperation, { ...postContentFixture, imageId: await herPicture(scene, who) }),
      ),
  }),
  ...defineWriteAttempts('PP3 as another', {
    document: async (who, { cast, column }) => {
      const creator = column === 'O' ? cast.bea.id : cast.ana.id
      return toMatrixOutcome(
        await posts(who).create({ ...postContentFixture, imageId: cast.unattached, creator }),
      )
    },
    createPost: async (who, { cast, column }) => {
      const userId = column === 'O' ? cast.bea.id : cast.ana.id
      return toMatrixOutcome(
        await who.ask(createPostOperation, { ...postContentFixture, imageId: cast.unattached, userId }),
      )
    },
  }),
  ...defineWriteAttempts('PP4', {
    document: async (who, scene) => toMatrixOutcome(await posts(who).patch(await ofAll(scene), changed)),
    updatePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(updatePostOperation, { postId: await ofAll(scene), ...changed })),
  }),
  ...defineReadAttempts('HI1', {
    listPostEdits: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(listPostEditsOperation, { postId: cast.shown.$id })),
  }),
  ...defineWriteAttempts('PP5', {
    document: async (who, scene) =>
      toMatrixOutcome(await posts(who).patch(await ofAll(scene), { likes: [who.id] })),
    likePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(likePostOperation, { postId: await ofAll(scene) })),
    unlikePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(unlikePostOperation, { postId: await ofAll(scene) })),
  }),
  ...defineWriteAttempts('PP6', {
    document: async (who, scene) =>
      toMatrixOutcome(await posts(who).patch(await ofAll(scene), { groupId: scene.cast.knit })),
    updatePost: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(updatePostOperation, { postId: await ofAll(scene), groupId: scene.cast.knit }),
      ),
  }),
  ...defineWriteAttempts('PP6 foreign', {
    document: async (who, { cast, column }) =>
      toMatrixOutcome(
        await posts(who).patch(cast.shown.$id, { groupId: column === 'B' ? cast.knit : cast.other }),
      ),
  }),
  {
    row: 'PP6 foreign',
    path: 'updatePost',
    writes: true,
    // The server checks the group before the post.
    except: { K: '403', C: '403' },
    act: async (who, { cast, column }) => {
      const groupId = column === 'B' ? cast.knit : cast.other
      return toMatrixOutcome(await who.ask(updatePostOperation, { postId: cast.shown.$id, groupId }))
    },
  },
  ...defineWriteAttempts('PP7', {
    document: async (who, scene) => toMatrixOutcome(await posts(who).remove(await ofAll(scene))),
    deletePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(deletePostOperation, { postId: await ofAll(scene) })),
  }),

  ...defineReadAttempts('SH1', {
    listShareTargets: async (who, scene) =>
      toMatrixOutcome(await who.ask(listShareTargetsOperation, { postId: hidden(scene) })),
  }),
  ...defineReadAttempts('PG1', {
    'document list': async (who, scene) =>
      checkResponseMentions(
        await posts(who).list(buildAppwriteEqualQuery('groupId', scene.cast.knit)),
        hidden(scene),
      ),
    'document list with other words': async (who, scene) =>
      checkResponseMentions(
        await posts(who).list(
          `{"method":"equal","attribute":"groupId","values":["${scene.cast.knit}"]}`,
          'limit(100)',
        ),
        hidden(scene),
      ),
    listGroupPosts: async (who, scene) =>
      checkResponseMentions(
        await who.ask(listGroupPostsOperation, { groupId: scene.cast.knit }),
        hidden(scene),
      ),
  }),
  ...defineReadAttempts('PG2', {
    'document list': async (who, scene) =>
      checkResponseMentions(await posts(who).list('limit(100)'), hidden(scene)),
    'document list by creator': async (who, scene) =>
      checkResponseMentions(
        await posts(who).list(buildAppwriteEqualQuery('creator', author(scene))),
        hidden(scene),
      ),
    'document list by id': async (who, scene) =>
      checkResponseMentions(
        await posts(who).list(buildAppwriteEqualQuery('$id', hidden(scene))),
        hidden(scene),
      ),
    'total of a document list': async (who, scene) =>
      checkResponseCount(
        await posts(who).list(buildAppwriteEqualQuery('$id', hidden(scene))),
        ({ total }) => total,
        1,
      ),
    'document list of posts in any group': async (who, scene) =>
      checkResponseMentions(await posts(who).list('isNotNull("groupId")', 'limit(100)'), hidden(scene)),
    'document search': async (who, scene) =>
      checkResponseMentions(
        await posts(who).list(`search("caption", ["${secretGroupTextFixture}"])`, 'limit(100)'),
        hidden(scene),
      ),
    'liked in her own document': async (who, scene) =>
      checkResponseMentions(
        await users(who).list(buildAppwriteEqualQuery('$id', who), 'select(["liked.*"])'),
        hidden(scene),
      ),
    'saved in her own document': async (who, scene) =>
      checkResponseMentions(
        await users(who).list(buildAppwriteEqualQuery('$id', who), 'select(["save.*"])'),
        hidden(scene),
      ),
    'saves documents': async (who, scene) =>
      checkResponseMentions(await saves(who).list('limit(100)'), hidden(scene)),
    explorePosts: async (who, scene) =>
      checkResponseMentions(await who.ask(explorePostsOperation, { limit: 100 }), hidden(scene)),
    listTagPosts: async (who, scene) =>
      checkResponseMentions(
        await who.ask(listTagPostsOperation, { tag: tagFixture, limit: 100 }),
        hidden(scene),
      ),
    searchPosts: async (who, scene) =>
      checkResponseMentions(
        await who.ask(searchPostsOperation, { term: secretGroupTextFixture }),
        hidden(scene),
      ),
    listSavedPosts: async (who, scene) =>
      checkResponseMentions(await who.ask(listSavedPostsOperation, {}), hidden(scene)),
    listLikedPosts: async (who, scene) =>
      checkResponseMentions(await who.ask(listLikedPostsOperation, {}), hidden(scene)),
    catchUp: (who, scene) => checkCatchUpReveals(who, scene.cast, 'posts', hidden(scene)),
  }),
  ...defineReadAttempts('PG2', {
    'nested in the profile document': async (who, scene) =>
      checkResponseMentions(await users(who).get(author(scene).id), hidden(scene)),
    'total in the profile document': async (who, scene) => {
      const of = author(scene)
      return checkResponseCount(
        await users(who).get(of.id),
        ({ postsTotal }) => postsTotal,
        of === scene.cast.ana ? 4 : 1,
      )
    },
    listPersonPosts: async (who, scene) =>
      checkResponseMentions(
        await who.ask(listPersonPostsOperation, { personId: author(scene).id }),
        hidden(scene),
      ),
    'postCount of getPerson': async (who, scene) => {
      const of = author(scene)
      const withIt = of === scene.cast.ana ? 4 : 1
      return checkResponseCount(
        await who.ask(getPersonOperation, { personId: of.id }),
        ({ postCount }) => postCount,
        withIt,
      )
    },
  }).map(answersNotFoundForHiddenMember),
  // A former member's group feeds no longer contain her own posts.
  ...defineReadAttempts('PG2', {
    getHomeFeed: async (who, scene) =>
      checkResponseMentions(await who.ask(getHomeFeedOperation, {}), hidden(scene)),
    'explorePosts from her groups': async (who, scene) =>
      checkResponseMentions(
        await who.ask(explorePostsOperation, { from: 'groups', limit: 100 }),
        hidden(scene),
      ),
    'listPlacePosts of the group’s place': async (who) =>
      checkResponseMentions(
        await who.ask(listPlacePostsOperation, { place: groupPlaceFixture }),
        groupPlaceFixture,
      ),
    suggestPlaces: async (who) =>
      checkResponseMentions(await who.ask(suggestPlacesOperation, { term: 'Rincón' }), groupPlaceFixture),
    listMyGroupsPosts: async (who, scene) =>
      checkResponseMentions(await who.ask(listMyGroupsPostsOperation, {}), hidden(scene)),
  }).map((attempt): AccessAttempt => ({ ...attempt, except: { L: 'E' } })),
  ...defineReadAttempts('PG3', {
    document: async (who, scene) => toMatrixOutcome(await posts(who).get(hidden(scene))),
  }),
  // Outside the Appwrite API, 403 reveals that the post exists.
  {
    row: 'PG3',
    path: 'getPost',
    worded: { '404': '403' },
    except: { K: '404', C: '404' },
    act: async (who, scene) => toMatrixOutcome(await who.ask(getPostOperation, { postId: hidden(scene) })),
  },
  {
    row: 'PG3',
    path: 'listLikers',
    worded: { '404': '403' },
    except: { K: '404', C: '404' },
    act: async (who, scene) => toMatrixOutcome(await who.ask(listLikersOperation, { postId: hidden(scene) })),
  },
  ...defineReadAttempts('PG3', {
    listSimilarPosts: async (who, scene) =>
      toMatrixOutcome(await who.ask(listSimilarPostsOperation, { postId: hidden(scene) })),
  }),
  ...defineWriteAttempts('PG4', {
    document: async (who, scene) => {
      const imageId = await herPicture(scene, who)
      return toMatrixOutcome(
        await posts(who).create({ ...postContentFixture, imageId, groupId: scene.cast.knit }),
      )
    },
    createPost: async (who, scene) => {
      const imageId = await herPicture(scene, who)
      return toMatrixOutcome(
        await who.ask(createPostOperation, { ...postContentFixture, imageId, groupId: scene.cast.knit }),
      )
    },
  }),
  ...defineWriteAttempts('PG5', {
    document: async (who, scene) => toMatrixOutcome(await posts(who).patch(await ofGroup(scene), changed)),
    updatePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(updatePostOperation, { postId: await ofGroup(scene), ...changed })),
  }),
  ...defineWriteAttempts('PG6', {
    document: async (who, scene) =>
      toMatrixOutcome(await posts(who).patch(await ofGroup(scene), { likes: [who.id] })),
    'document, taking it back': async (who, scene) =>
      toMatrixOutcome(await posts(who).patch(await ofGroup(scene), { likes: [] })),
    likePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(likePostOperation, { postId: await ofGroup(scene) })),
    unlikePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(unlikePostOperation, { postId: await ofGroup(scene) })),
  }),
  ...defineWriteAttempts('PG7', {
    document: async (who, scene) =>
      toMatrixOutcome(await posts(who).patch(await ofGroup(scene), { groupId: null })),
    updatePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(updatePostOperation, { postId: await ofGroup(scene), groupId: null })),
  }),
  ...defineWriteAttempts('PG8', {
    document: async (who, scene) => toMatrixOutcome(await posts(who).remove(await ofGroup(scene))),
    deletePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(deletePostOperation, { postId: await ofGroup(scene) })),
  }),
  ...defineWriteAttempts('PG9', {
    takePostOutOfGroup: async (who, scene) =>
      toMatrixOutcome(await who.ask(takePostOutOfGroupOperation, { postId: await ofGroup(scene) })),
  }),
  ...defineWriteAttempts('PG9 all', {
    takePostsOutOfGroup: async (who, { cast, column }) => {
      // Other attempts still need a former member's post in the first group.
      const groupId = column === 'L' ? await createGroupWithMembers(cast.gala) : cast.knit
      if (column === 'L') await cast.postOf(cast.ola, groupId)
      return toMatrixOutcome(await who.ask(takePostsOutOfGroupOperation, { groupId }))
    },
  }),

  ...defineReadAttempts('SV1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await saves(who).list('limit(100)'), cast.save),
    'document list by member': async (who, { cast }) =>
      checkResponseMentions(await saves(who).list(buildAppwriteEqualQuery('user', cast.ana)), cast.save),
  }),
  ...defineReadAttempts('SV1', {
    'nested in the profile document': async (who, { cast }) =>
      checkResponseMentions(await users(who).get(cast.ana.id), cast.save),
  }).map(answersNotFoundForHiddenMember),
  ...defineReadAttempts('SV2', {
    document: async (who, { cast }) => toMatrixOutcome(await saves(who).get(cast.save)),
  }),
  ...defineWriteAttempts('SV3', {
    document: async (who, scene) =>
      toMatrixOutcome(await saves(who).create({ user: who.id, post: hidden(scene) })),
    savePost: async (who, scene) =>
      toMatrixOutcome(await who.ask(savePostOperation, { postId: hidden(scene) })),
  }),
  ...defineWriteAttempts('SV3 as another', {
    document: async (who, { cast, column }) => {
      const user = column === 'O' ? cast.bea.id : cast.ana.id
      return toMatrixOutcome(await saves(who).create({ user, post: cast.kept.$id }))
    },
    savePost: async (who, { cast, column }) => {
      const userId = column === 'O' ? cast.bea.id : cast.ana.id
      return toMatrixOutcome(await who.ask(savePostOperation, { postId: cast.kept.$id, userId }))
    },
  }),
  ...defineWriteAttempts('SV4', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await saves(who).patch(cast.save, { post: cast.shown.$id })),
  }),
  ...defineWriteAttempts('SV5', {
    document: async (who, { cast, succeeds }) => {
      const made = succeeds && (await saves(who).made({ user: who.id, post: cast.left.$id })).$id
      return toMatrixOutcome(await saves(who).remove(made || cast.save))
    },
  }),
  {
    row: 'SV5',
    path: 'unsavePost',
    writes: true,
    only: ['O'],
    act: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(unsavePostOperation, { postId: cast.left.$id })),
  },
  ...defineReadAttempts('PF1', {
    updatePostPreferences: async (who) =>
      toMatrixOutcome(await who.ask(updatePostPreferencesOperation, { altReminder: true })),
  }),
]
