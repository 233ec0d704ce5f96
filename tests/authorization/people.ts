/** Members and who follows whom: every path of the matrix to them. */
import {
  follow,
  getPerson,
  isFollowing,
  listFollowers,
  listFollowing,
  listPeople,
  searchPeople,
  unfollow,
  updatePerson,
} from '#contract/people.ts'
import { documentsOf, equal } from '../appwrite/documents.ts'
import { type Attempt, outcome, reading, type Scene, shows, writing } from './attempt.ts'

const users = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'users')
const follows = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'follows')
const followOf = async ({ cast, succeeds }: Scene) => {
  if (!succeeds) return cast.follow
  return (await follows(cast.fio).made({ followerId: cast.fio.id, followingId: cast.ana.id })).$id
}
/** Whoever acts as another is not that other. */
const another = ({ cast }: Scene, who: { id: string }) => (who.id === cast.ana.id ? cast.bea.id : cast.ana.id)

export const peopleAttempts: Attempt[] = [
  ...reading('U1', {
    'document list': async (who, { cast }) => shows(await users(who).list('limit(100)'), cast.ana.id),
    'document search': async (who, { cast }) =>
      shows(await users(who).list('search("name", ["Ana"])'), cast.ana.id),
    listPeople: async (who, { cast }) => shows(await who.ask(listPeople, { limit: 100 }), cast.ana.id),
    searchPeople: async (who, { cast }) => shows(await who.ask(searchPeople, { term: 'Ana' }), cast.ana.id),
  }),
  ...reading('U2', {
    document: async (who, { cast }) => outcome(await users(who).get(cast.ana.id)),
    getPerson: async (who, { cast }) => outcome(await who.ask(getPerson, { personId: cast.ana.id })),
  }),
  ...writing('U3', {
    document: async (who, { cast }) => {
      const { accountId, email } = cast.ana
      return outcome(await users(who).create({ accountId, email, name: 'Otra', username: 'otra' }))
    },
  }),
  ...writing('U4', {
    document: async (who, { cast }) => outcome(await users(who).patch(cast.ana.id, { bio: 'Otra' })),
    updatePerson: async (who, { cast }) =>
      outcome(await who.ask(updatePerson, { personId: cast.ana.id, bio: '' })),
  }),
  ...writing('U5', { document: async (who, { cast }) => outcome(await users(who).remove(cast.ana.id)) }),

  ...reading('FO1', {
    'document list': async (who, { cast }) =>
      shows(await follows(who).list(equal('followerId', cast.fio)), cast.follow),
    document: async (who, { cast }) => outcome(await follows(who).get(cast.follow)),
    listFollowers: async (who, { cast }) =>
      shows(await who.ask(listFollowers, { personId: cast.ana.id }), cast.fio.id),
    listFollowing: async (who, { cast }) =>
      shows(await who.ask(listFollowing, { personId: cast.fio.id }), cast.ana.id),
    isFollowing: async (who, { cast }) => outcome(await who.ask(isFollowing, { personId: cast.ana.id })),
  }),
  ...writing('FO2', {
    document: async (who, { cast }) =>
      outcome(await follows(who).create({ followerId: who.id, followingId: cast.bea.id })),
    follow: async (who, { cast }) => outcome(await who.ask(follow, { personId: cast.bea.id })),
  }),
  ...writing('FO2 as another', {
    document: async (who, scene) =>
      outcome(await follows(who).create({ followerId: another(scene, who), followingId: scene.cast.eva.id })),
    follow: async (who, scene) =>
      outcome(await who.ask(follow, { personId: scene.cast.eva.id, followerId: another(scene, who) })),
  }),
  ...writing('FO3', {
    document: async (who, { cast }) =>
      outcome(await follows(who).patch(cast.follow, { followingId: cast.bea.id })),
  }),
  ...writing('FO4', {
    document: async (who, scene) => outcome(await follows(who).remove(await followOf(scene))),
    'unfollow as another': async (who, scene) => {
      const followerId = scene.succeeds ? who.id : scene.cast.fio.id
      return outcome(await who.ask(unfollow, { personId: scene.cast.bea.id, followerId }))
    },
  }),
]
