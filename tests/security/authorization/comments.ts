import type { MemberClient } from '#api-client/member-client.ts'
import {
  createCommentOperation,
  deleteCommentOperation,
  likeCommentOperation,
  listCommentsOperation,
  listRepliesOperation,
  unlikeCommentOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import { listMentionablePeopleOperation } from '#contract/comments/mentions.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  checkCatchUpReveals,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

const documentsOf = (who: MemberClient) => createAppwriteDocumentsClient(who, 'comments')
const words = { content: 'Cambiada por alguien' }

/** Former members use their own post, others the group's. */
const askedAbout = ({ cast, column }: AccessAttemptContext) =>
  column === 'L'
    ? { postId: cast.left.$id, commentId: cast.comments.left.$id }
    : { postId: cast.kept.$id, commentId: cast.comments.kept.$id }
/** Returns a new comment if the attempt will change it. */
const anas = async ({ cast, succeeds }: AccessAttemptContext) =>
  succeeds ? (await cast.comment(cast.ana, cast.shown.$id)).$id : cast.comments.shown.$id

/** Each permitted removal uses its own comment, under the post of a member whom a block separates from Ana. */
const apart = ({ cast, column, succeeds }: AccessAttemptContext) =>
  ((succeeds && cast.commentsApart[column as 'O' | 'K' | 'C'].pop()) || cast.commentApart).$id

/** If a request names the post, 403 says that joining the group would help. */
const byPost = (attempt: AccessAttempt): AccessAttempt => ({
  ...attempt,
  except: { S: '403', F: '403', X: '403', B: '403' },
})

export const commentAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('CM1', {
    listComments: async (who, scene) =>
      toMatrixOutcome(await who.ask(listCommentsOperation, { postId: askedAbout(scene).postId })),
  }).map(byPost),
  ...defineReadAttempts('CM1', {
    listReplies: async (who, scene) =>
      toMatrixOutcome(await who.ask(listRepliesOperation, { commentId: askedAbout(scene).commentId })),
    document: async (who, scene) => toMatrixOutcome(await documentsOf(who).get(askedAbout(scene).commentId)),
    'document list by post': async (who, scene) => {
      const { postId, commentId } = askedAbout(scene)
      const answer = await documentsOf(who).list(`equal("postId", ["${postId}"])`)
      if (answer.status >= 400) return toMatrixOutcome(answer)
      return JSON.stringify(answer.body).includes(commentId) ? 'ok' : '404'
    },
    catchUp: async (who, scene) => {
      const result = await checkCatchUpReveals(who, scene.cast, 'comments', askedAbout(scene).commentId)
      return result === 'E' ? '404' : result
    },
  }),
  ...defineWriteAttempts('CM2', {
    createComment: async (who, scene) =>
      toMatrixOutcome(await who.ask(createCommentOperation, { postId: askedAbout(scene).postId, ...words })),
  }).map(byPost),
  ...defineWriteAttempts('CM2', {
    document: async (who, scene) =>
      toMatrixOutcome(await documentsOf(who).create({ postId: askedAbout(scene).postId, ...words })),
  }),
  ...defineWriteAttempts('CM2 as another', {
    document: async (who, { cast, column }) => {
      const authorId = column === 'O' ? cast.bea.id : cast.ana.id
      return toMatrixOutcome(await documentsOf(who).create({ postId: cast.shown.$id, authorId, ...words }))
    },
  }),
  ...(['followedAlone', 'closedToAll'] as const).flatMap((which) =>
    defineWriteAttempts(which === 'followedAlone' ? 'CM3' : 'CM3 nobody', {
      createComment: async (who, { cast }) =>
        toMatrixOutcome(await who.ask(createCommentOperation, { postId: cast[which], ...words })),
      document: async (who, { cast }) =>
        toMatrixOutcome(await documentsOf(who).create({ postId: cast[which], ...words })),
    }),
  ),
  ...defineWriteAttempts('CM4', {
    updateComment: async (who, scene) =>
      toMatrixOutcome(await who.ask(updateCommentOperation, { commentId: await anas(scene), ...words })),
    document: async (who, scene) => toMatrixOutcome(await documentsOf(who).patch(await anas(scene), words)),
  }),
  ...defineWriteAttempts('CM5', {
    deleteComment: async (who, scene) =>
      toMatrixOutcome(await who.ask(deleteCommentOperation, { commentId: await anas(scene) })),
    document: async (who, scene) => toMatrixOutcome(await documentsOf(who).remove(await anas(scene))),
  }),
  ...defineWriteAttempts('CM6', {
    deleteComment: async (who, scene) => {
      const { cast, succeeds } = scene
      const thread = succeeds ? await cast.comment(cast.bea, cast.shown.$id) : cast.comments.shown
      if (succeeds) await cast.comment(cast.mia, cast.shown.$id, thread.$id)
      return toMatrixOutcome(await who.ask(deleteCommentOperation, { commentId: thread.$id }))
    },
  }),
  ...defineWriteAttempts('CM7', {
    deleteComment: async (who, scene) =>
      toMatrixOutcome(await who.ask(deleteCommentOperation, { commentId: apart(scene) })),
    document: async (who, scene) => toMatrixOutcome(await documentsOf(who).remove(apart(scene))),
  }),
  ...defineReadAttempts('MN1', {
    listMentionablePeople: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(listMentionablePeopleOperation, { term: 'a', postId: askedAbout(scene).postId }),
      ),
  }),
  ...defineReadAttempts('MN2', {
    listMentionablePeople: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(listMentionablePeopleOperation, { term: 'a', groupId: cast.knit })),
  }),
  ...defineReadAttempts('MN3', {
    listMentionablePeople: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listMentionablePeopleOperation, { term: 'Ana' }), cast.ana.id),
  }),
  ...defineWriteAttempts('CL1', {
    likeComment: async (who, scene) =>
      toMatrixOutcome(await who.ask(likeCommentOperation, { commentId: askedAbout(scene).commentId })),
    unlikeComment: async (who, scene) =>
      toMatrixOutcome(await who.ask(unlikeCommentOperation, { commentId: askedAbout(scene).commentId })),
  }),
  ...defineWriteAttempts('CL2', {
    likeComment: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(likeCommentOperation, { commentId: cast.comments.shown.$id })),
    unlikeComment: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(unlikeCommentOperation, { commentId: cast.comments.shown.$id })),
  }),
]
