import type { MemberClient } from '#api-client/member-client.ts'
import {
  getGroupMembershipOperation,
  handOverGroupOperation,
  leaveGroupOperation,
  listGroupMembersOperation,
  removeGroupMemberOperation,
} from '#contract/groups/group-members.ts'
import {
  approveJoinRequestOperation,
  getLatestJoinRequestOperation,
  listPendingJoinRequestsOperation,
  rejectJoinRequestOperation,
  requestToJoinOperation,
  withdrawJoinRequestOperation,
} from '#contract/groups/group-requests.ts'
import {
  createGroupOperation,
  deleteGroupOperation,
  getGroupOperation,
  listGroupsOperation,
  listMyGroupsOperation,
  searchGroupsOperation,
  updateGroupOperation,
} from '#contract/groups/groups.ts'
import {
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
} from '#tests/support/appwrite-documents-client.ts'
import { createGroupWithMembers } from '#tests/support/group-factory.ts'
import {
  type AccessAttempt,
  type AccessAttemptContext,
  checkCatchUpReveals,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

const groups = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'groups')
const members = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'groupMembers')
const requests = (who: Parameters<typeof createAppwriteDocumentsClient>[0]) =>
  createAppwriteDocumentsClient(who, 'groupRequests')

/** A group of Gala's with Mia as a member: Knit, or a new group if the attempt will change it. */
const groupIn = async ({ cast, succeeds }: AccessAttemptContext) =>
  succeeds ? await createGroupWithMembers(cast.gala, cast.mia) : cast.knit

/** Mia's membership, in a new group if the attempt will end it. */
async function membershipIn(scene: AccessAttemptContext): Promise<{ groupId: string; id: string }> {
  const { gala, mia, membership } = scene.cast
  const groupId = await groupIn(scene)
  if (!scene.succeeds) return { groupId, id: membership }
  const [row] = await members(gala).all(
    buildAppwriteEqualQuery('groupId', groupId),
    buildAppwriteEqualQuery('userId', mia),
  )
  return { groupId, id: row?.$id ?? '' }
}

/** Pia's request, to a new group if the attempt will decide it. */
async function requestIn(scene: AccessAttemptContext): Promise<string> {
  const { pia, request } = scene.cast
  if (!scene.succeeds) return request
  return (await pia.call(requestToJoinOperation, { groupId: await groupIn(scene) })).$id
}

/** Withdraws a successful request, because the actors share it. */
async function askToJoin(who: MemberClient, ask: () => ReturnType<MemberClient['ask']>) {
  const answer = await ask()
  const made = answer.body as { $id?: string }
  if (answer.status < 300 && made.$id) await who.call(withdrawJoinRequestOperation, { requestId: made.$id })
  return toMatrixOutcome(answer)
}

const intruder = ({ cast, column }: AccessAttemptContext, who: MemberClient) =>
  /[MAKC]/.test(column) ? cast.eva.id : who.id
const another = ({ cast }: AccessAttemptContext, who: MemberClient) =>
  who === cast.eva ? cast.bea.id : cast.eva.id

/** The Appwrite API answers 404 for unreadable documents. */
const unread = { S: '404', F: '404', M: '404', X: '404', B: '404', K: '404', C: '404' } as const

