/** Groups, who is in them and who asks to be: every path of the matrix to them. */
import {
  checkMembership,
  handOverGroup,
  leaveGroup,
  listMembers,
  removeMember,
} from '#contract/group-members.ts'
import {
  approveRequest,
  latestRequest,
  pendingRequests,
  rejectRequest,
  requestToJoin,
  withdrawRequest,
} from '#contract/group-requests.ts'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  myGroups,
  searchGroups,
  updateGroup,
} from '#contract/groups.ts'
import { documentsOf, equal } from '../appwrite/documents.ts'
import { groupOf } from '../groups.ts'
import type { Person } from '../person.ts'
import { type Attempt, catchesUp, outcome, reading, type Scene, shows, writing } from './attempt.ts'

const groups = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'groups')
const members = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'groupMembers')
const requests = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'groupRequests')

/** A group of gala's with mia in it: Knit, unless it will not be the same afterwards. */
const groupIn = async ({ cast, succeeds }: Scene) =>
  succeeds ? await groupOf(cast.gala, cast.mia) : cast.knit

/** Mia's membership, of a group of its own where it will end. */
async function membershipIn(scene: Scene): Promise<{ groupId: string; id: string }> {
  const { gala, mia, membership } = scene.cast
  const groupId = await groupIn(scene)
  if (!scene.succeeds) return { groupId, id: membership }
  const [row] = await members(gala).all(equal('groupId', groupId), equal('userId', mia))
  return { groupId, id: row?.$id ?? '' }
}

/** Pia's request, to a group of its own where it will be decided. */
async function requestIn(scene: Scene): Promise<string> {
  const { pia, request } = scene.cast
  if (!scene.succeeds) return request
  return (await pia.call(requestToJoin, { groupId: await groupIn(scene) })).$id
}

/** She asks to join Knit, and takes it back when that is accepted, so that everything is as it was. */
async function askToJoin(who: Person, ask: () => ReturnType<Person['ask']>) {
  const answer = await ask()
  const made = answer.body as { $id?: string }
  if (answer.status < 300 && made.$id) await who.call(withdrawRequest, { requestId: made.$id })
  return outcome(answer)
}

const intruder = ({ cast, column }: Scene, who: Person) => (/[MA]/.test(column) ? cast.eva.id : who.id)
const another = ({ cast }: Scene, who: Person) => (who === cast.eva ? cast.bea.id : cast.eva.id)

/** What she cannot read is not there for the document door, while the operation answers in the spec's order. */
const unread = { S: '404', F: '404', M: '404', X: '404', B: '404' } as const

