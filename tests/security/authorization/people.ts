import {
  followOperation,
  getPersonOperation,
  isFollowingOperation,
  listFollowersOperation,
  listFollowingOperation,
  listPeopleOperation,
  searchPeopleOperation,
  unfollowOperation,
  updateProfileOperation,
} from '#contract/people/people.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

const users = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'users')
const follows = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'follows')
const followOf = async ({ cast, succeeds }: AccessAttemptContext) => {
  if (!succeeds) return cast.follow
  return (await follows(cast.fio).made({ followerId: cast.fio.id, followingId: cast.ana.id })).$id
}
/** K and C follow Ana, from whom a block separates them. */
const followed = ({ cast, column }: AccessAttemptContext) => (/[KC]/.test(column) ? cast.ana.id : cast.bea.id)
/** Lists omit hidden members; other paths answer 404. */
const missing = { K: '404', C: '404' } as const

const another = ({ cast }: AccessAttemptContext, who: { id: string }) =>
  who.id === cast.ana.id ? cast.bea.id : cast.ana.id

export const memberAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('U1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await users(who).list('limit(100)'), cast.ana.id),
    'document search': async (who, { cast }) =>
      checkResponseMentions(await users(who).list('search("name", ["Ana"])'), cast.ana.id),
    listPeople: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listPeopleOperation, { limit: 100 }), cast.ana.id),
    searchPeople: async (who, { cast }) =>
      checkResponseMentions(await who.ask(searchPeopleOperation, { term: 'Ana' }), cast.ana.id),
  }),
  ...defineReadAttempts('U2', {
    document: async (who, { cast }) => toMatrixOutcome(await users(who).get(cast.ana.id)),
    getPerson: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getPersonOperation, { personId: cast.ana.id })),
  }),
  ...defineWriteAttempts('U3', {
    document: async (who, { cast }) => {
      const { accountId, email } = cast.ana
      return toMatrixOutcome(await users(who).create({ accountId, email, name: 'Otra', username: 'otra' }))
    },
  }),
  ...defineWriteAttempts('U4', {
    document: async (who, { cast }) => toMatrixOutcome(await users(who).patch(cast.ana.id, { bio: 'Otra' })),
    updateProfile: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(updateProfileOperation, { personId: cast.ana.id, bio: '' })),
  }),
  ...defineWriteAttempts('U5', {
    document: async (who, { cast }) => toMatrixOutcome(await users(who).remove(cast.ana.id)),
  }),

  ...defineReadAttempts('FO1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(
        await follows(who).list(buildAppwriteEqualQuery('followerId', cast.fio)),
        cast.follow,
      ),
    listFollowing: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listFollowingOperation, { personId: cast.fio.id }), cast.ana.id),
  }),
  ...defineReadAttempts('FO1', {
    document: async (who, { cast }) => toMatrixOutcome(await follows(who).get(cast.follow)),
    listFollowers: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listFollowersOperation, { personId: cast.ana.id }), cast.fio.id),
    isFollowing: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(isFollowingOperation, { personId: cast.ana.id })),
  }).map((attempt): AccessAttempt => ({ ...attempt, except: missing })),
  ...defineWriteAttempts('FO2', {
    document: async (who, scene) =>
      toMatrixOutcome(await follows(who).create({ followerId: who.id, followingId: followed(scene) })),
    follow: async (who, scene) =>
      toMatrixOutcome(await who.ask(followOperation, { personId: followed(scene) })),
  }),
  ...defineWriteAttempts('FO2 as another', {
    document: async (who, scene) =>
      toMatrixOutcome(
        await follows(who).create({ followerId: another(scene, who), followingId: scene.cast.eva.id }),
      ),
    follow: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(followOperation, { personId: scene.cast.eva.id, followerId: another(scene, who) }),
      ),
  }),
  ...defineWriteAttempts('FO3', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await follows(who).patch(cast.follow, { followingId: cast.bea.id })),
  }),
  ...defineWriteAttempts('FO4', {
    document: async (who, scene) => toMatrixOutcome(await follows(who).remove(await followOf(scene))),
  }),
  {
    row: 'FO4',
    path: 'unfollow as another',
    writes: true,
    except: { K: '403', C: '403' },
    act: async (who, scene) => {
      const followerId = scene.succeeds ? who.id : scene.cast.fio.id
      return toMatrixOutcome(await who.ask(unfollowOperation, { personId: scene.cast.bea.id, followerId }))
    },
  },
]