export const groupAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('GR1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await groups(who).list('limit(100)'), cast.knit),
    'document search': async (who, { cast }) =>
      checkResponseMentions(await groups(who).list('search("name", ["Knit"])'), cast.knit),
    document: async (who, { cast }) => toMatrixOutcome(await groups(who).get(cast.knit)),
    listGroups: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listGroupsOperation, { limit: 100 }), cast.knit),
    searchGroups: async (who, { cast }) =>
      checkResponseMentions(await who.ask(searchGroupsOperation, { term: 'Knit' }), cast.knit),
    getGroup: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(getGroupOperation, { groupId: cast.knit })),
    catchUp: (who, { cast }) => checkCatchUpReveals(who, cast, 'groups', cast.knit),
  }),
  ...defineWriteAttempts('GR2', {
    document: async (who) => toMatrixOutcome(await groups(who).create({ name: 'Nuevo' })),
    createGroup: async (who) => toMatrixOutcome(await who.ask(createGroupOperation, { name: 'Nuevo' })),
  }),
  ...defineWriteAttempts('GR2 as another', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await groups(who).create({ name: 'Nuevo', adminId: cast.ana.id })),
    createGroup: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(createGroupOperation, { name: 'Nuevo', adminId: cast.ana.id })),
  }),
  ...defineWriteAttempts('GR3', {
    document: async (who, scene) =>
      toMatrixOutcome(await groups(who).patch(await groupIn(scene), { name: 'Robado' })),
    updateGroup: async (who, scene) =>
      toMatrixOutcome(await who.ask(updateGroupOperation, { groupId: await groupIn(scene), name: 'Robado' })),
  }),
  ...defineWriteAttempts('GR4', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await groups(who).patch(cast.knit, { memberCount: 9999 })),
  }),
  ...defineWriteAttempts('GR5', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await groups(who).patch(cast.knit, { adminId: cast.mia.id })),
  }),
  ...defineWriteAttempts('GR6', {
    document: async (who, scene) => toMatrixOutcome(await groups(who).remove(await groupIn(scene))),
    deleteGroup: async (who, scene) => {
      const groupId = await groupIn(scene)
      const { name } = await scene.cast.gala.call(getGroupOperation, { groupId })
      return toMatrixOutcome(await who.ask(deleteGroupOperation, { groupId, name }))
    },
  }),
  ...defineWriteAttempts('GR7', {
    handOverGroup: async (who, scene) => {
      const groupId = await groupIn(scene)
      return toMatrixOutcome(await who.ask(handOverGroupOperation, { groupId, memberId: scene.cast.mia.id }))
    },
  }),

  ...defineReadAttempts('GM1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await members(who).list('limit(100)'), cast.membership),
    'document list by group': async (who, { cast }) =>
      checkResponseMentions(
        await members(who).list(buildAppwriteEqualQuery('groupId', cast.knit)),
        cast.membership,
      ),
    'document list by member': async (who, { cast }) =>
      checkResponseMentions(
        await members(who).list(buildAppwriteEqualQuery('userId', cast.mia)),
        cast.membership,
      ),
    listMembers: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listGroupMembersOperation, { groupId: cast.knit }),
        cast.membership,
      ),
    checkMembership: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(getGroupMembershipOperation, { groupId: cast.knit, userId: cast.mia.id }),
        '"isMember":true',
      ),
    catchUp: (who, { cast }) => checkCatchUpReveals(who, cast, 'groupMembers', cast.membership),
  }),
  {
    row: 'GM1',
    path: 'listMyGroups',
    // K and C are members of Knit. The row is about another member's membership.
    except: { K: 'ok', C: 'ok' },
    act: async (who, { cast }) => checkResponseMentions(await who.ask(listMyGroupsOperation, {}), cast.knit),
  },
  ...defineReadAttempts('GM2', {
    document: async (who, { cast }) => toMatrixOutcome(await members(who).get(cast.membership)),
  }),
  ...defineWriteAttempts('GM3', {
    'document, as a member': async (who, scene) => {
      const userId = scene.column === 'O' ? scene.cast.eva.id : intruder(scene, who)
      return toMatrixOutcome(await members(who).create({ groupId: scene.cast.knit, userId, role: 'member' }))
    },
    'document, as the admin': async (who, scene) => {
      const userId = scene.column === 'A' ? scene.cast.eva.id : who.id
      return toMatrixOutcome(await members(who).create({ groupId: scene.cast.knit, userId, role: 'admin' }))
    },
  }),
  ...defineWriteAttempts('GM4', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await members(who).patch(cast.membership, { role: 'admin' })),
  }),
  ...defineWriteAttempts('GM5', {
    document: async (who, scene) =>
      toMatrixOutcome(await members(who).remove((await membershipIn(scene)).id)),
    removeMember: async (who, scene) => {
      const { groupId } = await membershipIn(scene)
      return toMatrixOutcome(
        await who.ask(removeGroupMemberOperation, { groupId, memberId: scene.cast.mia.id }),
      )
    },
  }),
  {
    row: 'GM5',
    path: 'leaveGroup',
    writes: true,
    only: ['V', 'O'],
    act: async (who, scene) =>
      toMatrixOutcome(await who.ask(leaveGroupOperation, { groupId: (await membershipIn(scene)).groupId })),
  },
  ...defineWriteAttempts("GM5 admin's", {
    document: async (who, { cast }) => toMatrixOutcome(await members(who).remove(cast.admins)),
    removeMember: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(removeGroupMemberOperation, { groupId: cast.knit, memberId: cast.gala.id }),
      ),
  }),

  ...defineReadAttempts('GQ1', {
    'document list': async (who, { cast }) =>
      checkResponseMentions(await requests(who).list('limit(100)'), cast.request),
    'document list by group': async (who, { cast }) =>
      checkResponseMentions(
        await requests(who).list(buildAppwriteEqualQuery('groupId', cast.knit)),
        cast.request,
      ),
    getLatestJoinRequest: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(getLatestJoinRequestOperation, { groupId: cast.knit, userId: cast.pia.id }),
        cast.request,
      ),
    catchUp: (who, { cast }) => checkCatchUpReveals(who, cast, 'groupRequests', cast.request),
  }),
  {
    row: 'GQ1',
    path: 'listPendingJoinRequests',
    except: { O: 'E' },
    act: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listPendingJoinRequestsOperation, { groupId: cast.knit }),
        cast.request,
      ),
  },
  ...defineReadAttempts('GQ2', {
    document: async (who, { cast }) => toMatrixOutcome(await requests(who).get(cast.request)),
  }),
  ...defineWriteAttempts('GQ3', {
    document: (who, scene) => askToJoin(who, () => requests(who).create({ groupId: scene.cast.knit })),
    requestToJoin: (who, scene) =>
      askToJoin(who, () => who.ask(requestToJoinOperation, { groupId: scene.cast.knit })),
  }),
  ...defineWriteAttempts('GQ3 as another', {
    document: async (who, scene) =>
      toMatrixOutcome(await requests(who).create({ groupId: scene.cast.knit, userId: another(scene, who) })),
    requestToJoin: async (who, scene) =>
      toMatrixOutcome(
        await who.ask(requestToJoinOperation, { groupId: scene.cast.knit, userId: another(scene, who) }),
      ),
  }),
  ...(
    [
      ['GQ4', 'accepted', approveJoinRequestOperation],
      ['GQ5', 'rejected', rejectJoinRequestOperation],
    ] as const
  ).flatMap(([row, status, operation]): AccessAttempt[] => [
    {
      row,
      path: 'document',
      writes: true,
      except: unread,
      act: async (who, scene) =>
        toMatrixOutcome(await requests(who).patch(await requestIn(scene), { status })),
    },
    {
      row,
      path: operation.name,
      writes: true,
      act: async (who, scene) =>
        toMatrixOutcome(await who.ask(operation, { requestId: await requestIn(scene) })),
    },
    {
      row,
      path: `${operation.name} in the admin's name`,
      writes: true,
      only: ['V', 'S', 'F', 'O', 'M', 'X', 'B'],
      act: async (who, { cast }) =>
        toMatrixOutcome(await who.ask(operation, { requestId: cast.request, currentUserId: cast.gala.id })),
    },
  ]),
  ...defineWriteAttempts('GQ6', {
    document: async (who, { cast }) =>
      toMatrixOutcome(await requests(who).patch(cast.request, { groupId: cast.other, status: 'pending' })),
  }),
  ...defineWriteAttempts('GQ7', {
    document: async (who, scene) => toMatrixOutcome(await requests(who).remove(await requestIn(scene))),
    withdrawJoinRequest: async (who, scene) =>
      toMatrixOutcome(await who.ask(withdrawJoinRequestOperation, { requestId: await requestIn(scene) })),
  }),
]