export const groupAttempts: Attempt[] = [
  ...reading('GR1', {
    'document list': async (who, { cast }) => shows(await groups(who).list('limit(100)'), cast.knit),
    'document search': async (who, { cast }) =>
      shows(await groups(who).list('search("name", ["Knit"])'), cast.knit),
    document: async (who, { cast }) => outcome(await groups(who).get(cast.knit)),
    listGroups: async (who, { cast }) => shows(await who.ask(listGroups, { limit: 100 }), cast.knit),
    searchGroups: async (who, { cast }) => shows(await who.ask(searchGroups, { term: 'Knit' }), cast.knit),
    getGroup: async (who, { cast }) => outcome(await who.ask(getGroup, { groupId: cast.knit })),
    catchUp: (who, { cast }) => catchesUp(who, cast, 'groups', cast.knit),
  }),
  ...writing('GR2', {
    document: async (who) => outcome(await groups(who).create({ name: 'Nuevo' })),
    createGroup: async (who) => outcome(await who.ask(createGroup, { name: 'Nuevo' })),
  }),
  ...writing('GR2 as another', {
    document: async (who, { cast }) =>
      outcome(await groups(who).create({ name: 'Nuevo', adminId: cast.ana.id })),
    createGroup: async (who, { cast }) =>
      outcome(await who.ask(createGroup, { name: 'Nuevo', adminId: cast.ana.id })),
  }),
  ...writing('GR3', {
    document: async (who, scene) =>
      outcome(await groups(who).patch(await groupIn(scene), { name: 'Robado' })),
    updateGroup: async (who, scene) =>
      outcome(await who.ask(updateGroup, { groupId: await groupIn(scene), name: 'Robado' })),
  }),
  ...writing('GR4', {
    document: async (who, { cast }) => outcome(await groups(who).patch(cast.knit, { memberCount: 9999 })),
  }),
  ...writing('GR5', {
    document: async (who, { cast }) => outcome(await groups(who).patch(cast.knit, { adminId: cast.mia.id })),
  }),
  ...writing('GR6', {
    document: async (who, scene) => outcome(await groups(who).remove(await groupIn(scene))),
    deleteGroup: async (who, scene) => {
      const groupId = await groupIn(scene)
      const { name } = await scene.cast.gala.call(getGroup, { groupId })
      return outcome(await who.ask(deleteGroup, { groupId, name }))
    },
  }),
  ...writing('GR7', {
    handOverGroup: async (who, scene) => {
      const groupId = await groupIn(scene)
      return outcome(await who.ask(handOverGroup, { groupId, memberId: scene.cast.mia.id }))
    },
  }),

  ...reading('GM1', {
    'document list': async (who, { cast }) => shows(await members(who).list('limit(100)'), cast.membership),
    'document list by group': async (who, { cast }) =>
      shows(await members(who).list(equal('groupId', cast.knit)), cast.membership),
    'document list by member': async (who, { cast }) =>
      shows(await members(who).list(equal('userId', cast.mia)), cast.membership),
    listMembers: async (who, { cast }) =>
      shows(await who.ask(listMembers, { groupId: cast.knit }), cast.membership),
    checkMembership: async (who, { cast }) =>
      shows(await who.ask(checkMembership, { groupId: cast.knit, userId: cast.mia.id }), '"isMember":true'),
    catchUp: (who, { cast }) => catchesUp(who, cast, 'groupMembers', cast.membership),
  }),
  {
    row: 'GM1',
    path: 'myGroups',
    act: async (who, { cast }) => shows(await who.ask(myGroups, {}), cast.knit),
  },
  ...reading('GM2', { document: async (who, { cast }) => outcome(await members(who).get(cast.membership)) }),
  ...writing('GM3', {
    'document, as a member': async (who, scene) => {
      const userId = scene.column === 'O' ? scene.cast.eva.id : intruder(scene, who)
      return outcome(await members(who).create({ groupId: scene.cast.knit, userId, role: 'member' }))
    },
    'document, as the admin': async (who, scene) => {
      const userId = scene.column === 'A' ? scene.cast.eva.id : who.id
      return outcome(await members(who).create({ groupId: scene.cast.knit, userId, role: 'admin' }))
    },
  }),
  ...writing('GM4', {
    document: async (who, { cast }) => outcome(await members(who).patch(cast.membership, { role: 'admin' })),
  }),
  ...writing('GM5', {
    document: async (who, scene) => outcome(await members(who).remove((await membershipIn(scene)).id)),
    removeMember: async (who, scene) => {
      const { groupId } = await membershipIn(scene)
      return outcome(await who.ask(removeMember, { groupId, memberId: scene.cast.mia.id }))
    },
  }),
  {
    row: 'GM5',
    path: 'leaveGroup',
    writes: true,
    only: ['V', 'O'],
    act: async (who, scene) =>
      outcome(await who.ask(leaveGroup, { groupId: (await membershipIn(scene)).groupId })),
  },
  ...writing("GM5 admin's", {
    document: async (who, { cast }) => outcome(await members(who).remove(cast.admins)),
    removeMember: async (who, { cast }) =>
      outcome(await who.ask(removeMember, { groupId: cast.knit, memberId: cast.gala.id })),
  }),

  ...reading('GQ1', {
    'document list': async (who, { cast }) => shows(await requests(who).list('limit(100)'), cast.request),
    'document list by group': async (who, { cast }) =>
      shows(await requests(who).list(equal('groupId', cast.knit)), cast.request),
    latestRequest: async (who, { cast }) =>
      shows(await who.ask(latestRequest, { groupId: cast.knit, userId: cast.pia.id }), cast.request),
    catchUp: (who, { cast }) => catchesUp(who, cast, 'groupRequests', cast.request),
  }),
  {
    row: 'GQ1',
    path: 'pendingRequests',
    // A list of what waits for one's decision.
    except: { O: 'E' },
    act: async (who, { cast }) => shows(await who.ask(pendingRequests, { groupId: cast.knit }), cast.request),
  },
  ...reading('GQ2', { document: async (who, { cast }) => outcome(await requests(who).get(cast.request)) }),
  ...writing('GQ3', {
    document: (who, scene) => askToJoin(who, () => requests(who).create({ groupId: scene.cast.knit })),
    requestToJoin: (who, scene) => askToJoin(who, () => who.ask(requestToJoin, { groupId: scene.cast.knit })),
  }),
  ...writing('GQ3 as another', {
    document: async (who, scene) =>
      outcome(await requests(who).create({ groupId: scene.cast.knit, userId: another(scene, who) })),
    requestToJoin: async (who, scene) =>
      outcome(await who.ask(requestToJoin, { groupId: scene.cast.knit, userId: another(scene, who) })),
  }),
  ...(
    [
      ['GQ4', 'accepted', approveRequest],
      ['GQ5', 'rejected', rejectRequest],
    ] as const
  ).flatMap(([row, status, operation]): Attempt[] => [
    {
      row,
      path: 'document',
      writes: true,
      except: unread,
      act: async (who, scene) => outcome(await requests(who).patch(await requestIn(scene), { status })),
    },
    {
      row,
      path: operation.name,
      writes: true,
      act: async (who, scene) => outcome(await who.ask(operation, { requestId: await requestIn(scene) })),
    },
    {
      row,
      path: `${operation.name} in the admin's name`,
      writes: true,
      only: ['V', 'S', 'F', 'O', 'M', 'X', 'B'],
      act: async (who, { cast }) =>
        outcome(await who.ask(operation, { requestId: cast.request, currentUserId: cast.gala.id })),
    },
  ]),
  ...writing('GQ6', {
    document: async (who, { cast }) =>
      outcome(await requests(who).patch(cast.request, { groupId: cast.other, status: 'pending' })),
  }),
  ...writing('GQ7', {
    document: async (who, scene) => outcome(await requests(who).remove(await requestIn(scene))),
    withdrawRequest: async (who, scene) =>
      outcome(await who.ask(withdrawRequest, { requestId: await requestIn(scene) })),
  }),
]
